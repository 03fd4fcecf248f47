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

/// Seconds in one of that unit; nothing where there is no such unit.
std::optional<double> unit_seconds(char unit) {
    switch (unit) {
        case 's':
            return 1;
        case 'm':
            return 60;
        case 'h':
            return 3600;
        default:
            return std::nullopt;
    }
}

/// The seconds that a length of time says, if it does.
std::optional<double> read_time(std::string text) {
    double seconds = 1;
    if (!text.empty())
        if (const auto unit = unit_seconds(text.back())) {
            seconds = *unit;
            text.pop_back();
        }
    const auto number = read_whole<double>(text);
    return number ? std::optional(*number * seconds) : std::nullopt;
}

}  // namespace

void add_width_option(CLI::App& app, int& width) {
    app.add_option("--width", width, "columns of the text (default: the terminal's, 80 elsewhere)")
        ->type_name("N")
        ->take_last()
        ->check(whole_number(narrowest_page, widest_page));
}

CLI::Validator time_span(bool whole) {
    constexpr double longest = 7 * 24 * 3600;
    const std::string expected = whole ? "whole seconds from 1 on, or as in 90s, 10m, 8h, up to a week"
                                       : "seconds above 0, or as in 90s, 10m, 8h, up to a week";
    return {[=](std::string& text) -> std::string {
                const auto seconds = read_time(text);
                if (!seconds || !(*seconds > 0 && *seconds <= longest) || (whole && *seconds != std::floor(*seconds)))
                    return refusal(text, expected);
                text = fmt::format("{}", *seconds);
                return "";
            },
            ""};
}

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
