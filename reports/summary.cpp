// A whole report in few words; see summary.hpp.
#include "reports/summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/collect.hpp"
#include "reports/escape.hpp"
#include "reports/numbers.hpp"
#include "reports/verdict.hpp"

namespace normcheck {
namespace {

constexpr size_t names_in_sentence = 4;

Verdict verdict_of(const Report& report, const std::string& kernel) {
    Report alone;
    for (const KernelReport& one : report.kernels)
        if (one.kernel == kernel) alone.kernels.push_back(one);
    return verdict(alone);
}

constexpr Verdict gravest_first[] = {Verdict::fail,     Verdict::unsupported, Verdict::outside,
                                     Verdict::doubtful, Verdict::suspect,     Verdict::pass};

std::vector<const KernelFormats*> with_verdict(const std::vector<KernelFormats>& kernels, Verdict verdict) {
    std::vector<const KernelFormats*> result;
    for (const KernelFormats& one : kernels)
        if (one.verdict == verdict) result.push_back(&one);
    return result;
}

/// The kernel, with those of its formats that have the verdict where not all have it.
std::string who(const KernelFormats& kernel, Verdict wanted) {
    std::string formats;
    size_t number = 0;
    for (const KernelReport* one : kernel.formats) {
        if (verdict(*one) != wanted) continue;
        formats += (number++ == 0 ? "" : ", ") + std::string(format(one->format).name);
    }
    return number == kernel.formats.size() ? kernel.kernel : fmt::format("{} ({})", kernel.kernel, formats);
}

std::string name_list(const std::vector<std::string>& names) {
    std::string result;
    for (size_t i = 0; i < std::min(names.size(), names_in_sentence); ++i) result += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > names_in_sentence) result += fmt::format(" and {} more", names.size() - names_in_sentence);
    return result;
}

std::string who(const std::vector<const KernelFormats*>& kernels, Verdict wanted) {
    std::vector<std::string> names;
    for (const KernelFormats* one : kernels) names.push_back(who(*one, wanted));
    return name_list(names);
}

/// "2 of 3 kernels".
std::string some_of(size_t some, size_t all) {
    if (all == 1) return "the kernel";
    return some == all ? fmt::format("all {} kernels", all) : fmt::format("{} of {} kernels", some, all);
}

std::string worsened(const Report& report) {
    const auto worse = std::ranges::count(report.changes, Trend::worse, &Change::trend);
    return worse == 0 ? ""
                      : fmt::format("; {} worse than before",
                                    show_count(static_cast<uint64_t>(worse), "thing is", "things are"));
}

std::string unproven_sentence(const Report& report, size_t all) {
    const std::vector<std::string> names = kernels_without_pass(report);
    return fmt::format("Not proven: {} {} no row that passes: {}", some_of(names.size(), all),
                       names.size() == 1 ? "has" : "have", name_list(names));
}

}  // namespace

std::vector<KernelFormats> kernels_of(const Report& report) {
    std::vector<KernelFormats> in_order;
    for (const KernelReport& one : report.kernels) {
        auto found = std::ranges::find(in_order, one.kernel, &KernelFormats::kernel);
        if (found == in_order.end())
            found = in_order.insert(in_order.end(), {one.kernel, verdict_of(report, one.kernel), {}});
        found->formats.push_back(&one);
    }
    std::vector<KernelFormats> result;
    for (const Verdict verdict : gravest_first)
        for (const KernelFormats* one : with_verdict(in_order, verdict)) result.push_back(*one);
    return result;
}

std::vector<const Change*> changes_by_trend(const Report& report) {
    std::vector<const Change*> result;
    for (const Trend trend : {Trend::worse, Trend::better, Trend::other})
        for (const Change& one : report.changes)
            if (one.trend == trend) result.push_back(&one);
    return result;
}

Cell whole(const KernelReport& report) {
    Cell result;
    for (const Cell& cell : report.cells) merge(result, cell);
    return result;
}

Cell whole(const Report& report) {
    Cell result;
    for (const KernelReport& kernel : report.kernels) merge(result, whole(kernel));
    return result;
}

int64_t row_count(const Cell& cell) {
    int64_t sum = 0;
    for (const int64_t rows : cell.rows) sum += rows;
    return sum;
}

int64_t case_count(const Report& report) {
    int64_t sum = 0;
    for (const KernelReport& kernel : report.kernels) sum += kernel.cases;
    return sum;
}

int64_t finding_count(const KernelReport& report) {
    int64_t sum = 0;
    for (const int64_t found : report.findings) sum += found;
    return sum;
}

int64_t finding_count(const Report& report) {
    int64_t sum = 0;
    for (const KernelReport& kernel : report.kernels) sum += finding_count(kernel);
    return sum;
}

