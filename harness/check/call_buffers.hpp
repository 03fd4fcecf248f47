// All tensors of one call in guarded memory: made from a case, given to a kernel, and inspected afterwards.
#pragma once

#include <string>
#include <vector>

#include "harness/abi/normcheck.h"
#include "harness/cases/case.hpp"
#include "harness/cases/make_inputs.hpp"
#include "harness/check/guarded_tensor.hpp"
#include "harness/host/hosted_call.hpp"
#include "oracles/contract.hpp"

namespace normcheck {

struct Outputs;

/// The tensors of a call; those that it does not use have no memory. An output that lies on an input has none of its
/// own either: it is found in the input's.
struct CallBuffers {
    GuardedTensor x, residual, gamma, beta;
    GuardedTensor y, residual_out, mean, rstd;
    Alias alias = Alias::none;

    GuardedTensor& y_tensor() { return alias == Alias::y_is_x ? x : y; }
    GuardedTensor& residual_out_tensor() { return alias == Alias::residual_out_is_residual ? residual : residual_out; }
};

/// Inputs written, outputs poisoned. mean is asked for where the norm has one, rstd always, residual_out where the
/// contract adds a residual, but nothing that the kernel says not to return (`supports`, as in nc_kernel). Pitch,
/// stride and offset of the case hold for x, y, residual and residual_out, but the offset only for x and y.
CallBuffers make_call_buffers(const Case& c, const Contract& contract, const Inputs& inputs, uint32_t supports = 0);

/// The call on these buffers, with the contract's eps and the case's threads. It points into `buffers`.
nc_call make_call(CallBuffers& buffers, const Contract& contract, int threads);

/// The memory of all tensors of the call, guards and all.
std::vector<host::Block> memory_blocks(CallBuffers& buffers);

/// Everything that no kernel may do, refused or not: guards overwritten, inputs changed that are not outputs too.
std::vector<std::string> touched_memory(CallBuffers& buffers, const Inputs& inputs);
/// Outputs left unwritten; where the call has no elements, outputs written.
std::vector<std::string> wrongly_written(CallBuffers& buffers);

/// All outputs as dense codes; none where the call has no elements.
Outputs read_outputs(CallBuffers& buffers);

}  // namespace normcheck
