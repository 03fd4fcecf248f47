// What is said of many short rows at once is what the exact oracle says of each.
#include "oracles/certified/short_rows.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "oracles/judge.hpp"
#include "oracles/tests/twin_rows.hpp"

namespace normcheck {
namespace {

using twin::Draw;

constexpr const char* contracts[] = {
    "rms eps=1e-6",
    "rms eps=1e-6 eps_at=outside",
    "rms eps=0 eps_at=none",
    "rms eps=1e-12 eps_at=max_variance",
    "rms eps=1e-3 eps_at=max_std",
    "rms eps=1e-5 eps_at=max_norm",
    "rms eps=0.1 eps_at=inside_and_outside",
    "rms eps=1e-5 eps_at=on_sum",
    "rms eps=1 eps_at=on_count",
    "rms eps=1e-5 range=full",
    "rms eps=1e-5 cast=before_gamma",
    "rms eps=1e-5 rsqrt=ulp:2 reduce=tree",
    "rms eps=1e-5 overflow=saturate inf=nan_row",
    "layer eps=1e-5",
    "layer eps=1e-5 eps_at=outside",
    "layer eps=1e-12 variance=welford",
    "layer eps=1e-3 variance=one_pass",
    "layer eps=1e-5 apply=folded",
    "layer eps=0 eps_at=none",
    "layer eps=1e-5 stored=rstd:bf16",
    "layer eps=1e-5 acc=f64",
    "rms eps=1e-5 acc=f64",
};

/// Rows and outputs in their storage size.
template <class Code>
struct Rows {
    std::vector<Code> x, y;
};

uint64_t any_code(Draw& draw, const Format& f) {
    if (draw.chance(50)) return draw.bits() & (f.sign_bit() | (f.sign_bit() - 1));
    return round_double(f, draw.bell() * std::ldexp(1.0, static_cast<int>(draw.below(40)) - 20));
}

// What a kernel in f32 would make of the row, or the target, or a value near it, or anything.
template <class Code>
Rows<Code> make_rows(Draw& draw, const Contract& c, int cols, int64_t rows) {
    const Format& f = format(c.x);
    Rows<Code> result;
    for (int64_t row = 0; row < rows; ++row) {
        std::vector<uint64_t> x;
        std::vector<double> value;
        for (int i = 0; i < cols; ++i) {
            x.push_back(i == 1 && draw.chance(30) ? x[0] ^ static_cast<uint64_t>(draw.below(4)) : any_code(draw, f));
            value.push_back(decode_double(f, x.back()));
        }
        float mean = 0, square = 0;
        if (c.norm == Norm::layer) {
            for (const double v : value) mean += static_cast<float>(v);
            mean /= static_cast<float>(cols);
        }
        for (const double v : value) square += (static_cast<float>(v) - mean) * (static_cast<float>(v) - mean);
        square /= static_cast<float>(cols);
        const auto eps = static_cast<float>(c.eps.value);
        const float root = c.eps_at == EpsAt::outside  ? std::sqrt(square) + eps
                           : c.eps_at == EpsAt::on_sum ? std::sqrt(square + eps / static_cast<float>(cols))
                                                       : std::sqrt(square + eps);
        for (int i = 0; i < cols; ++i) {
            const float y = (static_cast<float>(value[static_cast<size_t>(i)]) - mean) * (1 / root);
            uint64_t code = round_double(f, static_cast<double>(y));
            if (draw.chance(3)) code ^= static_cast<uint64_t>(1 + draw.below(3));
            if (draw.chance(1)) code = any_code(draw, f);
            result.x.push_back(static_cast<Code>(x[static_cast<size_t>(i)]));
            result.y.push_back(static_cast<Code>(code));
        }
    }
    return result;
}

ShortClass class_of(const RowResult& row, int cols) {
    if (row.verdict == Verdict::outside) return ShortClass::outside;
    if (row.verdict != Verdict::pass) return ShortClass::ask;
    if (row.regime == Regime::special) return ShortClass::special;
    if (row.correctly_rounded == row.outputs) return ShortClass::rounded;
    return cols == 2 && row.correctly_rounded == 1 ? ShortClass::one_rounded : ShortClass::admissible;
}

struct Shares {
    int64_t rows = 0, asked = 0, special = 0, outside = 0, admissible = 0;
};

template <class Code>
Shares compare(const std::string& text, int cols, uint64_t seed, double row_floor = 0.4, double element_floor = 0.45) {
    const Contract c = parse_contract(text);
    constexpr int64_t rows = 3003;
    Draw draw(seed, static_cast<uint64_t>(cols));
    const Rows<Code> made = make_rows<Code>(draw, c, cols, rows);
    std::vector<ShortClass> classes(rows);
    ShortRows(c, cols).judge(made.x.data(), made.y.data(), rows, row_floor, element_floor, classes.data());
    const Judge judge(c, cols, nullptr, nullptr);
    Shares shares;
    shares.rows = rows;
    for (int64_t row = 0; row < rows; ++row) {
        const ShortClass said = classes[static_cast<size_t>(row)];
        shares.special += said == ShortClass::special;
        shares.outside += said == ShortClass::outside;
        shares.admissible += said == ShortClass::admissible;
        if (said == ShortClass::ask) {
            ++shares.asked;
            continue;
        }
        RowOutputs outputs;
        outputs.y = made.y.data() + row * cols;
        const RowResult exact = judge.judge({made.x.data() + row * cols, nullptr}, outputs, {.oracle = Oracle::exact});
        EXPECT_EQ(said, class_of(exact, cols))
            << text << ": row " << row << ", x " << made.x[row * cols] << ", y " << made.y[row * cols];
        if (said == ShortClass::special || said == ShortClass::outside) continue;
        EXPECT_LE(exact.row_error.value_or(0), row_floor) << text;
        EXPECT_LE(exact.element_error, element_floor) << text;
        if (!exact.row_error) {
            EXPECT_EQ(exact.absolute_error, 0) << text;
        }
        if (::testing::Test::HasFailure()) break;
    }
    return shares;
}

class ShortRowsOf : public ::testing::TestWithParam<const char*> {};

TEST_P(ShortRowsOf, are_judged_as_each_alone) {
    const std::string text = GetParam();
    uint64_t seed = 1;
    for (const char* format : {"f16", "bf16"})
        for (const int cols : {1, 2}) compare<uint16_t>(fmt::format("{} x={}", text, format), cols, seed++);
    compare<uint32_t>(text, 1, seed++);
    compare<uint16_t>(fmt::format("{} x=bf16", text), 2, seed++, 3, 5);
    compare<uint32_t>(text, 1, seed, 1, 1);
}

INSTANTIATE_TEST_SUITE_P(EveryContract, ShortRowsOf, ::testing::ValuesIn(contracts));

TEST(ShortRows, are_seldom_asked_for) {
    Shares shares = compare<uint16_t>("layer eps=1e-5 x=f16", 2, 7);
    EXPECT_LT(shares.asked, shares.rows * 2 / 3);
    shares = compare<uint16_t>("layer eps=1e-5 x=f16 acc=f64", 2, 7);
    EXPECT_LT(shares.asked, shares.rows * 2 / 3);
    shares = compare<uint16_t>("rms eps=1e-5 x=bf16", 2, 8);
    EXPECT_LT(shares.asked, shares.rows / 2);
    EXPECT_GT(shares.outside, 100);
    shares = compare<uint32_t>("rms eps=1e-5", 1, 9, 10, 10);
    EXPECT_GT(shares.outside, 100);
    EXPECT_GT(shares.special, 1);
    EXPECT_GT(shares.admissible, 10);
}

}  // namespace
}  // namespace normcheck
