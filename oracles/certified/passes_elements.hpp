// The pass that holds outputs against their enclosures.
#pragma once

#include "oracles/certified/passes_vectors.hpp"

namespace normcheck::certified {
namespace {

struct Records {
    double slack_low = 0, slack_high = 0, element_low = 0, element_high = 0;
    bool all_admissible = true;
};

/// One vector's elements: `unit` is half an ulp at the lowest y that is possible, `beyond` is error - unit.
struct Vectors {
    V size, error, doubt, width, unit, beyond;
    I incorrect, counts;
};

inline double power_of(double a) {
    int64_t field;
    __builtin_memcpy(&field, &a, sizeof a);
    field &= power_mask;
    __builtin_memcpy(&a, &field, sizeof a);
    return a;
}

/// For the few vectors that may hold a largest value. The factors cover the roundings of the quotients.
__attribute__((noinline)) void raise(Records& records, const ElementTask& task, const Vectors& v) {
    for (int k = 0; k < lanes; ++k) {
        const double longest = power_of(v.size[k] + v.doubt[k]) * task.half_unit;
        const double unit_high = longest > v.unit[k] ? longest : v.unit[k];
        if (v.counts[k] != 0 && v.error[k] + v.doubt[k] > records.element_low * v.unit[k]) {
            const double low = (v.error[k] - v.doubt[k]) / unit_high * (1 - 0x1p-50);
            const double high = (v.error[k] + v.doubt[k]) / v.unit[k] * (1 + 0x1p-50);
            records.element_low = low > records.element_low ? low : records.element_low;
            records.element_high = high > records.element_high ? high : records.element_high;
        }
        if (v.incorrect[k] == 0 || v.beyond[k] + v.doubt[k] <= records.slack_low * v.width[k]) continue;
        const double narrow = v.width[k];
        if (!(v.beyond[k] + v.doubt[k] < narrow)) records.all_admissible = false;
        const double wide = narrow * (1 + 0x1p-40) + task.width_more;
        const double low = (v.error[k] - unit_high - v.doubt[k]) / wide * (1 - 0x1p-50);
        const double high = (v.beyond[k] + v.doubt[k]) / narrow * (1 + 0x1p-50);
        records.slack_low = low > records.slack_low ? low : records.slack_low;
        records.slack_high = high > records.slack_high ? high : records.slack_high;
    }
}

template <bool centred, bool with_gamma, bool with_beta, bool with_x>
struct Elements {
    template <class Reader>
    struct With {
        static ElementPass run(const ElementTask& task) {
            const V centre = all(task.centre), rest = all(task.rest), rstd = all(task.rstd);
            const V doubt_0 = all(task.doubt_0), doubt_c = all(task.doubt_c), doubt_t = all(task.doubt_t);
            const V width_0 = all(task.width_0), width_c = all(task.width_c);
            const V width_x = all(task.width_x), width_b = all(task.width_b);
            const V smallest = all(task.smallest_power), half = all(task.half_unit);
            const V below = all(task.cancelled_below), above = all(task.cancelled_above);
            Records records;
            V best_slack = all(0), best_element = all(0);
            V largest_error = {}, largest_y = {};
            I correct = {}, incorrect = {}, surely = {}, maybe = {};

            const auto take = [&](V got, int64_t i, I valid, bool whole) {
                const V x = load(task.x + i);
                const V c = centred ? (x - centre) - rest : x;
                V y = c * rstd;
                V doubt = doubt_0 + doubt_c * abs(c);
                V width = width_0 + width_c * abs(c);
                if (with_x) width += width_x * abs(x);
                if (with_gamma) {
                    const V g = load(task.gamma + i);
                    y *= g;
                    doubt *= abs(g);
                    width *= abs(g);
                }
                if (with_beta) {
                    const V b = load(task.beta + i);
                    y += b;
                    width += width_b * abs(b);
                }
                const V size = abs(y);
                doubt += doubt_t * size;
                V error = abs(got - y);
                if (!whole) {
                    error = only(valid, error);
                    doubt = only(valid, doubt);
                }
                store(task.error + i, error);
                store(task.doubt + i, doubt);
                const V power = number(bits(max(size - doubt, smallest)) & power_mask);
                const V unit = power * half;
                const V beyond = error - unit;
                const I is_correct = beyond + doubt < all(0);
                // Decided only where the gap between `got` and its neighbour towards y is at least an ulp of y: where
                // `got` has y's sign and lies in its binade or above.
                const V towards = number(bits(got) ^ (bits(y) & sign_mask));
                const I is_incorrect = (beyond > doubt) & (towards >= power);
                const I counts = size >= above;
                const I is_surely = size < below, is_maybe = size < above;
                if (whole) {
                    correct -= is_correct;
                    incorrect -= is_incorrect;
                    surely -= is_surely;
                    maybe -= is_maybe;
                } else {
                    correct -= is_correct & valid;
                    incorrect -= is_incorrect & valid;
                    surely -= is_surely & valid;
                    maybe -= is_maybe & valid;
                }
                largest_error = max(error, largest_error);
                largest_y = max(whole ? size : only(valid, size), largest_y);
                I record = (is_incorrect & (beyond + doubt > best_slack * width)) |
                           (counts & (error + doubt > best_element * unit));
                if (!whole) record &= valid;
                if (__builtin_expect(any(record), 0)) {
                    raise(records, task,
                          {size, error, doubt, width, unit, beyond, whole ? is_incorrect : is_incorrect & valid,
                           whole ? counts : counts & valid});
                    best_slack = all(records.slack_low);
                    best_element = all(records.element_low);
                }
            };
            int64_t i = 0;
            for (; i + lanes <= task.n; i += lanes) take(read<Reader>(task.got.data, i), i, I{}, true);
            if (i < task.n) take(read_tail<Reader>(task.got.data, i, task.n - i), i, first_lanes(task.n - i), false);

            ElementPass result;
            result.correct = count_of(correct);
            result.incorrect = count_of(incorrect);
            result.surely_cancelled = count_of(surely);
            result.maybe_cancelled = count_of(maybe);
            result.all_admissible = records.all_admissible;
            result.largest_error = max_of(largest_error);
            result.largest_y = max_of(largest_y);
            result.slack_low = records.slack_low;
            result.slack_high = records.slack_high;
            result.element_low = records.element_low;
            result.element_high = records.element_high;
            return result;
        }
    };
};

template <bool... settled>
struct Choose {
    static ElementPass run(const ElementTask& task) {
        constexpr int next = sizeof...(settled);
        if constexpr (next == 4) {
            return by_storage<Elements<settled...>::template With>(task.got.storage, task);
        } else {
            const bool choice = next == 0   ? task.centred
                                : next == 1 ? task.gamma != nullptr
                                : next == 2 ? task.beta != nullptr
                                            : task.width_x != 0;
            return choice ? Choose<settled..., true>::run(task) : Choose<settled..., false>::run(task);
        }
    }
};

ElementPass elements_pass(const ElementTask& task) {
    return Choose<>::run(task);
}

int64_t first_from_pass(const double* error, const double* doubt, int64_t n, int64_t start, double limit) {
    for (int64_t i = start / lanes * lanes; i < n; i += lanes) {
        const V sum = load(error + i) + load(doubt + i);
        if (!any(sum >= all(limit))) continue;
        for (int64_t k = i > start ? i : start; k < i + lanes && k < n; ++k)
            if (sum[k - i] >= limit) return k;
    }
    return n;
}

}  // namespace
}  // namespace normcheck::certified
