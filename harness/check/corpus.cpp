// Reading of corpora.
#include "harness/check/corpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>

#include "harness/cases/words.hpp"
#include "oracles/error.hpp"
#include "oracles/text.hpp"

namespace normcheck {
namespace {

constexpr std::string_view arrow = " => ";
constexpr int fewest_digits = 3;
constexpr int64_t most_repeats = 1000000;

/// A word that states values of elements, and where they go.
struct StatementKey {
    const char* name;
    std::vector<StatedValue> CorpusLine::* field;
};
constexpr StatementKey statement_keys[] = {{"right", &CorpusLine::right},
                                           {"target", &CorpusLine::target},
                                           {"residual_out", &CorpusLine::residual_out},
                                           {"wrong", &CorpusLine::wrong}};

bool is_hex(std::string_view number) {
    return number.find('x') != std::string_view::npos;
}

/// "A01" of "# A01 one-pass variance of a constant row"; empty where the comment opens with no such word.
std::string_view entry_of(std::string_view comment) {
    const std::vector<Word> words = words_of(comment);
    if (words.size() < 2 || words[0].text != "#") return {};
    const std::string_view word = words[1].text;
    const auto digit = [](char letter) { return letter >= '0' && letter <= '9'; };
    const bool named = word.size() == 3 && word[0] >= 'A' && word[0] <= 'Z' && digit(word[1]) && digit(word[2]);
    return named ? word : std::string_view{};
}

std::string_view digits_of(std::string_view number) {
    return number.substr(0, number.find_first_of("eE"));
}

/// From the first digit that is not 0.
int64_t significant_digits(std::string_view number) {
    const std::string_view digits = digits_of(number);
    const size_t first = digits.find_first_of("123456789");
    if (first == std::string_view::npos) return 0;
    return std::ranges::count_if(digits.substr(first), [](char letter) { return letter != '.'; });
}

/// 0.5 for 12, 0.005 for 1.25, 5e-8 for 1.92e-5.
double half_unit_of(std::string_view number, double value) {
    if (value == 0 || !std::isfinite(value) || is_hex(number)) return 0;
    const std::string_view digits = digits_of(number);
    const size_t point = digits.find('.');
    const int64_t decimals = point == std::string_view::npos ? 0 : std::ssize(digits) - 1 - static_cast<int64_t>(point);
    std::string_view exponent = number.size() > digits.size() ? number.substr(digits.size() + 1) : "0";
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    return 0.5 * std::pow(10.0, static_cast<double>(read_integer("exponent", exponent, -400, 400) - decimals));
}

/// INDEX:VALUE or ROW.INDEX:VALUE
StatedValue read_stated_value(std::string_view key, std::string_view text, const Case& call) {
    const size_t colon = text.find(':');
    if (colon == std::string_view::npos)
        throw InputError(fmt::format("{}: '{}': expected INDEX:VALUE or ROW.INDEX:VALUE", key, text));
    const std::string_view place = text.substr(0, colon);
    const std::string_view number = text.substr(colon + 1);
    const size_t dot = place.find('.');
    StatedValue stated;
    if (dot != std::string_view::npos) stated.row = read_integer(key, place.substr(0, dot), 0, call.rows - 1);
    stated.index = read_integer(key, dot == std::string_view::npos ? place : place.substr(dot + 1), 0, call.cols - 1);
    stated.value = parse_number(number, FormatId::f64, key);
    stated.half_unit = half_unit_of(number, stated.value);
    return stated;
}

/// A right answer of one or two digits would agree with nearly anything.
void refuse_vague(std::string_view text) {
    const std::string_view number = text.substr(text.find(':') + 1);
    const bool vague = is_hex(number) || significant_digits(number) < fewest_digits;
    if (vague && number != "0")
        throw InputError(fmt::format("right: '{}': expected 0 or a decimal of {} digits or more", text, fewest_digits));
}

bool read_statement(CorpusLine& line, const Word& word) {
    for (const StatementKey& key : statement_keys) {
        if (word.key != key.name) continue;
        for (const std::string_view text : split(word.value, ',')) {
            if (word.key == "right") refuse_vague(text);
            (line.*key.field).push_back(read_stated_value(word.key, text, line.call));
        }
        return true;
    }
    return false;
}

void read_expectation(CorpusLine& line, const Word& word) {
    if (read_statement(line, word)) return;
    if (word.text == "alone") {
        line.alone = true;
    } else if (word.text == "long") {
        line.is_slow = true;
    } else if (word.key == "repeat") {
        line.repeat = read_integer(word.key, word.value, 1, most_repeats);
    } else {
        throw InputError(fmt::format(
            "'{}': expected right=, target=, residual_out=, wrong=, alone, repeat=N or long after the verdict",
            word.text));
    }
}

Verdict read_verdict(std::string_view text) {
    std::string names;
    for (int i = 0; i < verdict_count; ++i) {
        const auto verdict = static_cast<Verdict>(i);
        if (text == name(verdict)) return verdict;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", name(verdict));
    }
    throw InputError(fmt::format("'{}' is no verdict; expected one of {}", text, names));
}

/// What the oracle has no answer for can be neither right nor wrong.
void refuse_answers_without_promise(const CorpusLine& line) {
    if (line.verdict != Verdict::outside && line.verdict != Verdict::unsupported) return;
    for (const StatementKey& key : statement_keys) {
        if (!(line.*key.field).empty())
            throw InputError(fmt::format("{}: the verdict {} promises no answer", key.name, name(line.verdict)));
    }
}

CorpusLine parse_line(std::string_view text) {
    const size_t middle = text.find(arrow);
    if (middle == std::string_view::npos) throw InputError("expected CASE => VERDICT");
    CorpusLine line;
    line.text = text;
    line.call = parse_case(text.substr(0, middle));
    const std::vector<Word> words = words_of(text.substr(middle + arrow.size()));
    if (words.empty()) throw InputError("expected a verdict after =>");
    line.verdict = read_verdict(words[0].text);
    for (size_t i = 1; i < words.size(); ++i) read_expectation(line, words[i]);
    refuse_answers_without_promise(line);
    return line;
}

}  // namespace

std::vector<CorpusLine> parse_corpus(std::string_view text, std::string_view name) {
    std::vector<CorpusLine> lines;
    std::string entry;
    int64_t number = 0;
    for (const std::string_view line : split(text, '\n')) {
        ++number;
        if (!entry_of(line).empty()) entry = entry_of(line);
        if (words_of(line).empty() || line.starts_with('#')) continue;
        try {
            lines.push_back(parse_line(line));
        } catch (const InputError& error) {
            throw InputError(fmt::format("{}:{}: {}", name, number, error.what()));
        }
        lines.back().number = number;
        lines.back().entry = entry;
    }
    return lines;
}

std::vector<CorpusLine> read_corpus(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file) throw InputError(fmt::format("{}: cannot be read", path));
    return parse_corpus(text, path);
}

}  // namespace normcheck
