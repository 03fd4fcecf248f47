// What a sweep is about: a kernel held to a contract on a domain; and the case line of each of its rows.
#pragma once

#include <cstdint>
#include <string>

#include "harness/abi/normcheck.h"
#include "harness/sweep/domain.hpp"
#include "oracles/contract.hpp"

namespace normcheck {

/// All that two results must have in common to be parts of one.
struct SweepIdentity {
    std::string version;  // of normcheck
    std::string kernel;
    Contract contract;
    std::string overrides;  // words in which the contract differs from the kernel's own, as a case line has them
    Domain domain;
    bool operator==(const SweepIdentity&) const = default;
};

/// The first difference between two identities, as in "kernel cpu/rms, not cpu/rms_f64"; empty where there is none.
std::string first_difference(const SweepIdentity& found, const SweepIdentity& wanted);

struct SweepSubject {
    const nc_kernel* kernel = nullptr;
    SweepIdentity identity;
};

/// `words` are contract words laid over the kernel's contract, x among them. The proven symmetries are used where
/// `symmetric` says so. Throws InputError where the words make no contract, the kernel does not take the format, or the
/// domain is too large.
SweepSubject make_subject(const nc_kernel& kernel, const std::string& words, int64_t cols, bool symmetric);

/// The case that runs the row of that index alone; it has the saved statistics judged as well.
std::string case_line(const SweepIdentity& identity, uint64_t index);

}  // namespace normcheck
