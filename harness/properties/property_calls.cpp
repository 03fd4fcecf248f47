// Calls, comparison and results; see property_calls.hpp.
#include "harness/properties/property_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/check/float_environment.hpp"
#include "reports/hex_float.hpp"

namespace normcheck {
namespace {

using Status = PropertyResult::Status;

/// One output of a row for comparison.
struct RowOfCodes {
    const char* name;
    FormatId format;
    const std::vector<uint64_t> Outputs::* codes;
    int64_t length;
};

std::vector<RowOfCodes> outputs_of(const Setting& setting) {
    const Contract& contract = setting.contract;
    return {{"y", contract.y, &Outputs::y, setting.c.cols},
            {"residual_out", contract.x, &Outputs::residual_out, setting.c.cols},
            {"mean", contract.stats, &Outputs::mean, 1},
            {"rstd", contract.stats, &Outputs::rstd, 1}};
}

std::string place_in(const RowOfCodes& output, int64_t i) {
    return output.length == 1 && output.name[0] != 'y' ? output.name : fmt::format("{}[{}]", output.name, i);
}

std::vector<uint64_t> slice(const std::vector<uint64_t>& codes, int64_t length, int64_t row) {
    if (codes.empty()) return {};
    return {codes.begin() + row * length, codes.begin() + (row + 1) * length};
}

Source source_of(const std::vector<uint64_t>& codes, int64_t cols, const Source& absent) {
    return codes.empty() ? absent : Source{"", slice(codes, cols, 0)};
}

}  // namespace

PropertyResult held() {
    return {Status::held, "", {}};
}
PropertyResult not_applicable(std::string reason) {
    return {Status::not_applicable, std::move(reason), {}};
}
PropertyResult violated(std::string reason, Case witness) {
    return {Status::violated, std::move(reason), std::move(witness)};
}

Setting setting_of(const nc_kernel& kernel, const Case& c) {
    Contract contract = case_contract(&kernel, c);
    Inputs inputs = make_inputs(c, contract);
    return {&kernel, c, std::move(contract), std::move(inputs)};
}

Case on_one_thread(const Case& c) {
    Case alone = c;
    alone.threads = 1;
    return alone;
}

Setting one_row(const Setting& setting, int64_t row) {
    Setting alone = setting;
    alone.c.rows = 1;
    alone.c.position += row;
    alone.inputs.x = slice(setting.inputs.x, setting.c.cols, row);
    alone.inputs.residual = slice(setting.inputs.residual, setting.c.cols, row);
    return alone;
}

Case case_of(const Setting& setting) {
    Case c = setting.c;
    c.overrides = difference(setting.contract, parse_contract(setting.kernel->contract));
    return c;
}

Case case_of_inputs(const Setting& setting) {
    Case c = case_of(setting);
    const Inputs& inputs = setting.inputs;
    c.x = source_of(inputs.x, c.cols, c.x);
    c.residual = source_of(inputs.residual, c.cols, c.residual);
    c.gamma = source_of(inputs.gamma, c.cols, {"absent", {}});
    c.beta = source_of(inputs.beta, c.cols, {"absent", {}});
    return c;
}

Values values_and_residual(const Setting& setting) {
    Values all = values_of(setting.contract.x, setting.inputs.x);
    const Values residual = values_of(setting.contract.x, setting.inputs.residual);
    all.insert(all.end(), residual.begin(), residual.end());
    return all;
}

Called call(const Setting& setting) {
    return {setting, call_kernel(*setting.kernel, setting.c, setting.contract, setting.inputs)};
}

std::optional<std::string> unusable(const Called& called) {
    const CallResult& result = called.result;
    if (result.refusal) return "refused: " + *result.refusal;
    if (!result.broken_rules.empty()) return "the call broke a rule: " + result.broken_rules[0];
    if (result.outputs.y.empty()) return "the call has no elements";
    return std::nullopt;
}

bool says_input_changed(const std::string& broken_rule) {
    return broken_rule.find("] was changed, ") != std::string::npos;
}

bool bits_repeat(const Contract& contract) {
    return contract.batch_invariant || contract.reduce.order != Order::any;
}

std::string shown(FormatId id, uint64_t code) {
    return fmt::format("{} ({:0{}x})", hex_float(decode_double(format(id), code)), code, format(id).bits() / 4);
}

bool same_value(FormatId id, uint64_t a, uint64_t b) {
    return a == b || (is_nan(format(id), a) && is_nan(format(id), b));
}

std::optional<std::string> first_difference(const Called& a, int64_t row_a, const Called& b, int64_t row_b) {
    for (const RowOfCodes& output : outputs_of(a.setting)) {
        const auto& all_a = a.result.outputs.*output.codes;
        const auto& all_b = b.result.outputs.*output.codes;
        if (all_a.empty() || all_b.empty()) continue;
        for (int64_t i = 0; i < output.length; ++i) {
            const uint64_t one = all_a[static_cast<size_t>(row_a * output.length + i)];
            const uint64_t other = all_b[static_cast<size_t>(row_b * output.length + i)];
            if (same_value(output.format, one, other)) continue;
            return fmt::format("{} of row {} is {}, but {}", place_in(output, i), row_a, shown(output.format, one),
                               shown(output.format, other));
        }
    }
    return std::nullopt;
}

PropertyResult compare(const Called& base, const Called& other, bool bits) {
    if (const auto why = unusable(other)) return not_applicable(*why);
    if (!bits) return judged(other);
    const Case &a = base.setting.c, &b = other.setting.c;
    const int64_t begin = std::max(a.position, b.position);
    const int64_t end = std::min(a.position + a.rows, b.position + b.rows);
    for (int64_t index = begin; index < end; ++index)
        if (const auto text = first_difference(base, index - a.position, other, index - b.position))
            return violated(fmt::format("{} in row {} of the other call", *text, index - b.position),
                            case_of(other.setting));
    return begin < end ? held() : not_applicable("the calls have no row in common");
}

RowResult judge_row(const Called& called, int64_t row) {
    const DefaultFloatEnvironment environment;
    const int64_t cols = called.setting.c.cols;
    const Judge judge = make_judge(called.setting.contract, cols, called.setting.inputs);
    return judge.judge(row_inputs(called.setting.inputs, cols, row), row_outputs(called.result.outputs, cols, row));
}

std::string blame(const Called& called, int64_t row, const RowResult& result) {
    const std::string place = called.setting.c.rows == 1 ? "" : fmt::format("row {}: ", row);
    if (result.failing < 0) return place + result.reason;
    const uint64_t got = row_outputs(called.result.outputs, called.setting.c.cols, row).y[result.failing];
    return fmt::format("{}y[{}] is {}: {}", place, result.failing, shown(called.setting.contract.y, got),
                       result.reason);
}

PropertyResult judged(const Called& called, bool (*blamed)(const RowResult& result)) {
    const DefaultFloatEnvironment environment;
    const int64_t cols = called.setting.c.cols;
    const Judge judge = make_judge(called.setting.contract, cols, called.setting.inputs);
    Parts parts;
    for (int64_t row = 0; row < called.setting.c.rows && !parts.is_violated(); ++row) {
        const RowResult result =
            judge.judge(row_inputs(called.setting.inputs, cols, row), row_outputs(called.result.outputs, cols, row));
        if (result.verdict == Verdict::pass) {
            parts.add(held());
        } else if (result.verdict == Verdict::fail && blamed(result)) {
            parts.add(violated(blame(called, row, result), case_of(called.setting)));
        } else {
            parts.add(not_applicable(result.reason));
        }
    }
    return parts.result();
}

void Parts::add(PropertyResult part) {
    if (part.status == Status::held) any_held_ = true;
    if (part.status == Status::not_applicable) why_not_ = std::move(part.reason);
    if (part.status == Status::violated && !violation_) violation_ = std::move(part);
}

PropertyResult Parts::result() const {
    if (violation_) return *violation_;
    return any_held_ ? held() : not_applicable(why_not_);
}

PropertyResult of_rows(const nc_kernel& kernel, const Case& c,
                       const std::function<PropertyResult(const Setting& row)>& property) {
    const Setting all = setting_of(kernel, on_one_thread(c));
    if (c.rows == 0 || c.cols == 0) return not_applicable("the call has no elements");
    Parts parts;
    int64_t last = -1;
    for (const int64_t row : {int64_t{0}, c.rows / 2, c.rows - 1}) {
        if (row == last) continue;
        last = row;
        PropertyResult result = property(one_row(all, row));
        if (result.status == Status::violated) result.reason = fmt::format("row {}: {}", row, result.reason);
        parts.add(std::move(result));
    }
    return parts.result();
}

}  // namespace normcheck
