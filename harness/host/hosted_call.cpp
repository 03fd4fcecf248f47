// Copies a call's memory to and fro, and keeps count of the hosts that a kernel has cost.
#include "harness/host/hosted_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "harness/host/host_process.hpp"
#include "oracles/error.hpp"

namespace normcheck::host {
namespace {

constexpr size_t line_bytes = 64;

thread_local bool short_calls = false;

size_t rounded_up(size_t bytes) {
    return (bytes + line_bytes - 1) / line_bytes * line_bytes;
}

using KernelNumber = std::pair<int, uint32_t>;  // host and kernel

/// How often kernels have cost a host, in this process.
class Deaths {
  public:
    struct Count {
        int all = 0, hung = 0, in_a_row = 0;
    };
    Count of(KernelNumber kernel) {
        const std::lock_guard lock(mutex_);
        return counts_[kernel];
    }
    /// The count with this death in it.
    Count add(KernelNumber kernel, bool hung) {
        const std::lock_guard lock(mutex_);
        Count& count = counts_[kernel];
        ++count.all;
        ++count.in_a_row;
        count.hung += hung;
        return count;
    }
    void end_row(KernelNumber kernel) {
        const std::lock_guard lock(mutex_);
        counts_[kernel].in_a_row = 0;
    }

  private:
    std::mutex mutex_;
    std::map<KernelNumber, Count> counts_;
};

Deaths& deaths() {
    static Deaths all;
    return all;
}

std::deque<HostCommand>& commands() {
    static std::deque<HostCommand> all{{.what = "the host of faults"}};
    return all;
}

bool is_alike(const KernelInfo& a, const KernelInfo& b) {
    return a.supports == b.supports && std::string_view(a.name) == b.name && std::string_view(a.contract) == b.contract;
}

/// What the first host of each kind has said; a later one must say the same, since kernels are known by their number.
class FirstHellos {
  public:
    bool has(int host) {
        const std::lock_guard lock(mutex_);
        return kernels_.contains(host);
    }
    void compare(int host, const HostProcess& process) {
        const std::lock_guard lock(mutex_);
        const auto& first = kernels_.try_emplace(host, process.kernels()).first->second;
        if (!std::ranges::equal(first, process.kernels(), is_alike))
            throw InputError(host_command(host).what + ": it has other kernels than when it was first started");
    }

