// Rows put together: a contract, a family of inputs, and parameters that put outputs next to midpoints or on them.
#include "oracles/tests/twin_rows.hpp"

#include <algorithm>

#include "oracles/tests/mpfr_interval.hpp"
#include "oracles/tests/twin_fills.hpp"

namespace normcheck::twin {
namespace {

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
uint64_t mix(uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

constexpr uint64_t golden_ratio = 0x9e3779b97f4a7c15;

/// A value half way between two neighbours of format y, where the parameters can hold it.
uint64_t midpoint_code(Draw& draw, const Contract& contract) {
    const uint64_t code = finite_code(contract.y, draw.bell());
    const double sum = decode(contract.y, code) / 2 + decode(contract.y, code + 1) / 2;
    return finite_code(contract.params, sum);
}

uint64_t parameter_code(Draw& draw, const Contract& contract, int64_t kind) {
    switch (kind) {
        case 0:
            return uniform_code(draw, contract.params);
        case 1:
            return finite_code(contract.params, draw.bell() * power_of_two(draw.below(60) - 30));
        case 2:
            return midpoint_code(draw, contract);
        case 3:
            return draw.chance(50) ? 0 : finite_code(contract.params, draw.bell());
        default:
            return finite_code(contract.params, draw.bell());
    }
}

Codes parameters(Draw& draw, const Contract& contract, size_t cols) {
    const int64_t kind = draw.below(8);
    Codes codes(cols);
    for (uint64_t& code : codes) code = parameter_code(draw, contract, kind);
    return codes;
}

Codes residual_codes(Draw& draw, const Contract& contract, const Codes& x) {
    Codes codes(x.size());
    for (uint64_t& code : codes) {
        const uint64_t like = x[static_cast<size_t>(draw.below(static_cast<int64_t>(x.size())))];
        code = draw.chance(80) ? like : finite_code(contract.x, draw.bell());
    }
    return codes;
}

void draw_tensors(Draw& draw, TwinRow& row) {
    const Contract& contract = row.contract;
    const size_t cols = row.x.size();
    if (contract.gamma != Gamma::none && !draw.chance(10)) row.gamma = parameters(draw, contract, cols);
    if (contract.beta == Beta::add && !draw.chance(10)) row.beta = parameters(draw, contract, cols);
    if (contract.residual != Residual::none) row.residual = residual_codes(draw, contract, row.x);
}

/// Betas that carry each output to a midpoint as nearly as their format can: exactly where the output is a short dyadic
/// number, else to about one unit roundoff of an ulp. Some are moved one code away again.
void place_betas(Draw& draw, TwinRow& row) {
    std::fill(row.beta.begin(), row.beta.end(), 0);
    const MpfrTwin twin(row.contract, row.inputs());
    if (!twin.defined() || !twin.finite()) return;
    Codes betas(row.beta.size());
    for (size_t i = 0; i < betas.size(); ++i) {
        betas[i] = finite_code(row.contract.params, twin.gap_to_midpoint(static_cast<int64_t>(i)));
        if (draw.chance(25)) betas[i] ^= 1;
    }
    row.beta = betas;
}

void set_multiples_of_five(Draw& draw, TwinRow& row) {
    for (uint64_t& code : row.gamma) code = finite_code(row.contract.params, static_cast<double>(5 * draw.below(20)));
}

void make_ordinary(Draw& draw, TwinRow& row) {
    constexpr size_t counts[] = {1, 2, 3, 4, 5, 8, 16, 17, 24, 31, 32, 32, 48, 64};
    const Family& family = families()[static_cast<size_t>(draw.below(static_cast<int64_t>(families().size())))];
    row.family = family.name;
    row.x.resize(draw.of(counts));
    family.fill(draw, row.contract, row.x);
}

}  // namespace

Draw::Draw(uint64_t seed, uint64_t index) : key_(mix(seed * golden_ratio) ^ mix(index + golden_ratio)) {}

uint64_t Draw::bits() {
    return mix(key_ + golden_ratio * ++counter_);
}

int64_t Draw::below(int64_t limit) {
    return static_cast<int64_t>((bits() >> 32) * static_cast<uint64_t>(limit) >> 32);
}

double Draw::unit() {
    return static_cast<double>(bits() >> 11) * 0x1p-53;
}

double Draw::bell() {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += unit();
    return 2 * sum - 3;
}

Inputs TwinRow::inputs() const {
    const auto pointer = [](const std::vector<uint64_t>& codes) { return codes.empty() ? nullptr : codes.data(); };
    return {static_cast<int64_t>(x.size()), pointer(x), pointer(residual), pointer(gamma), pointer(beta)};
}

TwinRow twin_row(uint64_t seed, uint64_t index) {
    Draw draw(seed, index);
    TwinRow row;
    row.index = index;
    row.contract = random_contract(draw);
    const int64_t kind = draw.below(200);
    if (kind == 0) make_hidden_tie(draw, row);
    if (kind > 0 && kind < 30) make_perfect_square(draw, row);
    if (kind >= 30) make_ordinary(draw, row);
    draw_tensors(draw, row);
    if (kind == 0) set_multiples_of_five(draw, row);
    const bool may_place = !row.beta.empty();
    if (may_place && draw.chance(kind < 30 ? 80 : 30)) place_betas(draw, row);
    return row;
}

}  // namespace normcheck::twin
