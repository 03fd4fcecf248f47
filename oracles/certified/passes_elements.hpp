// The pass that holds outputs against their enclosures.
#pragma once

#include "oracles/certified/passes_vectors.hpp"

namespace normcheck::certified {
namespace {

struct Records {
    double slack_low = 0, slack_high = 0, element_low = 0, element_high = 0;
    bool all_admissible = true;
};

/// One vector's elements. `power` is the binade of the lowest |y| that is possible; `towards` is the output, positive
/// where it has y's sign. Decided only where the gap between the output and its neighbour towards y is at least an ulp
/// of y: where it has y's sign and lies in its binade or above.
struct Vectors {
    V size, error, doubt, width, power, towards;
};

inline double power_of(double a) {
    int64_t field;
    __builtin_memcpy(&field, &a, sizeof a);
    field &= power_mask;
    __builtin_memcpy(&a, &field, sizeof a);
    return a;
}

/// For the few elements that may hold a largest value. The factors cover the roundings of the quotients.
__attribute__((noinline)) void raise(Records& records, const ElementTask& task, const Vectors& v, I record) {
    for (int k = 0; k < lanes; ++k) {
        if (record[k] == 0) continue;
        const double unit = v.power[k] * task.half_unit, error = v.error[k], doubt = v.doubt[k], narrow = v.width[k];
        const double longest = power_of(v.size[k] + doubt) * task.half_unit;
        const double unit_high = longest > unit ? longest : unit;
        if (v.size[k] >= task.cancelled_above && error + doubt > records.element_low * unit) {
            const double low = (error - doubt) / unit_high * (1 - 0x1p-50);
            const double high = (error + doubt) / unit * (1 + 0x1p-50);
            records.element_low = low > records.element_low ? low : records.element_low;
            records.element_high = high > records.element_high ? high : records.element_high;
        }
        const double beyond = error - unit, most = beyond + doubt;
        const bool incorrect = beyond > doubt && v.towards[k] >= v.power[k];
        if (!incorrect || most <= records.slack_low * narrow) continue;
        if (!(most < narrow)) records.all_admissible = false;
        const double wide = narrow * (1 + 0x1p-40) + task.width_more;
        const double low = (error - unit_high - doubt) / wide * (1 - 0x1p-50);
        const double high = most / narrow * (1 + 0x1p-50);
        records.slack_low = low > records.slack_low ? low : records.slack_low;
        records.slack_high = high > records.slack_high ? high : records.slack_high;
    }
}

/// One more in the lanes of the mask.
inline I counted(I count, I mask) {
    return mask ? count + 1 : count;
}

template <bool centred, bool with_gamma, bool with_beta, bool with_x>
struct Elements {
    template <class Reader>
    struct With {
        static ElementPass run(const ElementTask& task) {
            const ElementTask own = task;  // which no store changes
            Records records;
            Running running;
            int64_t i = 0;
            for (; i + lanes <= task.n; i += lanes)
                take(own, task, records, running, read<Reader>(task.got.data, i), i, I{}, true);
            if (const int64_t left = task.n - i; left > 0)
                take(own, task, records, running, read_tail<Reader>(task.got.data, i, left), i, first_lanes(left),
                     false);
            ElementPass result;
            result.correct = count_of(running.correct);
            result.incorrect = count_of(running.incorrect);
            result.surely_cancelled = count_of(running.surely);
            result.maybe_cancelled = count_of(running.maybe);
            result.all_admissible = records.all_admissible;
            result.largest_error = max_of(running.largest_error);
            result.largest_y = max_of(running.largest_y);
            result.slack_low = records.slack_low;
            result.slack_high = records.slack_high;
            result.element_low = records.element_low;
            result.element_high = records.element_high;
            return result;
        }

      private:
        struct Running {
            V best_slack = {}, best_element = {}, largest_error = {}, largest_y = {};
            I correct = {}, incorrect = {}, surely = {}, maybe = {};
        };
        struct Values {
            V y, width;
        };

        /// y and the widths of the elements from i on.
        __attribute__((always_inline)) static Values values(const ElementTask& task, int64_t i) {
            const V x = load(task.x + i);
            V y = (centred ? (x - task.centre) - task.rest : x) * task.rstd;
            V g = all(1);
            if (with_gamma) {
                g = load(task.gamma + i);
                y *= g;
            }
            V width = task.width_p * abs(y);
            if (centred) width += task.width_0 * abs(g);
            if (with_x) width += task.width_x * abs(x) * abs(g);
            if (with_beta) {
                const V b = load(task.beta + i);
                y += b;
                width += task.width_b * abs(b);
            }
            return {y, width};
        }

        /// The elements from i on; `shared` is the task once more, for what is not inlined.
        __attribute__((always_inline)) static void take(const ElementTask& task, const ElementTask& shared,
                                                        Records& records, Running& running, V got, int64_t i, I valid,
                                                        bool whole) {
            const auto [y, width] = values(task, i);
            const V size = whole ? abs(y) : only(valid, abs(y));
            const V error = whole ? abs(got - y) : only(valid, abs(got - y));
            const V doubt = task.doubt_w * width + task.doubt_0;
            store(task.error + i, error);
            const V power = number(bits(max(size - doubt, all(task.smallest_power))) & power_mask);
            const V unit = power * task.half_unit;
            const V beyond = error - unit, most = beyond + doubt;
            I is_correct = most < V{};
            const V towards = number(bits(got) ^ (bits(y) & sign_mask));
            I is_incorrect = (beyond > doubt) & (towards >= power);
            I is_surely = size < all(task.cancelled_below), is_maybe = size < all(task.cancelled_above);
            I counts = size >= all(task.cancelled_above);
            if (!whole) {
                is_correct &= valid;
                is_incorrect &= valid;
                is_surely &= valid;
                is_maybe &= valid;
                counts &= valid;
            }
            running.correct = counted(running.correct, is_correct);
            running.incorrect = counted(running.incorrect, is_incorrect);
            running.surely = counted(running.surely, is_surely);
            running.maybe = counted(running.maybe, is_maybe);
            running.largest_error = max(error, running.largest_error);
            running.largest_y = max(size, running.largest_y);
            const I record = (is_incorrect & (most > running.best_slack * width)) |
                             (counts & (error + doubt > running.best_element * unit));
            if (__builtin_expect(any(record), 0)) {
                raise(records, shared, {size, error, doubt, width, power, towards}, record);
                running.best_slack = all(records.slack_low);
                running.best_element = all(records.element_low);
            }
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

int64_t first_from_pass(const double* error, int64_t n, int64_t start, double limit) {
    for (int64_t i = start / lanes * lanes; i < n; i += lanes) {
        const V each = load(error + i);
        if (!any(each >= all(limit))) continue;
        for (int64_t k = i > start ? i : start; k < i + lanes && k < n; ++k)
            if (each[k - i] >= limit) return k;
    }
    return n;
}

}  // namespace
}  // namespace normcheck::certified
