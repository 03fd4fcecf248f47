// The tolerance that a contract justifies, for people who compare with a reference in f64 and must choose rtol and
// atol: derived from the admissible sets of planned rows, and what such a comparison cannot see.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/abi/normcheck.h"
#include "harness/cases/case.hpp"
#include "reports/record.hpp"

namespace normcheck {

/// |y - ref| <= rtol * |ref| + atol * largest |ref| of the row + the smallest subnormal number of y's format.
struct Tolerance {
    double rtol = 0, atol = 0;
};

/// An admissible output and how far it is from the reference, in units of the row's largest |ref|.
struct Needed {
    double size = 0;  // |ref|
    double off = 0;   // the farther end of the admissible set from ref, less the smallest subnormal number
    std::string case_line;
    int64_t row = 0, element = 0;
};

/// The upper hull of what is needed, by rising size: a line above it is above every point that was added.
class NeededHull {
  public:
    /// Whether a point lies on the hull or under it.
    bool covers(double size, double off) const;
    void add(Needed point);
    void add(const NeededHull& other);
    std::span<const Needed> points() const { return points_; }

  private:
    std::vector<Needed> points_;
};

/// The line over the hull that is lowest on average over sizes from 0 to 1, and does not fall.
struct Fit {
    Tolerance tolerance;
    std::optional<Needed> by;  // the point on the line that is farthest off
};
Fit fit(const NeededHull& hull);

/// rtol and atol of PyTorch's assert_close where none are given, |y - ref| <= rtol * |ref| + atol whatever the row.
Tolerance usual_tolerance(FormatId y);

struct ToleranceCell {
    int64_t rows = 0, outputs = 0;
    NeededHull hull;
    Fit fit;
    int64_t usual_refuses = 0;  // rows with an admissible output that the usual tolerance refuses
};

/// What became of a kernel's rows in one regime: passed, where every y is admissible, else failed. Other outputs are
/// not looked at.
struct ToleratedCell {
    int64_t passed = 0, failed = 0;
    int64_t passed_refused = 0;        // by the fitted tolerance of the regime: none where the same rows made it
    int64_t failed_accepted = 0;       // faults that it cannot see
    int64_t failed_usual_accepts = 0;  // and those that the usual one cannot see
    std::string unseen;                // the first case with a row that fails and is accepted by the fitted one
};

struct ToleratedKernel {
    std::string kernel;
    std::array<ToleratedCell, regime_count> cells{};
};

struct ToleranceReport {
    std::array<ToleranceCell, regime_count> cells;
    ReasonCounts left_out;  // rows without an admissible set to speak of
    std::vector<ToleratedKernel> kernels;
};

/// The tolerance for cases whose words are a whole contract (case_contract without a kernel), and what the kernels'
/// outputs are to it; they are judged by that contract, whatever they declare. The same whatever the number of threads.
/// Throws as run_plan does.
ToleranceReport tolerance_of(std::span<const Case> cases, std::span<const nc_kernel* const> kernels, int threads);

}  // namespace normcheck
