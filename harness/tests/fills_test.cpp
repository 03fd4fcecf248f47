// The fills: that each places what its row in fills.def says, in every format, and the same wherever it is computed.
#include "harness/cases/fills.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/tests/fill_values.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr FormatId formats[] = {FormatId::f64, FormatId::f32, FormatId::f16, FormatId::bf16};

double mean(const std::vector<double>& row) {
    double sum = 0;
    for (double value : row) sum += value;
    return sum / static_cast<double>(row.size());
}

double mean_square_about(const std::vector<double>& row, double centre) {
    double squares = 0;
    for (double value : row) squares += (value - centre) * (value - centre);
    return squares / static_cast<double>(row.size());
}

double spread(const std::vector<double>& row, Norm norm) {
    return mean_square_about(row, norm == Norm::layer ? mean(row) : 0);
}

bool all_within(const std::vector<uint64_t>& codes, const Format& format, bool finite) {
    return std::all_of(codes.begin(), codes.end(), [&](uint64_t code) {
        return code <= (format.sign_bit() | (format.sign_bit() - 1)) && (!finite || is_finite(format, code));
    });
}

bool plants_specials(std::string_view fill) {
    return fill == "nan_in_row" || fill == "inf_in_row";
}

void expect_well_formed(const FillInfo& info, const Contract& contract, int64_t cols) {
    const Inputs inputs = make_inputs(case_of(info.name, 12, cols), contract);
    EXPECT_EQ(static_cast<int64_t>(inputs.x.size()), 12 * cols);
    EXPECT_TRUE(all_within(inputs.x, format(contract.x), !plants_specials(info.name)))
        << info.name << " " << print(contract) << " cols=" << cols;
}

TEST(Fills, EveryFillGivesFiniteCodesOfItsFormatForEveryLength) {
    for (FormatId id : formats) {
        for (const char* norm : {"rms", "layer", "layer eps=0", "rms eps=1e-40", "layer eps=1e30"}) {
            const Contract contract = parse_contract(fmt::format("{} x={}", norm, format(id).name));
            for (const FillInfo& info : fills()) {
                for (int64_t cols : {0, 1, 2, 3, 5, 33}) expect_well_formed(info, contract, cols);
            }
        }
    }
}

TEST(Fills, ARowIsTheSameAloneInABatchAndAtAnotherPosition) {
    const Contract contract = parse_contract("layer x=bf16 residual=wide");
    for (const FillInfo& info : fills()) {
        Case c = case_of(info.name, 5, 19);
        c.residual = c.x;
        const Inputs inputs = make_inputs(c, contract);
        Case moved = c;
        moved.position = 3;
        EXPECT_EQ(make_row(c, contract, InputTensor::x, 3), make_row(moved, contract, InputTensor::x, 0)) << info.name;
        EXPECT_TRUE(std::ranges::equal(make_row(c, contract, InputTensor::x, 3), std::span(inputs.x).subspan(57, 19)));
        EXPECT_TRUE(std::ranges::equal(make_row(c, contract, InputTensor::residual, 4),
                                       std::span(inputs.residual).subspan(76)));
    }
}

uint64_t hash(uint64_t seed, const std::vector<uint64_t>& codes) {
    for (uint64_t code : codes) seed = (seed ^ code) * 0x100000001b3 + (seed >> 47);
    return seed;
}

TEST(Fills, AllFillsOfAllFormatsArePinnedAcrossCompilers) {
    uint64_t all = 0xcbf29ce484222325;
    for (FormatId id : formats) {
        const Contract contract = parse_contract(fmt::format("layer beta=add x={}", format(id).name));
        for (const FillInfo& info : fills()) all = hash(all, make_inputs(case_of(info.name, 9, 37), contract).x);
        for (const FillInfo& info : parameter_fills()) {
            Case c = case_of("zeros", 1, 37);
            c.gamma.fill = c.beta.fill = info.name;
            all = hash(hash(all, make_inputs(c, contract).gamma), make_inputs(c, contract).beta);
        }
    }
    EXPECT_EQ(all, 0x6e9fdfc18d85b7a1u);
}

