// Ranges of rows about which the bounds say the same, and the pass over rows inside them.
//
// Proof. Let v be the mean square (rms) or the variance (layer) of a row of one or two elements. The bounds of
// Pipeline<Certified> hold for every row whose sums lie in the intervals they are given.
//   Inside: with sums taken as inexact, every loss is at least what it is for the row itself, since exactness only ever
//   removes terms. Where even so the row is neither outside nor possibly trivial, it is not.
//   Outside: n v at or above 2/3 of the largest number of the statistics' format leaves the range whatever the errors;
//   below 2^-150 no f32 sum of squares is exact, so what is said with inexact sums is so.
//   Width: with sums taken as exact, every loss is at most what it is for the row itself. per_c |c| >= width |y| with
//   the least per_c / reciprocal over all ranges.
#include "oracles/certified/short_rows.hpp"

#include <algorithm>
#include <cmath>

#include "oracles/certified/facts.hpp"
#include "oracles/judge_state.hpp"

namespace normcheck {
namespace {

using certified::Root;
using certified::ShortTask;
using certified::ShortVerdict;

static_assert(static_cast<int>(ShortVerdict::rounded) == static_cast<int>(ShortClass::rounded));
static_assert(static_cast<int>(ShortVerdict::admissible) == static_cast<int>(ShortClass::admissible));
static_assert(static_cast<int>(ShortVerdict::special) == static_cast<int>(ShortClass::special));
static_assert(static_cast<int>(ShortVerdict::outside) == static_cast<int>(ShortClass::outside));
static_assert(static_cast<int>(ShortVerdict::one_rounded) == static_cast<int>(ShortClass::one_rounded));
static_assert(static_cast<int>(ShortVerdict::ask) == static_cast<int>(ShortClass::ask));

// Of v in an interval.
struct Interval {
    double low, high;
};
struct RowRange {
    bool inside = false;
    bool outside = false;
    double width = 0;
};

class Ranges {
  public:
    /// No element is farther from 0 than `reach` times from the mean.
    Ranges(const Contract& contract, int cols, double reach)
        : state_{contract, cols, {}, stored_places(contract)}, layer_(contract.norm == Norm::layer), reach_(reach) {}

    RowRange at(const Interval& v) const {
        RowRange range;
        const BasicRowProgram<Certified> inexact = program(v, false);
        range.inside = is_inside(v, inexact);
        range.outside = is_outside(v, inexact);
        if (range.inside) range.width = least_width(v);
        range.inside = range.width > 0;  // else a range at the end of the accumulator's, which exactness decides
        return range;
    }

    // Rows of one element have no spread; their ranges are of |x|.
    bool alone() const { return layer_ && state_.cols == 1; }

    // From this v on squares leave the accumulator's range, whatever the errors.
    double leaves_range_at() const {
        const Contract& c = state_.contract;
        if (c.range == normcheck::Range::full || alone()) return HUGE_VAL;
        const double largest = machine<Certified>(c.moments, c.subnormals).largest.high();
        return largest / state_.cols / 1.5 * (1 + 0x1p-30);
    }

  private:
    Near variance(const Interval& v) const { return {v.low, v.high}; }

    // How far from 0 the elements may lie: an rms row's are no larger than sqrt(2 v).
    double largest(const Interval& v) const {
        const double root = std::sqrt(v.high) * 1.01;
        if (!layer_) return root * 1.42;
        return std::min(root * reach_,
                        decode_double(format(state_.contract.x), format(state_.contract.x).max_finite_code()));
    }

    NearSums sums(const Interval& v, bool exact) const {
        NearSums sums;
        const auto n = static_cast<double>(state_.cols);
        sums.n = state_.cols;
        if (alone()) return sums_alone(v);
        sums.largest = largest(v);
        sums.constant = false;
        sums.lowest_bit = exact ? 1000 : -100000;
        sums.lowest_bit_known = true;
        sums.spread = Near(n) * Near(n) * variance(v);
        if (!layer_) {
            sums.sum_of_squares = Near(n) * variance(v);
            return sums;
        }
        const double span = exact ? 0 : sums.largest;
        sums.sum = Near(-n * span, n * span);
        sums.off_centre = Near(-span, span);
        sums.sum_of_magnitudes = {std::sqrt(v.low), n * sums.largest};  // |a| + |b| >= |a - b|
        sums.sum_of_squares = Near(0, n * sums.largest * sums.largest * 1.01);
        return sums;
    }

    // |x| in [2^low, 2^(low + 1)): a multiple of the format's spacing there.
    NearSums sums_alone(const Interval& v) const {
        const Format& f = format(state_.contract.x);
        const int exponent = std::ilogb(v.low);
        const double least = v.low, most = std::ldexp(2 - std::ldexp(1.0, 1 - f.significand_bits), exponent);
        NearSums sums;
        sums.n = 1;
        sums.largest = most;
        sums.lowest_bit = std::max(exponent - (f.significand_bits - 1), f.min_spacing_exponent());
        sums.lowest_bit_known = true;
        sums.sum = Near(-most, most);
        sums.off_centre = sums.sum;
        sums.sum_of_magnitudes = {least, most};
        sums.sum_of_squares = Near(least * least, most * most * (1 + 0x1p-50));
        return sums;
    }

