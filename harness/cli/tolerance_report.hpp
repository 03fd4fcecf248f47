// What `tolerance` found, as text and as JSON.
#pragma once

#include <string>

#include "harness/check/tolerance.hpp"
#include "reports/layout.hpp"

namespace normcheck {

struct ToleranceVerb {
    Context context;
    Contract contract;
    int64_t cases = 0;
    ToleranceReport found;
};

std::string tolerance_text(const ToleranceVerb& verb, const Page& page);
std::string tolerance_json(const ToleranceVerb& verb);

}  // namespace normcheck
