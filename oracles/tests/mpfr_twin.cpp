// The twin's two precisions: which one answers.
#include "oracles/tests/mpfr_twin.hpp"

#include <optional>

#include "oracles/tests/mpfr_program.hpp"

namespace normcheck::twin {
namespace {

constexpr mpfr_prec_t quick_precision = 512;

bool names_f64(const Contract& contract) {
    for (const auto& stored : contract.stored)
        if (stored == FormatId::f64) return true;
    for (FormatId format : {contract.x, contract.params, contract.y, contract.stats, contract.eps.format})
        if (format == FormatId::f64) return true;
    return contract.offset_in == FormatId::f64;
}

mpfr_prec_t last_precision(const Contract& contract) {
    return names_f64(contract) ? 8192 : 4096;
}

}  // namespace

/// Both precisions of the program; each is built when it is first needed.
struct MpfrTwin::State {
    const Contract& contract;
    const Inputs inputs;
    std::optional<Program> quick;
    std::optional<Program> last;
    bool quick_suffices = true;  // for the statistics

    const Program& at_last_precision() {
        if (!last) last.emplace(contract, inputs, Effort{last_precision(contract), true});
        return *last;
    }
    const Program& at_quick_precision() {
        if (!quick) quick.emplace(contract, inputs, Effort{quick_precision, false});
        return *quick;
    }
    template <typename Step>
    auto decided(Step step) {
        try {
            if (quick_suffices) return step(at_quick_precision());
        } catch (const Undecided&) {
            quick_suffices = quick.has_value();
        }
        return step(at_last_precision());
    }
};

MpfrTwin::MpfrTwin(const Contract& contract, const Inputs& inputs)
    : state_(new State{contract, inputs, std::nullopt, std::nullopt, true}) {}

MpfrTwin::~MpfrTwin() = default;

bool MpfrTwin::defined() const {
    return state_->decided([](const Program& program) { return program.defined(); });
}

bool MpfrTwin::finite() const {
    return state_->decided([](const Program& program) { return program.finite(); });
}

bool MpfrTwin::finite_at(int64_t i) const {
    return state_->decided([i](const Program& program) { return program.finite_at(i); });
}

Roundings MpfrTwin::y(int64_t i) const {
    return state_->decided([i](const Program& program) { return program.y(i); });
}

Roundings MpfrTwin::mean() const {
    return state_->decided([](const Program& program) { return program.mean(); });
}

Roundings MpfrTwin::rstd() const {
    return state_->decided([](const Program& program) { return program.rstd(); });
}

uint64_t MpfrTwin::residual_out(int64_t i) const {
    return state_->decided([i](const Program& program) { return program.residual_out(i); });
}

double MpfrTwin::gap_to_midpoint(int64_t i) const {
    return state_->decided([i](const Program& program) { return program.gap_to_midpoint(i); });
}

long MpfrTwin::precision_used() const {
    return state_->last ? last_precision(state_->contract) : quick_precision;
}

}  // namespace normcheck::twin
