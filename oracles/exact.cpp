// The exact oracle over the same stretches, every rounding decided by integer comparison.
#include "oracles/exact.hpp"

#include <cmath>

#include "oracles/error.hpp"
#include "oracles/judge_state.hpp"

namespace normcheck {

struct ExactRow::State {
    Contract contract;
    Parameters parameters;
    Row row;
    RowProgram program;
    std::vector<Place> places;
    std::optional<ElementProgram> elements;

    uint64_t limited(uint64_t code) const {
        return contract.overflow == Overflow::saturate ? saturated(format(contract.y), code) : code;
    }
    uint64_t rounded(Place place, const Held& held, int64_t i, RoundingMode mode) const {
        const Format& target = format(format_at(contract, place));
        return round_stretch(target, elements->stretch(place, held, i), elements->approximate(place, held, i).hi, mode);
    }
};

ExactRow::ExactRow(const Contract& contract, int64_t cols, const uint64_t* x, const uint64_t* residual,
                   const uint64_t* gamma, const uint64_t* beta)
    : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.contract = contract;
    s.parameters = read_parameters(contract, cols, gamma, beta);
    s.row = read_row(contract, cols, {x, residual});
    require(s.row.special.empty() && s.parameters.finite && !s.row.sum_left_range, "ExactRow needs finite values");
    s.program = row_program(contract, s.row.sums, s.row.loss, {.target_only = true});
    require(!s.program.scenarios.empty(), "ExactRow needs a denominator that is not 0");
    s.places = stored_places(contract);
    s.elements.emplace(s.contract, s.program.scenarios[0],
                       ElementInputs{s.row.s, s.parameters.gamma, s.parameters.beta, {}});
}
ExactRow::~ExactRow() = default;

uint64_t ExactRow::y(int64_t i, RoundingMode mode) const {
    const State& s = *state_;
    Held held;
    for (const Place place : s.places) {
        const Format& stored = format(format_at(s.contract, place));
        if (std::isinf(held.value))
            held = {place, s.elements->approximate(place, held, i).hi};
        else
            held = {place, decode_double(stored, s.rounded(place, held, i, RoundingMode::nearest_even))};
    }
    const Format& target = format(s.contract.y);
    if (std::isinf(held.value)) {
        const double value = s.elements->approximate(Place::y, held, i).hi;
        return std::isnan(value) ? target.nan_code() : s.limited(round_double(target, value));
    }
    const uint64_t code = s.rounded(Place::y, held, i, mode);
    return mode == RoundingMode::nearest_even ? s.limited(code) : code;
}

uint64_t ExactRow::mean(RoundingMode mode) const {
    const Stretch exact = mean_stretch(state_->program.scenarios[0]);
    return round_stretch(format(state_->contract.stats), exact, approximate(exact).convert_to<double>(), mode);
}

uint64_t ExactRow::rstd(RoundingMode mode) const {
    const Stretch exact = rstd_stretch(state_->program.scenarios[0]);
    return round_stretch(format(state_->contract.stats), exact, approximate(exact).convert_to<double>(), mode);
}

uint64_t ExactRow::residual_out(int64_t i) const {
    return state_->row.residual_out.at(static_cast<size_t>(i));
}

}  // namespace normcheck
