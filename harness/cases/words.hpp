// Splitting text into words and reading whole numbers from them; shared by the readers of case lines.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace normcheck {

/// A word `key=value`; a bare word has an empty key.
struct Word {
    std::string_view text;
    std::string_view key;
    std::string_view value;
};

/// The words between white space. The views point into the text.
std::vector<Word> words_of(std::string_view text);

/// A whole decimal number within [lowest, highest]. Throws InputError naming the key, the value and the limits.
int64_t read_integer(std::string_view key, std::string_view value, int64_t lowest, int64_t highest);
uint64_t read_unsigned(std::string_view key, std::string_view value);

/// A hexadecimal number. Throws InputError naming the key and the value.
uint64_t read_hex(std::string_view key, std::string_view value);

}  // namespace normcheck
