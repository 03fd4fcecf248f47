// The statistics of a contract's program, stage by stage: variance, root, denominator, reciprocal, shift. Each stage
// carries an exact expression and a bound on the relative error of the computed one; a stored stage branches.
#include "oracles/scenario.hpp"

#include <algorithm>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr int branch_limit = 8;  // stored values tried one by one at each stage; wider ranges go on as an interval

// What is known of the current quantity of the pipeline.
struct Stage {
    Scenario scenario;
    Dyadic spread;  // the variance is spread / scale^2
    Dyadic scale = dyadic_integer(1);
    Dyadic eps;
    bool shifted = false;  // the variance in use is v + e^2 with the mean's error e
    Upper error;           // absolute, of the variance, the mean's error included
    Upper error_beyond;    // absolute, about v + e^2
    Upper underflow;       // absolute, of the variance, by underflow alone; kept apart where eps is outside the root
    Upper relative;        // of the current quantity, the mean's error included
    Upper relative_beyond; // of the current quantity, about the one at v + e^2
    bool stored = false;   // the variance or something after it has been stored: input errors are absorbed

    void set_relative(Upper both) { relative = relative_beyond = both; }
};

// The error of a stored value that stands for an interval, relative to it.
Upper relative_error(const StoredValue& stored) {
    if (stored.error.value == 0) return Upper(0);
    const Lower size = lower_magnitude(stored.value);
    return size.value > 0 ? stored.error / size : Upper(HUGE_VALL);
}

Upper ratio(Upper absolute, Lower to) {
    if (absolute.value == 0) return Upper(0);
    return to.value > 0 ? absolute / to : Upper(HUGE_VALL);
}

// With rstd and what goes with it stored, two numbers decide a row.
bool stores_a_pair(const Contract& c) {
    if (!c.stored_at(Point::rstd)) return false;
    if (c.norm == Norm::rms) return true;
    return c.apply == Apply::folded ? c.stored_at(Point::shift).has_value() : c.stored_at(Point::mean).has_value();
}

class Pipeline {
  public:
    Pipeline(const Contract& contract, const RowSums& sums, const InputLoss& input, const ProgramOptions& options)
        : contract_(contract), sums_(sums), input_(input), options_(options),
          moments_(machine(contract.moments, contract.subnormals)), acc_(machine(contract.acc, contract.subnormals)) {}

    RowProgram run();

  private:
    bool layer() const { return contract_.norm == Norm::layer; }
    bool bounded() const { return !options_.target_only; }
    Dyadic n() const { return dyadic_integer(sums_.n); }
    Upper rounding(bool happens = true) const { return happens && bounded() ? moments_.roundoff : Upper(0); }

    void outside(const char* why) {
        if (program_.outside.empty()) program_.outside = why;
    }
    RowProgram search_program();
    Upper coarsest_roundoff() const;
    void mean();
    void variance(const Scenario& centre, bool centre_is_stored);
    void root(Stage stage);
    void root_relative(Stage& stage);
    void store_radicand(Stage stage);
    void square_root(Stage stage);
    void denominator(Stage stage);
    void reciprocal(Stage stage);
    void shift(Scenario scenario);
    void convert(Scenario& scenario) const;
    void finish_bounds(Stage& stage);

    bool eps_is_outside() const { return contract_.eps_at == EpsAt::outside || contract_.eps_at == EpsAt::max_std; }
    Lower variance_low(const Stage& stage) const;
    Lower shifted_variance(const Stage& stage, Lower v) const;
    Lower root_at(const Stage& stage, Lower v) const;
    Lower denominator_at(const Stage& stage, Lower v) const;
    bool range_is_left(const Stage& stage);
    Upper deviation(Upper relative) const;

    template <class Continue>
    void store(Point point, const Stretch& exact, Upper loss, Continue next);

    const Contract& contract_;
    const RowSums& sums_;
    const InputLoss& input_;
    const ProgramOptions& options_;
    Machine moments_;
    Machine acc_;
    RowProgram program_;
    bool wide_ = false;  // a stored statistic has too many admissible values, or the bound on the variance is too weak
    Upper mean_error_, variance_, variance_error_;
    Lower variance_low_;
};

