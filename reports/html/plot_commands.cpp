// Words of gnuplot; see plot_commands.hpp.
#include "reports/html/plot_commands.hpp"

#include <fmt/format.h>

namespace normcheck {

Ink ink_of(FormatId format) {
    switch (format) {
        case FormatId::f64:
            return Ink::f64;
        case FormatId::f32:
            return Ink::f32;
        case FormatId::f16:
            return Ink::f16;
        case FormatId::bf16:
            return Ink::bf16;
    }
    return Ink::text;
}

std::string tics(std::string_view axis, const std::vector<Tic>& labels) {
    std::string list;
    for (const auto& [place, text] : labels) list += fmt::format("{}'{}' {}", list.empty() ? "" : ", ", text, place);
    return fmt::format("set {}tics scale 0.4 nomirror textcolor {} ({})\n", axis, colour_of(Ink::text), list);
}

std::string axis_label(std::string_view axis, std::string_view text) {
    return fmt::format("set {}label '{}' textcolor {}\n", axis, text, colour_of(Ink::text));
}

std::string range(std::string_view axis, double from, double to) {
    return fmt::format("set {}range [{}:{}]\n", axis, from, to);
}

std::string data_block(std::string_view name, const std::string& lines) {
    return fmt::format("${} << EOD\n{}EOD\n", name, lines);
}

std::string guide_vertical(double x, std::string_view text) {
    return fmt::format(
        "set arrow from first {0}, graph 0 to first {0}, graph 1 nohead lw 1 dt 2 lc {1} front\n"
        "set label '{2}' at first {0}, graph 1 offset 0,0.5 center font ',11' textcolor {1}\n",
        x, colour_of(Ink::text), text);
}

std::string guide_horizontal(double y, std::string_view text) {
    return fmt::format(
        "set arrow from graph 0, first {0} to graph 1, first {0} nohead lw 1 dt 2 lc {1} back\n"
        "set label '{2}' at graph 1, first {0} offset -0.3,0.5 right font ',11' textcolor {1}\n",
        y, colour_of(Ink::text), text);
}

std::string frame() {
    return fmt::format("set border 3 lw 1 lc {0}\nset key textcolor {0}\nset style fill solid 1 noborder\n",
                       colour_of(Ink::text));
}

}  // namespace normcheck
