// One recorded call, decoded: its tensors as codes, in rows and columns. What `score` and `infer` judge and `case
// --dump` writes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "harness/check/check.hpp"
#include "harness/io/safetensors.hpp"

namespace normcheck {

struct Tensors {
    std::string name;  // of the file they came from, for messages and reports
    int64_t rows = 0;
    int64_t cols = 0;
    FormatId x = FormatId::f32;  // of the residual in and out as well
    FormatId y = FormatId::f32;
    std::optional<FormatId> params;  // nothing where neither gamma nor beta is there
    std::optional<FormatId> stats;   // nothing where neither mean nor rstd is there
    Inputs inputs;
    Outputs outputs;
    std::map<std::string, std::string> metadata;
};

/// The contract of these words, whose formats are those of the tensors where the words name none. Throws InputError
/// where a word contradicts a tensor's format, or where a tensor is there that the contract does not know.
Contract tensors_contract(std::string_view words, const Tensors& tensors);

/// The words with `x=`, `params=`, `y=` and `stats=` of the tensors added where they name none of it; refuses
/// contradictions as tensors_contract does.
std::string with_formats(std::string_view words, const Tensors& tensors);

/// What `infer` and `score` hand to the judge.
CaseResult unjudged(const Tensors& tensors);

/// The tensors of a call that has run, or of its inputs alone where it has not.
SafeTensors to_safetensors(const Case& c, const Contract& contract, const Inputs& inputs, const Outputs& outputs);

}  // namespace normcheck