TEST(Fills, SeedsAndTensorsDrawDifferentValues) {
    const Contract contract = parse_contract("rms residual=wide");
    Case c = case_of("gaussian", 1, 16);
    const Inputs first = make_inputs(c, contract);
    c.seed = 2;
    EXPECT_NE(first.x, make_inputs(c, contract).x);
    EXPECT_NE(first.x, first.residual);
}

std::vector<int> powers_of_grid(const Contract& contract) {
    std::vector<int> powers;
    for (int64_t row = 0; row < 81; ++row) {
        const auto values = row_values(case_of("eps_grid", 81, 64), contract, row);
        const double power = std::log2(spread(values, contract.norm) / contract.eps.value);
        EXPECT_NEAR(power, std::round(power), 0.01) << print(contract) << " row " << row;
        powers.push_back(static_cast<int>(std::round(power)));
    }
    std::sort(powers.begin(), powers.end());
    return powers;
}

TEST(Fills, EpsGridMeetsEveryPowerFromMinus40To40Once) {
    std::vector<int> expected;
    for (int power = -40; power <= 40; ++power) expected.push_back(power);
    for (const char* text : {"rms", "layer", "layer eps=0.1", "rms x=bf16 eps=1e-12"}) {
        EXPECT_EQ(powers_of_grid(parse_contract(text)), expected) << text;
    }
}

TEST(Fills, EpsGridIsClampedToWhatTheFormatCanPlace) {
    const Contract contract = parse_contract("rms x=f16 eps=1e-12");
    for (int64_t row = 0; row < 81; ++row) {
        EXPECT_GT(spread(row_values(case_of("eps_grid", 81, 64), contract, row), Norm::rms), 0x1p-46) << row;
    }
}

TEST(Fills, SmallHasAVarianceNearEps) {
    const Contract contract = parse_contract("layer eps=1e-3");
    for (int64_t row = 0; row < 3; ++row) {
        const double ratio = spread(row_values(case_of("small", 3, 512), contract, row), Norm::layer) / 1e-3;
        const double expected[] = {1, 1.0 / 16, 16};
        EXPECT_NEAR(ratio / expected[row], 1, 0.3);
    }
}

float sum_f32(const std::vector<double>& row, bool squares, bool backward) {
    float sum = 0;
    for (size_t i = 0; i < row.size(); ++i) {
        const float value = static_cast<float>(row[backward ? row.size() - 1 - i : i]);
        sum += squares ? value * value : value;
    }
    return sum;
}

TEST(Fills, ExactSumsAreExactInF32InBothDirections) {
    for (FormatId id : {FormatId::f32, FormatId::f16, FormatId::bf16}) {
        const Contract contract = parse_contract(fmt::format("rms x={}", format(id).name));
        for (int64_t cols : {1, 3, 17, 1000, 4096}) {
            const auto row = row_values(case_of("exact_sums", 9, cols), contract, cols % 9);
            const double squares = mean_square_about(row, 0) * static_cast<double>(cols);
            EXPECT_GT(squares, 0);
            EXPECT_EQ(sum_f32(row, true, false), squares);
            EXPECT_EQ(sum_f32(row, true, true), squares);
            EXPECT_EQ(sum_f32(row, false, false), sum_f32(row, false, true));
        }
    }
}

bool is_power_of_two(double value) {
    int exponent = 0;
    return std::frexp(value, &exponent) == 0.5;
}

void expect_exact_root(const Contract& contract, int64_t cols) {
    for (int64_t row = 0; row < 18; ++row) {
        const auto values = row_values(case_of("perfect_square", 18, cols), contract, row);
        EXPECT_TRUE(is_power_of_two(std::sqrt(spread(values, contract.norm) + contract.eps.value)))
            << print(contract) << " cols=" << cols << " row " << row;
    }
}

