// One row under the certified oracle. Outputs are decided by vector passes where the contract rounds nothing on the way
// to y, one by one where it does; what is left goes to the exact oracle, element by element or as a whole row.
//
// Proof of the vector pass. With u = 2^-53, the exact c = s - mean = (s - centre) - rest, and rest, rstd enclosed by
// intervals of half widths r, R about their middles: the computed difference is off by u |s - centre| + u |c| + r, and
// |s - centre| <= |c| + |rest|; the products with rstd and gamma and the sum with beta add u of their results each, the
// enclosure of rstd R of it, and a gamma that is a pair u. Hence
//   |y - computed| <= |g| (doubt_0 + doubt_c |c|) + doubt_t |y|
// with doubt_0 = (u |rest| + r) rstd, doubt_c = (5 u + R / rstd) rstd, doubt_t = 2 u; the second u of y covers the
// subtraction got - y wherever it matters, at distances of an ulp. Second-order terms are covered by factors of 1.01.
#include "oracles/certified/row.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "oracles/certified/facts.hpp"
#include "oracles/error.hpp"

namespace normcheck::certified {
namespace {

constexpr double u = 0x1p-53;
constexpr double cancelled_share = 0x1p-8;

// An enclosure of a nonnegative maximum that is stated in the end.
struct Range {
    double low = 0;
    double high = 0;
    void raise(double l, double h) {
        low = std::max(low, l);
        high = std::max(high, h);
    }
    bool decided() const { return stated(low) == stated(high); }
};

// The exact oracle's view of the row, made when it is first asked.
class ExactSide {
  public:
    ExactSide(const JudgeState& state, const RowInputs& inputs) : state_(state), inputs_(inputs) {}

    const Elements& elements() {
        make();
        return *elements_;
    }

    bool admits_statistic(uint64_t got, bool is_mean) {
        make();
        const Format& stats = format(state_.contract.stats);
        if (is_mean)
            return statistic_is_admissible<Exact>(
                stats, got, program_.scenarios, [](const Scenario& s) { return mean_stretch(s); },
                [&](const Scenario& s) { return s.loss.mean_error + row_.loss.mean; });
        return statistic_is_admissible<Exact>(
            stats, got, program_.scenarios, [](const Scenario& s) { return rstd_stretch(s); },
            [](const Scenario& s) { return rstd_loss(s); });
    }

  private:
    void make() {
        if (elements_) return;
        row_ = read_row(state_.contract, state_.cols, inputs_);
        program_ = row_program(state_.contract, row_.sums, row_.loss, {});
        require(!program_.scenarios.empty() && !program_.search, "the exact oracle takes another way");
        elements_.emplace(state_, row_, program_.scenarios[0]);
    }

    const JudgeState& state_;
    const RowInputs& inputs_;
    Row row_;
    RowProgram program_;
    std::optional<Elements> elements_;
};

class CertifiedRow {
  public:
    CertifiedRow(const JudgeState& state, const RowInputs& inputs, const RowOutputs& outputs,
                 const JudgeOptions& options)
        : state_(state),
          contract_(state.contract),
          inputs_(inputs),
          outputs_(outputs),
          options_(options),
          y_(format(state.contract.y)),
          n_(state.cols),
          exact_(state, inputs) {}

    std::optional<RowResult> run();

