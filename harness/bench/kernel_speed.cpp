// Times kernels in turns with a copy; see kernel_speed.hpp.
#include "harness/bench/kernel_speed.hpp"

#include <fmt/format.h>

#include <array>
#include <deque>
#include <string_view>

#include "harness/bench/cache_size.hpp"
#include "harness/bench/pinning.hpp"
#include "harness/bench/speed_calls.hpp"
#include "harness/check/abi_format.hpp"
#include "harness/check/check.hpp"
#include "harness/check/run_kernel.hpp"
#include "harness/kernels/registry.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

struct Shape {
    int64_t rows, cols;
};

constexpr FormatId default_formats[] = {FormatId::f32, FormatId::bf16};
constexpr Shape warm_shape{64, 1024};
constexpr int64_t cold_cols = 4096;
constexpr int64_t most_elements = int64_t{1} << 31;

int64_t bytes_of_x_and_y(FormatId id, const Shape& shape) {
    return 2 * shape.rows * shape.cols * format(id).bytes();
}

std::vector<Shape> shapes_of(const SpeedOptions& options, FormatId id) {
    if (options.rows.empty() && options.cols.empty()) {
        const int64_t row_bytes = bytes_of_x_and_y(id, {1, cold_cols});
        const int64_t cold_rows = (cold_share * last_cache_bytes() + row_bytes - 1) / row_bytes;
        return {warm_shape, {options.quick ? 2 : cold_rows, cold_cols}};
    }
    std::vector<Shape> shapes;
    for (const int64_t rows : options.rows.empty() ? std::vector{warm_shape.rows} : options.rows)
        for (const int64_t cols : options.cols.empty() ? std::vector{warm_shape.cols} : options.cols) {
            if (rows == 0 || cols == 0 || rows > most_elements / cols)
                throw InputError(
                    fmt::format("bench: there is no measuring {} x {}; expected 1 to 2^31 elements", rows, cols));
            shapes.push_back({rows, cols});
        }
    return shapes;
}

/// The kernel's contract when x has that format.
Contract contract_with(const nc_kernel& kernel, FormatId id) {
    Case c;
    c.overrides = fmt::format("x={}", format(id).name);
    return case_contract(&kernel, c);
}

/// The kernels that take the format and run in this process, with nothing measured yet.
std::vector<KernelSpeed> kernels_taking(const SpeedOptions& options, FormatId id) {
    std::vector<KernelSpeed> result;
    for (const nc_kernel* kernel : options.kernels) {
        if (needs_host(*kernel))
            throw InputError(fmt::format(
                "bench: {} runs in a host process, where its time is mostly that of the way there; expected others",
                kernel->name));
        if (!takes(*kernel, id)) continue;
        KernelSpeed& one = result.emplace_back();
        one.kernel = kernel;
        one.contract = contract_with(*kernel, id);
        one.composed = std::string_view(kernel->name).find("composed") != std::string_view::npos;
    }
    return result;
}

/// Runs the kernel once: why it cannot be measured, if it cannot.
std::optional<std::string> try_out(const nc_kernel& kernel, const nc_call& call) {
    KernelRun run = run_kernel(kernel, call);
    if (run.refusal) return run.refusal;
    if (!run.broken_rules.empty()) return run.broken_rules.front();
    return std::nullopt;
}

/// Makes the calls of a group's kernels and notes which of them are refused; those have no tensors.
std::deque<SpeedCall> make_calls(SpeedGroup& group, uint64_t seed, SpeedMemory& memory) {
    std::deque<SpeedCall> calls;
    for (KernelSpeed& one : group.kernels) {
        SpeedCall& made = calls.emplace_back();
        if (one.contract.y != one.contract.x) {
            one.refusal = "its y has another format than its x, so that no copy of x to y is a measure for it";
            continue;
        }
        made = make_speed_call(*one.kernel, one.contract, group.rows, group.cols, seed, memory);
        made.call.threads = group.threads;
        one.bytes = bytes_of(made.call);
        one.refusal = try_out(*one.kernel, made.call);
    }
    return calls;
}

