// The environment is saved, set and restored, also round the loading of a library that was built with -ffast-math.
#include "harness/check/float_environment.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <limits>

#include "harness/check/check.hpp"
#include "harness/tests/bad_kernels.hpp"

#if defined(NORMCHECK_PLANTED_LIBRARY)
#include <dlfcn.h>
#endif
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace normcheck {
namespace {

/// Puts back what a test has set, also where it fails.
struct Restored {
    FloatEnvironment found = float_environment();
    ~Restored() { set_float_environment(found); }
};

float halved(float value) {
    volatile float operand = value;
    return operand / 2;
}

TEST(FloatEnvironment, the_default_has_no_unusual_parts) {
    EXPECT_EQ(unusual_parts(default_float_environment()), "");
}

TEST(FloatEnvironment, the_default_is_set_and_what_was_found_comes_back) {
    const Restored restored;
    std::fesetround(FE_UPWARD);
    {
        const DefaultFloatEnvironment environment;
        EXPECT_EQ(std::fegetround(), FE_TONEAREST);
        EXPECT_EQ(unusual_parts(float_environment()), "");
    }
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
}

TEST(FloatEnvironment, raised_exceptions_are_no_difference) {
    const Restored restored;
    set_float_environment(default_float_environment());
    std::feraiseexcept(FE_DIVBYZERO | FE_INEXACT);
    EXPECT_EQ(float_environment(), default_float_environment());
    std::feclearexcept(FE_ALL_EXCEPT);
}

#if defined(__x86_64__)

void set_vector_bits(uint32_t bits) {
    _mm_setcsr(_mm_getcsr() | bits);
}

TEST(FloatEnvironment, flushing_is_named_set_off_and_brought_back) {
    const Restored restored;
    set_vector_bits(0x8040);
    EXPECT_EQ(unusual_parts(float_environment()), "flush-to-zero, denormals-are-zero");
    EXPECT_EQ(halved(std::numeric_limits<float>::min()), 0);
    {
        const DefaultFloatEnvironment environment;
        EXPECT_NE(halved(std::numeric_limits<float>::min()), 0);
    }
    EXPECT_EQ(halved(std::numeric_limits<float>::min()), 0);
}

TEST(FloatEnvironment, the_precision_of_the_x87_is_watched_too) {
    const Restored restored;
    FloatEnvironment changed = default_float_environment();
    changed.x87 = 0x003f;
    set_float_environment(changed);
    EXPECT_EQ(unusual_parts(float_environment()), "x87 precision");
}

TEST(FloatEnvironment, a_kernel_that_leaves_flushing_set_is_caught_and_it_is_set_off) {
    const CaseResult result = check_case(flushing_kernel, parse_case("rms cols=8"));
    EXPECT_EQ(result.broken_rules,
              std::vector<std::string>{"the floating-point environment was changed (flush-to-zero)"});
    EXPECT_EQ(unusual_parts(float_environment()), "");
}

// Inputs that are subnormal, outputs that are: eps = 1 and a divisor of about 1 leave x as it is.
TEST(FloatEnvironment, a_kernel_computes_subnormals_though_its_caller_flushes) {
    const Restored restored;
    set_vector_bits(0x8040);
    const Case c = parse_case("rms eps=1 cols=3 fill=bits:00000001,80000007,00400000 gamma_fill=ones");
    const CaseResult result = check_case(honest_kernel, c);
    EXPECT_EQ(unusual_parts(float_environment()), "flush-to-zero, denormals-are-zero");
    EXPECT_EQ(result.rows[0].verdict, Verdict::pass) << result.rows[0].reason;
    EXPECT_EQ(result.outputs.y, (std::vector<uint64_t>{0x00000001, 0x80000007, 0x00400000}));
}

TEST(FloatEnvironment, a_call_alone_sets_it_and_puts_it_back) {
    const Restored restored;
    const Case c = parse_case("rms eps=1 cols=3 fill=bits:00000001,80000007,00400000 gamma_fill=ones");
    const Contract contract = case_contract(&honest_kernel, c);
    set_vector_bits(0x8040);
    const CallResult result = call_kernel(honest_kernel, c, contract, make_inputs(c, contract));
    EXPECT_EQ(unusual_parts(float_environment()), "flush-to-zero, denormals-are-zero");
    EXPECT_EQ(result.broken_rules, std::vector<std::string>{});
    EXPECT_EQ(result.outputs.y, (std::vector<uint64_t>{0x00000001, 0x80000007, 0x00400000}));
}

#endif

TEST(FloatEnvironment, a_kernel_that_leaves_another_rounding_direction_is_caught) {
    const CaseResult result = check_case(rounding_kernel, parse_case("rms cols=8"));
    ASSERT_EQ(result.broken_rules.size(), 1U);
    EXPECT_NE(result.broken_rules[0].find("rounding direction"), std::string::npos);
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(FloatEnvironment, loading_a_fast_math_library_changes_it_and_the_guard_restores_it) {
#if defined(NORMCHECK_PLANTED_LIBRARY)
    const Restored restored;
    void* library = nullptr;
    std::string changes;
    {
        const DefaultFloatEnvironment environment;
        library = dlopen(NORMCHECK_PLANTED_LIBRARY, RTLD_NOW);
        changes = unusual_parts(float_environment());
    }
    ASSERT_NE(library, nullptr) << dlerror();
    const std::string after = unusual_parts(float_environment());
    dlclose(library);
    if (changes.empty()) GTEST_SKIP() << "this g++ links no start-up code into a shared library";
    EXPECT_EQ(changes, "flush-to-zero, denormals-are-zero");
    EXPECT_EQ(after, "");
#else
    GTEST_SKIP() << "no g++ to build the library with";
#endif
}

}  // namespace
}  // namespace normcheck
