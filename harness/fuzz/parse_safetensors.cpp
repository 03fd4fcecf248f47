// Files in the safetensors format, fuzzed.
#include <optional>

#include "harness/fuzz/parser_target.hpp"
#include "harness/io/safetensors.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

std::optional<SafeTensors> read(std::string_view bytes) {
    try {
        return parse_safetensors(bytes, "input");
    } catch (const InputError&) {
        return std::nullopt;
    }
}

}  // namespace

std::string round_trip(std::string_view input) {
    const std::optional<SafeTensors> content = read(input);
    if (!content) return "";
    for (const auto& [name, tensor] : content->tensors) require_consistent(tensor);
    const std::optional<SafeTensors> again = read(print_safetensors(*content));
    if (!again) return "the printed file is refused";
    return *again == *content ? "" : "the printed file holds another content";
}

}  // namespace normcheck
