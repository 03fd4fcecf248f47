// The ordered list of faults, made from faults.def.
#include "harness/kernels/faulty/faults.hpp"

#include <cstdlib>

namespace normcheck {

namespace faulty {
#define FAULT(symbol, kind, shown_by) extern const nc_kernel symbol;
#include "harness/kernels/faulty/faults.def"
#undef FAULT
}  // namespace faulty

namespace {

constexpr char letter(const char (&text)[2]) {
    return text[0];
}

constexpr FaultInfo table[] = {
#define FAULT(symbol, kind, shown_by) {&faulty::symbol, letter(#kind), ShownBy::shown_by},
#include "harness/kernels/faulty/faults.def"
#undef FAULT
};

constexpr FaultKind kinds[] = {
#define FAULT_KIND(kind, meaning) {letter(#kind), meaning},
#include "harness/kernels/faulty/fault_kinds.def"
#undef FAULT_KIND
};

}  // namespace

std::span<const FaultInfo> faults() {
    return table;
}

const FaultInfo* fault_of(const nc_kernel& kernel) {
    for (const FaultInfo& fault : table)
        if (fault.kernel == &kernel) return &fault;
    return nullptr;
}

std::span<const FaultKind> fault_kinds() {
    return kinds;
}

std::string_view name(ShownBy shown_by) {
    switch (shown_by) {
        case ShownBy::any:
            return "any";
        case ShownBy::rows:
            return "rows";
        case ShownBy::property:
            return "property";
        case ShownBy::threads:
            return "threads";
        case ShownBy::process:
            return "process";
    }
    std::abort();
}

}  // namespace normcheck
