// Which tensors a call has, how they lie, and which rules are asked of which.
#include "harness/check/call_buffers.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "harness/check/check.hpp"

namespace normcheck {
namespace {

/// A case without kernel, its inputs and buffers.
struct Made {
    explicit Made(const char* line)
        : c(parse_case(line)),
          contract(case_contract(nullptr, c)),
          inputs(make_inputs(c, contract)),
          buffers(make_call_buffers(c, contract, inputs)),
          call(make_call(buffers, contract, c.threads)) {}
    Case c;
    Contract contract;
    Inputs inputs;
    CallBuffers buffers;
    nc_call call;
};

/// What an honest kernel would leave: every output written.
void write_outputs(Made& made) {
    for (GuardedTensor* tensor :
         {&made.buffers.y, &made.buffers.residual_out, &made.buffers.mean, &made.buffers.rstd}) {
        const int64_t elements = tensor->layout.rows * tensor->layout.cols;
        if (!tensor->memory.empty()) write_codes(*tensor, std::vector<uint64_t>(static_cast<size_t>(elements), 1));
    }
}

TEST(CallBuffers, a_layer_norm_has_beta_and_mean_and_no_residual) {
    const Made made("layer beta=add x=bf16 stats=f64 rows=3 cols=5 eps=0.5 threads=2");
    EXPECT_EQ(made.call.residual.data, nullptr);
    EXPECT_EQ(made.call.residual_out.data, nullptr);
    EXPECT_EQ(made.call.beta.format, NC_BF16);
    EXPECT_EQ(made.call.beta.shape[0], 1);
    EXPECT_EQ(made.call.beta.shape[1], 5);
    EXPECT_EQ(made.call.mean.format, NC_F64);
    EXPECT_EQ(made.call.mean.shape[0], 3);
    EXPECT_EQ(made.call.mean.shape[1], 1);
    EXPECT_EQ(made.call.eps, 0.5);
    EXPECT_EQ(made.call.threads, 2);
}

TEST(CallBuffers, an_rms_norm_with_a_residual_has_no_beta_and_no_mean) {
    const Made made("rms residual=wide rows=3 cols=5");
    EXPECT_EQ(made.call.beta.data, nullptr);
    EXPECT_EQ(made.call.mean.data, nullptr);
    EXPECT_NE(made.call.residual.data, nullptr);
    EXPECT_NE(made.call.residual_out.data, nullptr);
    EXPECT_NE(made.call.residual_out.data, made.call.residual.data);
    EXPECT_NE(made.call.rstd.data, nullptr);
}

TEST(CallBuffers, a_gamma_that_the_case_does_not_pass_is_null) {
    EXPECT_EQ(Made("rms cols=5 gamma_fill=absent").call.gamma.data, nullptr);
    EXPECT_NE(Made("rms cols=5").call.gamma.data, nullptr);
}

TEST(CallBuffers, pitch_stride_and_offset_of_the_case_are_honoured) {
    const Made made("rms residual=wide rows=3 cols=5 pitch=2 stride=3 offset=1");
    for (const nc_tensor* tensor : {&made.call.x, &made.call.y, &made.call.residual, &made.call.residual_out}) {
        EXPECT_EQ(tensor->strides[0], 17);
        EXPECT_EQ(tensor->strides[1], 3);
    }
    EXPECT_EQ(reinterpret_cast<uintptr_t>(made.call.x.data) % 64, 4U);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(made.call.y.data) % 64, 4U);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(made.call.gamma.data) % 64, 0U);
    EXPECT_EQ(made.call.gamma.strides[1], 1);
}

TEST(CallBuffers, aliased_outputs_lie_on_their_inputs) {
    const Made in_place("rms in_place=yes rows=3 cols=5 alias=y_is_x");
    EXPECT_EQ(in_place.call.y.data, in_place.call.x.data);
    const Made adding("rms residual=wide rows=3 cols=5 alias=residual_out_is_residual");
    EXPECT_EQ(adding.call.residual_out.data, adding.call.residual.data);
    EXPECT_NE(adding.call.y.data, adding.call.x.data);
}

TEST(CallBuffers, a_call_that_writes_all_its_outputs_and_nothing_else_breaks_no_rule) {
    Made made("layer beta=add residual=wide rows=3 cols=5 pitch=2 stride=3 offset=1");
    EXPECT_EQ(wrongly_written(made.buffers).size(), 4U);
    write_outputs(made);
    EXPECT_TRUE(wrongly_written(made.buffers).empty());
    EXPECT_TRUE(touched_memory(made.buffers, made.inputs).empty());
    EXPECT_EQ(read_outputs(made.buffers).residual_out.size(), 15U);
    EXPECT_EQ(read_outputs(made.buffers).mean.size(), 3U);
}

TEST(CallBuffers, every_tensor_has_guards_and_every_input_is_compared) {
    const auto tensors = {&nc_call::x, &nc_call::residual,     &nc_call::gamma, &nc_call::beta,
                          &nc_call::y, &nc_call::residual_out, &nc_call::mean,  &nc_call::rstd};
    int64_t index = 0;
    for (const auto tensor : tensors) {
        Made made("layer beta=add residual=wide rows=3 cols=5");
        static_cast<float*>((made.call.*tensor).data)[-1] = 1;
        EXPECT_EQ(touched_memory(made.buffers, made.inputs).size(), 1U);
        static_cast<float*>((made.call.*tensor).data)[0] = 1234;
        EXPECT_EQ(touched_memory(made.buffers, made.inputs).size(), index++ < 4 ? 2U : 1U);
    }
}

TEST(CallBuffers, an_input_that_is_an_output_too_may_change) {
    Made made("rms residual=wide in_place=yes rows=3 cols=5 alias=y_is_x");
    static_cast<float*>(made.call.x.data)[0] = 1234;
    EXPECT_TRUE(touched_memory(made.buffers, made.inputs).empty());
    static_cast<float*>(made.call.residual.data)[0] = 1234;
    EXPECT_EQ(touched_memory(made.buffers, made.inputs),
              std::vector<std::string>{"residual[0,0] was changed, 1 in all"});
}

TEST(CallBuffers, a_call_without_elements_must_write_nothing) {
    Made made("rms rows=2 cols=0");
    EXPECT_TRUE(wrongly_written(made.buffers).empty());
    EXPECT_TRUE(read_outputs(made.buffers).rstd.empty());
    static_cast<float*>(made.call.rstd.data)[1] = 1;
    EXPECT_EQ(wrongly_written(made.buffers),
              std::vector<std::string>{"rstd[1,0] was written by a call that has nothing to write, 1 in all"});
}

}  // namespace
}  // namespace normcheck
