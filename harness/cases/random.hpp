// The one source of random numbers: Philox4x32-10, a counter-based generator, so that any value of any stream can be
// had without those before it and is the same with every compiler and thread count. Source: Salmon, Moraes, Dror, Shaw,
// "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
#pragma once

#include <array>
#include <cstdint>

namespace normcheck {

/// The ten rounds of Philox4x32 on one counter block under one key.
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

/// Value number `counter` of a stream: 64 uniform bits. The key is the seed; the block is the counter (low words) and
/// the stream.
uint64_t random_value(uint64_t seed, uint64_t stream, uint64_t counter);

/// A place in one stream; every draw below moves it on.
struct Stream {
    uint64_t seed = 1;
    uint64_t id = 0;
    uint64_t counter = 0;
};

/// 64 uniform bits; moves the stream on by 1.
uint64_t next(Stream& stream);

/// Uniform in [0, bound), with a bias below bound / 2^32; requires 1 <= bound <= 2^32; moves the stream on by 1.
int64_t next_below(Stream& stream, int64_t bound);

/// Uniform multiple of 2^-53 in [0, 1); moves the stream on by 1.
double uniform(Stream& stream);

/// Nearly normal with mean 0 and variance 1, within (-6, 6): twelve uniforms summed in integers, so no library function
/// and one rounding; moves the stream on by 4.
double gaussian(Stream& stream);

/// 1 or -1; moves the stream on by 1.
int random_sign(Stream& stream);

}  // namespace normcheck
