// A distribution of the records of a kernel, by format: as a table, and in words.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "reports/html/tables.hpp"
#include "reports/numbers.hpp"
#include "reports/summary.hpp"

namespace normcheck {

using Formats = std::vector<const KernelReport*>;

const char* format_name(const KernelReport& report);
/// The heads of a table with a column per format.
std::vector<std::string> heads_of(const std::string& first, const Formats& formats);
/// Cells of a table of bins: the largest error and the rows behind it; the number of rows.
std::string error_cell(const Bin& bin);
std::string rows_cell(const Bin& bin);

template <typename End>
using Distribution = std::map<End, Bin> KernelReport::*;

/// The records that have anything in this distribution.
template <typename End>
Formats with_bins(const KernelFormats& kernel, Distribution<End> bins) {
    Formats result;
    for (const KernelReport* one : kernel.formats)
        if (!(one->*bins).empty()) result.push_back(one);
    return result;
}

/// A line per bin and a column per format, with what `show` says of a bin.
template <typename End, typename Label, typename Show>
std::string bins_table(const std::string& label, const std::string& first, const Formats& formats,
                       Distribution<End> bins, Label label_of, Show show) {
    std::set<End> ends;
    for (const KernelReport* one : formats)
        for (const auto& [end, bin] : one->*bins) ends.insert(end);
    HtmlTable table{label, heads_of(first, formats), {}};
    for (const End end : ends) {
        std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{label_of(end)});
        for (const KernelReport* one : formats) {
            const auto found = (one->*bins).find(end);
            row.push_back(found == (one->*bins).end() ? "" : show(found->second));
        }
    }
    return html_table(table);
}

/// "f32: at most 0.6 ulp, in 4 to 7" of each format, and how many rows fail.
template <typename End, typename Label>
std::string largest_in_words(const Formats& formats, Distribution<End> bins, Label label_of) {
    std::string result;
    for (const KernelReport* one : formats) {
        const auto by_error = [](const auto& a, const auto& b) { return a.second.row_error < b.second.row_error; };
        const auto largest = std::ranges::max_element(one->*bins, by_error);
        int64_t failed = 0;
        for (const auto& [end, bin] : one->*bins) failed += bin.failed;
        result += fmt::format(
            "{}{}: at most {} ulp, reached in {}{}", result.empty() ? "" : "; ", format_name(*one),
            show_error(largest->second.row_error), label_of(largest->first),
            failed > 0 ? fmt::format(", {} fail", show_count(static_cast<uint64_t>(failed), "row", "rows")) : "");
    }
    return result + ".";
}

}  // namespace normcheck
