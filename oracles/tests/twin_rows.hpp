// Rows for comparing the two oracles: contracts of every placement of eps, and inputs placed where rounding is hard.
// One counter-based generator, no std distributions: (seed, index) names a row on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "oracles/contract.hpp"
#include "oracles/tests/mpfr_twin.hpp"

namespace normcheck::twin {

/// Numbers drawn from a counter: each is a mix of (key, number of draws before it).
class Draw {
  public:
    Draw(uint64_t seed, uint64_t index);
    uint64_t bits();
    /// Uniform in [0, limit), limit >= 1.
    int64_t below(int64_t limit);
    bool chance(int percent) { return below(100) < percent; }
    /// Uniform in [0, 1), a multiple of 2^-53.
    double unit();
    /// Bell-shaped with mean 0 and variance 1.
    double bell();
    template <typename Value, size_t count>
    Value of(const Value (&values)[count]) {
        return values[below(count)];
    }

  private:
    uint64_t key_;
    uint64_t counter_ = 0;
};

/// One row of finite inputs with its contract; a vector is empty where the tensor is absent.
struct TwinRow {
    uint64_t index = 0;
    const char* family = "";
    Contract contract;
    std::vector<uint64_t> x, residual, gamma, beta;

    Inputs inputs() const;
};

/// The row of that number; cols is 1 to 64. The denominator may be 0, seldom, where eps is 0 or vanishes in a rounding.
TwinRow twin_row(uint64_t seed, uint64_t index);

/// A valid contract over all placements of eps, named roundings and formats.
Contract random_contract(Draw& draw);

}  // namespace normcheck::twin
