// Corpora: text files of cases, each line with the verdict that a correct kernel earns there and, where they are known
// from elsewhere, answers that are right and answers that are wrong. The grammar stands in corpora/README.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.hpp"
#include "oracles/judge.hpp"

namespace normcheck {

/// A number that a line states about one element.
struct StatedValue {
    int64_t row = 0;
    int64_t index = 0;
    double value = 0;
    double half_unit = 0;  // half a unit of the last printed digit; 0 where the number was written as 0 or in hex
};

struct CorpusLine {
    int64_t number = 0;  // in its file, from 1
    std::string entry;   // as in A01: the word that opens the nearest comment above which has one
    std::string text;
    Case call;
    Verdict verdict = Verdict::pass;        // of every row
    std::vector<StatedValue> right;         // the unrounded exact y, to the printed digits
    std::vector<StatedValue> target;        // the correctly rounded y
    std::vector<StatedValue> residual_out;  // the correctly rounded residual_out
    std::vector<StatedValue> wrong;         // a y that must be refused
    bool alone = false;                     // each row called on its own, dense and in one thread, gives the same bits
    int64_t repeat = 1;                     // so many calls give the same bits
    bool is_slow = false;                   // word `long`: too slow for every day
};

/// The lines of a corpus's text. Throws InputError with `name`, the line's number, and what was expected.
std::vector<CorpusLine> parse_corpus(std::string_view text, std::string_view name);

/// The lines of a file. Throws InputError where it cannot be read or parsed.
std::vector<CorpusLine> read_corpus(const std::string& path);

}  // namespace normcheck
