// Results as JSON files. The fields are explained in README.md beside this file. Equal results give equal bytes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/sweep/result.hpp"

namespace normcheck {

constexpr int sweep_schema = 1;

std::string to_json_text(const SweepResult& result);

/// Throws InputError with `name` and the reason: not a result of a sweep, another schema, damaged.
SweepResult parse_result(std::string_view text, const std::string& name);

/// Throws InputError as parse_result does, and where the file cannot be read.
SweepResult read_result(const std::filesystem::path& file);

}  // namespace normcheck
