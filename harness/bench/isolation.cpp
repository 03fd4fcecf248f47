// The same built-in kernel called in both ways, in turns. Unlike what measure() takes, this is wall time: the host's
// processor time is not this process's.
#include "harness/bench/isolation.hpp"

#include <fmt/format.h>

#include <chrono>
#include <deque>
#include <functional>
#include <utility>

#include "harness/bench/table.hpp"
#include "harness/check/call_buffers.hpp"
#include "harness/check/check.hpp"
#include "harness/check/run_kernel.hpp"
#include "harness/host/hosted_call.hpp"
#include "harness/kernels/registry.hpp"
#include "oracles/error.hpp"
#include "reports/json.hpp"

namespace normcheck {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

constexpr const char* kernels[] = {"cpu/rms", "cpu/layer_two_pass"};
constexpr FormatId formats[] = {FormatId::f32, FormatId::bf16};
constexpr int64_t rows = 64, cols = 1024;
constexpr double wanted_share = 0.2;

constexpr const char* explanation =
    "One batch through a kernel in this process and in a host process (harness/host), both on one core, in us of wall "
    "time: the bare call, in a host with copies of all tensors; the guarded call, with its buffers made and looked "
    "through; the whole check, with inputs made and all outputs judged; and a hosted call of no rows. Isolation adds "
    "its share to the whole check.";

/// A built-in kernel that is called in a host of its own.
const nc_kernel& hosted_copy(const nc_kernel& kernel) {
    static std::deque<std::pair<std::string, nc_kernel>> copies;
    const std::string name = std::string("hosted/") + kernel.name;
    if (const nc_kernel* found = find_kernel(name)) return *found;
    auto& [text, copy] = copies.emplace_back(name, kernel);
    copy.name = text.c_str();
    const int host = host::add_host(
        {.what = "the host of " + std::string(kernel.name), .arguments = {std::string("--built-in=") + kernel.name}});
    const KernelEntry entry{&copy, Origin::outside, host, 0};
    add_kernels(std::span(&entry, 1));
    return copy;
}

/// Runs each piece in turns until each has so many samples; a sample takes at least so long. Samples by piece.
std::vector<std::vector<double>> wall_times(const std::vector<std::function<void()>>& pieces,
                                            const MeasureOptions& options) {
    std::vector<std::vector<double>> samples(pieces.size());
    for (int repetition = -1; repetition < options.repetitions; ++repetition) {
        for (size_t i = 0; i < pieces.size(); ++i) {
            const auto begin = Clock::now();
            std::chrono::duration<double> taken{};
            int runs = 0;
            for (; taken.count() < options.seconds; ++runs, taken = Clock::now() - begin) pieces[i]();
            if (repetition >= 0) samples[i].push_back(taken.count() / runs);  // the first are for warmth
        }
    }
    return samples;
}

/// The median of how much longer the second piece takes, as a share of the first.
double added_share(const std::vector<double>& first, const std::vector<double>& second) {
    std::vector<double> shares;
    for (size_t i = 0; i < first.size(); ++i) shares.push_back(second[i] / first[i]);
    return timing_of(std::move(shares)).seconds - 1;
}

void require_right(const CaseResult& result) {
    require(!result.refusal && result.broken_rules.empty(), "the kernels of the bench break no rule");
    for (const RowResult& row : result.rows)
        require(row.verdict != Verdict::fail, "the kernels of the bench are correct");
}

IsolationCost measure_one(const nc_kernel& here, FormatId id, const MeasureOptions& options) {
    const nc_kernel& hosted = hosted_copy(here);
    Case c = parse_case(fmt::format("x={} rows={} cols={}", format(id).name, rows, cols));
    c.kernel = here.name;
    const Contract contract = case_contract(&here, c);
    const Inputs inputs = make_inputs(c, contract);
    CallBuffers buffers = make_call_buffers(c, contract, inputs);
    const nc_call call = make_call(buffers, contract, 1);
    Case empty = c;
    empty.rows = 0;
    const Inputs no_inputs = make_inputs(empty, contract);
    CallBuffers no_buffers = make_call_buffers(empty, contract, no_inputs);
    const nc_call no_rows = make_call(no_buffers, contract, 1);
    const auto all = memory_blocks(buffers), none = memory_blocks(no_buffers);
    const std::vector<std::vector<double>> samples =
        wall_times({[&] { run_kernel(here, call); }, [&] { run_in_its_place(hosted, call, all); },
                    [&] { call_kernel(here, c, contract, inputs); }, [&] { call_kernel(hosted, c, contract, inputs); },
                    [&] { require_right(check_case(here, c)); }, [&] { require_right(check_case(hosted, c)); },
                    [&] { run_in_its_place(hosted, no_rows, none); }},
                   options);
    IsolationCost cost{.kernel = here.name, .format = id, .rows = rows, .cols = cols, .wanted = wanted_share};
    for (const size_t i : {0U, 1U}) {
        cost.bare[i] = timing_of(samples[i]);
        cost.call[i] = timing_of(samples[2 + i]);
        cost.check[i] = timing_of(samples[4 + i]);
    }
    cost.round_trip = timing_of(samples[6]);
    cost.added = added_share(samples[4], samples[5]);
    return cost;
}

std::string name_of(const IsolationCost& cost) {
    return fmt::format("{} {}, {} x {}", cost.kernel, format(cost.format).name, cost.rows, cost.cols);
}

Column column(const char* head, const std::vector<IsolationCost>& costs,
              const std::function<std::string(const IsolationCost&)>& text) {
    Column result{head, {}};
    for (const IsolationCost& cost : costs) result.entries.push_back({text(cost)});
    return result;
}

std::string microseconds(const Timing& timing) {
    return show_three_digits(timing.seconds * 1e6);
}

std::string percent(double share) {
    return fmt::format("{:.1f}", share * 100);
}

Json timing_json(const Timing& timing) {
    return {{"seconds", timing.seconds}, {"spread", timing.spread}, {"repetitions", timing.repetitions}};
}

Json cost_json(const IsolationCost& cost) {
    return {{"kernel", cost.kernel},
            {"format", format(cost.format).name},
            {"rows", cost.rows},
            {"cols", cost.cols},
            {"bare", timing_json(cost.bare[0])},
            {"hosted_bare", timing_json(cost.bare[1])},
            {"call", timing_json(cost.call[0])},
            {"hosted_call", timing_json(cost.call[1])},
            {"check", timing_json(cost.check[0])},
            {"hosted_check", timing_json(cost.check[1])},
            {"round_trip", timing_json(cost.round_trip)},
            {"added", cost.added},
            {"wanted", cost.wanted},
            {"met", cost.met()}};
}

}  // namespace

