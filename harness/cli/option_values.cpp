// Checks of option values; see option_values.hpp.
#include "harness/cli/option_values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string>

namespace normcheck {
namespace {

/// The number that is all of the text, if it is one.
template <typename Number>
std::optional<Number> read_whole(const std::string& text) {
    Number number{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end) return std::nullopt;
    return number;
}

std::string refusal(const std::string& found, const std::string& expected) {
    return fmt::format("found '{}'; expected {}", found, expected);
}

/// Digits that begin with a needless zero are refused: CLI11 would read them as octal.
template <typename Number>
CLI::Validator whole(Number lowest, Number highest, const std::string& expected) {
    return {[=](std::string& text) -> std::string {
                const auto number = read_whole<Number>(text);
                const bool fits = number && *number >= lowest && *number <= highest;
                return fits && text == fmt::format("{}", *number) ? "" : refusal(text, expected);
            },
            ""};
}

CLI::Validator finite_number(bool (*is_allowed)(double), const std::string& expected) {
    return {[=](std::string& text) -> std::string {
                const auto number = read_whole<double>(text);
                const bool fits = number && std::isfinite(*number) && is_allowed(*number);
                return fits ? "" : refusal(text, expected);
            },
            ""};
}

}  // namespace

CLI::Validator whole_number(int64_t lowest, int64_t highest) {
    std::string expected = "a whole number";
    if (lowest > INT64_MIN) expected += fmt::format(" from {}", lowest);
    if (lowest > INT64_MIN) expected += highest < INT64_MAX ? fmt::format(" to {}", highest) : " on";
    return whole<int64_t>(lowest, highest, expected);
}

CLI::Validator seed_number() {
    return whole<uint64_t>(0, UINT64_MAX, "a whole number from 0 to 2^64 - 1");
}

CLI::Validator number_above_zero() {
    return finite_number([](double number) { return number > 0; }, "a number above 0");
}

CLI::Validator number_from_zero() {
    return finite_number([](double number) { return number >= 0; }, "a number from 0 on");
}

}  // namespace normcheck