Dyadic exact_spread(const Contract& contract, const RowSums& sums) {
    const Dyadic square = dyadic_integer(sums.n) * sums.sum_of_squares;
    return contract.norm == Norm::layer ? square - sums.sum * sums.sum : square;
}

RowProgram Pipeline::run() {
    program_.spread = exact_spread(contract_, sums_);
    mean();
    if (bounded() && wide_ && stores_a_pair(contract_)) return search_program();
    if (!program_.outside.empty()) program_.scenarios.clear();
    return std::move(program_);
}

// The target's scenario beside the ranges of what is stored. Ten roundings cover the longest way from the variance to rstd.
RowProgram Pipeline::search_program() {
    RowProgram result = row_program(contract_, sums_, input_, {.target_only = true});
    if (result.scenarios.empty()) return result;
    const Upper coarse = coarsest_roundoff();
    const Upper mean = layer() ? upper_magnitude(sums_.sum) / lower_magnitude(n()) : Upper(0);
    StoredSearch search;
    search.roundoff = coarse;
    search.mean_error = layer() ? mean_error_ + input_.mean + coarse * (mean + mean_error_) : Upper(0);
    Stage stage;
    stage.eps = contract_.eps_at == EpsAt::none ? Dyadic{} : dyadic(contract_.eps.value);
    const Lower low(std::fmax(0.0L, (variance_low_.value - variance_error_.value) * directed_detail::shrink));
    const Upper high = variance_ + variance_error_ + search.mean_error * search.mean_error;
    const Lower narrowest = denominator_at(stage, low);
    const Upper widest = Upper(denominator_at(stage, Lower(high.value)).value * (1 + 0x1p-50L));
    const Upper off = Upper(10) * coarse;
    const Format& f = format(*contract_.stored_at(Point::rstd));
    const long double longest = narrowest.value > 0 ? (1 + 2 * off.value) / narrowest.value : HUGE_VALL;
    const int64_t top = rank(f, f.inf_code()) - 1;
    search.highest_rstd = std::min(top, rank(f, round_double(f, static_cast<double>(longest))));
    search.lowest_rstd = rank(f, round_double(f, static_cast<double>((1 - off.value) / widest.value)));
    result.search = search;
    return result;
}

Upper Pipeline::coarsest_roundoff() const {
    Upper coarse = moments_.roundoff;
    for (const auto& stored : contract_.stored)
        if (stored) coarse = max(coarse, machine(*stored, contract_.subnormals).roundoff);
    return coarse;
}

// Rounds the quantity where the contract stores it, and goes on once per value; otherwise goes on with nothing.
template <class Continue>
void Pipeline::store(Point point, const Stretch& exact, Upper loss, Continue next) {
    const Format& target = format(*contract_.stored_at(point));
    const RankRange range = round_range(target, exact, bounded() ? loss : Upper(0));
    wide_ = wide_ || range.highest - range.lowest >= branch_limit;
    const int limit = options_.target_only ? 1 : branch_limit;
    if (std::max(std::abs(range.lowest), std::abs(range.highest)) >= rank(target, target.inf_code()) && !wide_)
        return outside("a stored statistic overflows its format");
    for (const StoredValue& value : stored_values(target, range, limit)) next(value);
}

void Pipeline::mean() {
    Scenario centre;
    centre.mean_number = layer() ? sums_.sum : Dyadic{};
    centre.mean_scale = layer() ? n() : dyadic_integer(1);
    if (!contract_.stored_at(Point::mean)) return variance(centre, false);
    const Upper spread = upper_magnitude(program_.spread) / (lower_magnitude(n()) * lower_magnitude(n()));
    const Upper loss = bounded() ? moment_loss(contract_, sums_, spread, false, options_.probabilistic).mean_error + input_.mean : Upper(0);
    store(Point::mean, mean_stretch(centre), loss, [&](const StoredValue& value) {
        Scenario stored;
        stored.mean_number = value.value;
        stored.loss.mean_error = value.error;
        variance(stored, true);
    });
}

