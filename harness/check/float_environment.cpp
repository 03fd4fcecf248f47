// MXCSR and the x87 control word on x86, <cfenv> elsewhere. Bits: Intel 64 and IA-32 Architectures Software Developer's
// Manual, volume 1, sections 8.1.5 and 10.2.3.
#include "harness/check/float_environment.hpp"

#include <cfenv>
#include <span>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace normcheck {
namespace {

struct Part {
    uint32_t bits;
    const char* name;
};

std::string names_of(uint32_t difference, std::span<const Part> parts) {
    std::string names;
    for (const Part& part : parts)
        if ((difference & part.bits) != 0) names += (names.empty() ? "" : ", ") + std::string(part.name);
    return names;
}

std::string joined(const std::string& a, const std::string& b) {
    return a.empty() || b.empty() ? a + b : a + ", " + b;
}

}  // namespace

#if defined(__x86_64__)

namespace {

constexpr uint32_t raised_exceptions = 0x3f;
constexpr Part vector_parts[] = {{0x8000, "flush-to-zero"},
                                 {0x0040, "denormals-are-zero"},
                                 {0x6000, "rounding direction"},
                                 {0x1f80, "unmasked exceptions"}};
constexpr Part x87_parts[] = {
    {0x0300, "x87 precision"}, {0x0c00, "x87 rounding direction"}, {0x003f, "x87 unmasked exceptions"}};
constexpr uint32_t x87_decisive = 0x0f3f;  // the other bits are reserved, or decide nothing any more

}  // namespace

FloatEnvironment default_float_environment() {
    return {0x1f80, 0x033f};
}

FloatEnvironment float_environment() {
    uint16_t control = 0;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    return {_mm_getcsr() & ~raised_exceptions, static_cast<uint16_t>(control & x87_decisive)};
}

void set_float_environment(const FloatEnvironment& environment) {
    uint16_t control = 0;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    control = static_cast<uint16_t>((control & ~x87_decisive) | environment.x87);
    __asm__ volatile("fldcw %0" : : "m"(control));
    _mm_setcsr(environment.vector);
}

#else

namespace {

constexpr Part vector_parts[] = {{~0U, "rounding direction"}};
constexpr std::span<const Part> x87_parts;

}  // namespace

FloatEnvironment default_float_environment() {
    return {static_cast<uint32_t>(FE_TONEAREST), 0};
}

FloatEnvironment float_environment() {
    return {static_cast<uint32_t>(std::fegetround()), 0};
}

// The default of <cfenv> also undoes what the rounding direction does not tell, such as flush-to-zero.
void set_float_environment(const FloatEnvironment& environment) {
    std::fesetenv(FE_DFL_ENV);
    std::fesetround(static_cast<int>(environment.vector));
}

#endif

std::string unusual_parts(const FloatEnvironment& environment) {
    const FloatEnvironment usual = default_float_environment();
    return joined(names_of(environment.vector ^ usual.vector, vector_parts),
                  names_of(static_cast<uint32_t>(environment.x87 ^ usual.x87), x87_parts));
}

}  // namespace normcheck
