// Philox and rounding in vector registers; compiled once per instruction set into the namespace NORMCHECK_ISA. All else
// has internal linkage, so that the linker cannot merge code of different instruction sets.
#include "harness/cases/bulk_loops.hpp"

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

typedef uint64_t Words __attribute__((vector_size(register_bytes)));
typedef int64_t Longs __attribute__((vector_size(register_bytes)));
typedef double Doubles __attribute__((vector_size(register_bytes)));

template <class To, class From>
To bits_as(const From& from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

constexpr uint64_t low_half = 0xFFFFFFFF;

/// One Philox block per lane. Only the low half of a lane counts; what stands above it is never cleared.
struct Block {
    Words words[4];
};

Block philox_round(const Block& block, uint64_t first_key, uint64_t second_key) {
    const Words first = (block.words[0] & low_half) * 0xD2511F53;
    const Words second = (block.words[2] & low_half) * 0xCD9E8D57;
    return {{(second >> 32) ^ block.words[1] ^ first_key, second, (first >> 32) ^ block.words[3] ^ second_key, first}};
}

/// The two key words of a round.
struct Keys {
    uint64_t first[10], second[10];
};

Keys keys_of(uint64_t seed) {
    Keys keys;
    for (uint64_t round = 0; round < 10; ++round) {
        keys.first[round] = (seed + round * 0x9E3779B9) & low_half;
        keys.second[round] = ((seed >> 32) + round * 0xBB67AE85) & low_half;
    }
    return keys;
}

/// random_value of each lane's counter.
Words random_words(const Keys& keys, uint64_t stream, Words counters) {
    Block block{{counters, counters >> 32, Words{} + (stream & low_half), Words{} + (stream >> 32)}};
    for (int round = 0; round < 10; ++round) block = philox_round(block, keys.first[round], keys.second[round]);
    return (block.words[1] << 32) | (block.words[0] & low_half);
}

/// The sums of the even and of the odd 16-bit pieces, one in each half.
Words halves_of_pieces(Words words) {
    constexpr uint64_t even_pieces = 0x0000FFFF0000FFFF;
    return (words & even_pieces) + (words >> 16 & even_pieces);
}

/// gaussian() of each lane, whose first draw has the lane's counter.
Doubles gaussians(const Keys& keys, uint64_t stream, Words counters) {
    Words halves{};
    for (uint64_t draw = 0; draw < 3; ++draw) halves += halves_of_pieces(random_words(keys, stream, counters + draw));
    const Words sum = (halves & low_half) + (halves >> 32);
    const Words below = random_words(keys, stream, counters + 3) >> 24;
    constexpr uint64_t mean = (uint64_t{12} * 0xFFFF << 39) + (uint64_t{1} << 39);
    return __builtin_convertvector(bits_as<Longs>((sum << 40) + below - mean), Doubles) * 0x1p-56;
}

Words lane_numbers() {
    Words numbers{};
    for (int lane = 0; lane < width; ++lane) numbers[lane] = static_cast<uint64_t>(lane);
    return numbers;
}

/// a where the mask is set, else b.
Words choose(Longs mask, Words a, Words b) {
    const Words bits = bits_as<Words>(mask);
    return (a & bits) | (b & ~bits);
}

/// Doubles without their sign are ordered as integers, NaN above Inf.
Longs less(Words a, Words b) {
    return bits_as<Longs>(a) < bits_as<Longs>(b);
}

Words rounded(const RoundingTable& table, Words value) {
    constexpr uint64_t sign_bit = uint64_t{1} << 63, infinity = uint64_t{0x7FF} << 52;
    const Words whole = value & ~sign_bit;
    const Words largest = Words{} + table.largest;
    const Words magnitude = choose(less(largest, whole), largest, whole);
    const uint64_t below_half = (uint64_t{1} << (table.dropped_bits - 1)) - 1;
    const Words raised = magnitude - table.rebias + below_half + (magnitude >> table.dropped_bits & 1);
    const Words normal = raised >> table.dropped_bits;
    // Adding the anchor rounds to the spacing of subnormals, in one IEEE addition.
    const Words subnormal =
        bits_as<Words>(bits_as<Doubles>(magnitude) + table.anchor) - bits_as<uint64_t>(table.anchor);
    const Words code = choose(less(magnitude, Words{} + table.smallest_normal), subnormal, normal);
    const Words with_sign = code | (value & sign_bit) >> table.sign_shift;
    return choose(less(Words{} + infinity, whole), Words{} + table.nan_code, with_sign);
}

void draw_gaussians(uint64_t seed, uint64_t stream, uint64_t counter, double* values, int64_t count) {
    const Keys keys = keys_of(seed);
    Words counters = lane_numbers() * 4 + counter;
    for (int64_t i = 0; i < count; i += width) {
        const Doubles drawn = gaussians(keys, stream, counters);
        const int64_t left = count - i < width ? count - i : width;
        std::memcpy(values + i, &drawn, static_cast<size_t>(left) * sizeof(double));
        counters += 4 * width;
    }
}

void round_finite(const RoundingTable& table, const double* values, uint64_t* codes, int64_t count) {
    for (int64_t i = 0; i < count; i += width) {
        const size_t left = static_cast<size_t>(count - i < width ? count - i : width) * sizeof(double);
        Words value{};
        std::memcpy(&value, values + i, left);
        const Words code = rounded(table, value);
        std::memcpy(codes + i, &code, left);
    }
}

/// Square roots of all lanes, which compilers turn into one instruction.
Doubles roots(Doubles values) {
    for (int lane = 0; lane < width; ++lane) values[lane] = __builtin_sqrt(values[lane]);
    return values;
}

/// The output of an element of that value.
Doubles outputs(const MidpointTable& table, double value, Doubles sum, Doubles squares) {
    const Doubles mean = table.centred ? sum / table.count : Doubles{};
    const Doubles variance = squares / table.count - mean * mean;
    const Doubles nonnegative = bits_as<Doubles>(bits_as<Words>(variance) & bits_as<Words>(variance > 0));
    return (value - mean) / (roots(nonnegative + table.inside) + table.outside);
}

/// Distances of values to the nearest midpoint, in spacings: 0 to 0.5; 0.5 for zero and what is past 2^1023.
Doubles distances_of(const MidpointTable& table, Doubles values) {
    constexpr uint64_t sign_bit = uint64_t{1} << 63, exponent_bits = uint64_t{0x7FF} << 52;
    constexpr uint64_t limit = uint64_t{0x7FE} << 52;
    const Words whole = bits_as<Words>(values) & ~sign_bit;
    const Words smallest = Words{} + (static_cast<uint64_t>(table.min_exponent + 1023) << 52);
    const Words largest = Words{} + (static_cast<uint64_t>(table.max_exponent + 1023) << 52);
    Words power = whole & exponent_bits;
    power = choose(less(power, smallest), smallest, power);
    power = choose(less(largest, power), largest, power);
    const Doubles inverse = bits_as<Doubles>((uint64_t{0x7FE} << 52) - power);
    const Doubles steps = bits_as<Doubles>(whole) * inverse * table.steps;
    // Rounds to an integer; what is past 2^52 is one, and comes out at a distance of 0.5 either way.
    const Doubles near = (steps + 0x1p52) - 0x1p52;
    const Doubles floor = near - bits_as<Doubles>(bits_as<Words>(Doubles{} + 1) & bits_as<Words>(near > steps));
    const Words distance = bits_as<Words>(steps - floor - 0.5) & ~sign_bit;
    const Longs plain = (whole != 0) & less(whole, Words{} + limit);
    return bits_as<Doubles>(choose(plain, distance, bits_as<Words>(Doubles{} + 0.5)));
}

void midpoint_distances(const MidpointTable& table, double value, const NeighbourSums& sums, double* distances,
                        int64_t count) {
    for (int64_t i = 0; i < count; i += width) {
        const size_t left = static_cast<size_t>(count - i < width ? count - i : width) * sizeof(double);
        Doubles sum{}, squares{};
        std::memcpy(&sum, sums.sum_changes + i, left);
        std::memcpy(&squares, sums.square_changes + i, left);
        const Doubles found = distances_of(table, outputs(table, value, sum + sums.sum, squares + sums.squares));
        std::memcpy(distances + i, &found, left);
    }
}

}  // namespace

extern const BulkLoops NORMCHECK_ISA::bulk_loops{draw_gaussians, round_finite, midpoint_distances};

}  // namespace normcheck
