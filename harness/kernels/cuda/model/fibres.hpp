// Fibres: the threads of a block as stacks on one operating-system thread, with the annotations that AddressSanitizer
// needs to follow them. Boost.Context's two assembler calls are used bare, because a fibre here owns nothing and is
// dropped without unwinding once its last block is done.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/compiler/address_sanitizer.hpp"

namespace normcheck::model {

/// Where a fibre goes on, and what AddressSanitizer knows of its stack.
struct Fibre {
    boost::context::detail::fcontext_t context = nullptr;
    void* fake_stack = nullptr;
    const void* lowest = nullptr;
    size_t stack_bytes = 0;
};

/// The fibres of one block, numbered from 0, and the outside from which they are entered.
class Fibres {
  public:
    /// Makes `count` fibres that begin with body() and never return from it. Stacks are kept from launch to launch.
    void prepare(size_t count, void (*body)());
    /// Goes on with another fibre; returns when something switches back.
    void switch_to(size_t next) {
        Fibre& to = fibres_[next];
        if (to.context == nullptr) [[unlikely]]
            begin(next);
        jump(to, false);
    }
    /// The same where nothing will switch back to the running fibre.
    void leave_for(size_t next);
    void leave_for_outside();
    /// False where a fibre wrote to the end of its stack.
    bool stacks_are_whole() const;

  private:
    std::byte* stack(size_t number) const { return stacks_.get() + number * stack_stride; }
    void begin(size_t number);
    void jump(Fibre& to, bool last) {
        previous_ = running_;
        running_ = &to;
#ifdef NORMCHECK_ADDRESS_SANITIZER
        announce_jump(last);
#else
        (void)last;
#endif
        arrive(boost::context::detail::jump_fcontext(to.context, nullptr).fctx);
    }
    void arrive(boost::context::detail::fcontext_t from) {
        previous_->context = from;
#ifdef NORMCHECK_ADDRESS_SANITIZER
        complete_jump();
#endif
    }
    void announce_jump(bool last);
    void complete_jump();
    static void enter(boost::context::detail::transfer_t transfer);

    static constexpr size_t stack_bytes = size_t{32} << 10;
    // Tops of stacks a whole number of pages apart would fall into the same lines of the cache.
    static constexpr size_t stack_stride = stack_bytes + 320;

    std::vector<Fibre> fibres_;
    Fibre outside_;
    Fibre* running_ = &outside_;
    Fibre* previous_ = &outside_;
    void (*body_)() = nullptr;
    std::unique_ptr<std::byte[]> stacks_;
    size_t stack_count_ = 0;
};

}  // namespace normcheck::model
