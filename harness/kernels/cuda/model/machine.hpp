// The machine of the device model: runs the blocks of a launch one after another, and the threads of a block in turns
// that end at barriers and exchanges. The order is fixed, so a launch gives the same bits and the same complaint every
// time. Each operating-system thread has a machine of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <source_location>
#include <string>
#include <vector>

#include "harness/kernels/cuda/model/fibres.hpp"
#include "harness/kernels/cuda/model/shared_memory.hpp"
#include "harness/kernels/cuda/model/violation.hpp"

namespace normcheck::model {

struct Shape {
    unsigned grid = 1;   // blocks
    unsigned block = 1;  // threads of a block
    size_t dynamic_bytes = 0;
};

/// One of CUDA's built-in indices; kernels here have one dimension.
struct Index {
    unsigned x = 0;
};
// NOLINTBEGIN: CUDA's names
inline constinit thread_local Index threadIdx{};
inline constinit thread_local Index blockIdx{};
inline constinit thread_local Index blockDim{};
inline constinit thread_local Index gridDim{};
// NOLINTEND

/// What the lanes of a warp do together.
enum class Exchange : uint8_t { shuffle_xor, shuffle_down, shuffle_index, barrier };

using Place = std::source_location;

class Machine {
  public:
    /// Runs program(arguments) in every thread of every block. Throws Violation, or what the program throws.
    void run(const Shape& shape, void (*program)(const void*), const void* arguments);

    // What a thread calls while it runs.
    void wait_for_block(const Place& place);
    uint32_t exchange(Exchange kind, uint32_t mask, uint32_t value, unsigned argument, const Place& place);
    uint32_t read_shared(unsigned word) { return shared_.read(word, threadIdx.x); }
    void write_shared(unsigned word, uint32_t value) { shared_.write(word, threadIdx.x, value); }
    SharedMemory& shared() { return shared_; }
    /// Ends the launch: every thread is unwound, and run() throws a Violation with that text and the block's number.
    [[noreturn]] void fail(const std::string& text);

  private:
    struct Stopped {};  // thrown through a thread's program once the launch has failed

    /// The call with which a lane waits for others.
    struct Arrival {
        Exchange kind;
        uint32_t mask;
        unsigned argument;
        Place place;
    };
    /// Lanes are bits; a lane that exists is runnable, arrived, at the block's barrier, or has ended.
    struct Warp {
        uint32_t all = 0, runnable = 0, arrived = 0, ended = 0;
        bool alike = true;  // the lanes that have arrived made the same call
        Arrival arrivals[warp_size] = {};
        uint32_t values[warp_size] = {};
        uint32_t received[warp_size] = {};
    };

    [[noreturn]] static void live();
    void begin_block(unsigned index);
    void run_program();
    void end_thread();
    void wait();
    void set_failure(const std::string& text);
    void wake_all();
    size_t next_thread() const;
    void complete(Warp& warp, unsigned number, uint32_t mask);
    [[noreturn]] void refuse_mask(const Warp& warp, const Arrival& arrival);
    void require_same_call(const Warp& warp, uint32_t mask);
    unsigned source_lane(const Warp& warp, unsigned lane, uint32_t mask);
    std::string stuck() const;
    Warp& own_warp() { return warps_[threadIdx.x / warp_size]; }

    Shape shape_;
    void (*program_)(const void*) = nullptr;
    const void* arguments_ = nullptr;
    std::exception_ptr failure_;
    std::vector<Warp> warps_;
    unsigned at_barrier_ = 0;
    unsigned ended_ = 0;  // threads of the block
    Place barrier_place_;
    Fibres fibres_;
    SharedMemory shared_;
};

/// The machine that runs on this operating-system thread; there is one while a launch runs.
inline constinit thread_local Machine* running_machine = nullptr;
inline Machine& machine() {
    return *running_machine;
}

/// Runs program(arguments) on the machine of this operating-system thread.
void run(const Shape& shape, void (*program)(const void*), const void* arguments);

}  // namespace normcheck::model
