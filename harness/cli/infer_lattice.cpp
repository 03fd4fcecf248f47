// The lattice of contracts; see infer_lattice.hpp. Contracts are put together from words: a combination that
// contradicts itself is refused by the contract's own rules and left out.
#include "harness/cli/infer_lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/cases/words.hpp"
#include "oracles/error.hpp"
#include "oracles/text.hpp"

namespace normcheck {
namespace {

/// Texts of which one is chosen.
using Choices = std::vector<std::string>;

const Choices variances = {"", "variance=welford", "variance=one_pass"};
constexpr const char* usual_eps[] = {"1e-12", "1e-8", "1e-6", "1e-5", "1e-3"};
constexpr const char* eps_places[] = {"inside", "outside", "max_variance", "max_std", "max_norm", "inside_and_outside",
                                      "on_sum", "on_count"};

std::string key_of(const Word& word) {
    return word.key.empty() ? "norm" : std::string(word.key);
}

/// Contract words with the fixed ones in place of those of the same field.
class Fixed {
  public:
    Fixed(const Tensors& tensors, const InferOptions& options) : text_(with_formats(options.words, tensors)) {
        for (const Word& word : words_of(text_)) keys_.insert(key_of(word));
    }
    std::string over(std::string_view words) const {
        std::string result = text_;
        for (const Word& word : words_of(words))
            if (!keys_.contains(key_of(word))) result += ' ' + std::string(word.text);
        return result;
    }
    const std::string& text() const { return text_; }

  private:
    std::string text_;
    std::set<std::string> keys_;
};

/// Contracts that are legal, each once, in the order in which they came.
class Collected {
  public:
    void add(const Contract& base, const std::string& words) {
        try {
            const Contract contract = with_overrides(base, words);
            if (seen_.insert(print(contract)).second) contracts_.push_back(contract);
        } catch (const InputError&) {
            // Not a contract: the combination contradicts itself.
        }
    }
    void leave_out(const Contract& contract) { seen_.insert(print(contract)); }
    std::vector<Contract> take() { return std::move(contracts_); }

  private:
    std::set<std::string> seen_;
    std::vector<Contract> contracts_;
};

/// All choices of one text from each, joined.
Choices product(const std::vector<Choices>& dimensions) {
    Choices result{""};
    for (const Choices& choices : dimensions) {
        Choices longer;
        for (const std::string& head : result)
            for (const std::string& tail : choices) longer.push_back(head + ' ' + tail);
        result = std::move(longer);
    }
    return result;
}

Choices epsilons(const InferOptions& options) {
    Choices choices{"eps_at=none", "eps_at=inside eps=0"};
    std::vector<std::string> values(std::begin(usual_eps), std::end(usual_eps));
    values.insert(values.end(), options.eps.begin(), options.eps.end());
    for (const std::string& value : values) {
        parse_contract("eps=" + value);  // refuses text that is no epsilon
        for (const char* place : eps_places) choices.push_back(fmt::format("eps_at={} eps={}", place, value));
    }
    return choices;
}

Choices gammas(const Tensors& tensors) {
    if (tensors.inputs.gamma.empty()) return {""};
    Choices choices{"gamma=mul", "gamma=one_plus", "gamma=none"};
    if (tensors.params != FormatId::f32)
        choices.push_back(fmt::format("gamma=one_plus offset_in={}", format(*tensors.params).name));
    return choices;
}

Choices betas(const Tensors& tensors) {
    return tensors.inputs.beta.empty() ? Choices{""} : Choices{"beta=add", "beta=none"};
}

Choices residuals(const Tensors& tensors) {
    return tensors.inputs.residual.empty() ? Choices{""} : Choices{"residual=wide", "residual=rounded"};
}

/// A rounding to y's format before gamma differs from the arithmetic's own only where y is narrower.
Choices casts(const Tensors& tensors) {
    return format(tensors.y).bits() > 16 ? Choices{""} : Choices{"", "cast=before_gamma"};
}

Choices norms(const Tensors& tensors) {
    return tensors.outputs.mean.empty() ? Choices{"rms", "layer", "layer apply=folded"}
                                        : Choices{"layer", "layer apply=folded"};
}

Choices accumulators(const Tensors& tensors) {
    Choices choices{"acc=f32", "acc=f64"};
    if (format(tensors.x).bits() == 16) choices.push_back(fmt::format("acc={}", format(tensors.x).name));
    return choices;
}

/// Statistics stored on the way in y's 16-bit format; the contract's rules leave out what a form does not have.
Choices stored_statistics(const Tensors& tensors) {
    if (format(tensors.x).bits() != 16 || format(tensors.y).bits() != 16) return {};
    constexpr const char* sets[] = {"rstd",
                                    "rstd shift",
                                    "mean rstd",
                                    "mean var radicand std rstd",
                                    "mean var radicand std rstd shift",
                                    "var radicand std rstd",
                                    "mean var std denominator rstd",
                                    "mean var std denominator rstd shift",
                                    "var std denominator rstd"};
    Choices choices;
    for (const char* set : sets) {
        std::string points;
        for (const std::string_view point : split(set, ' '))
            points += fmt::format("{}{}:{}", points.empty() ? "" : ",", point, format(tensors.y).name);
        choices.push_back("stored=" + points);
    }
    return choices;
}

/// In how wide a format the statistics come about that are then stored.
Choices moments(const Tensors& tensors) {
    return {"", fmt::format("moments={} variance=welford reduce=lanes:16", format(tensors.x).name)};
}

}  // namespace

std::vector<Contract> forms(const Tensors& tensors, const InferOptions& options) {
    const Fixed fixed(tensors, options);
    Collected collected;
    for (const std::string& words : product(
             {norms(tensors), epsilons(options), gammas(tensors), betas(tensors), residuals(tensors), casts(tensors)}))
        collected.add({}, fixed.over(words));
    std::vector<Contract> found = collected.take();
    if (!found.empty()) return found;
    parse_contract(fixed.text());  // says why, where the words alone are to blame
    throw InputError(
        fmt::format("--contract '{}': no contract that is tried holds these words and tensors", options.words));
}

std::vector<Contract> variants(const Contract& form, const Tensors& tensors, const InferOptions& options) {
    const Fixed fixed(tensors, options);
    Collected collected;
    collected.leave_out(form);
    for (const std::string& words : product({accumulators(tensors), variances})) collected.add(form, fixed.over(words));
    for (const std::string& words : product({stored_statistics(tensors), moments(tensors)}))
        collected.add(form, fixed.over(words));
    return collected.take();
}

std::vector<Contract> default_contracts(const Tensors& tensors, const InferOptions& options) {
    const Fixed fixed(tensors, options);
    const std::string rest = (tensors.inputs.beta.empty() ? "" : " beta=add") +
                             std::string(tensors.inputs.residual.empty() ? "" : " residual=wide");
    Collected collected;
    collected.add({}, fixed.over("rms" + rest));
    collected.add({}, fixed.over("layer" + rest));
    return collected.take();
}

}  // namespace normcheck
