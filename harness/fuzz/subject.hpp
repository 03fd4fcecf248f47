// A kernel as the fuzzer sees it: with its contract read once for every choice of formats that a draft can make.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/abi/normcheck.h"
#include "harness/fuzz/draft.hpp"
#include "oracles/contract.hpp"

namespace normcheck {

class FuzzSubject {
  public:
    /// `only`: the one format of x that drafts choose from. Throws InputError where the kernel's contract cannot be
    /// read or the kernel takes no format that is left.
    explicit FuzzSubject(const nc_kernel& kernel, std::optional<FormatId> only = std::nullopt);

    const nc_kernel& kernel() const { return *kernel_; }
    /// Whether the kernel may end the process, and is called in a host.
    bool is_hosted() const { return is_hosted_; }
    /// The contract under the draft's formats, with the kernel's own eps.
    const Contract& contract(const Draft& draft) const { return choice(draft).contract; }
    /// The words that make that contract out of the kernel's.
    const std::string& words(const Draft& draft) const { return choice(draft).words; }

    /// Sets the draft's formats to those of the contract; false where no choice has them.
    bool set_formats(Draft& draft, const Contract& contract) const;

  private:
    struct Choice {
        Contract contract;
        std::string words;
    };
    void add_choices(FormatId x);
    const Choice& choice(const Draft& draft) const;

    const nc_kernel* kernel_;
    bool is_hosted_;
    std::vector<Choice> choices_;  // by format, then four each: wide_y + 2 * wide_params
};

}  // namespace normcheck
