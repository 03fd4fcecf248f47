// What it costs to call a kernel in a host process instead of this one: a batch of rows through the whole check, and
// the call alone.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/bench/measure.hpp"
#include "oracles/format.hpp"
#include "reports/layout.hpp"
#include "reports/record.hpp"

namespace normcheck {

/// Wall time of one batch of rows of one kernel. Both processes are on the one core that the bench is on, so that it is
/// the time that both take together.
struct IsolationCost {
    std::string kernel;
    FormatId format;
    int64_t rows, cols;
    double wanted;           // added share of the check, at most
    Timing bare[2] = {};     // the kernel on buffers that are there: here, and in a host, with copies to it and back
    Timing call[2] = {};     // guarded buffers, the call, and all looked at: here, and in a host
    Timing check[2] = {};    // inputs made, the call, and all outputs judged: here, and in a host
    Timing round_trip = {};  // a hosted call of no rows, less than a row of which is copied
    double added = 0;        // share that a host adds to the check: the median over pairs measured one after the other

    bool met() const { return added <= wanted; }
};

/// Starts hosts of built-in kernels. Throws InputError where it cannot.
std::vector<IsolationCost> measure_isolation(const MeasureOptions& options);

std::string isolation_text(const std::vector<IsolationCost>& costs, bool judged, const Page& page);
nlohmann::json isolation_json(const std::vector<IsolationCost>& costs, const Context& context);

}  // namespace normcheck