std::vector<const Finding*> findings_of(const Report& report, const KernelReport& kernel) {
    std::vector<const Finding*> result;
    for (const Finding& one : report.findings)
        if (one.kernel == kernel.kernel && one.format == kernel.format) result.push_back(&one);
    return result;
}

std::string verdict_sentence(const Report& report) {
    const std::vector<KernelFormats> kernels = kernels_of(report);
    if (kernels.empty()) return "Not proven: no kernel was run.";
    const auto failed = with_verdict(kernels, Verdict::fail);
    const auto suspect = with_verdict(kernels, Verdict::suspect);
    std::string result;
    if (!failed.empty()) {
        result = fmt::format("Fail: {} {} what the contract does not admit: {}", some_of(failed.size(), kernels.size()),
                             failed.size() == 1 ? "does" : "do", who(failed, Verdict::fail));
    } else if (!kernels_without_pass(report).empty()) {
        result = unproven_sentence(report, kernels.size());
    } else if (!suspect.empty()) {
        result = fmt::format(
            "Suspect: all that was judged is admissible, but {} {} beyond what random rounding errors make likely: {}",
            some_of(suspect.size(), kernels.size()), suspect.size() == 1 ? "goes" : "go",
            who(suspect, Verdict::suspect));
    } else {
        result = fmt::format("Pass: {} did nothing in {} that the contract does not admit",
                             some_of(kernels.size(), kernels.size()),
                             show_count(static_cast<uint64_t>(case_count(report)), "case", "cases"));
    }
    return result + worsened(report) + ".";
}

std::string counts_sentence(const Report& report) {
    const Cell all = whole(report);
    std::string rows;
    for (int i = 0; i < verdict_count; ++i)
        if (all.rows[static_cast<size_t>(i)] > 0)
            rows += fmt::format("{}{} {}", rows.empty() ? "" : ", ", show_thousands(all.rows[static_cast<size_t>(i)]),
                                name(static_cast<Verdict>(i)));
    const auto counted = [](int64_t number, const char* one, const char* many) {
        return fmt::format("{} {}", show_thousands(number), number == 1 ? one : many);
    };
    return fmt::format("{}, {}{}, {} compared, {} % of them correctly rounded; {}.",
                       counted(case_count(report), "case", "cases"), counted(row_count(all), "row", "rows"),
                       rows.empty() ? "" : fmt::format(" ({})", rows), counted(all.outputs, "output", "outputs"),
                       show_percent(all.correctly_rounded, all.outputs),
                       counted(finding_count(report), "finding", "findings"));
}

std::string subject(const Finding& finding) {
    const std::string regime = finding.regime ? fmt::format(", {} row", name(*finding.regime)) : "";
    return fmt::format("{} {}{}", finding.kernel, format(finding.format).name, regime);
}

std::string subject(const Change& change) {
    const std::string regime = change.regime ? fmt::format(", {} rows", name(*change.regime)) : "";
    return fmt::format("{} {}{}", change.kernel, format(change.format).name, regime);
}

std::string options_of(const Report& report, const std::string& kernel) {
    const auto found = std::ranges::find(report.kernels, kernel, &KernelReport::kernel);
    return found == report.kernels.end() ? "" : found->options;
}

std::string options_of(const Report& report, const Finding& finding) {
    constexpr std::string_view word = "property ";
    const std::string options = options_of(report, finding.kernel);
    if (!finding.reason.starts_with(word)) return options;
    const std::string name = finding.reason.substr(word.size(), finding.reason.find(':') - word.size());
    return fmt::format("--properties {}{}{}", name, options.empty() ? "" : " ", options);
}

std::string rerun_command(const std::string& case_line, const std::string& options) {
    if (!case_line.starts_with("kernel=")) return case_line;
    return fmt::format("normcheck case {} --explain{}{}", shell_quoted(case_line), options.empty() ? "" : " ", options);
}

std::string place_of(const Finding& finding) {
    std::string result = finding.row < 0 ? "" : fmt::format("row {}", finding.row);
    if (finding.output.empty()) return result;
    if (!result.empty()) result += ", ";
    return finding.element < 0 ? result + finding.output
                               : fmt::format("{}{}[{}]", result, finding.output, finding.element);
}

std::string numbers_of(const Finding& finding) {
    if (!finding.numbers) return "";
    const Comparison& numbers = *finding.numbers;
    const int digits = format(finding.format).bits() / 4;
    const auto coded = [&](const CodedValue& v) { return fmt::format("{} ({:0{}x})", v.value, v.code, digits); };
    return fmt::format("got {}, {} ulp off; target {}; admissible {} to {}", coded(numbers.got),
                       show_error(numbers.error), coded(numbers.target), coded(numbers.lowest), coded(numbers.highest));
}

std::string show_thousands(int64_t number) {
    const std::string digits = fmt::to_string(number);
    if (digits.size() <= 4) return digits;
    std::string result;
    for (size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) result += ',';
        result += digits[i];
    }
    return result;
}

}  // namespace normcheck
