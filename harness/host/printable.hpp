// Text of others, as it may stand in a message.
#pragma once

#include <string>
#include <string_view>

namespace normcheck::host {

/// The text with nothing in it that a terminal would act on: a tab is a space, every other control character a ?.
std::string printable(std::string_view text);

}  // namespace normcheck::host
