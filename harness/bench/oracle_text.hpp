// What `bench oracle` found, as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "harness/bench/oracle_costs.hpp"
#include "reports/layout.hpp"
#include "reports/record.hpp"

namespace normcheck {

/// Three tables (rms, layer, f64), and the targets; `judged`: whether the costs are held to them.
std::string oracle_text(std::span<const OracleCosts> costs, bool judged, const Page& page);

/// Keys: schema, context, settings (norm, format, cols, kernel, contract, seconds per row and spread of every
/// competitor, ratios, elements judged and undecided), targets. Numbers are plain JSON numbers.
nlohmann::json oracle_json(std::span<const OracleCosts> costs, const Context& context);

}  // namespace normcheck
