// What `bench KERNEL...` found, as tables and as a report.
#include <fmt/format.h>

#include <functional>

#include "harness/bench/cache_size.hpp"
#include "harness/bench/kernel_speed.hpp"
#include "harness/bench/table.hpp"
#include "reports/collect.hpp"

namespace normcheck {
namespace {

std::string explanation(std::span<const SpeedGroup> groups) {
    return fmt::format(
        "Calls of each kernel beside a copy of x to y, which loads and stores every byte once, by ordinary stores in "
        "the "
        "widest registers, on as many threads. All are timed in random turns, one thread by its processor time, "
        "several "
        "by the clock: medians of {} repetitions; spread is half the distance between the quartiles. GB/s counts every "
        "tensor once, read or written. warm: x and y fill at most 1/{} of the last cache, {} MiB; cold: they are at "
        "least "
        "{} times as large. A kernel is composed where its name says so, else fused. What kernels allocate the process "
        "keeps between calls.",
        groups.front().copy.repetitions, warm_share, last_cache_bytes() >> 20, cold_share);
}

const char* fusion(const KernelSpeed& one) {
    return one.composed ? "composed" : "fused";
}

std::string threads_text(int threads) {
    return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

std::string setting(const SpeedGroup& group) {
    return fmt::format("{}, {} x {}, {}, {}", format(group.format).name, group.rows, group.cols, name(group.cache),
                       threads_text(group.threads));
}

/// A row of the table: the copy, or a kernel.
struct Line {
    std::string name, fusion;
    int64_t bytes;
    Timing timing;
    double share;
};

std::vector<Line> lines_of(const SpeedGroup& group) {
    std::vector<Line> lines{{"copy of x to y", "", group.copy_bytes, group.copy, 1}};
    for (const KernelSpeed& one : group.kernels)
        if (!one.refusal)
            lines.push_back({one.kernel->name, fusion(one), one.bytes, one.timing, group.share_of_copy(one)});
    return lines;
}

std::string table_of(const SpeedGroup& group, const Page& page) {
    const std::vector<Line> lines = lines_of(group);
    const auto column = [&](const char* head, bool left, const std::function<std::string(const Line&)>& text) {
        Column result{head, {}, left};
        for (const Line& line : lines) result.entries.push_back({text(line)});
        return result;
    };
    const auto elements = static_cast<double>(group.rows * group.cols);
    const Columns numbers{
        column("", true, [](const Line& line) { return line.fusion; }),
        column("ns per\nelement", false,
               [&](const Line& line) { return show_three_digits(line.timing.seconds * 1e9 / elements); }),
        column("GB/s", false,
               [](const Line& line) {
                   return show_three_digits(static_cast<double>(line.bytes) / line.timing.seconds / 1e9);
               }),
        column("of the\ncopy [%]", false, [](const Line& line) { return fmt::format("{:.0f}", line.share * 100); }),
        column("spread\n[%]", false, [](const Line& line) { return fmt::format("{:.1f}", line.timing.spread * 100); })};
    return table_text(column("", true, [](const Line& line) { return line.name; }), {numbers}, page);
}

std::string ratios_text(const SpeedGroup& group, const Page& page) {
    const std::vector<SpeedRatio> ratios = ratios_of(group);
    std::string text = ratios.empty() ? "" : "  times as fast:\n";
    for (const SpeedRatio& ratio : ratios)
        text += paragraph(fmt::format("  {:>5}  ", fmt::format("{:.2f}", ratio.times_as_fast)), ratio.what, page);
    return text;
}

std::string refusals_text(const SpeedGroup& group, const Page& page) {
    std::string text;
    for (const KernelSpeed& one : group.kernels)
        if (one.refusal)
            text += paragraph("  not measured: ", fmt::format("{}: {}", one.kernel->name, *one.refusal), page);
    return text;
}

std::string targets_text(std::span<const SpeedGroup> groups, bool judged, const Page& page) {
    std::string lines;
    for (const SpeedGroup& group : groups)
        for (const KernelSpeed& one : group.kernels) {
            if (!is_held_to_the_copy(group, one)) continue;
            const double share = group.share_of_copy(one);
            lines +=
                target_line(judged ? std::optional(share >= wanted_share_of_copy) : std::nullopt,
                            fmt::format("{} {}, {}: {:.0f} % of a copy", one.kernel->name, format(group.format).name,
                                        threads_text(group.threads), wanted_share_of_copy * 100),
                            fmt::format("{:.0f} %", share * 100), page);
        }
    return lines.empty() ? "" : targets_heading(judged, page) + lines;
}

Speed speed_of(const SpeedGroup& group, const KernelSpeed& one) {
    const double copies = static_cast<double>(one.bytes) / static_cast<double>(group.copy_bytes);
    return {group.rows,
            group.cols,
            group.threads,
            fmt::format("{}, {} cache", fusion(one), name(group.cache)),
            one.bytes,
            one.timing.seconds,
            one.timing.fastest,
            one.timing.slowest,
            group.copy.seconds * copies};
}

}  // namespace

std::string kernel_speed_text(std::span<const SpeedGroup> groups, bool judged, const Page& page) {
    std::string text = paragraph("", explanation(groups), page) + '\n';
    for (const SpeedGroup& group : groups) {
        text += paint(setting(group), Style::bold, page) + '\n';
        if (group.copy.repetitions > 0) text += table_of(group, page) + ratios_text(group, page);
        text += refusals_text(group, page) + '\n';
    }
    return text + targets_text(groups, judged, page);
}

Report kernel_speed_report(std::span<const SpeedGroup> groups) {
    Report report;
    for (const SpeedGroup& group : groups)
        for (const KernelSpeed& one : group.kernels) {
            KernelReport& record = kernel_report(report, one.kernel->name, group.format, print(one.contract));
            if (!one.refusal) record.speeds.push_back(speed_of(group, one));
        }
    return report;
}

}  // namespace normcheck
