// A case: one call of a kernel, as one line of text that is test name, log line, corpus format and reproducer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracles/contract.hpp"

namespace normcheck {

/// Values written out in the line instead of drawn from a fill: codes in hex, repeated along the row where they are
/// fewer than cols, and alike in all rows. Text: `bits:3f800000,40000000`; `values:1,2,-3.5` is read too (rounded once
/// to the format) and prints as bits.
using InlineBits = std::vector<uint64_t>;

/// Where x, gamma, beta or the residual come from: a named fill, or inline bits.
struct Source {
    std::string fill;  // with its parameters, as in spike:3000:1; empty where bits are given
    InlineBits bits;
    bool operator==(const Source&) const = default;
};

enum class Alias : uint8_t { none, y_is_x, residual_out_is_residual };

/// One call. Text: words `key=value`, defaults left out; contract fields may stand among them as overrides.
struct Case {
    std::string kernel;     // key kernel; may be empty: then the contract stands alone
    std::string overrides;  // contract words laid over the kernel's contract, canonical order of contract_fields()
    int64_t rows = 1;
    int64_t cols = 1;  // where x is inline, cols may be left out of the text: as many as the values
    Source x{"gaussian", {}};
    Source gamma{"random", {}};  // fills of parameters: see fills.def; `absent` passes no tensor
    Source beta{"random", {}};
    Source residual{"gaussian", {}};
    uint64_t seed = 1;
    int64_t pitch = 0;   // extra elements between rows of x, y, residual (all alike)
    int64_t stride = 1;  // column stride of x, y, residual in elements
    int64_t offset = 0;  // elements by which x's and y's start is moved off a 64-byte boundary
    Alias alias = Alias::none;
    int threads = 1;
    int64_t position = 0;  // index of row 0 in the stream of rows: the same row at another place of a batch
    bool operator==(const Case&) const = default;
};

/// Largest rows, cols, pitch and stride; more is refused as a slip.
constexpr int64_t largest_extent = int64_t{1} << 31;
/// Largest position: the bits above it in a stream's name tell the tensors apart.
constexpr int64_t largest_position = int64_t{1} << 52;

/// One row of case_keys.def.
struct CaseKeyInfo {
    const char* name;
    const char* default_text;
    const char* meaning;
};
std::span<const CaseKeyInfo> case_keys();

/// Throws InputError naming the word and what was expected. Where a kernel is named, its contract is not known here, so
/// the overrides are checked word by word; with no kernel they must form a contract.
Case parse_case(std::string_view line);
/// Canonical line; parse_case(print(c)) == c.
std::string print(const Case& c);

/// Contract words in the order of contract_fields(), numbers in their shortest spelling, as Case::overrides holds them.
/// Throws InputError on a word that is no contract field, stands twice, or has a value the field does not take.
std::string canonical_overrides(std::string_view words);

/// The contract words of `base` with those of `overrides` in their place. What neither says has its default, so a
/// format that `base` names stays where overrides change x. Throws InputError as canonical_overrides does.
std::string laid_over(std::string_view base, std::string_view overrides);

/// The formats in which inline values of x, and of gamma and beta, are read: those the overrides name, else f32 and
/// x's.
FormatId x_format(std::string_view overrides);
FormatId params_format(std::string_view overrides);

}  // namespace normcheck
