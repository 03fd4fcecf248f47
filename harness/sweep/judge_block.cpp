// By the vector where that settles a row, else by itself; see judge_block.hpp.
#include "harness/sweep/judge_block.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "oracles/certified/short_rows.hpp"
#include "oracles/error.hpp"
#include "oracles/judge.hpp"

namespace normcheck {
namespace {

constexpr int largest_cols = 2;
constexpr const char* class_names[] = {"rounded", "admissible", "special", "outside", "doubtful", "fail"};

using RowCodes = std::array<uint64_t, largest_cols>;

RowCodes row_codes(const void* codes, int bytes, int cols, int64_t row) {
    RowCodes result{};
    const char* from = static_cast<const char*>(codes) + row * cols * bytes;
    for (int col = 0; col < cols; ++col)
        std::memcpy(&result[static_cast<size_t>(col)], from + col * bytes, static_cast<size_t>(bytes));
    return result;
}

RowClass class_of(const RowResult& row) {
    switch (row.verdict) {
        case Verdict::fail:
            return RowClass::fail;
        case Verdict::outside:
            return RowClass::outside;
        case Verdict::doubtful:
            return RowClass::doubtful;
        case Verdict::pass:
            if (row.regime == Regime::special) return RowClass::special;
            return row.correctly_rounded == row.outputs ? RowClass::rounded : RowClass::admissible;
        case Verdict::suspect:
        case Verdict::unsupported:
            break;
    }
    throw InternalError("internal error: a verdict that no row of a sweep can have");
}

bool is_measured(const RowResult& row) {
    return row.regime != Regime::special && (row.verdict == Verdict::pass || row.verdict == Verdict::fail);
}

double ordered(double error) {
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

void put(BlockVerdicts& verdicts, int64_t i, const RowResult& row) {
    const bool measured = is_measured(row);
    const bool scaled = measured && row.row_error.has_value();
    verdicts.row_class[static_cast<size_t>(i)] = class_of(row);
    verdicts.rounded[static_cast<size_t>(i)] = static_cast<uint8_t>(measured ? row.correctly_rounded : 0);
    if (!measured) return;
    verdicts.errors.push_back({i, scaled ? ordered(*row.row_error) : -1, scaled ? -1 : ordered(row.absolute_error),
                               scaled ? ordered(row.element_error) : -1});
}

/// A class that the pass over many rows has settled, and how many of the outputs are rounded correctly.
struct Settled {
    RowClass row_class;
    int rounded;
};
Settled settled(ShortClass found, int cols) {
    switch (found) {
        case ShortClass::rounded:
            return {RowClass::rounded, cols};
        case ShortClass::admissible:
            return {RowClass::admissible, 0};
        case ShortClass::one_rounded:
            return {RowClass::admissible, 1};
        case ShortClass::special:
            return {RowClass::special, 0};
        case ShortClass::outside:
            return {RowClass::outside, 0};
        case ShortClass::ask:
            break;
    }
    throw InternalError("internal error: a row that is yet to be judged");
}

void raise(ErrorFloors& floors, const std::vector<RowErrors>& errors, size_t from) {
    for (size_t i = from; i < errors.size(); ++i) {
        floors.row_error = std::max(floors.row_error, errors[i].row_error);
        floors.absolute_error = std::max(floors.absolute_error, errors[i].absolute_error);
        floors.element_error = std::max(floors.element_error, errors[i].element_error);
    }
}

constexpr int64_t rows_at_once = 512;  // so that floors rise soon in the first block

}  // namespace

const char* name(RowClass row_class) {
    return class_names[static_cast<int>(row_class)];
}

BlockVerdicts::BlockVerdicts(int64_t rows) {
    const auto size = static_cast<size_t>(rows);
    row_class.resize(size);
    rounded.resize(size);
}

struct BlockJudge::State {
    int cols;
    int x_bytes, y_bytes;
    bool adds_residual;
    Judge judge;
    ShortRows short_rows;

    RowResult judge_row(const BlockRows& block, int64_t row) const;
    void judge_part(const BlockRows& block, int64_t first, int64_t rows, const ErrorFloors& floors,
                    BlockVerdicts& verdicts) const;
};

BlockJudge::BlockJudge(const Contract& contract, int cols)
    : state_(new State{cols, format(contract.x).bytes(), format(contract.y).bytes(),
                       contract.residual != Residual::none, Judge(contract, cols, nullptr, nullptr),
                       ShortRows(contract, cols)}) {
    require(cols <= largest_cols, "a block judge of longer rows");
}
BlockJudge::~BlockJudge() = default;

RowResult BlockJudge::State::judge_row(const BlockRows& block, int64_t row) const {
    static constexpr RowCodes zeros{};
    const RowCodes x = row_codes(block.x, x_bytes, cols, row);
    const RowCodes y = row_codes(block.y, y_bytes, cols, row);
    RowInputs inputs{.x = x.data(), .residual = nullptr};
    if (adds_residual) inputs.residual = zeros.data();
    RowOutputs outputs;
    outputs.y = y.data();
    return judge.judge(inputs, outputs);
}

void BlockJudge::State::judge_part(const BlockRows& block, int64_t first, int64_t rows, const ErrorFloors& floors,
                                   BlockVerdicts& verdicts) const {
    ShortClass found[rows_at_once];
    const auto* x = static_cast<const char*>(block.x) + first * cols * x_bytes;
    const auto* y = static_cast<const char*>(block.y) + first * cols * y_bytes;
    // Where errors are absolute, the first one is asked for, even if it is 0.
    if (short_rows.have_no_spread() && floors.absolute_error < 0)
        std::fill_n(found, rows, ShortClass::ask);
    else
        short_rows.judge(x, y, rows, floors.row_error, floors.element_error, found);
    for (int64_t i = 0; i < rows; ++i) {
        const auto row = static_cast<size_t>(first + i);
        if (found[i] == ShortClass::ask) {
            put(verdicts, first + i, judge_row(block, first + i));
            continue;
        }
        const Settled result = settled(found[i], cols);
        verdicts.row_class[row] = result.row_class;
        verdicts.rounded[row] = static_cast<uint8_t>(result.rounded);
    }
}

void BlockJudge::judge(const BlockRows& block, const ErrorFloors& floors, BlockVerdicts& verdicts) const {
    ErrorFloors risen = floors;
    verdicts.errors.clear();
    for (int64_t first = 0; first < block.rows; first += rows_at_once) {
        const size_t known = verdicts.errors.size();
        state_->judge_part(block, first, std::min(rows_at_once, block.rows - first), risen, verdicts);
        raise(risen, verdicts.errors, known);
    }
}

}  // namespace normcheck
