// What the tests of fills share: a case of a fill, and rows as numbers.
#pragma once

#include <string_view>
#include <vector>

#include "harness/cases/make_inputs.hpp"

namespace normcheck {

inline Case case_of(std::string_view fill, int64_t rows, int64_t cols) {
    Case c;
    c.x.fill = fill;
    c.rows = rows;
    c.cols = cols;
    return c;
}

inline std::vector<double> values(const std::vector<uint64_t>& codes, FormatId id) {
    std::vector<double> decoded;
    for (uint64_t code : codes) decoded.push_back(decode_double(format(id), code));
    return decoded;
}

inline std::vector<double> row_values(const Case& c, const Contract& contract, int64_t row) {
    return values(make_row(c, contract, InputTensor::x, row), contract.x);
}

}  // namespace normcheck
