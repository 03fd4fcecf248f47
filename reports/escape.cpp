// Foreign text made harmless; see escape.hpp.
#include "reports/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace normcheck {
namespace {

struct Letter {
    uint32_t code = 0;
    size_t bytes = 0;  // 0: no UTF-8 begins here
};

/// The bytes of a letter by its first one, 0 where no letter begins so.
size_t length_of(unsigned char first) {
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first < 0xe0) return 2;
    if (first >= 0xe0 && first < 0xf0) return 3;
    return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/// The letter at the start of the text (RFC 3629): no overlong form, no surrogate, none past U+10FFFF.
Letter first_letter(std::string_view text) {
    const size_t bytes = length_of(static_cast<unsigned char>(text[0]));
    if (bytes == 0 || bytes > text.size()) return {};
    uint32_t code = static_cast<unsigned char>(text[0]) & (bytes == 1 ? 0x7fU : 0x7fU >> bytes);
    for (size_t i = 1; i < bytes; ++i) {
        const auto next = static_cast<unsigned char>(text[i]);
        if ((next & 0xc0) != 0x80) return {};
        code = code << 6 | (next & 0x3f);
    }
    constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < least[bytes] || surrogate || code > 0x10ffff ? Letter{} : Letter{code, bytes};
}

/// Controls, line and paragraph separators, marks of direction, and letters without a shape or a meaning.
bool acts(uint32_t code) {
    constexpr std::pair<uint32_t, uint32_t> ranges[] = {
        {0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},   {0x180e, 0x180e}, {0x200b, 0x200f},
        {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe007f}};
    return std::ranges::any_of(ranges, [&](const auto& range) { return code >= range.first && code <= range.second; });
}

std::string named(uint32_t code) {
    if (code == '\n') return "\\n";
    if (code == '\t') return "\\t";
    if (code < 0x80) return fmt::format("\\x{:02x}", code);
    return code < 0x10000 ? fmt::format("\\u{:04x}", code) : fmt::format("\\U{:08x}", code);
}

void make_printable(std::string& text) {
    text = printable(text);
}

void make_printable(ReasonCounts& reasons) {
    ReasonCounts result;
    for (const auto& [reason, times] : reasons) result[printable(reason)] += times;
    reasons = std::move(result);
}

void make_printable(std::optional<Peak>& peak) {
    if (peak) make_printable(peak->case_line);
}

void make_printable(Context& context) {
    for (std::string* text :
         {&context.version, &context.cpu, &context.compiler, &context.flags, &context.command, &context.started})
        make_printable(*text);
}

void make_printable(KernelReport& kernel) {
    make_printable(kernel.kernel);
    make_printable(kernel.contract);
    make_printable(kernel.options);
    for (Cell& cell : kernel.cells)
        for (std::optional<Peak>* peak : {&cell.row_error, &cell.absolute_error, &cell.element_error, &cell.slack})
            make_printable(*peak);
    for (ReasonCounts& reasons : kernel.reasons) make_printable(reasons);
    make_printable(kernel.broken_rules);
    std::map<std::string, PropertyCounts> properties;
    for (const auto& [property, counts] : kernel.properties) properties[printable(property)] = counts;
    kernel.properties = std::move(properties);
    for (WorstCase& worst : kernel.worst) make_printable(worst.row_error.case_line);
    for (Speed& speed : kernel.speeds) make_printable(speed.conditions);
}

void make_printable(Finding& finding) {
    for (std::string* text : {&finding.kernel, &finding.reason, &finding.case_line, &finding.output})
        make_printable(*text);
    if (!finding.numbers) return;
    Comparison& numbers = *finding.numbers;
    for (CodedValue* coded : {&numbers.target, &numbers.lowest, &numbers.highest, &numbers.got})
        make_printable(coded->value);
}

size_t longest_run(std::string_view text, char character) {
    size_t longest = 0, run = 0;
    for (const char one : text) {
        run = one == character ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

}  // namespace

std::string printable(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const Letter letter = first_letter(text);
        const size_t bytes = std::max<size_t>(letter.bytes, 1);
        if (letter.bytes == 0)
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
        else if (acts(letter.code))
            result += named(letter.code);
        else
            result += text.substr(0, bytes);
        text.remove_prefix(bytes);
    }
    return result;
}

Report printable(Report report) {
    make_printable(report.context);
    for (KernelReport& kernel : report.kernels) make_printable(kernel);
    for (Finding& finding : report.findings) make_printable(finding);
    for (Change& change : report.changes)
        for (std::string* text : {&change.kernel, &change.what, &change.case_line}) make_printable(*text);
    return report;
}

std::string escape_html(std::string_view text) {
    std::string result;
    for (const char character : text) {
        switch (character) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            case '\'':
                result += "&#39;";
                break;
            default:
                result += character;
        }
    }
    return result;
}

// A word joiner after @ keeps sites from notifying whoever has that name; a backslash alone would not. Colon and point
// are escaped where sites would make a link of what follows.
std::string escape_markdown(std::string_view text) {
    constexpr std::string_view marks = "\\`*_[]#|~$!";
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
        const char one = text[i];
        const bool link = text.substr(i).starts_with(":/") || (i > 0 && text.substr(i - 1).starts_with("w."));
        if (link || marks.find(one) != marks.npos) result += '\\';
        result += one == '<' || one == '>' || one == '&' ? escape_html(text.substr(i, 1)) : std::string(1, one);
        if (one == '@') result += "\u2060";
    }
    return result;
}

std::string code_span(std::string_view text) {
    const std::string fence(longest_run(text, '`') + 1, '`');
    const bool pad = text.empty() || text.starts_with('`') || text.ends_with('`') || text.starts_with(' ');
    return pad ? fmt::format("{0} {1} {0}", fence, text) : fmt::format("{0}{1}{0}", fence, text);
}

std::string cell_code(std::string_view text) {
    std::string result;
    for (const char one : code_span(text)) result += one == '|' ? std::string("\\|") : std::string(1, one);
    return result;
}

std::string code_block(std::string_view text, std::string_view language) {
    const std::string fence(std::max<size_t>(3, longest_run(text, '`') + 1), '`');
    return fmt::format("{}{}\n{}\n{}\n", fence, language, text, fence);
}

std::string shell_quoted(std::string_view text) {
    std::string word = "'";
    for (const char character : text) word += character == '\'' ? std::string("'\\''") : std::string(1, character);
    return word + "'";
}

}  // namespace normcheck
