// Figures of bars: rows by row error, and slack by regime.
#pragma once

#include "reports/html/distributions.hpp"
#include "reports/html/figures.hpp"

namespace normcheck {

/// The share of rows in every bin of row errors, and how many outputs are correctly rounded.
Figure histogram_figure(const Formats& formats);

/// Whether slack was measured in any format and regime.
bool has_slack(const KernelFormats& kernel);
/// The largest slack in every regime that has one.
Figure slack_figure(const Formats& formats);

}  // namespace normcheck
