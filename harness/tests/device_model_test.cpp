// The device model: what CUDA's words mean in it, and that it names each thing a device would punish. Every check has a
// kernel that breaks it, and a neighbour that does not.
#include <gtest/gtest.h>

#include <numeric>
#include <thread>
#include <vector>

#include "harness/kernels/cuda/device.hpp"

namespace normcheck::emulated {
namespace {

/// What a kernel gets here: somewhere to write, and a number to be told by.
struct Arguments {
    float* out = nullptr;
    int number = 0;
};
using Kernel = void (*)(const Arguments&);

/// The complaint about a launch of the kernel; empty where there is none.
std::string complaint(Kernel kernel, const Shape& shape, const Arguments& arguments = {}) {
    try {
        launch(kernel, shape, arguments, nullptr);
    } catch (const Violation& violation) {
        return violation.what();
    }
    return "";
}

testing::AssertionResult says(const std::string& text, const char* part) {
    if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "\"" << text << "\" does not say \"" << part << "\"";
}

std::vector<float> run_for(Kernel kernel, const Shape& shape, size_t count, int number = 0) {
    std::vector<float> out(count, -1);
    launch(kernel, shape, {out.data(), number}, nullptr);
    return out;
}

void write_indices(const Arguments& arguments) {
    arguments.out[blockIdx.x * blockDim.x + threadIdx.x] =
        static_cast<float>(blockIdx.x * 1000 + threadIdx.x + gridDim.x * 10000);
}

TEST(DeviceModel, runs_every_thread_of_every_block_once_with_its_indices) {
    for (const unsigned block : {1U, 31U, 32U, 33U, 256U, 1024U}) {
        const auto out = run_for(write_indices, {3, block}, size_t{3} * block);
        for (size_t i = 0; i < out.size(); ++i)
            ASSERT_EQ(out[i], static_cast<float>(i / block * 1000 + i % block + 30000)) << block;
    }
}

void shuffle_all_ways(const Arguments& arguments) {
    const float lane = static_cast<float>(threadIdx.x);
    arguments.out[threadIdx.x] = __shfl_xor_sync(full_warp, lane, 5);
    arguments.out[32 + threadIdx.x] = __shfl_down_sync(full_warp, lane, 7U);
    arguments.out[64 + threadIdx.x] = __shfl_sync(full_warp, lane, 3);
}

TEST(DeviceModel, shuffles_as_cuda_does) {
    const auto out = run_for(shuffle_all_ways, {1, 32}, 96);
    for (size_t lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(out[lane], static_cast<float>(lane ^ 5));
        EXPECT_EQ(out[32 + lane], static_cast<float>(lane + 7 < 32 ? lane + 7 : lane));
        EXPECT_EQ(out[64 + lane], 3);
    }
}

/// Two halves of a warp go separate ways and shuffle apart, each with its own mask.
void shuffle_in_halves(const Arguments& arguments) {
    const float lane = static_cast<float>(threadIdx.x);
    if (threadIdx.x < 16)
        arguments.out[threadIdx.x] = __shfl_xor_sync(0xffff, __shfl_xor_sync(0xffff, lane, 1), 2);
    else
        arguments.out[threadIdx.x] = __shfl_xor_sync(0xffff0000, lane, 8);
}

TEST(DeviceModel, lets_parts_of_a_warp_shuffle_apart) {
    const auto out = run_for(shuffle_in_halves, {1, 32}, 32);
    for (size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], static_cast<float>(lane ^ (lane < 16 ? 3U : 8U)));
}

/// Thread t reads what thread t + 1 wrote, after a barrier, in rounds.
void pass_round(const Arguments& arguments) {
    NORMCHECK_SHARED(float, ring, 256);
    float value = static_cast<float>(threadIdx.x);
    for (int round = 0; round < arguments.number; ++round) {
        ring[threadIdx.x] = value;
        __syncthreads();
        value = ring[(threadIdx.x + 1) % blockDim.x];
        __syncthreads();
    }
    arguments.out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

TEST(DeviceModel, orders_shared_memory_by_barriers) {
    const auto out = run_for(pass_round, {2, 256}, 512, 40);
    for (size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], static_cast<float>((i + 40) % 256));
}

void pass_in_dynamic_memory(const Arguments& arguments) {
    const auto values = dynamic_shared<float>();
    values[threadIdx.x] = static_cast<float>(threadIdx.x);
    __syncthreads();
    arguments.out[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x + arguments.number];
}

TEST(DeviceModel, gives_dynamic_shared_memory_of_the_launch) {
    EXPECT_EQ(run_for(pass_in_dynamic_memory, {1, 64, 256}, 64)[0], 63);
    float out[64];
    EXPECT_TRUE(says(complaint(pass_in_dynamic_memory, {1, 64, 256}, {out, 1}),
                     "thread 0 indexes dynamic shared memory[64], which has 64 elements"));
    EXPECT_TRUE(says(complaint(pass_in_dynamic_memory, {1, 64, 50000}), "asks for 50000 bytes of shared memory"));
}

void sum_in_step(const Arguments& arguments) {
    NORMCHECK_SHARED(float, lanes, 32);
    lanes[threadIdx.x] = 1;
    __syncwarp();
    for (unsigned distance = 16; distance > 0; distance /= 2) {
        if (threadIdx.x < distance) lanes[threadIdx.x] += lanes[threadIdx.x + distance];
        if (arguments.number == 0) __syncwarp();
    }
    if (threadIdx.x == 0) arguments.out[0] = lanes[0];
}

TEST(DeviceModel, orders_the_lanes_of_a_warp_by_its_barrier) {
    EXPECT_EQ(run_for(sum_in_step, {1, 32}, 1)[0], 32);
    float out = 0;
    EXPECT_TRUE(says(complaint(sum_in_step, {1, 32}, {&out, 1}),
                     "thread 1 writes lanes[1], which lanes of warp 0 read with no barrier between"));
}

/// Lanes of the second warp read what the first wrote: a barrier of a warp does not order that.
void cross_warps(const Arguments&) {
    NORMCHECK_SHARED(float, cells, 64);
    cells[threadIdx.x] = 1;
    __syncthreads();
    cells[threadIdx.x] = 2;
    __syncwarp();
    const float other = cells[threadIdx.x ^ 32];
    (void)other;
}

TEST(DeviceModel, does_not_order_warps_by_the_barrier_of_one) {
    EXPECT_TRUE(says(complaint(cross_warps, {1, 64}),
                     "block 0: thread 0 writes cells[0], which thread 32 read with no barrier between"));
}

void read_then_write(const Arguments& arguments) {
    NORMCHECK_SHARED(float, cell, 1);
    if (threadIdx.x == 0) cell[0] = 1;
    __syncthreads();
    const float seen = cell[0];
    if (arguments.number == 0) __syncthreads();
    if (threadIdx.x == 0) cell[0] = seen + 1;
}

TEST(DeviceModel, sees_a_write_after_reads_of_others) {
    EXPECT_EQ(complaint(read_then_write, {2, 64}), "");
    EXPECT_TRUE(says(complaint(read_then_write, {1, 32}, {nullptr, 1}),
                     "thread 0 writes cell[0], which lanes of warp 0 read with no barrier between"));
    EXPECT_TRUE(says(complaint(read_then_write, {1, 64}, {nullptr, 1}), "which threads of several warps read"));
}

void write_then_read(const Arguments& arguments) {
    NORMCHECK_SHARED(float, cell, 1);
    if (threadIdx.x == 0) cell[0] = 1;
    if (arguments.number == 0) __syncthreads();
    if (threadIdx.x != 0) arguments.out[0] = cell[0];
}

TEST(DeviceModel, sees_a_read_after_the_write_of_another) {
    float out = 0;
    EXPECT_EQ(complaint(write_then_read, {1, 2}, {&out, 0}), "");
    EXPECT_TRUE(says(complaint(write_then_read, {1, 2}, {&out, 1}),
                     "thread 1 reads cell[0], which thread 0 wrote with no barrier between"));
}

void write_all_one(const Arguments&) {
    NORMCHECK_SHARED(float, cell, 1);
    cell[0] = 1;
}

TEST(DeviceModel, sees_two_writes_to_one_word) {
    EXPECT_EQ(complaint(write_all_one, {3, 1}), "");
    EXPECT_TRUE(says(complaint(write_all_one, {1, 2}),
                     "thread 1 writes cell[0], which thread 0 wrote with no barrier between"));
}

void read_unwritten(const Arguments& arguments) {
    NORMCHECK_SHARED(float, cells, 4);
    if (blockIdx.x == 0) cells[0] = 1;
    __syncthreads();
    if (static_cast<int>(blockIdx.x) < arguments.number) arguments.out[0] = cells[0];
}

TEST(DeviceModel, sees_a_read_of_what_no_thread_of_the_block_wrote) {
    float out[1];
    EXPECT_EQ(complaint(read_unwritten, {2, 1}, {out, 1}), "");
    EXPECT_TRUE(says(complaint(read_unwritten, {2, 1}, {out, 2}),
                     "block 1: thread 0 reads cells[0], which no thread of the block has written yet"));
}

void index_past(const Arguments& arguments) {
    NORMCHECK_SHARED(float, cells, 4);
    NORMCHECK_SHARED(float, others, 4);
    others[0] = 1;
    cells[arguments.number] = 1;
}

TEST(DeviceModel, sees_an_index_out_of_an_array) {
    EXPECT_EQ(complaint(index_past, {1, 1}, {nullptr, 3}), "");
    EXPECT_TRUE(says(complaint(index_past, {1, 1}, {nullptr, 4}), "thread 0 indexes cells[4], which has 4 elements"));
    EXPECT_TRUE(says(complaint(index_past, {1, 1}, {nullptr, -1}), "thread 0 indexes cells[-1]"));
}

void declare_much(const Arguments&) {
    NORMCHECK_SHARED(float, first, 8192);
    NORMCHECK_SHARED(float, second, 8192);
}

TEST(DeviceModel, sees_more_shared_memory_than_a_block_has) {
    EXPECT_TRUE(says(complaint(declare_much, {1, 1}), "the arrays in shared memory have more than 49152 bytes"));
}

void leave_before_barrier(const Arguments& arguments) {
    if (static_cast<int>(threadIdx.x) == arguments.number) return;
    __syncthreads();
}

TEST(DeviceModel, sees_a_barrier_that_a_thread_leaves_before) {
    EXPECT_EQ(complaint(leave_before_barrier, {2, 64}, {nullptr, -1}), "");
    EXPECT_TRUE(
        says(complaint(leave_before_barrier, {1, 64}, {nullptr, 63}), "thread 63 ended without reaching the barrier"));
    EXPECT_TRUE(says(complaint(leave_before_barrier, {1, 64}, {nullptr, 0}), "1 of 64 threads ended without reaching"));
}

void wait_apart(const Arguments& arguments) {
    if (static_cast<int>(threadIdx.x) < arguments.number) {
        __syncthreads();
    } else {
        __syncthreads();
    }
}

TEST(DeviceModel, sees_threads_at_different_barriers) {
    EXPECT_EQ(complaint(wait_apart, {1, 64}, {nullptr, 64}), "");
    EXPECT_TRUE(says(complaint(wait_apart, {1, 64}, {nullptr, 7}), "thread 7 waits at the barrier at"));
}

void shuffle_some(const Arguments& arguments) {
    if (static_cast<int>(threadIdx.x) < arguments.number) return;
    (void)__shfl_xor_sync(full_warp, 1.0f, 1);
}

TEST(DeviceModel, sees_a_mask_that_names_a_lane_that_is_gone_or_never_was) {
    EXPECT_EQ(complaint(shuffle_some, {1, 64}), "");
    EXPECT_TRUE(says(complaint(shuffle_some, {1, 32}, {nullptr, 3}), "names lane 0, which has ended"));
    EXPECT_TRUE(says(complaint(shuffle_some, {1, 40}), "names lane 8, which the block does not have"));
}

void leave_others_shuffling(const Arguments& arguments) {
    if (static_cast<int>(threadIdx.x) == arguments.number) return;
    (void)__shfl_xor_sync(full_warp, 1.0f, 1);
}
void shuffle_or_wait(const Arguments&) {
    if (threadIdx.x == 9)
        __syncthreads();
    else
        (void)__shfl_xor_sync(full_warp, 1.0f, 1);
}

TEST(DeviceModel, sees_lanes_that_wait_for_one_that_does_not_come) {
    EXPECT_TRUE(says(complaint(leave_others_shuffling, {1, 32}, {nullptr, 31}), "for lane 31, which has ended"));
    EXPECT_TRUE(says(complaint(shuffle_or_wait, {1, 32}), "for lane 9, which waits at a barrier of the block"));
}

void shuffle_without_self(const Arguments&) {
    (void)__shfl_xor_sync(0xffff, 1.0f, 1);
}
void shuffle_from_outside(const Arguments& arguments) {
    if (threadIdx.x < 8) (void)__shfl_xor_sync(0xff, 1.0f, arguments.number);
}

TEST(DeviceModel, sees_a_shuffle_from_a_lane_that_the_mask_leaves_out) {
    EXPECT_TRUE(says(complaint(shuffle_without_self, {1, 32}), "thread 16: the mask 0x0000ffff of the shuffle"));
    EXPECT_EQ(complaint(shuffle_from_outside, {1, 32}, {nullptr, 4}), "");
    EXPECT_TRUE(says(complaint(shuffle_from_outside, {1, 32}, {nullptr, 8}), "lane 0 reads from lane 8"));
}

void shuffle_in_two_branches(const Arguments&) {
    if (threadIdx.x < 16)
        (void)__shfl_xor_sync(full_warp, 1.0f, 1);
    else
        __syncwarp();
}

TEST(DeviceModel, sees_lanes_that_meet_in_different_calls) {
    EXPECT_TRUE(says(complaint(shuffle_in_two_branches, {1, 32}), "lanes 0 and 16 of a warp meet in different calls"));
}

alignas(16) constexpr float aligned_values[8] = {1, 2, 3, 4, 5, 6, 7, 8};

void load_from(const Arguments& arguments) {
    const Vector16 loaded = load_vector(aligned_values + arguments.number);
    store_vector(arguments.out, loaded);
}

TEST(DeviceModel, sees_a_misaligned_vector) {
    alignas(16) float out[5] = {};
    EXPECT_EQ(complaint(load_from, {1, 1}, {out, 4}), "");
    EXPECT_EQ(out[0], 5);
    EXPECT_TRUE(says(complaint(load_from, {1, 1}, {out, 1}),
                     "accesses a vector of 16 bytes at an address 4 bytes past a multiple of 16"));
    EXPECT_TRUE(says(complaint(load_from, {1, 1}, {out + 1, 0}), "4 bytes past"));
}

TEST(DeviceModel, refuses_a_launch_that_no_device_takes) {
    EXPECT_TRUE(says(complaint(write_all_one, {1, 0}), "a block has 1 to 1024 threads"));
    EXPECT_TRUE(says(complaint(write_all_one, {1, 1025}), "a block has 1 to 1024 threads"));
    EXPECT_TRUE(says(complaint(write_all_one, {0, 1}), "a launch of 0 blocks"));
}

void throw_from_one(const Arguments&) {
    if (threadIdx.x == 40) throw std::logic_error("of the kernel's own");
    __syncthreads();
}

TEST(DeviceModel, passes_on_what_a_thread_throws) {
    EXPECT_THROW(launch(throw_from_one, {1, 64}, Arguments{}, nullptr), std::logic_error);
}

/// Counts how often its objects are destroyed.
struct Counted {
    int* count;
    ~Counted() { ++*count; }
};
int destroyed = 0;
int gone_on = 0;  // threads that passed the barrier
void hold_something(const Arguments&) {
    const Counted counted{&destroyed};
    if (threadIdx.x == 5) (void)__shfl_xor_sync(1, 1.0f, 1);  // refused
    __syncthreads();
    ++gone_on;
}

TEST(DeviceModel, unwinds_every_thread_that_has_begun_when_a_launch_fails) {
    destroyed = gone_on = 0;
    EXPECT_TRUE(says(complaint(hold_something, {4, 64}), "block 0: thread 5: the mask"));
    EXPECT_EQ(destroyed, 6);
    EXPECT_EQ(gone_on, 0);
}

TEST(DeviceModel, works_again_after_a_failed_launch_and_complains_the_same_way) {
    const std::string first = complaint(cross_warps, {1, 64});
    EXPECT_EQ(complaint(cross_warps, {1, 64}), first);
    EXPECT_EQ(run_for(pass_round, {1, 128}, 128, 3)[0], 3);
    EXPECT_EQ(complaint(cross_warps, {1, 64}), first);
}

TEST(DeviceModel, runs_launches_of_several_operating_system_threads_side_by_side) {
    const auto expected = run_for(pass_round, {3, 256}, 768, 9);
    std::vector<std::thread> threads;
    std::vector<int> wrong(4);
    for (size_t t = 0; t < wrong.size(); ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 20; ++i) {
                wrong[t] += run_for(pass_round, {3, 256}, 768, 9) != expected;
                wrong[t] += complaint(cross_warps, {1, 64}).empty();
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(4));
}

}  // namespace
}  // namespace normcheck::emulated
