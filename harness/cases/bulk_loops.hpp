// The loops behind bulk.hpp, one copy per instruction set.
#pragma once

#include <cstdint>

namespace normcheck {

/// A format to which doubles are rounded, as bits of doubles. fraction_bits is at most 51.
struct RoundingTable {
    uint64_t largest;          // finite value of the format
    uint64_t smallest_normal;  // of the format
    double anchor;             // the power of two at which doubles are spaced like the format's subnormals
    uint64_t rebias;           // difference of the exponents' biases, in place
    uint64_t nan_code;
    int dropped_bits;  // of a double's fraction
    int sign_shift;    // from a double's sign bit to the format's
};

/// How an output is made from the sums of its row, gamma 1 and beta 0, and the format whose midpoints are looked for.
struct MidpointTable {
    double count;            // columns
    bool centred;            // whether the mean is subtracted
    double inside, outside;  // eps under the root and beside it
    int64_t min_exponent, max_exponent;
    double steps;  // of the format within a power of two
};

/// A row's sums of values and of squares, and by how much they change for each of several neighbours.
struct NeighbourSums {
    double sum, squares;
    const double* sum_changes;
    const double* square_changes;
};

struct BulkLoops {
    void (*draw_gaussians)(uint64_t seed, uint64_t stream, uint64_t counter, double* values, int64_t count);
    void (*round_finite)(const RoundingTable& table, const double* values, uint64_t* codes, int64_t count);
    void (*midpoint_distances)(const MidpointTable& table, double value, const NeighbourSums& sums, double* distances,
                               int64_t count);
};

namespace baseline {
extern const BulkLoops bulk_loops;
}
namespace avx2 {
extern const BulkLoops bulk_loops;
}
namespace avx512 {
extern const BulkLoops bulk_loops;
}

}  // namespace normcheck