void measure_group(SpeedGroup& group, const SpeedOptions& options, SpeedMemory& memory) {
    pin_team(group.threads);
    const std::deque<SpeedCall> calls = make_calls(group, options.seed, memory);
    std::vector<Work> work;
    std::vector<Timing*> timings;
    for (size_t i = 0; i < calls.size(); ++i) {
        KernelSpeed& one = group.kernels[i];
        if (one.refusal) continue;
        const nc_call& call = calls[i].call;
        if (work.empty()) {
            group.copy_bytes = bytes_of_x_and_y(group.format, {group.rows, group.cols});
            work.push_back([&call, &group] { return copy_x_to_y(call, group.threads), 0; });
            timings.push_back(&group.copy);
        }
        work.push_back([&one, &call] { return run_kernel(*one.kernel, call).returned; });
        timings.push_back(&one.timing);
    }
    if (work.empty()) return;
    MeasureOptions how = options.measure;
    how.wall = group.threads > 1;
    const std::vector<Timing> measured = measure(work, how);
    for (size_t i = 0; i < measured.size(); ++i) *timings[i] = measured[i];
}

/// True where the kernel computes its norm and nothing beside it, in f32, and as exactly as others do.
bool is_plain(const Contract& contract) {
    return contract.residual == Residual::none && contract.cast == Cast::last && contract.gamma == Gamma::mul &&
           contract.eps_at == EpsAt::inside && contract.variance != Variance::one_pass && contract.acc == FormatId::f32;
}

/// The fastest plain kernel of a kind; null where the group has none.
const KernelSpeed* fastest(const SpeedGroup& group, Norm norm, bool composed) {
    const KernelSpeed* best = nullptr;
    for (const KernelSpeed& one : group.kernels) {
        if (one.refusal || one.contract.norm != norm || one.composed != composed || !is_plain(one.contract)) continue;
        if (best == nullptr || one.timing.seconds < best->timing.seconds) best = &one;
    }
    return best;
}

std::string kind_of(const KernelSpeed& one) {
    const char* fusion = one.composed ? "composed" : "fused";
    return fmt::format("{} {} ({})", fusion, one.contract.norm == Norm::rms ? "rms" : "layer", one.kernel->name);
}

}  // namespace

const char* name(CacheState state) {
    constexpr std::array names{"warm", "partly warm", "cold"};
    return names[static_cast<size_t>(state)];
}

CacheState cache_state(FormatId id, int64_t rows, int64_t cols) {
    const int64_t bytes = bytes_of_x_and_y(id, {rows, cols}), cache = last_cache_bytes();
    if (bytes * warm_share <= cache) return CacheState::warm;
    return bytes >= cache * cold_share ? CacheState::cold : CacheState::partly;
}

double SpeedGroup::share_of_copy(const KernelSpeed& one) const {
    return (static_cast<double>(one.bytes) / one.timing.seconds) / (static_cast<double>(copy_bytes) / copy.seconds);
}

std::vector<SpeedGroup> measure_kernel_speeds(const SpeedOptions& options) {
    std::vector<SpeedGroup> groups;
    const std::vector<FormatId> usual(std::begin(default_formats), std::end(default_formats));
    for (const FormatId id : options.formats.empty() ? usual : options.formats) {
        const std::vector<KernelSpeed> kernels = kernels_taking(options, id);
        if (kernels.empty()) continue;
        for (const Shape& shape : shapes_of(options, id)) {
            SpeedMemory memory;
            for (const int64_t threads : options.threads) {
                groups.push_back({id,
                                  shape.rows,
                                  shape.cols,
                                  static_cast<int>(threads),
                                  cache_state(id, shape.rows, shape.cols),
                                  0,
                                  {},
                                  kernels});
                measure_group(groups.back(), options, memory);
            }
        }
    }
    if (groups.empty()) throw InputError("bench: none of these kernels takes one of these formats");
    return groups;
}

std::vector<SpeedRatio> ratios_of(const SpeedGroup& group) {
    std::vector<SpeedRatio> ratios;
    const auto add = [&](const KernelSpeed* first, const KernelSpeed* second) {
        if (first == nullptr || second == nullptr) return;
        ratios.push_back({fmt::format("{} against {}", kind_of(*first), kind_of(*second)),
                          second->timing.seconds / first->timing.seconds});
    };
    const KernelSpeed *fused_layer = fastest(group, Norm::layer, false), *fused_rms = fastest(group, Norm::rms, false);
    const KernelSpeed *layer = fastest(group, Norm::layer, true), *rms = fastest(group, Norm::rms, true);
    add(fused_layer, rms);
    add(fused_rms, fused_layer);
    add(rms, layer);
    return ratios;
}

bool is_held_to_the_copy(const SpeedGroup& group, const KernelSpeed& one) {
    const bool fused_here = std::string_view(one.kernel->name).starts_with("cpu/") && !one.composed;
    return fused_here && !one.refusal && group.cache == CacheState::cold &&
           (group.format == FormatId::f32 || group.format == FormatId::bf16);
}

}  // namespace normcheck
