// The fault zoo: kernels that declare a correct contract and break it in exactly one way. What the harness is measured
// by.
#pragma once

#include <span>
#include <string_view>

#include "harness/abi/normcheck.h"

namespace normcheck {

/// What it takes to show a fault.
enum class ShownBy : uint8_t {
    any,       // one call, judged by itself
    rows,      // one call, of more rows than the default plan has: 65537
    property,  // calls that differ in what must not matter, compared bit by bit
    threads,   // several threads, or a sanitizer of threads
    process,   // a process of its own: the fault ends it or does not return
};

/// One row of faults.def.
struct FaultInfo {
    const nc_kernel* kernel;
    char kind;  // a letter of fault_kinds()
    ShownBy shown_by;
};

/// All faults, in the order of faults.def.
std::span<const FaultInfo> faults();

/// The fault that the kernel is; null where it is none of them.
const FaultInfo* fault_of(const nc_kernel& kernel);

/// A kind of fault and what it is about, one row of fault_kinds.def.
struct FaultKind {
    char letter;
    const char* meaning;
};
std::span<const FaultKind> fault_kinds();

std::string_view name(ShownBy shown_by);

}  // namespace normcheck
