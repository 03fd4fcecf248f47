// From a case to codes. Every row of every tensor draws from a stream of its own: the tensor's number above, the row's
// index (position + row) below. So a row is the same wherever it stands in a batch, and whoever computes it.
#include "harness/cases/make_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/cases/fill_row.hpp"
#include "harness/cases/fills.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr int tensor_shift = 56;  // above every row index: position + row is below 2^53

bool is_parameter(InputTensor tensor) {
    return tensor == InputTensor::gamma || tensor == InputTensor::beta;
}

const Source& source_of(const Case& c, InputTensor tensor) {
    switch (tensor) {
        case InputTensor::x:
            return c.x;
        case InputTensor::residual:
            return c.residual;
        case InputTensor::gamma:
            return c.gamma;
        case InputTensor::beta:
            return c.beta;
    }
    throw InternalError("internal error: no such tensor");
}

bool is_taken(const Contract& contract, InputTensor tensor) {
    switch (tensor) {
        case InputTensor::x:
            return true;
        case InputTensor::residual:
            return contract.residual != Residual::none;
        case InputTensor::gamma:
            return contract.gamma != Gamma::none;
        case InputTensor::beta:
            return contract.beta != Beta::none;
    }
    throw InternalError("internal error: no such tensor");
}

bool is_present(const Case& c, const Contract& contract, InputTensor tensor) {
    return is_taken(contract, tensor) && source_of(c, tensor).fill != "absent";
}

void repeat(const InlineBits& bits, const Format& format, std::span<uint64_t> codes) {
    for (uint64_t code : bits) {
        if (format.bits() < 64 && code >> format.bits() != 0) {
            throw InputError(fmt::format("inline bits {:x} do not fit {}", code, format.name));
        }
    }
    for (size_t i = 0; i < codes.size(); ++i) codes[i] = bits[i % bits.size()];
}

/// Fills one row of a tensor; `row` counts within the case.
void fill_row(const Case& c, const Contract& contract, InputTensor tensor, int64_t row, std::span<uint64_t> codes) {
    const Source& source = source_of(c, tensor);
    const bool parameter = is_parameter(tensor);
    const Format& numbers = format(parameter ? contract.params : contract.x);
    if (!source.bits.empty()) return repeat(source.bits, numbers, codes);
    const FillCall call = parse_fill(parameter ? parameter_fills() : fills(), source.fill, "fill");
    const int64_t index = parameter ? 0 : c.position + row;
    const Stream stream = row_stream(c.seed, tensor, index);
    FillRow target{contract, numbers, tensor == InputTensor::beta, index, stream, call.parameters, codes};
    call.info->write(target);
}

/// The text of a case was read without its kernel: where the kernel's own contract names a format, the line has to say
/// it too, or its values would mean other numbers.
void require_format_of_line(const Case& c, const Contract& contract, InputTensor tensor) {
    if (source_of(c, tensor).bits.empty()) return;
    const bool parameter = is_parameter(tensor);
    const FormatId read = parameter ? params_format(c.overrides) : x_format(c.overrides);
    const FormatId meant = parameter ? contract.params : contract.x;
    if (read == meant) return;
    throw InputError(
        fmt::format("'{}': inline values of {} are read in {}, but the kernel's contract has {}; expected "
                    "{}={} in the line",
                    print(c), parameter ? "gamma or beta" : "x or the residual", format(read).name, format(meant).name,
                    parameter ? "params" : "x", format(meant).name));
}

void require_sane_size(const Case& c) {
    if (c.cols > 0 && c.rows > largest_extent / c.cols) {
        throw InputError(fmt::format("rows={} cols={}: more than 2^31 elements", c.rows, c.cols));
    }
}

std::vector<uint64_t> make_tensor(const Case& c, const Contract& contract, InputTensor tensor) {
    if (!is_present(c, contract, tensor)) return {};
    require_format_of_line(c, contract, tensor);
    const size_t cols = static_cast<size_t>(c.cols);
    const size_t rows = is_parameter(tensor) ? 1 : static_cast<size_t>(c.rows);
    std::vector<uint64_t> codes(rows * cols);
    for (size_t row = 0; row < rows; ++row) {
        fill_row(c, contract, tensor, static_cast<int64_t>(row), std::span(codes).subspan(row * cols, cols));
    }
    return codes;
}

bool is_random(const Source& source) {
    return source.bits.empty() && parse_fill(fills(), source.fill, "fill").info->random;
}

}  // namespace

Stream row_stream(uint64_t seed, InputTensor tensor, int64_t index) {
    return {seed, static_cast<uint64_t>(tensor) << tensor_shift | static_cast<uint64_t>(index), 0};
}

Inputs make_inputs(const Case& c, const Contract& contract) {
    require_sane_size(c);
    return {make_tensor(c, contract, InputTensor::x), make_tensor(c, contract, InputTensor::residual),
            make_tensor(c, contract, InputTensor::gamma), make_tensor(c, contract, InputTensor::beta)};
}

std::vector<uint64_t> make_row(const Case& c, const Contract& contract, InputTensor tensor, int64_t row) {
    if (!is_present(c, contract, tensor)) return {};
    std::vector<uint64_t> codes(static_cast<size_t>(c.cols));
    fill_row(c, contract, tensor, row, codes);
    return codes;
}

bool has_random_rows(const Case& c, const Contract& contract) {
    return is_random(c.x) && (!is_taken(contract, InputTensor::residual) || is_random(c.residual));
}

}  // namespace normcheck
