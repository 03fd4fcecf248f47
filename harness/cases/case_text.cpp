// The one line of text of a case: reading and printing, inverse to each other.
#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "harness/cases/case.hpp"
#include "harness/cases/source_text.hpp"
#include "harness/cases/words.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

/// A key with a whole number.
struct IntegerKey {
    const char* name;
    int64_t Case::* field;
    int64_t lowest;
    int64_t highest;
};
constexpr IntegerKey rows_key = {"rows", &Case::rows, 0, largest_extent};
constexpr IntegerKey cols_key = {"cols", &Case::cols, 0, largest_extent};
constexpr IntegerKey pitch_key = {"pitch", &Case::pitch, 0, largest_extent};
constexpr IntegerKey stride_key = {"stride", &Case::stride, 1, largest_extent};
constexpr IntegerKey offset_key = {"offset", &Case::offset, 0, largest_extent};
constexpr IntegerKey position_key = {"position", &Case::position, 0, largest_position};
constexpr IntegerKey integer_keys[] = {rows_key, cols_key, pitch_key, stride_key, offset_key, position_key};

/// A key with a source; parameters are read in the parameters' format.
struct SourceKey {
    const char* name;
    Source Case::* field;
    bool parameter;
};
constexpr SourceKey source_keys[] = {{"fill", &Case::x, false},
                                     {"gamma_fill", &Case::gamma, true},
                                     {"beta_fill", &Case::beta, true},
                                     {"residual_fill", &Case::residual, false}};

constexpr std::pair<const char*, Alias> aliases[] = {
    {"none", Alias::none}, {"y_is_x", Alias::y_is_x}, {"residual_out_is_residual", Alias::residual_out_is_residual}};

constexpr CaseKeyInfo key_table[] = {
#define CASE_KEY(name, default_text, meaning) {#name, default_text, meaning},
#include "harness/cases/case_keys.def"
#undef CASE_KEY
};

std::string own_keys() {
    std::string names;
    for (const CaseKeyInfo& key : key_table) names += (names.empty() ? "" : ", ") + std::string(key.name);
    return names;
}

bool is_override(const Word& word) {
    return word.key.empty() ? word.text == "rms" || word.text == "layer" : is_contract_field(word.key);
}

void refuse_twice(const std::vector<Word>& words) {
    for (size_t i = 0; i < words.size(); ++i) {
        for (size_t j = 0; j < i; ++j) {
            if (words[i].key == words[j].key && !words[i].key.empty()) {
                throw InputError(fmt::format("'{}': the key {} stands twice", words[i].text, words[i].key));
            }
        }
    }
}

std::string read_overrides(const std::vector<Word>& words) {
    std::string text;
    for (const Word& word : words) {
        if (is_override(word)) text += (text.empty() ? "" : " ") + std::string(word.text);
    }
    return canonical_overrides(text);
}

FormatId format_of(const Case& c, const SourceKey& key) {
    return key.parameter ? params_format(c.overrides) : x_format(c.overrides);
}

Source read_source(const Case& c, const SourceKey& key, std::string_view value) {
    if (key.parameter && value == "absent") return {"absent", {}};
    return parse_source(key.name, value, format_of(c, key), key.parameter ? parameter_fills() : fills());
}

Alias read_alias(std::string_view value) {
    for (const auto& [name, alias] : aliases) {
        if (value == name) return alias;
    }
    throw InputError(fmt::format("alias={}: expected none, y_is_x or residual_out_is_residual", value));
}

std::string read_kernel(std::string_view value) {
    if (value.empty()) throw InputError("kernel=: expected the name of a kernel");
    return std::string(value);
}

bool read_integer_key(Case& c, const Word& word) {
    for (const IntegerKey& key : integer_keys) {
        if (word.key != key.name) continue;
        c.*key.field = read_integer(word.key, word.value, key.lowest, key.highest);
        return true;
    }
    return false;
}

bool read_source_key(Case& c, const Word& word) {
    for (const SourceKey& key : source_keys) {
        if (word.key != key.name) continue;
        c.*key.field = read_source(c, key, word.value);
        return true;
    }
    return false;
}

bool read_other_key(Case& c, const Word& word) {
    if (word.key == "kernel") {
        c.kernel = read_kernel(word.value);
    } else if (word.key == "seed") {
        c.seed = read_unsigned(word.key, word.value);
    } else if (word.key == "threads") {
        c.threads = static_cast<int>(read_integer(word.key, word.value, 1, INT_MAX));
    } else if (word.key == "alias") {
        c.alias = read_alias(word.value);
    } else {
        return false;
    }
    return true;
}

void read_word(Case& c, const Word& word) {
    if (read_integer_key(c, word) || read_source_key(c, word) || read_other_key(c, word)) return;
    throw InputError(fmt::format("'{}': unknown word in a case; expected key=value with a contract field or one of {}",
                                 word.text, own_keys()));
}

/// The number of columns that stands for itself when the text names none.
int64_t default_cols(const Case& c) {
    return c.x.bits.empty() ? 1 : static_cast<int64_t>(c.x.bits.size());
}

void refuse_long_inline(const Case& c) {
    for (const SourceKey& key : source_keys) {
        const size_t count = (c.*key.field).bits.size();
        if (static_cast<int64_t>(count) > c.cols) {
            throw InputError(fmt::format("{}: {} inline values, but cols={}", key.name, count, c.cols));
        }
    }
}

void append(std::string& line, std::string_view text) {
    line += (line.empty() ? "" : " ") + std::string(text);
}

void print_integer(std::string& line, const Case& c, const IntegerKey& key, int64_t otherwise) {
    if (c.*key.field != otherwise) append(line, fmt::format("{}={}", key.name, c.*key.field));
}

void print_sources(std::string& line, const Case& c) {
    const Case defaults;
    for (const SourceKey& key : source_keys) {
        if (c.*key.field == defaults.*key.field) continue;
        append(line, fmt::format("{}={}", key.name, print_source(c.*key.field, format_of(c, key))));
    }
}

void print_call(std::string& line, const Case& c) {
    print_integer(line, c, pitch_key, 0);
    print_integer(line, c, stride_key, 1);
    print_integer(line, c, offset_key, 0);
    if (c.alias != Alias::none) append(line, fmt::format("alias={}", aliases[static_cast<size_t>(c.alias)].first));
    if (c.threads != 1) append(line, fmt::format("threads={}", c.threads));
    print_integer(line, c, position_key, 0);
}

}  // namespace

std::span<const CaseKeyInfo> case_keys() {
    return key_table;
}

Case parse_case(std::string_view line) {
    const std::vector<Word> words = words_of(line);
    refuse_twice(words);
    Case c;
    c.overrides = read_overrides(words);
    for (const Word& word : words) {
        if (!is_override(word)) read_word(c, word);
    }
    if (c.kernel.empty()) parse_contract(c.overrides);
    if (std::none_of(words.begin(), words.end(), [](const Word& word) { return word.key == "cols"; })) {
        c.cols = default_cols(c);
    }
    refuse_long_inline(c);
    return c;
}

std::string print(const Case& c) {
    std::string line;
    if (!c.kernel.empty()) append(line, "kernel=" + c.kernel);
    if (!c.overrides.empty()) append(line, c.overrides);
    print_integer(line, c, rows_key, 1);
    print_integer(line, c, cols_key, default_cols(c));
    print_sources(line, c);
    if (c.seed != 1) append(line, fmt::format("seed={}", c.seed));
    print_call(line, c);
    return line;
}

}  // namespace normcheck
