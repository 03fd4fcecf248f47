// The certified oracle says what the exact one says, leaves little to it where it should not, and gives the same bits
// with every instruction set.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "oracles/certified/facts.hpp"
#include "oracles/certified/passes.hpp"
#include "oracles/element.hpp"
#include "oracles/judge.hpp"
#include "oracles/tests/certified_compare.hpp"
#include "oracles/tests/twin_rows.hpp"

namespace normcheck {
namespace {

using twin::Draw;

TEST(Certified, agrees_with_the_exact_oracle_on_a_million_outputs) {
    const twin::Comparison c = twin::compare_oracles(7, 0, 1'000'000, 2);
    for (const std::string& story : c.stories) ADD_FAILURE() << story;
    EXPECT_EQ(c.total.disagreements, 0);
    EXPECT_GE(c.total.outputs, 1'000'000);
    EXPECT_LT(c.total.undecided, c.total.outputs / 2);  // else nothing much was compared
    for (const char* verdict : {"pass", "fail", "outside", "doubtful"}) EXPECT_GT(c.by_verdict.at(verdict).rows, 0);
    for (const char* kind :
         {"plain", "residual", "cast before gamma", "stored intermediates", "f64", "parameters not finite"})
        EXPECT_GT(c.by_contract.at(kind).rows, 100) << kind;
}

// Of 1e8 outputs compared, these rows once told the oracles apart: a stored mean away from the row's own, constant rows
// about it, a gamma of 53 bits times a stored value, a tie without slack, NaN where a pair is searched for, a bound
// that ends where its enclosure does not.
TEST(Certified, agrees_on_rows_that_once_told_the_oracles_apart) {
    constexpr std::pair<uint64_t, uint64_t> rows[] = {{1, 124462}, {1, 170932},  {1, 198206}, {1, 304152},
                                                      {1, 345979}, {1, 544543},  {1, 760319}, {1, 778056},
                                                      {1, 816477}, {21, 186713}, {21, 261490}};
    for (const auto& [seed, row] : rows) {
        const twin::Comparison c = twin::compare_oracles(seed, row, 1, 2);
        for (const std::string& story : c.stories) ADD_FAILURE() << story;
        EXPECT_EQ(c.total.disagreements, 0);
    }
}

TEST(Certified, compares_the_same_rows_on_any_number_of_threads) {
    const twin::Comparison one = twin::compare_oracles(8, 0, 20'000, 1);
    const twin::Comparison four = twin::compare_oracles(8, 0, 20'000, 4);
    EXPECT_EQ(one.total.outputs, four.total.outputs);
    EXPECT_EQ(one.total.undecided, four.total.undecided);
}

/// Rows of a bell, and outputs as f32 arithmetic without care for its order gives them.
struct BellRows {
    std::vector<uint64_t> gamma, beta;
    std::vector<std::vector<uint64_t>> x, y;

    BellRows(const Contract& c, int64_t cols, int rows) {
        Draw draw(31, static_cast<uint64_t>(cols));
        const Format& f = format(c.x);
        for (int64_t i = 0; i < cols; ++i) {
            gamma.push_back(round_double(f, 1 + draw.bell() / 7));
            beta.push_back(round_double(f, draw.bell() / 5));
        }
        for (int row = 0; row < rows; ++row) add_row(c, cols, draw);
    }

    void add_row(const Contract& c, int64_t cols, Draw& draw) {
        const Format& f = format(c.x);
        std::vector<float> values;
        std::vector<uint64_t> in, out;
        float mean = 0, square = 0;
        for (int64_t i = 0; i < cols; ++i) {
            in.push_back(round_double(f, draw.bell() * 1.0123456789));
            values.push_back(static_cast<float>(decode_double(f, in.back())));
            mean += c.norm == Norm::layer ? values.back() : 0;
        }
        mean /= static_cast<float>(cols);
        for (const float value : values) square += (value - mean) * (value - mean);
        const float rstd = 1 / std::sqrt(square / static_cast<float>(cols) + static_cast<float>(c.eps.value));
        for (int64_t i = 0; i < cols; ++i) {
            float result = (values[static_cast<size_t>(i)] - mean) * rstd;
            result *= static_cast<float>(decode_double(f, gamma[static_cast<size_t>(i)]));
            if (c.beta == Beta::add) result += static_cast<float>(decode_double(f, beta[static_cast<size_t>(i)]));
            out.push_back(round_double(f, static_cast<double>(result)));
        }
        x.push_back(in);
        y.push_back(out);
    }
};

TEST(Certified, leaves_less_than_one_in_ten_thousand_bell_shaped_outputs_over) {
    for (const char* text : {"rms eps=1e-6", "layer eps=1e-5 beta=add", "rms eps=1e-6 x=bf16 acc=f32",
                             "layer eps=1e-5 beta=add x=f16 acc=f32"}) {
        const Contract c = parse_contract(text);
        int64_t outputs = 0, left = 0;
        for (const int64_t cols : {16, 64, 768, 1024}) {
            const BellRows rows(c, cols, 200);
            const Judge judge(c, cols, rows.gamma.data(), c.beta == Beta::add ? rows.beta.data() : nullptr);
            for (size_t row = 0; row < rows.x.size(); ++row) {
                RowOutputs out;
                out.y = rows.y[row].data();
                const RowResult result = judge.judge({rows.x[row].data(), nullptr}, out);
                EXPECT_EQ(result.verdict, Verdict::pass) << text << ": " << result.reason;
                outputs += cols;
                left += result.undecided;
            }
        }
        EXPECT_LT(static_cast<double>(left), 1e-4 * static_cast<double>(outputs)) << text;
    }
}

TEST(Certified, takes_codes_as_they_are_stored) {
    const Contract c = parse_contract("layer eps=1e-5 beta=add");
    const BellRows rows(c, 100, 1);
    const Judge judge(c, 100, rows.gamma.data(), rows.beta.data());
    const std::vector<uint32_t> x(rows.x[0].begin(), rows.x[0].end()), y(rows.y[0].begin(), rows.y[0].end());
    RowOutputs stored, wide;
    stored.y = y.data();
    wide.y = rows.y[0].data();
    const RowResult a = judge.judge({x.data(), nullptr}, stored), b = judge.judge({rows.x[0].data(), nullptr}, wide);
    EXPECT_EQ(a.correctly_rounded, b.correctly_rounded);
    EXPECT_EQ(a.row_error, b.row_error);
    EXPECT_EQ(a.slack, b.slack);
    const RowResult exact = judge.judge({x.data(), nullptr}, stored, {.oracle = Oracle::exact});
    EXPECT_EQ(a.row_error, exact.row_error);
}

// ---- sums

void expect_holds(Near near, const Dyadic& exact, const std::string& what) {
    EXPECT_LE(compare(dyadic(near.lo), exact), 0) << what;
    EXPECT_GE(compare(dyadic(near.hi), exact), 0) << what;
}

// Rows that round in every addition, and rows that do not.
TEST(Facts, enclose_the_exact_sums) {
    for (const char* text : {"rms", "layer", "rms x=f16", "layer x=bf16", "rms x=f64", "layer x=f64"})
        for (uint64_t index = 0; index < 400; ++index) {
            const JudgeState state{parse_contract(text), 1 + static_cast<int64_t>(index % 150), {}, {}};
            Draw draw(17, index);
            const Format& f = format(state.contract.x);
            std::vector<uint64_t> codes;
            std::vector<Pair> values;
            const double offset = draw.chance(50) ? 0 : draw.bell() * 1000;
            for (int64_t i = 0; i < state.cols; ++i) {
                const double value = draw.chance(90) ? offset + draw.bell() : draw.bell() * 1e-3;
                codes.push_back(round_double(f, index % 4 == 0 ? std::round(value) : value));
                values.push_back({decode_double(f, codes.back()), 0});
            }
            const NearSums near = certified::read_facts(state, normcheck::Codes(codes.data()), state.cols).sums;
            const RowSums exact = row_sums(values);
            const std::string what = fmt::format("{} {}", text, index);
            const Dyadic n = dyadic_integer(exact.n);
            expect_holds(near.sum_of_squares, exact.sum_of_squares, what + " squares");
            EXPECT_EQ(near.largest, exact.largest) << what;
            EXPECT_GE(near.lowest_bit, exact.lowest_bit) << what;
            if (near.lowest_bit_known) {
                EXPECT_EQ(near.lowest_bit, exact.lowest_bit) << what;
            }
            if (state.contract.norm == Norm::rms) continue;
            expect_holds(near.sum, exact.sum, what + " sum");
            expect_holds(near.spread, exact_spread(state.contract, exact), what + " spread");
            expect_holds(Near(static_cast<double>(exact.n)) * near.off_centre, exact.sum - n * dyadic(near.centre),
                         what + " off centre");
            EXPECT_LE(near.sum_of_magnitudes.low(), exact.sum_of_magnitudes.value) << what;
            EXPECT_GE(near.sum_of_magnitudes.high(), exact.sum_of_magnitudes.value) << what;
        }
}

// ---- one source, several instruction sets

std::vector<double> bells(Draw& draw, size_t n, double scale) {
    std::vector<double> values(n);
    for (double& value : values) value = draw.bell() * scale;
    return values;
}

template <class Value>
std::string bytes(const Value& value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Everything that the passes of one instruction set give for one made-up row, as bytes.
std::string all_results(InstructionSet set, FormatId id, int64_t n, uint64_t index) {
    using namespace certified;
    const Passes& passes = certified::passes(set);
    Draw draw(77, index);
    const size_t padded = static_cast<size_t>((n + lanes - 1) / lanes * lanes);
    std::vector<uint64_t> codes, got;
    for (int64_t i = 0; i < n; ++i) {
        codes.push_back(round_double(format(id), draw.bell() * (draw.chance(5) ? 1e-3 : 3) + 0.5));
        got.push_back(round_double(format(id), draw.bell()));
    }
    std::vector<uint64_t> buffer, got_buffer;
    const certified::Codes x = packed(normcheck::Codes(codes.data()), id, n, buffer);
    std::vector<double> decoded(padded), error(padded);
    std::vector<double> gamma = bells(draw, padded, 1), beta = bells(draw, padded, 0.3);
    std::string result = bytes(passes.squares(x, gamma.data(), n, decoded.data()));
    result += bytes(passes.sums(x, n, decoded.data()));
    for (const double value : decoded) result += bytes(value);
    result += bytes(passes.centred(decoded.data(), gamma.data(), n, 0.4999));
    result += bytes(passes.lowest_bit(decoded.data(), n));
    ElementTask task;
    task.x = decoded.data();
    task.gamma = index % 2 == 0 ? gamma.data() : nullptr;
    task.beta = index % 3 == 0 ? beta.data() : nullptr;
    task.got = packed(normcheck::Codes(got.data()), id, n, got_buffer);
    task.n = n;
    task.centred = index % 5 != 0;
    task.centre = 0.5;
    task.rest = 1e-9;
    task.rstd = 0.3;
    task.doubt_w = 1e-13;
    task.doubt_0 = 1e-16;
    task.width_p = 3e-2;
    task.width_0 = 1e-3;
    task.width_x = index % 7 == 0 ? 1e-3 : 0;
    task.width_b = 1e-7;
    task.smallest_power = std::ldexp(1.0, format(id).min_exponent());
    task.half_unit = std::ldexp(1.0, -format(id).significand_bits);
    task.cancelled_below = task.cancelled_above = 1e-2;
    task.error = error.data();
    const ElementPass pass = passes.elements(task);
    for (const int64_t count : {pass.correct, pass.incorrect, pass.surely_cancelled, pass.maybe_cancelled})
        result += bytes(count);
    for (const double value :
         {pass.largest_error, pass.largest_y, pass.slack_low, pass.slack_high, pass.element_low, pass.element_high})
        result += bytes(value);
    result += pass.all_admissible ? '+' : '-';
    for (size_t i = 0; i < static_cast<size_t>(n); ++i) result += bytes(error[i]);
    result += bytes(passes.first_from(error.data(), n, n / 3, 0.9));
    ShortTask rows;
    rows.cols = id == FormatId::f32 ? 1 : 2;
    rows.rows = n / rows.cols;
    rows.x = x;
    rows.got = task.got;
    rows.centred = index % 2 == 0;
    rows.root = static_cast<Root>(index % 6);
    rows.eps = 1e-3;
    rows.inside_low = 1e-9;
    rows.inside_high = rows.outside_high = 1e9;
    rows.width = 0.2;
    rows.first_past = 1e30;
    rows.reach = 8;
    rows.smallest_power = task.smallest_power;
    rows.half_unit = task.half_unit;
    rows.largest = 1e4;
    rows.element_floor = rows.row_floor = 1e9;
    std::vector<ShortVerdict> verdicts(static_cast<size_t>(rows.rows));
    rows.verdict = verdicts.data();
    passes.short_rows(rows);
    for (const ShortVerdict verdict : verdicts) result += static_cast<char>(verdict);
    return result;
}

TEST(Passes, give_the_same_bits_with_every_instruction_set) {
    for (const InstructionSet set : instruction_sets())
        for (const FormatId id : {FormatId::f32, FormatId::f16, FormatId::bf16})
            for (uint64_t index = 0; index < 60; ++index) {
                const int64_t n = 2 + static_cast<int64_t>(index * index % 301);
                EXPECT_EQ(all_results(set, id, n, index), all_results(InstructionSet::baseline, id, n, index))
                    << name(set) << " " << format(id).name << " " << index;
            }
}

// ---- bounds of all elements at once

TEST(Affine, encloses_the_loss_of_every_element) {
    int checked = 0;
    for (uint64_t index = 0; index < 3000; ++index) {
        twin::TwinRow row = twin::twin_row(91, index);
        Contract& c = row.contract;
        const bool narrow = c.x != FormatId::f64 && c.y != FormatId::f64 && c.params != FormatId::f64;
        if (!narrow || c.cast != Cast::last || c.residual != Residual::none) continue;
        c.stored = {};
        if (index % 3 == 0) c.subnormals = Subnormals::flush_output;
        std::vector<Pair> s, gamma;
        std::vector<double> beta;
        for (const uint64_t code : row.x) s.push_back({decode_double(format(c.x), code), 0});
        double largest_gamma = 1, largest = 0;
        for (const uint64_t code : row.gamma) {
            gamma.push_back({decode_double(format(c.params), code), 0});
            largest_gamma = std::max(largest_gamma, std::fabs(gamma.back().hi));
        }
        for (const uint64_t code : row.beta) beta.push_back(decode_double(format(c.params), code));
        for (const Pair& value : s) largest = std::max(largest, std::fabs(value.hi));
        const RowSums sums = row_sums(s);
        const RowProgram program = row_program(c, sums, {}, {});
        if (program.scenarios.size() != 1 || program.search || largest > 1e30 || largest_gamma > 1e30) continue;
        const ElementProgram elements(c, program.scenarios[0], {s, gamma, beta, {}});
        const long double mean = c.norm == Norm::layer ? to_double(sums.sum) / static_cast<double>(sums.n) : 0;
        const auto affine = elements.affine(Upper(largest_gamma), Upper(2 * largest));
        for (size_t i = 0; i < s.size(); ++i, ++checked) {
            const long double g = gamma.empty() ? 1 : std::fabs(gamma[i].hi), x = std::fabs(s[i].hi);
            const long double distance = c.norm == Norm::layer ? std::fabs(s[i].hi - mean) : x;
            const long double doubt = affine.per_c.value * g * (x + std::fabs(mean)) * 0x1p-50L;
            const long double low = g * (affine.base.value + affine.per_c.value * distance + affine.per_x.value * x) +
                                    affine.per_b.value * (beta.empty() ? 0 : std::fabs(beta[i]));
            const long double loss = elements.loss(Place::y, {}, static_cast<int64_t>(i)).value;
            if (loss == 0) continue;  // exactly 0 times anything
            EXPECT_LE(low * (1 - 0x1p-40L) - doubt, loss) << index << ": " << print(c);
            EXPECT_GE(low * (1 + 0x1p-40L) + doubt + affine.more.value, loss) << index << ": " << print(c);
        }
    }
    EXPECT_GT(checked, 2000);
}

// ---- intervals

struct Operand {
    double value;
    Bound bound;
};
Operand operand(Draw& draw) {
    const double value = std::ldexp(1 + draw.unit(), static_cast<int>(draw.below(200)) - 100);
    return {value, draw.chance(50) ? Bound(value, value)
                                   : Bound(value * (1 - draw.unit() * 1e-9), value * (1 + draw.unit() * 1e-9))};
}

void expect_inside(long double value, Bound bound) {
    EXPECT_LE(static_cast<long double>(bound.low()), value);
    EXPECT_GE(static_cast<long double>(bound.high()), value);
}

TEST(Bounds, enclose_what_directed_arithmetic_gives) {
    Draw draw(5, 5);
    for (int k = 0; k < 20000; ++k) {
        const Operand a = operand(draw), b = operand(draw), c = operand(draw);
        const Upper ua(a.value), ub(b.value), uc(c.value);
        const Lower la(a.value), lb(b.value);
        expect_inside((ua + ub * uc).value, a.bound + b.bound * c.bound);
        expect_inside((ua / lb).value, a.bound / b.bound);
        expect_inside((la / ub).value, a.bound / b.bound);
        expect_inside((la - ub).value, a.bound - b.bound);
        expect_inside(sqrt(ua + sqrt(ub)).value, sqrt(a.bound + sqrt(b.bound)));
        expect_inside(chain(ua, ub).value, chain(a.bound, b.bound));
    }
    expect_inside((Upper(0x1p-1000L) * Upper(0x1p-1000L)).value, Bound(0x1p-1000L) * Bound(0x1p-1000L));
    expect_inside((Upper(0x1p1000L) * Upper(0x1p1000L)).value, Bound(0x1p1000L) * Bound(0x1p1000L));
    expect_inside(0x1p-1075L, Bound(0x1p-1075L));
    EXPECT_TRUE(is_zero(Bound() * Bound(HUGE_VALL)));
    EXPECT_THROW(below(Bound(1, 2), Bound(1.5L)), Undecided);
    EXPECT_THROW(is_zero(Bound(0, 1)), Undecided);
}

TEST(Nears, enclose_exact_arithmetic) {
    Draw draw(6, 6);
    for (int k = 0; k < 20000; ++k) {
        const double a = draw.bell() * std::ldexp(1.0, static_cast<int>(draw.below(60)) - 30), b = draw.bell();
        const auto holds = [](Near near, const Dyadic& exact) {
            EXPECT_LE(compare(dyadic(near.lo), exact), 0);
            EXPECT_GE(compare(dyadic(near.hi), exact), 0);
        };
        const Near wide(a - std::fabs(a) * 1e-12, a + std::fabs(a) * 1e-13);
        holds(wide + Near(b), dyadic(a) + dyadic(b));
        holds(wide - Near(b), dyadic(a) - dyadic(b));
        holds(wide * Near(b), dyadic(a) * dyadic(b));
        if (b > 0 && a > 0) {
            holds((wide / Near(b)) * Near(b), dyadic(a));
            const Near root = sqrt(wide);
            EXPECT_LE(compare(dyadic(root.lo) * dyadic(root.lo), dyadic(a)), 0);
            EXPECT_GE(compare(dyadic(root.hi) * dyadic(root.hi), dyadic(a)), 0);
        }
    }
    EXPECT_EQ(sign(Near(1.5) - Near(1.5)), 0);
    EXPECT_THROW(sign(Near(-1, 1)), Undecided);
    EXPECT_THROW(static_cast<void>(Near(1, 2) < Near(1.5)), Undecided);
}

}  // namespace
}  // namespace normcheck
