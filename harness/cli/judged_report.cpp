// From one judged call to a report; see judged_report.hpp.
#include "harness/cli/judged_report.hpp"

#include <exception>
#include <map>
#include <string>

#include "harness/check/row_findings.hpp"
#include "reports/collect.hpp"
#include "reports/finding_order.hpp"

namespace normcheck {
namespace {

void judge_row(const Judge& judge, JudgedCall& call, Oracle oracle, int64_t row) {
    const CaseResult& result = call.result;
    call.result.rows[static_cast<size_t>(row)] = judge.judge(
        row_inputs(result.inputs, call.cols, row), row_outputs(result.outputs, call.cols, row), {.oracle = oracle});
}

Finding blank_finding(const JudgedCall& call) {
    Finding finding;
    finding.kernel = call.kernel;
    finding.format = call.contract.x;
    finding.case_line = call.case_line;
    return finding;
}

void add_rules(Report& report, KernelReport& kernel, const JudgedCall& call) {
    for (const std::string& rule : call.result.broken_rules) {
        add_broken_rule(kernel, rule_without_place(rule));
        Finding finding = blank_finding(call);
        finding.reason = rule;
        add_finding(report, std::move(finding));
    }
}

bool is_finding(const RowResult& row) {
    return row.verdict == Verdict::fail || row.verdict == Verdict::suspect;
}

void add_row_findings(Report& report, const JudgedCall& call) {
    const Judge judge = make_judge(call.contract, call.cols, call.result.inputs);
    std::map<std::string, int64_t> alike;
    for (int64_t row = 0; row < std::ssize(call.result.rows); ++row) {
        const RowResult& judged = call.result.rows[static_cast<size_t>(row)];
        if (!is_finding(judged)) continue;
        Finding finding = blank_finding(call);
        const bool may_be_kept = alike[judged.reason]++ < report.finding_cap;
        describe_row(finding, judge, call.contract, call.result, call.cols, row, may_be_kept);
        add_finding(report, std::move(finding));
    }
}

}  // namespace

void judge_rows(JudgedCall& call, Oracle oracle) {
    call.result.rows.assign(static_cast<size_t>(call.rows), {});
    const Judge judge = make_judge(call.contract, call.cols, call.result.inputs);
    std::exception_ptr thrown;
#pragma omp parallel for schedule(dynamic)
    for (int64_t row = 0; row < call.rows; ++row) {
        try {
            judge_row(judge, call, oracle, row);
        } catch (...) {
#pragma omp critical(normcheck_judge_rows)
            thrown = std::current_exception();
        }
    }
    if (thrown) std::rethrow_exception(thrown);
}

Report report_of(const JudgedCall& call) {
    Report report;
    KernelReport& kernel = kernel_report(report, call.kernel, call.contract.x, print(call.contract));
    if (call.result.refusal) add_refusal(kernel, *call.result.refusal);
    if (!call.result.refusal) add_case(kernel);
    for (int64_t row = 0; row < std::ssize(call.result.rows); ++row)
        add_row(kernel, call.result.rows[static_cast<size_t>(row)], call.case_line, 0, row);
    add_rules(report, kernel, call);
    add_row_findings(report, call);
    return report;
}

}  // namespace normcheck
