// The report as workflow commands of GitHub Actions, which shows them beside the run and on the pull request (the first
// ten of each kind and step). Source:
// https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions.
#include <fmt/format.h>

#include "reports/escape.hpp"
#include "reports/problems.hpp"
#include "reports/summary.hpp"
#include "reports/verdict.hpp"
#include "reports/writers.hpp"

namespace normcheck {
namespace {

std::string escape_data(std::string_view text) {
    std::string result;
    for (const char one : text) {
        if (one == '%' || one == '\r' || one == '\n')
            result += fmt::format("%{:02X}", one);
        else
            result += one;
    }
    return result;
}

/// A property ends at a comma or colon.
std::string escape_property(std::string_view text) {
    std::string result;
    for (const char one : escape_data(text)) {
        if (one == ',' || one == ':')
            result += fmt::format("%{:02X}", one);
        else
            result += one;
    }
    return result;
}

std::string command(const char* level, const std::string& title, const std::string& message) {
    return fmt::format("::{} title={}::{}\n", level, escape_property(title), escape_data(message));
}

std::string annotation(const Problem& problem) {
    std::string message = problem.message;
    if (!problem.place.empty()) message += fmt::format(" ({})", problem.place);
    if (!problem.case_line.empty()) message += '\n' + rerun_command(problem.case_line, problem.options);
    return command(problem.counts ? "error" : "warning", problem.subject, message);
}

}  // namespace

std::string to_annotations(const Report& raw) {
    const Report report = printable(raw);
    std::string result = command(exit_status(report) == 0 ? "notice" : "error", "normcheck",
                                 verdict_sentence(report) + '\n' + counts_sentence(report));
    for (const Problem& problem : problems_of(report)) result += annotation(problem);
    if (const int64_t more = findings_left_out(report); more > 0)
        result += command("notice", "normcheck", fmt::format("{} more findings are counted and not shown", more));
    return result;
}

}  // namespace normcheck