  private:
    bool read();
    void place(double largest_y, double doubt);
    void judge_elements(const BasicRowProgram<Certified>& program);
    bool has_nan() const;
    bool vector_pass(const NearElements& elements, const NearScenario& scenario);
    ElementTask task(const NearElements& elements, const NearScenario& scenario);
    struct Again {
        double y = 0, error = 0, doubt = 0;
        double unit = 0, unit_high = 0;  // half an ulp at the lowest and the highest |y|
        bool correct = false, decided = false, counts = false;
    };
    Again again(const ElementTask& task, int64_t i) const;
    void resolve_rest(const NearElements& elements, const ElementTask& task);
    void one_by_one(const NearElements& elements);
    void measure_one(const NearElements& elements, int64_t i);
    void judge_inexact(const NearElements& elements, int64_t i);
    bool admissible(const NearElements& elements, int64_t i, int64_t got);
    void summarize(const NearElements& elements);
    void summarize_one_by_one();
    void find_worst();
    void settle();
    double exact_error(int64_t i);
    double exact_slack(int64_t i);
    void settle_elements();
    double highest_element_error(int64_t i) const;
    void settle_slack();
    void try_other_scenarios(const BasicRowProgram<Certified>& program);
    bool all_admissible(const BasicRowProgram<Certified>& program, size_t scenario);
    void judge_statistics(const BasicRowProgram<Certified>& program);
    void ask_probability();
    void fail(int64_t i, const char* reason);
    void hand_over(int64_t i);
    uint64_t got(int64_t i) const { return outputs_.y[i]; }
    double ulp(double value) const { return power_of_two(spacing_exponent(y_, value)); }
    std::span<const double> values() const { return {scratch().x.data(), static_cast<size_t>(n_)}; }
    NearElements elements_of(const NearScenario& scenario) const {
        return NearElements(state_, scenario, values(), input_loss_);
    }

    const JudgeState& state_;
    const Contract& contract_;
    const RowInputs& inputs_;
    const RowOutputs& outputs_;
    const JudgeOptions& options_;
    const Format& y_;
    int64_t n_;
    ExactSide exact_;

