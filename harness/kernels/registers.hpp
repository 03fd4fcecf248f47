// Vector registers by the compilers' vector extension, which clang and g++ have alike: arithmetic on them is
// elementwise and the same to the last bit as on single values. What is here lets one template serve a register and a
// single value.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace normcheck {

static_assert(std::endian::native == std::endian::little);  // which half of a word comes first

#if defined(__AVX512F__)
constexpr int register_bytes = 64;
#elif defined(__AVX__)
constexpr int register_bytes = 32;
#else
constexpr int register_bytes = 16;
#endif

template <class Element, int count>
struct VectorOf {
    typedef Element Type __attribute__((vector_size(count * sizeof(Element))));
};

/// The type of a register's elements; of a single value its own.
template <class Value>
struct ElementIn {
    using Type = Value;
};
template <class Value>
    requires requires(Value value) { value[0]; }
struct ElementIn<Value> {
    using Type = std::remove_cvref_t<decltype(std::declval<Value&>()[0])>;
};
template <class Value>
using ElementOf = typename ElementIn<Value>::Type;
template <class Value>
constexpr bool is_single = std::is_same_v<Value, ElementOf<Value>>;

/// As many elements as a Value has, of another type.
template <class Value, class Element>
struct AsMany : VectorOf<Element, sizeof(Value) / sizeof(ElementOf<Value>)> {};
template <class Value, class Element>
    requires is_single<Value>
struct AsMany<Value, Element> {
    using Type = Element;
};
template <class Value, class Element>
using Like = typename AsMany<Value, Element>::Type;

/// Each element converted.
template <class Element, class Value>
Like<Value, Element> convert(Value value) {
    if constexpr (is_single<Value>)
        return static_cast<Element>(value);
    else
        return __builtin_convertvector(value, Like<Value, Element>);
}

/// A register that holds the same everywhere.
template <class Value>
Value all(ElementOf<Value> element) {
    if constexpr (is_single<Value>)
        return element;
    else
        return element - Value{};  // which keeps the sign of a zero
}

/// `a` where the condition holds, else `b`, of integers. Single ones by mask, because g++ 12 does not vectorise loops
/// over the conditional: 1 value per ns instead of 18.
template <class Condition, class Value>
Value select(Condition condition, Value a, Value b) {
    if constexpr (is_single<Value>) {
        const Value mask = -static_cast<Value>(condition);
        return (a & mask) | (b & ~mask);
    } else {
        return condition ? a : b;
    }
}

template <class Codes, size_t... place>
Like<Codes, uint32_t> as_upper_halves(Codes codes, std::index_sequence<place...>) {
    constexpr size_t count = sizeof...(place) / 2;
    return std::bit_cast<Like<Codes, uint32_t>>(
        __builtin_shufflevector(codes, Codes{}, (place % 2 == 1 ? place / 2 : count)...));
}

/// Each code shifted left by 16. On a register one shuffle, where widening and shifting would be two or three steps.
template <class Codes>
Like<Codes, uint32_t> as_upper_halves(Codes codes) {
    if constexpr (is_single<Codes>)
        return static_cast<uint32_t>(codes) << 16;
    else
        return as_upper_halves(codes, std::make_index_sequence<sizeof(Codes)>{});
}

template <class Words, size_t... place>
Like<Words, uint16_t> upper_halves(Words words, std::index_sequence<place...>) {
    using Halves = typename VectorOf<uint16_t, 2 * sizeof...(place)>::Type;
    const Halves halves = std::bit_cast<Halves>(words);
    return __builtin_shufflevector(halves, halves, (2 * place + 1)...);
}

/// The upper 16 of each 32 bits; on a register one shuffle.
template <class Words>
Like<Words, uint16_t> upper_halves(Words words) {
    if constexpr (is_single<Words>)
        return static_cast<uint16_t>(words >> 16);
    else
        return upper_halves(words, std::make_index_sequence<sizeof(Words) / 4>{});
}

/// One register of the machine.
template <class Float>
constexpr int register_width = register_bytes / static_cast<int>(sizeof(Float));
template <class Float>
using Register = typename VectorOf<Float, register_width<Float>>::Type;

template <class Value, class Element>
Value load_as(const Element* from) {
    Value result;
    std::memcpy(&result, from, sizeof result);
    return result;
}

template <class Value, class Element>
void store_as(Value value, Element* to) {
    std::memcpy(to, &value, sizeof value);
}

}  // namespace normcheck
