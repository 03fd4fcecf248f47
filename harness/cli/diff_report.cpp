// Writers of what `diff` found; see diff_report.hpp. In the text the kernels are A and B.
#include "harness/cli/diff_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/escape.hpp"
#include "reports/hex_float.hpp"
#include "reports/numbers.hpp"
#include "reports/text_blocks.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array letters{"A", "B"};
constexpr std::array beside_y{Output::residual_out, Output::mean, Output::rstd};

std::array<Contract, 2> contracts_of(const FormatDiff& diff) {
    return {parse_contract(diff.contracts[0]), parse_contract(diff.contracts[1])};
}

std::string contracts_text(const KernelDiff& diff, const Page& page) {
    const auto [a, b] = contracts_of(diff.formats[0]);
    const std::vector<FieldDifference> fields = differing_fields(a, b);
    if (fields.empty()) return paragraph("contract  ", diff.formats[0].contracts[0], page);
    std::string text = paragraph("A says    ", diff.formats[0].contracts[0], page) +
                       paragraph("B says    ", diff.formats[0].contracts[1], page);
    size_t widest = 0;
    for (const FieldDifference& field : fields) widest = std::max(widest, field.field.size());
    for (const FieldDifference& field : fields)
        text += paragraph(&field == &fields.front() ? "differ in " : "          ",
                          fmt::format("{:<{}}  {} | {}", field.field, widest, field.values[0], field.values[1]), page);
    return text;
}

int64_t sum(const FormatDiff& diff, int64_t DiffCell::* member) {
    int64_t total = 0;
    for (const DiffCell& cell : diff.cells) total += cell.*member;
    return total;
}

std::string cases_sentence(const FormatDiff& diff) {
    const auto counted = [](int64_t number, const char* one, const char* many) {
        return show_count(static_cast<uint64_t>(number), one, many);
    };
    const std::string ran = fmt::format("{}, {}, {} of y", counted(diff.cases, "case", "cases"),
                                        counted(sum(diff, &DiffCell::rows), "row", "rows"),
                                        counted(sum(diff, &DiffCell::outputs), "output", "outputs"));
    if (is_equal(diff)) return "every output is the same bit by bit: " + ran;
    return fmt::format("{} of {}, {} of {}, {} of {} ({} %)", diff.differing_cases,
                       counted(diff.cases, "case", "cases"), sum(diff, &DiffCell::differing_rows),
                       counted(sum(diff, &DiffCell::rows), "row", "rows"), sum(diff, &DiffCell::differing),
                       counted(sum(diff, &DiffCell::outputs), "output of y", "outputs of y"),
                       show_percent(sum(diff, &DiffCell::differing), sum(diff, &DiffCell::outputs)));
}

std::string reasons_text(const char* lead, const ReasonCounts& reasons, const Page& page) {
    std::string text;
    for (const auto& [reason, times] : reasons)
        text += paragraph(
            lead, fmt::format("{}: {}", show_count(static_cast<uint64_t>(times), "case", "cases"), printable(reason)),
            page);
    return text;
}

/// The outputs other than y, where some differ.
std::string beside_text(const FormatDiff& diff, const Page& page) {
    std::string text;
    for (const Output output : beside_y) {
        const OutputDiff& one = diff.outputs[static_cast<size_t>(output)];
        if (one.differing == 0) continue;
        text += paragraph(
            "  beside y  ",
            fmt::format("{}: {} of {} differ, first in '{}'", name(output), one.differing, one.outputs, one.first),
            page);
    }
    return text;
}

Column regime_column() {
    Column column{"regime", {}, true};
    for (const RegimeInfo& info : regimes()) column.entries.push_back({info.name});
    return column;
}

template <typename Show>
Column column_of(const FormatDiff& diff, const std::string& head, Show show) {
    Column column{head, {}};
    for (const DiffCell& cell : diff.cells) column.entries.push_back(show(cell));
    return column;
}

Entry number(int64_t n) {
    return {fmt::to_string(n)};
}

