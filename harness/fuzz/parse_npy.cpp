// Files in NumPy's format, fuzzed: the first byte says what 16-bit words are viewed as, the rest is the file.
#include <optional>

#include "harness/fuzz/parser_target.hpp"
#include "harness/io/npy.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

std::optional<FormatId> view_of(char first) {
    constexpr std::optional<FormatId> views[] = {std::nullopt, FormatId::bf16, FormatId::f16};
    return views[static_cast<unsigned char>(first) % std::size(views)];
}

std::optional<Tensor> read(std::string_view bytes, std::optional<FormatId> view_as) {
    try {
        return parse_npy(bytes, "input", view_as);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

}  // namespace

std::string round_trip(std::string_view input) {
    if (input.empty()) return "";
    const std::optional<Tensor> tensor = read(input.substr(1), view_of(input[0]));
    if (!tensor) return "";
    require_consistent(*tensor);
    const bool is_bf16 = tensor->format == FormatId::bf16;
    const auto again = read(print_npy(*tensor), is_bf16 ? std::optional(FormatId::bf16) : std::nullopt);
    if (!again) return "the printed file is refused";
    return *again == *tensor ? "" : "the printed file holds another tensor";
}

}  // namespace normcheck
