// JSON as text that people can read and diff: an object or array without further ones inside stands on one line where
// it fits, all else is indented by two spaces.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace normcheck {

/// The document in ASCII (what else a string holds is escaped), ending with a newline.
std::string json_text(const nlohmann::json& document);

/// The document on one line, without a newline at the end.
std::string json_line(const nlohmann::json& document);

}  // namespace normcheck
