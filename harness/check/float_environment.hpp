// The floating-point environment round a kernel's call and round the loading of a library: a library that was built
// with -ffast-math sets flush-to-zero when it is loaded, in the thread that loads it and in those made later.
#pragma once

#include <cstdint>
#include <string>

namespace normcheck {

/// The part of the environment that decides results: MXCSR and the x87 control word, or elsewhere the rounding
/// direction of <cfenv>.
struct FloatEnvironment {
    uint32_t vector = 0;
    uint16_t x87 = 0;
    bool operator==(const FloatEnvironment&) const = default;
};

/// Round to nearest, subnormals kept, all exceptions masked.
FloatEnvironment default_float_environment();
/// Of the calling thread, without the exceptions that have been raised.
FloatEnvironment float_environment();
void set_float_environment(const FloatEnvironment& environment);

/// What differs from the default, in words: "flush-to-zero, rounding direction"; empty where nothing does.
std::string unusual_parts(const FloatEnvironment& environment);

/// Sets the default environment, and the one it found again when it goes out of scope.
class DefaultFloatEnvironment {
  public:
    DefaultFloatEnvironment() : found_(float_environment()) { set_float_environment(default_float_environment()); }
    ~DefaultFloatEnvironment() { set_float_environment(found_); }
    DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
    DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;

  private:
    FloatEnvironment found_;
};

}  // namespace normcheck
