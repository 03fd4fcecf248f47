// What the properties share: calls of a kernel with what they are made of, comparison of their rows, and results. All
// calls go through call_kernel.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/check.hpp"
#include "harness/properties/properties.hpp"
#include "harness/properties/row_values.hpp"

namespace normcheck {

PropertyResult held();
PropertyResult not_applicable(std::string reason);
PropertyResult violated(std::string reason, Case witness);

/// A call before it is made: a case with its contract and inputs, or inputs that were derived from those.
struct Setting {
    const nc_kernel* kernel;
    Case c;
    Contract contract;
    Inputs inputs;
};
Setting setting_of(const nc_kernel& kernel, const Case& c);
/// The case on one thread: what is asked of something else than threads is asked there, where a small call is cheap
/// also on a busy machine.
Case on_one_thread(const Case& c);
/// Row `row` of the setting as a call of its own.
Setting one_row(const Setting& setting, int64_t row);
/// The setting as a case: case_of where the inputs are those of the case, case_of_inputs where they were derived (all
/// of them as inline bits, which are the first row's).
Case case_of(const Setting& setting);
Case case_of_inputs(const Setting& setting);
/// All values of x, then of the residual.
Values values_and_residual(const Setting& setting);

/// A call that was made.
struct Called {
    Setting setting;
    CallResult result;
};
Called call(const Setting& setting);
/// Why no outputs of it can be compared: refused, without elements, or it broke a rule (which guard_bands and
/// inputs_untouched find).
std::optional<std::string> unusable(const Called& called);

/// Whether a rule broken by a call says that an input was changed.
bool says_input_changed(const std::string& broken_rule);

/// The same call gives the same bits again: the contract fixes an order of summation, or the bits as a function of the
/// row. Kernels of other contracts may sum as the threads come.
bool bits_repeat(const Contract& contract);

/// A value for reasons: "0x1.8p+1 (40400000)".
std::string shown(FormatId format, uint64_t code);
/// The same code, or both NaN.
bool same_value(FormatId format, uint64_t a, uint64_t b);

/// Rows that both calls have (by their index in the stream of rows) must have equal outputs where `bits` are promised;
/// else the rows of `other` must be admissible.
PropertyResult compare(const Called& base, const Called& other, bool bits);
/// The same row of both calls, all outputs bit by bit; nothing where they are equal.
std::optional<std::string> first_difference(const Called& a, int64_t row_a, const Called& b, int64_t row_b);

/// The judgement of one row of a call, and what it says of a row that failed.
RowResult judge_row(const Called& called, int64_t row);
std::string blame(const Called& called, int64_t row, const RowResult& result);
/// violated by a row that failed and is `blamed`; held where some row passes; else not_applicable.
PropertyResult judged(
    const Called& called, bool (*blamed)(const RowResult& result) = [](const RowResult&) { return true; });

/// The results of the parts of a property as one: the first violation, else held where any part held.
class Parts {
  public:
    void add(PropertyResult part);
    bool is_violated() const { return violation_.has_value(); }
    PropertyResult result() const;

  private:
    std::optional<PropertyResult> violation_;
    bool any_held_ = false;
    std::string why_not_ = "nothing to compare";
};

/// The property of a case out of that of rows: asked of the first, middle and last row, each as a call of its own.
PropertyResult of_rows(const nc_kernel& kernel, const Case& c,
                       const std::function<PropertyResult(const Setting& row)>& property);

}  // namespace normcheck