    BasicRowProgram<Certified> program(const Interval& v, bool exact) const {
        try {
            return row_program(state_.contract, sums(v, exact), {}, {});
        } catch (const Undecided&) {
            return {};
        }
    }

    bool is_inside(const Interval& v, const BasicRowProgram<Certified>& inexact) const {
        if (inexact.scenarios.size() != 1) return false;
        try {
            if (outside_reason<Certified>(state_, sums(v, false), inexact) != nullptr) return false;
            const BasicLoss<Certified>& loss = inexact.scenarios[0].loss;
            return below(loss.mean_term + loss.rstd_relative, Bound(0.25L)) &&
                   below(loss.gap, Bound(0.25L) * loss.reciprocal);
        } catch (const Undecided&) {
            return false;
        }
    }

    bool is_outside(const Interval& v, const BasicRowProgram<Certified>& inexact) const {
        const Contract& c = state_.contract;
        if (alone()) return inexact.scenarios.empty() && inexact.outside != nullptr;
        if (v.low >= leaves_range_at()) return true;
        return !layer_ && c.moments == FormatId::f32 && v.high < 0x1p-160 && inexact.scenarios.empty() &&
               inexact.outside != nullptr;
    }

    double least_width(const Interval& v) const {
        if (alone()) return 1;  // outputs are 0, or are looked at by themselves
        const BasicRowProgram<Certified> exact = program(v, true);
        if (exact.scenarios.size() != 1) return 0;
        const BasicElementInputs<Certified> inputs{};
        const ElementLoss<Certified> elements(state_.contract, exact.scenarios[0], inputs);
        const auto affine = elements.affine(Bound(1), Bound(largest(v)));
        return affine.per_c.low() / exact.scenarios[0].loss.reciprocal.high() * (1 - 0x1p-40);
    }

    JudgeState state_;
    bool layer_;
    double reach_;
};

// The longest run of binades that are inside, and what is outside at both ends.
struct Run {
    int start = 0;
    int length = 0;
    double width = 0;
    double inside_high = 0;
    double outside_low = -1, outside_high = HUGE_VAL;
};

Interval binade(int exponent) {
    return {std::ldexp(1.0, exponent), std::ldexp(1.0, exponent + 1)};
}

// The binade behind the run is inside up to some value, found by bisection. Rows of one element have ranges of |x|,
// whose binades are not cut.
void extend(Run& run, const Ranges& ranges) {
    run.inside_high = std::ldexp(1.0, run.start + run.length);
    if (ranges.alone()) return;
    double refused = 2 * run.inside_high;
    const double begin = run.inside_high;
    for (int step = 0; step < 40; ++step) {
        const double middle = run.inside_high / 2 + refused / 2;
        const RowRange range = ranges.at({begin, middle});
        if (range.inside) run.width = std::min(run.width, range.width);
        (range.inside ? run.inside_high : refused) = middle;
    }
}

Run longest_run(const Contract& contract, int cols, double reach) {
    const Ranges ranges(contract, cols, reach);
    constexpr int lowest = -330, highest = 270;
    Run best, run;
    bool all_below = true;
    for (int exponent = lowest; exponent < highest; ++exponent) {
        const RowRange range = ranges.at(binade(exponent));
        all_below = all_below && range.outside;
        if (all_below) best.outside_low = std::ldexp(1.0, exponent);
        best.outside_high = range.outside ? std::min(best.outside_high, std::ldexp(1.0, exponent)) : HUGE_VAL;
        if (!range.inside) run = {};
        if (!range.inside) continue;
        if (run.length == 0) run = {exponent, 0, range.width};
        ++run.length;
        run.width = std::min(run.width, range.width);
        if (run.length > best.length) {
            best.start = run.start;
            best.length = run.length;
            best.width = run.width;
        }
    }
    if (best.length > 0) extend(best, ranges);
    best.outside_high = std::min(best.outside_high, ranges.leaves_range_at());
    return best;
}

Root root_of(EpsAt at) {
    switch (at) {
        case EpsAt::inside:
        case EpsAt::none:
        case EpsAt::on_sum:
            return Root::inside;
        case EpsAt::outside:
            return Root::outside;
        case EpsAt::max_variance:
            return Root::max_variance;
        case EpsAt::max_std:
        case EpsAt::max_norm:
            return Root::max_root;
        case EpsAt::inside_and_outside:
            return Root::inside_and_outside;
        case EpsAt::on_count:
            return Root::scaled;
    }
    return Root::inside;
}

double scaled_eps(const Contract& c, int cols) {
    const double eps = c.eps.value;
    switch (c.eps_at) {
        case EpsAt::none:
            return 0;
        case EpsAt::on_sum:
            return eps / cols;
        case EpsAt::max_norm:
            return eps / std::sqrt(static_cast<double>(cols));
        case EpsAt::on_count:
            return cols / (cols + eps);
        case EpsAt::inside:
        case EpsAt::outside:
        case EpsAt::max_variance:
        case EpsAt::max_std:
        case EpsAt::inside_and_outside:
            return eps;
    }
    return eps;
}

// Contracts whose rows go through the pass. With a cast before gamma and no gamma, the target is the value that the
// cast gives.
bool is_covered(const Contract& c, int cols) {
    const bool narrow = c.x == c.y && (c.x == FormatId::f32 ? cols == 1 : format(c.x).bits() == 16 && cols <= 2);
    const double eps = c.eps.value;
    return narrow && !c.stores_any() && c.subnormals == Subnormals::keep && (eps == 0 || (eps > 1e-200 && eps < 1e200));
}

}  // namespace

struct ShortRows::State {
    Contract contract;
    int cols;
    bool covered;
    ShortTask task;

