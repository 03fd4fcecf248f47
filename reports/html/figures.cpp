// The figures of a kernel; see figures.hpp. Each is drawn over axes of whole steps, whose labels say what they stand
// for.
#include "reports/html/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "reports/bins.hpp"
#include "reports/html/bar_figures.hpp"
#include "reports/html/distributions.hpp"
#include "reports/html/plot_commands.hpp"
#include "reports/numbers.hpp"

namespace normcheck {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double heat_upper_ends[heat_count] = {0.5, 1, 2, 16, 1024, infinity};

size_t heat_of(double row_error) {
    return static_cast<size_t>(std::ranges::lower_bound(heat_upper_ends, row_error) - std::begin(heat_upper_ends));
}

// Over the ratio to eps.

std::string ratio_label(int64_t from) {
    if (from == lowest_ratio_bin) return fmt::format("below {}", lowest_ratio_bin + ratio_bin_width);
    if (from == highest_ratio_bin) return fmt::format("{} and above", from);
    return fmt::format("{} to {}", from, from + ratio_bin_width);
}

std::string heat_data(const Formats& formats, std::string& plots) {
    std::vector<std::string> lines(heat_count);
    std::string failed;
    for (size_t i = 0; i < formats.size(); ++i) {
        for (const auto& [from, bin] : formats[i]->by_ratio) {
            lines[heat_of(bin.row_error)] += fmt::format("{} {}\n", from, i + 1);
            if (bin.failed > 0) failed += fmt::format("{} {}\n", from + 1, i + 1);
        }
    }
    std::string result;
    for (size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].empty()) continue;
        result += data_block(fmt::format("heat{}", i), lines[i]);
        plots += fmt::format("{}$heat{} using ($1+1):2:1:($1+{}):($2-0.42):($2+0.42) with boxxyerror lc {}",
                             plots.empty() ? "" : ", ", i, ratio_bin_width,
                             colour_of(static_cast<Ink>(static_cast<size_t>(Ink::heat0) + i)));
    }
    if (failed.empty()) return result;
    plots += fmt::format(", $failed using 1:2 with points pt 2 ps 0.5 lw 1.5 lc {}", colour_of(Ink::text));
    return result + data_block("failed", failed);
}

std::vector<Tic> format_tics(const Formats& formats) {
    std::vector<Tic> result;
    for (size_t i = 0; i < formats.size(); ++i)
        result.emplace_back(static_cast<double>(i + 1), format_name(*formats[i]));
    return result;
}

std::string regime_guides() {
    std::string result;
    for (const double edge : {-10.0, 10.0}) result += guide_vertical(edge, "");
    for (const auto& [place, text] : {Tic{-30, "eps dominated"}, Tic{0, "transition"}, Tic{30, "ordinary"}})
        result += fmt::format("set label '{}' at first {}, graph 1 offset 0,0.6 center font ',11' textcolor {}\n", text,
                              place, colour_of(Ink::text));
    return result;
}

const char* spread_word(const KernelReport& report) {
    return report.contract.starts_with("layer") ? "variance" : "mean square";
}

/// Only the layer norm has a regime offset, and its rows are in neither map: see record.hpp.
const char* without_offset(const KernelReport& report) {
    return report.contract.starts_with("layer") ? ", without offset rows" : "";
}

Figure ratio_figure(const Formats& formats) {
    const std::string over = fmt::format("log2({} / eps)", spread_word(*formats[0]));
    std::string plots;
    const std::string data = heat_data(formats, plots);
    const double n = static_cast<double>(formats.size());
    Figure figure;
    figure.colours = true;
    figure.title = fmt::format("Largest row error over {}{}", over, without_offset(*formats[0]));
    figure.description = fmt::format("A heat map with a band per format. {}",
                                     largest_in_words(formats, &KernelReport::by_ratio, ratio_label));
    figure.sketch = {88 + 34 * static_cast<int>(formats.size()),
                     frame() + fmt::format("set border 1\nunset key\nset tmargin 1.8\nset lmargin 7\n") +
                         regime_guides() + range("x", -51, 51) + fmt::format("set yrange [{}:0.4]\n", n + 0.6) +
                         tics("x", {{-40, "-40"}, {-20, "-20"}, {0, "0"}, {20, "20"}, {40, "40"}}) +
                         tics("y", format_tics(formats)) + axis_label("x", over) + data + "plot " + plots};
    figure.table = bins_table(figure.title, over, formats, &KernelReport::by_ratio, ratio_label, error_cell);
    return figure;
}

// Over row length.

std::string length_label(int64_t from) {
    return from == 1 ? "1" : fmt::format("{} to {}", from, 2 * from - 1);
}