Columns difference_columns(const FormatDiff& diff) {
    const auto differing = [](const DiffCell& c) {
        return Entry{fmt::to_string(c.differing_rows), c.differing_rows > 0 ? Style::yellow : Style::plain};
    };
    return {
        column_of(diff, "rows", [](const DiffCell& c) { return number(c.rows); }),
        column_of(diff, "rows\ndiffer", differing),
        column_of(diff, "y\ndiffers\n[%]",
                  [](const DiffCell& c) { return Entry{show_percent(c.differing, c.outputs)}; }),
        column_of(diff, "largest\n[values]", [](const DiffCell& c) { return Entry{show_error(c.values)}; }),
        column_of(diff, "largest\n[ulp of\nthe row]", [](const DiffCell& c) { return Entry{show_error(c.row_ulp)}; })};
}

/// Of the rows whose y differs.
Columns nearness_columns(const FormatDiff& diff) {
    return {column_of(diff, "A is\nnearer", [](const DiffCell& c) { return number(c.nearer_first); }),
            column_of(diff, "B is\nnearer", [](const DiffCell& c) { return number(c.nearer_second); }),
            column_of(diff, "equally\nnear", [](const DiffCell& c) { return number(c.equally_near); })};
}

/// Rows by verdict, A's beside B's, for the verdicts that either has.
Columns verdict_columns(const FormatDiff& diff) {
    Columns columns;
    for (int i = 0; i < verdict_count; ++i) {
        const Verdict verdict = static_cast<Verdict>(i);
        const auto has = [&](const DiffCell& c) {
            return count(c.verdicts[0], verdict) + count(c.verdicts[1], verdict);
        };
        if (!std::ranges::any_of(diff.cells, [&](const DiffCell& c) { return has(c) > 0; })) continue;
        for (size_t side = 0; side < 2; ++side)
            columns.push_back(
                column_of(diff, fmt::format("{}\n{}", letters[side], name(verdict)), [&](const DiffCell& c) {
                    const int64_t rows = count(c.verdicts[side], verdict);
                    return Entry{fmt::to_string(rows), rows > 0 ? style_of(verdict) : Style::dim};
                }));
    }
    return columns;
}

std::string table_text(const FormatDiff& diff, const Page& page) {
    std::vector<Columns> groups{difference_columns(diff), nearness_columns(diff), verdict_columns(diff)};
    if (is_equal(diff)) groups = {{difference_columns(diff)[0]}, verdict_columns(diff)};
    std::string text;
    for (const Columns& table : fold(regime_column(), groups, page.columns)) {
        text += head_lines(table, page);
        for (size_t i = 0; i < diff.cells.size(); ++i)
            if (diff.cells[i].rows > 0) text += row_line(table, i, page) + '\n';
    }
    return text;
}

std::string side_text(const Parting& parting, size_t side, const Page& page) {
    const ElementStory& story = parting.stories[side];
    const Format& f = format(story.format);
    std::string text = fmt::format("{} ({:0{}x})", hex_float(decode_double(f, story.got)), story.got, f.bits() / 4);
    if (parting.promised)
        text += fmt::format(", {} ulp from the exact {}: {}", show_error(story.error), hex_float(story.exact),
                            story.admissible ? "admissible" : "not admissible");
    return paragraph(fmt::format("          {} ", letters[side]), text, page);
}

std::string parting_text(const char* lead, const Parting& parting, const Page& page) {
    const std::string apart = show_error(parting.values) + (parting.values == 1 ? " value" : " values");
    const std::string outside = parting.promised ? "" : ", on which a contract promises nothing";
    return paragraph(
               lead,
               fmt::format("{} and {} ulp of the row apart, {} row{}: {}", apart, show_error(parting.row_ulp),
                           name(parting.regime), outside, quoted(parting.case_line, parting.row, "y", parting.element)),
               page) +
           side_text(parting, 0, page) + side_text(parting, 1, page);
}

std::string partings_text(const FormatDiff& diff, const Page& page) {
    if (!diff.largest) return "";
    const bool alike = diff.largest->case_index == diff.shortest->case_index;
    return parting_text("  largest   ", *diff.largest, page) +
           (alike ? "" : parting_text("  shortest  ", *diff.shortest, page));
}

std::string format_text(const FormatDiff& diff, const Page& page) {
    const std::string word = is_equal(diff) ? "equal" : "differ";
    const std::string what = fmt::format("{}: {}", format(diff.format).name, cases_sentence(diff));
    std::string text =
        paint_first(paragraph(word + "  ", what, page), word, is_equal(diff) ? Verdict::pass : Verdict::suspect, page);
    text += beside_text(diff, page) + reasons_text("  left out  ", diff.left_out_because, page);
    for (size_t side = 0; side < 2; ++side)
        text += reasons_text(side == 0 ? "  A broke   " : "  B broke   ", diff.broken_rules[side], page);
    return text + table_text(diff, page) + partings_text(diff, page);
}