    Facts facts_;
    std::optional<Row> row_;  // where the elements are sums, or inputs may be flushed
    std::vector<Bound> input_loss_;
    BasicInputLoss<Certified> loss_;
    RowResult result_;
    Range absolute_, element_, slack_, largest_y_;
    std::vector<double> middle_;         // of each y, where they are looked at one by one
    std::vector<int64_t> inexact_;       // then those that are not rounded correctly
    std::vector<int64_t> handed_over_;   // elements that the exact oracle was asked about
    double terms_low_ = 0, terms_high_ = 0;
    bool by_vectors_ = false;
    bool wide_of_pass_ = false;  // every admissible output is so by the widths of the vector pass
    double slack_of_pass_ = 0;   // of the least widths
    ElementTask task_;
};

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
    if (const char* why = outside_reason<Certified>(state_, facts_.sums, program)) {
        place(0, 0);
        result_.verdict = Verdict::outside;
        result_.reason = why;
        return result_;
    }
    judge_elements(program);
    try_other_scenarios(program);
    judge_statistics(program);
    if (row_ && !residual_out_is_right(contract_, *row_, outputs_)) fail(-1, wrong_residual_out);
    result_.undecided = std::ssize(handed_over_);
    if (result_.verdict != Verdict::pass) return result_;
    if (is_trivial<Certified>(state_, elements_of(program.scenarios[0]).program(), program.scenarios[0].loss)) {
        result_.verdict = Verdict::doubtful;
        result_.reason = trivial_reason;
    } else if (options_.random_fill) {
        ask_probability();
    }
    result_.undecided = std::ssize(handed_over_);
    return result_;
}

void CertifiedRow::fail(int64_t i, const char* reason) {
    ++result_.inadmissible;
    if (result_.verdict == Verdict::fail) return;
    result_.verdict = Verdict::fail;
    result_.failing = i;
    result_.reason = reason;
}

void CertifiedRow::hand_over(int64_t i) {
    if (std::ranges::find(handed_over_, i) == handed_over_.end()) handed_over_.push_back(i);
}

// log2 of the ratio as the exact oracle states it, and the regime by it.
void CertifiedRow::place(double largest_y, double doubt) {
    const NearSums& sums = facts_.sums;
    const Near spread = exact_spread(contract_, sums);
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
    result_.log2_ratio = stated_log2(low) + 0.0;
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

void CertifiedRow::judge_elements(const BasicRowProgram<Certified>& program) {
    const NearElements elements = elements_of(program.scenarios[0]);
    by_vectors_ = vector_pass(elements, program.scenarios[0]);
    if (!by_vectors_) one_by_one(elements);
    settle();
    place(largest_y_.high, largest_y_.high - largest_y_.low);
}

ElementTask CertifiedRow::task(const NearElements& elements, const NearScenario& scenario) {
    const Parameters& parameters = state_.parameters;
    const Near rstd = elements.program().rstd();
    const double middle = rstd.lo / 2 + rstd.hi / 2;
    const double relative = (rstd.hi - rstd.lo) / rstd.lo;
    const Near rest = scenario.mean_rest;
    ElementTask task;
    task.centred = contract_.norm == Norm::layer;
    task.x = scratch().x.data();
    task.gamma = parameters.gamma.empty() ? nullptr : parameters.gamma_values.data();
    task.beta = parameters.beta.empty() ? nullptr : parameters.beta_values.data();
    task.got = packed(outputs_.y, contract_.y, n_, scratch().got_narrowed);
    task.n = n_;
    task.centre = scenario.mean_centre;
    task.rest = rest.lo / 2 + rest.hi / 2;
    task.rstd = middle;
    const double off_rest = u * std::fabs(task.rest) + (rest.hi - rest.lo);
    task.doubt_0 = off_rest * middle * 1.01;
    task.doubt_c = (5 * u + (parameters.gamma_is_pair ? u : 0) + relative) * middle * 1.01;
    task.doubt_t = 2 * u;
    if (task.centred && facts_.sums.constant) task.doubt_t = 0;  // y = b: nothing is rounded

    // What c may be at most: the row's largest distance from its mean.
    const double g = static_cast<double>(parameters.largest_gamma.value) * (1 + 0x1p-50);
    const double largest_c =
        task.centred ? 2.01 * facts_.sums.largest + std::fabs(scenario.mean_centre) * 0x1p-40 : facts_.sums.largest;
    const auto affine = elements.program().affine(Bound(g), Bound(largest_c));
    const double off_c = 1.01 * off_rest;
    task.width_c = affine.per_c.low() * (1 - 0x1p-48);
    task.width_x = affine.per_x.low() * (1 - 0x1p-48);
    task.width_0 = affine.base.low() * (1 - 0x1p-48) - affine.per_c.high() * off_c;
    task.width_b = affine.per_b.low() * (1 - 0x1p-48);
    task.width_more = (affine.more.high() + 2.1 * g * affine.per_c.high() * off_c) * 1.01;
    task.smallest_power = power_of_two(y_.min_exponent());
    task.half_unit = power_of_two(-y_.significand_bits);

    // The largest |g xhat| or |b|, from the passes over x.
    const double product = facts_.largest_product * middle;
    const double off_product = (g * off_rest * 1.01 + g * std::fabs(task.rest)) * middle +
                               product * (8 * u + relative) * 1.01;
    const auto b = static_cast<double>(parameters.largest_beta.value);
    const double largest_b = parameters.beta.empty() ? 0 : b;
    terms_low_ = std::max((product - off_product) * (1 - 0x1p-50), largest_b * (1 - 0x1p-50));
    terms_high_ = std::max((product + off_product) * (1 + 0x1p-50), largest_b * (1 + 0x1p-50));
    const double doubt = (g * task.doubt_0 + product * (task.doubt_c / middle) * 1.01 + 8 * u * terms_high_) * 2;
    task.cancelled_below = terms_low_ * cancelled_share - doubt;
    task.cancelled_above = terms_high_ * cancelled_share + doubt;
    task.error = scratch().error.data();
    task.doubt = scratch().doubt.data();
    return task;
}

bool CertifiedRow::has_nan() const {
    for (int64_t i = 0; i < n_; ++i)
        if (is_nan(y_, got(i))) return true;
    return false;
}

// False where the row has to be looked at one by one.
bool CertifiedRow::vector_pass(const NearElements& elements, const NearScenario& scenario) {
    if (!state_.places.empty() || scenario.shift || !input_loss_.empty()) return false;
    task_ = task(elements, scenario);
    const double top = decode_double(y_, y_.max_finite_code());
    const auto in_range = [](double a) { return a == 0 || (std::fabs(a) > 0x1p-400 && std::fabs(a) < 0x1p400); };
    if (!(terms_low_ > 0x1p-400) || !in_range(task_.rstd) || !in_range(task_.rest) || !in_range(terms_high_)) return false;
    const ElementPass pass = passes().elements(task_);
    if (pass.correct + pass.incorrect != n_ && has_nan()) return false;
    // Near the end of the range, and where the codes of f16 that mean Inf or NaN are read as numbers.
    if (!(pass.largest_y + pass.largest_error < top / 2)) return false;
    if (!pass.all_admissible || pass.surely_cancelled != pass.maybe_cancelled) return false;
    result_.correctly_rounded = pass.correct;
    result_.cancelled = pass.maybe_cancelled;
    const double g = static_cast<double>(state_.parameters.largest_gamma.value) * (1 + 0x1p-50);
    const bool is_exact = task_.centred && facts_.sums.constant;
    const double doubt =
        is_exact ? 0 : 1.1 * (g * task_.doubt_0 + terms_high_ * (task_.doubt_c / task_.rstd)) + 5 * u * terms_high_;
    largest_y_ = {std::max(0.0, pass.largest_y - doubt), pass.largest_y + doubt};
    absolute_ = {std::max(0.0, pass.largest_error - doubt) * (1 - 0x1p-50),
                 (pass.largest_error + doubt) * (1 + 0x1p-50)};
    element_ = {pass.element_low / 2, pass.element_high / 2};
    slack_ = {pass.slack_low, pass.slack_high};
    slack_of_pass_ = pass.slack_high;
    wide_of_pass_ = true;
    if (pass.correct + pass.incorrect != n_) resolve_rest(elements, task_);
    return true;
}

// What the vector pass made of one element, bit for bit.
CertifiedRow::Again CertifiedRow::again(const ElementTask& task, int64_t i) const {
    Again a;
    const double c = task.centred ? (task.x[i] - task.centre) - task.rest : task.x[i];
    a.y = c * task.rstd;
    if (task.gamma != nullptr) a.y *= task.gamma[i];
    if (task.beta != nullptr) a.y += task.beta[i];
    a.error = task.error[i];
    a.doubt = task.doubt[i];
    const double size = std::fabs(a.y);
    const auto unit = [&](double at) {
        return std::ldexp(task.half_unit, std::ilogb(std::max(at, task.smallest_power)));
    };
    a.unit = unit(size - a.doubt);
    a.unit_high = unit(size + a.doubt);
    const double beyond = a.error - a.unit;
    const double towards = std::copysign(1.0, a.y) * decode_double(y_, got(i));
    a.correct = beyond + a.doubt < 0;
    a.decided = a.correct || (beyond > a.doubt && towards >= a.unit / task.half_unit);
    a.counts = size >= task.cancelled_above;
    return a;
}

// Elements whose rounding the pass could not decide.
void CertifiedRow::resolve_rest(const NearElements& elements, const ElementTask& task) {
    middle_.clear();
    for (int64_t i = 0; i < n_; ++i) {
        if (again(task, i).decided) continue;
        inexact_.clear();
        measure_one(elements, i);
        if (inexact_.empty()) continue;
        judge_inexact(elements, i);
        wide_of_pass_ = false;
    }
}

void CertifiedRow::one_by_one(const NearElements& elements) {
    result_.correctly_rounded = result_.inadmissible = result_.cancelled = 0;
    absolute_ = element_ = slack_ = largest_y_ = {};
    inexact_.clear();
    scratch().resize(n_);
    middle_.assign(static_cast<size_t>(n_), 0);
    for (int64_t i = 0; i < n_; ++i) measure_one(elements, i);
    const std::vector<int64_t> inexact = inexact_;
    for (const int64_t i : inexact) judge_inexact(elements, i);
    summarize_one_by_one();
}

// The error of one output, and whether it is rounded correctly.
void CertifiedRow::measure_one(const NearElements& elements, int64_t i) {
    NearElements::Target target;
    const uint64_t code = got(i);
    double doubt = 0;
    try {
        target = elements.target(i);
        doubt = target.exact.error;
    } catch (const Undecided&) {
        hand_over(i);
        const Elements::Target exact = exact_.elements().target(i);
        target = {exact.held, exact.exact, exact.rank};
        doubt = std::fabs(exact.exact.hi) * 0x1p-100;
    }
    const double middle = target.exact.hi + target.exact.lo;
    if (!middle_.empty()) middle_[static_cast<size_t>(i)] = middle;
    Scratch& buffers = scratch();
    if (is_nan(y_, code)) {
        buffers.error[i] = HUGE_VAL;
        buffers.doubt[i] = 0;
        return fail(i, wrong_nan);
    }
    const double value = decode_double(y_, code);
    const double largest = decode_double(y_, y_.max_finite_code());
    const bool equal = rank(y_, code) == target.rank;
    if (equal)
        ++result_.correctly_rounded;
    else
        inexact_.push_back(i);
    const bool at_end = std::fabs(value) >= largest || !(std::fabs(target.exact.hi) + doubt < largest);
    if (at_end) throw Undecided{};
    buffers.error[i] = std::fabs((value - target.exact.hi) - target.exact.lo);
    buffers.doubt[i] = doubt * 1.01 + buffers.error[i] * 0x1p-51;
}

bool CertifiedRow::admissible(const NearElements& elements, int64_t i, int64_t got_rank) {
    try {
        return elements.admissible(i, got_rank);
    } catch (const Undecided&) {
        hand_over(i);
        return exact_.elements().admissible(i, got_rank);
    }
}

void CertifiedRow::judge_inexact(const NearElements& elements, int64_t i) {
    const bool is_admissible = admissible(elements, i, rank(y_, got(i)));
    if (!is_admissible) fail(i, wrong_y);
    const Scratch& buffers = scratch();
    const double error = buffers.error[i], doubt = buffers.doubt[i];
    const double value = decode_double(y_, got(i));
    const double y_size = std::max(std::fabs(value) - error, 0.0);
    const double largest_size = std::fabs(value) + error;
    const double middle = middle_.empty() ? 0 : std::fabs(middle_[static_cast<size_t>(i)]);
    const double low_size = middle_.empty() ? y_size : std::max(0.0, middle - doubt);
    const double high_size = middle_.empty() ? largest_size : middle + doubt;
    const double beyond_low = error - doubt * 1.01 - ulp(high_size) / 2;
    const double beyond_high = error + doubt * 1.01 - ulp(low_size) / 2;
    if (!(beyond_high > 0)) return;
    Bound width;
    try {
        width = elements.half_width(i);
    } catch (const Undecided&) {
        hand_over(i);
        width = Bound(exact_.elements().half_width(i).value);
    }
    if (width.high() == 0) {
        if (beyond_low > 0 && !is_admissible) slack_.raise(HUGE_VAL, HUGE_VAL);
        if (beyond_low <= 0) throw Undecided{};
        return;
    }
    if (width.low() == 0) throw Undecided{};
    slack_.raise(beyond_low / width.high() * (1 - 0x1p-50), beyond_high / width.low() * (1 + 0x1p-50));
}

void CertifiedRow::summarize_one_by_one() {
    const Scratch& buffers = scratch();
    Range terms;
    const std::vector<double>& beta = state_.parameters.beta;
    for (int64_t i = 0; i < n_; ++i) {
        const double b = beta.empty() ? 0 : beta[i];
        const double doubt = buffers.doubt[i] + (std::fabs(middle_[i]) + std::fabs(b)) * 0x1p-51;
        const double size = std::fabs(middle_[i]), product = std::fabs(middle_[i] - b);
        largest_y_.raise(std::max(0.0, size - doubt), middle_[i] == 0 && buffers.doubt[i] == 0 ? 0 : size + doubt);
        terms.raise(std::max(product - doubt, std::fabs(b)), std::max(product + doubt, std::fabs(b)));
        absolute_.raise(buffers.error[i] - buffers.doubt[i], buffers.error[i] + buffers.doubt[i]);
    }
    terms_low_ = terms.low;
    for (int64_t i = 0; i < n_; ++i) {
        const double size = std::fabs(middle_[i]);
        const double doubt = buffers.doubt[i];
        if (size + doubt < terms.low * cancelled_share) {
            ++result_.cancelled;
            continue;
        }
        if (size - doubt < terms.high * cancelled_share || size <= doubt) {
            if (size == 0 && doubt == 0 && terms.high == 0) continue;  // all outputs are exactly 0
            throw Undecided{};
        }
        element_.raise((buffers.error[i] - doubt) / ulp(size + doubt) * (1 - 0x1p-50),
                       (buffers.error[i] + doubt) / ulp(size - doubt) * (1 + 0x1p-50));
    }
}

// The exact oracle's own number.
double CertifiedRow::exact_error(int64_t i) {
    hand_over(i);
    const Approximation exact = exact_.elements().target(i).exact;
    return std::fabs((decode_double(y_, got(i)) - exact.hi) - exact.lo);
}

double CertifiedRow::exact_slack(int64_t i) {
    const Approximation exact = exact_.elements().target(i).exact;
    const double beyond = exact_error(i) - ulp(exact.hi + exact.lo) / 2;
    const Upper width = exact_.elements().half_width(i);
    return beyond > 0 && width.value > 0 ? static_cast<double>(beyond / width.value) : 0;
}

// The maxima as they are stated; where an enclosure straddles two, the elements that may attain it are asked exactly.
void CertifiedRow::settle() {
    const Scratch& buffers = scratch();
    if (!absolute_.decided()) {
        double largest = 0;
        const double limit = absolute_.low;
        for (int64_t i = 0; i < n_; ++i)
            if (buffers.error[i] + buffers.doubt[i] >= limit) largest = std::max(largest, exact_error(i));
        absolute_ = {largest, largest};
    }
    result_.absolute_error = stated(absolute_.low);
    find_worst();
    if (!element_.decided()) settle_elements();
    if (!slack_.decided()) settle_slack();
    result_.slack = stated(slack_.low);
    result_.element_error = stated(element_.low);
    if (largest_y_.high == 0) return;
    if (!(largest_y_.low > 0) || ulp(largest_y_.low) != ulp(largest_y_.high)) throw Undecided{};
    result_.row_error = result_.absolute_error / ulp(largest_y_.high);
}

// The first element whose stated error is the row's.
void CertifiedRow::find_worst() {
    if (result_.absolute_error == 0) return;
    const Scratch& buffers = scratch();
    const double limit = result_.absolute_error * (1 - 0x1p-10);  // below all that is stated as it
    const auto next = [&](int64_t i) {
        return passes().first_from(buffers.error.data(), buffers.doubt.data(), n_, i, limit);
    };
    for (int64_t i = next(0); i < n_; i = next(i + 1)) {
        const double low = stated(std::max(0.0, buffers.error[i] - buffers.doubt[i]));
        const double high = stated(buffers.error[i] + buffers.doubt[i]);
        if (high < result_.absolute_error) continue;
        if (low != high && stated(exact_error(i)) < result_.absolute_error) continue;
        result_.worst = i;
        return;
    }
}

// The same of elementwise errors and of the slack, whose elements the vector pass did not keep.
void CertifiedRow::settle_elements() {
    double largest = 0;
    for (int64_t i = 0; i < n_; ++i) {
        if (highest_element_error(i) < element_.low) continue;
        const Approximation exact = exact_.elements().target(i).exact;
        const double size = exact.hi + exact.lo;
        if (size != 0) largest = std::max(largest, exact_error(i) / ulp(size));
    }
    element_ = {largest, largest};
}

// At least the elementwise error; negative where the element is cancelled.
double CertifiedRow::highest_element_error(int64_t i) const {
    const Scratch& buffers = scratch();
    if (by_vectors_) {
        const Again a = again(task_, i);
        return a.counts ? (a.error + a.doubt) / a.unit / 2 * (1 + 0x1p-40) : -1;
    }
    const double size = std::fabs(middle_[static_cast<size_t>(i)]);
    const double doubt = buffers.doubt[i];
    if (size + doubt < terms_low_ * cancelled_share) return -1;
    return (buffers.error[i] + doubt) / ulp(std::max(0.0, size - doubt)) * (1 + 0x1p-40);
}

void CertifiedRow::settle_slack() {
    if (!by_vectors_) throw Undecided{};
    double largest = 0;
    for (int64_t i = 0; i < n_; ++i) {
        const Again a = again(task_, i);
        if (a.correct || !(a.error - a.unit + a.doubt > 0)) continue;
        const double c = task_.centred ? std::fabs((task_.x[i] - task_.centre) - task_.rest) : std::fabs(task_.x[i]);
        double width = task_.width_0 + task_.width_c * c + task_.width_x * std::fabs(task_.x[i]);
        if (task_.gamma != nullptr) width *= std::fabs(task_.gamma[i]);
        if (task_.beta != nullptr) width += task_.width_b * std::fabs(task_.beta[i]);
        if (width > 0 && (a.error - a.unit + a.doubt) / width * (1 + 0x1p-40) < slack_.low) continue;
        largest = std::max(largest, exact_slack(i));
    }
    slack_ = {largest, largest};
}

bool CertifiedRow::all_admissible(const BasicRowProgram<Certified>& program, size_t scenario) {
    const NearElements elements = elements_of(program.scenarios[scenario]);
    for (int64_t i = 0; i < n_; ++i)
        if (is_nan(y_, got(i)) || !elements.admissible(i, rank(y_, got(i)))) return false;
    return true;
}

void CertifiedRow::try_other_scenarios(const BasicRowProgram<Certified>& program) {
    for (size_t k = 1; k < program.scenarios.size() && result_.verdict == Verdict::fail; ++k) {
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
    const auto near_mean = [](const NearScenario& s) { return mean_stretch(s); };
    const auto near_rstd = [](const NearScenario& s) { return rstd_stretch(s); };
    const auto mean_loss = [&](const NearScenario& s) { return s.loss.mean_error + loss_.mean; };
    const auto near_loss = [](const NearScenario& s) { return rstd_loss(s); };
    const auto admits = [&](uint64_t got, auto stretch, auto loss, bool is_mean) {
        try {
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

// The least share of the width that a narrower bound keeps, whatever the element.
double kept_share(const ElementTask& narrow, const ElementTask& wide) {
    double share = 1;
    const auto keep = [&](double a, double b) { share = b > 0 ? std::min(share, a / b) : share; };
    keep(narrow.width_0, wide.width_0);
    keep(narrow.width_c, wide.width_c);
    keep(narrow.width_x, wide.width_x);
    keep(narrow.width_b, wide.width_b);
    return share * (1 - 0x1p-30);
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
        if (exact_.elements().target(i).rank != rank(y_, got(i))) result_.failing = i;
}

}  // namespace

bool covers(const JudgeState& state) {
    const Contract& c = state.contract;
    const bool wide = c.x == FormatId::f64 || c.y == FormatId::f64 || c.params == FormatId::f64;
    return !wide && state.parameters.finite;
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
