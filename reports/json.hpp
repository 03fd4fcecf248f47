// The report as JSON, one record schema (schema.json). Measured numbers are hex floats in strings, so they are exact
// and Inf and NaN are legal; keys are sorted, so that equal reports are equal texts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "reports/record.hpp"

namespace normcheck {

/// The report as a document of schema.json; verdicts and exit status are added.
nlohmann::json to_json(const Report& report);
/// The document as text, as json_text.hpp lays it out.
std::string to_json_text(const Report& report);

/// Reads a document back. The verdicts and the exit status in it follow from the rest and must agree with it. Throws
/// InputError with the file's name, the path of the place that is wrong and what was expected there.
Report from_json(const nlohmann::json& document, std::string_view file = "report");
/// The same from text; bytes that are not JSON are refused likewise, by line and column.
Report parse_report(std::string_view text, std::string_view file = "report");

}  // namespace normcheck
