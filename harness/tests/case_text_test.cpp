// The text form of a case: canonical spelling, inverse of parsing, and refusals that name the word.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "harness/cases/case.hpp"
#include "harness/cases/fills.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

std::string reprinted(std::string_view line) {
    return print(parse_case(line));
}

std::string complaint(std::string_view line) {
    try {
        parse_case(line);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no complaint";
}

void expect_complaint(std::string_view line, std::string_view part) {
    EXPECT_NE(complaint(line).find(part), std::string::npos) << line << " -> " << complaint(line);
}

TEST(CaseText, TheCanonicalLineComesBack) {
    for (const char* line :
         {"kernel=cpu/rms eps=1e-05 x=bf16 rows=4 cols=768 fill=eps_grid gamma_fill=ones seed=7 pitch=3",
          "kernel=k layer apply=folded cols=5 fill=spike:3000:1 beta_fill=absent threads=2",
          "layer beta=add rows=0 cols=0 stride=2 offset=1 alias=y_is_x position=12",
          "x=f16 fill=bits:3c00,fc00 gamma_fill=bits:0001", ""}) {
        EXPECT_EQ(reprinted(line), line);
    }
}

TEST(CaseText, WordsMayStandInAnyOrderAndAreRespelled) {
    EXPECT_EQ(reprinted("cols=8  x=bf16 rms eps=0.00001 kernel=a \t rows=01"), "kernel=a rms eps=1e-05 x=bf16 cols=8");
    EXPECT_EQ(reprinted("kernel=a norm=layer reduce=lanes:08"), "kernel=a layer reduce=lanes:8");
}

TEST(CaseText, DefaultsAreLeftOutButOverridesAreKept) {
    EXPECT_EQ(reprinted("kernel=a rows=1 cols=1 fill=gaussian gamma_fill=random seed=1 stride=1 alias=none eps=1e-6"),
              "kernel=a eps=1e-06");
}

TEST(CaseText, FieldsAreReadIntoTheirPlaces) {
    const Case c = parse_case(
        "kernel=k rows=2 cols=3 fill=ramp seed=18446744073709551615 pitch=4 stride=5 offset=6 "
        "alias=residual_out_is_residual threads=7 position=8 residual_fill=zeros");
    EXPECT_EQ(c, (Case{"k",
                       "",
                       2,
                       3,
                       {"ramp", {}},
                       {"random", {}},
                       {"random", {}},
                       {"zeros", {}},
                       ~uint64_t{0},
                       4,
                       5,
                       6,
                       Alias::residual_out_is_residual,
                       7,
                       8}));
}

TEST(CaseText, InlineValuesAreRoundedOnceToTheTensorsFormatAndPrintAsBits) {
    EXPECT_EQ(reprinted("x=bf16 params=f32 fill=values:1,2,-3.5 gamma_fill=values:1,-0"),
              "x=bf16 params=f32 fill=bits:3f80,4000,c060 gamma_fill=bits:3f800000,80000000");
    EXPECT_EQ(reprinted("x=f16 fill=values:nan,-inf,1e9"), "x=f16 fill=bits:7e00,fc00,7c00");
    // Just above the midpoint of 1 and the next f16, by less than f64 can tell: rounding twice would give 3c00.
    EXPECT_EQ(reprinted("x=f16 fill=values:1.00048828125000000000000000000000001"), "x=f16 fill=bits:3c01");
}

TEST(CaseText, ColsAreAsManyAsInlineValuesWhereTheTextNamesNone) {
    EXPECT_EQ(parse_case("fill=values:1,2,3").cols, 3);
    EXPECT_EQ(parse_case("fill=values:1,2,3 cols=7").cols, 7);
    EXPECT_EQ(reprinted("fill=bits:00000000,00000001 cols=7"), "cols=7 fill=bits:00000000,00000001");
}

TEST(CaseText, RefusalsNameTheWord) {
    expect_complaint("rows=-1", "rows=-1: expected a whole number from 0 to 2147483648");
    expect_complaint("cols=2147483649", "cols=2147483649");
    expect_complaint("cols=3x", "cols=3x");
    expect_complaint("stride=0", "stride=0: expected a whole number from 1");
    expect_complaint("threads=0", "threads=0");
    expect_complaint("seed=-1", "seed=-1");
    expect_complaint("colour=red", "'colour=red': unknown word");
    expect_complaint("hello", "'hello': unknown word");
    expect_complaint("rows=1 rows=2", "'rows=2': the key rows stands twice");
    expect_complaint("rms layer", "'rms' and 'layer'");
    expect_complaint("alias=both", "alias=both: expected none");
    expect_complaint("kernel=", "kernel=: expected");
}

TEST(CaseText, RefusalsNameFillsAndInlineValues) {
    expect_complaint("fill=gausian", "fill=gausian: no such fill; expected one of gaussian");
    expect_complaint("fill=absent", "fill=absent: no such fill");
    expect_complaint("gamma_fill=gaussian", "gamma_fill=gaussian: no such fill; expected one of random");
    expect_complaint("fill=spike:1:2:3", "too many parameters; spike takes VALUE:REST");
    expect_complaint("fill=spike:one", "one");
    expect_complaint("fill=constant:inf", "'inf' is not a finite number");
    expect_complaint("x=f16 fill=bits:13c00", "'13c00' does not fit f16");
    expect_complaint("fill=bits:xyz", "'xyz' is not a bit pattern");
    expect_complaint("fill=bits:", "'' is not a bit pattern");
    expect_complaint("fill=values:1,,2", "''");
    expect_complaint("cols=2 gamma_fill=values:1,2,3", "gamma_fill: 3 inline values, but cols=2");
}

TEST(CaseText, OverridesAreCheckedWordByWordUnderAKernelAndWholeWithoutOne) {
    EXPECT_EQ(reprinted("kernel=k apply=folded"), "kernel=k apply=folded");
    expect_complaint("apply=folded", "layer");
    expect_complaint("kernel=k apply=bent", "bent");
    expect_complaint("kernel=k eps=-1", "-1");
    expect_complaint("kernel=k x=f33", "f33");
}

// Cases by construction: every draw is valid, so nothing is discarded.
constexpr const char* override_lists[] = {"",
                                          "x=bf16",
                                          "layer beta=add x=f16",
                                          "eps=1e-05 gamma=one_plus x=f64",
                                          "eps=0 params=f16",
                                          "layer variance=welford"};
constexpr const char* gamma_names[] = {"random", "absent", "ones", "with_zeros"};

template <typename List>
auto drawn(const List& list) {
    return list[*rc::gen::inRange<size_t>(0, std::size(list))];
}

int64_t drawn_extent() {
    return *rc::gen::element<int64_t>(0, 1, 3, 128, largest_extent);
}

Source drawn_source(FormatId id, int64_t cols, const std::string& fill) {
    const auto count = *rc::gen::inRange<int64_t>(0, std::min<int64_t>(cols, 4) + 1);
    Source source;
    for (int64_t i = 0; i < count; ++i)
        source.bits.push_back(*rc::gen::arbitrary<uint64_t>() >> (64 - format(id).bits()));
    if (source.bits.empty()) source.fill = fill;
    return source;
}

void draw_sources(Case& c) {
    const FormatId x = x_format(c.overrides);
    const FormatId params = params_format(c.overrides);
    c.x = drawn_source(x, c.cols, drawn(fills()).name);
    c.residual = drawn_source(x, c.cols, *rc::gen::element<std::string>("gaussian", "spike:3000:1", "ramp:-1:0x1p-3"));
    c.gamma = drawn_source(params, c.cols, drawn(gamma_names));
    c.beta = drawn_source(params, c.cols, drawn(parameter_fills()).name);
}

void draw_call(Case& c) {
    c.pitch = drawn_extent();
    c.stride = 1 + drawn_extent() / 2;
    c.offset = drawn_extent();
    c.alias = *rc::gen::element(Alias::none, Alias::y_is_x, Alias::residual_out_is_residual);
    c.threads = *rc::gen::inRange(1, 9);
    c.position = *rc::gen::element<int64_t>(0, 5, largest_position);
    c.seed = *rc::gen::arbitrary<uint64_t>();
}

RC_GTEST_PROP(CaseTextProperty, ParsingWhatWasPrintedGivesTheCaseBack, ()) {
    Case c;
    c.kernel = *rc::gen::element<std::string>("", "cpu/rms", "python:a.b");
    c.overrides = drawn(override_lists);
    c.rows = drawn_extent();
    c.cols = drawn_extent();
    draw_sources(c);
    draw_call(c);
    RC_ASSERT(parse_case(print(c)) == c);
    RC_ASSERT(print(parse_case(print(c))) == print(c));
}

}  // namespace
}  // namespace normcheck
