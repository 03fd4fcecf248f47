// The text form of a whole contract. All of it goes through Words: parsing fills them, overriding lays words over
// words, and printing keeps those that differ from what parsing would take without them.
#include <fmt/format.h>

#include <algorithm>

#include "oracles/contract_words.hpp"
#include "oracles/error.hpp"

namespace normcheck {

namespace {

constexpr std::string_view blanks = " \t\r\n";

std::vector<std::string_view> split_words(std::string_view text) {
    std::vector<std::string_view> words;
    while (true) {
        const size_t begin = text.find_first_not_of(blanks);
        if (begin == text.npos) return words;
        const size_t end = std::min(text.find_first_of(blanks, begin), text.size());
        words.push_back(text.substr(begin, end - begin));
        text.remove_prefix(end);
    }
}

FieldId field_of_word(std::string_view word, const Split& parts) {
    if (!parts.tail && (word == "rms" || word == "layer")) return FieldId::norm;
    if (!parts.tail) {
        throw InputError(fmt::format(
            "contract: '{}' is not a word of it; expected field=value, or rms or layer standing alone", word));
    }
    if (const auto found = find_field(parts.head)) return *found;
    throw InputError(
        fmt::format("contract: unknown field '{}' in '{}'; expected one of {}", parts.head, word, field_names()));
}

Words read_words(std::string_view text) {
    Words words;
    for (std::string_view word : split_words(text)) {
        const Split parts = split_at(word, '=');
        const FieldId id = field_of_word(word, parts);
        std::optional<std::string>& slot = words[static_cast<int>(id)];
        if (slot) {
            throw InputError(fmt::format("contract: field '{}' is given again in '{}'; expected it once",
                                         field_info(id).name, word));
        }
        slot = std::string(parts.tail.value_or(word));
    }
    return words;
}

void set_default(Contract& contract, FieldId id) {
    set_field(contract, id, default_value(contract, id));
}

void set_word(Contract& contract, const Words& words, FieldId id) {
    const std::optional<std::string>& word = words[static_cast<int>(id)];
    word ? set_field(contract, id, *word) : set_default(contract, id);
}

Contract build(const Words& words) {
    Contract contract;
    for (const FieldInfo& row : contract_fields()) set_word(contract, words, row.id);
    validate(contract);
    return contract;
}

/// The fewest words to lay over `base` that give `contract`. A field's default depends on fields before it alone, so a
/// field needs a word exactly when `base` and the fields already built would give it another value.
Words words_over(const Words& base, const Contract& contract) {
    Words words;
    Contract built;
    for (const FieldInfo& row : contract_fields()) {
        set_word(built, base, row.id);
        std::string wanted = field_text(contract, row.id);
        if (field_text(built, row.id) == wanted) continue;
        set_field(built, row.id, wanted);
        words[static_cast<int>(row.id)] = std::move(wanted);
    }
    return words;
}

std::string join(const Words& words) {
    std::string text;
    for (const FieldInfo& row : contract_fields()) {
        const std::optional<std::string>& word = words[static_cast<int>(row.id)];
        if (!word) continue;
        if (!text.empty()) text += ' ';
        text += row.id == FieldId::norm ? *word : fmt::format("{}={}", row.name, *word);
    }
    return text;
}

}  // namespace

Contract parse_contract(std::string_view text) {
    return build(read_words(text));
}

Contract with_overrides(const Contract& base, std::string_view overrides) {
    Words words = words_over(Words{}, base);
    Words laid_over = read_words(overrides);
    for (int i = 0; i < field_count; ++i) {
        if (laid_over[i]) words[i] = std::move(laid_over[i]);
    }
    return build(words);
}

std::string print(const Contract& contract) {
    Words words = words_over(Words{}, contract);
    words[static_cast<int>(FieldId::norm)] = field_text(contract, FieldId::norm);
    return join(words);
}

std::string difference(const Contract& contract, const Contract& base) {
    return join(words_over(words_over(Words{}, base), contract));
}

}  // namespace normcheck
