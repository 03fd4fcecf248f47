// Outputs looked at one by one, and the row's maxima as they are stated.
#include <cfloat>
#include <cmath>

#include "oracles/certified/certified_row.hpp"

namespace normcheck::certified {

void CertifiedRow::one_by_one(const NearElements& elements) {
    result_.correctly_rounded = result_.inadmissible = result_.cancelled = 0;
    absolute_ = element_ = slack_ = largest_y_ = {};
    largest_doubt_ = 0;
    Scratch& buffers = scratch();
    buffers.resize(n_);
    middle_.assign(static_cast<size_t>(n_), 0);
    std::vector<int64_t> inexact;
    for (int64_t i = 0; i < n_; ++i) {
        const Measured measured = measure_one(elements, i);
        buffers.error[i] = measured.error;
        buffers.doubt[i] = measured.doubt;
        largest_doubt_ = std::max(largest_doubt_, measured.doubt);
        if (measured.inexact) inexact.push_back(i);
    }
    for (const int64_t i : inexact) judge_inexact(elements, i, {buffers.error[i], buffers.doubt[i], true});
    summarize_one_by_one();
}

// The error of one output, and whether it is rounded correctly.
CertifiedRow::Measured CertifiedRow::measure_one(const NearElements& elements, int64_t i) {
    if (has_special_parameter(i)) {
        judge_special_parameter(elements, i);
        return {};
    }
    NearElements::Target target;
    const uint64_t code = got(i);
    double doubt = 0;
    try {
        target = elements.target(i);
        doubt = target.exact.error;
    } catch (const Undecided&) {
        hand_over(i);
        const Elements::Target exact = exact_.elements().target(i);
        target = {exact.held, exact.exact, exact.rank};
        doubt = std::fabs(exact.exact.hi) * 0x1p-100;
    }
    const double middle = target.exact.hi + target.exact.lo;
    if (!std::isfinite(middle)) throw Undecided{};
    if (!middle_.empty()) middle_[static_cast<size_t>(i)] = middle;
    if (is_nan(y_, code)) {
        fail(i, wrong_nan);
        return {HUGE_VAL, 0, false};
    }
    const double value = decode_double(y_, code);
    const double largest = decode_double(y_, y_.max_finite_code());
    const bool equal = rank(y_, code) == target.rank;
    if (equal) ++result_.correctly_rounded;
    const bool at_end = std::fabs(value) >= largest || !(std::fabs(target.exact.hi) + doubt < largest);
    if (at_end) throw Undecided{};
    const double error = std::fabs((value - target.exact.hi) - target.exact.lo);
    return {error, doubt * 1.01 + error * 0x1p-51, !equal};
}

void CertifiedRow::judge_special_parameter(const NearElements& elements, int64_t i) {
    const SpecialTarget target = special_parameter(state_, i, [&] {
        try {
            return elements.normed_sign(i);
        } catch (const Undecided&) {
            hand_over(i);
            return exact_.elements().normed_sign(i);
        }
    });
    if (matches(y_, target, got(i))) {
        ++result_.correctly_rounded;
        return;
    }
    special_failed_ = true;
    fail(i, wrong_special);
}

bool CertifiedRow::admissible(const NearElements& elements, int64_t i, int64_t got_rank) {
    try {
        return elements.admissible(i, got_rank);
    } catch (const Undecided&) {
        hand_over(i);
        return exact_.elements().admissible(i, got_rank);
    }
}

void CertifiedRow::judge_inexact(const NearElements& elements, int64_t i, const Measured& measured) {
    const bool is_admissible = admissible(elements, i, rank(y_, got(i)));
    if (!is_admissible) fail(i, wrong_y);
    const double error = measured.error, doubt = measured.doubt;
    const double value = decode_double(y_, got(i));
    const double y_size = std::max(std::fabs(value) - error, 0.0);
    const double largest_size = std::fabs(value) + error;
    const double middle = middle_.empty() ? 0 : std::fabs(middle_[static_cast<size_t>(i)]);
    const double low_size = middle_.empty() ? y_size : std::max(0.0, middle - doubt);
    const double high_size = middle_.empty() ? largest_size : middle + doubt;
    const double beyond_low = error - doubt * 1.01 - ulp(high_size) / 2;
    const double beyond_high = error + doubt * 1.01 - ulp(low_size) / 2;
    if (!(beyond_high > 0)) return;
    Bound width;
    try {
        width = elements.half_width(i);
    } catch (const Undecided&) {
        hand_over(i);
        width = Bound(exact_.elements().half_width(i).value);
    }
    if (width.high() == 0) {
        if (beyond_low > 0 && !is_admissible) slack_.raise(HUGE_VAL, HUGE_VAL);
        if (beyond_low <= 0) throw Undecided{};
        return;
    }
    if (width.low() == 0) throw Undecided{};
    slack_.raise(beyond_low / width.high() * (1 - 0x1p-50), beyond_high / width.low() * (1 + 0x1p-50));
}

void CertifiedRow::summarize_one_by_one() {
    const Scratch& buffers = scratch();
    Range terms;
    const std::vector<double>& beta = state_.parameters.beta;
    for (int64_t i = 0; i < n_; ++i) {
        const double b = beta.empty() ? 0 : beta[i];
        const double doubt = buffers.doubt[i] + (std::fabs(middle_[i]) + std::fabs(b)) * 0x1p-51;
        const double size = std::fabs(middle_[i]), product = std::fabs(middle_[i] - b);
        largest_y_.raise(std::max(0.0, size - doubt), middle_[i] == 0 && buffers.doubt[i] == 0 ? 0 : size + doubt);
        terms.raise(std::max(product - doubt, std::fabs(b)), std::max(product + doubt, std::fabs(b)));
        absolute_.raise(buffers.error[i] - buffers.doubt[i], buffers.error[i] + buffers.doubt[i]);
    }
    terms_low_ = terms.low;
    if (!options_.errors) return;
    for (int64_t i = 0; i < n_; ++i) {
        const double size = std::fabs(middle_[i]);
        const double doubt = buffers.doubt[i];
        if (size + doubt < terms.low * cancelled_share) {
            ++result_.cancelled;
            continue;
        }
        if (size - doubt < terms.high * cancelled_share || size <= doubt) {
            if (size == 0 && doubt == 0 && terms.high == 0) continue;  // all outputs are exactly 0
            throw Undecided{};
        }
        element_.raise((buffers.error[i] - doubt) / ulp(size + doubt) * (1 - 0x1p-50),
                       (buffers.error[i] + doubt) / ulp(size - doubt) * (1 + 0x1p-50));
    }
}

// The exact oracle's own numbers; where they are infinite the row is its own.
double CertifiedRow::exact_value(int64_t i) {
    if (has_special_parameter(i)) return 0;
    hand_over(i);
    const Approximation exact = exact_.elements().target(i).exact;
    const double value = exact.hi + exact.lo;
    if (!std::isfinite(value)) throw Undecided{};
    return value;
}

double CertifiedRow::exact_error(int64_t i) {
    if (has_special_parameter(i)) return 0;
    hand_over(i);
    const Approximation exact = exact_.elements().target(i).exact;
    return std::fabs((decode_double(y_, got(i)) - exact.hi) - exact.lo);
}

double CertifiedRow::exact_slack(int64_t i) {
    if (exact_.elements().target(i).rank == rank(y_, got(i))) return 0;  // a tie, rounded as it should be
    const double half = ulp(exact_value(i)) / 2;
    const double beyond = beyond_half(exact_.elements().target(i).exact, decode_double(y_, got(i)), half);
    const Upper width = exact_.elements().half_width(i);
    return beyond > 0 && width.value > 0 ? static_cast<double>(beyond / width.value) : 0;
}

// The maxima as they are stated; where an enclosure straddles two, the elements that may attain it are asked exactly.
void CertifiedRow::settle() {
    if (!slack_.decided()) settle_slack();
    result_.slack = stated(slack_.low);
    if (options_.errors) settle_errors();
    if (largest_y_.high > 0 && !(largest_y_.low > 0)) settle_largest();
}

void CertifiedRow::settle_errors() {
    if (!absolute_.decided()) {
        double largest = 0;
        const double limit = absolute_.low;
        for (int64_t i = 0; i < n_; ++i)
            if (error_of(i) + largest_doubt_ >= limit && error_of(i) + doubt_of(i) >= limit)
                largest = std::max(largest, exact_error(i));
        absolute_ = {largest, largest};
    }
    result_.absolute_error = stated(absolute_.low);
    find_worst();
    if (!element_.decided()) settle_elements();
    result_.element_error = stated(element_.low);
    if (largest_y_.high == 0) return;
    if (!(largest_y_.low > 0) || ulp(largest_y_.low) != ulp(largest_y_.high)) settle_largest();
    if (largest_y_.high == 0) return;
    result_.row_error = result_.absolute_error / ulp(largest_y_.high);
}

// The row's largest exact output, where it lies at a power of two or may be 0.
void CertifiedRow::settle_largest() {
    double largest = 0;
    for (int64_t i = 0; i < n_; ++i) {
        const double size = by_vectors_ ? std::fabs(again(i).y) : std::fabs(middle_[static_cast<size_t>(i)]);
        if (size + doubt_of(i) + size * 0x1p-50 < largest_y_.low) continue;
        largest = std::max(largest, std::fabs(exact_value(i)));
    }
    largest_y_ = {largest, largest};
}

// The first element whose stated error is the row's.
void CertifiedRow::find_worst() {
    if (result_.absolute_error == 0) return;
    const Scratch& buffers = scratch();
    const double limit = result_.absolute_error * (1 - 0x1p-10) - largest_doubt_;  // below all that is stated as it
    const auto next = [&](int64_t i) { return passes().first_from(buffers.error.data(), n_, i, limit); };
    for (int64_t i = next(0); i < n_; i = next(i + 1)) {
        const double error = buffers.error[i], doubt = doubt_of(i);
        const double low = stated(std::max(0.0, error - doubt)), high = stated(error + doubt);
        if (high < result_.absolute_error) continue;
        if (low != high && stated(exact_error(i)) < result_.absolute_error) continue;
        result_.worst = i;
        return;
    }
}

// The same of elementwise errors and of the slack, whose elements the vector pass did not keep.
void CertifiedRow::settle_elements() {
    double largest = brink_error_;
    for (int64_t i = 0; i < n_; ++i) {
        if (highest_element_error(i) < element_.low) continue;
        const double size = exact_value(i);
        if (size != 0) largest = std::max(largest, exact_error(i) / ulp(size));
    }
    element_ = {largest, largest};
}

// At least the elementwise error; negative where the element is cancelled.
double CertifiedRow::highest_element_error(int64_t i) const {
    const Scratch& buffers = scratch();
    if (by_vectors_) {
        const Again a = again(i);
        return a.counts ? (a.error + a.doubt) / a.unit / 2 * (1 + 0x1p-40) : -1;
    }
    const double size = std::fabs(middle_[static_cast<size_t>(i)]);
    const double doubt = buffers.doubt[i];
    if (size + doubt < terms_low_ * cancelled_share) return -1;
    return (buffers.error[i] + doubt) / ulp(std::max(0.0, size - doubt)) * (1 + 0x1p-40);
}

void CertifiedRow::settle_slack() {
    if (!by_vectors_) throw Undecided{};
    double largest = 0;
    for (int64_t i = 0; i < n_; ++i) {
        const Again a = again(i);
        if (a.correct || !(a.error - a.unit + a.doubt > 0)) continue;
        if (a.width > 0 && (a.error - a.unit + a.doubt) / a.width * (1 + 0x1p-40) < slack_.low) continue;
        largest = std::max(largest, exact_slack(i));
    }
    slack_ = {largest, largest};
}

}  // namespace normcheck::certified
