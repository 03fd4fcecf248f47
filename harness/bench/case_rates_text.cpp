// What `bench sweep` found, as text and as JSON.
#include <fmt/format.h>

#include <functional>

#include "harness/bench/case_rates.hpp"
#include "harness/bench/table.hpp"
#include "reports/json.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::json;

constexpr int bench_schema = 1;

constexpr const char* explanation =
    "Whole cases per second on one core: gaussian x, random gamma and beta from a new seed, one row; the kernel's call "
    "with y, mean and rstd; guards (the 64 bytes on either side of an output), unwritten outputs and changed inputs "
    "looked for; all outputs judged. Then the steps alone, in us per case.";

template <class Rate>
Column column_of(const char* head, std::span<const Rate> rates, const std::function<Entry(const Rate&)>& entry) {
    Column column{head, {}};
    for (const Rate& rate : rates) column.entries.push_back(entry(rate));
    return column;
}

Entry microseconds(const Timing& timing) {
    return {show_three_digits(timing.seconds * 1e6)};
}

Entry percent(double share) {
    return {fmt::format("{:.1f}", share * 100)};
}

std::string text_of(const CaseRate& rate) {
    return fmt::format("{} {} {}", rate.kernel, format(rate.format).name, rate.cols);
}

std::string cases_table(std::span<const CaseRate> rates, const Page& page) {
    const auto column = [&](const char* head, const std::function<Entry(const CaseRate&)>& entry) {
        return column_of<CaseRate>(head, rates, entry);
    };
    Column first = column("", [](const CaseRate& rate) { return Entry{text_of(rate)}; });
    first.left = true;
    const Columns whole{
        column("cases\nper s", [](const CaseRate& rate) { return Entry{fmt::format("{:.0f}", rate.per_second())}; }),
        column("spread\n[%]", [](const CaseRate& rate) { return percent(rate.whole.spread); })};
    const Columns steps{column("make", [](const CaseRate& rate) { return microseconds(rate.make); }),
                        column("call", [](const CaseRate& rate) { return microseconds(rate.call); }),
                        column("prepare\nthe judge", [](const CaseRate& rate) { return microseconds(rate.prepare); }),
                        column("judge", [](const CaseRate& rate) { return microseconds(rate.judge); })};
    return table_text(first, {whole, steps}, page);
}

std::string sweeps_table(std::span<const SweepRate> rates, const Page& page) {
    Column first = column_of<SweepRate>(
        "", rates, [](const SweepRate& rate) { return Entry{fmt::format("{} {}", rate.kernel, rate.domain)}; });
    first.left = true;
    const auto column = [&](const char* head, const std::function<Entry(const SweepRate&)>& entry) {
        return column_of<SweepRate>(head, rates, entry);
    };
    const Columns rows{
        column("rows\nper s", [](const SweepRate& rate) { return Entry{fmt::format("{:.0f}", rate.per_second())}; }),
        column("spread\n[%]", [](const SweepRate& rate) { return percent(rate.per_row.spread); }),
        column("rows of the\nwhole sweep", [](const SweepRate& rate) { return Entry{fmt::format("{}", rate.rows)}; }),
        column("it takes\n[s]", [](const SweepRate& rate) { return Entry{show_three_digits(rate.whole_seconds())}; })};
    return table_text(first, {rows}, page);
}

std::string targets_text(std::span<const CaseRate> rates, bool judged, const Page& page) {
    std::string text = targets_heading(judged, page);
    for (const CaseRate& rate : rates)
        text += target_line(judged ? std::optional(rate.met()) : std::nullopt,
                            fmt::format("{}: {:.0f} cases per s", text_of(rate), rate.wanted),
                            fmt::format("{:.0f}", rate.per_second()), page);
    return text;
}

Json timing_json(const Timing& timing) {
    return {{"seconds", timing.seconds}, {"spread", timing.spread}, {"repetitions", timing.repetitions}};
}

Json case_json(const CaseRate& rate) {
    return {{"kernel", rate.kernel},
            {"format", format(rate.format).name},
            {"cols", rate.cols},
            {"cases_per_second", rate.per_second()},
            {"wanted", rate.wanted},
            {"met", rate.met()},
            {"whole", timing_json(rate.whole)},
            {"make", timing_json(rate.make)},
            {"call", timing_json(rate.call)},
            {"prepare", timing_json(rate.prepare)},
            {"judge", timing_json(rate.judge)}};
}

Json sweep_json(const SweepRate& rate) {
    return {{"kernel", rate.kernel},
            {"domain", rate.domain},
            {"rows", rate.rows},
            {"rows_per_second", rate.per_second()},
            {"row", timing_json(rate.per_row)}};
}

}  // namespace

std::string sweep_bench_text(const SweepBench& bench, bool judged, const Page& page) {
    std::string text = paragraph("", explanation, page) + '\n' + cases_table(bench.cases, page) + '\n';
    text += "Exhaustive sweeps on one core, one row of each symmetry's orbit:\n\n";
    return text + sweeps_table(bench.sweeps, page) + '\n' + targets_text(bench.cases, judged, page);
}

Json sweep_bench_json(const SweepBench& bench, const Context& context) {
    Report heading;
    heading.context = context;
    Json result{{"schema", bench_schema},
                {"context", to_json(heading)["context"]},
                {"cases", Json::array()},
                {"sweeps", Json::array()}};
    for (const CaseRate& rate : bench.cases) result["cases"].push_back(case_json(rate));
    for (const SweepRate& rate : bench.sweeps) result["sweeps"].push_back(sweep_json(rate));
    return result;
}

}  // namespace normcheck
