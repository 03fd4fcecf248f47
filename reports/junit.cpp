// The report as JUnit XML, in the form that continuous integration reads: a suite per kernel and format, with a test
// case for its calls, one for whether any row passes, one per regime, and one per change. What proves nothing is
// skipped, never passed.
#include <fmt/format.h>

#include <algorithm>

#include "reports/collect.hpp"
#include "reports/escape.hpp"
#include "reports/numbers.hpp"
#include "reports/summary.hpp"
#include "reports/verdict.hpp"
#include "reports/writers.hpp"

namespace normcheck {
namespace {

enum class Outcome : uint8_t { passed, failed, skipped };

struct TestCase {
    std::string name{};
    Outcome outcome = Outcome::passed;
    std::string type{};     // of the failure
    std::string message{};  // why it failed or was skipped
    std::string details{};
};

std::string details_of(const Report& report, const std::vector<const Finding*>& findings) {
    std::string result;
    for (const Finding* one : findings) {
        result += fmt::format("{}: {}", one->reason, place_of(*one));
        if (one->numbers) result += "\n  " + numbers_of(*one);
        result += "\n  " + rerun_command(one->case_line, options_of(report, *one)) + '\n';
    }
    return result;
}

std::vector<const Finding*> findings_in(const Report& report, const KernelReport& kernel,
                                        std::optional<Regime> regime) {
    std::vector<const Finding*> result = findings_of(report, kernel);
    std::erase_if(result, [&](const Finding* one) { return one->regime != regime; });
    return result;
}

/// Whether some finding fails, or is suspect and must not be.
bool any_counts(const Report& report, const std::vector<const Finding*>& findings) {
    return std::ranges::any_of(findings, [&](const Finding* one) {
        return one->verdict == Verdict::fail || (report.strict && one->verdict == Verdict::suspect);
    });
}

TestCase calls_case(const Report& report, const KernelReport& kernel) {
    const std::vector<const Finding*> found = findings_in(report, kernel, std::nullopt);
    const bool failed = any_counts(report, found) || !kernel.broken_rules.empty();
    if (failed)
        return {"calls", Outcome::failed, "fail", found.empty() ? kernel.broken_rules.begin()->first : found[0]->reason,
                details_of(report, found)};
    if (kernel.cases == 0) return {"calls", Outcome::skipped, "", "no case ran", ""};
    return {"calls"};
}

TestCase regime_case(const Report& report, const KernelReport& kernel, const RegimeInfo& info) {
    const Cell& cell = kernel.cells[static_cast<size_t>(info.regime)];
    const std::string title = fmt::format("{} rows", info.name);
    const std::vector<const Finding*> found = findings_in(report, kernel, info.regime);
    const int64_t failed = count(cell.rows, Verdict::fail), suspect = count(cell.rows, Verdict::suspect);
    if (failed > 0 || any_counts(report, found))
        return {title, Outcome::failed, "fail", fmt::format("{} of {} rows fail", failed, row_count(cell)),
                details_of(report, found)};
    if (report.strict && suspect > 0)
        return {title, Outcome::failed, "suspect", fmt::format("{} of {} rows are suspect", suspect, row_count(cell)),
                ""};
    if (row_count(cell) == 0) return {title, Outcome::skipped, "", "no rows", ""};
    if (count(cell.rows, Verdict::pass) + suspect == 0)
        return {title, Outcome::skipped, "", "all rows are outside or doubtful: nothing is proven", ""};
    return {title};
}

TestCase change_case(const Change& change, const std::string& options) {
    const std::string title = fmt::format("change: {}", change.regime ? name(*change.regime) : "kernel");
    const bool worse = change.trend == Trend::worse;
    return {title, worse ? Outcome::failed : Outcome::passed, "worse", change.what,
            worse && !change.case_line.empty() ? rerun_command(change.case_line, options) + '\n' : ""};
}

std::vector<TestCase> change_cases(const Report& report, const KernelReport& kernel) {
    std::vector<TestCase> cases;
    for (const Change& one : report.changes)
        if (one.kernel == kernel.kernel && one.format == kernel.format)
            cases.push_back(change_case(one, kernel.options));
    return cases;
}

std::vector<TestCase> cases_of(const Report& report, const KernelReport& kernel) {
    std::vector<TestCase> cases{calls_case(report, kernel)};
    const std::vector<std::string> without = kernels_without_pass(report);
    TestCase& passes = cases.emplace_back(TestCase{"a row passes"});
    if (std::ranges::find(without, kernel.kernel) != without.end())
        passes = {"a row passes", Outcome::failed, "unproven", "no row of the kernel passes in any format", ""};
    for (const RegimeInfo& info : regimes()) cases.push_back(regime_case(report, kernel, info));
    for (TestCase& change : change_cases(report, kernel)) cases.push_back(std::move(change));
    return cases;
}

/// The kernels and formats that a comparison misses: only changes tell of them.
std::vector<KernelReport> missing_kernels(const Report& report) {
    std::vector<KernelReport> result;
    for (const Change& one : report.changes) {
        if (find_record(report.kernels, one.kernel, one.format) || find_record(result, one.kernel, one.format))
            continue;
        result.emplace_back().kernel = one.kernel;
        result.back().format = one.format;
    }
    return result;
}

std::string case_xml(const TestCase& test, const std::string& class_name) {
    const std::string head =
        fmt::format("    <testcase classname=\"{}\" name=\"{}\"", escape_html(class_name), escape_html(test.name));
    switch (test.outcome) {
        case Outcome::passed:
            break;
        case Outcome::failed:
            return fmt::format("{}>\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n", head,
                               test.type, escape_html(test.message), escape_html(test.details));
        case Outcome::skipped:
            return fmt::format("{}>\n      <skipped message=\"{}\"/>\n    </testcase>\n", head,
                               escape_html(test.message));
    }
    return head + "/>\n";
}

struct Tally {
    size_t tests = 0, failures = 0, skipped = 0;
    void add(const std::vector<TestCase>& cases) {
        tests += cases.size();
        failures += static_cast<size_t>(std::ranges::count(cases, Outcome::failed, &TestCase::outcome));
        skipped += static_cast<size_t>(std::ranges::count(cases, Outcome::skipped, &TestCase::outcome));
    }
    std::string attributes() const {
        return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\"", tests, failures, skipped);
    }
};

std::string suite_xml(const KernelReport& kernel, const std::vector<TestCase>& cases, Tally& all) {
    Tally own;
    own.add(cases);
    all.add(cases);
    const std::string format_name = format(kernel.format).name;
    std::string result =
        fmt::format("  <testsuite name=\"{} {}\" {}>\n", escape_html(kernel.kernel), format_name, own.attributes());
    result += fmt::format("    <properties>\n      <property name=\"contract\" value=\"{}\"/>\n    </properties>\n",
                          escape_html(kernel.contract));
    for (const TestCase& test : cases) result += case_xml(test, fmt::format("{}.{}", kernel.kernel, format_name));
    return result + "  </testsuite>\n";
}

}  // namespace

std::string to_junit(const Report& raw) {
    const Report report = printable(raw);
    Tally all;
    std::string suites;
    for (const KernelReport& kernel : report.kernels) suites += suite_xml(kernel, cases_of(report, kernel), all);
    for (const KernelReport& kernel : missing_kernels(report))
        suites += suite_xml(kernel, change_cases(report, kernel), all);
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"normcheck\" {} "
        "time=\"{:.3f}\">\n{}</testsuites>\n",
        all.attributes(), report.context.seconds, suites);
}

}  // namespace normcheck
