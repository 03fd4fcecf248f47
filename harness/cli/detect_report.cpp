// Writers of what `detect` found; see detect_report.hpp.
#include "harness/cli/detect_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/cli/terminal.hpp"
#include "reports/text_blocks.hpp"
#include "reports/verdict.hpp"

namespace normcheck {
namespace {

std::string kernel_name(const FaultRecord& record) {
    return record.fault->kernel->name;
}

/// Whether it is a user's kernel, of which nobody has said that it is wrong.
bool is_outside(const FaultRecord& record) {
    return record.fault->kind == kind_outside;
}

std::string outcome(const FaultRecord& record) {
    if (record.detection.caught) return "caught";
    return is_outside(record) ? "not caught" : "missed";
}

std::string what_they_are(const DetectionReport& report) {
    return std::ranges::all_of(report.faults, is_outside) ? "kernels" : "faults";
}

/// Rows of all kernels that are neither outside nor refused.
int64_t judged_outputs(const Report& report) {
    int64_t outputs = 0;
    for (const KernelReport& kernel : report.kernels)
        for (const Cell& cell : kernel.cells) outputs += cell.outputs;
    return outputs;
}

int64_t cases_of(const Report& report) {
    int64_t cases = 0;
    for (const KernelReport& kernel : report.kernels) cases += kernel.cases;
    return cases;
}

bool is_accused(const KernelReport& kernel) {
    const bool failed =
        std::ranges::any_of(kernel.cells, [](const Cell& cell) { return count(cell.rows, Verdict::fail) > 0; });
    return failed || !kernel.broken_rules.empty();
}

nlohmann::ordered_json json_of(const FaultRecord& record) {
    const Detection& found = record.detection;
    nlohmann::ordered_json json{{"fault", kernel_name(record)},
                                {"kind", std::string(1, record.fault->kind)},
                                {"shown_by", name(record.fault->shown_by)},
                                {"about", record.fault->kernel->about},
                                {"contract", record.fault->kernel->contract},
                                {"caught", found.caught},
                                {"cases", found.cases},
                                {"seconds", found.seconds}};
    if (found.caught) {
        json["finding"] = found.kind;
        json["first_case"] = print(found.first);
        json["smallest_case"] = print(found.smallest);
    }
    json["obeys"] = record.obeys;
    return json;
}

}  // namespace

int64_t missed(const DetectionReport& report) {
    return std::ranges::count_if(report.faults, [](const FaultRecord& one) { return !one.detection.caught; });
}

int64_t accused(const DetectionReport& report) {
    return std::ranges::count_if(report.correct.kernels, is_accused);
}

std::string fault_text(const FaultRecord& record, const Page& page) {
    const Detection& found = record.detection;
    const std::string verdict = outcome(record);
    const Verdict style = found.caught ? Verdict::pass : Verdict::fail;
    const std::string kind = is_outside(record) ? "" : fmt::format(" {}", record.fault->kind);
    const std::string how =
        fmt::format("{}{}, {} {}, {:.2f} s: {}", kernel_name(record), kind, found.caught ? "case" : "cases",
                    found.cases, found.seconds, found.caught ? found.kind : "nothing was found");
    std::string text = paint_first(paragraph(verdict + "  ", how, page), verdict, style, page);
    if (found.caught) text += paragraph("        ", shell_word(print(found.smallest)), page);
    if (record.obeys.empty()) return text;
    return text + paragraph("        obeys ", record.obeys, page);
}

std::string score_text(const DetectionReport& report, const Page& page) {
    std::string text;
    if (!report.faults.empty()) {
        double slowest = 0;
        for (const FaultRecord& record : report.faults) slowest = std::max(slowest, record.detection.seconds);
        text += paragraph(
            fmt::format("{:<9}", what_they_are(report)),
            fmt::format("{} of {} caught by {}, at most {:.2f} s each", std::ssize(report.faults) - missed(report),
                        report.faults.size(), report.engine, slowest),
            page);
    }
    if (report.alarm_seeds > 0) {
        text +=
            paragraph("correct  ",
                      fmt::format("{} of {} accused: kernels in each of their formats, {} seeds, {} cases, {} outputs",
                                  accused(report), report.correct.kernels.size(), report.alarm_seeds,
                                  cases_of(report.correct), judged_outputs(report.correct)),
                      page);
        for (const Finding& finding : report.correct.findings)
            if (finding.verdict == Verdict::fail) text += finding_text(finding, page);
    }
    return text;
}

std::string detection_json(const DetectionReport& report) {
    nlohmann::ordered_json json{{"normcheck", report.context.version},
                                {"command", report.context.command},
                                {"engine", report.engine},
                                {"seed", *report.context.seed},
                                {"seconds_per_fault", report.seconds_per_fault},
                                {"faults", nlohmann::ordered_json::array()}};
    for (const FaultRecord& record : report.faults) json["faults"].push_back(json_of(record));
    json["correct"] = {{"kernels_and_formats", report.correct.kernels.size()},
                       {"seeds", report.alarm_seeds},
                       {"cases", cases_of(report.correct)},
                       {"outputs", judged_outputs(report.correct)},
                       {"accused", accused(report)}};
    return json.dump(2) + '\n';
}

}  // namespace normcheck
