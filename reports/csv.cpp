// The report as comma-separated values (RFC 4180 but for line ends, which are \n): one line per kernel, format and
// regime.
#include <fmt/format.h>

#include <initializer_list>

#include "reports/escape.hpp"
#include "reports/summary.hpp"
#include "reports/verdict.hpp"
#include "reports/writers.hpp"

namespace normcheck {
namespace {

/// A spreadsheet would compute what begins so; an apostrophe makes it a text.
bool is_formula(std::string_view text) {
    return !text.empty() && std::string_view("=+-@").find(text[0]) != std::string_view::npos;
}

std::string field(std::string_view text) {
    const std::string content = (is_formula(text) ? "'" : "") + std::string(text);
    if (content.find_first_of(",\"\n") == std::string::npos) return content;
    std::string quoted = "\"";
    for (const char one : content) quoted += one == '"' ? std::string("\"\"") : std::string(1, one);
    return quoted + '"';
}

std::string line(std::initializer_list<std::string> fields) {
    std::string result;
    for (const std::string& one : fields) result += (&one == fields.begin() ? "" : ",") + one;
    return result + '\n';
}

std::string value(const std::optional<Peak>& peak) {
    return peak ? fmt::to_string(peak->value) : "";
}

std::string rows(const Cell& cell, Verdict verdict) {
    return fmt::to_string(count(cell.rows, verdict));
}

std::string cell_line(const KernelReport& kernel, const RegimeInfo& info) {
    const Cell& cell = kernel.cells[static_cast<size_t>(info.regime)];
    const std::optional<Peak>& worst = cell.row_error;
    return line({field(kernel.kernel),
                 format(kernel.format).name,
                 name(verdict(kernel)),
                 info.name,
                 fmt::to_string(row_count(cell)),
                 rows(cell, Verdict::pass),
                 rows(cell, Verdict::fail),
                 rows(cell, Verdict::suspect),
                 rows(cell, Verdict::outside),
                 rows(cell, Verdict::doubtful),
                 fmt::to_string(cell.outputs),
                 fmt::to_string(cell.correctly_rounded),
                 fmt::to_string(cell.cancelled),
                 value(cell.row_error),
                 value(cell.element_error),
                 value(cell.absolute_error),
                 value(cell.slack),
                 worst ? field(worst->case_line) : "",
                 worst ? fmt::to_string(worst->row) : "",
                 worst && worst->element >= 0 ? fmt::to_string(worst->element) : "",
                 field(kernel.contract)});
}

}  // namespace

std::string to_csv(const Report& raw) {
    const Report report = printable(raw);
    std::string result =
        "kernel,format,verdict,regime,rows,pass,fail,suspect,outside,doubtful,outputs,correctly_rounded,cancelled,row_"
        "error_ulp,"
        "element_error_ulp,absolute_error,slack,worst_case,worst_row,worst_element,contract\n";
    for (const KernelReport& kernel : report.kernels)
        for (const RegimeInfo& info : regimes()) result += cell_line(kernel, info);
    return result;
}

}  // namespace normcheck
