// From a draft to a call without a word of text: what the fuzzer does many thousand times a second.
#pragma once

#include "harness/cases/case.hpp"
#include "harness/cases/make_inputs.hpp"
#include "harness/fuzz/draft.hpp"
#include "harness/fuzz/subject.hpp"

namespace normcheck {

/// A call ready to be made. Of the case only the shape and the layout are set, not the words (see codec.hpp for those).
struct PreparedCall {
    Case layout;
    Contract contract;
    Inputs inputs;
};

/// A shape that no rows, cols and pitch of a draft say; pitch 0: the draft's.
struct DraftShape {
    int64_t rows, cols, pitch;
    int threads;
};
/// By the number that the draft gives; the first stands for none of them.
std::span<const DraftShape> draft_shapes();

/// The names of the fills by which a draft numbers them: new ones go to the end.
std::span<const std::string_view> draft_fills();
std::span<const std::string_view> draft_parameter_fills();

/// The six numbers of fill=shaped follow one another in draft_fields.def, behind the fill's own.
constexpr int shaped_parameter_count = 6;
/// Whether the draft gives this tensor as a fill, and its name.
std::string_view fill_name(const Draft& draft, DraftTensor tensor);
/// The parameters of fill=shaped for x or the residual.
std::array<double, shaped_parameter_count> shaped_parameters(const Draft& draft, DraftTensor tensor);
/// The field that holds the number of the tensor's fill.
DraftField fill_field(DraftTensor tensor);

/// The codes that the draft gives for the tensor: cut to the format's bits and to cols.
InlineBits inline_bits(const Draft& draft, DraftTensor tensor, FormatId format, int64_t cols);

int64_t draft_cols(int cols_field);

PreparedCall prepare(const Draft& draft, const FuzzSubject& subject);

}  // namespace normcheck
