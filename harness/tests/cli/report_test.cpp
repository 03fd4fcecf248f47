// The verb `report`, and --report of the others.
#include <gtest/gtest.h>

#include "harness/tests/cli/command.hpp"

namespace normcheck {
namespace {}  // namespace
}  // namespace normcheck