// Two passes take the variance about the mean that was stored; other ways never see the stored mean.
void Pipeline::variance(const Scenario& centre, bool centre_is_stored) {
    Stage stage;
    stage.scenario = centre;
    stage.eps = contract_.eps_at == EpsAt::none ? Dyadic{} : dyadic(contract_.eps.value);
    stage.spread = program_.spread;
    stage.scale = n();
    const bool about_stored = centre_is_stored && contract_.variance == Variance::two_pass;
    if (about_stored) {
        const Dyadic& m = centre.mean_number;
        const Dyadic sum = sums_.sum_of_squares - m * sums_.sum - m * sums_.sum + n() * m * m;
        stage.spread = n() * sum;
    }
    if (bounded()) {
        const Upper v = upper_magnitude(stage.spread) / (lower_magnitude(stage.scale) * lower_magnitude(stage.scale));
        const MomentLoss loss = moment_loss(contract_, sums_, v, about_stored, options_.probabilistic);
        if (loss.meaningless) return outside("the bound says nothing: the row is too long for its accumulator");
        if (!centre_is_stored) stage.scenario.loss.mean_error = loss.mean_error;
        stage.shifted = loss.shifted && layer();
        const Upper e = stage.scenario.loss.mean_error;
        const Upper shifted = v + e * e;
        stage.error_beyond = shifted * loss.variance_relative;
        if (eps_is_outside() && loss.shifted)
            stage.underflow = loss.variance_absolute;
        else
            stage.error_beyond = stage.error_beyond + loss.variance_absolute;
        stage.error = stage.error_beyond + stage.underflow + (stage.shifted ? e * e : Upper(0));
        if (range_is_left(stage)) return;
        mean_error_ = max(mean_error_, loss.mean_error);
        variance_ = max(variance_, v);
        variance_low_ = variance_low(stage);
        variance_error_ = max(variance_error_, stage.error);
    }
    if (!contract_.stored_at(Point::var)) return root(stage);
    const Stretch exact{stage.spread, {}, stage.scale * stage.scale, {}};
    const Upper input = Upper(2) * input_.root_mean_square * sqrt(upper_magnitude(stage.spread) / (lower_magnitude(stage.scale) * lower_magnitude(stage.scale))) + input_.root_mean_square * input_.root_mean_square;
    store(Point::var, exact, stage.error + input, [&](const StoredValue& value) {
        Stage stored = stage;
        stored.spread = value.value;
        stored.scale = dyadic_integer(1);
        stored.shifted = false;
        stored.stored = true;
        stored.error = stored.error_beyond = value.error;
        stored.underflow = Upper(0);
        root(stored);
    });
}

// range=acc: sums and squares that leave the accumulator are not promised.
bool Pipeline::range_is_left(const Stage& stage) {
    if (contract_.range == Range::full) return false;
    const Upper count(static_cast<long double>(sums_.n));
    const Upper squares = contract_.variance == Variance::one_pass && layer()
                              ? upper_magnitude(sums_.sum_of_squares)
                              : count * (upper_magnitude(stage.spread) / (lower_magnitude(n()) * lower_magnitude(n())) + stage.error);
    if (layer() && sums_.sum_of_magnitudes.value > moments_.largest) {
        outside("the sum leaves the accumulator's range");
        return true;
    }
    if (squares.value * 1.5L > moments_.largest) {
        outside("squares leave the accumulator's range");
        return true;
    }
    return false;
}

Lower Pipeline::variance_low(const Stage& stage) const {
    const Upper scale = upper_magnitude(stage.scale);
    const Lower deviation = sqrt(lower_magnitude(stage.spread)) / scale;
    const Lower kept = stage.stored ? deviation : deviation - input_.root_mean_square;
    return kept * kept;
}

// The root and the denominator as functions of the variance; all grow with it, by at most as much as sqrt(v) does.
Lower Pipeline::root_at(const Stage& stage, Lower v) const {
    const Lower eps = lower_magnitude(stage.eps);
    const Upper count(static_cast<long double>(sums_.n));
    switch (contract_.eps_at) {
        case EpsAt::inside:
        case EpsAt::inside_and_outside:
            return sqrt(v + eps);
        case EpsAt::max_variance:
            return sqrt(max(v, eps));
        case EpsAt::max_norm:
            return max(sqrt(v), eps / sqrt(count));
        case EpsAt::on_sum:
            return sqrt(v + eps / count);
        case EpsAt::on_count:
            return sqrt(v * (lower_magnitude(n()) / (count + upper_magnitude(stage.eps))));
        case EpsAt::outside:
        case EpsAt::max_std:
        case EpsAt::none:
            return sqrt(v);
    }
    return sqrt(v);
}

