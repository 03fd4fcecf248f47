// The plain copy in vector registers; compiled once per instruction set into the namespace NORMCHECK_ISA.
#include "harness/bench/copy_loop.hpp"

#include <cstring>

namespace normcheck {
namespace {

#if defined(__AVX512F__)
constexpr size_t register_bytes = 64;
#elif defined(__AVX2__)
constexpr size_t register_bytes = 32;
#else
constexpr size_t register_bytes = 16;
#endif

typedef unsigned char Register __attribute__((vector_size(register_bytes)));

constexpr size_t step = 4 * sizeof(Register);

Register load(const std::byte* from, size_t place) {
    Register result;
    std::memcpy(&result, from + place * sizeof result, sizeof result);
    return result;
}

void store(std::byte* to, size_t place, Register value) {
    std::memcpy(to + place * sizeof value, &value, sizeof value);
}

/// Four registers at a time. The empty assembly may touch any memory as far as the compiler knows, so that it cannot
/// take the loop around it for a memcpy.
void copy(const std::byte* from, std::byte* to, size_t bytes) {
    const size_t whole = bytes - bytes % step;
    for (size_t i = 0; i < whole; i += step) {
        const Register a = load(from + i, 0), b = load(from + i, 1), c = load(from + i, 2), d = load(from + i, 3);
        store(to + i, 0, a);
        store(to + i, 1, b);
        store(to + i, 2, c);
        store(to + i, 3, d);
        asm volatile("" ::: "memory");
    }
    for (size_t i = whole; i < bytes; ++i) {
        to[i] = from[i];
        asm volatile("" ::: "memory");
    }
}

}  // namespace

extern const CopyLoop NORMCHECK_ISA::copy_loop = copy;

}  // namespace normcheck
