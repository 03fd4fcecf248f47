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

/// Marks small cases of the job at even distances, cases_per_job of them, from `first` on.
void select(const Job& job, std::vector<char>& selected, int64_t first) {
    std::vector<int64_t> small;
    for (int64_t i = 0; i < std::ssize(job.cases); ++i)
        if (is_small(job.cases[static_cast<size_t>(i)])) small.push_back(first + i);
    const int64_t number = std::min(cases_per_job, std::ssize(small));
    for (int64_t i = 0; i < number; ++i)
        selected[static_cast<size_t>(small[static_cast<size_t>(i * std::ssize(small) / number)])] = 1;
}

/// Whether the case is asked this one, the `number`-th of `asked`. Drawn, because plans go round their lists.
bool is_drawn(int64_t index, int64_t number, int64_t asked) {
    const uint64_t one_in = static_cast<uint64_t>(std::max<int64_t>(1, asked / properties_per_case));
    return random_value(1, static_cast<uint64_t>(number), static_cast<uint64_t>(index)) % one_in == 0;
}

/// By case index: whether properties are asked of the case.
std::vector<char> selection(std::span<const Job> jobs) {
    int64_t cases = 0;
    for (const Job& job : jobs) cases += std::ssize(job.cases);
    std::vector<char> selected(static_cast<size_t>(cases));
    int64_t first = 0;
    for (const Job& job : jobs) {
        select(job, selected, first);
        first += std::ssize(job.cases);
    }
    return selected;
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
        if (selected[static_cast<size_t>(index)] == 0) return;
        for (int64_t i = 0; i < std::ssize(asked); ++i) {
            if (!is_drawn(index, i, std::ssize(asked))) continue;
            const PropertyInfo& property = *asked[static_cast<size_t>(i)];
            record(report, job, c, index, property, property.check(*job.kernel, c));
        }
    };
}

}  // namespace normcheck
