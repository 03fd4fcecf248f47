// The rows of a sweep: each orbit once, by its lowest member, with its size; and all of them, however they are cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "harness/sweep/domain.hpp"
#include "harness/tests/io_test_files.hpp"

namespace normcheck {
namespace {

constexpr Symmetry symmetries[] = {{}, {.sign = true}, {.swap = true}, {.sign = true, .swap = true}};

struct Rows {
    std::vector<uint64_t> indices;
    std::vector<uint8_t> weights;
    bool operator==(const Rows&) const = default;
};

Rows rows_of(const Domain& domain, uint64_t first, int64_t count) {
    std::vector<uint32_t> x(static_cast<size_t>(count));  // 4 bytes a row are enough for every domain
    Rows rows;
    rows.weights.resize(static_cast<size_t>(count));
    write_rows(domain, first, count, x.data(), rows.weights.data());
    for (int64_t row = 0; row < count; ++row) rows.indices.push_back(row_index(domain, x.data(), row));
    return rows;
}

uint64_t pair_index(uint64_t first, uint64_t second) {
    return first << 16 | second;
}

/// All rows that the symmetries make of one, by the definition.
std::set<uint64_t> orbit(const Domain& domain, uint64_t index) {
    const uint64_t sign = uint64_t{1} << (format(domain.format).bits() - 1);
    std::set<uint64_t> members{index};
    for (int round = 0; round < 2; ++round)
        for (const uint64_t member : std::set(members)) {
            const uint64_t a = element_code(domain, member, 0);
            const uint64_t b = domain.cols == 2 ? element_code(domain, member, 1) : 0;
            if (domain.symmetry.sign) members.insert(domain.cols == 2 ? pair_index(a ^ sign, b ^ sign) : a ^ sign);
            if (domain.symmetry.swap) members.insert(pair_index(b, a));
        }
    return members;
}

void expect_orbits(const Domain& domain, uint64_t first, int64_t count) {
    const Rows rows = rows_of(domain, first, count);
    for (size_t i = 0; i < rows.indices.size(); ++i) {
        const std::set<uint64_t> members = orbit(domain, rows.indices[i]);
        ASSERT_EQ(rows.indices[i], *members.begin()) << name(domain.symmetry) << " place " << first + i;
        ASSERT_EQ(rows.weights[i], members.size()) << name(domain.symmetry) << " place " << first + i;
        ASSERT_TRUE(i == 0 || rows.indices[i - 1] < rows.indices[i]) << name(domain.symmetry) << " place " << first + i;
    }
}

// With as many rows as there are orbits (Burnside), in ascending order, each the lowest of its orbit, none can be
// missing or come twice.
TEST(SweepDomain, runs_the_lowest_row_of_every_orbit_and_knows_its_size) {
    constexpr uint64_t pairs = uint64_t{1} << 32, codes = 1 << 16;
    const uint64_t orbits[] = {pairs, pairs / 2, (pairs + codes) / 2, (pairs + codes + codes) / 4};
    for (size_t i = 0; i < std::size(symmetries); ++i) {
        const Domain domain = make_domain(FormatId::bf16, 2, symmetries[i]);
        EXPECT_EQ(run_rows(domain), orbits[i]) << name(symmetries[i]);
        EXPECT_EQ(whole_rows(domain), pairs);
        expect_orbits(domain, 0, 140'000);
        expect_orbits(domain, run_rows(domain) - 140'000, 140'000);
        for (uint64_t turn = 0; turn < 20; ++turn) expect_orbits(domain, mixed(turn) % (orbits[i] - 3000), 3000);
    }
}

TEST(SweepDomain, one_column_is_every_bit_pattern_or_those_without_sign) {
    for (const FormatId id : {FormatId::f16, FormatId::bf16, FormatId::f32}) {
        const Domain whole = make_domain(id, 1, {}), folded = make_domain(id, 1, {.sign = true, .swap = true});
        EXPECT_EQ(folded.symmetry, (Symmetry{.sign = true}));
        EXPECT_EQ(run_rows(whole), uint64_t{1} << format(id).bits());
        EXPECT_EQ(run_rows(folded), run_rows(whole) / 2);
        expect_orbits(whole, run_rows(whole) - 40'000, 40'000);
        expect_orbits(folded, run_rows(folded) - 30'000, 30'000);
        EXPECT_EQ(rows_of(whole, 12345, 1).indices[0], 12345U);
    }
}

TEST(SweepDomain, rows_do_not_depend_on_where_blocks_begin) {
    for (const Symmetry& symmetry : symmetries) {
        const Domain domain = make_domain(FormatId::f16, 2, symmetry);
        const uint64_t first = 65'000 * 7;
        const Rows whole = rows_of(domain, first, 200'000);
        Rows joined;
        for (uint64_t at = 0; at < 200'000; at += 7'001) {
            const Rows part = rows_of(domain, first + at, std::min<int64_t>(7'001, static_cast<int64_t>(200'000 - at)));
            joined.indices.insert(joined.indices.end(), part.indices.begin(), part.indices.end());
            joined.weights.insert(joined.weights.end(), part.weights.begin(), part.weights.end());
        }
        EXPECT_EQ(joined, whole) << name(symmetry);
    }
}

TEST(SweepDomain, shards_follow_each_other_and_differ_by_one_row_at_most) {
    const Domain domain = make_domain(FormatId::f16, 2, {.sign = true, .swap = true});
    for (const uint64_t parts : {1, 2, 3, 7, 4096}) {
        uint64_t next = 0;
        for (uint64_t number = 1; number <= parts; ++number) {
            const PlaceRange part = shard(domain, number, parts);
            ASSERT_EQ(part.first, next);
            ASSERT_GE(part.size(), run_rows(domain) / parts);
            ASSERT_LE(part.size(), run_rows(domain) / parts + 1);
            next = part.end;
        }
        EXPECT_EQ(next, run_rows(domain));
    }
}

TEST(SweepDomain, refuses_what_is_too_large) {
    for (const auto& [id, cols] :
         {std::pair{FormatId::f64, 1}, {FormatId::f32, 2}, {FormatId::f16, 3}, {FormatId::f16, 0}})
        EXPECT_TRUE(contains(refusal([&] { make_domain(id, cols, {}); }), format(id).name)) << cols;
}

}  // namespace
}  // namespace normcheck
