// What `list` can show, for help as well.
#pragma once

#include <string>

#include "reports/layout.hpp"

namespace normcheck {

/// A section of `list`: kernels, fields, cases, ... Throws InputError naming it and all that there are.
std::string section_text(const std::string& name, const Page& page);

}  // namespace normcheck
