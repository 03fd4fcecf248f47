// Runs gnuplot once for all figures of a page.
#pragma once

#include <string>
#include <vector>

namespace normcheck {

/// A figure of `figure_width` by `height` points: commands that end with a plot and name neither terminal nor output.
struct Sketch {
    int height = 0;
    std::string commands;
};
constexpr int figure_width = 480;

/// Files of the terminal svg, one per sketch, or none, and then why.
struct Drawings {
    std::vector<std::string> files;
    std::string problem;
};

/// Draws every sketch with gnuplot, which is looked for along PATH.
Drawings draw(const std::vector<Sketch>& sketches);

}  // namespace normcheck
