// Philox4x32-10 and the few distributions that the fills need, all from integer arithmetic.
#include "harness/cases/random.hpp"

#include "oracles/error.hpp"

namespace normcheck {
namespace {

uint32_t low(uint64_t word) {
    return static_cast<uint32_t>(word);
}

uint32_t high(uint64_t word) {
    return static_cast<uint32_t>(word >> 32);
}

std::array<uint32_t, 4> philox_round(const std::array<uint32_t, 4>& counter, const std::array<uint32_t, 2>& key) {
    const uint64_t first = uint64_t{0xD2511F53} * counter[0];
    const uint64_t second = uint64_t{0xCD9E8D57} * counter[2];
    return {high(second) ^ counter[1] ^ key[0], low(second), high(first) ^ counter[3] ^ key[1], low(first)};
}

/// The sum of the four 16-bit pieces of a word.
int64_t sum_of_pieces(uint64_t word) {
    return static_cast<int64_t>((word & 0xFFFF) + (word >> 16 & 0xFFFF) + (word >> 32 & 0xFFFF) + (word >> 48));
}

}  // namespace

std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
        counter = philox_round(counter, key);
        key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
    }
    return counter;
}

uint64_t random_value(uint64_t seed, uint64_t stream, uint64_t counter) {
    const auto block = philox({low(counter), high(counter), low(stream), high(stream)}, {low(seed), high(seed)});
    return uint64_t{block[1]} << 32 | block[0];
}

uint64_t next(Stream& stream) {
    return random_value(stream.seed, stream.id, stream.counter++);
}

int64_t next_below(Stream& stream, int64_t bound) {
    require(bound >= 1 && bound <= int64_t{1} << 32, "next_below needs a bound in [1, 2^32]");
    return static_cast<int64_t>((next(stream) >> 32) * static_cast<uint64_t>(bound) >> 32);
}

double uniform(Stream& stream) {
    return static_cast<double>(next(stream) >> 11) * 0x1p-53;
}

// Twelve pieces of 16 bits give the shape. Forty more bits lie below them: without those every value would be a
// multiple of 2^-16, and sums that ought to round would be exact.
double gaussian(Stream& stream) {
    int64_t sum = 0;
    for (int i = 0; i < 3; ++i) sum += sum_of_pieces(next(stream));
    const int64_t below = static_cast<int64_t>(next(stream) >> 24);
    // What the twelve pieces and the bits below come to on average.
    const int64_t mean = (int64_t{12} * 0xFFFF << 39) + (int64_t{1} << 39);
    return static_cast<double>((sum << 40) + below - mean) * 0x1p-56;
}

int random_sign(Stream& stream) {
    return next(stream) >> 63 ? -1 : 1;
}

}  // namespace normcheck
