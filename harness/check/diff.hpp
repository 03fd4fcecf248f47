// Two kernels on the same inputs: where their outputs part, how far, and which of the two is nearer to what its
// contract asks for. Both are judged, each by its own contract, so that whoever ports a kernel sees which side is
// wrong.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/abi/normcheck.h"
#include "harness/check/run_plan.hpp"
#include "reports/record.hpp"

namespace normcheck {

/// An element of y on which the two differ.
struct Parting {
    bool promised = false;  // by both contracts: neither calls the row outside or doubtful
    std::string case_line;  // of the first kernel
    int64_t case_index = 0, cols = 0, row = 0, element = 0;
    Regime regime = Regime::ordinary;
    double values = 0;   // representable values between the two; Inf where one of them is a NaN
    double row_ulp = 0;  // |a - b| / ulp of the largest y in the first kernel's row; Inf where one is not finite
    std::array<ElementStory, 2> stories;  // each judged by its own contract
};

/// One output of the calls, in codes.
struct OutputDiff {
    int64_t outputs = 0;    // that both gave
    int64_t differing = 0;  // of these; NaNs are alike
    std::string first;      // the line of the first case in which some differ
};
constexpr int output_count = 4;  // in the order of Output

/// The rows of one regime, which is the first kernel's.
struct DiffCell {
    int64_t rows = 0, differing_rows = 0;  // by any output of the row
    int64_t outputs = 0, differing = 0;    // of y
    double values = 0, row_ulp = 0;        // the largest of the rows that both promise, as in Parting
    /// Rows whose y differs, by whose row error is the smaller; those that either contract leaves open are in none.
    int64_t nearer_first = 0, nearer_second = 0, equally_near = 0;
    std::array<VerdictCounts, 2> verdicts{};
};

/// All cases in one format of x.
struct FormatDiff {
    FormatId format = FormatId::f32;
    std::array<std::string, 2> contracts;
    int64_t cases = 0;            // that both ran, or that only one of them ended
    int64_t differing_cases = 0;  // by any output, or because one kernel did not return
    int64_t left_out = 0;         // cases that a kernel refuses, or that neither ends
    ReasonCounts left_out_because;
    std::array<ReasonCounts, 2> broken_rules;
    std::array<OutputDiff, output_count> outputs;
    std::array<DiffCell, regime_count> cells;
    std::optional<Parting> largest;   // by row_ulp, of promised ones where there are any
    std::optional<Parting> shortest;  // on the fewest columns, likewise
};

/// A case as both kernels get it. They are called with the same eps and inputs, which are made for the first one; gamma
/// and beta are passed where both take them. Throws InputError where a tensor cannot be both kernels' own.
struct SharedCase {
    std::array<Case, 2> cases;  // the second's line makes the same inputs only where its contract places them alike
    std::array<Contract, 2> contracts;
};
SharedCase shared_case(const nc_kernel& first, const nc_kernel& second, const Case& c);

/// Both kernels on the cases of a job, whose own kernel does not matter; the same whatever the number of threads.
/// Throws as run_plan does.
FormatDiff diff_kernels(const nc_kernel& first, const nc_kernel& second, const Job& job, int threads, Oracle oracle);

/// The fields in which two contracts differ.
struct FieldDifference {
    std::string field;
    std::array<std::string, 2> values;
};
std::vector<FieldDifference> differing_fields(const Contract& first, const Contract& second);

}  // namespace normcheck
