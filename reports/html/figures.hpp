// The figures of a kernel: what is drawn, the words for who cannot see it, and the numbers as a table. Nothing of a
// report that is not a number or a word of ours goes to gnuplot.
#pragma once

#include <string>
#include <vector>

#include "reports/html/gnuplot.hpp"
#include "reports/summary.hpp"

namespace normcheck {

struct Figure {
    std::string title;
    std::string description;
    Sketch sketch;
    std::string table;     // HTML
    bool colours = false;  // areas are coloured by size of error: a key belongs below
};

/// The figures of a kernel for which it has numbers: row error over the ratio to eps, and over row length, rows by row
/// error, slack by regime.
std::vector<Figure> figures_of(const KernelFormats& kernel);

/// The classes of row errors that have a colour each, by upper end in ulp; the last is Inf.
std::vector<double> heat_ends();
std::string heat_label(size_t index);

}  // namespace normcheck
