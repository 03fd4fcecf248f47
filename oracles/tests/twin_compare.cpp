// The comparison of the exact oracle with its MPFR twin.
#include "oracles/tests/twin_compare.hpp"

#include <fmt/format.h>

#include "oracles/error.hpp"
#include "oracles/exact.hpp"
#include "oracles/tests/mpfr_interval.hpp"
#include "oracles/tests/twin_rounds.hpp"

namespace normcheck::twin {
namespace {

constexpr size_t stories_kept = 20;
constexpr uint64_t rows_per_round = 2048;

constexpr RoundingMode modes[] = {RoundingMode::nearest_even, RoundingMode::down, RoundingMode::up};
constexpr const char* mode_names[] = {"nearest", "down", "up"};

/// Which output of a row, as a story names it.
struct Label {
    const char* output;
    int64_t index = 0;
    RoundingMode mode = RoundingMode::nearest_even;
};

/// Zeros are equal whatever their sign, and so are all NaNs.
bool same(FormatId format, uint64_t a, uint64_t b) {
    const uint64_t magnitudes = ~sign_bit(format);
    if ((a & magnitudes) > inf_code(format) && (b & magnitudes) > inf_code(format)) return true;
    return a == b || ((a | b) & magnitudes) == 0;
}

std::string group_of(const Contract& contract) {
    return fmt::format("{:<5}{}", format(contract.x).name, name(contract.eps_at));
}

std::string story(const TwinRow& row, const Label& label, uint64_t twin, uint64_t exact) {
    return fmt::format("row {} ({}, cols {}), {}[{}] {}: twin {:x}, exact {:x}; contract: {}", row.index, row.family,
                       row.x.size(), label.output, label.index, mode_names[static_cast<size_t>(label.mode)], twin,
                       exact, print(row.contract));
}

void count(Tally& tally, const TwinRow& row, const Label& label, FormatId format, uint64_t twin, uint64_t exact) {
    ++tally.total.outputs;
    if (same(format, twin, exact)) return;
    ++tally.total.disagreements;
    if (tally.stories.size() < stories_kept) tally.stories.push_back(story(row, label, twin, exact));
}

void compare_elements(Tally& tally, const TwinRow& row, const MpfrTwin& twin, const ExactRow& exact) {
    const Contract& contract = row.contract;
    for (int64_t i = 0; i < static_cast<int64_t>(row.x.size()); ++i) {
        if (!twin.finite_at(i)) {
            ++tally.unbounded_elements;
            continue;
        }
        const Roundings y = twin.y(i);
        for (RoundingMode mode : modes)
            count(tally, row, {"y", i, mode}, contract.y, y[static_cast<size_t>(mode)], exact.y(i, mode));
        if (contract.residual != Residual::none)
            count(tally, row, {"residual_out", i}, contract.x, twin.residual_out(i), exact.residual_out(i));
    }
}

void compare_statistics(Tally& tally, const TwinRow& row, const MpfrTwin& twin, const ExactRow& exact) {
    const FormatId format = row.contract.stats;
    const Roundings mean = twin.mean();
    const Roundings rstd = twin.rstd();
    for (RoundingMode mode : modes) {
        count(tally, row, {"mean", 0, mode}, format, mean[static_cast<size_t>(mode)], exact.mean(mode));
        count(tally, row, {"rstd", 0, mode}, format, rstd[static_cast<size_t>(mode)], exact.rstd(mode));
    }
}

ExactRow exact_row(const TwinRow& row) {
    const Inputs inputs = row.inputs();
    return ExactRow(row.contract, inputs.cols, inputs.x, inputs.residual, inputs.gamma, inputs.beta);
}

bool exact_refuses(const TwinRow& row) {
    try {
        exact_row(row);
        return false;
    } catch (const InternalError&) {
        return true;
    }
}

void compare_defined(Tally& tally, const TwinRow& row, const MpfrTwin& twin) {
    const ExactRow exact = exact_row(row);
    compare_elements(tally, row, twin, exact);
    compare_statistics(tally, row, twin, exact);
    tally.last_precision_rows = twin.precision_used() > 512;
}

void compare_into(Tally& tally, const TwinRow& row) {
    const MpfrTwin twin(row.contract, row.inputs());
    if (!twin.defined()) {
        tally.undefined_rows = 1;
        count(tally, row, {"denominator is 0"}, FormatId::f32, 1, exact_refuses(row) ? 1 : 0);
    } else if (!twin.finite()) {
        tally.unbounded_rows = 1;
    } else {
        compare_defined(tally, row, twin);
    }
}

/// Both oracles must take every row that is compared, so an exception counts as a disagreement.
void compare_guarded(Tally& tally, const TwinRow& row) {
    try {
        compare_into(tally, row);
    } catch (const InternalError& error) {
        ++tally.total.outputs;
        ++tally.total.disagreements;
        tally.stories.push_back(fmt::format("row {} ({}, cols {}): {}; contract: {}", row.index, row.family,
                                            row.x.size(), error.what(), print(row.contract)));
    }
}

void add(Count& total, const Count& part) {
    total.outputs += part.outputs;
    total.disagreements += part.disagreements;
}

}  // namespace

Tally compare_row(uint64_t seed, uint64_t index) {
    const TwinRow row = twin_row(seed, index);
    Tally tally;
    tally.rows = 1;
    compare_guarded(tally, row);
    tally.by_group[group_of(row.contract)] = tally.total;
    tally.by_family[row.family] = tally.total;
    return tally;
}

void add(Tally& total, const Tally& part) {
    for (const auto& [group, part_count] : part.by_group) add(total.by_group[group], part_count);
    for (const auto& [family, part_count] : part.by_family) add(total.by_family[family], part_count);
    add(total.total, part.total);
    total.rows += part.rows;
    total.undefined_rows += part.undefined_rows;
    total.unbounded_rows += part.unbounded_rows;
    total.unbounded_elements += part.unbounded_elements;
    total.last_precision_rows += part.last_precision_rows;
    for (const std::string& text : part.stories)
        if (total.stories.size() < stories_kept) total.stories.push_back(text);
}

Tally compare_rows(uint64_t seed, uint64_t first, int64_t outputs, int threads, void (*progress)(const Tally&)) {
    Tally total;
    for (uint64_t row = first; total.total.outputs < outputs; row += rows_per_round) {
        add(total, compare_round<Tally>(row, rows_per_round, threads,
                                        [seed](uint64_t index) { return compare_row(seed, index); }));
        if (progress) progress(total);
    }
    return total;
}

}  // namespace normcheck::twin
