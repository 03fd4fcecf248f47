// The plain double reference on one row, in vector registers; compiled once per instruction set into the namespace
// NORMCHECK_ISA. All else has internal linkage, so that the linker cannot merge code of different instruction sets.
//
// Choices, measured on an AMD EPYC with AVX-512, clang 19, rows in cache, layer, ns per element at n=768 and 4096:
// parameters converted to double beforehand 0.21 0.21, converted in the loop 0.24 0.22; bf16 unpacked into even and odd
// elements 0.20 0.21, in order 0.23 0.23; rows of bf16 kept as doubles from pass to pass 0.20 0.21, unpacked thrice
// 0.23 0.21; rows of f32 kept 0.20 0.25, converted thrice 0.21 0.21; eight accumulators instead of four: no gain.
#include "harness/bench/reference_loops.hpp"

#include <cmath>
#include <cstring>

namespace normcheck {
namespace {

#if defined(__AVX512F__)
constexpr int register_bytes = 64;
#elif defined(__AVX2__)
constexpr int register_bytes = 32;
#else
constexpr int register_bytes = 16;
#endif

constexpr int width = register_bytes / 8;
constexpr int step = 2 * width;  // elements that are read at a time
constexpr int steps = 2;         // in one turn of a loop, each with accumulators of its own
constexpr int turn = steps * step;

typedef double Doubles __attribute__((vector_size(register_bytes)));
typedef int64_t Longs __attribute__((vector_size(register_bytes)));
typedef float Floats __attribute__((vector_size(register_bytes / 2)));
typedef uint32_t Words __attribute__((vector_size(register_bytes / 2)));

/// The doubles of one step. 16-bit formats give the even elements first, then the odd ones.
struct Step {
    Doubles first, second;
};

template <class Vector>
Vector load(const void* from) {
    Vector result;
    std::memcpy(&result, from, sizeof result);
    return result;
}

Doubles widened(Words bits) {
    Floats values;
    std::memcpy(&values, &bits, sizeof values);
    return __builtin_convertvector(values, Doubles);
}

struct StoredDouble {
    using Code = double;
    static constexpr bool keep = false;  // whether passes after the first read doubles that the first has kept
    static Step load_step(const Code* from) { return {load<Doubles>(from), load<Doubles>(from + width)}; }
    static double decode(Code code) { return code; }
};

struct StoredSingle {
    using Code = float;
    static constexpr bool keep = false;
    static Step load_step(const Code* from) {
        return {__builtin_convertvector(load<Floats>(from), Doubles),
                __builtin_convertvector(load<Floats>(from + width), Doubles)};
    }
    static double decode(Code code) { return static_cast<double>(code); }
};

struct StoredBfloat {
    using Code = uint16_t;
    static constexpr bool keep = true;
    static Step load_step(const Code* from) {
        const Words pairs = load<Words>(from);
        return {widened(pairs << 16), widened(pairs & 0xffff0000U)};
    }
    static double decode(Code code) {
        const uint32_t bits = static_cast<uint32_t>(code) << 16;
        float value;
        std::memcpy(&value, &bits, sizeof value);
        return static_cast<double>(value);
    }
};

/// Elements of a row where they lie.
template <class Storage>
struct Elements {
    const typename Storage::Code* codes;
    Step step_at(int64_t i) const { return Storage::load_step(codes + i); }
    double at(int64_t i) const { return Storage::decode(codes[i]); }
};

/// The same, and every double that is read is kept, those of a step in its own order.
template <class Storage>
struct KeepingElements {
    Elements<Storage> elements;
    double* kept;
    Step step_at(int64_t i) const {
        const Step read = elements.step_at(i);
        std::memcpy(kept + i, &read.first, sizeof read.first);
        std::memcpy(kept + i + width, &read.second, sizeof read.second);
        return read;
    }
    double at(int64_t i) const { return kept[i] = elements.at(i); }
};

/// One accumulator per half of a step, `steps` of each.
using Accumulators = Doubles[2 * steps];

/// The values of all accumulators under an operation, pair by pair: a chain of them would be waited for.
template <class Operation>
double reduce(const Accumulators& accumulators, Operation operation) {
    Doubles pairs[steps];
    for (int part = 0; part < steps; ++part)
        pairs[part] = operation(accumulators[2 * part], accumulators[2 * part + 1]);
    for (int part = 1; part < steps; ++part) pairs[0] = operation(pairs[0], pairs[part]);
    double lanes[width];
    std::memcpy(lanes, &pairs[0], sizeof lanes);
    for (int half = width / 2; half > 0; half /= 2)
        for (int lane = 0; lane < half; ++lane) lanes[lane] = operation(lanes[lane], lanes[lane + half]);
    return lanes[0];
}

double sum(const Accumulators& accumulators) {
    return reduce(accumulators, [](auto a, auto b) { return a + b; });
}

double larger(double a, double b) {
    return a > b ? a : b;
}

double largest(const Accumulators& accumulators) {
    return reduce(accumulators, [](auto a, auto b) { return a > b ? a : b; });
}

Doubles magnitude(Doubles values) {
    return reinterpret_cast<Doubles>(reinterpret_cast<Longs>(values) & INT64_MAX);
}

void raise_to(Doubles& largest, Doubles error) {
    const Doubles size = magnitude(error);
    largest = size > largest ? size : largest;
}

/// Calls visit(i, first, second) for every whole step, with the accumulators of its halves. Returns where the tail
/// begins.
template <class Visit>
int64_t for_each_step(int64_t count, Accumulators& accumulators, Visit visit) {
    const int64_t end = count - count % turn;
    for (int64_t i = 0; i < end; i += turn)
        for (int part = 0; part < steps; ++part)
            visit(i + part * step, accumulators[2 * part], accumulators[2 * part + 1]);
    return end;
}

template <class Row>
double total(const Row& row, int64_t count) {
    Accumulators sums{};
    const int64_t tail = for_each_step(count, sums, [&](int64_t i, Doubles& first, Doubles& second) {
        const Step x = row.step_at(i);
        first += x.first;
        second += x.second;
    });
    double result = sum(sums);
    for (int64_t i = tail; i < count; ++i) result += row.at(i);
    return result;
}

/// x less the mean, which rms does not have.
template <bool layer, class Value>
Value centred(Value x, double mean) {
    if constexpr (layer) return x - mean;
    return x;
}

template <bool layer, class Row>
double sum_of_squares(const Row& row, int64_t count, double mean) {
    const auto add_square = [&](auto& sum, auto x) {
        const auto value = centred<layer>(x, mean);
        sum += value * value;
    };
    Accumulators sums{};
    const int64_t tail = for_each_step(count, sums, [&](int64_t i, Doubles& first, Doubles& second) {
        const Step x = row.step_at(i);
        add_square(first, x.first);
        add_square(second, x.second);
    });
    double result = sum(sums);
    for (int64_t i = tail; i < count; ++i) add_square(result, row.at(i));
    return result;
}

/// y_reference - y
template <bool layer, class Value>
Value difference(Value x, Value y, Value gamma, Value beta, double mean, double rstd) {
    const Value normed = centred<layer>(x, mean) * rstd;
    if constexpr (layer) return normed * gamma + (beta - y);
    return normed * gamma - y;
}

template <bool layer, class Row, class Outputs>
double largest_difference(const Row& row, const Outputs& y, const PlainRow& call, double mean, double rstd) {
    const Elements<StoredDouble> gamma{call.gamma}, beta{layer ? call.beta : call.gamma};
    Accumulators errors{};
    const int64_t tail = for_each_step(call.count, errors, [&](int64_t i, Doubles& first, Doubles& second) {
        const Step x = row.step_at(i), got = y.step_at(i), g = gamma.step_at(i), b = beta.step_at(i);
        raise_to(first, difference<layer>(x.first, got.first, g.first, b.first, mean, rstd));
        raise_to(second, difference<layer>(x.second, got.second, g.second, b.second, mean, rstd));
    });
    double result = largest(errors);
    for (int64_t i = tail; i < call.count; ++i)
        result = larger(result, std::fabs(difference<layer>(row.at(i), y.at(i), gamma.at(i), beta.at(i), mean, rstd)));
    return result;
}

/// `first` is read in the first pass, `later` in the others.
template <bool layer, class First, class Later, class Outputs>
double run_passes(const First& first, const Later& later, const Outputs& y, const PlainRow& call) {
    const double n = static_cast<double>(call.count);
    const double mean = layer ? total(first, call.count) / n : 0;
    const double squares =
        layer ? sum_of_squares<layer>(later, call.count, mean) : sum_of_squares<layer>(first, call.count, mean);
    return largest_difference<layer>(later, y, call, mean, 1 / std::sqrt(squares / n + call.eps));
}

template <class Storage, bool layer>
double run(const PlainRow& call) {
    using Code = typename Storage::Code;
    const Elements<Storage> x{static_cast<const Code*>(call.x)}, y{static_cast<const Code*>(call.y)};
    if constexpr (Storage::keep)
        return run_passes<layer>(KeepingElements<Storage>{x, call.kept}, Elements<StoredDouble>{call.kept}, y, call);
    else
        return run_passes<layer>(x, x, y, call);
}

template <bool layer>
double run(const PlainRow& call) {
    switch (call.storage) {
        case PlainStorage::f64:
            return run<StoredDouble, layer>(call);
        case PlainStorage::f32:
            return run<StoredSingle, layer>(call);
        case PlainStorage::bf16:
            return run<StoredBfloat, layer>(call);
    }
    return 0;
}

double largest_error(const PlainRow& row) {
    return row.layer ? run<true>(row) : run<false>(row);
}

void order_parameter(PlainStorage storage, const double* values, int64_t count, double* ordered) {
    const int64_t tail = count - count % turn;
    for (int64_t i = 0; i < count; ++i) {
        const int64_t begin = i / step * step, place = i % step;
        const bool moves = storage == PlainStorage::bf16 && i < tail;
        ordered[moves ? begin + place % 2 * width + place / 2 : i] = values[i];
    }
}

}  // namespace

extern const PlainLoops NORMCHECK_ISA::plain_loops{largest_error, order_parameter};

}  // namespace normcheck
