// Rows, calls and competitors; see oracle_subject.hpp.
#include "harness/bench/oracle_subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "harness/check/check.hpp"
#include "harness/kernels/registry.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr const char* competitor_names[] = {"kernel", "plain", "certified", "exact", "bin_float", "mpfr"};

/// About as many elements as a second-level cache holds beside outputs and parameters, in four rows at least.
int64_t row_count(int64_t cols) {
    return std::clamp<int64_t>(8192 / cols, 4, 64);
}

const nc_kernel* kernel_of(const OracleSetting& setting) {
    if (setting.format == FormatId::f64) return nullptr;
    return find_kernel(setting.norm == Norm::layer ? "cpu/layer_two_pass" : "cpu/rms");
}

Case case_of(const OracleSetting& setting, uint64_t seed) {
    Case c;
    const nc_kernel* kernel = kernel_of(setting);
    if (kernel != nullptr) c.kernel = kernel->name;
    const char* words = kernel != nullptr ? "" : setting.norm == Norm::layer ? "layer beta=add " : "rms ";
    c.overrides = canonical_overrides(fmt::format("{}x={}", words, format(setting.format).name));
    c.rows = row_count(setting.cols);
    c.cols = setting.cols;
    c.seed = seed;
    return c;
}

const uint64_t* data_or_null(const std::vector<uint64_t>& codes) {
    return codes.empty() ? nullptr : codes.data();
}

std::vector<double> decoded(const Format& numbers, const std::vector<uint64_t>& codes) {
    std::vector<double> values;
    for (const uint64_t code : codes) values.push_back(decode_double(numbers, code));
    return values;
}

nc_tensor one_row(nc_tensor tensor, int64_t row, int64_t row_bytes) {
    tensor.data = static_cast<std::byte*>(tensor.data) + row * row_bytes;
    tensor.shape[0] = 1;
    return tensor;
}

Codes codes_of(const nc_tensor& tensor) {
    if (tensor.format == NC_F64) return static_cast<const uint64_t*>(tensor.data);
    if (tensor.format == NC_F32) return static_cast<const uint32_t*>(tensor.data);
    return static_cast<const uint16_t*>(tensor.data);
}

/// Appends y of one row in plain double arithmetic, as codes of f64.
void append_plain_outputs(const DoubleRow& row, std::vector<uint64_t>& codes) {
    const bool layer = row.norm == Norm::layer;
    const double n = static_cast<double>(row.x.size());
    double sum = 0, squares = 0;
    for (const double x : row.x) sum += x;
    const double mean = layer ? sum / n : 0;
    for (const double x : row.x) squares += (x - mean) * (x - mean);
    const double rstd = 1 / std::sqrt(squares / n + row.eps);
    for (size_t i = 0; i < row.x.size(); ++i) {
        const double y = (row.x[i] - mean) * rstd * row.gamma[i] + (layer ? row.beta[i] : 0);
        codes.push_back(std::bit_cast<uint64_t>(y));
    }
}

}  // namespace

const char* name(Competitor competitor) {
    return competitor_names[static_cast<size_t>(competitor)];
}

const char* name(Norm norm) {
    return norm == Norm::layer ? "layer" : "rms";
}

OracleSubject::OracleSubject(const OracleSetting& setting, uint64_t seed)
    : kernel_(kernel_of(setting)),
      case_(case_of(setting, seed)),
      contract_(case_contract(kernel_, case_)),
      inputs_(make_inputs(case_, contract_)),
      buffers_(make_call_buffers(case_, contract_, inputs_)),
      judge_(make_judge(contract_, case_.cols, inputs_)),
      reference_(contract_, case_.cols, data_or_null(inputs_.gamma), data_or_null(inputs_.beta)),
      x_(decoded(format(contract_.x), inputs_.x)),
      gamma_(decoded(format(contract_.params), inputs_.gamma)),
      beta_(decoded(format(contract_.params), inputs_.beta)) {
    make_calls();
    make_outputs();
    y_ = decoded(format(contract_.y), read_codes(buffers_.y));
}

// y alone is asked for: the plain reference looks at nothing else.
void OracleSubject::make_calls() {
    const int64_t row_bytes = case_.cols * format(contract_.x).bytes();
    nc_call all = make_call(buffers_, contract_, 1);
    all.mean = all.rstd = {};
    for (int64_t row = 0; row < case_.rows; ++row) {
        calls_.push_back(all);
        calls_.back().x = one_row(all.x, row, row_bytes);
        calls_.back().y = one_row(all.y, row, row_bytes);
    }
}

void OracleSubject::make_outputs() {
    if (kernel_ != nullptr) {
        run_kernel();
        return;
    }
    y_ = x_;  // for want of outputs yet
    std::vector<uint64_t> codes;
    for (int64_t row = 0; row < case_.rows; ++row) append_plain_outputs(doubles(row), codes);
    write_codes(buffers_.y, codes);
}

DoubleRow OracleSubject::doubles(int64_t row) const {
    const auto cols = static_cast<size_t>(case_.cols), begin = static_cast<size_t>(row) * cols;
    return {contract_.norm,
            contract_.eps.value,
            std::span(x_).subspan(begin, cols),
            gamma_,
            beta_,
            std::span(y_).subspan(begin, cols)};
}

RowResult OracleSubject::judged(const nc_call& call, Oracle oracle) const {
    return judge_.judge({.x = codes_of(call.x), .residual = {}},
                        {.y = codes_of(call.y), .residual_out = {}, .mean = {}, .rstd = {}}, {.oracle = oracle});
}

double OracleSubject::run_kernel() const {
    for (const nc_call& call : calls_)
        require(kernel_->run(&call) == nullptr, "the kernel takes the rows of the bench");
    return 0;
}

double OracleSubject::run_reference() {
    double sum = 0;
    for (const nc_call& call : calls_) sum += reference_.largest_error(codes_of(call.x), codes_of(call.y));
    return sum;
}

double OracleSubject::run_judge(Oracle oracle) const {
    double sum = 0;
    for (const nc_call& call : calls_) sum += judged(call, oracle).absolute_error;
    return sum;
}

double OracleSubject::run_multiprecision(double (*largest_error)(const DoubleRow& row)) const {
    double sum = 0;
    for (int64_t row = 0; row < case_.rows; ++row) sum += largest_error(doubles(row));
    return sum;
}

bool OracleSubject::has(Competitor competitor) const {
    return competitor != Competitor::kernel || kernel_ != nullptr;
}

double OracleSubject::run(Competitor competitor) {
    switch (competitor) {
        case Competitor::kernel:
            return run_kernel();
        case Competitor::plain:
            return run_reference();
        case Competitor::certified:
            return run_judge(Oracle::certified);
        case Competitor::exact:
            return run_judge(Oracle::exact);
        case Competitor::bin_float:
            return run_multiprecision(largest_error_bin_float);
        case Competitor::mpfr:
            return run_multiprecision(largest_error_mpfr);
    }
    throw InternalError("internal error: no such competitor");
}

int64_t OracleSubject::count_undecided() const {
    int64_t undecided = 0;
    for (const nc_call& call : calls_) undecided += judged(call, Oracle::certified).undecided;
    return undecided;
}

void OracleSubject::require_pass() const {
    for (const Oracle oracle : {Oracle::certified, Oracle::exact})
        for (const nc_call& call : calls_)
            require(judged(call, oracle).verdict == Verdict::pass, "the rows of the bench pass");
}

}  // namespace normcheck
