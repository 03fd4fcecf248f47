// Selection of cases, and from results to records; see property_stage.hpp.
#include "harness/properties/property_stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/cases/random.hpp"
#include "oracles/text.hpp"
#include "reports/collect.hpp"

namespace normcheck {
namespace {

// Most properties make several calls of the case, so it has to be small; what they find seldom takes a large one.
// With about three properties a case, `verify` takes about a quarter longer than without.
constexpr int64_t cases_per_job = 64;
constexpr int64_t properties_per_case = 3;
constexpr int64_t most_columns = 1025;
constexpr int64_t most_elements = 2048;

bool is_small(const Case& c) {
    return c.rows > 0 && c.cols > 0 && c.cols <= most_columns && c.rows * c.cols <= most_elements;
}

/// Where a case stands in its job; not_asked where properties are not asked of it.
constexpr int64_t not_asked = -1;

/// Chooses small cases of the job at even distances, cases_per_job of them, and appends a place for each of its cases.
void select(const Job& job, std::vector<int64_t>& places) {
    std::vector<int64_t> small;
    for (int64_t i = 0; i < std::ssize(job.cases); ++i)
        if (is_small(job.cases[static_cast<size_t>(i)])) small.push_back(i);
    const size_t first = places.size();
    places.resize(first + job.cases.size(), not_asked);
    const int64_t number = std::min(cases_per_job, std::ssize(small));
    for (int64_t i = 0; i < number; ++i) {
        const int64_t chosen = small[static_cast<size_t>(i * std::ssize(small) / number)];
        places[first + static_cast<size_t>(chosen)] = chosen;
    }
}

/// Whether the case at that place is asked this one, the `number`-th of `asked`. Drawn, because plans go round their
/// lists; the draw knows nothing of other jobs, so that a kernel is asked the same whatever runs beside it.
bool is_drawn(FormatId format, int64_t place, int64_t number, int64_t asked) {
    const uint64_t one_in = static_cast<uint64_t>(std::max<int64_t>(1, asked / properties_per_case));
    const uint64_t stream = static_cast<uint64_t>(number) + 1000 * static_cast<uint64_t>(format);
    return random_value(1, stream, static_cast<uint64_t>(place)) % one_in == 0;
}

/// By case index over all jobs.
std::vector<int64_t> selection(std::span<const Job> jobs) {
    std::vector<int64_t> places;
    for (const Job& job : jobs) select(job, places);
    return places;
}

void record_violation(Report& report, const Job& job, const Case& c, int64_t index, const PropertyInfo& property,
                      const std::string& reason) {
    const std::string rule = fmt::format("property {}", property.name);
    add_broken_rule(kernel_report(report, job.kernel->name, job.format, ""), rule);
    Finding finding;
    finding.kernel = job.kernel->name;
    finding.format = job.format;
    finding.case_line = print(c);
    finding.case_index = index;
    finding.reason = fmt::format("{}: {}", rule, reason);
    add_finding(report, std::move(finding));
}

}  // namespace

std::vector<const PropertyInfo*> read_properties(const std::string& list) {
    std::vector<const PropertyInfo*> chosen;
    if (list == "none") return chosen;
    std::vector<std::string_view> names;
    if (list != "all") names = split(list, ',');
    for (const std::string_view name : names) property_named(name);
    for (const PropertyInfo& info : properties())
        if (list == "all" || std::ranges::find(names, std::string_view(info.name)) != names.end())
            chosen.push_back(&info);
    return chosen;
}

void record(Report& report, const Job& job, const Case& c, int64_t index, const PropertyInfo& property,
            const PropertyResult& answer) {
    PropertyCounts& counts = kernel_report(report, job.kernel->name, job.format, "").properties[property.name];
    switch (answer.status) {
        case PropertyResult::Status::held:
            ++counts.held;
            return;
        case PropertyResult::Status::not_applicable:
            ++counts.not_applicable;
            return;
        case PropertyResult::Status::violated:
            ++counts.violated;
            record_violation(report, job, c, index, property, answer.reason);
            return;
    }
}

AfterCase property_stage(std::span<const Job> jobs, std::vector<const PropertyInfo*> asked) {
    if (asked.empty()) return {};
    return [selected = selection(jobs), asked = std::move(asked)](Report& report, const Job& job, const Case& c,
                                                                  int64_t index) {
        const int64_t place = selected[static_cast<size_t>(index)];
        if (place == not_asked) return;
        for (int64_t i = 0; i < std::ssize(asked); ++i) {
            if (!is_drawn(job.format, place, i, std::ssize(asked))) continue;
            const PropertyInfo& property = *asked[static_cast<size_t>(i)];
            record(report, job, c, index, property, property.check(*job.kernel, c));
        }
    };
}

}  // namespace normcheck
