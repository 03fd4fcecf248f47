// Contracts, fuzzed.
#include <optional>

#include "harness/fuzz/parser_target.hpp"
#include "oracles/contract.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

std::optional<Contract> read(std::string_view input) {
    try {
        return parse_contract(input);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

}  // namespace

std::string round_trip(std::string_view input) {
    const std::optional<Contract> contract = read(input);
    if (!contract) return "";
    const std::string text = print(*contract);
    const std::optional<Contract> again = read(text);
    if (!again) return "the printed contract is refused: " + text;
    if (*again != *contract) return "the printed contract is another: " + text;
    const Contract defaults;
    if (with_overrides(defaults, difference(*contract, defaults)) != *contract)
        return "the difference from the defaults does not give it back: " + difference(*contract, defaults);
    return "";
}

}  // namespace normcheck