    ShortClass special(const void* x, const void* y, int64_t row) const;
};

ShortRows::ShortRows(const Contract& contract, int cols)
    : state_(new State{contract, cols, is_covered(contract, cols), {}}) {
    State& s = *state_;
    if (!s.covered) return;
    const Format& f = format(contract.y);
    ShortTask& task = s.task;
    task.cols = cols;
    task.centred = contract.norm == Norm::layer;
    task.root = root_of(contract.eps_at);
    task.eps = scaled_eps(contract, cols);
    task.smallest_power = std::ldexp(1.0, f.min_exponent());
    task.half_unit = std::ldexp(1.0, -f.significand_bits);
    task.largest = decode_double(f, f.max_finite_code()) / 4;
    task.first_past = std::ldexp(1.0, format(contract.x).max_exponent() + 1);
    task.stored = contract.cast == Cast::before_gamma;
    task.x.storage = task.got.storage = certified::storage_of(contract.x);
    // Two 16-bit numbers differ by at least 2^-11 of the larger one. Where bounds suffer from that, rows of closer
    // values are asked for.
    constexpr double any_reach = 0x1p13, short_reach = 4;
    const Run any = longest_run(contract, cols, any_reach);
    const Run near = longest_run(contract, cols, short_reach);
    const Run& run = any.length + 8 < near.length ? near : any;
    task.reach = &run == &any ? any_reach : short_reach;
    task.outside_low = run.outside_low * (run.outside_low > 0 ? 1 - 0x1p-40 : 1);
    task.outside_high = run.outside_high * (1 + 0x1p-40);
    task.width = run.width;
    task.inside_low = run.length == 0 ? HUGE_VAL : std::ldexp(1 + 0x1p-40, run.start);
    task.inside_high = run.length == 0 ? -1 : run.inside_high * (1 - 0x1p-40);
}
ShortRows::~ShortRows() = default;

bool ShortRows::have_no_spread() const {
    return state_->contract.norm == Norm::layer && state_->cols == 1;
}

// A row with NaN or Inf, whose outputs no bound is needed for.
ShortClass ShortRows::State::special(const void* x, const void* y, int64_t row) const {
    const Format& f = format(contract.x);
    const auto code = [&](const void* codes, int64_t i) -> uint64_t {
        if (f.bits() == 16) return static_cast<const uint16_t*>(codes)[row * cols + i];
        return static_cast<const uint32_t*>(codes)[row * cols + i];
    };
    bool nan = false, inf = false;
    for (int64_t i = 0; i < cols; ++i) {
        nan = nan || is_nan(f, code(x, i));
        inf = inf || is_inf(f, code(x, i));
    }
    if (!nan && !inf) return ShortClass::ask;
    const bool whole = nan || contract.norm == Norm::layer || contract.inf == InfRule::nan_row;
    for (int64_t i = 0; i < cols; ++i) {
        const bool wants_nan = whole || is_inf(f, code(x, i));
        const bool right = wants_nan ? is_nan(f, code(y, i)) : (code(y, i) & ~f.sign_bit()) == 0;
        if (!right) return ShortClass::ask;
    }
    return ShortClass::special;
}

void ShortRows::judge(const void* x, const void* y, int64_t rows, double row_floor, double element_floor,
                      ShortClass* classes) const {
    const State& s = *state_;
    if (s.covered) {
        ShortTask task = s.task;
        task.x.data = x;
        task.got.data = y;
        task.rows = rows;
        const double least = have_no_spread() ? 0 : -1;  // outputs of 0 have no error in ulp
        task.row_floor = 2 * std::max(row_floor, least);
        task.element_floor = 2 * std::max(element_floor, least);
        task.verdict = reinterpret_cast<ShortVerdict*>(classes);
        certified::passes().short_rows(task);
    } else {
        std::fill(classes, classes + rows, ShortClass::ask);
    }
    for (int64_t row = 0; s.covered && row < rows; ++row)
        if (classes[row] == ShortClass::ask) classes[row] = s.special(x, y, row);
}

}  // namespace normcheck
