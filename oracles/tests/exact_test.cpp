// The exact oracle against right answers known in closed form, and against its MPFR twin on a million outputs.
#include "oracles/exact.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <thread>
#include <vector>

#include "oracles/contract.hpp"
#include "oracles/error.hpp"
#include "oracles/tests/twin_compare.hpp"

namespace normcheck {
namespace {

/// A row given by numbers, each rounded into the contract's formats.
struct Numbers {
    std::vector<double> x, gamma, beta, residual;
};

std::vector<uint64_t> codes(const std::vector<double>& numbers, FormatId id) {
    std::vector<uint64_t> result;
    for (double number : numbers) result.push_back(round_double(format(id), number));
    return result;
}

const uint64_t* pointer(const std::vector<uint64_t>& tensor) {
    return tensor.empty() ? nullptr : tensor.data();
}

/// The exact row of a contract's text, with the codes that it may go on reading.
struct Given {
    Given(const char* text, const Numbers& numbers)
        : contract(parse_contract(text)),
          x(codes(numbers.x, contract.x)),
          residual(codes(numbers.residual, contract.x)),
          gamma(codes(numbers.gamma, contract.params)),
          beta(codes(numbers.beta, contract.params)),
          exact(contract, static_cast<int64_t>(x.size()), x.data(), pointer(residual), pointer(gamma), pointer(beta)) {}
    uint64_t y(int64_t i, RoundingMode mode = RoundingMode::nearest_even) const { return exact.y(i, mode); }

