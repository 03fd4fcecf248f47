// Properties of one row met in several calls: again, in other batches, elsewhere in memory, on other threads.
//
// Theorem: `batch_invariant=yes` says that a row's bits are a function of the row, the parameters and eps alone. So the
// calls of one row agree bit by bit, statistics and returned residual too (NaN is compared as such: its payload may
// follow the order of operands). A contract without that promise allows other orders of summation and other
// contractions elsewhere, so there every call must be admissible and no more.
#include <fmt/format.h>

#include <algorithm>

#include "harness/properties/property_calls.hpp"
#include "harness/properties/property_functions.hpp"

namespace normcheck {
namespace {

// What a batch may have in elements, so that short rows meet the large batches.
constexpr int64_t most_elements = 1 << 13;

/// Compares the case's rows with those of other calls, which must differ from it.
PropertyResult compare_with(const Called& base, const std::vector<Case>& others) {
    if (const auto why = unusable(base)) return not_applicable(*why);
    Parts parts;
    for (const Case& other : others) {
        if (other == base.setting.c || parts.is_violated()) continue;
        parts.add(compare(base, call(setting_of(*base.setting.kernel, other)), base.setting.contract.batch_invariant));
    }
    return parts.result();
}

PropertyResult compare_with(const nc_kernel& kernel, const Case& c, const std::vector<Case>& others) {
    return compare_with(call(setting_of(kernel, c)), others);
}

/// `rows` rows of the stream, of which the first or the last is the case's first.
Case batch(const Case& c, int64_t rows, bool first_comes_last) {
    Case other = c;
    other.rows = rows;
    if (first_comes_last) other.position = std::max<int64_t>(0, c.position - (rows - 1));
    return other;
}

Case row_alone(const Case& c, int64_t row) {
    Case alone = c;
    alone.rows = 1;
    alone.position += row;
    return alone;
}

template <typename Value>
std::vector<Case> with_each(const Case& c, Value Case::* field, std::initializer_list<Value> values) {
    std::vector<Case> cases;
    for (const Value value : values) {
        cases.push_back(c);
        cases.back().*field = value;
    }
    return cases;
}

}  // namespace

// Bits repeat where the contract fixes the order of summation too: nothing else in a call may depend on chance.
PropertyResult property_repeated_runs(const nc_kernel& kernel, const Case& c) {
    const Called base = call(setting_of(kernel, c));
    if (const auto why = unusable(base)) return not_applicable(*why);
    Parts parts;
    for (int again = 0; again < 3 && !parts.is_violated(); ++again)
        parts.add(compare(base, call(base.setting), bits_repeat(base.setting.contract)));
    return parts.result();
}

PropertyResult property_batch_independence(const nc_kernel& kernel, const Case& given) {
    const Case c = on_one_thread(given);
    std::vector<Case> others;
    if (c.rows > 0) others = {row_alone(c, 0), row_alone(c, c.rows - 1), batch(c, 2, true)};
    for (const int64_t rows : {255, 256, 257})
        if (rows * c.cols <= most_elements) others.push_back(batch(c, rows, rows == 256));
    return compare_with(kernel, c, others);
}

PropertyResult property_layout_independence(const nc_kernel& kernel, const Case& given) {
    const Case c = on_one_thread(given);
    std::vector<Case> others = with_each<int64_t>(c, &Case::offset, {0, 1, 3, 8});
    for (const Case& other : with_each<int64_t>(c, &Case::pitch, {0, 1, 7, 64})) others.push_back(other);
    return compare_with(kernel, c, others);
}

// A single row has nothing to share among threads, so there are at least five.
PropertyResult property_thread_independence(const nc_kernel& kernel, const Case& c) {
    if (c.rows == 0) return not_applicable("the call has no elements");
    Case base = c;
    base.rows = std::max<int64_t>(c.rows, 5);
    base.threads = 1;
    return compare_with(kernel, base, with_each(base, &Case::threads, {2, 4}));
}

PropertyResult property_strided_equals_dense(const nc_kernel& kernel, const Case& c) {
    Case dense = on_one_thread(c);
    dense.stride = 1;
    return compare_with(kernel, dense, with_each<int64_t>(dense, &Case::stride, {2, 3}));
}

PropertyResult property_in_place_equals_out_of_place(const nc_kernel& kernel, const Case& c) {
    Case apart = on_one_thread(c);
    apart.alias = Alias::none;
    const Called base = call(setting_of(kernel, apart));
    std::vector<Alias> aliases = {Alias::y_is_x};
    if (base.setting.contract.residual != Residual::none) aliases.push_back(Alias::residual_out_is_residual);
    std::vector<Case> others;
    for (const Alias alias : aliases) {
        others.push_back(apart);
        others.back().alias = alias;
    }
    return compare_with(base, others);
}

}  // namespace normcheck
