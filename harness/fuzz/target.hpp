// What a fuzz target offers: libFuzzer's entry points, and its inputs as text for the replay of corpora.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "harness/fuzz/draft.hpp"

extern "C" {
int LLVMFuzzerInitialize(int* argc, char*** argv);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size, uint8_t* out,
                                 size_t most, unsigned seed);
/// libFuzzer's own mutation of bytes.
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);
}

namespace normcheck {

/// An input as one line of a committed corpus, and back. Kernels: the case. Parsers: bytes in hex.
std::string describe_input(std::span<const uint8_t> bytes);
Bytes input_of_line(std::string_view line);

}  // namespace normcheck
