// A search with a fuzz target, for other verbs.
#pragma once

#include <cstdint>
#include <string>

#include "harness/cli/fuzz_jobs.hpp"
#include "harness/cli/outside_options.hpp"

namespace normcheck {

/// The ways to search, as `fuzz --engine` names them.
constexpr const char* fuzz_engines[] = {"guided", "unguided", "random"};

/// One process that begins with an empty corpus and keeps nothing, until it finds something or the time is up. Throws
/// InputError where there is no fuzz target or the process cannot run. `kernel` is its name; one from
/// outside is among `outside`.
FuzzLog search_afresh(const std::string& kernel, const std::string& engine, double seconds, uint32_t seed,
                      const OutsideOptions& outside);

}  // namespace normcheck
