// See printable.hpp.
#include "harness/host/printable.hpp"

#include <algorithm>
#include <cctype>

namespace normcheck::host {

std::string printable(std::string_view text) {
    std::string shown(text);
    std::ranges::replace(shown, '\t', ' ');
    std::ranges::replace_if(shown, [](unsigned char one) { return std::iscntrl(one) != 0; }, '?');
    return shown;
}

}  // namespace normcheck::host
