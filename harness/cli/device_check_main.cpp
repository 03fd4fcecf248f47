// The program behind scripts/device_check: one table of all CUDA kernels. Under the device model: judged by the oracle,
// and what an element costs. On a device, where there is one: judged by the oracle, and compared bit by bit with the
// device model. Exit status 0 where all is well, 1 where something is wrong, 2 for wrong usage, 77 where there was no
// device to ask.
#include <fmt/format.h>
#include <omp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "harness/check/abi_format.hpp"
#include "harness/check/run_plan.hpp"
#include "harness/check/same_bits.hpp"
#include "harness/kernels/cuda/device_kernels.hpp"
#include "harness/kernels/registry.hpp"
#include "reports/layout.hpp"
#include "reports/verdict.hpp"

namespace normcheck {
namespace {

constexpr int skipped_status = 77;
constexpr std::string_view emulated = "emulated/";

/// One line of the table: a kernel under the device model, and on the device where there is one.
struct Line {
    std::string kernel, format;
    KernelReport model;
    double nanoseconds = 0;  // per element under the device model
    KernelReport device;
    BitComparison bits;
};

KernelReport judged(const nc_kernel& kernel, const Job& planned) {
    Job job = planned;
    job.kernel = &kernel;
    for (Case& c : job.cases) c.kernel = kernel.name;
    return run_plan({&job, 1}, {.threads = omp_get_num_procs()}).kernels.at(0);
}

double processor_nanoseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

/// Processor time per element: the fastest of some calls on 8 rows of 4096 columns without parameters.
double nanoseconds_per_element(const nc_kernel& kernel, FormatId id) {
    constexpr int64_t rows = 8, cols = 4096;
    std::vector<uint64_t> x(rows * cols, 0x3c003c003c003c00), y(rows * cols), residual(rows * cols);
    nc_call call{};
    call.x = call.y = {x.data(), {rows, cols}, {cols, 1}, abi_format(id), {NC_CPU, 0}};
    call.y.data = y.data();
    if (parse_contract(kernel.contract).residual != Residual::none) {
        call.residual = call.x;
        call.residual.data = residual.data();
    }
    call.eps = 1;
    call.threads = 1;
    double best = HUGE_VAL;
    for (int turn = 0; turn < 30; ++turn) {
        const double begin = processor_nanoseconds();
        if (kernel.run(&call) != nullptr) return NAN;
        best = std::min(best, (processor_nanoseconds() - begin) / (rows * cols));
    }
    return best;
}

Line line_of(const nc_kernel& model, const nc_kernel* device, const Job& job) {
    Line line;
    line.kernel = std::string(model.name).substr(emulated.size());
    line.format = format(job.format).name;
    line.model = judged(model, job);
    line.nanoseconds = nanoseconds_per_element(model, job.format);
    if (device == nullptr) return line;
    line.device = judged(*device, job);
    line.bits = compare_bits(model, *device, job, omp_get_num_procs());
    return line;
}

struct DeviceCheckOptions {
    int64_t max_cases = INT64_MAX;  // per kernel and format
    uint64_t seed = 1;
};

std::vector<Line> all_lines(const DeviceCheckOptions& options) {
    std::vector<Line> lines;
    for (const nc_kernel* kernel : built_in_kernels()) {
        const std::string name = kernel->name;
        if (!name.starts_with(emulated)) continue;
        const nc_kernel* device = find_kernel("cuda/" + name.substr(emulated.size()));
        for (Job& job : planned_jobs(*kernel, {.seed = options.seed})) {
            if (std::ssize(job.cases) > options.max_cases) job.cases.resize(static_cast<size_t>(options.max_cases));
            lines.push_back(line_of(*kernel, device, job));
        }
    }
    return lines;
}

Entry verdict_entry(const KernelReport& report) {
    const Verdict of_all = verdict(report);
    return {std::string(name(of_all)), of_all == Verdict::pass ? Style::green : Style::red};
}

bool is_wrong(const Line& line, bool with_device) {
    if (verdict(line.model) != Verdict::pass) return true;
    return with_device && (verdict(line.device) != Verdict::pass || line.bits.differing > 0);
}

std::string table(const std::vector<Line>& lines, bool with_device, const Page& page) {
    Columns columns = {
        {"kernel", {}, true}, {"x", {}, true}, {"model", {}}, {"rows\npass", {}}, {"ns per\nelement", {}}};
    if (with_device) {
        for (const char* head : {"device", "rows\npass", "outputs\ncompared", "bits\ndiffer"})
            columns.push_back({head, {}});
    }
    for (const Line& line : lines) {
        columns[0].entries.push_back({line.kernel});
        columns[1].entries.push_back({line.format});
        columns[2].entries.push_back(verdict_entry(line.model));
        columns[3].entries.push_back({fmt::format("{}", count(totals(line.model), Verdict::pass))});
        columns[4].entries.push_back({fmt::format("{:.1f}", line.nanoseconds)});
        if (!with_device) continue;
        columns[5].entries.push_back(verdict_entry(line.device));
        columns[6].entries.push_back({fmt::format("{}", count(totals(line.device), Verdict::pass))});
        columns[7].entries.push_back({fmt::format("{}", line.bits.outputs)});
        columns[8].entries.push_back({fmt::format("{}", line.bits.differing)});
    }
    std::string text = head_lines(columns, page);
    for (size_t i = 0; i < lines.size(); ++i) text += row_line(columns, i, page) + '\n';
    return text;
}

int device_check(const DeviceCheckOptions& options) {
    const bool with_device = !device_kernels().empty();
    const std::vector<Line> lines = all_lines(options);
    fmt::print("{}", table(lines, with_device, {.columns = 120}));
    bool wrong = false;
    for (const Line& line : lines) {
        wrong |= is_wrong(line, with_device);
        if (!line.bits.first.empty())
            fmt::print("{} {}: the device differs from the model first in '{}'\n", line.kernel, line.format,
                       line.bits.first);
    }
    if (!with_device) fmt::print("SKIPPED  the rows of a device: {}\n", why_no_device_kernels());
    if (wrong) return EXIT_FAILURE;
    return with_device ? EXIT_SUCCESS : skipped_status;
}

}  // namespace
}  // namespace normcheck

int main(int argc, char** argv) {
    CLI::App app("judges every CUDA kernel under the device model and on the device, and compares the bits");
    normcheck::DeviceCheckOptions options;
    app.add_option("--cases", options.max_cases, "at most so many cases per kernel and format")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    app.add_option("--seed", options.seed, "seed of all random inputs (default 1)")->type_name("N");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? EXIT_SUCCESS : 2;
    }
    return normcheck::device_check(options);
}
