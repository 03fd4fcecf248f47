// The call of a draft. Rows are filled exactly as make_inputs fills those of the case: a test compares the two.
#include "harness/fuzz/prepare.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "harness/cases/fill_row.hpp"
#include "harness/cases/fills.hpp"
#include "harness/fuzz/mutate.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr std::string_view fill_names[] = {
    "shaped",         "gaussian",           "uniform_bits",   "eps_grid",   "small",      "near_constant",
    "offset",         "exact_sums",         "spike",          "ramp",       "constant",   "alternating",
    "zeros",          "subnormals",         "wide_exponents", "nan_in_row", "inf_in_row", "near_overflow",
    "perfect_square", "alternating_scales", "near_midpoint"};  // new ones go to the end
constexpr std::string_view parameter_fill_names[] = {"random",   "absent",     "ones",  "zeros",
                                                     "negative", "with_zeros", "large", "specials"};

using FillTable = std::vector<const FillInfo*>;

/// Null for `absent`, which is no fill.
FillTable table_of(std::span<const std::string_view> names, std::span<const FillInfo> known) {
    FillTable table;
    for (const std::string_view name : names)
        table.push_back(name == "absent" ? nullptr : parse_fill(known, name, "fill").info);
    return table;
}

// Empty calls, both sides of what kernels cut rows and batches into, counts past 11 and 12 bits, rows 16 bits apart,
// and more than one thread. None of them can be said by rows, cols and pitch.
constexpr DraftShape shapes[] = {{0, 0, 0, 1},     {0, 8, 0, 1},    {3, 0, 0, 1},     {1, 255, 0, 1},
                                 {1, 257, 0, 1},   {2, 1023, 0, 1}, {2, 1025, 0, 1},  {1, 2049, 0, 1},
                                 {1, 4097, 0, 1},  {257, 8, 0, 1},  {7, 5, 0, 1},     {9, 4, 0, 2},
                                 {7, 3, 16384, 1}, {5, 33, 0, 4},   {1, 65537, 0, 1}, {1, 8193, 0, 1}};

static_assert(std::size(shapes) == std::tuple_size_v<ShapeRuns>);

const DraftShape& shape_of(const Draft& draft) {
    return shapes[static_cast<size_t>(draft[DraftField::shape]) % std::size(shapes)];
}

const FillInfo* fill_of(const Draft& draft, DraftTensor tensor) {
    static const FillTable row_fills = table_of(fill_names, fills());
    static const FillTable vector_fills = table_of(parameter_fill_names, parameter_fills());
    const bool is_row = tensor == DraftTensor::x || tensor == DraftTensor::residual;
    const FillTable& table = is_row ? row_fills : vector_fills;
    return table[static_cast<size_t>(draft[fill_field(tensor)]) % table.size()];
}

InputTensor input_of(DraftTensor tensor) {
    switch (tensor) {
        case DraftTensor::x:
            return InputTensor::x;
        case DraftTensor::gamma:
            return InputTensor::gamma;
        case DraftTensor::beta:
            return InputTensor::beta;
        case DraftTensor::residual:
            return InputTensor::residual;
    }
    throw InternalError("internal error: no such tensor");
}

Case layout_of(const Draft& draft, const Contract& contract) {
    const DraftShape& shape = shape_of(draft);
    const bool is_plain = &shape == shapes;
    Case c;
    c.rows = is_plain ? draft[DraftField::rows] : shape.rows;
    c.cols = is_plain ? draft_cols(draft[DraftField::cols]) : shape.cols;
    c.threads = shape.threads;
    c.seed = static_cast<uint64_t>(draft[DraftField::seed]);
    c.position = draft[DraftField::position];
    c.pitch = shape.pitch > 0 ? shape.pitch : draft[DraftField::pitch];
    c.stride = draft[DraftField::stride];
    c.offset = draft[DraftField::offset];
    const auto alias = static_cast<Alias>(draft[DraftField::alias]);
    const bool on_x = alias == Alias::y_is_x && contract.in_place && contract.x == contract.y;
    const bool on_residual = alias == Alias::residual_out_is_residual && contract.residual != Residual::none;
    if (on_x || on_residual) c.alias = alias;
    return c;
}

/// One tensor of the call: `rows` rows, of which the first stands at `index` in the stream of rows.
std::vector<uint64_t> codes_of(const Draft& draft, DraftTensor tensor, const PreparedCall& call, int64_t rows) {
    const auto cols = static_cast<size_t>(call.layout.cols);
    const bool is_row = tensor == DraftTensor::x || tensor == DraftTensor::residual;
    const Format& numbers = format(is_row ? call.contract.x : call.contract.params);
    std::vector<uint64_t> codes(static_cast<size_t>(rows) * cols);
    const InlineBits bits = inline_bits(draft, tensor, numbers.id, call.layout.cols);
    if (codes.empty()) return codes;
    if (!bits.empty()) {
        for (size_t i = 0; i < codes.size(); ++i) codes[i] = bits[i % cols % bits.size()];
        return codes;
    }
    const FillInfo* fill = fill_of(draft, tensor);
    if (fill == nullptr) return {};
    std::array<double, shaped_parameter_count> parameters{};
    const bool shaped = is_row && fill == fill_of(Draft{}, DraftTensor::x);
    if (shaped) parameters = shaped_parameters(draft, tensor);
    for (int64_t row = 0; row < rows; ++row) {
        const int64_t index = is_row ? call.layout.position + row : 0;
        FillRow target{call.contract,
                       numbers,
                       tensor == DraftTensor::beta,
                       index,
                       row_stream(call.layout.seed, input_of(tensor), index),
                       std::span(parameters).first(shaped ? parameters.size() : 0),
                       std::span(codes).subspan(static_cast<size_t>(row) * cols, cols)};
        fill->write(target);
    }
    return codes;
}

