// Hands whole rows to the loops of an instruction set; see bulk_loops.cpp.
#include "harness/cases/bulk.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

const BulkLoops& loops_of(InstructionSet set) {
#ifdef NORMCHECK_PER_ISA
    if (set == InstructionSet::avx512) return avx512::bulk_loops;
    if (set == InstructionSet::avx2) return avx2::bulk_loops;
#endif
    require(set == InstructionSet::baseline, "bulk loops are not built for this instruction set");
    return baseline::bulk_loops;
}

uint64_t bits_of(double value) {
    return std::bit_cast<uint64_t>(value);
}

RoundingTable rounding_table(const Format& to) {
    const Format& f64 = format(FormatId::f64);
    RoundingTable table;
    table.largest = bits_of(decode_double(to, to.max_finite_code()));
    table.smallest_normal = bits_of(std::ldexp(1.0, to.min_exponent()));
    table.anchor = std::ldexp(1.0, to.min_spacing_exponent() + f64.significand_bits - 1);
    table.rebias = static_cast<uint64_t>(f64.max_exponent() - to.max_exponent()) << (f64.significand_bits - 1);
    table.nan_code = to.nan_code();
    table.dropped_bits = f64.significand_bits - to.significand_bits;
    table.sign_shift = f64.bits() - to.bits();
    return table;
}

/// f64 drops no bits, so there is nothing to round.
uint64_t limited_double(double value) {
    const double limit = std::numeric_limits<double>::max();
    return round_double(format(FormatId::f64), std::clamp(value, -limit, limit));
}

MidpointTable midpoint_table(const Contract& contract, int64_t cols) {
    const Format& y = format(contract.y);
    MidpointTable table;
    table.count = static_cast<double>(cols);
    table.centred = contract.norm == Norm::layer;
    table.outside = contract.eps_at == EpsAt::outside ? contract.eps.value : 0;
    table.inside = contract.eps_at == EpsAt::outside || contract.eps_at == EpsAt::none ? 0 : contract.eps.value;
    table.min_exponent = y.min_exponent();
    table.max_exponent = y.max_exponent();
    table.steps = std::ldexp(1.0, y.significand_bits - 1);
    return table;
}

}  // namespace

void draw_gaussians(Stream& stream, std::span<double> values, InstructionSet set) {
    loops_of(set).draw_gaussians(stream.seed, stream.id, stream.counter, values.data(), std::ssize(values));
    stream.counter += 4 * values.size();
}

void round_finite(const Format& format, std::span<const double> values, std::span<uint64_t> codes, InstructionSet set) {
    require(values.size() == codes.size(), "as many codes as values");
    if (format.id == FormatId::f64) {
        std::ranges::transform(values, codes.begin(), limited_double);
        return;
    }
    loops_of(set).round_finite(rounding_table(format), values.data(), codes.data(), std::ssize(values));
}

void midpoint_distances(const Contract& contract, int64_t cols, double value, const NeighbourSums& sums,
                        std::span<double> distances, InstructionSet set) {
    loops_of(set).midpoint_distances(midpoint_table(contract, cols), value, sums, distances.data(),
                                     std::ssize(distances));
}

}  // namespace normcheck
