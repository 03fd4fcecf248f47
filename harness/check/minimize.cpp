// Greedy: every move makes the case simpler by a measure of its own, and is kept where the case still shows what it
// did; rounds of all moves are made until none is kept. Rows and columns are thrown away first, because all else is
// then cheap to try.
#include "harness/check/minimize.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "harness/check/check.hpp"
#include "oracles/error.hpp"
#include "oracles/format.hpp"
#include "reports/finding_order.hpp"

namespace normcheck {
namespace {

/// More columns are not written out as bits.
constexpr int64_t largest_inline = 512;

class Shrinker {
  public:
    Shrinker(const nc_kernel& kernel, const Case& c, const Shows& shows, int64_t budget)
        : kernel_(kernel), shows_(shows), budget_(budget), best_(c) {}

    Minimized run() {
        bool changed = true;
        while (changed && checks_ < budget_) {
            changed = shrink_rows();
            changed |= shrink_call();
            changed |= shrink_eps();
            changed |= shrink_cols();
            changed |= shrink_parameters();
            changed |= shrink_fill();
            changed |= write_out() && drop_columns();
            changed |= simplify_numbers();
        }
        return {best_, checks_};
    }

  private:
    bool keep(const Case& c) {
        if (c == best_ || checks_ >= budget_) return false;
        ++checks_;
        try {
            if (!shows_(c)) return false;
        } catch (const InputError&) {
            return false;
        }
        best_ = c;
        return true;
    }

    template <class Change>
    bool try_change(Change change) {
        Case c = best_;
        change(c);
        return keep(c);
    }

    /// One row alone, in its place in the stream of rows; else the first rows, by halves, then less one.
    bool shrink_rows() {
        const int64_t rows = best_.rows;
        for (int64_t row = 0; row < std::min<int64_t>(rows, 16); ++row) {
            if (rows == 1) break;
            if (try_change([&](Case& c) {
                    c.rows = 1;
                    c.position += row;
                }))
                return true;
        }
        return shrink_extent(&Case::rows, 0);
    }

    bool shrink_cols() { return best_.x.bits.empty() && shrink_extent(&Case::cols, 0); }

    /// A few small values first, then halves, then one less.
    bool shrink_extent(int64_t Case::* extent, int64_t least) {
        const int64_t before = best_.*extent;
        for (int64_t small = least; small <= 4 && small < best_.*extent; ++small)
            if (try_change([&](Case& c) { c.*extent = small; })) return true;
        while (best_.*extent > 4 && try_change([&](Case& c) { c.*extent /= 2; })) {
        }
        for (int64_t step = best_.*extent / 4; step > 0; step /= 2)
            while (best_.*extent > step + 4 && try_change([&](Case& c) { c.*extent -= step; })) {
            }
        return best_.*extent != before;
    }

    bool shrink_call() {
        const Case plain;
        bool changed = try_change([&](Case& c) { c.alias = plain.alias; });
        for (int64_t Case::* number : {&Case::pitch, &Case::stride, &Case::offset, &Case::position})
            if (!try_change([&](Case& c) { c.*number = plain.*number; }))
                changed |=
                    best_.*number > plain.*number + 1 && try_change([&](Case& c) { c.*number = plain.*number + 1; });
            else
                changed = true;
        changed |= try_change([&](Case& c) { c.threads = plain.threads; });
        changed |= best_.threads > 2 && try_change([&](Case& c) { c.threads = 2; });
        changed |= best_.seed > 1 && try_change([&](Case& c) { c.seed = 1; });
        return changed;
    }

    /// The kernel's own eps, or one that is easy to read.
    bool shrink_eps() {
        const std::string before = best_.overrides;
        const std::string x = std::string("x=") + format(contract().x).name;
        for (const char* eps : {"", " eps=1", " eps=1e-3", " eps=1e-5"}) {
            const std::string words = difference_to_kernel(x + eps);
            if (words == before) return false;
            if (try_change([&](Case& c) { c.overrides = words; })) return true;
        }
        return false;
    }

    std::string difference_to_kernel(const std::string& words) const {
        const Contract own = parse_contract(kernel_.contract);
        return difference(with_overrides(own, words), own);
    }

    bool shrink_parameters() {
        bool changed = false;
        const auto try_sources = [&](Source Case::* tensor, std::initializer_list<const char*> fills) {
            for (const char* fill : fills) {
                if ((best_.*tensor).fill == fill) return;
                if (try_change([&](Case& c) { c.*tensor = {fill, {}}; })) {
                    changed = true;
                    return;
                }
            }
        };
        if (contract().gamma != Gamma::none) try_sources(&Case::gamma, {"absent", "ones"});
        if (contract().beta != Beta::none) try_sources(&Case::beta, {"absent", "zeros"});
        if (contract().residual != Residual::none) try_sources(&Case::residual, {"zeros"});
        return changed;
    }

    /// x as one of the plainest fills.
    bool shrink_fill() {
        if (best_.x.fill == "zeros" || !best_.x.bits.empty()) return false;
        return std::ranges::any_of(std::array{"zeros", "constant:1", "ramp"}, [&](const char* fill) {
            return best_.x.fill != fill && best_.x.fill != "ramp" && try_change([&](Case& c) { c.x = {fill, {}}; });
        });
    }

