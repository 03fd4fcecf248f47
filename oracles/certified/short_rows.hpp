// Many rows of one or two elements at a time, as exhaustive sweeps have them.
#pragma once

#include <cstdint>
#include <memory>

#include "oracles/contract.hpp"

namespace normcheck {

/// What can be said of a short row without looking at it alone.
enum class ShortClass : uint8_t {
    rounded,      // pass, every output correctly rounded, no error above the floors
    admissible,   // pass, no output correctly rounded, no error above the floors
    special,      // pass: NaN or Inf in the row, and the outputs are right
    outside,      // the contract promises nothing
    one_rounded,  // pass, one of two outputs correctly rounded, no error above the floors
    ask           // the row has to be judged by itself
};

/// Judges rows without gamma, beta and saved statistics, of one contract and length; thread-safe. The enclosures and
/// bounds are those of the certified oracle, over whole ranges of rows: what is said of a row is what Judge says of it.
class ShortRows {
  public:
    ShortRows(const Contract& contract, int cols);
    ~ShortRows();
    ShortRows(const ShortRows&) = delete;
    ShortRows& operator=(const ShortRows&) = delete;

    /// Whether outputs are 0 and errors absolute: layer rows of one element.
    bool have_no_spread() const;

    /// Fills classes[0 .. rows). x and y are dense codes in their storage sizes. Rows whose row error or element error,
    /// in ulp as RowResult states them, is above its floor are asked for.
    void judge(const void* x, const void* y, int64_t rows, double row_floor, double element_floor,
               ShortClass* classes) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace normcheck
