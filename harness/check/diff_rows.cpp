// The comparison of codes; see diff_rows.hpp.
#include "harness/check/diff_rows.hpp"

#include <algorithm>
#include <cmath>

namespace normcheck {
namespace {

/// Representable values from one to the other.
double values_between(const Format& f, uint64_t a, uint64_t b) {
    if (is_nan(f, a) || is_nan(f, b)) return HUGE_VAL;
    return static_cast<double>(rank_distance(rank(f, a), rank(f, b)));
}

double distance(const Format& f, uint64_t a, uint64_t b) {
    if (!is_finite(f, a) || !is_finite(f, b)) return HUGE_VAL;
    return std::fabs(decode_double(f, a) - decode_double(f, b));
}

double largest_finite(const Format& f, const uint64_t* codes, int64_t cols) {
    double largest = 0;
    for (int64_t i = 0; i < cols; ++i)
        if (is_finite(f, codes[i])) largest = std::max(largest, std::fabs(decode_double(f, codes[i])));
    return largest;
}

}  // namespace

bool codes_differ(FormatId id, uint64_t a, uint64_t b) {
    return a != b && !(is_nan(format(id), a) && is_nan(format(id), b));
}

const std::vector<uint64_t>& codes_of(const Outputs& outputs, Output output) {
    switch (output) {
        case Output::y:
            return outputs.y;
        case Output::residual_out:
            return outputs.residual_out;
        case Output::mean:
            return outputs.mean;
        case Output::rstd:
            return outputs.rstd;
    }
    throw InternalError("internal error: no such output");
}

FormatId format_of(const Contract& contract, Output output) {
    if (output == Output::y) return contract.y;
    return output == Output::residual_out ? contract.x : contract.stats;
}

bool is_shared(const SharedCase& shared, Output output) {
    const auto& [a, b] = shared.contracts;
    const bool statistic = output == Output::mean || output == Output::rstd;
    return format_of(a, output) == format_of(b, output) && (!statistic || a.norm == b.norm);
}

RowDiff diff_y(const RanCase& ran, int64_t row) {
    const int64_t cols = ran.shared.cases[0].cols;
    const FormatId id = ran.shared.contracts[0].y;
    const Format& f = format(id);
    const uint64_t* a = ran.results[0].outputs.y.data() + row * cols;
    const uint64_t* b = ran.results[1].outputs.y.data() + row * cols;
    RowDiff result;
    double farthest = -1;
    for (int64_t i = 0; i < cols; ++i) {
        if (!codes_differ(id, a[i], b[i])) continue;
        ++result.differing;
        result.values = std::max(result.values, values_between(f, a[i], b[i]));
        const double off = distance(f, a[i], b[i]);
        if (off > farthest) farthest = off, result.element = i;
    }
    if (result.differing > 0)
        result.row_ulp = farthest / std::ldexp(1.0, spacing_exponent(f, largest_finite(f, a, cols)));
    return result;
}

bool row_differs(const RanCase& ran, int64_t row) {
    for (const Output output : {Output::y, Output::residual_out, Output::mean, Output::rstd}) {
        if (!is_shared(ran.shared, output)) continue;
        const std::vector<uint64_t>& a = codes_of(ran.results[0].outputs, output);
        const std::vector<uint64_t>& b = codes_of(ran.results[1].outputs, output);
        if (a.empty() || b.empty()) continue;
        const FormatId id = format_of(ran.shared.contracts[0], output);
        const int64_t per_row = output == Output::y || output == Output::residual_out ? ran.shared.cases[0].cols : 1;
        for (int64_t i = row * per_row; i < (row + 1) * per_row; ++i)
            if (codes_differ(id, a[static_cast<size_t>(i)], b[static_cast<size_t>(i)])) return true;
    }
    return false;
}

}  // namespace normcheck
