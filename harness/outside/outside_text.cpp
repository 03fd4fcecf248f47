// Printing and reading of the text; see outside_text.hpp.
#include "harness/outside/outside_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "oracles/error.hpp"
#include "oracles/text.hpp"

namespace normcheck {
namespace {

template <class Number>
std::optional<Number> number_of(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

bool read_line(OutsideKernels& outside, std::string_view line) {
    const size_t space = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, space), rest = line.substr(std::min(space + 1, line.size()));
    if (word == "plugin") return outside.plugins.emplace_back(rest), !rest.empty();
    if (word == "exec") return outside.commands.emplace_back(rest), !rest.empty();
    if (word == "in-process") return outside.in_process = true, rest.empty();
    if (word == "start-limit") return (outside.start_seconds = number_of<double>(rest)).has_value();
    if (word == "call-limit") return (outside.call_seconds = number_of<double>(rest)).has_value();
    if (word == "memory-limit") return (outside.memory_mib = number_of<int64_t>(rest)).has_value();
    return false;
}

}  // namespace

std::string outside_text(const OutsideKernels& outside) {
    std::string text;
    for (const std::string& plugin : outside.plugins) text += "plugin " + plugin + '\n';
    for (const std::string& command : outside.commands) text += "exec " + command + '\n';
    if (text.empty()) return text;
    if (outside.in_process) text += "in-process\n";
    if (outside.start_seconds) text += fmt::format("start-limit {}\n", *outside.start_seconds);
    if (outside.call_seconds) text += fmt::format("call-limit {}\n", *outside.call_seconds);
    if (outside.memory_mib) text += fmt::format("memory-limit {}\n", *outside.memory_mib);
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