Lower Pipeline::denominator_at(const Stage& stage, Lower v) const {
    const Lower root = root_at(stage, v);
    const Lower eps = lower_magnitude(stage.eps);
    if (contract_.eps_at == EpsAt::outside || contract_.eps_at == EpsAt::inside_and_outside) return root + eps;
    return contract_.eps_at == EpsAt::max_std ? max(root, eps) : root;
}

// The number under the root: radicand / rstd_number^2 with the exact expression of the design.
void Pipeline::root(Stage stage) {
    Scenario& s = stage.scenario;
    if ((contract_.eps_at == EpsAt::max_norm || contract_.eps_at == EpsAt::on_sum) && !(stage.scale == n())) {
        stage.spread = stage.spread * n() * n();
        stage.scale = n();
    }
    const Dyadic scaled_eps = stage.scale * stage.scale * stage.eps;
    s.rstd_number = stage.scale;
    switch (contract_.eps_at) {
        case EpsAt::inside:
        case EpsAt::inside_and_outside:
            s.radicand = stage.spread + scaled_eps;
            break;
        case EpsAt::max_variance:
            s.radicand = max(stage.spread, scaled_eps);
            break;
        case EpsAt::max_norm:
            s.radicand = max(stage.spread, n() * stage.eps * stage.eps);
            break;
        case EpsAt::on_sum:
            s.radicand = stage.spread + n() * stage.eps;
            break;
        case EpsAt::on_count:
            s.radicand = stage.spread * n() * (n() + stage.eps);
            s.rstd_number = stage.scale * (n() + stage.eps);
            break;
        case EpsAt::outside:
        case EpsAt::max_std:
        case EpsAt::none:
            s.radicand = stage.spread;
            break;
    }
    if (bounded()) root_relative(stage);
    if (!program_.outside.empty()) return;
    if (contract_.stored_at(Point::radicand)) return store_radicand(stage);
    square_root(stage);
}

bool adds_under_root(EpsAt at) {
    return at == EpsAt::inside || at == EpsAt::inside_and_outside || at == EpsAt::on_sum;
}

bool adds_to_root(EpsAt at) { return at == EpsAt::outside || at == EpsAt::inside_and_outside; }

// Placements whose implementation rounds a factor that holds n on the way.
bool scales_by_count(EpsAt at) { return at == EpsAt::on_sum || at == EpsAt::on_count || at == EpsAt::max_norm; }

Lower Pipeline::shifted_variance(const Stage& stage, Lower v) const {
    const Lower e(stage.shifted ? stage.scenario.loss.mean_error.value : 0.0L);
    return v + e * e;
}

// Turns the absolute errors of the variance into relative ones of the number under the root.
void Pipeline::root_relative(Stage& stage) {
    const Lower v = variance_low(stage);
    const Lower root = root_at(stage, v);
    const Lower root_shifted = root_at(stage, shifted_variance(stage, v));
    const Machine& m = moments_;
    const bool has_eps = stage.eps.mantissa != 0;
    const bool eps_is_held = decode_double(*m.format, round_double(*m.format, contract_.eps.value)) == contract_.eps.value;
    const Upper eps_rounding = has_eps && !eps_is_held ? m.roundoff : Upper(0);
    const Upper eps_underflow = has_eps && !eps_is_held ? m.underflow : Upper(0);
    Upper steps = chain(eps_rounding, rounding(has_eps && adds_under_root(contract_.eps_at)));
    if (scales_by_count(contract_.eps_at)) steps = chain(steps, chain(rounding(), rounding()));
    stage.relative = chain(ratio(stage.error + eps_underflow, root * root), steps);
    stage.relative_beyond = chain(ratio(stage.error_beyond + eps_underflow, root_shifted * root_shifted), steps);
}

