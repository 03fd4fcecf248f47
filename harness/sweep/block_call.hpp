// One thread's memory for calls of many rows, and the call with what a kernel must not do checked round it. Made once,
// used for every block: nothing is allocated per call.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/check/guarded_tensor.hpp"
#include "harness/host/hosted_call.hpp"
#include "harness/sweep/subject.hpp"

namespace normcheck {

/// Why a sweep cannot go on: the kernel refused a call, or broke a rule that no row carries.
struct BlockFault {
    bool refused = false;
    std::string reason;
    uint64_t index = 0;  // of the row concerned, else of the block's first
};

class BlockCall {
  public:
    /// Memory for `rows` rows. The subject must live as long.
    BlockCall(const SweepSubject& subject, int64_t rows);

    /// Makes the rows with places first, first + 1, ... and runs the kernel on them: without gamma and beta, with a
    /// residual of +0 where the contract adds one, asking for y alone.
    std::optional<BlockFault> run(uint64_t first, int64_t rows);

    /// Of the last run: codes, dense, and the weights of the rows.
    const void* x() const { return x_.data(); }
    const void* y() const { return y_.data() + 1; }
    const uint8_t* weights() const { return weights_.data(); }

  private:
    nc_call make_call(int64_t rows);
    void poison_y(uint64_t poison);
    bool has_guards(uint64_t poison, int64_t rows) const;
    std::optional<BlockFault> call(uint64_t poison, int64_t rows);
    std::optional<std::string> touched_memory(uint64_t poison, int64_t rows) const;
    std::vector<int64_t> unwritten_elements(uint64_t poison, int64_t rows) const;

    const SweepSubject& subject_;
    int64_t cols_;
    std::vector<CacheLine> x_, kept_x_, residual_;
    std::vector<CacheLine> y_;         // one line of guard, the elements, and guard up to the end
    std::vector<host::Block> blocks_;  // all memory that the call may touch
    std::vector<uint8_t> weights_;
};

}  // namespace normcheck
