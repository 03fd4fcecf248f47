// The loops of the plain double reference, one copy per instruction set; reference.hpp is what others call.
#pragma once

#include <cstdint>

namespace normcheck {

enum class PlainStorage : uint8_t { f64, f32, bf16 };

/// One row as the loops take it. gamma and beta are in the order that order_parameter gives; beta and the mean are not
/// read under rms. `kept` has room for `count` doubles.
struct PlainRow {
    const void* x;
    const void* y;
    const double* gamma;
    const double* beta;
    double* kept;
    int64_t count;
    double eps;
    PlainStorage storage;
    bool layer;
};

struct PlainLoops {
    double (*largest_error)(const PlainRow& row);
    /// `count` values from their natural order into the one in which the loops read them.
    void (*order_parameter)(PlainStorage storage, const double* values, int64_t count, double* ordered);
};

namespace baseline {
extern const PlainLoops plain_loops;
}
namespace avx2 {
extern const PlainLoops plain_loops;
}
namespace avx512 {
extern const PlainLoops plain_loops;
}

}  // namespace normcheck
