// Describes the run that a report is about: version, machine, compiler, flags, command and time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reports/record.hpp"

namespace normcheck {

/// The context of a run that starts now, with the seed of its random inputs if there are any; `seconds` is 0 until the
/// caller sets it at the end.
Context make_context(std::optional<uint64_t> seed, const std::string& command);

}  // namespace normcheck
