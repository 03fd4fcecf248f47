// Hulls and lines over them; see tolerance.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "harness/check/tolerance.hpp"

namespace normcheck {
namespace {

/// Whether b lies on or below the line from a to c; sizes rise.
bool is_under(const Needed& a, const Needed& b, const Needed& c) {
    return (b.off - a.off) * (c.size - a.size) <= (c.off - a.off) * (b.size - a.size);
}

bool comes_first(const Needed& a, const Needed& b) {
    return a.size < b.size || (a.size == b.size && a.off > b.off);
}

/// To three digits, never below the value; what double arithmetic lost on the way to it is covered too.
double rounded_up(double value) {
    if (value == 0 || !std::isfinite(value)) return value;
    const double least = value * (1 + 1e-12);
    const double unit = std::pow(10.0, std::floor(std::log10(least)) - 2);
    return std::strtod(fmt::format("{:.2e}", std::ceil(least / unit) * unit).c_str(), nullptr);
}

}  // namespace

bool NeededHull::covers(double size, double off) const {
    const auto after = std::ranges::lower_bound(points_, size, {}, &Needed::size);
    if (after == points_.end()) return false;
    if (after->size == size) return off <= after->off;
    return after != points_.begin() && is_under(*(after - 1), {size, off, {}, 0, 0}, *after);
}

void NeededHull::add(Needed point) {
    if (covers(point.size, point.off)) return;
    NeededHull one;
    one.points_.push_back(std::move(point));
    add(one);
}

void NeededHull::add(const NeededHull& other) {
    std::vector<Needed> all;
    std::ranges::merge(points_, other.points_, std::back_inserter(all), comes_first);
    points_.clear();
    for (Needed& point : all) {
        if (!points_.empty() && points_.back().size == point.size) continue;  // the first of a size is the farthest
        while (points_.size() >= 2 && is_under(points_[points_.size() - 2], points_.back(), point)) points_.pop_back();
        points_.push_back(std::move(point));
    }
}

/// The mean of atol + rtol s over s from 0 to 1 is its value at 1/2: the line goes along the edge of the hull there,
/// unless it would fall or begin below 0.
Fit fit(const NeededHull& hull) {
    const std::span<const Needed> points = hull.points();
    if (points.empty()) return {};
    const auto ratio = [](const Needed& point) { return point.size > 0 ? point.off / point.size : 0; };
    const Needed farthest = std::ranges::max(points, {}, &Needed::off);
    const Needed steepest = std::ranges::max(points, {}, ratio);
    const auto after = std::ranges::find_if(points, [](const Needed& point) { return point.size > 0.5; });
    if (after == points.end()) return {{0, rounded_up(farthest.off)}, farthest};
    if (after == points.begin()) return {{rounded_up(ratio(steepest)), 0}, steepest};
    const Needed &left = *(after - 1), &right = *after;
    const double slope = (right.off - left.off) / (right.size - left.size);
    const double at_zero = left.off - slope * left.size;
    if (slope < 0) return {{0, rounded_up(farthest.off)}, farthest};
    if (at_zero < 0) return {{rounded_up(ratio(steepest)), 0}, steepest};
    return {{rounded_up(slope), rounded_up(at_zero)}, right};
}

Tolerance usual_tolerance(FormatId y) {
    switch (y) {
        case FormatId::f64:
            return {1e-7, 1e-7};
        case FormatId::f32:
            return {1.3e-6, 1e-5};
        case FormatId::f16:
            return {1e-3, 1e-5};
        case FormatId::bf16:
            return {1.6e-2, 1e-5};
    }
    return {};
}

}  // namespace normcheck
