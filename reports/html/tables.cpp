// Tables of a page; see tables.hpp.
#include "reports/html/tables.hpp"

#include <fmt/format.h>

#include "reports/escape.hpp"

namespace normcheck {
namespace {

std::string cell(const char* element, const char* scope, const HtmlTable& table, size_t column,
                 const std::string& content) {
    const bool number = column >= table.numbers_from && column < table.numbers_to;
    return fmt::format("<{}{}{}>{}</{}>", element, scope, number ? " class=\"n\"" : "", content, element);
}

}  // namespace

std::string html_table(const HtmlTable& table) {
    std::string result =
        fmt::format("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\"><table>\n<thead><tr>",
                    escape_html(table.label));
    for (size_t i = 0; i < table.heads.size(); ++i) result += cell("th", " scope=\"col\"", table, i, table.heads[i]);
    result += "</tr></thead>\n<tbody>\n";
    for (const std::vector<std::string>& row : table.rows) {
        result += "<tr>";
        for (size_t i = 0; i < row.size(); ++i)
            result += i == 0 ? cell("th", " scope=\"row\"", table, i, row[i]) : cell("td", "", table, i, row[i]);
        result += "</tr>\n";
    }
    return result + "</tbody></table></div>\n";
}

std::string html_details(const std::string& summary, const std::string& content, bool open) {
    return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", open ? " open" : "", summary, content);
}

}  // namespace normcheck
