// The sweep as a whole: every row once, the same however it is cut and on whatever threads, the same with and without
// symmetry, and agreeing with the judge row by row.
#include "harness/sweep/sweep.hpp"

#include <gtest/gtest.h>

#include "harness/cases/case.hpp"
#include "harness/check/check.hpp"
#include "harness/kernels/registry.hpp"
#include "harness/sweep/result.hpp"
#include "harness/tests/bad_kernels.hpp"
#include "harness/tests/io_test_files.hpp"

namespace normcheck {
namespace {

SweepSubject subject_of(const char* kernel, const char* words, int64_t cols, bool symmetric = true) {
    return make_subject(*find_kernel(kernel), words, cols, symmetric);
}

SweepState swept(const SweepSubject& subject, PlaceRange range, const SweepOptions& options = {}) {
    SweepState state(range);
    EXPECT_FALSE(run_sweep(subject, state, options));
    return state;
}

SweepState swept_whole(const SweepSubject& subject) {
    return swept(subject, {0, run_rows(subject.identity.domain)}, {.threads = 2});
}

Tally without_counts_of_run(Tally tally) {
    tally.run = {};
    tally.failing.clear();
    return tally;
}

TEST(Sweep, is_the_same_on_any_number_of_threads_and_in_any_steps) {
    const SweepSubject subject = subject_of("cpu/rms", "x=f16 eps_at=outside", 2);
    const PlaceRange range{123'456'789, 123'456'789 + 100'000};
    const SweepState one = swept(subject, range);
    EXPECT_EQ(one.done, range.end);
    EXPECT_EQ(total(one.tally.run), range.size());
    EXPECT_GT(count(one.tally.run, RowClass::fail), failing_kept);
    EXPECT_EQ(one.tally.failing.size(), failing_kept);
    for (const int threads : {2, 3})
        for (const double seconds : {0.0, 0.01, 100.0})
            EXPECT_EQ(swept(subject, range, {.threads = threads, .step_seconds = seconds}), one);
}

TEST(Sweep, can_be_stopped_after_any_step_and_goes_on_from_there) {
    const SweepSubject subject = subject_of("cpu/layer_two_pass", "x=bf16", 2);
    const PlaceRange range{0, 100'000};
    SweepState state(range);
    SweepOptions one_step{.threads = 2, .step_seconds = 0, .go_on = [](const SweepState&) { return false; }};
    int steps = 0;
    for (; !state.is_complete(); ++steps) {
        EXPECT_FALSE(run_sweep(subject, state, one_step));
        EXPECT_EQ(total(state.tally.run), state.done - range.first);
    }
    EXPECT_GT(steps, 2);
    EXPECT_EQ(state, swept(subject, range));
}

TEST(Sweep, its_parts_merge_to_the_whole_in_any_order) {
    const SweepSubject subject = subject_of("cpu/rms_f64", "x=bf16", 1);
    const SweepState whole = swept_whole(subject);
    EXPECT_EQ(total(whole.tally.rows), 65'536U);
    Tally joined;
    for (const uint64_t number : {5, 2, 7, 1, 3, 6, 4})
        merge(joined, swept(subject, shard(subject.identity.domain, number, 7)).tally);
    EXPECT_EQ(joined, whole.tally);
}

TEST(Sweep, with_and_without_symmetry_agrees_in_all_counts_of_the_domain) {
    for (const char* kernel : {"cpu/rms", "cpu/layer_folded", "cpu/add_rms_rounded"})
        for (const char* words : {"x=f16", "x=bf16 eps=1e-3", "x=f16 eps_at=max_std"}) {
            const SweepState folded = swept_whole(subject_of(kernel, words, 1));
            const SweepState whole = swept_whole(subject_of(kernel, words, 1, false));
            EXPECT_EQ(folded.tally.run[0] * 2, whole.tally.run[0]);
            EXPECT_EQ(without_counts_of_run(folded.tally), without_counts_of_run(whole.tally))
                << kernel << ' ' << words;
        }
}

/// A block of first codes a, b, ... below 2^15 and seconds among them, with all that swapping and negating makes of it.
Tally square_block(const SweepSubject& subject, uint64_t side) {
    std::vector<uint16_t> x;
    const auto add = [&](uint64_t a, uint64_t b) {
        x.insert(x.end(), {static_cast<uint16_t>(a), static_cast<uint16_t>(b)});
    };
    const bool folded = subject.identity.domain.symmetry.swap;
    for (const uint64_t sign : {uint64_t{0}, uint64_t{0x8000}})
        for (uint64_t a = 0; a < side; ++a)
            for (const uint64_t other : {uint64_t{0}, uint64_t{0x8000}})
                for (uint64_t b = 0; b < side; ++b)
                    if (!folded || (sign == 0 && b >= a)) add(a | sign, b | other);
    const int64_t rows = std::ssize(x) / 2;
    std::vector<uint16_t> y(x.size());
    std::vector<uint8_t> weights;
    for (int64_t row = 0; row < rows; ++row)
        weights.push_back(folded ? (x[2 * row] == (x[2 * row + 1] & 0x7fff) ? 2 : 4) : 1);
    nc_call call{};
    call.x = {x.data(), {rows, 2}, {2, 1}, NC_F16, {NC_CPU, 0}};
    call.y = {y.data(), {rows, 2}, {2, 1}, NC_F16, {NC_CPU, 0}};
    call.eps = subject.identity.contract.eps.value;
    call.threads = 1;
    EXPECT_EQ(subject.kernel->run(&call), nullptr);
    BlockVerdicts verdicts(rows);
    BlockJudge(subject.identity.contract, 2).judge({x.data(), y.data(), rows}, {}, verdicts);
    Tally tally;
    add_block(tally, {subject.identity.domain, x.data(), weights.data(), verdicts, rows});
    return tally;
}

TEST(Sweep, pairs_with_and_without_symmetry_agree_in_all_counts_of_the_domain) {
    for (const char* words : {"x=f16", "x=f16 eps_at=outside"}) {
        const Tally folded = square_block(subject_of("cpu/layer_two_pass", words, 2), 150);
        const Tally whole = square_block(subject_of("cpu/layer_two_pass", words, 2, false), 150);
        EXPECT_EQ(total(whole.run), 4U * 150 * 150);
        EXPECT_LT(total(folded.run), total(whole.run) / 3);
        EXPECT_EQ(without_counts_of_run(folded), without_counts_of_run(whole));
    }
}

RowClass class_of(const RowResult& row) {
    if (row.verdict == Verdict::fail) return RowClass::fail;
    if (row.verdict == Verdict::outside) return RowClass::outside;
    if (row.verdict == Verdict::doubtful) return RowClass::doubtful;
    if (row.regime == Regime::special) return RowClass::special;
    return row.correctly_rounded == row.outputs ? RowClass::rounded : RowClass::admissible;
}

/// The classes and the largest row error of the range, each row as a case of its own.
Tally run_one_by_one(const SweepSubject& subject, PlaceRange range) {
    Tally tally;
    for (uint64_t place = range.first; place < range.end; ++place) {
        uint16_t x[2];
        uint8_t weight = 0;
        write_rows(subject.identity.domain, place, 1, x, &weight);
        const Case c = parse_case(case_line(subject.identity, row_index(subject.identity.domain, x, 0)));
        const RowResult row = check_case(*subject.kernel, c).rows.at(0);
        ++tally.run[static_cast<size_t>(class_of(row))];
        if (row.verdict == Verdict::pass || row.verdict == Verdict::fail)
            tally.row_error.value = std::max(tally.row_error.value, row.row_error.value_or(-1));
    }
    return tally;
}

TEST(Sweep, agrees_with_cases_that_are_run_one_by_one) {
    const SweepSubject subject = subject_of("cpu/layer_two_pass", "x=f16 eps_at=outside", 2);
    const auto expect_agreement = [&](PlaceRange range, RowClass held) {
        const Tally tally = swept(subject, range).tally, cases = run_one_by_one(subject, range);
        EXPECT_EQ(tally.run, cases.run);
        EXPECT_EQ(tally.row_error.value, cases.row_error.value);
        EXPECT_GT(count(tally.run, held), 0U) << name(held);
    };
    expect_agreement({1'000, 1'500}, RowClass::fail);
    expect_agreement({31'500, 32'000}, RowClass::special);
}

TEST(Sweep, its_witnesses_are_cases_that_show_the_same) {
    const SweepSubject subject = subject_of("cpu/add_rms_rounded", "x=f16 eps_at=outside", 1);
    const Tally tally = swept_whole(subject).tally;
    const Case worst = parse_case(case_line(subject.identity, tally.row_error.index));
    EXPECT_EQ(check_case(*subject.kernel, worst).rows.at(0).row_error, tally.row_error.value);
    ASSERT_FALSE(tally.failing.empty());
    EXPECT_EQ(tally.failing[0], tally.first[static_cast<size_t>(RowClass::fail)]);
    for (const uint64_t index : tally.failing)
        EXPECT_EQ(check_case(*subject.kernel, parse_case(case_line(subject.identity, index))).rows.at(0).verdict,
                  Verdict::fail);
}

TEST(Sweep, every_correct_kernel_passes_every_pattern_of_both_short_formats) {
    for (const nc_kernel* kernel : built_in_kernels())
        for (const char* words : {"x=f16", "x=bf16"}) {
            const SweepSubject subject = make_subject(*kernel, words, 1, true);
            const SweepResult result{subject.identity, swept_whole(subject)};
            EXPECT_EQ(verdict(result), Verdict::pass) << kernel->name << ' ' << words;
            EXPECT_EQ(total(result.state.tally.rows), 65'536U);
        }
}

BlockFault fault_of(const nc_kernel& kernel) {
    const SweepSubject subject = make_subject(kernel, "x=f32", 1, false);
    SweepState state({1000, 50'000});
    const auto fault = run_sweep(subject, state, {.threads = 2});
    EXPECT_TRUE(fault) << kernel.name;
    EXPECT_EQ(state, SweepState({1000, 50'000})) << kernel.name;
    return fault.value_or(BlockFault{});
}

TEST(Sweep, a_kernel_that_breaks_a_rule_ends_it) {
    const std::pair<const nc_kernel*, const char*> broken[] = {
        {&past_row_kernel, "beside y"},       {&before_row_kernel, "beside y"},
        {&changes_x_kernel, "x was changed"}, {&leaves_y_kernel, "y[0] of the row was not written"},
        {&flushing_kernel, "flush-to-zero"},  {&rounding_kernel, "rounding direction"},
        {&throwing_kernel, "out of paper"}};
    for (const auto& [kernel, reason] : broken) {
        const BlockFault fault = fault_of(*kernel);
        EXPECT_FALSE(fault.refused);
        EXPECT_TRUE(contains(fault.reason, reason)) << kernel->name << ": " << fault.reason;
    }
    const BlockFault refusal = fault_of(refusing_kernel);
    EXPECT_TRUE(refusal.refused);
    EXPECT_EQ(refusal.reason, "it is Sunday");
}

TEST(Sweep, wrong_values_are_rows_that_fail) {
    const SweepSubject honest = make_subject(honest_kernel, "x=f32", 1, false);
    const SweepSubject swallowing = make_subject(nan_swallowing_kernel, "x=f32", 1, false);
    const PlaceRange nans{0x7f800000 - 100, 0x7f800000 + 100};
    EXPECT_EQ(count(swept(honest, nans).tally.run, RowClass::special), 100U);
    EXPECT_EQ(count(swept(swallowing, nans).tally.run, RowClass::fail), 100U);
    EXPECT_EQ(swept(swallowing, nans).tally.failing[0], 0x7f800000U);
}

/// Returns x, NaNs as they are: what it leaves behind may be any bits.
const char* run_copying(const nc_call* call) {
    const auto* x = static_cast<const uint16_t*>(call->x.data);
    std::copy(x, x + call->x.shape[0], static_cast<uint16_t*>(call->y.data));
    return nullptr;
}

TEST(Sweep, a_kernel_that_copies_nans_is_not_taken_for_one_that_writes_nothing) {
    const nc_kernel copying{"test/copying", "rms", "", 1U << NC_F16, run_copying};
    const SweepState state = swept(make_subject(copying, "x=f16", 1, false), {0, 65'536});
    EXPECT_EQ(total(state.tally.run), 65'536U);
}

TEST(Sweep, refuses_a_format_that_the_kernel_does_not_take) {
    EXPECT_TRUE(contains(refusal([] { make_subject(honest_kernel, "x=f16", 1, true); }), "does not take x in f16"));
    EXPECT_TRUE(contains(refusal([] { subject_of("cpu/rms", "x=f16 eps_at=everywhere", 1); }), "everywhere"));
}

}  // namespace
}  // namespace normcheck
