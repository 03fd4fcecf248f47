// Every engine is a source of cases; the first finding ends the search.
#include "harness/detect/detect.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "harness/check/check.hpp"
#include "harness/check/minimize.hpp"
#include "harness/check/run_plan.hpp"
#include "harness/host/hosted_call.hpp"
#include "harness/properties/properties.hpp"
#include "harness/properties/property_stage.hpp"
#include "reports/finding_order.hpp"

namespace normcheck {
namespace {

using Clock = std::chrono::steady_clock;

struct Search {
    const nc_kernel& kernel;
    DetectOptions options;
    Clock::time_point begin = Clock::now();
    Detection found{};

    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin).count(); }
    bool is_over() const { return found.caught || seconds() > options.seconds; }
    void keep(std::string kind, const Case& c) {
        found.caught = true;
        found.kind = std::move(kind);
        found.first = c;
    }
};

/// What `verify` does, until it finds something.
void run_verify(Search& search, const char* asked) {
    const std::vector<Job> jobs = planned_jobs(search.kernel, {.seed = search.options.seed});
    RunOptions options;
    options.stop_at_failure = true;
    options.time_limit_seconds = search.options.seconds;
    options.after_case = property_stage(jobs, read_properties(asked));
    const Report report = run_plan(jobs, options);
    for (const KernelReport& kernel : report.kernels) search.found.cases += kernel.cases;
    for (const Finding& finding : report.findings)
        if (finding.verdict == Verdict::fail)
            return search.keep(kind_of_reason(finding.reason), parse_case(finding.case_line));
}

/// The name of a property in a kind of finding; empty where there is none.
std::string_view property_in(std::string_view kind) {
    constexpr std::string_view word = "property ";
    return kind.starts_with(word) ? kind.substr(word.size()) : "";
}

bool violates(const nc_kernel& kernel, const PropertyInfo& property, const Case& c) {
    return property.check(kernel, c).status == PropertyResult::Status::violated;
}

void run_properties(Search& search) {
    constexpr int64_t most_elements = 2048;
    for (const Job& job : planned_jobs(search.kernel, {.seed = search.options.seed})) {
        for (const Case& c : job.cases) {
            if (c.rows * c.cols > most_elements) continue;
            ++search.found.cases;
            for (const PropertyInfo& property : properties()) {
                if (search.is_over()) return;
                if (violates(search.kernel, property, c)) search.keep(std::string("property ") + property.name, c);
            }
        }
    }
}

void shrink(Search& search) {
    const host::ShortCalls short_calls;
    const std::string_view property = property_in(search.found.kind);
    const auto shows = [&](const Case& c) {
        return property.empty() ? kind_of_finding(search.kernel, c) == search.found.kind
                                : violates(search.kernel, property_named(property), c);
    };
    if (shows(search.found.first)) search.found.smallest = minimize(search.kernel, search.found.first, shows).smallest;
}

}  // namespace

Detection detect(const nc_kernel& kernel, const DetectOptions& options) {
    Search search{kernel, options};
    switch (options.engine) {
        case DetectEngine::verify:
            run_verify(search, "all");
            while (options.retry && !search.is_over()) {
                ++search.options.seed;
                run_verify(search, "all");
            }
            break;
        case DetectEngine::cases:
            run_verify(search, "none");
            break;
        case DetectEngine::properties:
            run_properties(search);
            break;
    }
    search.found.seconds = search.seconds();
    search.found.smallest = search.found.first;
    if (search.found.caught && options.minimize) shrink(search);
    return search.found;
}

}  // namespace normcheck
