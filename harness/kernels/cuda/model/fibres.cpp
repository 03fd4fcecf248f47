// Fibres; see fibres.hpp.
#include "harness/kernels/cuda/model/fibres.hpp"

#include <cstring>

#if defined(__SANITIZE_ADDRESS__)
#define NORMCHECK_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NORMCHECK_ASAN 1
#endif
#endif

#ifdef NORMCHECK_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace normcheck::model {
namespace {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

constexpr uint64_t canary = 0x5afe57ac45afe57a;

/// To be called before a switch; the fake stack of a fibre that will not go on is given back.
void announce_switch([[maybe_unused]] Fibre& from, [[maybe_unused]] const Fibre& to, [[maybe_unused]] bool last) {
#ifdef NORMCHECK_ASAN
    __sanitizer_start_switch_fiber(last ? nullptr : &from.fake_stack, to.lowest, to.stack_bytes);
#endif
}

/// To be called after a switch; tells the stack that was left.
void complete_switch([[maybe_unused]] Fibre& into, [[maybe_unused]] Fibre& from) {
#ifdef NORMCHECK_ASAN
    const void* lowest = nullptr;
    size_t bytes = 0;
    __sanitizer_finish_switch_fiber(into.fake_stack, &lowest, &bytes);
    from.lowest = lowest;
    from.stack_bytes = bytes;
#endif
}

/// Frames that were dropped on this stack are forgotten.
void forget_frames([[maybe_unused]] void* lowest, [[maybe_unused]] size_t bytes) {
#ifdef NORMCHECK_ASAN
    ASAN_UNPOISON_MEMORY_REGION(lowest, bytes);
#endif
}

/// The fibres that run on this operating-system thread.
constinit thread_local Fibres* current = nullptr;

}  // namespace

void Fibres::prepare(size_t count, void (*body)()) {
    if (count > stack_count_) {
        stacks_ = std::make_unique_for_overwrite<std::byte[]>(count * stack_stride);
        stack_count_ = count;
    }
    fibres_.assign(count, Fibre{});
    body_ = body;
    running_ = previous_ = outside;
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

void Fibres::arrive(fcontext_t from) {
    Fibre& left = fibre(previous_);
    left.context = from;
    complete_switch(fibre(running_), left);
}

void Fibres::enter(transfer_t transfer) {
    current->arrive(transfer.fctx);
    current->body_();
}

void Fibres::switch_to(size_t next, bool last) {
    Fibre& from = fibre(running_);
    Fibre& to = fibre(next);
    if (to.context == nullptr) begin(next);
    previous_ = running_;
    running_ = next;
    announce_switch(from, to, last);
    arrive(jump_fcontext(to.context, nullptr).fctx);
}

bool Fibres::stacks_are_whole() const {
    for (size_t number = 0; number < fibres_.size(); ++number)
        if (fibres_[number].context != nullptr && std::memcmp(stack(number), &canary, sizeof canary) != 0) return false;
    return true;
}

}  // namespace normcheck::model
