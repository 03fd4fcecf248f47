// Writers of what `tolerance` found; see tolerance_report.hpp.
#include "harness/cli/tolerance_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/numbers.hpp"
#include "reports/text_blocks.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::ordered_json;

std::string show(double value) {
    return value == 0 ? "0" : fmt::format("{:.2e}", value);
}

template <typename Cells, typename Show>
Column column_of(const Cells& cells, const char* head, Show show_cell) {
    Column column{head, {}};
    for (const auto& cell : cells) column.entries.push_back({show_cell(cell)});
    return column;
}

Column regime_column() {
    Column column{"regime", {}, true};
    for (const RegimeInfo& info : regimes()) column.entries.push_back({info.name});
    return column;
}

template <typename Cells, typename Has>
std::string table_text(const Columns& columns, const Cells& cells, const Page& page, Has has_rows) {
    std::string text = head_lines(columns, page);
    for (size_t i = 0; i < cells.size(); ++i)
        if (has_rows(cells[i])) text += row_line(columns, i, page) + '\n';
    return text;
}

std::string needs_text(const ToleranceReport& found, const Page& page) {
    const auto number = [](auto member) { return [member](const auto& c) { return fmt::to_string(c.*member); }; };
    const Columns columns{
        regime_column(),
        column_of(found.cells, "rows", number(&ToleranceCell::rows)),
        column_of(found.cells, "outputs", number(&ToleranceCell::outputs)),
        column_of(found.cells, "rtol", [](const auto& c) { return show(c.fit.tolerance.rtol); }),
        column_of(found.cells, "atol /\nlargest", [](const auto& c) { return show(c.fit.tolerance.atol); }),
        column_of(found.cells, "assert_close\ncan refuse\n[% of rows]",
                  [](const auto& c) { return show_percent(c.usual_refuses, c.rows); })};
    std::string text = table_text(columns, found.cells, page, [](const auto& c) { return c.rows > 0; });
    for (const RegimeInfo& info : regimes()) {
        const auto& by = found.cells[static_cast<size_t>(info.regime)].fit.by;
        if (by)
            text +=
                paragraph(fmt::format("  {:<13}  ", info.name), quoted(by->case_line, by->row, "y", by->element), page);
    }
    return text;
}

std::string kernel_text(const ToleratedKernel& kernel, const Page& page) {
    const auto& cells = kernel.cells;
    if (std::ranges::all_of(cells, [](const ToleratedCell& cell) { return cell.passed + cell.failed == 0; }))
        return paragraph("", kernel.kernel + ": took none of these calls (see what it takes: normcheck list kernels)",
                         page);
    const auto number = [](auto member) { return [member](const auto& c) { return fmt::to_string(c.*member); }; };
    const Columns columns{regime_column(),
                          column_of(cells, "pass", number(&ToleratedCell::passed)),
                          column_of(cells, "of these\nrefused", number(&ToleratedCell::passed_refused)),
                          column_of(cells, "fail", number(&ToleratedCell::failed)),
                          column_of(cells, "of these\naccepted", number(&ToleratedCell::failed_accepted)),
                          column_of(cells, "accepted by\nassert_close", number(&ToleratedCell::failed_usual_accepts))};
    std::string text = paragraph("", kernel.kernel + ", rows by whether every y is admissible:", page) +
                       table_text(columns, cells, page, [](const auto& c) { return c.passed + c.failed > 0; });
    const ToleratedCell& blindest = std::ranges::max(cells, {}, &ToleratedCell::failed_accepted);
    if (blindest.unseen.empty()) return text;
    return text + paragraph("  unseen in ", fmt::format("'{}'", blindest.unseen), page);
}

Json kernel_json(const ToleratedKernel& kernel) {
    Json json{{"kernel", kernel.kernel}, {"regimes", Json::object()}};
    for (const RegimeInfo& info : regimes()) {
        const ToleratedCell& cell = kernel.cells[static_cast<size_t>(info.regime)];
        json["regimes"][info.name] = {{"passed", cell.passed},
                                      {"passed_refused", cell.passed_refused},
                                      {"failed", cell.failed},
                                      {"failed_accepted", cell.failed_accepted},
                                      {"failed_usual_accepts", cell.failed_usual_accepts},
                                      {"unseen", cell.unseen}};
    }
    return json;
}

Json cell_json(const ToleranceCell& cell) {
    Json json{{"rows", cell.rows},
              {"outputs", cell.outputs},
              {"rtol", cell.fit.tolerance.rtol},
              {"atol", cell.fit.tolerance.atol},
              {"usual_refuses", cell.usual_refuses},
              {"needed_by", nullptr}};
    if (const auto& by = cell.fit.by)
        json["needed_by"] = {{"case", by->case_line}, {"row", by->row}, {"element", by->element}};
    return json;
}

}  // namespace

std::string tolerance_text(const ToleranceVerb& verb, const Page& page) {
    const Tolerance usual = usual_tolerance(verb.contract.y);
    std::string text =
        paragraph("contract  ", print(verb.contract), page) +
        paragraph("cases     ", fmt::format("{}, by the plan of this contract", verb.cases), page) +
        paragraph("accepts   ",
                  fmt::format("|y - ref| <= rtol |ref| + atol (largest |ref| of the row) + {:.2g}; ref by the plain "
                              "formula in f64 from the same inputs",
                              std::ldexp(1.0, format(verb.contract.y).min_spacing_exponent())),
                  page) +
        paragraph("beside    ",
                  fmt::format("assert_close of PyTorch for {}: rtol {}, atol {} whatever the row",
                              format(verb.contract.y).name, usual.rtol, usual.atol),
                  page) +
        '\n' + needs_text(verb.found, page);
    for (const auto& [reason, rows] : verb.found.left_out)
        text += paragraph("  left out  ",
                          fmt::format("{}: {}", show_count(static_cast<uint64_t>(rows), "row", "rows"), reason), page);
    for (const ToleratedKernel& kernel : verb.found.kernels) text += '\n' + kernel_text(kernel, page);
    return text;
}

std::string tolerance_json(const ToleranceVerb& verb) {
    const Tolerance usual = usual_tolerance(verb.contract.y);
    Json json{{"schema", 1},
              {"version", verb.context.version},
              {"command", verb.context.command},
              {"seed", *verb.context.seed},
              {"contract", print(verb.contract)},
              {"cases", verb.cases},
              {"usual", {{"rtol", usual.rtol}, {"atol", usual.atol}}},
              {"regimes", Json::object()},
              {"left_out", verb.found.left_out},
              {"kernels", Json::array()}};
    for (const RegimeInfo& info : regimes())
        json["regimes"][info.name] = cell_json(verb.found.cells[static_cast<size_t>(info.regime)]);
    for (const ToleratedKernel& kernel : verb.found.kernels) json["kernels"].push_back(kernel_json(kernel));
    return json.dump(2, ' ', true, Json::error_handler_t::replace) + '\n';
}

}  // namespace normcheck