/// Steps of an axis of powers of two from 1/8 ulp on; Inf stands one step above the rest.
struct ErrorAxis {
    int lowest = -3;
    int highest = 1;
    bool infinite = false;

    explicit ErrorAxis(const Formats& formats) {
        for (const KernelReport* one : formats) {
            for (const auto& [from, bin] : one->by_length) {
                infinite |= std::isinf(bin.row_error);
                if (std::isfinite(bin.row_error) && bin.row_error > 0)
                    highest = std::max(highest, static_cast<int>(std::ceil(std::log2(bin.row_error))));
            }
        }
    }
    int step() const { return std::max(1, (highest - lowest + 7) / 8); }
    int top() const { return infinite ? highest + step() : highest; }
    double place(double error) const {
        if (std::isinf(error)) return top();
        return error > 0 ? std::max<double>(lowest, std::log2(error)) : lowest;
    }
    std::vector<Tic> labels() const {
        std::vector<Tic> result{{lowest, "0.125"}};
        for (int power = lowest + step(); power <= highest; power += step())
            result.emplace_back(power,
                                power <= 10 ? fmt::to_string(std::ldexp(1.0, power)) : fmt::format("2^{}", power));
        if (infinite) result.emplace_back(top(), "inf");
        return result;
    }
};

std::string length_lines(const Formats& formats, const ErrorAxis& axis, std::string& plots) {
    constexpr int marks[] = {4, 6, 8, 2};  // as svg.cpp knows them, by format
    std::string result;
    for (const KernelReport* one : formats) {
        std::string lines;
        for (const auto& [from, bin] : one->by_length)
            lines += fmt::format("{} {}\n", std::log2(static_cast<double>(from)), axis.place(bin.row_error));
        const int kind = static_cast<int>(one->format);
        result += data_block(format_name(*one), lines);
        plots += fmt::format("{}${} using 1:2 with linespoints pt {} ps {} lw 1.5 lc {} title '{}'",
                             plots.empty() ? "" : ", ", format_name(*one), marks[kind], kind == 1 ? 0.5 : 0.9,
                             colour_of(ink_of(one->format)), format_name(*one));
    }
    return result;
}

Figure length_figure(const Formats& formats) {
    const ErrorAxis axis(formats);
    std::string plots;
    const std::string data = length_lines(formats, axis, plots);
    double longest = 16;
    for (const KernelReport* one : formats)
        longest = std::max(longest, std::log2(static_cast<double>(one->by_length.rbegin()->first)));
    std::vector<Tic> lengths;
    for (int power = 0; power <= longest; power += 4) lengths.emplace_back(power, fmt::to_string(int64_t{1} << power));
    Figure figure;
    figure.title = std::string("Largest row error by row length") + without_offset(*formats[0]);
    figure.description =
        fmt::format("A line per format. {}", largest_in_words(formats, &KernelReport::by_length, length_label));
    figure.sketch = {260, frame() + "set key outside top center horizontal samplen 1.5\nset lmargin 9.5\n" +
                              guide_horizontal(-1, "0.5 ulp") + range("x", -0.4, longest + 0.6) +
                              range("y", axis.lowest - 0.2, axis.top() + 0.2) + tics("x", lengths) +
                              tics("y", axis.labels()) +
                              axis_label("x", "columns (each mark: up to the next power of two)") +
                              axis_label("y", "row error [ulp]") + data + "plot " + plots};
    figure.table = bins_table(figure.title, "columns", formats, &KernelReport::by_length, length_label, error_cell);
    return figure;
}

}  // namespace

std::vector<Figure> figures_of(const KernelFormats& kernel) {
    std::vector<Figure> result;
    if (const auto formats = with_bins(kernel, &KernelReport::by_ratio); !formats.empty())
        result.push_back(ratio_figure(formats));
    if (const auto formats = with_bins(kernel, &KernelReport::by_length); !formats.empty())
        result.push_back(length_figure(formats));
    if (const auto formats = with_bins(kernel, &KernelReport::by_error); !formats.empty())
        result.push_back(histogram_figure(formats));
    if (has_slack(kernel)) result.push_back(slack_figure(kernel.formats));
    return result;
}

std::vector<double> heat_ends() {
    return {std::begin(heat_upper_ends), std::end(heat_upper_ends)};
}

std::string heat_label(size_t index) {
    return index + 1 == heat_count ? fmt::format("above {:g}", heat_upper_ends[index - 1])
                                   : fmt::format("up to {:g}", heat_upper_ends[index]);
}

}  // namespace normcheck
