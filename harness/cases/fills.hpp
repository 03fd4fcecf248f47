// The fills: named families of inputs, each placed on purpose. fills.def is the list.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace normcheck {

struct FillRow;

/// One row of fills.def.
struct FillInfo {
    const char* name;
    bool random;             // independent random values
    const char* parameters;  // names of the numbers that may follow, joined by ':'
    const char* meaning;
    void (*write)(FillRow& row);
};

/// The fills of x and the residual.
std::span<const FillInfo> fills();
/// The fills of gamma and beta; `absent` (no tensor) is not among them.
std::span<const FillInfo> parameter_fills();

/// A fill with its parameters, as named by `spike:3000:1`.
struct FillCall {
    const FillInfo* info;
    std::vector<double> parameters;
};

/// Reads a fill name with parameters. Throws InputError naming the word and the fills that are known; `key` names the
/// word.
FillCall parse_fill(std::span<const FillInfo> known, std::string_view text, std::string_view key);

}  // namespace normcheck
