// Fibres; see fibres.hpp.
#include "harness/kernels/cuda/model/fibres.hpp"

#include <cstring>

#ifdef NORMCHECK_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace normcheck::model {
namespace {

using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

constexpr uint64_t canary = 0x5afe57ac45afe57a;

/// The fibres that run on this operating-system thread.
constinit thread_local Fibres* current = nullptr;

/// Frames that were dropped on this stack are forgotten.
void forget_frames([[maybe_unused]] void* lowest, [[maybe_unused]] size_t bytes) {
#ifdef NORMCHECK_ADDRESS_SANITIZER
    ASAN_UNPOISON_MEMORY_REGION(lowest, bytes);
#endif
}

}  // namespace

void Fibres::prepare(size_t count, void (*body)()) {
    if (count > stack_count_) {
        stacks_ = std::make_unique_for_overwrite<std::byte[]>(count * stack_stride);
        stack_count_ = count;
    }
    fibres_.assign(count, Fibre{});
    body_ = body;
    running_ = previous_ = &outside_;
    current = this;
}

void Fibres::begin(size_t number) {
    Fibre& fibre = fibres_[number];
    std::byte* lowest = stack(number);
    forget_frames(lowest, stack_bytes);
    std::memcpy(lowest, &canary, sizeof canary);
    fibre.lowest = lowest;
    fibre.stack_bytes = stack_bytes;
    fibre.context = make_fcontext(lowest + stack_bytes, stack_bytes, enter);
}

void Fibres::enter(transfer_t transfer) {
    current->arrive(transfer.fctx);
    current->body_();
}

void Fibres::leave_for(size_t next) {
    if (fibres_[next].context == nullptr) begin(next);
    jump(fibres_[next], true);
}

void Fibres::leave_for_outside() {
    jump(outside_, true);
}

bool Fibres::stacks_are_whole() const {
    for (size_t number = 0; number < fibres_.size(); ++number)
        if (fibres_[number].context != nullptr && std::memcmp(stack(number), &canary, sizeof canary) != 0) return false;
    return true;
}

#ifdef NORMCHECK_ADDRESS_SANITIZER
/// The fake stack of a fibre that will not go on is given back.
void Fibres::announce_jump(bool last) {
    __sanitizer_start_switch_fiber(last ? nullptr : &previous_->fake_stack, running_->lowest, running_->stack_bytes);
}

void Fibres::complete_jump() {
    const void* lowest = nullptr;
    size_t bytes = 0;
    __sanitizer_finish_switch_fiber(running_->fake_stack, &lowest, &bytes);
    previous_->lowest = lowest;
    previous_->stack_bytes = bytes;
}
#endif

}  // namespace normcheck::model