    Contract contract;
    std::vector<uint64_t> x, residual, gamma, beta;
    ExactRow exact;
};

constexpr RoundingMode down = RoundingMode::down;
constexpr RoundingMode up = RoundingMode::up;

TEST(ExactRow, normalises_four_numbers_near_40000) {
    const Given row("layer eps=1e-5", {{40000, 40001, 40002, 40003}, {}, {}, {}});
    // -1.34163541996906..., -0.44721180665635..., the second between 0x3ee4f8f2 and its upper neighbour in magnitude.
    EXPECT_EQ(row.y(0), 0xbfabbab6u);
    EXPECT_EQ(row.y(1), 0xbee4f8f2u);
    EXPECT_EQ(row.y(2), 0x3ee4f8f2u);
    EXPECT_EQ(row.y(3), 0x3fabbab6u);
    EXPECT_EQ(row.y(0, up), 0xbfabbab5u);
    EXPECT_EQ(row.y(1, down), 0xbee4f8f3u);
}

TEST(ExactRow, gives_the_statistics_of_four_numbers_near_40000) {
    const Given row("layer eps=1e-5", {{40000, 40001, 40002, 40003}, {}, {}, {}});
    EXPECT_EQ(row.exact.mean(), round_double(format(FormatId::f32), 40001.5));
    EXPECT_EQ(row.exact.rstd(), 0x3f64f8f2u);  // 0.894423613312708...
    EXPECT_EQ(row.exact.rstd(up), 0x3f64f8f3u);
}

TEST(ExactRow, divides_3_and_4_by_their_root_mean_square_in_f64) {
    const Given row("rms x=f64 eps_at=none", {{3, 4}, {}, {}, {}});
    EXPECT_EQ(decode_double(format(FormatId::f64), row.y(0)), 0x1.b27247aff148fp-1);
    EXPECT_EQ(decode_double(format(FormatId::f64), row.y(1)), 0x1.21a1851ff630ap+0);
}

TEST(ExactRow, breaks_a_tie_of_a_perfect_square_to_even) {
    // Mean square 4 and eps 12: the quotients are 1/2, and y = 1/2 + 3 * 2^-12 is a midpoint of f16.
    const Given row("rms eps=12 params=f32 y=f16", {{2, -2}, {1 + 3 * 0x1p-11, 1 + 0x1p-11}, {}, {}});
    EXPECT_EQ(row.y(0), 0x3802u);
    EXPECT_EQ(row.y(0, down), 0x3801u);
    EXPECT_EQ(row.y(0, up), 0x3802u);
    EXPECT_EQ(row.y(1), 0xb800u);
    EXPECT_EQ(row.y(1, down), 0xb801u);
}

TEST(ExactRow, sees_a_smallest_subnormal_beyond_a_midpoint) {
    const Numbers numbers{{2, -2}, {1 + 0x1p-11, 1 + 0x1p-11}, {0x1p-149, 0x1p-149}, {}};
    const Given row("rms eps=12 beta=add params=f32 y=f16", numbers);
    EXPECT_EQ(row.y(0), 0x3801u);
    EXPECT_EQ(row.y(1), 0xb800u);
}

TEST(ExactRow, sees_a_tie_behind_quotients_that_are_not_dyadic) {
    // 3 / sqrt(9 + 16) * 1290 = 774, midway between 772 and 776 in bf16.
    const Given row("rms eps=16 y=bf16", {{3, -3}, {1290, 1291}, {}, {}});
    EXPECT_EQ(decode_double(format(FormatId::bf16), row.y(0)), 776);
    EXPECT_EQ(decode_double(format(FormatId::bf16), row.y(0, down)), 772);
    EXPECT_EQ(decode_double(format(FormatId::bf16), row.y(1)), -776);
}

TEST(ExactRow, rounds_before_gamma_where_the_contract_casts_there) {
    const Numbers numbers{{3, 4}, {3, 11}, {}, {}};
    const Given last("rms x=f16 eps_at=none", numbers);
    const Given before("rms x=f16 eps_at=none cast=before_gamma", numbers);
    EXPECT_EQ(last.y(0), 0x4117u);
    EXPECT_EQ(before.y(0), 0x4118u);
    EXPECT_EQ(last.y(1), 0x4a39u);
    EXPECT_EQ(before.y(1), 0x4a3au);
}

TEST(ExactRow, overflows_to_infinity_or_saturates) {
    const Numbers numbers{{1, 0, 0, 0}, {65504, 1, 1, 1}, {}, {}};
    const Given ieee("rms x=f16 eps_at=none", numbers);
    const Given saturating("rms x=f16 eps_at=none overflow=saturate", numbers);
    EXPECT_EQ(ieee.y(0), 0x7c00u);
    EXPECT_EQ(ieee.y(0, down), 0x7bffu);
    EXPECT_EQ(saturating.y(0), 0x7bffu);
    EXPECT_EQ(saturating.y(0, up), 0x7c00u);
    EXPECT_EQ(ieee.y(1), 0u);
}

TEST(ExactRow, rounds_a_residual_sum_only_where_the_contract_says_so) {
    // In bf16 256 + 1 rounds to 256; the sum in full is 257, and 257/257 differs from 257/256 in no rms of one element.
    const Numbers numbers{{256, 1}, {}, {}, {1, 0}};
    const Given wide("rms x=bf16 y=f32 eps_at=none residual=wide", numbers);
    const Given rounded("rms x=bf16 y=f32 eps_at=none residual=rounded", numbers);
    const Given plain("rms x=bf16 y=f32 eps_at=none", {{256, 1}, {}, {}, {}});
    EXPECT_EQ(rounded.y(1), plain.y(1));
    EXPECT_NE(wide.y(1), plain.y(1));
    EXPECT_EQ(wide.exact.residual_out(0), round_double(format(FormatId::bf16), 256));
}

TEST(ExactRow, places_eps_where_the_contract_says) {
    // Mean square 4 everywhere; the denominators are 4, 3, 2, 3, 2, 8, 4 and 1.
    const std::vector<double> x{2, -2, 2, -2};
    const auto y = [&](const char* contract) {
        return decode_double(format(FormatId::f64), Given(contract, {x, {24, 24, 24, 24}, {}, {}}).y(0));
    };
    EXPECT_EQ(y("rms x=f64 eps=12 eps_at=inside"), 12);
    EXPECT_EQ(y("rms x=f64 eps=1 eps_at=outside"), 16);
    EXPECT_EQ(y("rms x=f64 eps=1 eps_at=none"), 24);
    EXPECT_EQ(y("rms x=f64 eps=9 eps_at=max_variance"), 16);
    EXPECT_EQ(y("rms x=f64 eps=1.5 eps_at=max_std"), 24);
    EXPECT_EQ(y("rms x=f64 eps=5 eps_at=inside_and_outside"), 6);
    EXPECT_EQ(y("rms x=f64 eps=48 eps_at=on_sum"), 12);
    EXPECT_EQ(y("rms x=f64 eps=12 eps_at=on_count"), 48);
    EXPECT_EQ(y("rms x=f64 eps=8 eps_at=max_norm"), 12);
}

TEST(ExactRow, refuses_a_row_whose_denominator_is_zero) {
    EXPECT_THROW(Given("layer eps_at=none", {{7, 7, 7}, {}, {}, {}}), InternalError);
}

TEST(ExactRow, agrees_with_its_mpfr_twin_on_a_million_outputs) {
    const int threads = static_cast<int>(std::thread::hardware_concurrency());
    const twin::Tally tally = twin::compare_rows(1, 0, 1'000'000, threads, nullptr);
    std::printf("compared %lld outputs, %lld disagreements\n", static_cast<long long>(tally.total.outputs),
                static_cast<long long>(tally.total.disagreements));
    EXPECT_GE(tally.total.outputs, 1'000'000);
    EXPECT_EQ(tally.total.disagreements, 0);
    for (const std::string& story : tally.stories) ADD_FAILURE() << story;
    EXPECT_EQ(tally.by_group.size(), 36u);  // four formats of x, nine placements of eps
    EXPECT_LT(tally.undefined_rows + tally.unbounded_rows, tally.rows / 5);
}

}  // namespace
}  // namespace normcheck
