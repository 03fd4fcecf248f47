// Faults of kind L: a reciprocal root that is less accurate than promised, everywhere or far from 1.
#include <algorithm>
#include <bit>
#include <cfloat>

#include "harness/kernels/faulty/parts.hpp"

namespace normcheck::faulty {
namespace {

/// The leading 11 bits, as hardware estimates give: a relative error up to 2^-11.
float of_11_bits(float value) {
    return std::bit_cast<float>(std::bit_cast<uint32_t>(value) & 0xffffe000U);
}
float estimate(float radicand) {
    return of_11_bits(inverse_root(radicand));
}
/// One step of Newton's method for the reciprocal root.
float refined(float root, float radicand) {
    return root * (1.5f - 0.5f * radicand * root * root);
}
/// An estimate from the bits alone, 3.5 percent off at most.
float from_bits(float radicand) {
    return std::bit_cast<float>(0x5f3759dfU - (std::bit_cast<uint32_t>(radicand) >> 1));
}

float radicand_of(const Row& row) {
    return row.spread + row.eps;
}

float estimated(const Row& row) {
    return estimate(radicand_of(row));
}
float estimated_and_refined(const Row& row) {
    return refined(estimate(radicand_of(row)), radicand_of(row));
}
template <int steps>
float refined_from_bits(const Row& row) {
    float root = from_bits(radicand_of(row));
    for (int i = 0; i < steps; ++i) root = refined(root, radicand_of(row));
    return root;
}
/// A subnormal radicand counts as 0, whose root is Inf, which a step of Newton's turns into NaN.
float refined_infinity(const Row& row) {
    const float radicand = radicand_of(row);
    return radicand < FLT_MIN ? refined(HUGE_VALF, 0) : inverse_root(radicand);
}
/// A fixed-point root: radicands below 2^-32 are taken for it.
float of_fixed_point(const Row& row) {
    return inverse_root(std::max(radicand_of(row), 0x1p-32f));
}
float estimated_reciprocal(const Row& row) {
    return of_11_bits(1 / std::sqrt(radicand_of(row)));
}
float estimated_root(const Row& row) {
    return 1 / of_11_bits(std::sqrt(radicand_of(row)));
}
/// exp(-log(radicand) / 2): the error grows with the distance from 1.
float by_logarithm(const Row& row) {
    return std::exp(-0.5f * std::log(radicand_of(row)));
}
/// Good between 2^-20 and 2^20, an estimate elsewhere.
float estimated_far_from_one(const Row& row) {
    const float radicand = radicand_of(row);
    return radicand > 0x1p-20f && radicand < 0x1p20f ? inverse_root(radicand) : estimate(radicand);
}

}  // namespace

extern const nc_kernel rms_rsqrt_estimate = rms<[] { return Steps{.rstd = estimated}; }>(
    "faulty/rms_rsqrt_estimate", "the reciprocal root is an estimate of 11 bits");
extern const nc_kernel layer_rsqrt_one_step = layer<[] { return Steps{.rstd = estimated_and_refined}; }>(
    "faulty/layer_rsqrt_one_step", "the reciprocal root is an estimate of 11 bits and one step of Newton's method");
extern const nc_kernel layer_rsqrt_bits_one_step = layer<[] { return Steps{.rstd = refined_from_bits<1>}; }>(
    "faulty/layer_rsqrt_bits_one_step", "the reciprocal root is estimated from the bits and refined once");
extern const nc_kernel rms_rsqrt_bits_two_steps = rms<[] { return Steps{.rstd = refined_from_bits<2>}; }>(
    "faulty/rms_rsqrt_bits_two_steps", "the reciprocal root is estimated from the bits and refined twice");
extern const nc_kernel rms_rsqrt_refined_infinity = rms<[] { return Steps{.rstd = refined_infinity}; }>(
    "faulty/rms_rsqrt_refined_infinity", "the root of a subnormal number is refined from Inf to NaN");
extern const nc_kernel rms_rsqrt_fixed_point = rms<[] { return Steps{.rstd = of_fixed_point}; }>(
    "faulty/rms_rsqrt_fixed_point", "numbers below 2^-32 under the root are taken for 2^-32");
extern const nc_kernel layer_reciprocal_estimate = layer<[] { return Steps{.rstd = estimated_reciprocal}; }>(
    "faulty/layer_reciprocal_estimate", "the root is exact, its reciprocal an estimate of 11 bits");
extern const nc_kernel layer_root_estimate = layer<[] { return Steps{.rstd = estimated_root}; }>(
    "faulty/layer_root_estimate", "the root is an estimate of 11 bits, its reciprocal exact");
extern const nc_kernel rms_rsqrt_by_logarithm = rms<[] { return Steps{.rstd = by_logarithm}; }>(
    "faulty/rms_rsqrt_by_logarithm", "the reciprocal root is taken by way of the logarithm");
extern const nc_kernel layer_rsqrt_far_estimate = layer<[] { return Steps{.rstd = estimated_far_from_one}; }>(
    "faulty/layer_rsqrt_far_estimate", "far from 1 the reciprocal root is an estimate of 11 bits");
extern const nc_kernel rms_rsqrt_below_promise = promising<[] { return Steps{.rstd = estimated}; }>(
    "faulty/rms_rsqrt_below_promise", "rms rsqrt=rel:1e-5 reduce=lanes:16 batch_invariant=yes in_place=yes",
    "the reciprocal root has a relative error of 2^-11 where 1e-5 is promised");

}  // namespace normcheck::faulty
