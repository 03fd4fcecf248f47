// Reads parameters once and hands rows to the loops of an instruction set; see reference_loops.cpp.
#include "harness/bench/reference.hpp"

#include "harness/bench/reference_loops.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

const PlainLoops& loops_of(InstructionSet set) {
#ifdef NORMCHECK_PER_ISA
    if (set == InstructionSet::avx512) return avx512::plain_loops;
    if (set == InstructionSet::avx2) return avx2::plain_loops;
#endif
    require(set == InstructionSet::baseline, "the reference is not built for this instruction set");
    return baseline::plain_loops;
}

PlainStorage storage_of(FormatId id) {
    switch (id) {
        case FormatId::f64:
            return PlainStorage::f64;
        case FormatId::f32:
            return PlainStorage::f32;
        case FormatId::bf16:
            return PlainStorage::bf16;
        case FormatId::f16:
            break;
    }
    throw InternalError("internal error: the plain reference does not read f16");
}

std::vector<CacheLine> room_for(int64_t doubles) {
    constexpr int64_t in_line = sizeof(CacheLine) / sizeof(double);
    return std::vector<CacheLine>(static_cast<size_t>((doubles + in_line - 1) / in_line));
}

double* doubles(std::vector<CacheLine>& lines) {
    return reinterpret_cast<double*>(lines.data());
}

std::vector<double> decoded(const Format& numbers, const uint64_t* codes, int64_t cols, double absent) {
    std::vector<double> values(static_cast<size_t>(cols), absent);
    for (size_t i = 0; codes != nullptr && i < values.size(); ++i) values[i] = decode_double(numbers, codes[i]);
    return values;
}

}  // namespace

PlainReference::PlainReference(const Contract& contract, int64_t cols, const uint64_t* gamma, const uint64_t* beta,
                               InstructionSet set)
    : format_(format(contract.x)),
      cols_(cols),
      eps_(contract.eps.value),
      layer_(contract.norm == Norm::layer),
      set_(set),
      gamma_(room_for(cols)),
      beta_(room_for(cols)),
      kept_(room_for(cols)) {
    require(contract.x == contract.y, "the plain reference reads x and y in one format");
    require(contract.eps_at == EpsAt::inside && contract.gamma != Gamma::one_plus,
            "the plain reference knows epsilon inside the root and gamma as a factor");
    const Format& params = format(contract.params);
    const PlainStorage storage = storage_of(contract.x);
    const auto order = loops_of(set).order_parameter;
    order(storage, decoded(params, gamma, cols, 1).data(), cols, doubles(gamma_));
    order(storage, decoded(params, beta, cols, 0).data(), cols, doubles(beta_));
}

double PlainReference::largest_error(Codes x, Codes y) {
    require(x.bytes() == format_.bytes() && y.bytes() == format_.bytes(), "codes in their storage size");
    return loops_of(set_).largest_error({x.data(), y.data(), doubles(gamma_), doubles(beta_), doubles(kept_), cols_,
                                         eps_, storage_of(format_.id), layer_});
}

}  // namespace normcheck
