// CUDA's words in the device model: what a kernel is written with, spelled as CUDA spells it.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <type_traits>

#include "harness/kernels/cuda/model/machine.hpp"

namespace normcheck::model {

inline void __syncthreads(const Place& place = Place::current()) {
    machine().wait_for_block(place);
}

inline void __syncwarp(uint32_t mask = 0xffffffff, const Place& place = Place::current()) {
    machine().exchange(Exchange::barrier, mask, 0, 0, place);
}

template <class Value>
Value shuffle(Exchange kind, uint32_t mask, Value value, unsigned argument, const Place& place) {
    static_assert(sizeof(Value) == sizeof(uint32_t), "a shuffle here moves one word");
    return std::bit_cast<Value>(machine().exchange(kind, mask, std::bit_cast<uint32_t>(value), argument, place));
}
template <class Value>
Value __shfl_xor_sync(uint32_t mask, Value value, int distance, const Place& place = Place::current()) {
    return shuffle(Exchange::shuffle_xor, mask, value, static_cast<unsigned>(distance), place);
}
template <class Value>
Value __shfl_down_sync(uint32_t mask, Value value, unsigned distance, const Place& place = Place::current()) {
    return shuffle(Exchange::shuffle_down, mask, value, distance, place);
}
template <class Value>
Value __shfl_sync(uint32_t mask, Value value, int lane, const Place& place = Place::current()) {
    return shuffle(Exchange::shuffle_index, mask, value, static_cast<unsigned>(lane), place);
}

/// An array in shared memory, of 32-bit elements, that tells of every access.
template <class Value>
class SharedArray {
    static_assert(sizeof(Value) == sizeof(uint32_t), "an element of shared memory is one word here");

  public:
    class Element {
      public:
        explicit Element(unsigned word) : word_(word) {}
        operator Value() const { return std::bit_cast<Value>(machine().read_shared(word_)); }
        const Element& operator=(Value value) const {
            machine().write_shared(word_, std::bit_cast<uint32_t>(value));
            return *this;
        }
        const Element& operator+=(Value value) const { return *this = *this + value; }
        Element(const Element&) = default;
        const Element& operator=(const Element& other) const { return *this = static_cast<Value>(other); }

      private:
        unsigned word_;
    };

    explicit SharedArray(const SharedRange& range) : range_(range) {}
    Element operator[](int64_t index) const {
        if (static_cast<uint64_t>(index) >= range_.count) [[unlikely]]
            refuse(index);
        return Element(range_.first + static_cast<unsigned>(index));
    }

  private:
    [[noreturn]] void refuse(int64_t index) const {
        machine().fail("thread " + std::to_string(threadIdx.x) + " indexes " + range_.name + "[" +
                       std::to_string(index) + "], which has " + std::to_string(range_.count) + " elements");
    }

    SharedRange range_;
};

template <class Value>
SharedArray<Value> dynamic_shared() {
    return SharedArray<Value>(machine().shared().dynamic());
}

/// 16 bytes, as a device loads and stores them in one instruction.
struct alignas(16) Vector16 {
    uint32_t words[4];
};

inline void require_alignment(const void* address) {
    const auto past = reinterpret_cast<uintptr_t>(address) % sizeof(Vector16);
    if (past == 0) [[likely]]
        return;
    machine().fail("thread " + std::to_string(threadIdx.x) + " accesses a vector of 16 bytes at an address " +
                   std::to_string(past) + " bytes past a multiple of 16");
}
inline Vector16 load_vector(const void* address) {
    require_alignment(address);
    Vector16 vector;
    std::memcpy(&vector, address, sizeof vector);
    return vector;
}
inline void store_vector(void* address, const Vector16& vector) {
    require_alignment(address);
    std::memcpy(address, &vector, sizeof vector);
}

}  // namespace normcheck::model
