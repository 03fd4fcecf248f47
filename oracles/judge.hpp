// The oracle's front door: given a contract, one row of inputs and what a kernel returned, says whether every output is
// admissible, how far each is from the exact value, and in which regime the row lies. Knows no kernel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "oracles/contract.hpp"
#include "oracles/regime.hpp"

namespace normcheck {

enum class Verdict : uint8_t { pass, fail, suspect, outside, doubtful, unsupported };
constexpr int verdict_count = 6;
const char* name(Verdict verdict);
/// One sentence on what the verdict means.
const char* meaning(Verdict verdict);

/// Codes of one row, read where they lie: 2 or 4 bytes each as a kernel stores them, or 8 as the rest of the project
/// passes codes (and f64 is stored). Compares equal to nullptr where the tensor is absent.
class Codes {
  public:
    Codes(std::nullptr_t = nullptr) {}
    Codes(const uint64_t* codes) : data_(codes), bytes_(8) {}
    Codes(const uint32_t* codes) : data_(codes), bytes_(4) {}
    Codes(const uint16_t* codes) : data_(codes), bytes_(2) {}

    uint64_t operator[](int64_t i) const {
        if (bytes_ == 2) return static_cast<const uint16_t*>(data_)[i];
        if (bytes_ == 4) return static_cast<const uint32_t*>(data_)[i];
        return static_cast<const uint64_t*>(data_)[i];
    }
    bool operator==(std::nullptr_t) const { return data_ == nullptr; }
    const void* data() const { return data_; }
    int bytes() const { return bytes_; }

  private:
    const void* data_ = nullptr;
    int bytes_ = 8;
};

/// One row of inputs; x and residual have the contract's format x, and residual is absent where there is none.
struct RowInputs {
    Codes x;
    Codes residual;
};
/// What the kernel returned for the row, as codes in the contract's formats y, x (residual_out) and stats (mean, rstd).
struct RowOutputs {
    Codes y;
    Codes residual_out;
    std::optional<uint64_t> mean;
    std::optional<uint64_t> rstd;
};

enum class Output : uint8_t { y, residual_out, mean, rstd };
const char* name(Output output);

/// What is known of one output element; errors are in ulp of the output's format at the unrounded target.
struct ElementStory {
    Output output = Output::y;
    int64_t index = 0;
    FormatId format = FormatId::f32;
    uint64_t got = 0;
    uint64_t target = 0;  // the correctly rounded target
    uint64_t lowest = 0;  // ends of the admissible set
    uint64_t highest = 0;
    double exact = 0;             // nearest double to the unrounded last stretch of the target
    double error = 0;             // |got - exact| / ulp; 0.5 or less is correctly rounded
    uint64_t distance = 0;        // |got - target| in representable values
    double half_width = 0;        // of the admissible set before the last rounding, absolute
    double formula_distance = 0;  // ulp from the formula without named roundings; printed, never judged
    bool admissible = true;
    bool cancelled = false;
    std::string why;  // which rule or which bound decides here
};

struct RowResult {
    Verdict verdict = Verdict::pass;
    std::string reason;  // of fail: which output and rule; of outside and doubtful: why
    Regime regime = Regime::ordinary;
    bool short_row = false;  // cols < 4
    /// Largest |got - exact| over ulp of the row's largest exact output; nothing where that output is 0 or not finite.
    std::optional<double> row_error;
    double absolute_error = 0;  // largest |got - exact|; the measure of rows whose exact outputs are all 0
    double element_error = 0;   // largest elementwise error over elements that are not cancelled
    double slack = 0;           // largest max(0, |got - exact| - ulp/2) / half width before the last rounding
    int64_t worst = 0;          // index of the element behind row_error
    int64_t failing = -1;       // first inadmissible element of y, or -1
    int64_t outputs = 0;        // elements of y that were judged
    int64_t correctly_rounded = 0;
    int64_t cancelled = 0;
    int64_t inadmissible = 0;
    int64_t undecided = 0;  // elements that the certified oracle handed to the exact one
    double log2_ratio = 0;  // log2(mean square or variance / eps); +-Inf at the ends
    double bits = 0;  // to state y once the target is known: sum of log2(1 + 2 |got - target| in representable values)
};

/// Which oracle judges: the certified one, which is fast and hands over what its enclosures cannot decide, or the exact
/// one alone. Both give the same result.
enum class Oracle : uint8_t { certified, exact };

struct JudgeOptions {
    Oracle oracle = Oracle::certified;
    bool random_fill = false;      // independent random values: the probabilistic bound may be asked (suspect)
    bool stop_at_failure = false;  // stop at the first inadmissible element (inference)
    bool errors = true;  // state the errors as well as the verdict, the regime and the slack (a search does not)
};

/// Judges rows of one contract with one gamma and beta. Thread-safe once built: judge is const and keeps no state.
class Judge {
  public:
    /// gamma and beta are cols codes each in the contract's format params, or null. Both are copied.
    Judge(const Contract& contract, int64_t cols, const uint64_t* gamma, const uint64_t* beta);
    ~Judge();
    Judge(Judge&&) noexcept;
    Judge& operator=(Judge&&) noexcept;

    RowResult judge(const RowInputs& inputs, const RowOutputs& outputs, const JudgeOptions& options = {}) const;
    /// Everything about one output element, for explanations; slow.
    ElementStory explain(const RowInputs& inputs, const RowOutputs& outputs, Output output, int64_t index) const;
    /// The correctly rounded target of every element of y, as codes of format y.
    std::vector<uint64_t> targets(const RowInputs& inputs) const;

    struct State;  // of the judge's own source files

  private:
    std::unique_ptr<State> state_;
};

}  // namespace normcheck
