// Bytes to cases and back. A case says eps by its value, so a draft that gave it relative to a row comes back with its
// code: decode(encode(decode(b))) == decode(b) for all bytes b.
#pragma once

#include "harness/cases/case.hpp"
#include "harness/fuzz/draft.hpp"
#include "harness/fuzz/subject.hpp"

namespace normcheck {

/// The case of a draft, in full: print() of it reproduces the call that prepare() makes.
Case case_of(const Draft& draft, const FuzzSubject& subject);
/// A draft of a case. Throws InputError where there is none: naming the first thing that a draft cannot say.
Draft draft_of(const Case& c, const FuzzSubject& subject);

Case decode_case(std::span<const uint8_t> bytes, const FuzzSubject& subject);
Bytes encode_case(const Case& c, const FuzzSubject& subject);

/// The draft's kernel, counted round those that are built in; where each has its place in that count (0 for others).
const nc_kernel& kernel_of(const Draft& draft);
int kernel_number(const nc_kernel& kernel);

}  // namespace normcheck