  private:
    std::mutex mutex_;
    std::map<int, std::vector<KernelInfo>> kernels_;
};

FirstHellos& first_hellos() {
    static FirstHellos all;
    return all;
}

/// This thread's host.
HostProcess& this_host(int number) {
    thread_local std::map<int, std::unique_ptr<HostProcess>> hosts;
    std::unique_ptr<HostProcess>& host = hosts[number];
    if (host == nullptr || !host->is_alive()) {
        host.reset();
        auto started = std::make_unique<HostProcess>(host_command(number));
        first_hellos().compare(number, *started);
        host = std::move(started);
    }
    return *host;
}

/// The place of an address in the shared memory, where the blocks lie one after the other.
int64_t place_of(const std::byte* address, std::span<const Block> blocks) {
    size_t start = 0;
    for (const Block& block : blocks) {
        if (address >= block.data && address <= block.data + block.bytes)
            return static_cast<int64_t>(start + static_cast<size_t>(address - block.data));
        start += rounded_up(block.bytes);
    }
    throw InternalError("internal error: a tensor of a hosted call lies outside its blocks");
}

PlacedTensor placed(const nc_tensor& tensor, std::span<const Block> blocks) {
    PlacedTensor result;
    if (tensor.data == nullptr) return result;
    result.offset = place_of(static_cast<const std::byte*>(tensor.data), blocks);
    std::ranges::copy(tensor.shape, result.shape);
    std::ranges::copy(tensor.strides, result.strides);
    result.format = tensor.format;
    return result;
}

Call message_of(uint32_t kernel, const nc_call& call, std::span<const Block> blocks) {
    Call message;
    message.kernel = kernel;
    message.threads = call.threads;
    message.eps = call.eps;
    for (size_t i = 0; i < tensor_count; ++i) message.tensors[i] = placed(call.*tensors[i], blocks);
    return message;
}

double seconds_for(const HostCommand& command, const nc_call& call) {
    const double elements = static_cast<double>(call.x.shape[0]) * static_cast<double>(call.x.shape[1]);
    return (short_calls ? command.short_call_seconds : command.call_seconds) + 1e-6 * elements;
}

void copy_to(std::byte* shared, std::span<const Block> blocks) {
    for (const Block& block : blocks) {
        std::memcpy(shared, block.data, block.bytes);
        shared += rounded_up(block.bytes);
    }
}

void copy_from(const std::byte* shared, std::span<const Block> blocks) {
    for (const Block& block : blocks) {
        std::memcpy(block.data, shared, block.bytes);
        shared += rounded_up(block.bytes);
    }
}

size_t bytes_of(std::span<const Block> blocks) {
    size_t bytes = 0;
    for (const Block& block : blocks) bytes += rounded_up(block.bytes);
    return bytes;
}

Outcome run_once(KernelNumber kernel, const nc_call& call, std::span<const Block> blocks) {
    HostProcess& host = this_host(kernel.first);
    std::byte* const shared = host.memory(bytes_of(blocks));
    copy_to(shared, blocks);
    Outcome outcome = host.run(message_of(kernel.second, call, blocks), seconds_for(host_command(kernel.first), call));
    if (outcome.reply) copy_from(shared, blocks);
    return outcome;
}

/// A host that was there before and cannot be started again is the kernel's doing.
Outcome run_once_or_tell(KernelNumber kernel, const nc_call& call, std::span<const Block> blocks) {
    if (!first_hellos().has(kernel.first)) return run_once(kernel, call, blocks);
    try {
        return run_once(kernel, call, blocks);
    } catch (const InputError& error) {
        return {std::nullopt, fmt::format("no further process could be started for the kernel: {}", error.what()),
                false};
    }
}

KernelRun finished_run(const Reply& reply) {
    KernelRun run;
    run.returned = reply.status != Reply::Status::failed;
    if (reply.status == Reply::Status::refused) run.refusal = reply.text;
    std::string_view rules = reply.rules;
    while (!rules.empty()) {
        const size_t end = std::min(rules.find('\n'), rules.size());
        if (end > 0) run.broken_rules.emplace_back(rules.substr(0, end));
        rules.remove_prefix(std::min(end + 1, rules.size()));
    }
    if (!run.returned && run.broken_rules.empty()) run.broken_rules.emplace_back("the kernel failed without a reason");
    return run;
}

KernelRun died(std::string how) {
    KernelRun run;
    run.broken_rules.push_back(std::move(how));
    return run;
}

/// Why a kernel that has cost too many hosts is not called.
std::optional<std::string> given_up(const Deaths::Count& count) {
    if (short_calls) return std::nullopt;
    if (count.hung >= hang_limit) return fmt::format("not called: the kernel did not return from {} calls", hang_limit);
    if (count.in_a_row >= death_limit)
        return fmt::format("not called: the kernel ended its process on {} calls in a row", death_limit);
    return std::nullopt;
}

}  // namespace

int add_host(HostCommand command) {
    commands().push_back(std::move(command));
    return static_cast<int>(std::ssize(commands())) - 1;
}

const HostCommand& host_command(int number) {
    return commands().at(static_cast<size_t>(number));
}

HostSettings& host_settings() {
    static HostSettings settings;
    return settings;
}

HostKernels kernels_of_host(int host) {
    const HostProcess& process = this_host(host);
    return {process.hello().name, process.kernels()};
}

KernelRun run_in_host(int host, uint32_t kernel, const nc_call& call, std::span<const Block> blocks) {
    const KernelNumber number{host, kernel};
    const Deaths::Count before = deaths().of(number);
    if (auto reason = given_up(before)) return died(*std::move(reason));
    Outcome outcome = run_once_or_tell(number, call, blocks);
    if (outcome.reply) {
        if (before.in_a_row > 0) deaths().end_row(number);
        return finished_run(*outcome.reply);
    }
    if (short_calls || deaths().add(number, outcome.hung).all > 1) return died(std::move(outcome.death));
    const Outcome second = run_once_or_tell(number, call, blocks);
    if (!second.reply) return died(std::move(outcome.death));
    deaths().end_row(number);
    KernelRun run = finished_run(*second.reply);
    run.broken_rules.push_back(outcome.death + "; called once more, it returned");
    return run;
}

ShortCalls::ShortCalls() {
    short_calls = true;
}

ShortCalls::~ShortCalls() {
    short_calls = false;
}

}  // namespace normcheck::host
