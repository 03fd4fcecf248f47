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
template <class Row, size_t rows>
Each<Moments, rows> accumulate_full(const Each<Row, rows>& row, int64_t steps) {
    constexpr int width = register_width<float>;
    Running running[rows][register_count<float>];
    for (int64_t step = 0; step < steps; ++step)
        for (int part = 0; part < register_count<float>; ++part)
            for (size_t k = 0; k < rows; ++k)
                update(running[k][part].mean, running[k][part].squares,
                       register_at(row[k], step * lane_count + part * width), static_cast<float>(step + 1));
    Each<Moments, rows> moments;
    for (size_t k = 0; k < rows; ++k) {
        for (int part = 0; part < register_count<float>; ++part) {
            store_as(running[k][part].mean, moments[k].mean + part * width);
            store_as(running[k][part].squares, moments[k].squares + part * width);
        }
        std::fill_n(moments[k].count, lane_count, static_cast<float>(steps));
    }
    return moments;
}

/// Takes in the values that are left after the last full step.
template <class Row>
void accumulate_rest(const Row& row, int64_t begin, int64_t count, Moments& moments) {
    for (int64_t i = begin, lane = 0; i < count; ++i, ++lane) {
        moments.count[lane] += 1;
        update(moments.mean[lane], moments.squares[lane], row[i], moments.count[lane]);
    }
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

/// Merges all lanes into the first.
void merge_all(Moments& moments) {
    for (int half = lane_count / 2; half > 0; half /= 2)
        for (int lane = 0; lane < half; ++lane) merge(moments, lane, lane + half);
}

struct WelfordStatistics {
    template <class Row, size_t rows>
    static EachStatistics<Row, rows> of(const Each<Row, rows>& row, int64_t count, float eps) {
        const int64_t steps = count / lane_count;
        Each<Moments, rows> moments = accumulate_full(row, steps);
        EachStatistics<Row, rows> result;
        for (size_t k = 0; k < rows; ++k) {
            accumulate_rest(row[k], steps * lane_count, count, moments[k]);
            merge_all(moments[k]);
            const float variance = divided_by_count(moments[k].squares[0], count);
            result[k] = {moments[k].mean[0], inverse_root(variance + eps)};
        }
        return result;
    }
};

const char* run(const nc_call* call) {
    return run_program<float, WelfordStatistics, ApplyCentred>(*call);
}

}  // namespace

extern const nc_kernel cpu_layer_welford = {
    "cpu/layer_welford", "layer beta=add variance=welford reduce=lanes:16 batch_invariant=yes in_place=yes",
    "LayerNorm, mean and variance in one pass by Welford's update in lanes, in f32", cpu_formats, run};

}  // namespace normcheck
