// Printing and reading of the text; see outside_text.hpp.
#include "harness/outside/outside_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>

#include "oracles/error.hpp"
#include "oracles/text.hpp"

namespace normcheck {
namespace {

std::optional<int64_t> whole_number_of(std::string_view text) {
    int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

/// Not by from_chars, which libc++ has for whole numbers alone until version 20.
std::optional<double> number_of(const std::string& text) {
    char* stop = nullptr;
    const double number = std::strtod(text.c_str(), &stop);
    return !text.empty() && *stop == '\0' ? std::optional(number) : std::nullopt;
}

bool read_line(OutsideKernels& outside, std::string_view line) {
    const size_t space = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, space), rest = line.substr(std::min(space + 1, line.size()));
    if (word == "plugin") return outside.plugins.emplace_back(rest), !rest.empty();
    if (word == "exec") return outside.commands.emplace_back(rest), !rest.empty();
    if (word == "in-process") return outside.in_process = true, rest.empty();
    if (word == "start-limit") return (outside.start_seconds = number_of(std::string(rest))).has_value();
    if (word == "call-limit") return (outside.call_seconds = number_of(std::string(rest))).has_value();
    if (word == "memory-limit") return (outside.memory_mib = whole_number_of(rest)).has_value();
    return false;
}

}  // namespace

std::vector<OutsideSetting> outside_settings(const OutsideKernels& outside) {
    std::vector<OutsideSetting> settings;
    for (const std::string& plugin : outside.plugins) settings.push_back({"plugin", plugin});
    for (const std::string& command : outside.commands) settings.push_back({"exec", command});
    if (settings.empty()) return settings;
    if (outside.in_process) settings.push_back({"in-process", ""});
    const auto add_limit = [&](const char* name, const auto& limit) {
        if (limit) settings.push_back({name, fmt::to_string(*limit)});
    };
    add_limit("start-limit", outside.start_seconds);
    add_limit("call-limit", outside.call_seconds);
    add_limit("memory-limit", outside.memory_mib);
    return settings;
}

std::string outside_text(const OutsideKernels& outside) {
    std::string text;
    for (const OutsideSetting& one : outside_settings(outside))
        text += one.name + (one.value.empty() ? "" : ' ' + one.value) + '\n';
    return text;
}

OutsideKernels read_outside(std::string_view text) {
    OutsideKernels outside;
    for (const std::string_view line : split(text, '\n'))
        if (!line.empty() && !read_line(outside, line))
            throw InputError(
                fmt::format("{}: line '{}'; expected plugin PATH, exec COMMAND, in-process, start-limit S, "
                            "call-limit S or memory-limit MIB",
                            outside_variable, line));
    return outside;
}

}  // namespace normcheck
