// Text in a given width; see layout.hpp. Colour is added after padding, so that it changes no widths.
#include "reports/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "oracles/text.hpp"

namespace normcheck {
namespace {

constexpr std::string_view gap = "  ";

const char* escape(Style style) {
    switch (style) {
        case Style::plain:
            return "";
        case Style::bold:
            return "\x1b[1m";
        case Style::dim:
            return "\x1b[2m";
        case Style::red:
            return "\x1b[1;31m";
        case Style::green:
            return "\x1b[32m";
        case Style::yellow:
            return "\x1b[33m";
    }
    return "";
}

int length(std::string_view text) {
    return static_cast<int>(text.size());
}

std::string padding(int spaces) {
    return std::string(static_cast<size_t>(std::max(0, spaces)), ' ');
}

std::string align(std::string_view text, const Column& column) {
    const std::string pad = padding(width(column) - length(text));
    return column.left ? std::string(text) + pad : pad + std::string(text);
}

void trim_right(std::string& line) {
    line.erase(line.find_last_not_of(' ') + 1);
}

bool fits(const Columns& table, const Columns& more, int columns) {
    return width(table) + width(more) <= columns;
}

}  // namespace

std::string paint(std::string_view text, Style style, const Page& page) {
    if (!page.color || style == Style::plain) return std::string(text);
    return fmt::format("{}{}\x1b[0m", escape(style), text);
}

std::string paint_lines(std::string_view lines, Style style, const Page& page) {
    std::string result;
    for (const std::string_view line : split(lines, '\n')) {
        if (!result.empty()) result += '\n';
        if (!line.empty()) result += paint(line, style, page);
    }
    return result;
}

std::vector<std::string> wrap(std::string_view text, int width) {
    std::vector<std::string> lines(1);
    for (const std::string_view word : split(text, ' ')) {
        if (word.empty()) continue;
        if (!lines.back().empty() && length(lines.back()) + 1 + length(word) > width) lines.emplace_back();
        if (!lines.back().empty()) lines.back() += ' ';
        lines.back() += word;
    }
    return lines;
}

std::string paragraph(std::string_view lead, std::string_view text, const Page& page) {
    std::string result(lead);
    const std::string indent = padding(length(lead));
    const std::vector<std::string> lines = wrap(text, page.columns - length(lead));
    for (size_t i = 0; i < lines.size(); ++i) {
        if (i > 0) result += indent;
        result += lines[i];
        trim_right(result);
        result += '\n';
    }
    return result;
}

int width(const Column& column) {
    int widest = 0;
    for (const std::string_view line : split(column.head, '\n')) widest = std::max(widest, length(line));
    for (const Entry& entry : column.entries) widest = std::max(widest, length(entry.text));
    return widest;
}

int width(const Columns& columns) {
    int sum = 0;
    for (const Column& column : columns) sum += length(gap) + width(column);
    return sum;
}

std::string head_lines(const Columns& columns, const Page& page) {
    size_t height = 0;
    for (const Column& column : columns) height = std::max(height, split(column.head, '\n').size());
    std::string result;
    for (size_t line = 0; line < height; ++line) {
        std::string text;
        for (const Column& column : columns) {
            const std::vector<std::string_view> head = split(column.head, '\n');
            const size_t above = height - head.size();
            text += std::string(gap) + align(line < above ? "" : head[line - above], column);
        }
        trim_right(text);
        result += paint(text, Style::bold, page) + '\n';
    }
    return result;
}

std::string row_line(const Columns& columns, size_t index, const Page& page) {
    std::string result;
    for (const Column& column : columns) {
        const Entry& entry = column.entries[index];
        result += std::string(gap) + paint(align(entry.text, column), entry.style, page);
    }
    return result;
}

std::vector<Columns> fold(const Column& first, const std::vector<Columns>& groups, int columns) {
    std::vector<Columns> tables{{first}};
    for (const Columns& group : groups) {
        const bool fits_alone = fits({first}, group, columns);
        if (tables.back().size() > 1 && !fits(tables.back(), group, columns)) tables.push_back({first});
        for (const Column& column : group) {
            if (!fits_alone && tables.back().size() > 1 && !fits(tables.back(), {column}, columns))
                tables.push_back({first});
            tables.back().push_back(column);
        }
    }
    return tables;
}

}  // namespace normcheck
