// The table of writers; see writers.hpp.
#include "reports/writers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "oracles/error.hpp"
#include "reports/escape.hpp"
#include "reports/json.hpp"
#include "reports/text_table.hpp"

namespace normcheck {
namespace {

constexpr int text_columns = 120;

std::string to_plain_text(const Report& report) {
    return to_text(report, text_columns, false);
}

constexpr Writer table[] = {
    {"text", ".txt", "what verify prints", to_plain_text},
    {"json", ".json", "all records: schema.json", to_json_text},
    {"jsonl", ".jsonl", "one record per line", to_json_lines},
    {"markdown", ".md", "a comment for a pull request", to_markdown},
    {"junit", ".xml", "JUnit XML for continuous integration", to_junit},
    {"sarif", ".sarif", "SARIF 2.1.0 for code scanning", to_sarif},
    {"github", "", "annotations of GitHub Actions", to_annotations},
    {"csv", ".csv", "one line per kernel, format and regime", to_csv},
    {"html", ".html", "a page with figures", to_html},
};

std::string names(const char* (*name)(const Writer&)) {
    std::string result;
    for (const Writer& writer : table)
        if (*name(writer) != '\0') result += (result.empty() ? "" : ", ") + std::string(name(writer));
    return result;
}

}  // namespace

std::span<const Writer> writers() {
    return table;
}

const Writer& writer_named(std::string_view name) {
    const auto found = std::ranges::find(table, name, [](const Writer& one) { return std::string_view(one.name); });
    if (found != std::end(table)) return *found;
    throw InputError(fmt::format("there is no report format '{}'; expected one of {}", printable(name),
                                 names([](const Writer& writer) { return writer.name; })));
}

const Writer& writer_for_file(std::string_view file) {
    const auto fits = [&](const Writer& one) { return *one.extension != '\0' && file.ends_with(one.extension); };
    const auto found = std::ranges::find_if(table, fits);
    if (found != std::end(table)) return *found;
    throw InputError(fmt::format("the name {} tells no report format; expected one that ends in {}, or FORMAT:FILE",
                                 printable(file), names([](const Writer& writer) { return writer.extension; })));
}

}  // namespace normcheck
