// Greedy: every simplification that keeps the failure is kept, until none does.
#include "harness/fuzz/minimised.hpp"

#include <algorithm>
#include <vector>

#include "harness/check/check.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

bool fails(const nc_kernel& kernel, const Case& c) {
    const CaseResult result = check_case(kernel, c);
    return !result.broken_rules.empty() ||
           std::ranges::any_of(result.rows, [](const RowResult& row) { return row.verdict == Verdict::fail; });
}

template <class Value>
void propose(std::vector<Case>& tries, const Case& c, Value Case::* field, const Value& value) {
    if (c.*field == value) return;
    tries.push_back(c);
    tries.back().*field = value;
}

void propose_sources(std::vector<Case>& tries, const Case& c, const Contract& contract) {
    if (contract.gamma != Gamma::none) propose(tries, c, &Case::gamma, Source{"ones", {}});
    if (contract.beta != Beta::none) propose(tries, c, &Case::beta, Source{"zeros", {}});
    if (contract.residual != Residual::none) propose(tries, c, &Case::residual, Source{"zeros", {}});
    if (c.x.bits.size() < 2) return;
    for (size_t i = 0; i < c.x.bits.size(); ++i) {
        tries.push_back(c);
        InlineBits& bits = tries.back().x.bits;
        bits.erase(bits.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

int64_t most_inline(const Case& c) {
    size_t most = 1;
    for (const Source* source : {&c.x, &c.gamma, &c.beta, &c.residual}) most = std::max(most, source->bits.size());
    return static_cast<int64_t>(most);
}

std::vector<Case> simpler(const Case& c, const Contract& contract) {
    std::vector<Case> tries;
    for (const int64_t rows : {int64_t{1}, c.rows - 1})
        if (rows >= 1 && rows < c.rows) propose(tries, c, &Case::rows, rows);
    for (const int64_t cols : {c.cols / 2, c.cols - 1})
        if (cols >= most_inline(c) && cols < c.cols) propose(tries, c, &Case::cols, cols);
    for (const auto field : {&Case::pitch, &Case::offset, &Case::position}) propose(tries, c, field, int64_t{0});
    propose(tries, c, &Case::stride, int64_t{1});
    propose(tries, c, &Case::alias, Alias::none);
    if (c.rows > 1) propose(tries, c, &Case::position, c.position + 1);
    propose_sources(tries, c, contract);
    return tries;
}

bool is_larger_place(const Case& from, const Case& to) {
    return to.position > from.position;
}

}  // namespace

Case minimised(const nc_kernel& kernel, const Case& c) {
    const Contract contract = case_contract(&kernel, c);
    Case smallest = c;
    for (bool found = true; found;) {
        found = false;
        for (Case& simple : simpler(smallest, contract)) {
            if (is_larger_place(smallest, simple)) simple.rows -= 1;  // drops the first row
            if (!fails(kernel, simple)) continue;
            smallest = std::move(simple);
            found = true;
            break;
        }
    }
    return smallest;
}

}  // namespace normcheck
