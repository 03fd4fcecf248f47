// The comparison of the certified oracle with the exact one.
#include "oracles/tests/certified_compare.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "oracles/error.hpp"
#include "oracles/judge.hpp"
#include "oracles/tests/twin_rounds.hpp"
#include "oracles/tests/twin_rows.hpp"

namespace normcheck::twin {
namespace {

constexpr size_t stories_kept = 20;
constexpr uint64_t rows_per_round = 512;

/// What a kernel is made to return.
struct Returned {
    std::vector<uint64_t> y, residual_out;
    std::optional<uint64_t> mean, rstd;
};

/// Most rows are of the formats that the certified oracle takes itself.
void prefer_narrow(Draw& draw, Contract& c) {
    constexpr FormatId narrow[] = {FormatId::f32, FormatId::f16, FormatId::bf16};
    if (draw.chance(5)) return;
    for (FormatId* each : {&c.x, &c.params, &c.y})
        if (*each == FormatId::f64) *each = draw.of(narrow);
    if (c.acc == FormatId::f64 && draw.chance(70)) c.acc = c.moments = FormatId::f32;
    if (c.stats == FormatId::f64) c.stats = FormatId::f32;
    if (draw.chance(60)) c.stored = {};
    if (draw.chance(10)) c.subnormals = draw.chance(50) ? Subnormals::flush_output : Subnormals::flush_both;
    constexpr Order orders[] = {Order::any, Order::any, Order::sequential, Order::tree, Order::lanes};
    c.reduce.order = draw.of(orders);
    c.reduce.lanes = c.reduce.order == Order::lanes ? 16 : 0;
    if (draw.chance(20)) c.range = Range::full;
}

/// Codes that another format gave are cut down to this one's width, finite.
void fit(std::vector<uint64_t>& codes, FormatId id) {
    const Format& f = format(id);
    for (uint64_t& code : codes) {
        code &= f.sign_bit() | (f.sign_bit() - 1);
        if (!is_finite(f, code)) code = f.max_finite_code();
    }
}

/// Rows of more than one vector: the row again and again, with some values changed by a few units.
void lengthen(Draw& draw, TwinRow& row) {
    const size_t n = row.x.size();
    const auto length =
        static_cast<size_t>(n * static_cast<size_t>(1 + draw.below(12))) + static_cast<size_t>(draw.below(9));
    const auto repeat = [&](std::vector<uint64_t>& codes, bool changes) {
        if (codes.empty()) return;
        for (size_t i = codes.size(); i < length; ++i) codes.push_back(codes[i - n]);
        for (size_t i = n; changes && i < length; ++i)
            if (draw.chance(50)) codes[i] ^= static_cast<uint64_t>(draw.below(64));
    };
    const bool changes = draw.chance(70);
    for (auto* codes : {&row.x, &row.residual, &row.gamma, &row.beta}) repeat(*codes, changes);
}

void wide_sums(Contract& c) {
    c.acc = c.moments = c.stats = FormatId::f64;
}

/// Puts one to three codes into gamma, beta or both that are not finite.
void spoil_parameters(Draw& draw, TwinRow& row) {
    const Format& f = format(row.contract.params);
    const uint64_t codes[] = {f.inf_code(), f.inf_code() | f.sign_bit(), f.nan_code()};
    for (auto* parameters : {&row.gamma, &row.beta}) {
        if (parameters->empty() || draw.chance(30)) continue;
        for (int64_t left = draw.below(3); left >= 0; --left)
            (*parameters)[static_cast<size_t>(draw.below(std::ssize(*parameters)))] = draw.of(codes);
    }
}

TwinRow row_of(Draw& draw, Draw& late, uint64_t seed, uint64_t index) {
    TwinRow row = twin_row(seed, index);
    prefer_narrow(draw, row.contract);
    if (draw.chance(40)) lengthen(draw, row);
    if (draw.chance(20)) {
        row.family = "gaussian";
        for (uint64_t& code : row.x) code = round_double(format(row.contract.x), draw.bell() * 1.0123456789);
    }
    for (auto* codes : {&row.x, &row.residual}) fit(*codes, row.contract.x);
    for (auto* codes : {&row.gamma, &row.beta}) fit(*codes, row.contract.params);
    if (index % 8 == 1) spoil_parameters(late, row);
    if (index % 8 == 2 && !row.contract.stores_any()) wide_sums(row.contract);
    return row;
}

uint64_t moved(const Format& f, uint64_t code, int64_t steps) {
    if (is_nan(f, code)) return code;
    const int64_t top = rank(f, f.inf_code());
    return code_of_rank(f, std::clamp(rank(f, code) + steps, -top, top));
}

/// The targets, moved by a few values here and there as the row's style says.
std::vector<uint64_t> outputs_near(Draw& draw, const Format& y, std::vector<uint64_t> codes) {
    const int64_t style = draw.below(10);
    if (style < 3) return codes;
    constexpr int64_t far[] = {2, 3, 7, 40, 1000, 1 << 20};
    const int64_t reach = style < 7 ? 1 : draw.of(far);
    const int share = style == 9 ? 2 : 30;
    for (uint64_t& code : codes)
        if (draw.chance(share)) code = moved(y, code, draw.below(2 * reach + 1) - reach);
    if (draw.chance(3)) codes[static_cast<size_t>(draw.below(std::ssize(codes)))] = y.nan_code();
    if (draw.chance(3)) codes[static_cast<size_t>(draw.below(std::ssize(codes)))] = y.inf_code();
    if (draw.chance(3)) codes[static_cast<size_t>(draw.below(std::ssize(codes)))] = y.sign_bit();
    return codes;
}

Returned returned(Draw& draw, Draw& late, const TwinRow& row, const Judge& judge, const RowInputs& inputs) {
    Returned result;
    const Format& y = format(row.contract.y);
    const Format& stats = format(row.contract.stats);
    result.y.assign(row.x.size(), 0);
    try {
        result.y = outputs_near(draw, y, judge.targets(inputs));
    } catch (const InputError&) {  // 0/0: any outputs will do
    }
    if (draw.chance(50)) return result;
    RowOutputs blank{result.y.data(), nullptr, 0, 0};
    const auto target = [&](Output output) {
        const int64_t steps = draw.chance(70) ? 0 : draw.below(5) - 2;
        const int64_t times = late.chance(30) ? 1 + late.below(40) : 1;
        return moved(stats, judge.explain(inputs, blank, output, 0).target, steps * times);
    };
    if (row.contract.norm == Norm::layer) result.mean = target(Output::mean);
    result.rstd = target(Output::rstd);
    if (row.residual.empty()) return result;
    for (int64_t i = 0; i < std::ssize(row.x); ++i)
        result.residual_out.push_back(
            judge.explain(inputs, {result.y.data(), inputs.x, {}, {}}, Output::residual_out, i).target);
    if (draw.chance(5)) result.residual_out[0] ^= 1;
    return result;
}

std::string text(const RowResult& r) {
    return fmt::format(
        "{} ({}) {} row {} absolute {} element {} slack {} worst {} failing {} correct {} cancelled {} inadmissible {} "
        "log2 {} outputs {} short {}",
        name(r.verdict), r.reason, name(r.regime), r.row_error.value_or(-1), r.absolute_error, r.element_error, r.slack,
        r.worst, r.failing, r.correctly_rounded, r.cancelled, r.inadmissible, r.log2_ratio, r.outputs, r.short_row);
}

/// What is judged where no errors are asked for.
std::string text_without_errors(const RowResult& r) {
    return fmt::format("{} ({}) {} slack {} failing {} correct {} inadmissible {} log2 {}", name(r.verdict), r.reason,
                       name(r.regime), r.slack, r.failing, r.correctly_rounded, r.inadmissible, r.log2_ratio);
}

const char* kind_of(const TwinRow& row) {
    const Contract& c = row.contract;
    for (const auto* parameters : {&row.gamma, &row.beta})
        for (const uint64_t code : *parameters)
            if (!is_finite(format(c.params), code)) return "parameters not finite";
    if (c.has_f64()) return "f64";
    if (c.stores_any()) return "stored intermediates";
    if (c.cast == Cast::before_gamma) return "cast before gamma";
    return c.residual == Residual::none ? "plain" : "residual";
}

void add(Agreement& total, const Agreement& part) {
    total.rows += part.rows;
    total.outputs += part.outputs;
    total.undecided += part.undecided;
    total.disagreements += part.disagreements;
}

/// A defect of ours counts as a disagreement.
RowResult judged(const Judge& judge, const RowInputs& inputs, const RowOutputs& outputs, const JudgeOptions& options) {
    try {
        return judge.judge(inputs, outputs, options);
    } catch (const InternalError& error) {
        RowResult result;
        result.reason = error.what();
        return result;
    }
}

Comparison compare_row(uint64_t seed, uint64_t index) {
    // What came later draws from a stream of its own, so that rows once looked at stay the same but for it.
    Draw draw(seed + 0x5eed, index), late(seed + 0x1a7e, index);
    const TwinRow row = row_of(draw, late, seed, index);
    const Inputs tensors = row.inputs();
    const Judge judge(row.contract, tensors.cols, tensors.gamma, tensors.beta);
    const RowInputs inputs{tensors.x, tensors.residual};
    const Returned got = returned(draw, late, row, judge, inputs);
    const RowOutputs outputs{got.y.data(), got.residual_out.empty() ? Codes() : Codes(got.residual_out.data()),
                             got.mean, got.rstd};
    const bool random = draw.chance(30);
    const RowResult exact = judged(judge, inputs, outputs, {.oracle = Oracle::exact, .random_fill = random});
    const RowResult certified = judged(judge, inputs, outputs, {.oracle = Oracle::certified, .random_fill = random});
    const RowResult terse =
        judged(judge, inputs, outputs, {.oracle = Oracle::certified, .random_fill = random, .errors = false});
    Comparison result;
    Agreement& total = result.total;
    total.rows = 1;
    total.outputs = tensors.cols;
    total.undecided = certified.undecided;
    const bool agree = text(exact) == text(certified) && text_without_errors(exact) == text_without_errors(terse);
    if (!agree || exact.reason.starts_with("internal error")) {
        total.disagreements = 1;
        result.stories.push_back(
            fmt::format("row {} ({}, cols {}): {}\n  exact     {}\n  certified {}\n  without errors {}", index,
                        row.family, tensors.cols, print(row.contract), text(exact), text(certified), text(terse)));
    }
    result.by_format[format(row.contract.y).name] = total;
    result.by_family[row.family] = total;
    result.by_contract[kind_of(row)] = total;
    result.by_verdict[name(exact.verdict)] = total;
    return result;
}

}  // namespace

void add(Comparison& total, const Comparison& part) {
    add(total.total, part.total);
    for (auto group :
         {&Comparison::by_format, &Comparison::by_family, &Comparison::by_contract, &Comparison::by_verdict})
        for (const auto& [key, count] : part.*group) add((total.*group)[key], count);
    for (const std::string& story : part.stories)
        if (total.stories.size() < stories_kept) total.stories.push_back(story);
}

Comparison compare_oracles(uint64_t seed, uint64_t first, int64_t outputs, int threads,
                           void (*progress)(const Comparison&)) {
    Comparison total;
    for (uint64_t row = first; total.total.outputs < outputs; row += rows_per_round) {
        add(total, compare_round<Comparison>(row, rows_per_round, threads,
                                             [seed](uint64_t index) { return compare_row(seed, index); }));
        if (progress != nullptr) progress(total);
    }
    return total;
}

}  // namespace normcheck::twin
