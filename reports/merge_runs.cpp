// Several reports as one; see merge_runs.hpp.
#include "reports/merge_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "oracles/error.hpp"
#include "reports/collect.hpp"
#include "reports/escape.hpp"

namespace normcheck {
namespace {

/// Different texts one after the other, the same one once.
void join(std::string& into, const std::string& from) {
    if (into != from) into += "; " + from;
}

void join(Context& into, const Context& from) {
    join(into.version, from.version);
    join(into.cpu, from.cpu);
    join(into.compiler, from.compiler);
    join(into.flags, from.flags);
    join(into.command, from.command);
    into.cores = std::max(into.cores, from.cores);
    into.started = std::min(into.started, from.started);
    into.seconds += from.seconds;
    if (into.seed != from.seed) into.seed.reset();
}

void require_two_runs(const NamedReport& a, const NamedReport& b) {
    if (a.report == b.report)
        throw InputError(
            fmt::format("{} and {} are the same run; expected each run once", printable(a.name), printable(b.name)));
}

void require_one_contract(const NamedReport& a, const NamedReport& b) {
    for (const KernelReport& one : a.report.kernels)
        for (const KernelReport& other : b.report.kernels)
            if (one.kernel == other.kernel && one.format == other.format && one.contract != other.contract)
                throw InputError(fmt::format("{} has another contract in {} than in {}: expected '{}', found '{}'",
                                             printable(one.kernel), printable(b.name), printable(a.name),
                                             printable(one.contract), printable(other.contract)));
}

}  // namespace

Report merge_runs(std::vector<NamedReport> reports) {
    require(!reports.empty(), "there is a report to merge");
    int64_t cap = 0;
    for (size_t i = 0; i < reports.size(); ++i) {
        cap = std::max(cap, reports[i].report.finding_cap);
        for (size_t j = 0; j < i; ++j) {
            require_two_runs(reports[j], reports[i]);
            require_one_contract(reports[j], reports[i]);
        }
    }
    Report result = std::move(reports[0].report);
    result.finding_cap = cap;
    for (NamedReport& next : std::span(reports).subspan(1)) {
        next.report.finding_cap = cap;
        result.strict |= next.report.strict;
        join(result.context, next.report.context);
        merge(result, std::move(next.report));
    }
    return result;
}

}  // namespace normcheck
