// Results as values and as files: written and read without loss, refused where a byte is wrong, joined only where they
// belong together.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/kernels/registry.hpp"
#include "harness/sweep/result_file.hpp"
#include "harness/tests/io_test_files.hpp"

namespace normcheck {
namespace {

SweepResult result_of(const char* kernel, const char* words, uint64_t number = 1, uint64_t parts = 1,
                      bool symmetric = true) {
    const SweepSubject subject = make_subject(*find_kernel(kernel), words, 1, symmetric);
    SweepResult result{subject.identity, SweepState(shard(subject.identity.domain, number, parts))};
    EXPECT_FALSE(run_sweep(subject, result.state, {.threads = 2}));
    return result;
}

std::vector<NamedResult> shards_of(const char* kernel, const char* words, uint64_t parts) {
    std::vector<NamedResult> shards;
    for (uint64_t number = 1; number <= parts; ++number)
        shards.push_back({fmt::format("part{}", number), result_of(kernel, words, number, parts)});
    return shards;
}

TEST(SweepResult, comes_back_from_its_file_as_it_was) {
    for (const char* words : {"x=f16", "x=bf16 eps=1e-3", "x=f16 eps_at=outside"})
        for (const uint64_t number : {1, 3}) {
            const SweepResult result = result_of("cpu/rms", words, number, 3);
            EXPECT_EQ(parse_result(to_json_text(result), "file"), result) << words;
        }
    SweepResult begun = result_of("cpu/rms", "x=f16", 2, 9);
    begun.state = SweepState(begun.state.range);
    EXPECT_EQ(parse_result(to_json_text(begun), "file"), begun);
}

TEST(SweepResult, with_any_one_byte_wrong_is_refused) {
    const std::string text = to_json_text(result_of("cpu/rms", "x=f16 eps_at=outside", 2, 9));
    for (size_t at = 0; at < text.size(); ++at) {
        std::string wrong = text;
        wrong[at] = static_cast<char>(wrong[at] ^ (1 << at % 7));
        ASSERT_TRUE(contains(refusal([&] { parse_result(wrong, "file"); }), "file: ")) << at << " of " << wrong;
    }
}

TEST(SweepResult, that_ends_too_early_or_is_something_else_is_refused) {
    const std::string text = to_json_text(result_of("cpu/rms", "x=f16", 2, 9));
    for (size_t size = 0; size < text.size(); size += 37)
        EXPECT_TRUE(contains(refusal([&] { parse_result(text.substr(0, size), "file"); }), "damaged")) << size;
    for (uint64_t number = 0; number < 2000; ++number) {
        const std::string wrong = mutated(text, number);
        ASSERT_TRUE(wrong == text || refusal([&] { parse_result(wrong, "file"); }) != "") << number;
    }
    EXPECT_TRUE(contains(refusal([] { parse_result("{\"schema\": 1}", "file"); }), "not a result of normcheck sweep"));
    EXPECT_TRUE(contains(refusal([] { parse_result("[1, 2]", "file"); }), "not a result of normcheck sweep"));
}

TEST(SweepResult, whose_rows_do_not_add_up_is_refused) {
    SweepResult result = result_of("cpu/rms", "x=f16", 2, 9);
    ++result.state.tally.run[0];
    EXPECT_TRUE(contains(refusal([&] { parse_result(to_json_text(result), "file"); }), "do not add up to the range"));
    SweepResult whole = result_of("cpu/rms", "x=f16");
    ++whole.state.tally.rows[0];
    EXPECT_TRUE(contains(refusal([&] { parse_result(to_json_text(whole), "file"); }), "do not add up to the domain"));
}

TEST(SweepResult, joined_from_parts_in_any_order_is_the_whole_byte_by_byte) {
    const std::string whole = to_json_text(result_of("cpu/layer_folded", "x=f16 eps_at=outside"));
    for (const uint64_t parts : {1, 2, 13}) {
        std::vector<NamedResult> shards = shards_of("cpu/layer_folded", "x=f16 eps_at=outside", parts);
        EXPECT_EQ(to_json_text(join(shards)), whole);
        std::ranges::reverse(shards);
        EXPECT_EQ(to_json_text(join(shards)), whole);
    }
}

std::string refusal_to_join(const std::vector<NamedResult>& parts) {
    return refusal([&] { join(parts); });
}

void expect_named(const std::string& message, std::initializer_list<const char*> words) {
    for (const char* word : words) EXPECT_TRUE(contains(message, word)) << message << " lacks " << word;
}

TEST(SweepResult, is_not_joined_over_a_gap) {
    const std::vector<NamedResult> shards = shards_of("cpu/rms", "x=f16", 4);
    expect_named(refusal_to_join({shards[1], shards[2], shards[3]}), {"gap", "places 0 to 8191", "part2"});
    expect_named(refusal_to_join({shards[0], shards[3], shards[1]}),
                 {"gap", "places 16384 to 24575", "part2", "part4"});
    expect_named(refusal_to_join({shards[2], shards[0], shards[1]}), {"gap", "places 24576 to 32767", "part3"});
    EXPECT_TRUE(contains(refusal_to_join({}), "no results"));
}

TEST(SweepResult, is_not_joined_where_parts_overlap) {
    const std::vector<NamedResult> shards = shards_of("cpu/rms", "x=f16", 4);
    const NamedResult half{"half", result_of("cpu/rms", "x=f16", 2, 2)};
    expect_named(refusal_to_join({shards[0], shards[1], shards[2], half}),
                 {"part3 (places 16384", "half (", "overlap"});
    expect_named(refusal_to_join({shards[0], shards[0]}), {"part1 (places 0 to 8191)", "overlap"});
}

TEST(SweepResult, is_not_joined_with_parts_of_another_sweep) {
    const NamedResult first{"one", result_of("cpu/rms", "x=f16", 1, 2)};
    const auto other = [&](const SweepResult& result) { return refusal_to_join({first, {"two", result}}); };
    expect_named(other(result_of("cpu/rms_f64", "x=f16", 2, 2)), {"two", "one", "kernel cpu/rms_f64, not cpu/rms"});
    expect_named(other(result_of("cpu/rms", "x=bf16", 2, 2)), {"two", "bf16"});
    expect_named(other(result_of("cpu/rms", "x=f16 eps=1e-3", 2, 2)), {"two", "contract", "eps=0.001"});
    expect_named(other(result_of("cpu/rms", "x=f16", 2, 2, false)), {"two", "symmetry none, not sign"});
    SweepResult older = result_of("cpu/rms", "x=f16", 2, 2);
    older.identity.version = "0.0.9";
    expect_named(other(older), {"two", "version 0.0.9"});
    SweepResult unfinished = result_of("cpu/rms", "x=f16", 2, 2);
    unfinished.state = SweepState(unfinished.state.range);
    expect_named(other(unfinished), {"two is unfinished", "0 of 16384"});
}

TEST(SweepResult, fails_by_a_row_and_where_the_whole_proves_nothing) {
    EXPECT_EQ(exit_status(result_of("cpu/rms", "x=f16")), 0);
    EXPECT_EQ(exit_status(result_of("cpu/rms", "x=f16 eps_at=outside")), 1);
    SweepResult part = result_of("cpu/rms", "x=f16", 1, 2);
    part.state.tally.run = {};
    part.state.tally.run[static_cast<size_t>(RowClass::outside)] = part.state.range.size();
    EXPECT_EQ(verdict(part), Verdict::outside);
    EXPECT_EQ(exit_status(part), 0);
    part.state.range = {0, 32768};
    part.state.done = 32768;
    EXPECT_EQ(exit_status(part), 1);
}

}  // namespace
}  // namespace normcheck
