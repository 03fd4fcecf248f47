// Exact sums by one 128-bit integer bucket per exponent: no rounding, a few nanoseconds a value.
#include "oracles/sums.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

__extension__ typedef __int128 Wide128;
__extension__ typedef unsigned __int128 UnsignedWide128;

// A finite double as integer * 2^exponent; the exponent is the bucket's index plus a constant.
struct Split {
    int64_t mantissa;
    int exponent;  // 0 .. 2046
};
constexpr int exponent_origin = -1075;  // value = mantissa * 2^(exponent + exponent_origin)

Split split(double value) {
    const auto bits = std::bit_cast<uint64_t>(value);
    const int field = static_cast<int>(bits >> 52 & 0x7ff);
    const auto fraction = static_cast<int64_t>(bits & ((uint64_t{1} << 52) - 1));
    const int64_t magnitude = field == 0 ? fraction : fraction | int64_t{1} << 52;
    return {bits >> 63 ? -magnitude : magnitude, std::max(field, 1)};
}

Int to_int(Wide128 value) {
    const bool negative = value < 0;
    const auto magnitude = negative ? -static_cast<UnsignedWide128>(value) : static_cast<UnsignedWide128>(value);
    Int result = static_cast<uint64_t>(magnitude >> 64);
    result <<= 64;
    result += static_cast<uint64_t>(magnitude);
    return negative ? Int(-result) : result;
}

// A sum of terms mantissa * 2^exponent. A bucket of products of two 53-bit integers takes 2^20 of them without
// overflow; after that all buckets are emptied into the exact total.
class Buckets {
  public:
    Buckets(int size, int64_t origin) : buckets_(size), origin_(origin), first_(size) {}

    void add(Wide128 term, int exponent) {
        buckets_[exponent] += term;
        first_ = std::min(first_, exponent);
        last_ = std::max(last_, exponent);
        if (++terms_ == 1 << 20) flush();
    }
    Dyadic total() {
        flush();
        return std::exchange(total_, Dyadic{});
    }

  private:
    void flush() {
        for (int e = first_; e <= last_; ++e) {
            if (buckets_[e] == 0) continue;
            total_ = total_ + Dyadic{to_int(buckets_[e]), e + origin_};
            buckets_[e] = 0;
        }
        terms_ = 0;
        first_ = static_cast<int>(buckets_.size());
        last_ = -1;
    }

    std::vector<Wide128> buckets_;
    int64_t origin_;
    int first_;
    int last_ = -1;
    int terms_ = 0;
    Dyadic total_;
};

struct Accumulators {
    Buckets sum{2048, exponent_origin};
    Buckets squares{4096, 2 * exponent_origin};
};

void add_value(Accumulators& into, const Pair& value) {
    const Split hi = split(value.hi);
    into.sum.add(hi.mantissa, hi.exponent);
    into.squares.add(static_cast<Wide128>(hi.mantissa) * hi.mantissa, 2 * hi.exponent);
    if (value.lo == 0) return;
    const Split lo = split(value.lo);
    into.sum.add(lo.mantissa, lo.exponent);
    into.squares.add(static_cast<Wide128>(hi.mantissa) * lo.mantissa, hi.exponent + lo.exponent + 1);
    into.squares.add(static_cast<Wide128>(lo.mantissa) * lo.mantissa, 2 * lo.exponent);
}

int64_t lowest_bit(double value) {
    const Split parts = split(value);
    return parts.exponent + exponent_origin + std::countr_zero(static_cast<uint64_t>(parts.mantissa));
}

}  // namespace

RowSums row_sums(std::span<const Pair> values) {
    static thread_local Accumulators accumulators;
    Accumulators& exact = accumulators;
    RowSums result;
    result.n = static_cast<int64_t>(values.size());
    result.lowest_bit = std::numeric_limits<int64_t>::max();
    long double magnitudes = 0;
    for (const Pair& value : values) {
        add_value(exact, value);
        magnitudes += std::fabs(static_cast<long double>(value.hi)) + std::fabs(static_cast<long double>(value.lo));
        result.largest = std::max(result.largest, std::fabs(value.hi));
        if (value.hi != 0) result.lowest_bit = std::min(result.lowest_bit, lowest_bit(value.hi));
        if (value.lo != 0) result.lowest_bit = std::min(result.lowest_bit, lowest_bit(value.lo));
        result.constant = result.constant && value.hi == values[0].hi && value.lo == values[0].lo;
    }
    if (result.largest == 0) result.lowest_bit = 0;
    // 2 n additions, each off by at most 2^-64 relative.
    result.sum_of_magnitudes = Upper(magnitudes * (1.0L + 0x1p-62L * static_cast<long double>(result.n + 1)));
    result.sum = exact.sum.total();
    result.sum_of_squares = exact.squares.total();
    return result;
}

Dyadic exact_spread(const Contract& contract, const RowSums& sums) {
    const Dyadic square = dyadic_integer(sums.n) * sums.sum_of_squares;
    return contract.norm == Norm::layer ? square - sums.sum * sums.sum : square;
}

Near exact_spread(const Contract& contract, const NearSums& sums) {
    return contract.norm == Norm::layer ? sums.spread : Near(static_cast<double>(sums.n)) * sums.sum_of_squares;
}

}  // namespace normcheck
