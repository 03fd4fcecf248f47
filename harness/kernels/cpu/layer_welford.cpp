// LayerNorm with the variance of one pass by Welford's update in each of 16 lanes, the lanes merged by Chan's formula.
// Sources: B. P. Welford, Technometrics 4 (1962); T. F. Chan, G. H. Golub, R. J. LeVeque, COMPSTAT 1982.
#include "harness/kernels/cpu/apply.hpp"

namespace normcheck {
namespace {

/// Running moments of each lane: how many values, their mean, and the sum of squares around it.
struct Moments {
    float count[lane_count] = {};
    float mean[lane_count] = {};
    float squares[lane_count] = {};
};

/// Mean and squares of as many lanes as one register holds, while they run.
struct Running {
    Register<float> mean = {};
    Register<float> squares = {};
};

/// Takes values as the `position`-th of their lanes. The first division, by 1, is exact. Works on registers and
/// scalars.
template <class Value>
void update(Value& mean, Value& squares, Value value, float position) {
    const Value delta = value - mean;
    mean += delta / position;
    squares += delta * (value - mean);
}

/// The moments of the first `steps` values of every lane.
Moments accumulate_full(const float* values, int64_t steps) {
    constexpr int width = register_width<float>;
    Running running[register_count<float>];
    for (int64_t step = 0; step < steps; ++step)
        for (int part = 0; part < register_count<float>; ++part)
            update(running[part].mean, running[part].squares, load_register(values + step * lane_count + part * width),
                   static_cast<float>(step + 1));
    Moments moments;
    for (int part = 0; part < register_count<float>; ++part) {
        std::memcpy(moments.mean + part * width, &running[part].mean, sizeof(Register<float>));
        std::memcpy(moments.squares + part * width, &running[part].squares, sizeof(Register<float>));
    }
    std::fill_n(moments.count, lane_count, static_cast<float>(steps));
    return moments;
}

Moments accumulate(const float* values, int64_t count) {
    const int64_t steps = count / lane_count, rest = count % lane_count;
    Moments moments = accumulate_full(values, steps);
    for (int64_t lane = 0; lane < rest; ++lane) {
        moments.count[lane] += 1;
        update(moments.mean[lane], moments.squares[lane], values[steps * lane_count + lane], moments.count[lane]);
    }
    return moments;
}

/// Merges lane `from` into lane `into`, which holds at least as many values.
void merge(Moments& moments, int into, int from) {
    if (moments.count[from] == 0) return;
    const float count = moments.count[into] + moments.count[from];
    const float share = moments.count[from] / count;
    const float delta = moments.mean[from] - moments.mean[into];
    moments.mean[into] += delta * share;
    moments.squares[into] += moments.squares[from] + delta * (delta * (moments.count[into] * share));
    moments.count[into] = count;
}

RowStatistics<float> welford_statistics(const float* values, int64_t count, float eps) {
    Moments moments = accumulate(values, count);
    for (int half = lane_count / 2; half > 0; half /= 2)
        for (int lane = 0; lane < half; ++lane) merge(moments, lane, lane + half);
    return {moments.mean[0], inverse_root(divided_by_count(moments.squares[0], count) + eps)};
}

constexpr RowProgram<float> program{.layer = true, .statistics = welford_statistics, .apply = apply_centred<float>};

const char* run(const nc_call* call) {
    return run_program(program, *call);
}

}  // namespace

extern const nc_kernel cpu_layer_welford = {
    "cpu/layer_welford", "layer beta=add variance=welford reduce=lanes:16 batch_invariant=yes in_place=yes",
    "LayerNorm, mean and variance in one pass by Welford's update in lanes, in f32", cpu_formats, run};

}  // namespace normcheck
