// What each fuzzed parser provides.
#pragma once

#include <string>
#include <string_view>

namespace normcheck {

/// Reads the input, prints what was read, and reads that again. Says what differs; empty where nothing does, or where
/// the input was refused with an InputError. Anything else that is thrown is left to end the process.
std::string round_trip(std::string_view input);

}  // namespace normcheck
