// Which findings of a kernel and format a report keeps, and in which order it shows them: those that explain most
// first, and no kind of them twice before all others were there once.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "reports/record.hpp"

namespace normcheck {

/// Properties that say what is wrong rather than that something is, most telling first.
constexpr std::array<std::string_view, 17> telling_properties{
    "eps_response",           "power_of_two_scaling", "gamma_zero_gives_beta",        "gamma_power_of_two",
    "doubled_gamma_and_beta", "sign_symmetry",        "layer_is_rms_of_centred",      "nan_stays_in_its_row",
    "inf_stays_in_its_row",   "batch_independence",   "thread_independence",          "repeated_runs",
    "layout_independence",    "strided_equals_dense", "in_place_equals_out_of_place", "correctly_rounded",
    "shift_response"};

/// A broken rule without its place ("y[_,_] was not written"), under which equal ones are counted together.
std::string rule_without_place(std::string_view broken_rule);

/// What kind of thing a reason says: "property NAME" of a property, else the reason without its place.
std::string kind_of_reason(std::string_view reason);

/// The first of these findings whose reason without its place is this rule; none where there is none.
const Finding* example_of(std::string_view rule, std::span<const Finding* const> findings);

/// Puts findings of one kernel and format in order: round by round, of every kind one; within a round the kinds that
/// name a cause before those that name a broken rule, a wrong row or a suspect one; of a kind first one per case, in
/// the order of cases. Whoever keeps the first n of two parts, and of both together, has the first n of all: what
/// stands before a finding in a part also does in the whole.
void put_in_order(std::span<Finding> findings);

}  // namespace normcheck
