// Tables of `bench oracle`; a table that is too wide for the page is folded.
#include "harness/bench/oracle_text.hpp"

#include <fmt/format.h>

#include "harness/bench/table.hpp"
#include "reports/numbers.hpp"

namespace normcheck {
namespace {

constexpr const char* heads[competitor_count] = {"kernel", "plain\ndouble", "certi-\nfied",
                                                 "exact",  "bin\nfloat",    "MPFR"};

constexpr const char* explanation =
    "Time per element in ns, the median of all repetitions; below it half the distance between the quartiles, in "
    "percent "
    "of the median. `kernel` computes the rows; the others check them: plain double in two passes, both oracles, and "
    "two "
    "256-bit number types of Boost.Multiprecision. `handed over` is the share of elements that the certified oracle "
    "leaves to the exact one.";

using Settings = std::vector<const OracleCosts*>;

Column competitor_column(const Settings& settings, size_t competitor,
                         std::string (*entry)(const Timing&, int64_t cols)) {
    Column column{heads[competitor], {}};
    for (const OracleCosts* one : settings) {
        const auto& timing = one->per_row[competitor];
        column.entries.push_back({timing ? entry(*timing, one->setting.cols) : "-"});
    }
    return column;
}

std::string element_entry(const Timing& timing, int64_t cols) {
    return show_three_digits(timing.seconds * 1e9 / static_cast<double>(cols));
}

std::string spread_entry(const Timing& timing, int64_t) {
    return fmt::format("{:.1f}", timing.spread * 100);
}

Column ratio_column(const Settings& settings, const char* head, Competitor first, Competitor second) {
    Column column{head, {}};
    for (const OracleCosts* one : settings) column.entries.push_back({show_three_digits(one->ratio(first, second))});
    return column;
}

Column undecided_column(const Settings& settings) {
    Column column{"handed\nover [%]", {}};
    for (const OracleCosts* one : settings) column.entries.push_back({show_percent(one->undecided, one->judged)});
    return column;
}

Columns time_columns(const Settings& settings) {
    Columns columns;
    for (size_t i = 0; i < competitor_count; ++i) columns.push_back(competitor_column(settings, i, element_entry));
    columns.push_back(ratio_column(settings, "certif.\n/ plain", Competitor::certified, Competitor::plain));
    columns.push_back(ratio_column(settings, "MPFR /\ncertif.", Competitor::mpfr, Competitor::certified));
    return columns;
}

Columns spread_columns(const Settings& settings) {
    Columns columns;
    for (size_t i = 0; i < competitor_count; ++i) columns.push_back(competitor_column(settings, i, spread_entry));
    columns.push_back(undecided_column(settings));
    return columns;
}

/// What tells the settings of a block apart.
std::string label_of(const OracleSetting& setting) {
    if (setting.format == FormatId::f64) return fmt::format("{} {}", name(setting.norm), setting.cols);
    return fmt::format("{} {}", format(setting.format).name, setting.cols);
}

std::string block_text(const char* title, const Settings& settings, const Page& page) {
    Column first{"", {}, true};
    for (const OracleCosts* one : settings) first.entries.push_back({label_of(one->setting)});
    return paint(title, Style::bold, page) + '\n' +
           table_text(first, {time_columns(settings), spread_columns(settings)}, page);
}

Settings chosen(std::span<const OracleCosts> costs, bool f64, std::optional<Norm> norm) {
    Settings settings;
    for (const OracleCosts& one : costs) {
        const bool is_f64 = one.setting.format == FormatId::f64;
        if (is_f64 == f64 && (!norm || *norm == one.setting.norm)) settings.push_back(&one);
    }
    return settings;
}

std::string targets_text(std::span<const OracleCosts> costs, bool judged, const Page& page) {
    std::string text = targets_heading(judged, page);
    for (const OracleTarget& target : oracle_targets(costs)) {
        const std::string got = fmt::format("{} ({})", show_three_digits(target.got), text_of(target.worst));
        text += target_line(judged ? std::optional(target.met) : std::nullopt, target.text, got, page);
    }
    return text;
}

}  // namespace

std::string oracle_text(std::span<const OracleCosts> costs, bool judged, const Page& page) {
    return paragraph("", explanation, page) + '\n' +
           block_text("rms, with gamma", chosen(costs, false, Norm::rms), page) + '\n' +
           block_text("layer, with gamma and beta", chosen(costs, false, Norm::layer), page) + '\n' +
           block_text("f64, which no built-in kernel reads", chosen(costs, true, std::nullopt), page) + '\n' +
           targets_text(costs, judged, page);
}

}  // namespace normcheck
