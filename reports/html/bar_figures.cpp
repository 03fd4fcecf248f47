// Figures of bars; see bar_figures.hpp.
#include "reports/html/bar_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/bins.hpp"
#include "reports/html/plot_commands.hpp"

namespace normcheck {
namespace {

// Rows by row error.

std::string error_label(double to) {
    if (std::isinf(to)) return "inf";
    return to <= 1024 ? fmt::to_string(to) : fmt::format("2^{}", std::ilogb(to));
}

int64_t rows_in(const KernelReport& report) {
    int64_t sum = 0;
    for (const auto& [to, bin] : report.by_error) sum += bin.rows;
    return sum;
}

size_t error_index(double to) {
    return static_cast<size_t>(std::ranges::find(error_bins(), to) - error_bins().begin());
}

struct HistogramAxes {
    size_t first = error_index(0.125);
    size_t last = error_index(1);
    double least = -1;  // log10 of the smallest share in percent, whole

    explicit HistogramAxes(const Formats& formats) {
        for (const KernelReport* one : formats) {
            for (const auto& [to, bin] : one->by_error) {
                first = std::min(first, error_index(to));
                last = std::max(last, error_index(to));
                least = std::min(least, std::floor(share(*one, bin)));
            }
        }
    }
    static double share(const KernelReport& report, const Bin& bin) {
        return std::log10(100.0 * static_cast<double>(bin.rows) / static_cast<double>(rows_in(report)));
    }
    std::vector<Tic> bins() const {
        std::vector<Tic> result;
        const size_t step = 1 + (last - first) / 9;  // so that labels do not touch; one of them is 0.5
        for (size_t i = first; i <= last; ++i)
            if (i % step == error_index(0.5) % step)
                result.emplace_back(static_cast<double>(i), error_label(error_bins()[i]));
        return result;
    }
    std::vector<Tic> shares() const {
        std::vector<Tic> result;
        for (double power = least; power <= 2; power += 1)
            result.emplace_back(power, fmt::format("{:g}", std::pow(10, power)));
        return result;
    }
};

/// A bar per bin and format, side by side.
std::string histogram_bars(const Formats& formats, double least, std::string& plots) {
    std::string result;
    const double width = 0.84 / static_cast<double>(formats.size());
    for (size_t i = 0; i < formats.size(); ++i) {
        const KernelReport& one = *formats[i];
        std::string lines;
        for (const auto& [to, bin] : one.by_error) {
            const double left = static_cast<double>(error_index(to)) - 0.42 + width * static_cast<double>(i);
            lines += fmt::format("{} {} {}\n", left, left + width, HistogramAxes::share(one, bin));
        }
        result += data_block(format_name(one), lines);
        plots += fmt::format("{}${} using 1:3:1:2:({}):3 with boxxyerror lc {} title '{}'", plots.empty() ? "" : ", ",
                             format_name(one), least, colour_of(ink_of(one.format)), format_name(one));
    }
    return result;
}

std::string rounded_in_words(const Formats& formats) {
    std::string result;
    for (const KernelReport* one : formats) {
        const Cell all = whole(*one);
        result += fmt::format("{}{} {} %", result.empty() ? "" : ", ", format_name(*one),
                              show_percent(all.correctly_rounded, all.outputs));
    }
    return "Outputs correctly rounded: " + result + ".";
}

// Slack by regime.

bool has_slack(const KernelReport& report, Regime regime) {
    return report.cells[static_cast<size_t>(regime)].slack.has_value();
}

std::vector<Regime> regimes_with_slack(const Formats& formats) {
    std::vector<Regime> result;
    for (const RegimeInfo& info : regimes())
        if (std::ranges::any_of(formats, [&](const KernelReport* one) { return has_slack(*one, info.regime); }))
            result.push_back(info.regime);
    return result;
}

double slack_of(const KernelReport& report, Regime regime) {
    return report.cells[static_cast<size_t>(regime)].slack->value;
}

constexpr double slack_end = 1.25;  // of the axis; longer bars are cut there, with their value beside

std::string slack_bars(const Formats& formats, const std::vector<Regime>& shown, std::string& extra,
                       std::string& plots) {
    std::string result;
    const double width = 0.84 / static_cast<double>(formats.size());
    for (size_t i = 0; i < formats.size(); ++i) {
        std::string lines;
        for (size_t row = 0; row < shown.size(); ++row) {
            if (!has_slack(*formats[i], shown[row])) continue;
            const double slack = slack_of(*formats[i], shown[row]);
            const double top = static_cast<double>(row) + 0.58 + width * static_cast<double>(i);
            lines += fmt::format("{} {} {}\n", std::min(slack, slack_end), top, top + width * 0.9);
            if (slack > slack_end)
                extra += fmt::format("set label '{}' at {},{} offset 0.5,0 left font ',11' textcolor {}\n",
                                     show_error(slack), slack_end, top + width * 0.45, colour_of(Ink::text));
        }
        if (lines.empty()) continue;
        result += data_block(format_name(*formats[i]), lines);
        plots += fmt::format("{}${} using 1:2:(0):1:2:3 with boxxyerror lc {} title '{}'", plots.empty() ? "" : ", ",
                             format_name(*formats[i]), colour_of(ink_of(formats[i]->format)), format_name(*formats[i]));
    }
    return result;
}

std::string slack_in_words(const Formats& formats, const std::vector<Regime>& shown) {
    std::string result;
    for (const KernelReport* one : formats) {
        const auto less = [&](Regime a, Regime b) {
            const auto value = [&](Regime r) { return has_slack(*one, r) ? slack_of(*one, r) : -1; };
            return value(a) < value(b);
        };
        const Regime largest = *std::ranges::max_element(shown, less);
        if (has_slack(*one, largest))
            result += fmt::format("{}{}: at most {}, in {} rows", result.empty() ? "" : "; ", format_name(*one),
                                  show_error(slack_of(*one, largest)), name(largest));
    }
    return result + ".";
}

std::string slack_table(const Formats& formats, const std::vector<Regime>& shown) {
    HtmlTable table{"Slack by regime", heads_of("regime", formats), {}};
    for (const Regime regime : shown) {
        std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{name(regime)});
        for (const KernelReport* one : formats)
            row.push_back(has_slack(*one, regime) ? show_error(slack_of(*one, regime)) : "");
    }
    return html_table(table);
}

}  // namespace