std::string peak(double value) {
    return hex_float(value);
}

Json verdicts_json(const VerdictCounts& counts) {
    Json json = Json::object();
    for (int i = 0; i < verdict_count; ++i)
        json[name(static_cast<Verdict>(i))] = count(counts, static_cast<Verdict>(i));
    return json;
}

Json parting_json(const std::optional<Parting>& parting) {
    if (!parting) return nullptr;
    Json json{{"promised", parting->promised},     {"case", parting->case_line},      {"row", parting->row},
              {"element", parting->element},       {"regime", name(parting->regime)}, {"values", peak(parting->values)},
              {"row_ulp", peak(parting->row_ulp)}, {"kernels", Json::array()}};
    for (const ElementStory& story : parting->stories) {
        const Format& f = format(story.format);
        json["kernels"].push_back({{"got", hex_float(decode_double(f, story.got))},
                                   {"code", story.got},
                                   {"exact", hex_float(story.exact)},
                                   {"error", hex_float(story.error)},
                                   {"admissible", story.admissible}});
    }
    return json;
}

Json cells_json(const FormatDiff& diff) {
    Json json = Json::object();
    for (const RegimeInfo& info : regimes()) {
        const DiffCell& cell = diff.cells[static_cast<size_t>(info.regime)];
        json[info.name] = {{"rows", cell.rows},
                           {"differing_rows", cell.differing_rows},
                           {"outputs", cell.outputs},
                           {"differing", cell.differing},
                           {"values", peak(cell.values)},
                           {"row_ulp", peak(cell.row_ulp)},
                           {"nearer_first", cell.nearer_first},
                           {"nearer_second", cell.nearer_second},
                           {"equally_near", cell.equally_near},
                           {"verdicts", {verdicts_json(cell.verdicts[0]), verdicts_json(cell.verdicts[1])}}};
    }
    return json;
}

Json format_json(const FormatDiff& diff) {
    const auto [a, b] = contracts_of(diff);
    Json fields = Json::object(), outputs = Json::object();
    for (const FieldDifference& field : differing_fields(a, b)) fields[field.field] = field.values;
    for (const Output output : {Output::y, Output::residual_out, Output::mean, Output::rstd}) {
        const OutputDiff& one = diff.outputs[static_cast<size_t>(output)];
        outputs[name(output)] = {{"outputs", one.outputs}, {"differing", one.differing}, {"first_case", one.first}};
    }
    return {{"format", format(diff.format).name},
            {"equal", is_equal(diff)},
            {"contracts", diff.contracts},
            {"differing_fields", fields},
            {"cases", diff.cases},
            {"differing_cases", diff.differing_cases},
            {"left_out", diff.left_out_because},
            {"broken_rules", diff.broken_rules},
            {"outputs", outputs},
            {"regimes", cells_json(diff)},
            {"largest", parting_json(diff.largest)},
            {"shortest", parting_json(diff.shortest)}};
}

}  // namespace

bool is_equal(const FormatDiff& diff) {
    return diff.differing_cases == 0;
}

int exit_status(const KernelDiff& diff) {
    return std::ranges::all_of(diff.formats, is_equal) ? 0 : 1;
}

std::string diff_text(const KernelDiff& diff, const Page& page) {
    std::string text = paragraph("A         ", diff.kernels[0], page) + paragraph("B         ", diff.kernels[1], page) +
                       contracts_text(diff, page) + '\n';
    for (const FormatDiff& one : diff.formats) text += format_text(one, page) + '\n';
    return text + paragraph("", exit_status(diff) == 0 ? "equal: exit status 0" : "different: exit status 1", page);
}

std::string diff_json(const KernelDiff& diff) {
    Json json{{"schema", 1},
              {"version", diff.context.version},
              {"command", diff.context.command},
              {"seed", *diff.context.seed},
              {"kernels", diff.kernels},
              {"equal", exit_status(diff) == 0},
              {"formats", Json::array()}};
    for (const FormatDiff& one : diff.formats) json["formats"].push_back(format_json(one));
    return json.dump(2, ' ', true, Json::error_handler_t::replace) + '\n';
}

}  // namespace normcheck
