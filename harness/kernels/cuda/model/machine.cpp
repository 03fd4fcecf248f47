// Turns, barriers and exchanges; see machine.hpp.
#include "harness/kernels/cuda/model/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

namespace normcheck::model {
namespace {

constexpr size_t none = SIZE_MAX;  // for a thread

constexpr uint32_t bit(unsigned lane) {
    return uint32_t{1} << lane;
}

unsigned lane_of(unsigned thread) {
    return thread % warp_size;
}

unsigned lowest(uint32_t lanes) {
    return static_cast<unsigned>(std::countr_zero(lanes));
}

/// "rms.cu:12"
std::string shown(const Place& place) {
    const std::string_view file = place.file_name();
    return fmt::format("{}:{}", file.substr(file.find_last_of('/') + 1), place.line());
}

/// One place has one text of its file's name.
bool same(const Place& a, const Place& b) {
    return a.line() == b.line() && a.column() == b.column() && a.file_name() == b.file_name();
}

const char* name(Exchange kind) {
    return kind == Exchange::barrier ? "barrier of the warp" : "shuffle";
}

}  // namespace

void run(const Shape& shape, void (*program)(const void*), const void* arguments) {
    static thread_local Machine of_this_thread;
    running_machine = &of_this_thread;
    of_this_thread.run(shape, program, arguments);
}

void Machine::run(const Shape& shape, void (*program)(const void*), const void* arguments) {
    if (shape.block == 0 || shape.block > largest_block || shape.grid == 0)
        throw Violation(fmt::format("a launch of {} blocks of {} threads; a block has 1 to {} threads", shape.grid,
                                    shape.block, largest_block));
    if (shape.dynamic_bytes > shared_memory_bytes)
        throw Violation(fmt::format("a launch asks for {} bytes of shared memory; a block has {}", shape.dynamic_bytes,
                                    shared_memory_bytes));
    shape_ = shape;
    program_ = program;
    arguments_ = arguments;
    failure_ = nullptr;
    warps_.assign((shape.block + warp_size - 1) / warp_size, Warp{});
    fibres_.prepare(shape.block, live);
    shared_.begin_launch(shape.dynamic_bytes);
    gridDim.x = shape.grid;
    blockDim.x = shape.block;
    begin_block(0);
    threadIdx.x = 0;
    fibres_.switch_to(0);
    if (failure_) std::rethrow_exception(failure_);
    if (!fibres_.stacks_are_whole()) throw Violation("a thread used more stack than the device model gives it");
}

void Machine::begin_block(unsigned index) {
    blockIdx.x = index;
    at_barrier_ = ended_ = 0;
    for (size_t i = 0; i < warps_.size(); ++i) {
        const unsigned lanes = std::min(shape_.block - static_cast<unsigned>(i) * warp_size, warp_size);
        warps_[i].all = warps_[i].runnable = lanes == warp_size ? ~uint32_t{0} : bit(lanes) - 1;
        warps_[i].arrived = warps_[i].ended = 0;
    }
    shared_.begin_block();
}

void Machine::live() {
    Machine& self = machine();
    for (;;) {
        self.run_program();
        self.end_thread();
    }
}

void Machine::run_program() {
    if (failure_) return;
    try {
        program_(arguments_);
    } catch (const Stopped&) {
    } catch (...) {
        if (!failure_) failure_ = std::current_exception();
        wake_all();
    }
}

void Machine::end_thread() {
    Warp& warp = own_warp();
    warp.runnable &= ~bit(lane_of(threadIdx.x));
    warp.ended |= bit(lane_of(threadIdx.x));
    if (at_barrier_ > 0 && !failure_) {
        set_failure(fmt::format("thread {} ended without reaching the barrier at {}, where {} of {} threads wait",
                                threadIdx.x, shown(barrier_place_), at_barrier_, shape_.block));
    }
    if (++ended_ < shape_.block) {
        size_t next = next_thread();
        if (next == none) {
            set_failure(stuck());
            next = next_thread();
        }
        threadIdx.x = static_cast<unsigned>(next);
        if (failure_ || blockIdx.x + 1 == shape_.grid) return fibres_.leave_for(next);
        return fibres_.switch_to(next);
    }
    if (failure_ || blockIdx.x + 1 == shape_.grid) return fibres_.leave_for_outside();
    begin_block(blockIdx.x + 1);
}

/// The next thread that may run, first in the warp of the running one.
size_t Machine::next_thread() const {
    const size_t own = threadIdx.x / warp_size;
    if (warps_[own].runnable != 0) return own * warp_size + lowest(warps_[own].runnable);
    for (size_t step = 0; step < warps_.size(); ++step) {
        const size_t warp = own + step < warps_.size() ? own + step : own + step - warps_.size();
        if (warps_[warp].runnable != 0) return warp * warp_size + lowest(warps_[warp].runnable);
    }
    return none;
}

/// Lets others run until this thread may go on. Inline, since every frame on a thread's stack is a miss of the cache.
[[gnu::always_inline]] inline void Machine::wait() {
    const size_t next = next_thread();
    if (next == none) fail(stuck());
    threadIdx.x = static_cast<unsigned>(next);
    fibres_.switch_to(next);
    if (failure_) throw Stopped{};
}

void Machine::wait_for_block(const Place& place) {
    if (at_barrier_ > 0 && !same(place, barrier_place_))
        fail(fmt::format("thread {} waits at the barrier at {}, other threads at the one at {}", threadIdx.x,
                         shown(place), shown(barrier_place_)));
    if (ended_ > 0)
        fail(fmt::format("thread {} waits at the barrier at {}, which {} of {} threads ended without reaching",
                         threadIdx.x, shown(place), ended_, shape_.block));
    barrier_place_ = place;
    if (++at_barrier_ < shape_.block) {
        own_warp().runnable &= ~bit(lane_of(threadIdx.x));
        return wait();
    }
    at_barrier_ = 0;
    shared_.pass_barrier();
    for (Warp& warp : warps_) warp.runnable = warp.all;
}

uint32_t Machine::exchange(Exchange kind, uint32_t mask, uint32_t value, unsigned argument, const Place& place) {
    Warp& warp = own_warp();
    const unsigned lane = lane_of(threadIdx.x);
    Arrival& mine = warp.arrivals[lane];
    mine = {kind, mask, argument, place};
    if ((mask & bit(lane)) == 0 || (mask & (~warp.all | warp.ended)) != 0) [[unlikely]]
        refuse_mask(warp, mine);
    if (warp.arrived == 0) {
        warp.alike = true;
    } else {
        const Arrival& other = warp.arrivals[lowest(warp.arrived)];
        warp.alike &= mine.kind == other.kind && mask == other.mask && same(place, other.place);
    }
    warp.values[lane] = value;
    warp.arrived |= bit(lane);
    if ((warp.arrived & mask) == mask) {
        complete(warp, threadIdx.x / warp_size, mask);
    } else {
        warp.runnable &= ~bit(lane);
        wait();
    }
    return warp.received[lane];
}

void Machine::refuse_mask(const Warp& warp, const Arrival& arrival) {
    const std::string call = fmt::format("thread {}: the mask {:#010x} of the {} at {}", threadIdx.x, arrival.mask,
                                         name(arrival.kind), shown(arrival.place));
    if ((arrival.mask & bit(lane_of(threadIdx.x))) == 0) fail(call + " leaves out the calling lane");
    if (const uint32_t missing = arrival.mask & ~warp.all)
        fail(fmt::format("{} names lane {}, which the block does not have", call, lowest(missing)));
    fail(fmt::format("{} names lane {}, which has ended", call, lowest(arrival.mask & warp.ended)));
}

/// All lanes of the mask have arrived: what each of them receives.
void Machine::complete(Warp& warp, unsigned number, uint32_t mask) {
    if (!warp.alike) require_same_call(warp, mask);
    const Arrival& first = warp.arrivals[lowest(mask)];
    if (first.kind == Exchange::barrier) {
        // Lanes that the mask leaves out are not ordered, so what such a barrier orders is not relied on.
        if ((mask | warp.ended) == warp.all) shared_.pass_warp_barrier(number);
    } else {
        for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
            warp.received[lowest(rest)] = warp.values[source_lane(warp, lowest(rest), mask)];
    }
    warp.arrived &= ~mask;
    warp.runnable |= mask;
}

void Machine::require_same_call(const Warp& warp, uint32_t mask) {
    const Arrival& first = warp.arrivals[lowest(mask)];
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const Arrival& other = warp.arrivals[lowest(rest)];
        if (other.kind == first.kind && other.mask == mask && same(other.place, first.place)) continue;
        fail(
            fmt::format("lanes {} and {} of a warp meet in different calls: the {} at {} with mask {:#010x}, the {} "
                        "at {} with mask {:#010x}",
                        lowest(mask), lowest(rest), name(first.kind), shown(first.place), first.mask, name(other.kind),
                        shown(other.place), other.mask));
    }
}

