// Quick decisions against exact ones: they agree or the quick one declines; approximations keep to their error.
#include "oracles/element.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracles/judge_state.hpp"
#include "oracles/tests/judge_rows.hpp"
#include "oracles/tests/twin_rows.hpp"

namespace normcheck {
namespace {

using twin::Draw;

constexpr FormatId all_formats[] = {FormatId::f64, FormatId::f32, FormatId::f16, FormatId::bf16};

Dyadic exact(const Approximation& near) {
    return dyadic(near.hi) + dyadic(near.lo);
}

int64_t exact_rank(const Format& f, const Dyadic& value) {
    return rank(f, round_dyadic(f, value));
}

// hi + lo at a midpoint, moved by `off` parts of itself.
Approximation near_midpoint(Draw& draw, const Format& f, double off) {
    int64_t below = draw.below(rank(f, f.max_finite_code()) - 1);
    // One in four right below a power of two, where the spacing changes.
    if (draw.chance(25)) below = (below | ((int64_t{1} << (f.significand_bits - 1)) - 1));
    const Dyadic middle = midpoint_above(f, std::min(below, rank(f, f.max_finite_code()) - 1));
    const double hi = to_double(middle);
    const double rest = to_double(middle - dyadic(hi));
    return {hi, rest + hi * off, 0};
}

bool is_split(const Approximation& near) {
    return std::fabs(near.lo) <= std::fabs(near.hi) * 0x1p-53;
}

TEST(QuickRank, is_right_or_declines_next_to_midpoints) {
    for (const FormatId id : all_formats)
        for (uint64_t k = 0; k < 20000; ++k) {
            Draw draw(51, k);
            const Format& f = format(id);
            const Approximation near = near_midpoint(draw, f, draw.bell() * std::pow(10.0, -20.0 + draw.unit() * 6));
            if (!is_split(near)) continue;
            const auto quick = quick_rank(f, near, 0);
            if (quick) {
                ASSERT_EQ(*quick, exact_rank(f, exact(near))) << f.name << " " << near.hi << " " << near.lo;
            }
        }
}

TEST(QuickRank, is_exact_where_the_value_is_and_declines_within_its_error) {
    for (const FormatId id : {FormatId::f32, FormatId::f16, FormatId::bf16}) {
        Draw draw(52, static_cast<uint64_t>(id));
        for (int k = 0; k < 100; ++k) {
            const Approximation middle = near_midpoint(draw, format(id), 0);
            EXPECT_EQ(quick_rank(format(id), middle, 0), exact_rank(format(id), exact(middle)));
            EXPECT_FALSE(quick_rank(format(id), {middle.hi, 0, middle.hi * 0x1p-60}, 0));
            EXPECT_FALSE(quick_rank(format(id), {middle.hi * (1 + 0x1p-40), 0, middle.hi * 0x1p-39}, 0));
            EXPECT_TRUE(quick_rank(format(id), {middle.hi * (1 + 0x1p-40), 0, middle.hi * 0x1p-45}, 0));
        }
    }
}

TEST(QuickRank, knows_that_the_spacing_of_f64_halves_below_a_power_of_two) {
    const Format& f = format(FormatId::f64);
    const double quarter = 0x1p-54;  // of the spacing above 1, half of that below
    EXPECT_FALSE(quick_rank(f, {1, -quarter * (1 - 1e-6), quarter * 1e-3}, 0));
    EXPECT_TRUE(quick_rank(f, {1, quarter * (1 - 1e-6), quarter * 1e-3}, 0));
}

TEST(QuickRank, takes_the_width_into_account) {
    int64_t decided = 0;
    for (const FormatId id : all_formats)
        for (uint64_t k = 0; k < 20000; ++k) {
            Draw draw(53, k);
            const double hi = draw.bell() * std::ldexp(1.0, static_cast<int>(draw.below(20)) - 10);
            const Approximation near{hi, hi * 0x1p-54 * draw.bell() / 2, 0};
            const double delta = hi * draw.bell() * std::ldexp(1.0, -static_cast<int>(draw.below(70)));
            const auto quick = quick_rank(format(id), near, delta);
            decided += quick.has_value();
            if (quick) {
                ASSERT_EQ(*quick, exact_rank(format(id), exact(near) + dyadic(delta)));
            }
        }
    EXPECT_GT(decided, 78000);
}

// A tie, and what is told apart only by less than a double next to it resolves.
TEST(QuickRank, decides_at_a_midpoint_by_what_is_left) {
    const Format& f32 = format(FormatId::f32);
    const int64_t one = rank(f32, 0x3f800000);
    const double middle = 1 + 0x1p-24;
    EXPECT_EQ(quick_rank(f32, {middle, 0, 0}, 0), one);
    EXPECT_EQ(quick_rank(f32, {middle, 0, 0x1p-190}, 0x1p-150), one + 1);
    EXPECT_EQ(quick_rank(f32, {middle, 0, 0x1p-190}, -0x1p-150), one);
    EXPECT_EQ(quick_rank(f32, {middle, 0x1p-90, 0x1p-100}, 0), one + 1);
    EXPECT_EQ(quick_rank(f32, {middle, -0x1p-90, 0x1p-100}, 0x1p-100), one);
    EXPECT_EQ(quick_rank(f32, {middle, 0x1p-90, 0x1p-89}, 0), std::nullopt);
    EXPECT_EQ(quick_rank(f32, {-middle, 0, 0x1p-190}, 0x1p-150), -one);
    const double past_largest = 0x1.ffffffp127;
    EXPECT_EQ(quick_rank(f32, {past_largest, 0, 0x1p-190}, 0x1p-150), std::nullopt);  // the exact comparison is asked
}

TEST(IsWithin, takes_no_more_than_the_loss_less_what_is_not_known) {
    EXPECT_TRUE(is_within(1.5, {1, 0, 0}, 0.5 + 0x1p-40));
    EXPECT_FALSE(is_within(1.5, {1, 0, 0}, 0.5));
    EXPECT_FALSE(is_within(1.5, {1, 0, 0x1p-30}, 0.5 + 0x1p-31));
    EXPECT_TRUE(is_within(1.5, {1, 0x1p-20, 0}, 0.5));
    EXPECT_FALSE(is_within(1.5, {1, -0x1p-20, 0}, 0.5 + 0x1p-21));
    EXPECT_FALSE(is_within(HUGE_VAL, {1, 0, 0}, 1e300));
}

/// A twin row with its target's scenario.
struct Prepared {
    explicit Prepared(uint64_t index) : given(twin::twin_row(54, index)) {
        const Contract& c = given.contract;
        const auto cols = static_cast<int64_t>(given.x.size());
        parameters = read_parameters(c, cols, rows::pointer(given.gamma), rows::pointer(given.beta));
        row = read_row(c, cols, {given.x.data(), rows::pointer(given.residual)});
        if (!row.special.empty() || row.sum_left_range || !parameters.finite) return;
        program = row_program(c, row.sums, row.loss, {.target_only = true});
        if (program.scenarios.empty()) return;
        elements.emplace(c, program.scenarios[0], ElementInputs{row.s, parameters.gamma, parameters.beta, {}});
    }
    twin::TwinRow given;
    Parameters parameters;
    Row row;
    RowProgram program;
    std::optional<ElementProgram> elements;
};

void expect_close(const Stretch& stretch, const Approximation& near) {
    if (!std::isfinite(near.error)) return;
    ASSERT_GE(compare(stretch, exact(near) - dyadic(near.error)), 0);
    ASSERT_LE(compare(stretch, exact(near) + dyadic(near.error)), 0);
}

// Goes along an element's program and compares at every place; gives the number of quick decisions.
int64_t compared(const Prepared& p, int64_t i) {
    const Contract& c = p.given.contract;
    int64_t quick_ones = 0;
    Held held;
    std::vector<Place> places = stored_places(c);
    places.push_back(Place::y);
    for (const Place place : places) {
        const Format& f = format(format_at(c, place));
        const Stretch stretch = p.elements->stretch(place, held, i);
        const Approximation near = p.elements->approximate(place, held, i);
        expect_close(stretch, near);
        const uint64_t code = round_stretch(f, stretch, near.hi);
        const auto quick = quick_rank(f, near, 0);
        quick_ones += quick.has_value();
        if (quick) {
            EXPECT_EQ(*quick, rank(f, code)) << print(c);
        }
        held = {place, decode_double(f, code)};
        if (!std::isfinite(held.value)) break;
    }
    return quick_ones;
}

TEST(ElementProgram, decides_quickly_as_it_does_exactly) {
    int64_t quick_ones = 0, elements = 0;
    for (uint64_t index = 0; index < 1500; ++index) {
        const Prepared p(index);
        if (!p.elements) continue;
        for (int64_t i = 0; i < p.row.sums.n; ++i) quick_ones += compared(p, i);
        elements += p.row.sums.n;
    }
    EXPECT_GT(elements, 15000);
    EXPECT_GT(quick_ones, elements / 2);
}

// Ranks at and beside both ends of every way to y, for which admissible() has a shorter way than the ranges.
void expect_admissible_as_ranges_say(const Elements& elements, int64_t i, const Format& y) {
    std::vector<RankRange> ranges;
    for (const auto& path : std::vector(elements.paths(i))) ranges.push_back(elements.y_range(path, i));
    const int64_t top = rank(y, y.inf_code());
    for (const RankRange& range : ranges)
        for (const int64_t end : {range.lowest, range.target, range.highest})
            for (const int64_t got : {end - 1, end, end + 1}) {
                if (std::abs(got) > top) continue;
                const bool held = std::ranges::any_of(
                    ranges, [&](const RankRange& each) { return each.lowest <= got && got <= each.highest; });
                ASSERT_EQ(elements.admissible(i, got), held) << got;
            }
}

TEST(Elements, admit_what_the_ranges_hold) {
    int64_t asked = 0;
    for (uint64_t index = 0; index < 1500; ++index) {
        const Prepared p(index);
        if (!p.elements) continue;
        const Contract& c = p.given.contract;
        const JudgeState state{c, p.row.sums.n, p.parameters, stored_places(c)};
        const Elements elements(state, p.row, p.program.scenarios[0]);
        for (int64_t i = 0; i < std::min<int64_t>(p.row.sums.n, 8); ++i, ++asked)
            expect_admissible_as_ranges_say(elements, i, format(c.y));
    }
    EXPECT_GT(asked, 5000);
}

TEST(ElementProgram, rounds_where_the_contract_stores) {
    EXPECT_TRUE(stored_places(parse_contract("rms")).empty());
    const auto places = stored_places(parse_contract("layer cast=before_gamma stored=centred:bf16,scaled:f16"));
    EXPECT_EQ(places, (std::vector{Place::centred, Place::normed, Place::scaled}));
}

}  // namespace
}  // namespace normcheck
