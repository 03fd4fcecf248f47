// Shared memory: its arrays, and the sentences about wrong accesses.
#include "harness/kernels/cuda/model/shared_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "harness/kernels/cuda/model/machine.hpp"

namespace normcheck::model {
namespace {

constexpr size_t word_bytes = sizeof(uint32_t);
constexpr Time late = std::numeric_limits<Time>::max() / 2;

unsigned words_in(size_t bytes) {
    return static_cast<unsigned>((bytes + word_bytes - 1) / word_bytes);
}

}  // namespace

void SharedMemory::begin_launch(size_t dynamic_bytes) {
    if (now_ > late) {  // long before the count of barriers wraps
        words_.clear();
        now_ = 1;
    }
    words_.resize(shared_memory_bytes / word_bytes);
    arrays_.assign(1, {nullptr, "dynamic shared memory", 0, words_in(dynamic_bytes)});
    used_ = arrays_[0].count;
}

void SharedMemory::begin_block() {
    block_began_ = barrier_at_ = ++now_;
    std::ranges::fill(warp_at_, now_);
}

SharedRange SharedMemory::array(const void* tag, const char* name, size_t bytes) {
    for (const SharedRange& known : arrays_)
        if (known.tag == tag) return known;
    const SharedRange made{tag, name, used_, words_in(bytes)};
    if (made.count > words_.size() - used_)
        machine().fail(fmt::format("the arrays in shared memory have more than {} bytes", shared_memory_bytes));
    used_ += made.count;
    arrays_.push_back(made);
    return made;
}

std::string SharedMemory::name_of(unsigned word) const {
    for (const SharedRange& array : arrays_)
        if (word >= array.first && word - array.first < array.count)
            return fmt::format("{}[{}]", array.name, word - array.first);
    return fmt::format("word {} of shared memory", word);
}

std::string SharedMemory::readers_of(const Word& word) const {
    if (word.readers == several_warps) return "threads of several warps";
    if (word.readers & lanes_of_warp) return fmt::format("lanes of warp {}", word.readers & ~lanes_of_warp);
    return fmt::format("thread {}", word.readers);
}

void SharedMemory::refuse_unwritten(unsigned word, unsigned me) const {
    machine().fail(fmt::format("thread {} reads {}, which no thread of the block has written yet", me, name_of(word)));
}

void SharedMemory::refuse_race(const char* access, unsigned word, unsigned me, const std::string& other) const {
    machine().fail(fmt::format("thread {} {} {}, which {} with no barrier between", me, access, name_of(word), other));
}

}  // namespace normcheck::model
