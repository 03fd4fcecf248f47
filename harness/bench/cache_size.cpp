// Asks Linux. Not sysconf, which makes out the whole package's cache from the processor's own tables, even on a virtual
// machine that has a small part of it: 384 MiB where the system says 32 MiB.
#include "harness/bench/cache_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace normcheck {
namespace {

constexpr int64_t usual_bytes = int64_t{32} << 20;

/// "32768K", "32M" or "512" in bytes; 0 for anything else.
int64_t size_in_bytes(std::istream& text) {
    int64_t number = 0;
    std::string unit;
    if (!(text >> number)) return 0;
    text >> unit;
    if (unit.empty()) return number;
    return unit == "K" ? number << 10 : unit == "M" ? number << 20 : 0;
}

}  // namespace

int64_t last_cache_bytes() {
    int64_t largest = 0;
    for (int index = 0; index < 8; ++index) {
        std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/size", index));
        largest = std::max(largest, size_in_bytes(file));
    }
    return largest > 0 ? largest : usual_bytes;
}

}  // namespace normcheck
