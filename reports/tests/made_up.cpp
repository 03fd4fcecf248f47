// Made-up rows and reports for the tests; the numbers mean nothing.
#include "reports/tests/made_up.hpp"

#include <fmt/format.h>

#include "reports/collect.hpp"

namespace normcheck {
namespace {

std::string made_up_line(const std::string& kernel, int64_t case_index) {
    return fmt::format(
        "kernel={} x=f16 rows=64 cols={} fill=eps_grid gamma=negative beta=zeros seed=7 pitch=3 threads=2", kernel,
        513 + case_index);
}

void add_passing(KernelReport& report, Regime regime, int64_t rows) {
    for (int64_t row = 0; row < rows; ++row) {
        RowResult result = made_up_row(0.25 + 0.001 * static_cast<double>(row), regime);
        result.cancelled = row % 3;
        result.slack = 0.002 * static_cast<double>(row);
        result.log2_ratio = static_cast<double>(row % 100) - 50.5;
        result.outputs = 1 + row % 40;
        result.correctly_rounded = 1;
        add_row(report, result, made_up_line(report.kernel, row / 64), row / 64, row);
    }
    report.cases += rows / 64;
}

void add_one(KernelReport& report, Regime regime, Verdict verdict, const char* reason, double row_error) {
    RowResult result = made_up_row(row_error, regime, verdict);
    result.reason = reason;
    result.element_error = 37 * row_error;
    result.correctly_rounded = 5;
    result.short_row = verdict == Verdict::doubtful;
    add_row(report, result, made_up_line(report.kernel, 9), 9, 3);
}

void add_every_verdict(KernelReport& report) {
    add_passing(report, Regime::transition, 640);
    add_one(report, Regime::transition, Verdict::fail, "y is not admissible: eps enters twice", 64.25);
    add_one(report, Regime::ordinary, Verdict::suspect, "beyond the probabilistic bound", 3.50001);
    add_one(report, Regime::extreme, Verdict::outside, "squares leave the accumulator", 1e9);
    add_one(report, Regime::special, Verdict::doubtful, "every output is admissible", 0.5);
    add_refusal(report, "cols must be a multiple of 8");
    add_refusal(report, "cols must be a multiple of 8");
    add_broken_rule(report, "the guard after y was overwritten");
    report.properties["sign_symmetry"] = {.held = 40, .violated = 1, .not_applicable = 7};
    report.properties["guard_bands"] = {.held = 41};
    ++report.cases;
    report.skipped_cases = 5;
}

RowResult zero_row(double absolute_error) {
    RowResult result = made_up_row(0, Regime::eps_dominated);
    result.row_error.reset();
    result.element_error = result.slack = 0;
    result.absolute_error = absolute_error;
    return result;
}

}  // namespace

RowResult made_up_row(double row_error, Regime regime, Verdict verdict) {
    RowResult result;
    result.verdict = verdict;
    result.regime = regime;
    result.row_error = row_error;
    result.element_error = row_error;
    result.worst = 5;
    result.outputs = result.correctly_rounded = 8;
    return result;
}

Finding made_up_finding(const std::string& kernel, int64_t case_index, int64_t row, int64_t element) {
    Finding finding;
    finding.kernel = kernel;
    finding.format = FormatId::f16;
    finding.reason = "y is not admissible: eps enters twice";
    finding.case_line = made_up_line(kernel, case_index);
    finding.case_index = case_index;
    finding.row = row;
    finding.regime = Regime::transition;
    ElementStory story;
    story.format = FormatId::f16;
    story.index = element;
    story.got = 0x3e40;
    story.target = 0x3e00;
    story.lowest = 0x3dff;
    story.highest = 0x3e01;
    story.error = 64.25;
    describe(finding, story);
    return finding;
}

Report made_up_report() {
    Report report;
    report.context = {schema_version,
                      "0.1.0",
                      "Example CPU @ 2.50GHz",
                      2,
                      "clang 19.1.7",
                      "Release -O3 -DNDEBUG",
                      7,
                      "normcheck check --kernels cpu/layer_two_pass,faulty/eps_twice,cpu/absent --formats f32,f16",
                      "2025-01-31T12:00:00Z",
                      12.5};
    const std::string contract =
        "layer eps=1e-5 beta=add variance=welford reduce=lanes:16 stored=rstd:f32 residual=rounded";
    kernel_report(report, "cpu/layer_two_pass", FormatId::f32, contract);
    kernel_report(report, "faulty/eps_twice", FormatId::f16, contract);
    kernel_report(report, "cpu/absent", FormatId::f16, "");
    report.kernels[0].inputs = "0123456789abcdef";
    report.kernels[1].options = "--plugin ./libfaulty.so";
    add_passing(report.kernels[0], Regime::ordinary, 1280);
    add_passing(report.kernels[0], Regime::eps_dominated, 64);
    add_row(report.kernels[0], zero_row(1.25e-30), "kernel=cpu/layer_two_pass x=zeros", 30, 0);
    add_every_verdict(report.kernels[1]);
    add_finding(report, made_up_finding("faulty/eps_twice", 9, 3, 17));
    Finding guard = made_up_finding("faulty/eps_twice", 9, -1, -1);
    guard.reason = "the guard after y was overwritten";
    guard.regime.reset();
    guard.numbers.reset();
    guard.output.clear();
    add_finding(report, guard);
    report.kernels[0].speeds = {{4096, 1024, 2, "warm cache", 33554432, 0.004, 0.0039, 0.0051, 0.003}};
    report.changes = {{"cpu/layer_two_pass", FormatId::f32, Regime::ordinary, Trend::better, "slack 0.9 -> 0.7", ""},
                      {"faulty/eps_twice", FormatId::f16, std::nullopt, Trend::worse, "verdict pass -> fail",
                       made_up_line("faulty/eps_twice", 9)}};
    return report;
}

}  // namespace normcheck
