// Describes this machine and build. What cannot be found out is called "unknown".
#include "reports/context.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <thread>

namespace normcheck {
namespace {

std::string cpu_model() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown";
}

std::string compiler() {
#if defined(__clang__)
    return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
    return fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
    return "unknown";
#endif
}

std::string utc_now() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace

Context make_context(std::optional<uint64_t> seed, const std::string& command) {
    Context context;
    context.version = NORMCHECK_VERSION;
    context.cpu = cpu_model();
    context.cores = static_cast<int>(std::thread::hardware_concurrency());
    context.compiler = compiler();
    context.flags = NORMCHECK_FLAGS;
    context.seed = seed;
    context.command = command;
    context.started = utc_now();
    return context;
}

}  // namespace normcheck