/// Mean square (rms) or variance (layer) of a row in double; what is not finite counts as 0.
double spread(std::span<const uint64_t> row, const Contract& contract) {
    double sum = 0, squares = 0;
    for (const uint64_t code : row) {
        const double value = decode_double(format(contract.x), code);
        if (!std::isfinite(value)) continue;
        sum += value;
        squares += value * value;
    }
    const auto count = static_cast<double>(row.size());
    const double mean = contract.norm == Norm::layer ? sum / count : 0;
    return std::max(0.0, squares / count - mean * mean);
}

/// As a value of f32: not negative and finite.
double eps_of_code(uint32_t code) {
    const Format& f32 = format(FormatId::f32);
    const uint64_t magnitude = std::min<uint64_t>(code & 0x7fffffff, f32.max_finite_code());
    return decode_double(f32, magnitude);
}

double eps_of(const Draft& draft, const PreparedCall& call) {
    if (draft[DraftField::eps_is_bits] != 0) {
        const auto high = static_cast<uint32_t>(draft[DraftField::eps_high]);
        return eps_of_code(high << 16 | static_cast<uint32_t>(draft[DraftField::eps_low]));
    }
    const auto cols = static_cast<size_t>(call.layout.rows > 0 ? call.layout.cols : 0);
    const double scale = spread(std::span(call.inputs.x).first(cols), call.contract);
    const int exponent = (scale > 0 && std::isfinite(scale) ? std::ilogb(scale) : 0) + draft[DraftField::eps_exponent];
    const double eps = std::ldexp(1 + draft[DraftField::eps_significand] / 16.0, exponent);
    return eps_of_code(static_cast<uint32_t>(round_double(format(FormatId::f32), eps)));
}

/// Fills that look at eps are drawn under the kernel's own first, for the sake of that row's mean square.
bool may_depend_on_eps(const Draft& draft) {
    return draft.bits_of(DraftTensor::x).empty() && fill_name(draft, DraftTensor::x) != fill_names[0];
}

}  // namespace

std::span<const DraftShape> draft_shapes() {
    return shapes;
}

std::span<const std::string_view> draft_fills() {
    return fill_names;
}

std::span<const std::string_view> draft_parameter_fills() {
    return parameter_fill_names;
}

DraftField fill_field(DraftTensor tensor) {
    switch (tensor) {
        case DraftTensor::x:
            return DraftField::x_fill;
        case DraftTensor::gamma:
            return DraftField::gamma_fill;
        case DraftTensor::beta:
            return DraftField::beta_fill;
        case DraftTensor::residual:
            return DraftField::residual_fill;
    }
    throw InternalError("internal error: no such tensor");
}

std::string_view fill_name(const Draft& draft, DraftTensor tensor) {
    const bool is_row = tensor == DraftTensor::x || tensor == DraftTensor::residual;
    const auto names = is_row ? draft_fills() : draft_parameter_fills();
    return names[static_cast<size_t>(draft[fill_field(tensor)]) % names.size()];
}

std::array<double, shaped_parameter_count> shaped_parameters(const Draft& draft, DraftTensor tensor) {
    const auto first = static_cast<size_t>(fill_field(tensor)) + 1;
    std::array<double, shaped_parameter_count> parameters;
    for (size_t i = 0; i < parameters.size(); ++i) parameters[i] = draft.fields[first + i];
    return parameters;
}

InlineBits inline_bits(const Draft& draft, DraftTensor tensor, FormatId id, int64_t cols) {
    const Format& numbers = format(id);
    const std::vector<uint32_t>& given = draft.bits_of(tensor);
    InlineBits bits(given.begin(), given.begin() + std::min<int64_t>(std::ssize(given), cols));
    for (uint64_t& code : bits) code = numbers.bits() == 64 ? code << 32 : code & ((uint64_t{1} << numbers.bits()) - 1);
    return bits;
}

int64_t draft_cols(int cols_field) {
    return cols_field <= 64 ? cols_field : 64 + 8 * int64_t{cols_field - 64};
}

PreparedCall prepare(const Draft& draft, const FuzzSubject& subject) {
    const Contract& contract = subject.contract(draft);
    PreparedCall call{layout_of(draft, contract), contract, {}};
    call.inputs.x = codes_of(draft, DraftTensor::x, call, call.layout.rows);
    call.contract.eps = {eps_of(draft, call), FormatId::f32};
    if (may_depend_on_eps(draft)) call.inputs.x = codes_of(draft, DraftTensor::x, call, call.layout.rows);
    if (contract.gamma != Gamma::none) call.inputs.gamma = codes_of(draft, DraftTensor::gamma, call, 1);
    if (contract.beta != Beta::none) call.inputs.beta = codes_of(draft, DraftTensor::beta, call, 1);
    if (contract.residual != Residual::none)
        call.inputs.residual = codes_of(draft, DraftTensor::residual, call, call.layout.rows);
    return call;
}

}  // namespace normcheck
