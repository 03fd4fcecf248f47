// Judges many short rows at once: codes in, a class and a few numbers per row out. What the oracle does inside is its
// own affair; the sweep round it sees this interface alone.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "oracles/contract.hpp"

namespace normcheck {

/// What is said of one row; each row has one class.
enum class RowClass : uint8_t {
    rounded,     // pass: finite inputs, every output correctly rounded
    admissible,  // pass: finite inputs, every output admissible, some not correctly rounded
    special,     // pass: a NaN or Inf in x, and the outputs are what the rules ask for
    outside,     // the contract promises nothing
    doubtful,    // the row proves nothing
    fail,
};
constexpr int row_class_count = 6;
const char* name(RowClass row_class);

/// Rows as the kernel read and wrote them: rows * cols codes, dense, in the storage size of contract.x and contract.y.
struct BlockRows {
    const void* x = nullptr;
    const void* y = nullptr;
    int64_t rows = 0;
};

/// Errors of one row, those of RowResult; an error that the row does not have is -1. A NaN counts as Inf.
struct RowErrors {
    int64_t row = 0;
    double row_error = -1;       // ulp of the row's largest exact output
    double absolute_error = -1;  // of rows without a row error
    double element_error = -1;   // largest, in ulp of the element, over elements that are not cancelled
    bool operator==(const RowErrors&) const = default;
};

/// What is known beforehand: errors no larger than these are of no interest.
struct ErrorFloors {
    double row_error = -1;
    double absolute_error = -1;
    double element_error = -1;
};

/// One entry per row, but for errors: these of all rows that have one above its floor, and of some others, in order.
/// Rows outside, doubtful and special have none.
struct BlockVerdicts {
    std::vector<RowClass> row_class;
    std::vector<uint8_t> rounded;  // outputs that are correctly rounded, of rows rounded, admissible or fail; else 0
    std::vector<RowErrors> errors;

    explicit BlockVerdicts(int64_t rows);
};

/// The judge of rows of one contract, without gamma and beta, and with a residual of +0 where the contract adds one; y
/// alone is judged. judge is const, keeps no state, and may be called by several threads at a time.
class BlockJudge {
  public:
    BlockJudge(const Contract& contract, int cols);
    ~BlockJudge();
    BlockJudge(const BlockJudge&) = delete;
    BlockJudge& operator=(const BlockJudge&) = delete;

    /// Fills the first block.rows entries and lists errors anew. Classes and counts do not depend on the other rows.
    void judge(const BlockRows& block, const ErrorFloors& floors, BlockVerdicts& verdicts) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace normcheck