unsigned Machine::source_lane(const Warp& warp, unsigned lane, uint32_t mask) {
    const Arrival& arrival = warp.arrivals[lane];
    unsigned source = arrival.argument;
    if (arrival.kind == Exchange::shuffle_xor) source = lane ^ arrival.argument;
    if (arrival.kind == Exchange::shuffle_down) source = lane + arrival.argument;
    if (source >= warp_size) {
        if (arrival.kind == Exchange::shuffle_index) return source % warp_size;
        return lane;  // past the warp a lane keeps its own value
    }
    if ((mask & bit(source)) == 0)
        fail(fmt::format("lane {} reads from lane {} in the shuffle at {}, which the mask {:#010x} leaves out", lane,
                         source, shown(arrival.place), mask));
    return source;
}

/// No thread may run, and not all have ended: who waits for whom.
std::string Machine::stuck() const {
    for (size_t number = 0; number < warps_.size(); ++number) {
        const Warp& warp = warps_[number];
        if (warp.arrived == 0) continue;
        const Arrival& arrival = warp.arrivals[lowest(warp.arrived)];
        const unsigned missing = lowest(arrival.mask & ~warp.arrived);
        const char* where = (warp.ended >> missing & 1) != 0 ? "has ended" : "waits at a barrier of the block";
        return fmt::format("thread {} waits in the {} at {} for lane {}, which {}",
                           number * warp_size + lowest(warp.arrived), name(arrival.kind), shown(arrival.place), missing,
                           where);
    }
    return fmt::format("{} of {} threads wait at the barrier at {}; the others do not reach it", at_barrier_,
                       shape_.block, shown(barrier_place_));
}

void Machine::wake_all() {
    for (Warp& warp : warps_) warp.runnable = warp.all & ~warp.ended;
}

void Machine::set_failure(const std::string& text) {
    if (!failure_) failure_ = std::make_exception_ptr(Violation(fmt::format("block {}: {}", blockIdx.x, text)));
    wake_all();
}

void Machine::fail(const std::string& text) {
    set_failure(text);
    throw Stopped{};
}

}  // namespace normcheck::model
