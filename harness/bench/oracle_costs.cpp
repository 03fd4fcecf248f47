// Sets up the subjects, times all of them together, and holds the results to the targets.
#include "harness/bench/oracle_costs.hpp"

#include <fmt/format.h>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr FormatId formats[] = {FormatId::f32, FormatId::bf16, FormatId::f64};
constexpr Norm norms[] = {Norm::rms, Norm::layer};
constexpr int64_t widths[] = {64, 768, 4096};

constexpr double largest_certified_per_plain = 3;
constexpr double smallest_mpfr_per_certified = 200;
constexpr double largest_undecided_share = 1e-4;

std::vector<OracleSetting> settings() {
    std::vector<OracleSetting> result;
    for (const bool last : {false, true})
        for (const Norm norm : norms)
            for (const FormatId id : formats)
                for (const int64_t cols : widths)
                    if ((id == FormatId::f64) == last) result.push_back({norm, id, cols});
    return result;
}

/// One timed piece: a competitor on a subject.
struct Piece {
    size_t subject;
    Competitor competitor;
};

std::vector<Piece> pieces_of(std::span<const OracleSubject> subjects) {
    std::vector<Piece> pieces;
    for (size_t i = 0; i < subjects.size(); ++i)
        for (int competitor = 0; competitor < competitor_count; ++competitor)
            if (subjects[i].has(static_cast<Competitor>(competitor)))
                pieces.push_back({i, static_cast<Competitor>(competitor)});
    return pieces;
}

void measure_times(std::span<OracleSubject> subjects, const MeasureOptions& options, std::span<OracleCosts> costs) {
    const std::vector<Piece> pieces = pieces_of(subjects);
    std::vector<Work> work;
    for (const Piece& piece : pieces)
        work.push_back([&subject = subjects[piece.subject], who = piece.competitor] { return subject.run(who); });
    const std::vector<Timing> timings = measure(work, options);
    for (size_t i = 0; i < pieces.size(); ++i) {
        const auto rows = static_cast<double>(subjects[pieces[i].subject].rows());
        costs[pieces[i].subject].per_row[static_cast<size_t>(pieces[i].competitor)] = divided(timings[i], rows);
    }
}

/// Rows beyond those that are timed, under further gammas and betas.
void count_undecided(const OracleBenchOptions& options, OracleCosts& costs) {
    for (uint64_t seed = options.seed; costs.judged < options.judged; ++seed) {
        const OracleSubject subject(costs.setting, seed);
        costs.judged += subject.rows() * costs.setting.cols;
        costs.undecided += subject.count_undecided();
    }
}

OracleCosts blank_costs(const OracleSetting& setting, const OracleSubject& subject) {
    return {setting, subject.described().kernel, print(subject.contract()), {}, 0, 0};
}

/// Keeps the worse of two values, with its setting.
void take_worse(OracleTarget& target, double value, bool is_worse, const OracleSetting& setting) {
    if (target.worst.cols != 0 && !is_worse) return;
    target.got = value;
    target.worst = setting;
}

bool is_wide_and_short(const OracleCosts& costs) {
    return costs.setting.format != FormatId::f64 && costs.setting.cols >= 768;
}

OracleTarget certified_target(std::span<const OracleCosts> costs) {
    OracleTarget target{"certified_per_plain",
                        "certified / plain at most 3 (f32, bf16; 768, 4096)",
                        largest_certified_per_plain,
                        0,
                        {},
                        false};
    for (const OracleCosts& one : costs) {
        const double ratio = one.ratio(Competitor::certified, Competitor::plain);
        if (is_wide_and_short(one)) take_worse(target, ratio, ratio > target.got, one.setting);
    }
    target.met = target.got <= target.wanted;
    return target;
}

OracleTarget mpfr_target(std::span<const OracleCosts> costs) {
    OracleTarget target{"mpfr_per_certified",
                        "MPFR / certified at least 200 (f32, bf16; 768, 4096)",
                        smallest_mpfr_per_certified,
                        0,
                        {},
                        false};
    for (const OracleCosts& one : costs) {
        const double ratio = one.ratio(Competitor::mpfr, Competitor::certified);
        if (is_wide_and_short(one)) take_worse(target, ratio, ratio < target.got, one.setting);
    }
    target.met = target.got >= target.wanted;
    return target;
}

OracleTarget undecided_target(std::span<const OracleCosts> costs) {
    OracleTarget target{
        "undecided_share", "handed to the exact oracle below 1e-4 (f32)", largest_undecided_share, 0, {}, false};
    for (const OracleCosts& one : costs) {
        const double share = static_cast<double>(one.undecided) / static_cast<double>(one.judged);
        if (one.setting.format == FormatId::f32) take_worse(target, share, share > target.got, one.setting);
    }
    target.met = target.got < target.wanted;
    return target;
}

}  // namespace

double OracleCosts::ratio(Competitor first, Competitor second) const {
    require(of(first).has_value() && of(second).has_value(), "both take part");
    return of(first)->seconds / of(second)->seconds;
}

std::vector<OracleCosts> measure_oracle_costs(const OracleBenchOptions& options) {
    std::vector<OracleSubject> subjects;
    std::vector<OracleCosts> costs;
    for (const OracleSetting& setting : settings()) {
        subjects.emplace_back(setting, options.seed);
        subjects.back().require_pass();
        costs.push_back(blank_costs(setting, subjects.back()));
    }
    measure_times(subjects, options.measure, costs);
    for (OracleCosts& one : costs) count_undecided(options, one);
    return costs;
}

std::vector<OracleTarget> oracle_targets(std::span<const OracleCosts> costs) {
    return {certified_target(costs), mpfr_target(costs), undecided_target(costs)};
}

std::string text_of(const OracleSetting& setting) {
    return fmt::format("{} {} {}", name(setting.norm), format(setting.format).name, setting.cols);
}

}  // namespace normcheck