void Pipeline::store_radicand(Stage stage) {
    const Scenario& s = stage.scenario;
    const Stretch exact{s.radicand, {}, s.rstd_number * s.rstd_number, {}};
    const Upper value = upper_magnitude(s.radicand) / (lower_magnitude(s.rstd_number) * lower_magnitude(s.rstd_number));
    store(Point::radicand, exact, value * stage.relative, [&](const StoredValue& stored_value) {
        Stage stored = stage;
        stored.scenario.radicand = stored_value.value;
        stored.scenario.rstd_number = dyadic_integer(1);
        stored.shifted = false;
        stored.stored = true;
        stored.underflow = Upper(0);
        stored.set_relative(relative_error(stored_value));
        square_root(stored);
    });
}

// |sqrt(1 + d) - 1| <= 1 - sqrt(1 - a) = a / (1 + sqrt(1 - a)) for |d| <= a < 1.
Upper Pipeline::deviation(Upper relative) const {
    return relative / (Lower(1) + sqrt(Lower(1) - relative));
}

void Pipeline::square_root(Stage stage) {
    Scenario& s = stage.scenario;
    if (bounded()) {
        if (!(stage.relative_beyond.value < 1)) {
            wide_ = contract_.norm == Norm::layer && contract_.variance == Variance::welford;
            return outside(contract_.variance == Variance::one_pass && layer()
                               ? "a one-pass variance may cancel to nothing or below here"
                               : "the bound says nothing: the variance may be lost");
        }
        const bool rounds = contract_.rsqrt.kind == RsqrtKind::exact || contract_.stored_at(Point::std) ||
                            adds_to_root(contract_.eps_at) || contract_.eps_at == EpsAt::max_std;
        const Upper grown = stage.relative.value < 1 ? deviation(stage.relative) : stage.relative;
        stage.relative = chain(grown, rounding(rounds));
        stage.relative_beyond = chain(deviation(stage.relative_beyond), rounding(rounds));
    }
    if (!contract_.stored_at(Point::std)) return denominator(stage);
    const Stretch exact{s.radicand, s.radicand * s.rstd_number * s.rstd_number, {}, {}};
    if (sign(s.radicand) == 0) return outside("a standard deviation of 0 is stored");
    const Upper value = sqrt(upper_magnitude(s.radicand)) / lower_magnitude(s.rstd_number);
    store(Point::std, exact, value * stage.relative, [&](const StoredValue& stored_value) {
        Stage stored = stage;
        stored.scenario.radicand = stored_value.value * stored_value.value;
        stored.scenario.rstd_number = dyadic_integer(1);
        stored.shifted = false;
        stored.stored = true;
        stored.underflow = Upper(0);
        stored.set_relative(relative_error(stored_value));
        denominator(stored);
    });
}

void Pipeline::denominator(Stage stage) {
    Scenario& s = stage.scenario;
    const Dyadic scaled_eps = s.rstd_number * stage.eps;
    const bool adds = adds_to_root(contract_.eps_at);
    if (adds) s.offset = scaled_eps;
    if (contract_.eps_at == EpsAt::max_std && s.radicand < scaled_eps * scaled_eps) {
        s.radicand = Dyadic{};
        s.offset = scaled_eps;
    }
    if (sign(s.radicand) == 0 && sign(s.offset) == 0) return outside("0/0: the row has no spread and eps adds none");
    if (bounded()) {
        // sqrt(v + a) - sqrt(v) <= sqrt(a): an underflow that eps outside the root still covers.
        const Lower d = denominator_at(stage, variance_low(stage));
        const Upper lost = chain(ratio(sqrt(stage.underflow), d), rounding(adds && stage.eps.mantissa != 0));
        stage.relative = chain(stage.relative, lost);
        stage.relative_beyond = chain(stage.relative_beyond, lost);
    }
    if (!contract_.stored_at(Point::denominator)) return reciprocal(stage);
    const Upper value = (sqrt(upper_magnitude(s.radicand)) + upper_magnitude(s.offset)) / lower_magnitude(s.rstd_number);
    // (sqrt(R) + k) / c = (R - k^2) / (c sqrt(R) - c k): the sum itself, written with the root in the denominator.
    const Stretch exact = sign(s.radicand) == 0
                              ? Stretch{s.offset, {}, s.rstd_number, {}}
                              : Stretch{s.radicand, s.radicand * s.rstd_number * s.rstd_number, {}, sign(s.offset) == 0 ? Dyadic{} : stage.eps};
    store(Point::denominator, exact, value * stage.relative, [&](const StoredValue& stored_value) {
        Stage stored = stage;
        stored.scenario.radicand = Dyadic{};
        stored.scenario.offset = stored_value.value;
        stored.scenario.rstd_number = dyadic_integer(1);
        stored.shifted = false;
        stored.stored = true;
        stored.underflow = Upper(0);
        stored.set_relative(relative_error(stored_value));
        if (sign(stored_value.value) == 0) return outside("0/0: a denominator of 0 is stored");
        reciprocal(stored);
    });
}

