// Poison and guards of y are one signalling NaN, which arithmetic cannot bring forth. A kernel that copies NaNs can,
// though, where x holds that very code: so an element that seems unwritten is asked again with another poison.
#include "harness/sweep/block_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "harness/check/code_type.hpp"
#include "harness/check/run_kernel.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

int64_t lines_of(int64_t bytes) {
    return (bytes + static_cast<int64_t>(sizeof(CacheLine)) - 1) / static_cast<int64_t>(sizeof(CacheLine));
}

std::vector<CacheLine> lines(int64_t count) {
    return std::vector<CacheLine>(static_cast<size_t>(count));
}

/// A signalling NaN; the pattern fills its payload.
uint64_t signalling_nan(const Format& numbers, uint64_t pattern) {
    return numbers.inf_code() | (pattern & ((uint64_t{1} << (numbers.significand_bits - 2)) - 1));
}
constexpr uint64_t first_pattern = 0x5555555555555555, second_pattern = 0xaaaaaaaaaaaaaaaa;

nc_tensor dense(void* data, int64_t rows, int64_t cols, FormatId id) {
    return {data, {rows, cols}, {cols, 1}, abi_format(id), {NC_CPU, 0}};
}

bool is_zero(const std::vector<CacheLine>& memory) {
    return std::ranges::all_of(memory, [](const CacheLine& line) {
        static constexpr CacheLine zeros{};
        return std::memcmp(&line, &zeros, sizeof line) == 0;
    });
}

}  // namespace

BlockCall::BlockCall(const SweepSubject& subject, int64_t rows)
    : subject_(subject), cols_(subject.identity.domain.cols), weights_(static_cast<size_t>(rows)) {
    const Contract& contract = subject.identity.contract;
    const int64_t x_lines = lines_of(rows * cols_ * format(contract.x).bytes());
    x_ = kept_x_ = lines(x_lines);
    if (contract.residual != Residual::none) residual_ = lines(x_lines);
    y_ = lines(lines_of(rows * cols_ * format(contract.y).bytes()) + 2);
    for (std::vector<CacheLine>* memory : {&x_, &residual_, &y_})
        if (!memory->empty()) blocks_.push_back({memory->data()->bytes, memory->size() * sizeof(CacheLine)});
}

nc_call BlockCall::make_call(int64_t rows) {
    const Contract& contract = subject_.identity.contract;
    nc_call call{};
    call.x = dense(x_.data(), rows, cols_, contract.x);
    call.y = dense(y_.data() + 1, rows, cols_, contract.y);
    if (!residual_.empty()) call.residual = dense(residual_.data(), rows, cols_, contract.x);
    call.eps = contract.eps.value;
    call.threads = 1;
    return call;
}

void BlockCall::poison_y(uint64_t poison) {
    with_code_type(subject_.identity.contract.y, [&](auto zero) {
        using Code = decltype(zero);
        const size_t codes = y_.size() * sizeof(CacheLine) / sizeof(Code);
        std::fill_n(reinterpret_cast<Code*>(y_.data()), codes, static_cast<Code>(poison));
    });
}

bool BlockCall::has_guards(uint64_t poison, int64_t rows) const {
    return with_code_type(subject_.identity.contract.y, [&](auto zero) {
        using Code = decltype(zero);
        const auto is_poison = [&](Code code) { return code == poison; };
        const auto* begin = reinterpret_cast<const Code*>(y_.data());
        const auto* end = reinterpret_cast<const Code*>(y_.data() + y_.size());
        const auto* elements = static_cast<const Code*>(y());
        return std::all_of(begin, elements, is_poison) && std::all_of(elements + rows * cols_, end, is_poison);
    });
}

std::optional<std::string> BlockCall::touched_memory(uint64_t poison, int64_t rows) const {
    if (!has_guards(poison, rows)) return "memory beside y was overwritten";
    if (std::memcmp(x_.data(), kept_x_.data(), x_.size() * sizeof(CacheLine)) != 0) return "x was changed";
    if (!is_zero(residual_)) return "the residual was changed";
    return std::nullopt;
}

std::vector<int64_t> BlockCall::unwritten_elements(uint64_t poison, int64_t rows) const {
    return with_code_type(subject_.identity.contract.y, [&](auto zero) {
        const auto* codes = static_cast<const decltype(zero)*>(y());
        const auto code = static_cast<decltype(zero)>(poison);
        std::vector<int64_t> unwritten;
        const int64_t found = std::count(codes, codes + rows * cols_, code);  // vectorised, unlike what follows
        for (int64_t i = 0; found > 0 && i < rows * cols_; ++i)
            if (codes[i] == code) unwritten.push_back(i);
        return unwritten;
    });
}

std::optional<BlockFault> BlockCall::call(uint64_t poison, int64_t rows) {
    poison_y(poison);
    const uint64_t first = row_index(subject_.identity.domain, x_.data(), 0);
    const KernelRun run = run_in_its_place(*subject_.kernel, make_call(rows), blocks_);
    if (run.refusal) return BlockFault{true, *run.refusal, first};
    if (!run.broken_rules.empty()) return BlockFault{false, run.broken_rules[0], first};
    if (const auto touched = touched_memory(poison, rows)) return BlockFault{false, *touched, first};
    return std::nullopt;
}

std::optional<BlockFault> BlockCall::run(uint64_t first, int64_t rows) {
    const Domain& domain = subject_.identity.domain;
    write_rows(domain, first, rows, x_.data(), weights_.data());
    kept_x_ = x_;
    const Format& numbers = format(subject_.identity.contract.y);
    const uint64_t poison = signalling_nan(numbers, first_pattern), other = signalling_nan(numbers, second_pattern);
    if (auto fault = call(poison, rows)) return fault;
    const std::vector<int64_t> suspected = unwritten_elements(poison, rows);
    if (suspected.empty()) return std::nullopt;
    if (auto fault = call(other, rows)) return fault;
    for (const int64_t element : unwritten_elements(other, rows))
        if (std::ranges::binary_search(suspected, element))
            return BlockFault{false, fmt::format("y[{}] of the row was not written", element % cols_),
                              row_index(domain, x_.data(), element / cols_)};
    return std::nullopt;
}

}  // namespace normcheck
