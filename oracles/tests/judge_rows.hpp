// Rows given by numbers, put before the judge: what the judge's tests share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "oracles/judge.hpp"

namespace normcheck::rows {

using Codes = std::vector<uint64_t>;

/// A row given by numbers, each rounded once into the contract's formats; empty where a tensor is absent.
struct Numbers {
    std::vector<double> x, gamma, beta, residual;
};

inline Codes codes(const std::vector<double>& numbers, FormatId id) {
    Codes result;
    for (const double number : numbers) result.push_back(round_double(format(id), number));
    return result;
}

inline std::vector<double> decoded(const Codes& given, FormatId id) {
    std::vector<double> result;
    for (const uint64_t code : given) result.push_back(decode_double(format(id), code));
    return result;
}

inline const uint64_t* pointer(const Codes& given) {
    return given.empty() ? nullptr : given.data();
}

/// A row and the judge of its contract.
struct Given {
    Given(const Contract& promised, const Numbers& numbers)
        : contract(promised),
          x(codes(numbers.x, contract.x)),
          residual(codes(numbers.residual, contract.x)),
          gamma(codes(numbers.gamma, contract.params)),
          beta(codes(numbers.beta, contract.params)),
          judge(contract, cols(), pointer(gamma), pointer(beta)) {}
    Given(std::string_view text, const Numbers& numbers) : Given(parse_contract(text), numbers) {}

    int64_t cols() const { return static_cast<int64_t>(x.size()); }
    RowInputs inputs() const { return {x.data(), pointer(residual)}; }
    Codes targets() const { return judge.targets(inputs()); }
    std::vector<double> target_numbers() const { return decoded(targets(), contract.y); }
    RowResult result(const RowOutputs& outputs, const JudgeOptions& options = {}) const {
        return judge.judge(inputs(), outputs, options);
    }
    RowResult result(const Codes& y, const JudgeOptions& options = {}) const {
        return result(RowOutputs{.y = y.data(), .residual_out = nullptr, .mean = {}, .rstd = {}}, options);
    }
    Verdict verdict(const Codes& y) const { return result(y).verdict; }
    Verdict verdict(const std::vector<double>& y) const { return verdict(codes(y, contract.y)); }

    Contract contract;
    Codes x, residual, gamma, beta;
    Judge judge;
};

/// The verdict's word, which reads better in a failed test than a number.
inline std::string word(Verdict verdict) {
    return name(verdict);
}

/// n numbers, the values repeated in turn.
inline std::vector<double> repeated(const std::vector<double>& values, size_t n) {
    std::vector<double> result(n);
    for (size_t i = 0; i < n; ++i) result[i] = values[i % values.size()];
    return result;
}

/// n copies of one number, but for the first.
inline std::vector<double> spike(double first, double rest, size_t n) {
    std::vector<double> result(n, rest);
    result[0] = first;
    return result;
}

}  // namespace normcheck::rows