TEST(Fills, PerfectSquareRowsHaveAPowerOfTwoForTheirRoot) {
    for (int64_t cols : {1, 2, 3, 7, 16, 129}) expect_exact_root(parse_contract("rms eps=0 x=bf16"), cols);
    for (int64_t cols : {2, 4, 5, 7, 16, 129}) expect_exact_root(parse_contract("layer eps=0 x=bf16"), cols);
    for (int64_t cols : {3, 4, 5, 6, 7, 129}) expect_exact_root(parse_contract("rms eps=1 x=f16"), cols);
    for (int64_t cols : {4, 6, 8, 128}) expect_exact_root(parse_contract("layer eps=0.25"), cols);
}

// The outputs in double, whose own error is far below what is asked for.
double nearest_midpoint(const Contract& contract, const std::vector<double>& row) {
    const double centre = contract.norm == Norm::layer ? mean(row) : 0;
    const double root = std::sqrt(spread(row, contract.norm) + contract.eps.value);
    double nearest = 1;
    for (double value : row) {
        const double y = (value - centre) / root;
        const double steps = std::ldexp(std::fabs(y), -spacing_exponent(format(contract.y), y));
        nearest = std::min(nearest, std::fabs(steps - std::floor(steps) - 0.5));
    }
    return nearest;
}

TEST(Fills, NearMidpointPutsAnOutputNearAMidpoint) {
    for (const char* text : {"rms x=bf16", "layer x=f16", "layer", "rms"}) {
        const Contract contract = parse_contract(text);
        int near = 0;
        for (int64_t row = 0; row < 10; ++row) {
            near += nearest_midpoint(contract, row_values(case_of("near_midpoint", 10, 4), contract, row)) < 0x1p-9;
        }
        EXPECT_GE(near, 8) << text;
    }
}

TEST(Fills, NearConstantStaysWithinThreeSteps) {
    const Contract contract = parse_contract("layer x=f16");
    for (int64_t row = 0; row < 10; ++row) {
        std::vector<int64_t> ranks;
        for (uint64_t code : make_row(case_of("near_constant", 10, 50), contract, InputTensor::x, row)) {
            ranks.push_back(rank(format(FormatId::f16), code));
        }
        const auto [low, high] = std::minmax_element(ranks.begin(), ranks.end());
        EXPECT_GE(*high - *low, 1);
        EXPECT_LE(*high - *low, 6);
    }
}

TEST(Fills, OffsetHasUnitSpreadRoundALargeMean) {
    const auto row = row_values(case_of("offset", 6, 512), parse_contract("layer"), 2);
    EXPECT_NEAR(mean(row), 1e4, 1);
    EXPECT_NEAR(spread(row, Norm::layer), 1, 0.3);
}

TEST(Fills, ParametersSayWhatIsWritten) {
    const Contract contract;
    EXPECT_EQ(row_values(case_of("ramp:5:-2", 1, 3), contract, 0), (std::vector<double>{5, 3, 1}));
    EXPECT_EQ(row_values(case_of("constant:0.5", 1, 2), contract, 0), (std::vector<double>{0.5, 0.5}));
    EXPECT_EQ(row_values(case_of("alternating:3", 1, 3), contract, 0), (std::vector<double>{3, -3, 3}));
    auto spike = row_values(case_of("spike:9:1", 1, 5), contract, 0);
    std::sort(spike.begin(), spike.end());
    EXPECT_EQ(spike, (std::vector<double>{1, 1, 1, 1, 9}));
}

TEST(Fills, ValuesPastTheLargestFiniteOneAreTakenAsThatOne) {
    EXPECT_EQ(row_values(case_of("constant:-1e9", 1, 1), parse_contract("rms x=f16"), 0), std::vector<double>{-65504});
}

TEST(Fills, SpecialsStandOnceInEveryThirdRow) {
    const Contract contract;
    for (int64_t row = 0; row < 9; ++row) {
        const auto nans = row_values(case_of("nan_in_row", 9, 20), contract, row);
        const auto infs = row_values(case_of("inf_in_row", 9, 20), contract, row);
        EXPECT_EQ(std::ranges::count_if(nans, [](double value) { return std::isnan(value); }), row % 3 == 0);
        EXPECT_EQ(std::ranges::count_if(infs, [](double value) { return std::isinf(value); }), row % 3 == 0);
    }
}