std::vector<IsolationCost> measure_isolation(const MeasureOptions& options) {
    std::vector<IsolationCost> costs;
    for (const char* kernel : kernels)
        for (const FormatId id : formats) costs.push_back(measure_one(*find_kernel(kernel), id, options));
    return costs;
}

std::string isolation_text(const std::vector<IsolationCost>& costs, bool judged, const Page& page) {
    Column first = column("", costs, name_of);
    first.left = true;
    const Columns calls{
        column("bare\nhere", costs, [](const IsolationCost& cost) { return microseconds(cost.bare[0]); }),
        column("bare\nin host", costs, [](const IsolationCost& cost) { return microseconds(cost.bare[1]); }),
        column("call\nhere", costs, [](const IsolationCost& cost) { return microseconds(cost.call[0]); }),
        column("call\nin host", costs, [](const IsolationCost& cost) { return microseconds(cost.call[1]); }),
        column("no rows\nin host", costs, [](const IsolationCost& cost) { return microseconds(cost.round_trip); })};
    const Columns checks{
        column("check\nhere", costs, [](const IsolationCost& cost) { return microseconds(cost.check[0]); }),
        column("check\nin host", costs, [](const IsolationCost& cost) { return microseconds(cost.check[1]); }),
        column("added\n[%]", costs, [](const IsolationCost& cost) { return percent(cost.added); })};
    std::string text = paragraph("", explanation, page) + '\n' + table_text(first, {calls, checks}, page) + '\n';
    text += targets_heading(judged, page);
    for (const IsolationCost& cost : costs)
        text += target_line(judged ? std::optional(cost.met()) : std::nullopt,
                            fmt::format("{}: at most {:.0f} % added", name_of(cost), cost.wanted * 100),
                            percent(cost.added) + " %", page);
    return text;
}

Json isolation_json(const std::vector<IsolationCost>& costs, const Context& context) {
    constexpr int schema = 1;
    Report heading;
    heading.context = context;
    Json document{{"schema", schema}, {"context", to_json(heading)["context"]}, {"isolation", Json::array()}};
    for (const IsolationCost& cost : costs) document["isolation"].push_back(cost_json(cost));
    return document;
}

}  // namespace normcheck
