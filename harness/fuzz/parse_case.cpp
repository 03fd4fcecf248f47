// Case lines, fuzzed.
#include <optional>

#include "harness/cases/case.hpp"
#include "harness/fuzz/parser_target.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

std::optional<Case> read(std::string_view input) {
    try {
        return parse_case(input);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

}  // namespace

std::string round_trip(std::string_view input) {
    const std::optional<Case> c = read(input);
    if (!c) return "";
    const std::string line = print(*c);
    const std::optional<Case> again = read(line);
    if (!again) return "the printed case is refused: " + line;
    if (*again != *c) return "the printed case is another: " + line + " reads as " + print(*again);
    return print(*again) == line ? "" : "the printed case prints differently: " + line;
}

}  // namespace normcheck