TEST(Fills, SpecialsStandAmongZerosInEverySixthRow) {
    const Contract contract;
    for (const char* fill : {"nan_in_row", "inf_in_row"}) {
        for (int64_t row = 0; row < 12; ++row) {
            const auto values = row_values(case_of(fill, 12, 60), contract, row);
            const auto zeros = std::ranges::count(values, 0.0);
            EXPECT_EQ(zeros > 0, row % 6 == 3) << fill << " row " << row;
            EXPECT_LT(zeros, 40) << fill << " row " << row;
        }
    }
}

TEST(Fills, GammaNearOverflowIsFiniteAndWithinAFactorOf16OfTheLargest) {
    const Contract contract = parse_contract("rms x=f16");
    const Case c = parse_case("x=f16 cols=200 gamma_fill=near_overflow");
    for (const uint64_t code : make_row(c, contract, InputTensor::gamma, 0)) {
        const double magnitude = std::abs(decode_double(format(FormatId::f16), code));
        EXPECT_LE(magnitude, 65504);
        EXPECT_GE(magnitude, 65504.0 / 16);
    }
}

TEST(Fills, GammaNearUnderflowIsSubnormalOnBothSidesOfTheSmallestNormalNumber) {
    for (FormatId id : formats) {
        const Contract contract = parse_contract(fmt::format("rms x={}", format(id).name));
        Case c = case_of("zeros", 1, 300);
        c.gamma.fill = "near_underflow";
        const std::vector<uint64_t> gamma = make_inputs(c, contract).gamma;
        const auto subnormals =
            std::ranges::count_if(gamma, [&](uint64_t code) { return is_subnormal(format(id), code); });
        EXPECT_GT(subnormals, 100);
        EXPECT_LT(subnormals, 300);
    }
}

TEST(Fills, ParameterSpecialsHoldOneInfAndOneNan) {
    const Contract contract;
    for (int64_t cols : {2, 5, 129}) {
        Case c = case_of("zeros", 1, cols);
        c.gamma.fill = "specials";
        const std::vector<uint64_t> gamma = make_inputs(c, contract).gamma;
        const Format& f32 = format(FormatId::f32);
        EXPECT_EQ(std::ranges::count_if(gamma, [&](uint64_t code) { return is_inf(f32, code); }), 1) << cols;
        EXPECT_EQ(std::ranges::count_if(gamma, [&](uint64_t code) { return is_nan(f32, code); }), 1) << cols;
    }
}

TEST(Fills, SubnormalsAreSubnormalInEveryFormat) {
    for (FormatId id : formats) {
        const Contract contract = parse_contract(fmt::format("rms x={}", format(id).name));
        for (uint64_t code : make_row(case_of("subnormals", 1, 200), contract, InputTensor::x, 0)) {
            EXPECT_TRUE(is_subnormal(format(id), code));
        }
    }
}

TEST(Fills, NearOverflowHasSquaresOnBothSidesOfTheOverflowOfF16) {
    const auto row = row_values(case_of("near_overflow", 1, 200), parse_contract("rms x=f16"), 0);
    EXPECT_TRUE(std::ranges::any_of(row, [](double value) { return value * value > 65520; }));
    EXPECT_TRUE(std::ranges::any_of(row, [](double value) { return value * value < 65504; }));
}

TEST(Fills, AlternatingScalesAndWideExponentsSpread) {
    const Contract contract;
    const Case scales = case_of("alternating_scales", 2, 300);
    EXPECT_NEAR(spread(row_values(scales, contract, 0), Norm::rms), 1, 0.4);
    EXPECT_NEAR(spread(row_values(scales, contract, 1), Norm::rms), 1e8, 0.4e8);
    auto wide = row_values(case_of("wide_exponents", 1, 300), contract, 0);
    for (double& value : wide) value = std::fabs(value);
    const auto [low, high] = std::minmax_element(wide.begin(), wide.end());
    EXPECT_GT(*high / *low, 1e10);
}

std::vector<double> gamma_of(std::string_view contract_text, std::string_view fill) {
    Case c = case_of("zeros", 1, 400);
    c.gamma.fill = fill;
    const Contract contract = parse_contract(contract_text);
    return values(make_inputs(c, contract).gamma, contract.params);
}

