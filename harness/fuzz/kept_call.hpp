// The call of a kernel in memory that is kept from call to call: the fuzzer's fast way. It sees whatever looks amiss
// (64 bytes round each tensor and every gap in it, inputs that changed, outputs left alone, exceptions) but does not
// say what: check's call_kernel, which takes ten times as long, then does.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "harness/check/check.hpp"
#include "harness/check/guarded_tensor.hpp"
#include "harness/fuzz/prepare.hpp"

namespace normcheck {

class KeptCall {
  public:
    enum class Outcome { written, refused, amiss };

    /// Makes the call. Where it is `written`, outputs() holds what the kernel returned.
    Outcome run(const nc_kernel& kernel, const PreparedCall& prepared);
    const Outputs& outputs() const { return outputs_; }

    /// A tensor's memory: a line of guard, the offset, the elements, and guard up to a line past them. What is no
    /// input's element holds one signalling NaN.
    struct Place {
        TensorLayout layout;
        std::vector<CacheLine> memory, before;  // before: as it was before the call
        size_t lines = 0;                       // of both that this call uses; 0 where it has no such tensor
    };

  private:
    nc_call place_tensors(const PreparedCall& prepared);
    bool take_outputs(const PreparedCall& prepared);
    bool is_untouched() const;

    enum Name { x, residual, gamma, beta, y, residual_out, mean, rstd };
    std::array<Place, 8> places_;
    Outputs outputs_;
};

}  // namespace normcheck
