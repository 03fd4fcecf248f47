// The rows of a sweep: every bit pattern of a format (one column) or every pair of them (two columns), numbered, and
// cut down by the symmetries that the kernel is proven to have.
//
// A row's index is its bit pattern, or first << 16 | second. Rows that the symmetries carry into each other form an
// orbit; only its member of lowest index is run, and its weight is the orbit's size. Rows that are run are numbered on
// their own, in order of their index: that number is the row's place, and ranges are cut in places, so that shards are
// equally long.
#pragma once

#include <cstdint>
#include <string>

#include "oracles/format.hpp"

namespace normcheck {

/// What may be done to a row so that a kernel's outputs undergo the same.
struct Symmetry {
    bool sign = false;  // negating all elements negates all outputs
    bool swap = false;  // exchanging the two elements exchanges the two outputs
    bool operator==(const Symmetry&) const = default;
};

/// "none", "sign", "swap" or "sign+swap".
std::string name(const Symmetry& symmetry);

struct Domain {
    FormatId format = FormatId::f16;
    int cols = 1;
    Symmetry symmetry;
    bool operator==(const Domain&) const = default;
};

/// Throws InputError where the format and number of columns make a domain that is too large. swap is dropped where
/// there is one column.
Domain make_domain(FormatId format, int64_t cols, Symmetry symmetry);

/// Rows of the whole domain.
uint64_t whole_rows(const Domain& domain);
/// Rows that are run: places are 0 .. run_rows - 1.
uint64_t run_rows(const Domain& domain);

/// Places first .. end - 1.
struct PlaceRange {
    uint64_t first = 0;
    uint64_t end = 0;
    uint64_t size() const { return end - first; }
    bool operator==(const PlaceRange&) const = default;
};

/// The part `number` of `parts`, counted from 1, of all places: parts differ in length by one row at most.
PlaceRange shard(const Domain& domain, uint64_t number, uint64_t parts);

/// The size of an orbit, but for rows that exchanging the elements, or that and negating them, leaves in place: their
/// orbits are half as large.
int usual_weight(const Domain& domain);

/// Writes rows with places first, first + 1, ... as codes, rows * cols, dense, of 2 or 4 bytes as the format has, and
/// their weights.
void write_rows(const Domain& domain, uint64_t first, int64_t rows, void* x, uint8_t* weights);

/// Index of row `row` of such codes.
uint64_t row_index(const Domain& domain, const void* x, int64_t row);

/// The code of element `col` in the row of that index.
uint64_t element_code(const Domain& domain, uint64_t index, int col);

}  // namespace normcheck