TEST(Fills, RandomGammasLieRoundOneAndRoundZeroForOnePlus) {
    EXPECT_NEAR(mean(gamma_of("rms", "random")), 1, 0.05);
    EXPECT_NEAR(mean(gamma_of("rms gamma=one_plus", "random")), 0, 0.05);
    EXPECT_NEAR(spread(gamma_of("rms", "random"), Norm::layer), 0.04, 0.01);
}

TEST(Fills, GammaFillsAreWhatTheyAreCalled) {
    EXPECT_TRUE(std::ranges::all_of(gamma_of("rms", "negative"), [](double value) { return value <= -0.5; }));
    EXPECT_NEAR(static_cast<double>(std::ranges::count(gamma_of("rms", "with_zeros"), 0.0)), 100, 40);
    EXPECT_GT(spread(gamma_of("rms", "large"), Norm::rms), 5000);
    EXPECT_EQ(std::ranges::count_if(gamma_of("rms", "specials"), [](double g) { return std::isnan(g); }), 1);
    EXPECT_EQ(std::ranges::count(gamma_of("rms", "ones"), 1.0), 400);
}

TEST(MakeInputs, TensorsThatAreNotTakenOrAbsentAreEmpty) {
    Case c = case_of("gaussian", 2, 3);
    const Inputs plain = make_inputs(c, parse_contract("rms gamma=none"));
    EXPECT_TRUE(plain.gamma.empty() && plain.beta.empty() && plain.residual.empty());
    c.gamma.fill = "absent";
    const Inputs absent = make_inputs(c, parse_contract("layer beta=add residual=rounded"));
    EXPECT_TRUE(absent.gamma.empty());
    EXPECT_EQ(absent.beta.size(), 3u);
    EXPECT_EQ(absent.residual.size(), 6u);
}

TEST(MakeInputs, InlineBitsRepeatAlongTheRowAndAreAlikeInAllRows) {
    Case c = case_of("", 2, 3);
    c.overrides = "x=bf16";
    c.x.bits = {0x3f80, 0x4000};
    EXPECT_EQ(make_inputs(c, parse_contract("rms x=bf16")).x,
              (std::vector<uint64_t>{0x3f80, 0x4000, 0x3f80, 0x3f80, 0x4000, 0x3f80}));
}

TEST(MakeInputs, TooManyElementsAndBitsThatDoNotFitAreRefused) {
    EXPECT_THROW(make_inputs(case_of("zeros", 1 << 20, 1 << 20), Contract{}), InputError);
    Case c = case_of("", 1, 1);
    c.overrides = "x=f16";
    c.x.bits = {0x3f800000};
    EXPECT_THROW(make_inputs(c, parse_contract("rms x=f16")), InputError);
}

TEST(MakeInputs, OnlyRandomFillsMayBeSuspect) {
    EXPECT_TRUE(has_random_rows(case_of("gaussian", 1, 1), Contract{}));
    EXPECT_FALSE(has_random_rows(case_of("constant:3", 1, 1), Contract{}));
    Case c = case_of("gaussian", 1, 1);
    c.residual.fill = "ramp";
    EXPECT_TRUE(has_random_rows(c, Contract{}));
    EXPECT_FALSE(has_random_rows(c, parse_contract("rms residual=wide")));
}

TEST(MakeInputs, InlineValuesInAFormatThatTheContractHasNotAreRefused) {
    const Contract contract = parse_contract("rms x=bf16 params=f32");
    const auto made = [&](const char* line) { return make_inputs(parse_case(line), contract); };
    EXPECT_THROW(made("kernel=k cols=1 x=bf16 gamma_fill=bits:3f80"), InputError);
    EXPECT_THROW(made("kernel=k cols=1 params=f32 fill=bits:3f800000"), InputError);
    EXPECT_EQ(made("kernel=k cols=1 x=bf16 params=f32 gamma_fill=values:1").gamma, (std::vector<uint64_t>{0x3f800000}));
}

}  // namespace
}  // namespace normcheck
