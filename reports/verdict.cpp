// The rule from records to one verdict and the exit status: what is skipped, refused or outside never counts as passed.
#include "reports/verdict.hpp"

#include <algorithm>
#include <utility>

namespace normcheck {
namespace {

constexpr std::array strongest_first{Verdict::fail,     Verdict::suspect, Verdict::pass,
                                     Verdict::doubtful, Verdict::outside, Verdict::unsupported};
constexpr std::array gravest_first{Verdict::fail,     Verdict::unsupported, Verdict::outside,
                                   Verdict::doubtful, Verdict::suspect,     Verdict::pass};

void add(VerdictCounts& into, const VerdictCounts& from) {
    for (size_t i = 0; i < into.size(); ++i) into[i] += from[i];
}

int64_t sum(const ReasonCounts& reasons) {
    int64_t result = 0;
    for (const auto& [reason, times] : reasons) result += times;
    return result;
}

// What decides: the rows, and for fail and suspect also broken rules and findings that no row carries.
VerdictCounts evidence(const KernelReport& report) {
    VerdictCounts result = totals(report);
    count(result, Verdict::fail) += sum(report.broken_rules) + count(report.findings, Verdict::fail);
    count(result, Verdict::suspect) += count(report.findings, Verdict::suspect);
    return result;
}

Verdict strongest(const VerdictCounts& counts) {
    for (const Verdict candidate : strongest_first)
        if (count(counts, candidate) > 0) return candidate;
    return Verdict::doubtful;  // nothing was run, so nothing is proven
}

using KernelEvidence = std::vector<std::pair<std::string, VerdictCounts>>;

KernelEvidence evidence_by_kernel(const Report& report) {
    KernelEvidence result;
    for (const KernelReport& kernel : report.kernels) {
        auto found = std::ranges::find(result, kernel.kernel, &KernelEvidence::value_type::first);
        if (found == result.end()) found = result.insert(result.end(), {kernel.kernel, VerdictCounts{}});
        add(found->second, evidence(kernel));
    }
    return result;
}

}  // namespace

VerdictCounts totals(const KernelReport& report) {
    VerdictCounts result{};
    for (const Cell& cell : report.cells) add(result, cell.rows);
    count(result, Verdict::unsupported) += sum(report.reasons[static_cast<size_t>(Verdict::unsupported)]);
    return result;
}

VerdictCounts totals(const Report& report) {
    VerdictCounts result{};
    for (const KernelReport& kernel : report.kernels) add(result, totals(kernel));
    return result;
}

Verdict verdict(const KernelReport& report) {
    return strongest(evidence(report));
}

Verdict verdict(const Report& report) {
    VerdictCounts kernels{};
    for (const auto& [kernel, counts] : evidence_by_kernel(report)) ++count(kernels, strongest(counts));
    for (const Verdict candidate : gravest_first)
        if (count(kernels, candidate) > 0) return candidate;
    return Verdict::doubtful;
}

std::vector<std::string> kernels_without_pass(const Report& report) {
    std::vector<std::string> result;
    for (const auto& [kernel, counts] : evidence_by_kernel(report))
        if (count(counts, Verdict::pass) == 0) result.push_back(kernel);
    return result;
}

int exit_status(const Report& report) {
    VerdictCounts all{};
    for (const KernelReport& kernel : report.kernels) add(all, evidence(kernel));
    const bool failed = count(all, Verdict::fail) > 0;
    const bool suspected = report.strict && count(all, Verdict::suspect) > 0;
    const bool unproven = report.kernels.empty() || !kernels_without_pass(report).empty();
    const bool worsened = std::ranges::any_of(report.changes, [](const Change& c) { return c.trend == Trend::worse; });
    return failed || suspected || unproven || worsened ? 1 : 0;
}

}  // namespace normcheck
