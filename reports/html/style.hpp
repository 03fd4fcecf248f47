// The style sheet of a page.
#pragma once

#include <string_view>

namespace normcheck {

/// By day and by night, on a phone and on paper.
extern const std::string_view page_style;

}  // namespace normcheck
