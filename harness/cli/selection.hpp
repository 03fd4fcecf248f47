// What the user names on the command line: kernels by pattern, and comma lists.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/abi/normcheck.h"
#include "oracles/format.hpp"

namespace normcheck {

/// The kernels whose name matches one of the patterns (as file names do in a shell, * matching / too), in their own
/// order. Where there is no pattern, those from outside, or all that are built in where there are none. Faulty kernels
/// are matched by patterns that begin with `faulty/` and by no other. Throws InputError naming a pattern that matches
/// none.
std::vector<const nc_kernel*> kernels_matching(const std::vector<std::string>& patterns);

/// The kernel of that name. Throws InputError naming it and all that there are.
const nc_kernel& kernel_named(std::string_view name);

/// The format of that name. Throws InputError naming the option and what is unknown.
FormatId read_format(std::string_view option, std::string_view word);
/// The formats in a comma list. Throws InputError naming the one that is unknown.
std::vector<FormatId> read_formats(std::string_view list);
/// The whole numbers in a comma list. Throws InputError naming `key` and the one that is wrong.
std::vector<int64_t> read_extents(std::string_view key, std::string_view list);
/// The parts of a comma list; empty where the text is.
std::vector<std::string> read_list(std::string_view list);
/// The fills in a comma list. A fill may be inline values, which have commas too: `bits:` and `values:` take what
/// follows up to the next part that is a fill's name.
std::vector<std::string> read_fills(std::string_view list);

}  // namespace normcheck
