// The order of the steps, and what is judged of the row as a whole.
#include <cmath>

#include "oracles/certified/certified_row.hpp"
#include "oracles/error.hpp"

namespace normcheck::certified {

const ExactSide::Made& ExactSide::made() {
    if (made_) return *made_;
    made_ = std::make_unique<Made>();
    made_->row = read_row(state_.contract, state_.cols, inputs_);
    made_->program = row_program(state_.contract, made_->row.sums, made_->row.loss, {});
    require(!made_->program.scenarios.empty() && !made_->program.search, "the exact oracle takes another way");
    made_->elements.emplace(state_, made_->row, made_->program.scenarios[0]);
    return *made_;
}

bool ExactSide::admits_statistic(uint64_t got, bool is_mean) {
    const Made& exact = made();
    const Format& stats = format(state_.contract.stats);
    if (is_mean)
        return statistic_is_admissible<Exact>(
            stats, got, exact.program.scenarios, [](const Scenario& s) { return mean_stretch(s); },
            [&](const Scenario& s) { return s.loss.mean_error + exact.row.loss.mean; });
    return statistic_is_admissible<Exact>(
        stats, got, exact.program.scenarios, [](const Scenario& s) { return rstd_stretch(s); },
        [](const Scenario& s) { return rstd_loss(s); });
}

// False where the row holds NaN or Inf, or a sum that is no double.
bool CertifiedRow::read() {
    const bool adds = contract_.residual != Residual::none && inputs_.residual != nullptr;
    if (!adds && contract_.subnormals != Subnormals::flush_both) {
        facts_ = read_facts(state_, inputs_.x, n_);
        return !facts_.special;
    }
    row_ = read_elements(contract_, n_, inputs_);
    if (!row_->special.empty() || row_->sum_left_range) return false;
    read_input_loss(contract_, *row_);
    Scratch& buffers = scratch();
    buffers.resize(n_);
    for (int64_t i = 0; i < n_; ++i) {
        if (row_->s[i].lo != 0) return false;
        buffers.x[i] = row_->s[i].hi;
    }
    for (const Upper& error : row_->input_loss) input_loss_.emplace_back(error.value);
    loss_ = {Bound(row_->loss.mean.value), Bound(row_->loss.root_mean_square.value)};
    facts_ = facts_of(state_, n_);
    return !facts_.special;
}

std::optional<RowResult> CertifiedRow::run() {
    if (!read()) return std::nullopt;
    result_.outputs = n_;
    result_.short_row = n_ < 4;
    const BasicRowProgram<Certified> program = row_program(contract_, facts_.sums, loss_, {});
    spread_ = program.spread;
    if (contract_.has_f64()) {
        wide_ = wide_statistics(contract_, values());
        if (!wide_) return std::nullopt;
    }
    if (const char* why = outside_reason<Certified>(state_, facts_.sums, program)) {
        place(0, 0);
        result_.verdict = Verdict::outside;
        result_.reason = why;
        return result_;
    }
    const NearScenario& scenario = program.scenarios[0];
    const NearElements elements = elements_of(scenario);
    judge_elements(elements, scenario);
    try_other_scenarios(program);
    judge_statistics(program);
    if (row_ && !residual_out_is_right(contract_, *row_, outputs_)) fail(-1, wrong_residual_out);
    if (result_.verdict == Verdict::pass) judge_proof(elements, scenario);
    result_.undecided = handed_over_count_;
    return std::move(result_);
}

// Whether a row that passes proves anything, and whether it is likely.
void CertifiedRow::judge_proof(const NearElements& elements, const NearScenario& scenario) {
    if (is_trivial<Certified>(state_, elements.program(), scenario.loss)) {
        result_.verdict = Verdict::doubtful;
        result_.reason = trivial_reason;
    } else if (options_.random_fill) {
        ask_probability();
    }
}

NearElements CertifiedRow::elements_of(const NearScenario& scenario) const {
    NearElements elements(state_, scenario, values(), input_loss_);
    if (wide_) elements.program().widen(&*wide_);
    return elements;
}

void CertifiedRow::fail(int64_t i, const char* reason) {
    ++result_.inadmissible;
    if (result_.verdict == Verdict::fail) return;
    result_.verdict = Verdict::fail;
    result_.failing = i;
    result_.reason = reason;
}

void CertifiedRow::hand_over(int64_t i) {
    if (handed_over_.empty()) handed_over_.resize(static_cast<size_t>(state_.cols));
    char& is_handed_over = handed_over_[static_cast<size_t>(i)];
    handed_over_count_ += is_handed_over == 0;
    is_handed_over = 1;
}

// log2 of the ratio as the exact oracle states it, and the regime by it.
void CertifiedRow::place(double largest_y, double doubt) {
    const NearSums& sums = facts_.sums;
    const Near spread = spread_;
    const bool has_eps = contract_.eps.value > 0 && contract_.eps_at != EpsAt::none;
    double low = 0, high = 0;
    if (sign(spread) == 0) {
        low = high = has_eps ? -HUGE_VAL : 0;
    } else if (!has_eps) {
        low = high = HUGE_VAL;
    } else {
        const auto n = static_cast<double>(sums.n);
        const double ratio = (spread.lo / n / n + (spread.hi - spread.lo) / n / n / 2) / contract_.eps.value;
        const double middle = std::log2(ratio);
        if (!std::isfinite(middle) || !(spread.lo > 0x1p-900) || !(ratio > 0x1p-900)) throw Undecided{};
        const double off = 1.5 * (spread.hi - spread.lo) / spread.lo + 0x1p-40;
        low = middle - off;
        high = middle + off;
    }
    result_.log2_ratio = stated_log2(low);
    if (stated_log2(high) != result_.log2_ratio) throw Undecided{};
    const double smallest_y = power_of_two(y_.min_exponent());
    const double smallest_x = power_of_two(format(contract_.x).min_exponent());
    if (largest_y - doubt < smallest_y && (largest_y + doubt >= smallest_y || (largest_y - doubt <= 0 && doubt > 0)))
        throw Undecided{};
    const bool subnormal = (sums.largest > 0 && sums.largest < smallest_x) || (largest_y > 0 && largest_y < smallest_y);
    const auto offset = [&] { return contract_.norm == Norm::layer && spread * Near(0x1p16) < sums.sum * sums.sum; };
    const auto exceeds = [&](double limit) {
        if (low > limit) return true;
        if (high <= limit) return false;
        throw Undecided{};
    };
    if (square_leaves_range(contract_, sums.largest))
        result_.regime = Regime::extreme;
    else if (subnormal)
        result_.regime = Regime::subnormal;
    else if (offset())
        result_.regime = Regime::offset;
    else if (!has_eps || exceeds(10))
        result_.regime = Regime::ordinary;
    else
        result_.regime = exceeds(-10) || (low == -10 && high == -10) ? Regime::transition : Regime::eps_dominated;
}

void CertifiedRow::judge_elements(const NearElements& elements, const NearScenario& scenario) {
    by_vectors_ = vector_pass(elements, scenario);
    if (!by_vectors_) one_by_one(elements);
    settle();
    place(largest_y_.high, largest_y_.high - largest_y_.low);
}

bool CertifiedRow::all_admissible(const BasicRowProgram<Certified>& program, size_t scenario) {
    const NearElements elements = elements_of(program.scenarios[scenario]);
    for (int64_t i = 0; i < n_; ++i) {
        if (has_special_parameter(i)) continue;
        if (is_nan(y_, got(i)) || !elements.admissible(i, rank(y_, got(i)))) return false;
    }
    return true;
}

void CertifiedRow::try_other_scenarios(const BasicRowProgram<Certified>& program) {
    for (size_t k = 1; k < program.scenarios.size() && result_.verdict == Verdict::fail && !special_failed_; ++k) {
        if (!all_admissible(program, k)) continue;
        result_.verdict = Verdict::pass;
        result_.reason.clear();
        result_.failing = -1;
        result_.inadmissible = 0;
    }
}

// A statistic in a format that the enclosure is too wide for is the exact oracle's, the rest of the row is not.
void CertifiedRow::judge_statistics(const BasicRowProgram<Certified>& program) {
    const Format& stats = format(contract_.stats);
    std::optional<WideStatistics> wide = wide_;
    if (!wide && stats.id == FormatId::f64 && !contract_.stores_any() && (outputs_.mean || outputs_.rstd))
        wide = wide_statistics(contract_, values());
    const auto near_mean = [](const NearScenario& s) { return mean_stretch(s); };
    const auto near_rstd = [](const NearScenario& s) { return rstd_stretch(s); };
    const auto mean_loss = [&](const NearScenario& s) { return s.loss.mean_error + loss_.mean; };
    const auto near_loss = [](const NearScenario& s) { return rstd_loss(s); };
    const auto admits = [&](uint64_t got, auto stretch, auto loss, bool is_mean) {
        try {
            if (is_near_statistic(got, stretch(program.scenarios[0]), loss(program.scenarios[0]))) return true;
            if (wide) return wide_admits(*wide, got, is_mean, loss(program.scenarios[0]));
            if (stats.id != FormatId::f64)
                return statistic_is_admissible<Certified>(stats, got, program.scenarios, stretch, loss);
        } catch (const Undecided&) {
        }
        return exact_.admits_statistic(got, is_mean);
    };
    if (outputs_.mean && contract_.norm == Norm::layer && !admits(*outputs_.mean, near_mean, mean_loss, true))
        fail(-1, wrong_mean);
    if (outputs_.rstd && !admits(*outputs_.rstd, near_rstd, near_loss, false)) fail(-1, wrong_rstd);
}

// Whether the value lies so near that no rounding matters: within the loss of the statistic itself.
bool CertifiedRow::is_near_statistic(uint64_t got, const BasicStretch<Near>& stretch, Bound loss) const {
    const Format& stats = format(contract_.stats);
    if (!is_finite(stats, got)) return false;
    const Near off = stretch.numerator / (sqrt(stretch.radicand) + stretch.offset) + stretch.addend -
                     Near(decode_double(stats, got));
    return off.lo > -loss.low() && off.hi < loss.low();
}

// Where nothing is stored there is one scenario, whose statistics are the wide ones.
bool CertifiedRow::wide_admits(const WideStatistics& wide, uint64_t got, bool is_mean, Bound loss) const {
    const Format& stats = format(contract_.stats);
    if (is_nan(stats, got)) return false;
    const DoubleDouble& value = is_mean ? wide.mean : wide.rstd;
    const double known = is_mean ? wide.mean_error : wide.rstd_relative * std::fabs(value.hi) * 1.01;
    if (is_finite(stats, got) && is_within(decode_double(stats, got), {value.hi, value.lo, known}, loss.low()))
        return true;
    const double half_width = loss.high();
    if (!std::isfinite(half_width)) throw Undecided{};
    const Approximation near{value.hi, value.lo, known + (half_width - loss.low()) * near_detail::grow};
    const auto lowest = quick_rank(stats, near, -half_width), highest = quick_rank(stats, near, half_width);
    if (!lowest || !highest) throw Undecided{};
    return *lowest <= rank(stats, got) && rank(stats, got) <= *highest;
}

void CertifiedRow::ask_probability() {
    if (result_.correctly_rounded == n_ || n_ < shortest_probable) return;
    const BasicRowProgram<Certified> probable = row_program(contract_, facts_.sums, loss_, {.probabilistic = true});
    if (probable.scenarios.empty()) return;
    for (size_t k = 0; k < probable.scenarios.size(); ++k) {
        if (k == 0 && wide_of_pass_) {
            const NearElements elements = elements_of(probable.scenarios[0]);
            if (slack_of_pass_ < kept_share(task(elements, probable.scenarios[0]), task_)) return;
        }
        if (all_admissible(probable, k)) return;
    }
    result_.verdict = Verdict::suspect;
    result_.reason = suspect_reason;
    for (int64_t i = 0; i < n_ && result_.failing < 0; ++i)
        if (!has_special_parameter(i) && exact_.elements().target(i).rank != rank(y_, got(i))) result_.failing = i;
}

// Stored statistics are points of their formats, which f64's arithmetic does not look for.
bool covers(const JudgeState& state) {
    return !(state.contract.has_f64() && state.contract.stores_any());
}

std::optional<RowResult> judge(const JudgeState& state, const RowInputs& inputs, const RowOutputs& outputs,
                               const JudgeOptions& options) {
    try {
        return CertifiedRow(state, inputs, outputs, options).run();
    } catch (const Undecided&) {
        return std::nullopt;
    }
}

}  // namespace normcheck::certified
