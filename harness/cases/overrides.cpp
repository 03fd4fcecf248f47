// Contract words inside a case line. The kernel's contract is not known when a line is read, so each word is checked
// and respelled alone; contradictions between words come out when they are laid over the kernel's contract.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/cases/case.hpp"
#include "harness/cases/words.hpp"
#include "oracles/contract_words.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

struct FieldWord {
    FieldId id;
    Word word;
};

bool is_bare_norm(const Word& word) {
    return word.key.empty() && (word.text == "rms" || word.text == "layer");
}

FieldWord field_word(const Word& word) {
    if (is_bare_norm(word)) return {FieldId::norm, word};
    const std::optional<FieldId> id = word.key.empty() ? std::nullopt : find_field(word.key);
    if (id) return {*id, word};
    throw InputError(fmt::format("'{}' is no contract word; expected rms, layer or field=value with one of {}",
                                 word.text, field_names()));
}

/// The words in field order, each field at most once.
std::vector<FieldWord> field_words(std::string_view text) {
    std::vector<FieldWord> fields;
    for (const Word& word : words_of(text)) fields.push_back(field_word(word));
    std::sort(fields.begin(), fields.end(), [](const FieldWord& a, const FieldWord& b) { return a.id < b.id; });
    for (size_t i = 1; i < fields.size(); ++i) {
        if (fields[i - 1].id != fields[i].id) continue;
        throw InputError(fmt::format("'{}' and '{}': each field of the contract may stand once",
                                     fields[i - 1].word.text, fields[i].word.text));
    }
    return fields;
}

/// The word as a contract that holds the value would print it.
std::string respelled(const FieldWord& field) {
    Contract contract;
    set_field(contract, field.id, field.word.value);
    const std::string value = field_text(contract, field.id);
    return field.id == FieldId::norm ? value : fmt::format("{}={}", field.word.key, value);
}

/// The format named by field `key`; the words have been checked before.
std::optional<FormatId> named_format(std::string_view overrides, std::string_view key) {
    for (const Word& word : words_of(overrides)) {
        if (word.key == key) return find_format(word.value);
    }
    return std::nullopt;
}

}  // namespace

std::string canonical_overrides(std::string_view words) {
    std::string canonical;
    for (const FieldWord& field : field_words(words)) canonical += (canonical.empty() ? "" : " ") + respelled(field);
    return canonical;
}

std::string laid_over(std::string_view base, std::string_view overrides) {
    std::vector<FieldWord> fields = field_words(overrides);
    for (const FieldWord& field : field_words(base))
        if (std::ranges::find(fields, field.id, &FieldWord::id) == fields.end()) fields.push_back(field);
    std::string text;
    for (const FieldWord& field : fields) text += (text.empty() ? "" : " ") + std::string(field.word.text);
    return text;
}

FormatId x_format(std::string_view overrides) {
    return named_format(overrides, "x").value_or(FormatId::f32);
}

FormatId params_format(std::string_view overrides) {
    return named_format(overrides, "params").value_or(x_format(overrides));
}

}  // namespace normcheck
