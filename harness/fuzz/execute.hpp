// One execution: the call of a draft and its judgement, as check_case would give it for the case.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/fuzz/kept_call.hpp"
#include "harness/fuzz/prepare.hpp"
#include "oracles/judge.hpp"

namespace normcheck {

struct Execution {
    bool refused = false;
    std::vector<std::string> broken_rules;
    std::vector<RowResult> rows;
    FormatId format = FormatId::f32;  // of x
    int64_t cols = 0;

    bool is_finding() const;
    /// Why it is one: the first broken rule, or the first failing row's reason.
    std::string reason() const;
};

/// Executes drafts in memory of its own; one per thread.
class Executor {
  public:
    Execution run(const FuzzSubject& subject, const Draft& draft);

  private:
    KeptCall call_;
};

}  // namespace normcheck
