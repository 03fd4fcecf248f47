// Copies a call's memory to and fro, and keeps count of the hosts that a kernel has cost.
#include "harness/host/hosted_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
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

/// How often kernels have cost a host, in this process.
class Deaths {
  public:
    struct Count {
        int all = 0, hung = 0;
    };
    Count of(const std::string& kernel) {
        const std::lock_guard lock(mutex_);
        return counts_[kernel];
    }
    /// The count with this death in it.
    Count add(const std::string& kernel, bool hung) {
        const std::lock_guard lock(mutex_);
        Count& count = counts_[kernel];
        ++count.all;
        count.hung += hung;
        return count;
    }

  private:
    std::mutex mutex_;
    std::map<std::string, Count> counts_;
};

Deaths& deaths() {
    static Deaths all;
    return all;
}

/// This thread's host.
HostProcess& this_host() {
    thread_local std::unique_ptr<HostProcess> host;
    if (host == nullptr || !host->is_alive()) {
        host.reset();
        host = std::make_unique<HostProcess>();
    }
    return *host;
}

/// The tensor with its place in the shared memory, where the blocks lie one after the other, in place of its address.
nc_tensor placed(const nc_tensor& tensor, std::span<const Block> blocks) {
    if (tensor.data == nullptr) return tensor;
    const auto* address = static_cast<const std::byte*>(tensor.data);
    size_t start = 0;
    for (const Block& block : blocks) {
        if (address >= block.data && address <= block.data + block.bytes) {
            nc_tensor result = tensor;
            const size_t place = start + static_cast<size_t>(address - block.data);
            result.data = reinterpret_cast<void*>(place + 1);
            return result;
        }
        start += rounded_up(block.bytes);
    }
    throw InternalError("internal error: a tensor of a hosted call lies outside its blocks");
}

Request request_of(const std::string& kernel, const nc_call& call, std::span<const Block> blocks) {
    Request request;
    require(kernel.size() < sizeof request.kernel, "a kernel's name fits a host's request");
    kernel.copy(request.kernel, kernel.size());
    request.call = call;
    for (nc_tensor nc_call::* member : tensors) request.call.*member = placed(call.*member, blocks);
    return request;
}

Outcome run_once(const std::string& kernel, const nc_call& call, std::span<const Block> blocks) {
    HostProcess& host = this_host();
    size_t bytes = 0;
    for (const Block& block : blocks) bytes += rounded_up(block.bytes);
    std::byte* const shared = host.memory(bytes);
    std::byte* place = shared;
    for (const Block& block : blocks) {
        std::memcpy(place, block.data, block.bytes);
        place += rounded_up(block.bytes);
    }
    const double elements = static_cast<double>(call.x.shape[0]) * static_cast<double>(call.x.shape[1]);
    Outcome outcome = host.run(request_of(kernel, call, blocks), (short_calls ? 0.2 : 2) + 1e-6 * elements);
    if (!outcome.reply) return outcome;
    place = shared;
    for (const Block& block : blocks) {
        std::memcpy(block.data, place, block.bytes);
        place += rounded_up(block.bytes);
    }
    return outcome;
}

HostedRun finished_run(const std::string& kernel, const Reply& reply) {
    if (reply.status == Status::unknown_kernel) throw InputError(fmt::format("the host knows no kernel '{}'", kernel));
    HostedRun run;
    run.finished = true;
    if (reply.status == Status::refused) run.refusal = reply.text;
    std::string_view rules = reply.rules;
    while (!rules.empty()) {
        const size_t end = std::min(rules.find('\n'), rules.size());
        run.broken_rules.emplace_back(rules.substr(0, end));
        rules.remove_prefix(std::min(end + 1, rules.size()));
    }
    return run;
}

HostedRun died(std::string how) {
    HostedRun run;
    run.broken_rules.push_back(std::move(how));
    return run;
}

}  // namespace

HostedRun run_in_host(const std::string& kernel, const nc_call& call, std::span<const Block> blocks) {
    if (!short_calls && deaths().of(kernel).hung >= hang_limit)
        return died(fmt::format("not called: the kernel did not return from {} calls", hang_limit));
    Outcome outcome = run_once(kernel, call, blocks);
    if (outcome.reply) return finished_run(kernel, *outcome.reply);
    if (short_calls || deaths().add(kernel, outcome.hung).all > 1) return died(std::move(outcome.death));
    Outcome second = run_once(kernel, call, blocks);
    if (!second.reply) return died(std::move(outcome.death));
    HostedRun run = finished_run(kernel, *second.reply);
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
