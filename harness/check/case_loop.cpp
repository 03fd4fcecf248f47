// Exceptions of a loop over cases; see case_loop.hpp.
#include "harness/check/case_loop.hpp"

#include <fmt/format.h>

#include "oracles/error.hpp"

namespace normcheck {

std::exception_ptr with_case_line(const Case& c) {
    try {
        throw;
    } catch (const InputError& error) {
        return std::make_exception_ptr(InputError(fmt::format("{} (case: {})", error.what(), print(c))));
    } catch (const InternalError& error) {
        return std::make_exception_ptr(InternalError(fmt::format("{} (case: {})", error.what(), print(c))));
    } catch (...) {
        return std::current_exception();
    }
}

}  // namespace normcheck
