// Places and rows; see domain.hpp.
//
// With two columns the rows that are run, in order of their index, are for each first code a those with the second in
//   no symmetry, sign   [0, 2^16)
//   swap                [a, 2^16)
//   sign and swap       [a, 2^15) and [2^15 + a, 2^16): the second's magnitude is not below a
// and under sign a has its sign bit clear. With both, (a, b) lies in the orbit {(a, b), (b, a), (-a, -b), (-b, -a)};
// the members whose first has no sign are (a, b) and (b, a) where b has none, else (a, b) and (-b, -a): the lowest is
// the one whose first is not above the second's magnitude.
#include "harness/sweep/domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "oracles/error.hpp"

namespace normcheck {
namespace {

static_assert(std::endian::native == std::endian::little, "codes are taken from the low bytes of an index");

constexpr uint64_t codes = uint64_t{1} << 16;
constexpr uint64_t half = codes / 2;

bool is_folded_twice(const Domain& domain) {
    return domain.symmetry.sign && domain.symmetry.swap;
}

/// First codes of rows with two columns.
uint64_t first_codes(const Domain& domain) {
    return domain.symmetry.sign ? half : codes;
}

/// Rows with two columns whose first code is below `first`.
uint64_t rows_below(const Domain& domain, uint64_t first) {
    const uint64_t cut_off = domain.symmetry.swap ? first * (first - 1) / 2 : 0;  // 0 + 1 + ... + (first - 1)
    return is_folded_twice(domain) ? 2 * (first * half - cut_off) : first * codes - cut_off;
}

/// The first code of the row at that place.
uint64_t first_at(const Domain& domain, uint64_t place) {
    uint64_t low = 0, high = first_codes(domain);
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        (rows_below(domain, middle) <= place ? low : high) = middle;
    }
    return low;
}

/// Consecutive second codes after one first code.
struct Run {
    uint64_t first;
    uint64_t second;
    uint64_t end;           // of the second codes
    bool opens_with_fixed;  // the lowest second code of the whole run makes a row that swapping leaves in place
};

/// The run that holds the row at that place, from this row on.
Run run_at(const Domain& domain, uint64_t place) {
    const uint64_t first = first_at(domain, place);
    const uint64_t offset = place - rows_below(domain, first);
    if (!domain.symmetry.swap) return {first, offset, codes, false};
    if (!domain.symmetry.sign) return {first, first + offset, codes, offset == 0};
    const uint64_t part = half - first;
    if (offset < part) return {first, first + offset, half, offset == 0};
    return {first, half + first + (offset - part), codes, offset == part};
}

void write_run(const Domain& domain, const Run& run, int64_t rows, uint16_t* x, uint8_t* weights) {
    const auto first = static_cast<uint16_t>(run.first);
    const auto second = static_cast<uint16_t>(run.second);
    for (int64_t i = 0; i < rows; ++i) {
        x[2 * i] = first;
        x[2 * i + 1] = static_cast<uint16_t>(second + i);
    }
    const int usual = usual_weight(domain);
    std::fill_n(weights, rows, static_cast<uint8_t>(usual));
    if (run.opens_with_fixed) weights[0] = static_cast<uint8_t>(usual / 2);
}

void write_pairs(const Domain& domain, uint64_t place, int64_t rows, uint16_t* x, uint8_t* weights) {
    for (int64_t done = 0; done < rows;) {
        const Run run = run_at(domain, place + static_cast<uint64_t>(done));
        const int64_t count = std::min(rows - done, static_cast<int64_t>(run.end - run.second));
        write_run(domain, run, count, x + 2 * done, weights + done);
        done += count;
    }
}

template <typename Code>
void write_patterns(uint64_t place, int64_t rows, Code* x) {
    const auto start = static_cast<uint32_t>(place);
    for (int64_t i = 0; i < rows; ++i) x[i] = static_cast<Code>(start + static_cast<uint32_t>(i));
}

}  // namespace

std::string name(const Symmetry& symmetry) {
    if (symmetry.sign) return symmetry.swap ? "sign+swap" : "sign";
    return symmetry.swap ? "swap" : "none";
}

Domain make_domain(FormatId id, int64_t cols, Symmetry symmetry) {
    const Format& numbers = format(id);
    const bool fits = (cols == 1 && numbers.bits() <= 32) || (cols == 2 && numbers.bits() == 16);
    if (!fits)
        throw InputError(
            fmt::format("a sweep of {} with {} columns is too large; expected one column of f16, bf16 or f32, or two "
                        "of f16 or bf16",
                        numbers.name, cols));
    symmetry.swap = symmetry.swap && cols == 2;
    return {id, static_cast<int>(cols), symmetry};
}

uint64_t whole_rows(const Domain& domain) {
    return uint64_t{1} << (format(domain.format).bits() * domain.cols);
}

uint64_t run_rows(const Domain& domain) {
    if (domain.cols == 2) return rows_below(domain, first_codes(domain));
    return domain.symmetry.sign ? whole_rows(domain) / 2 : whole_rows(domain);
}

PlaceRange shard(const Domain& domain, uint64_t number, uint64_t parts) {
    require(number >= 1 && number <= parts && parts <= run_rows(domain), "a shard that is none");
    const uint64_t rows = run_rows(domain);
    const uint64_t length = rows / parts, longer = rows % parts;  // the first `longer` parts have one row more
    const auto start = [&](uint64_t before) { return before * length + std::min(before, longer); };
    return {start(number - 1), start(number)};
}

int usual_weight(const Domain& domain) {
    return (domain.symmetry.sign ? 2 : 1) * (domain.symmetry.swap ? 2 : 1);
}

void write_rows(const Domain& domain, uint64_t first, int64_t rows, void* x, uint8_t* weights) {
    if (domain.cols == 2) return write_pairs(domain, first, rows, static_cast<uint16_t*>(x), weights);
    std::fill_n(weights, rows, static_cast<uint8_t>(usual_weight(domain)));
    if (format(domain.format).bytes() == 2) return write_patterns(first, rows, static_cast<uint16_t*>(x));
    write_patterns(first, rows, static_cast<uint32_t*>(x));
}

uint64_t row_index(const Domain& domain, const void* x, int64_t row) {
    const auto* narrow = static_cast<const uint16_t*>(x);
    if (domain.cols == 2) return uint64_t{narrow[2 * row]} << 16 | narrow[2 * row + 1];
    return format(domain.format).bytes() == 2 ? narrow[row] : static_cast<const uint32_t*>(x)[row];
}

uint64_t element_code(const Domain& domain, uint64_t index, int col) {
    if (domain.cols == 1) return index;
    return col == 0 ? index >> 16 : index & (codes - 1);
}

}  // namespace normcheck
