// The records of a report as plain structs: what was run, where, and what was found. `collect` fills them, the writers
// only read them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oracles/format.hpp"
#include "oracles/judge.hpp"
#include "oracles/regime.hpp"

namespace normcheck {

constexpr int schema_version = 5;

/// Where and how a run was made; the only part of a report that differs between two runs of the same command.
struct Context {
    int schema = schema_version;
    std::string version;
    std::string cpu;
    int cores = 0;
    std::string compiler;
    std::string flags;
    std::optional<uint64_t> seed;  // of random inputs; none where all inputs were given
    std::string command;
    std::string started;  // UTC, e.g. 2025-01-31T12:00:00Z
    double seconds = 0;
    bool operator==(const Context&) const = default;
};

/// A largest value and the row that reached it. Of equal values the first case and row counts, whoever came first.
struct Peak {
    double value = 0;  // a NaN counts as Inf
    std::string case_line;
    int64_t case_index = 0;
    int64_t row = 0;
    int64_t element = -1;  // -1 where the value belongs to no one element
    bool operator==(const Peak&) const = default;
};

/// One number per verdict, in the order of Verdict.
using VerdictCounts = std::array<int64_t, verdict_count>;
inline int64_t& count(VerdictCounts& counts, Verdict verdict) {
    return counts[static_cast<size_t>(verdict)];
}
inline int64_t count(const VerdictCounts& counts, Verdict verdict) {
    return counts[static_cast<size_t>(verdict)];
}

/// The judged rows of one regime. Rows `outside` are counted in `rows` and nowhere else.
struct Cell {
    VerdictCounts rows{};
    int64_t outputs = 0;
    int64_t correctly_rounded = 0;
    int64_t cancelled = 0;
    std::optional<Peak> row_error;       // ulp of the row's largest exact output
    std::optional<Peak> absolute_error;  // of rows without a row error: their exact outputs are all 0
    std::optional<Peak> element_error;   // ulp of the element
    std::optional<Peak> slack;           // share of the admissible half width
    bool operator==(const Cell&) const = default;
};

/// How often each reason was given.
using ReasonCounts = std::map<std::string, int64_t>;

/// One of the rows with the largest row error, at most one per case.
struct WorstCase {
    Regime regime = Regime::ordinary;
    Peak row_error;
    bool operator==(const WorstCase&) const = default;
};
constexpr size_t worst_case_count = 8;

/// How often one property was asked, by answer. What did not apply is no pass.
struct PropertyCounts {
    int64_t held = 0;
    int64_t violated = 0;
    int64_t not_applicable = 0;
    bool operator==(const PropertyCounts&) const = default;
};

/// Rows that fell into one bin of a distribution; only rows with a row error are in one.
struct Bin {
    int64_t rows = 0;
    int64_t failed = 0;    // those of them with the verdict fail
    double row_error = 0;  // the largest of them, in ulp; a NaN counts as Inf
    bool operator==(const Bin&) const = default;
};

/// How fast a kernel ran one shape beside a plain copy of as many bytes, which was timed between its calls.
struct Speed {
    int64_t rows = 0;
    int64_t cols = 0;
    int threads = 1;
    std::string conditions;  // what else the time depends on, as in "fused, cold cache"
    int64_t bytes = 0;       // that a call reads and writes
    double seconds = 0;      // of a call: the median
    double fastest = 0;      // and the quickest and the slowest call
    double slowest = 0;
    double copy_seconds = 0;  // of the copy: the median
    bool operator==(const Speed&) const = default;
};

/// All that was seen of one kernel in one format.
struct KernelReport {
    std::string kernel;
    std::string contract;
    FormatId format = FormatId::f32;
    std::string options;  // that `case` needs beside a line, as in --plugin ./libmine.so; empty for built-in kernels
    /// What the planned cases are, so that two runs of the same inputs can be told: a digest of their lines, several
    /// joined by + where runs were merged; empty where there was no plan.
    std::string inputs;
    int64_t cases = 0;          // that ran; refused ones are counted in reasons
    int64_t skipped_cases = 0;  // not begun, because the time limit had passed or the run was interrupted
    int64_t short_rows = 0;     // rows with fewer than 4 columns
    int64_t handed_over = 0;  // outputs that the certified oracle left to the exact one; 0 where that one judged alone
    std::array<Cell, regime_count> cells{};
    /// By verdict: rows of fail, suspect, outside and doubtful; calls of unsupported.
    std::array<ReasonCounts, verdict_count> reasons{};
    ReasonCounts broken_rules;  // rules broken by a call rather than a row: guard, input changed, bits differ
    std::map<std::string, PropertyCounts> properties;  // by name; those violated are broken rules too
    VerdictCounts findings{};                          // true totals; the report keeps only the first ones
    std::vector<WorstCase> worst;                      // largest row error first, at most worst_case_count
    /// The row errors over three things, by bins of bins.hpp: by the lower end of log2(mean square or variance / eps),
    /// by the lower end of the row length, and by the upper end of the row error itself. Offset rows are in the last
    /// alone: how far the mean is off decides their errors, and would hide what the first two show.
    std::map<int64_t, Bin> by_ratio;
    std::map<int64_t, Bin> by_length;
    std::map<double, Bin> by_error;
    std::vector<Speed> speeds;  // as they were measured; mostly none
    bool operator==(const KernelReport&) const = default;
};

/// A value of the kernel's format.
struct CodedValue {
    std::string value;  // hex float
    uint64_t code = 0;
    bool operator==(const CodedValue&) const = default;
};

/// The numbers behind a finding about one output element.
struct Comparison {
    CodedValue target;
    CodedValue lowest;
    CodedValue highest;
    CodedValue got;
    double error = 0;  // ulp
    bool operator==(const Comparison&) const = default;
};

/// A verdict to act on.
struct Finding {
    std::string kernel;
    FormatId format = FormatId::f32;
    Verdict verdict = Verdict::fail;
    std::string reason;
    std::string case_line;
    int64_t case_index = 0;
    int64_t row = -1;  // -1 where the whole call is meant
    std::optional<Regime> regime;
    std::string output;    // y, residual_out, mean, rstd; empty where no output is meant
    int64_t element = -1;  // -1 where no one element is meant
    std::optional<Comparison> numbers;
    bool operator==(const Finding&) const = default;
};

/// Which way something went against an earlier report.
enum class Trend : uint8_t { worse, better, other };
constexpr std::array<const char*, 3> trend_names{"worse", "better", "other"};
inline const char* name(Trend trend) {
    return trend_names[static_cast<size_t>(trend)];
}

/// What differs from an earlier report; a comparison fills these in.
struct Change {
    std::string kernel;
    FormatId format = FormatId::f32;
    std::optional<Regime> regime;  // none where the kernel as a whole is meant
    Trend trend = Trend::other;
    std::string what;       // as in "largest row error 0.5000 -> 1.203 ulp"
    std::string case_line;  // that shows it; empty where none does
    bool operator==(const Change&) const = default;
};

/// A whole run. Every selected kernel has at least one KernelReport, also where nothing of it ran.
struct Report {
    Context context;
    bool strict = false;       // suspect rows make the exit status 1
    int64_t finding_cap = 10;  // findings kept per kernel and format
    std::vector<KernelReport> kernels;
    std::vector<Finding> findings;  // by kernel and format, then as finding_order.hpp puts them
    std::vector<Change> changes;  // where the run was compared with an earlier one; a worse one makes the exit status 1
    bool operator==(const Report&) const = default;
};

}  // namespace normcheck
