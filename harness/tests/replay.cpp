// What a line states, one comparison each.
#include "harness/tests/replay.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/check/check.hpp"
#include "harness/kernels/registry.hpp"

namespace normcheck {
namespace {

struct Replay {
    const CorpusLine& line;
    const nc_kernel& kernel;
    Contract contract;
    CaseResult result;
    std::vector<std::string> complaints;

    RowInputs inputs(int64_t row) const { return row_inputs(result.inputs, line.call.cols, row); }
    RowOutputs outputs(int64_t row) const { return row_outputs(result.outputs, line.call.cols, row); }
    template <class... Values>
    void complain(fmt::format_string<Values...> text, Values&&... values) {
        complaints.push_back(fmt::format(text, std::forward<Values>(values)...));
    }
};

void compare_verdict(Replay& replay) {
    for (const std::string& rule : replay.result.broken_rules) replay.complain("broken rule: {}", rule);
    const bool refused = replay.result.refusal.has_value();
    if (refused != (replay.line.verdict == Verdict::unsupported))
        replay.complain("refusal: {}", replay.result.refusal.value_or("none"));
    for (int64_t row = 0; row < std::ssize(replay.result.rows); ++row) {
        const RowResult& judged = replay.result.rows[static_cast<size_t>(row)];
        if (judged.verdict == replay.line.verdict) continue;
        replay.complain("row {}: {} ({})", row, name(judged.verdict), judged.reason);
        return;  // one row tells enough
    }
}

bool agrees(const Format& format, uint64_t code, double value) {
    if (is_nan(format, code)) return std::isnan(value);
    return decode_double(format, code) == value;
}

void compare_right(Replay& replay, const Judge& judge) {
    for (const StatedValue& stated : replay.line.right) {
        const ElementStory story =
            judge.explain(replay.inputs(stated.row), replay.outputs(stated.row), Output::y, stated.index);
        // A few units of a double allow for the conversions; the digits printed are far fewer.
        const double allowed = stated.half_unit + std::fabs(story.exact) * 0x1p-50;
        if (std::fabs(story.exact - stated.value) <= allowed) continue;
        replay.complain("right: element {}.{} is {:.17g}, not {:.17g}", stated.row, stated.index, story.exact,
                        stated.value);
    }
}

void compare_targets(Replay& replay, const Judge& judge, const std::vector<StatedValue>& values, Output output) {
    for (const StatedValue& stated : values) {
        const ElementStory story =
            judge.explain(replay.inputs(stated.row), replay.outputs(stated.row), output, stated.index);
        if (agrees(format(story.format), story.target, stated.value)) continue;
        replay.complain("target: {} {}.{} is {:.17g}, not {:.17g}", name(output), stated.row, stated.index,
                        decode_double(format(story.format), story.target), stated.value);
    }
}

/// The kernel's own row with the wrong answer in one place must fail there.
void refute_wrong(Replay& replay, const Judge& judge) {
    const Format& y = format(replay.contract.y);
    for (const StatedValue& stated : replay.line.wrong) {
        std::vector<uint64_t> changed;
        for (int64_t i = 0; i < replay.line.call.cols; ++i) changed.push_back(replay.outputs(stated.row).y[i]);
        const size_t place = static_cast<size_t>(stated.index);
        changed[place] = std::isnan(stated.value) ? y.nan_code() : round_double(y, stated.value);
        RowOutputs outputs = replay.outputs(stated.row);
        outputs.y = changed.data();
        const RowResult judged = judge.judge(replay.inputs(stated.row), outputs);
        if (judged.verdict == Verdict::fail && judged.failing == stated.index) continue;
        replay.complain("wrong: {:.17g} at {}.{} is not refused", stated.value, stated.row, stated.index);
    }
}

bool same_bits(const Outputs& a, const Outputs& b) {
    return a.y == b.y && a.residual_out == b.residual_out && a.mean == b.mean && a.rstd == b.rstd;
}

std::vector<uint64_t> slice(const std::vector<uint64_t>& codes, int64_t width, int64_t row) {
    if (codes.empty()) return {};
    return {codes.begin() + row * width, codes.begin() + (row + 1) * width};
}

Outputs outputs_of_row(const Outputs& all, int64_t cols, int64_t row) {
    return {slice(all.y, cols, row), slice(all.residual_out, cols, row), slice(all.mean, 1, row),
            slice(all.rstd, 1, row)};
}

/// Row `row` of the case as a call of its own.
Case row_alone(const Case& call, int64_t row) {
    Case alone = call;
    alone.rows = 1;
    alone.position += row;
    alone.pitch = 0;
    alone.stride = 1;
    alone.offset = 0;
    alone.threads = 1;
    alone.alias = Alias::none;
    return alone;
}

void compare_rows_alone(Replay& replay) {
    for (int64_t row = 0; row < replay.line.call.rows; ++row) {
        const Case call = row_alone(replay.line.call, row);
        const CallResult alone = call_kernel(replay.kernel, call, replay.contract, make_inputs(call, replay.contract));
        if (alone.broken_rules.empty() &&
            same_bits(alone.outputs, outputs_of_row(replay.result.outputs, call.cols, row)))
            continue;
        return replay.complain("alone: row {} has other bits on its own", row);
    }
}

void compare_repeats(Replay& replay) {
    for (int64_t i = 1; i < replay.line.repeat; ++i) {
        const CallResult again = call_kernel(replay.kernel, replay.line.call, replay.contract, replay.result.inputs);
        if (again.broken_rules.empty() && same_bits(again.outputs, replay.result.outputs)) continue;
        return replay.complain("repeat: call {} has other bits", i + 1);
    }
}

void compare_outputs(Replay& replay) {
    const bool is_empty = replay.line.call.rows == 0 || replay.line.call.cols == 0;
    if (is_empty || replay.result.refusal) return;
    const Judge judge = make_judge(replay.contract, replay.line.call.cols, replay.result.inputs);
    compare_right(replay, judge);
    compare_targets(replay, judge, replay.line.target, Output::y);
    compare_targets(replay, judge, replay.line.residual_out, Output::residual_out);
    refute_wrong(replay, judge);
    if (replay.line.alone) compare_rows_alone(replay);
    compare_repeats(replay);
}

}  // namespace

Replayed replay(const CorpusLine& line) {
    const nc_kernel* kernel = find_kernel(line.call.kernel);
    if (kernel == nullptr) return {{fmt::format("no kernel is called '{}'", line.call.kernel)}, {}, {}};
    Replay run{line, *kernel, case_contract(kernel, line.call), check_case(*kernel, line.call), {}};
    compare_verdict(run);
    compare_outputs(run);
    Replayed replayed{std::move(run.complaints), {}, run.contract};
    for (const RowResult& row : run.result.rows) replayed.regimes.push_back(row.regime);
    return replayed;
}

}  // namespace normcheck