// Turns the stage's relative errors into the scenario's loss.
void Pipeline::finish_bounds(Stage& stage) {
    Scenario& s = stage.scenario;
    Loss& loss = s.loss;
    const Lower exact_denominator = (sqrt(lower_magnitude(s.radicand)) + lower_magnitude(s.offset)) / upper_magnitude(s.rstd_number);
    const bool exact_input = stage.stored || input_.root_mean_square.value == 0;
    const Lower d = exact_input ? exact_denominator : denominator_at(stage, variance_low(stage));
    const Upper e = loss.mean_error;
    if (!(stage.relative_beyond.value < 1) || !(d.value > 0)) return outside("the bound says nothing: the denominator may vanish");
    loss.reciprocal = Upper(1) / d;
    loss.rstd_relative = stage.relative_beyond / (Lower(1) - stage.relative_beyond);
    if (contract_.rsqrt.kind == RsqrtKind::exact) loss.rstd_relative = chain(loss.rstd_relative, moments_.roundoff);
    if (contract_.rsqrt.kind == RsqrtKind::rel) loss.rstd_relative = chain(loss.rstd_relative, Upper(contract_.rsqrt.error));
    if (contract_.rsqrt.kind == RsqrtKind::ulp) loss.rstd_relative = chain(loss.rstd_relative, Upper(2 * contract_.rsqrt.error) * moments_.roundoff);
    loss.mean_term = e * loss.reciprocal;
    loss.gap = Upper(0);
    if (stage.shifted && e.value > 0) {
        const Lower v = variance_low(stage);
        const Lower shifted = shifted_variance(stage, v);
        const Lower d_shifted = denominator_at(stage, shifted);
        loss.mean_term = e / d_shifted;
        loss.gap = min(loss.reciprocal, e * e / ((root_at(stage, v) + root_at(stage, shifted)) * d * d_shifted));
    }
    loss.gap = loss.gap + (stage.stored ? Upper(0) : input_.root_mean_square * loss.reciprocal * loss.reciprocal);
    loss.mean_term = loss.mean_term + (layer() && !contract_.stored_at(Point::mean) ? input_.mean * loss.reciprocal : Upper(0));
    const Upper largest_denominator = (sqrt(upper_magnitude(s.radicand)) + upper_magnitude(s.offset)) / lower_magnitude(s.rstd_number);
    loss.rstd_relative = loss.rstd_relative + moments_.underflow * largest_denominator;
    if (contract_.range == Range::acc && loss.reciprocal.value > moments_.largest) outside("rstd leaves the accumulator's range");
}

void Pipeline::reciprocal(Stage stage) {
    if (bounded()) finish_bounds(stage);
    if (!program_.outside.empty()) return;
    if (!contract_.stored_at(Point::rstd)) {
        convert(stage.scenario);
        return shift(stage.scenario);
    }
    Scenario& s = stage.scenario;
    const Upper loss = s.loss.gap + s.loss.rstd_relative * s.loss.reciprocal;
    store(Point::rstd, rstd_stretch(s), loss, [&](const StoredValue& stored_value) {
        Scenario stored = s;
        stored.rstd_number = stored_value.value;
        stored.radicand = Dyadic{};
        stored.offset = dyadic_integer(1);
        stored.rstd_stored = true;
        stored.loss.gap = stored_value.error;
        stored.loss.rstd_relative = Upper(0);
        stored.loss.reciprocal = upper_magnitude(stored_value.value) + stored_value.error;
        stored.loss.mean_term = stored.loss.mean_error * stored.loss.reciprocal;
        shift(stored);
    });
}