Figure histogram_figure(const Formats& formats) {
    const HistogramAxes axes(formats);
    std::string plots;
    const std::string data = histogram_bars(formats, axes.least, plots);
    Figure figure;
    figure.title = "Rows by row error. " + rounded_in_words(formats);
    figure.description = fmt::format("A histogram with bars per format. {}",
                                     largest_in_words(formats, &KernelReport::by_error, [](double to) {
                                         return fmt::format("the bin up to {}", error_label(to));
                                     }));
    const double half = static_cast<double>(error_index(0.5)) + 0.5;
    figure.sketch = {
        280, frame() + "set key outside top center horizontal samplen 1.5\nset lmargin 8\n" +
                 fmt::format("set arrow from first {0}, graph 0 to first {0}, graph 1 nohead dt 2 lc {1} front\n", half,
                             colour_of(Ink::text)) +
                 range("x", static_cast<double>(axes.first) - 0.6, static_cast<double>(axes.last) + 0.6) +
                 range("y", axes.least, 2.1) + tics("x", axes.bins()) + tics("y", axes.shares()) +
                 axis_label("x", "row error [ulp], each bin up to") + axis_label("y", "rows [%], log") + data +
                 "plot " + plots};
    figure.table = bins_table("Rows by row error", "row error [ulp] up to", formats, &KernelReport::by_error,
                              error_label, rows_cell);
    return figure;
}

bool has_slack(const KernelFormats& kernel) {
    return !regimes_with_slack(kernel.formats).empty();
}

Figure slack_figure(const Formats& formats) {
    const std::vector<Regime> shown = regimes_with_slack(formats);
    std::string plots, extra;
    const std::string data = slack_bars(formats, shown, extra, plots);
    std::vector<Tic> labels;
    for (size_t i = 0; i < shown.size(); ++i) labels.emplace_back(static_cast<double>(i + 1), name(shown[i]));
    Figure figure;
    figure.title = "Largest slack by regime: 1 is the edge of what is admissible";
    figure.description = fmt::format("Bars per regime and format. {}", slack_in_words(formats, shown));
    const int bars = static_cast<int>(shown.size() * formats.size());
    figure.sketch = {std::max(170, 84 + 13 * bars + 6 * static_cast<int>(shown.size())),
                     frame() + "set key outside top center horizontal samplen 1.5\nset lmargin 15\nset rmargin 10\n" +
                         guide_vertical(1, "") + extra + range("x", 0, slack_end) +
                         fmt::format("set yrange [{}:0.4]\n", static_cast<double>(shown.size()) + 0.6) +
                         tics("x", {{0, "0"}, {0.25, "0.25"}, {0.5, "0.5"}, {0.75, "0.75"}, {1, "1"}}) +
                         tics("y", labels) + axis_label("x", "slack") + data + "plot " + plots};
    figure.table = slack_table(formats, shown);
    return figure;
}

}  // namespace normcheck
