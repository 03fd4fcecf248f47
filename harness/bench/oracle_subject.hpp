// What `bench oracle` measures on: rows of one norm, format and width with a kernel's outputs, and everybody who
// computes or checks them.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/bench/multiprecision.hpp"
#include "harness/bench/reference.hpp"
#include "harness/check/call_buffers.hpp"
#include "oracles/judge.hpp"

namespace normcheck {

/// Who is timed: one that computes, and five that check what it computed.
enum class Competitor : uint8_t { kernel, plain, certified, exact, bin_float, mpfr };
constexpr int competitor_count = 6;
const char* name(Competitor competitor);
const char* name(Norm norm);

struct OracleSetting {
    Norm norm = Norm::rms;
    FormatId format = FormatId::f32;
    int64_t cols = 0;
};

/// Gaussian rows, few enough to stay in a cache, under one random gamma and, for layer, beta. In f32 and bf16 the
/// outputs are those of cpu/rms or cpu/layer_two_pass; no built-in kernel reads f64, so there they are plain double
/// arithmetic.
class OracleSubject {
  public:
    OracleSubject(const OracleSetting& setting, uint64_t seed);

    /// Whether there is such a competitor here: all but the kernel of f64.
    bool has(Competitor competitor) const;
    /// Lets a competitor work on every row, one after the other. Returns a sum of what it found, so that it has to find
    /// it.
    double run(Competitor competitor);
    /// Elements that the certified oracle handed to the exact one, over all rows.
    int64_t count_undecided() const;
    /// Throws InternalError unless both oracles pass every row: a row that fails would cost something else.
    void require_pass() const;

    int64_t rows() const { return case_.rows; }
    const Case& described() const { return case_; }
    const Contract& contract() const { return contract_; }

  private:
    void make_calls();
    void make_outputs();
    DoubleRow doubles(int64_t row) const;
    RowResult judged(const nc_call& call, Oracle oracle) const;
    double run_kernel() const;
    double run_reference();
    double run_judge(Oracle oracle) const;
    double run_multiprecision(double (*largest_error)(const DoubleRow& row)) const;

    const nc_kernel* kernel_;
    Case case_;
    Contract contract_;
    Inputs inputs_;
    CallBuffers buffers_;
    Judge judge_;
    PlainReference reference_;
    std::vector<nc_call> calls_;  // one per row
    std::vector<double> x_, gamma_, beta_, y_;
};

}  // namespace normcheck
