// Properties of derived rows: how y answers a shift of x, a scale near eps, and rows on which every step is exact.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/check/float_environment.hpp"
#include "harness/properties/property_calls.hpp"
#include "harness/properties/property_functions.hpp"
#include "harness/properties/row_values.hpp"

namespace normcheck {
namespace {

/// The row with other values of x, which may be fewer, and no residual but zeros.
Setting with_values(const Setting& row, const Values& values) {
    Setting result = row;
    result.c.cols = std::ssize(values);
    const auto shorten = [&](std::vector<uint64_t>& codes) {
        if (!codes.empty()) codes.resize(values.size());
    };
    result.inputs.x = codes_of(row.contract.x, values);
    result.inputs.residual.assign(row.inputs.residual.empty() ? 0 : values.size(), 0);
    shorten(result.inputs.gamma);
    shorten(result.inputs.beta);
    return result;
}

/// The format in which sums must be exact, so that both moments and acc hold them.
FormatId format_of_sums(const Contract& contract) {
    return holds_all_of(contract.acc, contract.moments) ? contract.moments : contract.acc;
}

/// Whether y passes the judge of another contract on the same row.
bool obeys(const Called& called, const Contract& other) {
    Called as_other = called;
    as_other.setting.contract = other;
    as_other.result.outputs.mean.clear();
    as_other.result.outputs.rstd.clear();
    return judge_row(as_other, 0).verdict == Verdict::pass;
}

/// The judgement of a derived row; `explain` adds to the reason of a violation.
template <typename Explain>
PropertyResult judged_derived(const Called& called, const Explain& explain) {
    if (const auto why = unusable(called)) return not_applicable(*why);
    PropertyResult result = judged(called);
    if (result.status != PropertyResult::Status::violated) return result;
    return violated(result.reason + explain(), case_of_inputs(called.setting));
}

Values finite_values(const Setting& row) {
    const Values values = values_of(row.contract.x, row.inputs.x);
    return all_finite(values) ? values : Values{};
}

/// What the answer to a shift looks like: layer's does not change, that of rms does.
std::string shift_diagnosis(const Called& plain, const Called& shifted) {
    if (!first_difference(plain, 0, shifted, 0)) return "; y does not change with the shift, as under layer";
    return shifted.setting.contract.norm == Norm::layer ? "; y changes with the shift, as under rms" : "";
}

/// Whether x + c gives the bits of x: see property_shift_response.
bool shift_keeps_bits(const Contract& contract) {
    return contract.norm == Norm::layer && contract.variance == Variance::two_pass &&
           contract.apply == Apply::centred && !contract.stored_at(Point::mean) && bits_repeat(contract) &&
           contract.subnormals == Subnormals::keep;
}

PropertyResult same_y(const Called& plain, const Called& shifted) {
    const FormatId y = plain.setting.contract.y;
    for (int64_t i = 0; i < plain.setting.c.cols; ++i) {
        const uint64_t one = plain.result.outputs.y[static_cast<size_t>(i)];
        const uint64_t other = shifted.result.outputs.y[static_cast<size_t>(i)];
        if (same_value(y, one, other)) continue;
        return violated(
            fmt::format("y[{}] is {} for x, but {} for x + c, all sums exact", i, shown(y, one), shown(y, other)),
            case_of_inputs(shifted.setting));
    }
    return held();
}

/// `exact_sums` demands the bits, else y must be right after the shift.
PropertyResult answers_shift(const Setting& row, int lift, bool exact_sums) {
    const FormatId sums = exact_sums ? format_of_sums(row.contract) : FormatId::f64;
    const auto pair = exact_pair(row.contract.x, finite_values(row), sums, lift, false);
    if (!pair) return not_applicable("the row has no exact shift");
    const Called plain = call(with_values(row, pair->centred)), shifted = call(with_values(row, pair->shifted));
    if (const auto why = unusable(plain)) return not_applicable(*why);
    if (const auto why = unusable(shifted)) return not_applicable(*why);
    if (exact_sums) return same_y(plain, shifted);
    return judged_derived(shifted, [&] { return shift_diagnosis(plain, shifted); });
}

PropertyResult answers_shifts(const Setting& row) {
    Parts parts;
    for (const int lift : {2, 6, 10}) {
        if (parts.is_violated()) break;
        parts.add(answers_shift(row, lift, false));
        if (shift_keeps_bits(row.contract)) parts.add(answers_shift(row, lift, true));
    }
    return parts.result();
}

/// The mean square or variance that eps is compared with; 0 where there is none.
double spread_of(const Contract& contract, const Values& values) {
    double sum = 0, squares = 0;
    for (const double value : values) sum += value;
    const double mean = contract.norm == Norm::layer ? sum / static_cast<double>(values.size()) : 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return contract.eps_at == EpsAt::max_norm ? squares : squares / static_cast<double>(values.size());
}

bool is_compared_with_root(EpsAt eps_at) {
    return eps_at == EpsAt::outside || eps_at == EpsAt::max_std || eps_at == EpsAt::max_norm;
}

/// Which other placement of eps y obeys, for the reason.
std::string other_placement(const Called& called) {
    constexpr EpsAt placements[] = {EpsAt::inside,       EpsAt::outside, EpsAt::none,
                                    EpsAt::max_variance, EpsAt::max_std, EpsAt::inside_and_outside,
                                    EpsAt::on_sum,       EpsAt::on_count};
    for (const EpsAt placement : placements) {
        Contract other = called.setting.contract;
        if (other.eps_at == placement || other.stores_any()) continue;
        other.eps_at = placement;
        if (obeys(called, other)) return fmt::format("; it obeys eps_at={}", name(placement));
    }
    return "";
}

/// Which other eps y obeys, of those that kernels have taken for the one that was asked for.
std::string other_value(const Called& called) {
    Contract other = called.setting.contract;
    const Format& numbers = format(other.eps.format);
    const double asked = other.eps.value;
    const std::pair<double, const char*> values[] = {{2 * asked, "twice the eps"},
                                                     {asked * asked, "the square of eps"},
                                                     {1e-5, "eps=1e-5"},
                                                     {1e-6, "eps=1e-6"},
                                                     {1e-8, "eps=1e-8"},
                                                     {1e-12, "eps=1e-12"},
                                                     {1e-3, "eps=1e-3"}};
    for (const auto& [value, words] : values) {
        other.eps.value = decode_double(numbers, round_double(numbers, value));
        if (other.eps.value == asked || other.stores_any() || !obeys(called, other)) continue;
        return fmt::format("; it obeys {}", words);
    }
    return "";
}

std::string other_eps(const Called& called) {
    const std::string placement = other_placement(called);
    return placement.empty() ? other_value(called) : placement;
}

PropertyResult answers_eps(const Setting& row) {
    const double eps = row.contract.eps.value;
    if (eps == 0 || row.contract.eps_at == EpsAt::none) return not_applicable("there is no eps");
    const Values values = finite_values(row);
    const double spread = values.empty() ? 0 : spread_of(row.contract, values);
    if (!(spread > 0) || std::isinf(spread)) return not_applicable("x has no spread");
    const double wanted = is_compared_with_root(row.contract.eps_at) ? eps * eps : eps;
    if (wanted == 0) return not_applicable("eps squared underflows");
    const int power = static_cast<int>(std::lround((std::log2(wanted) - std::log2(spread)) / 2));
    Parts parts;
    for (const int step : {0, -2, 2}) {
        if (parts.is_violated()) break;
        const Called called = call(with_values(row, scaled(values, power + step)));
        parts.add(judged_derived(called, [&] { return other_eps(called); }));
    }
    return parts.result();
}

/// Why a mean that is exact does not turn layer into rms of the centred values.
std::string centring_matters(const Contract& contract) {
    if (contract.norm != Norm::layer) return "it takes layer";
    if (contract.variance != Variance::two_pass) return "the variance is not that of centred values";
    if (contract.apply != Apply::centred) return "elements are not centred first";
    if (contract.stored_at(Point::mean) || contract.stored_at(Point::centred)) return "the mean is rounded on the way";
    return "";
}

PropertyResult layer_as_rms(const Setting& row) {
    if (const std::string why = centring_matters(row.contract); !why.empty()) return not_applicable(why);
    const auto pair = exact_pair(row.contract.x, finite_values(row), format_of_sums(row.contract), 2, true);
    if (!pair) return not_applicable("the row has no exact mean");
    const Called called = call(with_values(row, pair->shifted));
    if (const auto why = unusable(called)) return not_applicable(*why);
    Called as_rms = called;
    as_rms.setting = with_values(row, pair->centred);
    as_rms.setting.contract.norm = Norm::rms;
    as_rms.setting.contract.residual = Residual::none;
    as_rms.setting.inputs.residual.clear();
    as_rms.result.outputs.mean.clear();
    as_rms.result.outputs.residual_out.clear();
    PropertyResult result = judged(as_rms);
    if (result.status != PropertyResult::Status::violated) return result;
    return violated(result.reason + ", as rms of x - mean", case_of_inputs(called.setting));
}

/// Why some step may be inexact on perfect squares.
std::string steps_are_inexact(const Contract& contract) {
    if (contract.rsqrt.kind != RsqrtKind::exact) return "the root is approximate";
    if (contract.variance == Variance::welford) return "Welford's quotients are not exact";
    if (contract.eps_at == EpsAt::max_norm) return "the root of the count is not exact";
    if (!holds_all_of(format_of_sums(contract), FormatId::f32)) return "sums are not exact in this accumulator";
    return "";
}

/// Perfect squares with eps = 0 and neutral parameters in as many columns as the largest power of two has.
Setting perfect_setting(const nc_kernel& kernel, const Case& c, const Contract& contract) {
    Case perfect = on_one_thread(c);
    Contract exact = contract;
    exact.eps.value = 0;
    perfect.overrides = difference(exact, parse_contract(kernel.contract));
    perfect.cols = power_of_two_below(c.cols);
    perfect.rows = std::min<int64_t>(c.rows, 7);
    perfect.x = {"perfect_square", {}};
    perfect.residual = {"zeros", {}};
    perfect.gamma = {"absent", {}};
    perfect.beta = {"absent", {}};
    return setting_of(kernel, perfect);
}

PropertyResult compare_with_targets(const Called& called) {
    const DefaultFloatEnvironment environment;
    const Setting& setting = called.setting;
    const Format& y = format(setting.contract.y);
    const Judge judge = make_judge(setting.contract, setting.c.cols, setting.inputs);
    for (int64_t row = 0; row < setting.c.rows; ++row) {
        const auto targets = judge.targets(row_inputs(setting.inputs, setting.c.cols, row));
        for (int64_t i = 0; i < setting.c.cols; ++i) {
            const uint64_t got = row_outputs(called.result.outputs, setting.c.cols, row).y[i];
            const uint64_t target = targets[static_cast<size_t>(i)];
            if (!is_nan(y, got) && rank(y, got) == rank(y, target)) continue;
            return violated(fmt::format("y[{}] of row {} is {}, but {} is exact", i, row,
                                        shown(setting.contract.y, got), shown(setting.contract.y, target)),
                            case_of(setting));
        }
    }
    return held();
}

}  // namespace

// Theorem: layer(x + c) = layer(x) and rms(x + c) != rms(x) in real numbers, where x + c is exact, which it is on the
// grid of exact_pair; the oracle judges y there, and a reason tells the two apart. Under layer with two passes, with
// all sums exact in any order and n a power of two, the computed mean is the mean, x - mean is the same number for x
// and for x + c, and all that follows is the same computation: the same bits. Condition: shift_keeps_bits.
PropertyResult property_shift_response(const nc_kernel& kernel, const Case& c) {
    return of_rows(kernel, c, answers_shifts);
}

// Theorem: none but the contract's: where mean square and eps are of like size every placement of eps gives another y,
// and the oracle judges. Rows are scaled to eps / 16, eps and 16 eps (as far as the format places them).
PropertyResult property_eps_response(const nc_kernel& kernel, const Case& c) {
    return of_rows(kernel, c, answers_eps);
}

// Theorem: with all sums exact, n a power of two and two passes, the kernel's mean is exact and so is x - mean. What is
// left of its program is that of rms on x - mean: y must be admissible there, where no mean can excuse anything.
PropertyResult property_layer_is_rms_of_centred(const nc_kernel& kernel, const Case& c) {
    return of_rows(kernel, c, layer_as_rms);
}

// Theorem: the fill perfect_square has mean square 4 u^2 about a small whole multiple of u, a power of two. With n a
// power of two every sum, quotient, root and product is a short dyadic number, exact in f32 and in every storage
// format, in any order. So y is the exact value. Condition: steps_are_inexact.
PropertyResult property_correctly_rounded(const nc_kernel& kernel, const Case& c) {
    const Contract contract = case_contract(&kernel, c);
    if (const std::string why = steps_are_inexact(contract); !why.empty()) return not_applicable(why);
    if (c.cols < 2 || c.cols > 1 << 16 || c.rows == 0)
        return not_applicable("the call is empty, too short or too long");
    const Called called = call(perfect_setting(kernel, c, contract));
    if (const auto why = unusable(called)) return not_applicable(*why);
    return compare_with_targets(called);
}

}  // namespace normcheck
