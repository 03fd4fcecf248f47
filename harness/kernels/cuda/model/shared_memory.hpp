// The shared memory of a block in the device model. Every word knows who wrote and who read it last, and when, so that
// a read of what no thread wrote and two accesses without a barrier between them are seen whatever order the threads
// happen to run in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace normcheck::model {

constexpr unsigned warp_size = 32;
constexpr unsigned largest_block = 1024;
/// Bytes of shared memory that a block has on every device without asking for more.
constexpr size_t shared_memory_bytes = size_t{48} << 10;

/// A place in time: how many barriers of a block or a warp have been passed so far in the launch, and in those before.
using Time = uint32_t;

/// An array in shared memory: which words it has.
struct SharedRange {
    const void* tag = nullptr;  // the declaration; null for the dynamic array
    const char* name = "";
    unsigned first = 0;
    unsigned count = 0;
};

class SharedMemory {
  public:
    /// Before a launch: all arrays are forgotten but the dynamic one, of that many bytes.
    void begin_launch(size_t dynamic_bytes);
    /// Before each block: nothing is initialised.
    void begin_block();
    /// Every access so far happened before every access from now on.
    void pass_barrier() { barrier_at_ = ++now_; }
    /// The same among the lanes of a warp.
    void pass_warp_barrier(unsigned warp) { warp_at_[warp] = ++now_; }

    /// The array of a declaration: the same one for all threads of all blocks.
    SharedRange array(const void* tag, const char* name, size_t bytes);
    SharedRange dynamic() const { return arrays_.front(); }

    /// One access of the thread `me` to a word; throws by way of Machine::fail where it is none that a kernel may make.
    uint32_t read(unsigned word, unsigned me);
    void write(unsigned word, unsigned me, uint32_t value);

    /// "partial[3]"
    std::string name_of(unsigned word) const;

  private:
    /// Readers since the last barrier: a thread, several lanes of one warp, or threads of several warps.
    using Readers = uint16_t;
    static constexpr Readers lanes_of_warp = 0x4000;
    static constexpr Readers several_warps = 0x8000;

    struct Word {
        uint32_t value = 0;
        Time written_at = 0;
        Time read_at = 0;
        uint16_t writer = 0;
        Readers readers = 0;
    };

    bool is_before_barrier(unsigned other_warp, unsigned me, Time at) const {
        return at < barrier_at_ || (other_warp == me / warp_size && at < warp_at_[me / warp_size]);
    }
    bool reads_are_before(const Word& word, unsigned me) const {
        const unsigned warp = word.readers & lanes_of_warp ? word.readers & ~lanes_of_warp : word.readers / warp_size;
        return word.read_at < barrier_at_ ||
               (word.readers != several_warps && is_before_barrier(warp, me, word.read_at));
    }
    static Readers joined(Readers readers, unsigned me) {
        if (readers == several_warps) return several_warps;
        const unsigned warp = readers & lanes_of_warp ? readers & ~lanes_of_warp : readers / warp_size;
        return warp == me / warp_size ? static_cast<Readers>(lanes_of_warp | warp) : several_warps;
    }
    [[noreturn]] void refuse_unwritten(unsigned word, unsigned me) const;
    [[noreturn]] void refuse_race(const char* access, unsigned word, unsigned me, const std::string& other) const;
    std::string readers_of(const Word& word) const;

    std::vector<Word> words_;
    std::vector<SharedRange> arrays_;
    unsigned used_ = 0;  // words that belong to arrays
    Time now_ = 1;       // a word that was never written has 0
    Time block_began_ = 1;
    Time barrier_at_ = 1;
    Time warp_at_[largest_block / warp_size] = {};
};

inline uint32_t SharedMemory::read(unsigned index, unsigned me) {
    Word& word = words_[index];
    if (word.written_at < block_began_) [[unlikely]]
        refuse_unwritten(index, me);
    if (word.writer != me && !is_before_barrier(word.writer / warp_size, me, word.written_at)) [[unlikely]]
        refuse_race("reads", index, me, "thread " + std::to_string(word.writer) + " wrote");
    if (word.readers != me)
        word.readers = reads_are_before(word, me) ? static_cast<Readers>(me) : joined(word.readers, me);
    word.read_at = now_;
    return word.value;
}

inline void SharedMemory::write(unsigned index, unsigned me, uint32_t value) {
    Word& word = words_[index];
    if (word.writer != me && !is_before_barrier(word.writer / warp_size, me, word.written_at)) [[unlikely]]
        refuse_race("writes", index, me, "thread " + std::to_string(word.writer) + " wrote");
    if (word.readers != me && !reads_are_before(word, me)) [[unlikely]]
        refuse_race("writes", index, me, readers_of(word) + " read");
    word = {value, now_, word.read_at, static_cast<uint16_t>(me), word.readers};
}

}  // namespace normcheck::model
