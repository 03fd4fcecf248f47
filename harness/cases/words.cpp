// Splitting text into words and reading whole numbers from them.
#include "harness/cases/words.hpp"

#include <fmt/format.h>

#include <charconv>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr std::string_view blanks = " \t\r\n";

Word word_of(std::string_view text) {
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) return {text, {}, text};
    return {text, text.substr(0, equals), text.substr(equals + 1)};
}

/// Reads all of the text, or says no.
template <typename Number>
bool read_whole(std::string_view text, int base, Number& number) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number, base);
    return error == std::errc() && stop == end;
}

}  // namespace

std::vector<Word> words_of(std::string_view text) {
    std::vector<Word> words;
    size_t begin = text.find_first_not_of(blanks);
    while (begin != std::string_view::npos) {
        const size_t end = text.find_first_of(blanks, begin);
        words.push_back(word_of(text.substr(begin, end - begin)));
        begin = text.find_first_not_of(blanks, end);
    }
    return words;
}

int64_t read_integer(std::string_view key, std::string_view value, int64_t lowest, int64_t highest) {
    int64_t number = 0;
    if (!read_whole(value, 10, number) || number < lowest || number > highest) {
        throw InputError(fmt::format("{}={}: expected a whole number from {} to {}", key, value, lowest, highest));
    }
    return number;
}

uint64_t read_unsigned(std::string_view key, std::string_view value) {
    uint64_t number = 0;
    if (!read_whole(value, 10, number)) {
        throw InputError(fmt::format("{}={}: expected a whole number from 0 to 2^64 - 1", key, value));
    }
    return number;
}

uint64_t read_hex(std::string_view key, std::string_view value) {
    uint64_t number = 0;
    if (!read_whole(value, 16, number)) {
        throw InputError(fmt::format("{}: '{}' is not a bit pattern; expected up to 16 hex digits", key, value));
    }
    return number;
}

}  // namespace normcheck
