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
constexpr int64_t checks_per_job = 3 * cases_per_job;

/// What is small; and what is asked where nothing is, of so few cases that it takes no longer.
struct Extent {
    int64_t cols, elements, elements_in_all;
};
constexpr Extent small{1025, 2048, cases_per_job * 2048};
constexpr Extent larger{4096, 8192, cases_per_job * 1024};

bool fits(const Case& c, const Extent& extent) {
    return c.rows > 0 && c.cols > 0 && c.cols <= extent.cols && c.rows * c.cols <= extent.elements;
}

/// Places of cases of the job at even distances, cases_per_job of them at most, that fit.
std::vector<int64_t> chosen(const Job& job, const Extent& extent) {
    std::vector<int64_t> fitting;
    int64_t largest = 1;
    for (int64_t i = 0; i < std::ssize(job.cases); ++i) {
        const Case& c = job.cases[static_cast<size_t>(i)];
        if (!fits(c, extent)) continue;
        fitting.push_back(i);
        largest = std::max(largest, c.rows * c.cols);
    }
    const int64_t number = std::min({cases_per_job, std::ssize(fitting), extent.elements_in_all / largest});
    std::vector<int64_t> result;
    for (int64_t i = 0; i < number; ++i)
        result.push_back(fitting[static_cast<size_t>(i * std::ssize(fitting) / number)]);
    return result;
}

std::vector<int64_t> chosen(const Job& job) {
    std::vector<int64_t> result = chosen(job, small);
    return result.empty() ? chosen(job, larger) : result;
}

/// What is asked of a case: its place in its job, and about how many checks, 0 where none.
struct Asking {
    int64_t place = 0, checks = 0;
};

/// Whether the case at that place is asked this one, the `number`-th of `asked`. Drawn, because plans go round their
/// lists; the draw knows nothing of other jobs, so that a kernel is asked the same whatever runs beside it.
bool is_drawn(FormatId format, const Asking& asking, int64_t number, int64_t asked) {
    const uint64_t one_in = static_cast<uint64_t>(std::max<int64_t>(1, asked / asking.checks));
    const uint64_t stream = static_cast<uint64_t>(number) + 1000 * static_cast<uint64_t>(format);
    return random_value(1, stream, static_cast<uint64_t>(asking.place)) % one_in == 0;
}

/// By case index over all jobs.
std::vector<Asking> selection(std::span<const Job> jobs) {
    std::vector<Asking> all;
    for (const Job& job : jobs) {
        const size_t first = all.size();
        all.resize(first + job.cases.size());
        const std::vector<int64_t> places = chosen(job);
        for (const int64_t place : places)
            all[first + static_cast<size_t>(place)] = {place, checks_per_job / std::ssize(places)};
    }
    return all;
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
        const Asking& asking = selected[static_cast<size_t>(index)];
        for (int64_t i = 0; asking.checks > 0 && i < std::ssize(asked); ++i) {
            if (!is_drawn(job.format, asking, i, std::ssize(asked))) continue;
            const PropertyInfo& property = *asked[static_cast<size_t>(i)];
            record(report, job, c, index, property, property.check(*job.kernel, c));
        }
    };
}

std::string why_not_asked(std::span<const Job> jobs) {
    std::string names;
    int64_t number = 0;
    for (const Job& job : jobs) {
        if (job.cases.empty() || !chosen(job).empty()) continue;
        if (number++ < 3)
            names += fmt::format("{}{} {}", names.empty() ? "" : ", ", job.kernel->name, format(job.format).name);
    }
    if (number > 3) names += fmt::format(" and {} more", number - 3);
    return names.empty() ? ""
                         : fmt::format(
                               "no property is asked of {}: each of its cases is empty, or has more than {} "
                               "columns or {} elements; `case LINE --properties all` asks one",
                               names, larger.cols, larger.elements);
}

}  // namespace normcheck