    /// The first row as bits: from here on columns can be dropped one by one. Rows of inline bits are all alike.
    bool write_out() {
        if (best_.cols < 1 || best_.cols > largest_inline || best_.rows < 1) return false;
        for (const auto& [source, tensor] : sources()) {
            const Source& now = best_.*source;
            const bool is_plain = now.fill == "absent" || now.fill == "ones" || now.fill == "zeros" ||
                                  now.fill == "constant:1" || !now.bits.empty();
            if (is_plain || !can_be_inline(tensor)) continue;
            const std::vector<uint64_t> codes = make_row(best_, contract(), tensor, 0);
            if (!codes.empty()) try_change([&](Case& c) { c.*source = {"", codes}; });
        }
        return !best_.x.bits.empty();
    }

    /// Whether a line of its own says the format in which inline values of the tensor are read.
    bool can_be_inline(InputTensor tensor) const {
        const bool is_row = tensor == InputTensor::x || tensor == InputTensor::residual;
        return is_row ? x_format(best_.overrides) == contract().x : params_format(best_.overrides) == contract().params;
    }

    /// Drops runs of columns, halves first.
    bool drop_columns() {
        const int64_t before = best_.cols;
        for (int64_t run = best_.cols / 2; run > 0; run /= 2)
            for (int64_t first = 0; first + run <= best_.cols && best_.cols > 1;)
                if (!try_change([&](Case& c) { erase_columns(c, first, run); })) first += run;
        return best_.cols != before;
    }

    void erase_columns(Case& c, int64_t first, int64_t run) const {
        for (const auto& [source, tensor] : sources()) {
            InlineBits& bits = (c.*source).bits;
            if (std::ssize(bits) == c.cols) bits.erase(bits.begin() + first, bits.begin() + first + run);
        }
        c.cols -= run;
    }

    bool simplify_numbers() {
        bool changed = false;
        for (const auto& [source, tensor] : sources()) {
            const FormatId id =
                tensor == InputTensor::x || tensor == InputTensor::residual ? contract().x : contract().params;
            changed |= shorten(source);
            for (size_t i = 0; i < (best_.*source).bits.size() && checks_ < budget_; ++i)
                changed |= simplify(source, i, format(id));
        }
        return changed;
    }

    /// One value for all columns.
    bool shorten(Source Case::* source) {
        if ((best_.*source).bits.size() < 2) return false;
        return try_change([&](Case& c) { (c.*source).bits.resize(1); });
    }

    /// How hard a number is to read: significant bits, and how far from 1 it is.
    static int complexity(const Format& numbers, uint64_t code) {
        if (!is_finite(numbers, code)) return is_nan(numbers, code) ? 1 : 2;
        const double value = decode_double(numbers, code);
        if (value == 0) return is_negative(numbers, code) ? 1 : 0;
        int exponent = 0, bits = 0;
        for (double rest = std::frexp(std::fabs(value), &exponent); rest != 0; rest -= std::floor(rest), ++bits)
            rest *= 2;
        return 1 + 4 * bits + std::abs(exponent - 1) + (value < 0 ? 1 : 0);
    }

    /// The value with so many significant bits.
    static double trimmed(double value, int bits) {
        int exponent = 0;
        const double significand = std::frexp(value, &exponent);
        return std::ldexp(std::nearbyint(std::ldexp(significand, bits)), exponent - bits);
    }

    bool simplify(Source Case::* source, size_t i, const Format& numbers) {
        const uint64_t code = (best_.*source).bits[i];
        std::vector<double> values = {0, 1, -1, 2};
        if (is_finite(numbers, code)) {
            const double value = decode_double(numbers, code);
            for (int bits : {1, 2, 4, 8, 12, 16}) values.push_back(trimmed(value, bits));
            values.push_back(-value);
            int exponent = 0;
            const double significand = std::frexp(value, &exponent);
            values.push_back(std::ldexp(significand, exponent / 2));
            values.push_back(std::ldexp(significand, exponent + (exponent > 0 ? -1 : 1)));
        }
        for (const double value : values) {
            const uint64_t simpler = round_double(numbers, value);
            if (complexity(numbers, simpler) >= complexity(numbers, code)) continue;
            if (try_change([&](Case& c) { (c.*source).bits[i] = simpler; })) return true;
        }
        return false;
    }

    Contract contract() const { return case_contract(&kernel_, best_); }

    static std::span<const std::pair<Source Case::*, InputTensor>> sources() {
        static constexpr std::array<std::pair<Source Case::*, InputTensor>, 4> all{
            {{&Case::x, InputTensor::x},
             {&Case::residual, InputTensor::residual},
             {&Case::gamma, InputTensor::gamma},
             {&Case::beta, InputTensor::beta}}};
        return all;
    }

    const nc_kernel& kernel_;
    const Shows& shows_;
    int64_t budget_;
    Case best_;
    int64_t checks_ = 0;
};

}  // namespace

std::string kind_of_finding(const nc_kernel& kernel, const Case& c) {
    const CaseResult result = check_case(kernel, c);
    if (!result.broken_rules.empty()) return rule_without_place(result.broken_rules[0]);
    for (const RowResult& row : result.rows)
        if (row.verdict == Verdict::fail) return rule_without_place(row.reason);
    return "";
}

Minimized minimize(const nc_kernel& kernel, const Case& c, const Shows& shows, int64_t budget) {
    Minimized result = Shrinker(kernel, c, shows, budget).run();
    result.smallest = parse_case(print(result.smallest));
    return result;
}

}  // namespace normcheck