// Statistics kept wider than the elements' arithmetic are rounded once on the way to it.
void Pipeline::convert(Scenario& s) const {
    if (!bounded() || format(contract_.moments).significand_bits <= format(contract_.acc).significand_bits) return;
    s.loss.rstd_relative = chain(s.loss.rstd_relative, acc_.roundoff);
    if (!layer() || contract_.stored_at(Point::mean)) return;
    const Upper mean = upper_magnitude(s.mean_number) / lower_magnitude(s.mean_scale);
    const Upper rounding = acc_.roundoff * (mean + s.loss.mean_error);
    s.loss.mean_error = s.loss.mean_error + rounding;
    s.loss.mean_term = s.loss.mean_term + rounding * s.loss.reciprocal * (Upper(1) + s.loss.rstd_relative);
}

void Pipeline::shift(Scenario s) {
    if (!contract_.stored_at(Point::shift)) {
        program_.scenarios.push_back(std::move(s));
        return;
    }
    const Upper mean = upper_magnitude(s.mean_number) / lower_magnitude(s.mean_scale);
    const Upper reciprocal = s.loss.reciprocal * (Upper(1) + s.loss.rstd_relative);
    const Upper loss = s.loss.mean_term + mean * (s.loss.gap + s.loss.rstd_relative * s.loss.reciprocal) +
                       rounding() * (mean + s.loss.mean_error) * reciprocal + moments_.underflow;
    const Stretch exact{-(s.mean_number * s.rstd_number), s.radicand * s.mean_scale * s.mean_scale, s.offset * s.mean_scale, {}};
    store(Point::shift, exact, loss, [&](const StoredValue& stored_value) {
        Scenario stored = s;
        stored.shift = stored_value.value;
        stored.loss.mean_term = stored_value.error;
        program_.scenarios.push_back(std::move(stored));
    });
}

}  // namespace

RowProgram row_program(const Contract& contract, const RowSums& sums, const InputLoss& input_loss,
                       const ProgramOptions& options) {
    return Pipeline(contract, sums, input_loss, options).run();
}

Stretch mean_stretch(const Scenario& s) { return {s.mean_number, {}, s.mean_scale, {}}; }
Stretch rstd_stretch(const Scenario& s) { return {s.rstd_number, s.radicand, s.offset, {}}; }

Upper rstd_loss(const Scenario& s) {
    return s.loss.gap + s.loss.rstd_relative * s.loss.reciprocal;
}

RankRange round_range(const Format& format, const Stretch& exact, Upper loss) {
    const auto ranked = [&](const Stretch& stretch) {
        return rank(format, round_stretch(format, stretch, approximate(stretch).convert_to<double>()));
    };
    const int64_t target = ranked(exact);
    if (loss.value == 0) return {target, target, target};
    const double width = to_double_up(loss);
    const int64_t top = rank(format, format.inf_code());
    if (!std::isfinite(width)) return {-top, target, top};
    Stretch low = exact;
    Stretch high = exact;
    low.addend = low.addend - dyadic(width);
    high.addend = high.addend + dyadic(width);
    return {ranked(low), target, ranked(high)};
}

std::vector<StoredValue> stored_values(const Format& format, const RankRange& range, int limit) {
    const Dyadic target = value_of_rank(format, range.target);
    if (range.highest - range.lowest >= limit) {
        const Dyadic below = target - value_of_rank(format, range.lowest);
        const Dyadic above = value_of_rank(format, range.highest) - target;
        return {{target, upper_magnitude(max(below, above))}};
    }
    std::vector<StoredValue> result{{target, Upper(0)}};
    for (int64_t r = range.lowest; r <= range.highest; ++r)
        if (r != range.target) result.push_back({value_of_rank(format, r), Upper(0)});
    return result;
}

}  // namespace normcheck
