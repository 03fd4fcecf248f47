// Replays the corpora: what users of real kernels have met, entry by entry, and the quick look at everything.
// NORMCHECK_LONG=1 adds the lines that are marked as long.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "harness/kernels/registry.hpp"
#include "harness/tests/replay.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr const char* regressions_path = NORMCHECK_CORPORA "/regressions.cases";
constexpr const char* smoke_path = NORMCHECK_CORPORA "/smoke.cases";
constexpr std::string_view entry_letters = "ABCDEFGHIJLMX";

/// Tests are listed before any runs, so a corpus that cannot be read must not throw here; another test reports it.
std::vector<std::string> entries() {
    std::vector<std::string> names;
    try {
        for (const CorpusLine& line : read_corpus(regressions_path))
            if (names.empty() || names.back() != line.entry) names.push_back(line.entry);
    } catch (const InputError&) {
        names.clear();
    }
    return names;
}

std::vector<CorpusLine> lines_of(const std::string& entry) {
    std::vector<CorpusLine> lines = read_corpus(regressions_path);
    std::erase_if(lines, [&](const CorpusLine& line) { return line.entry != entry; });
    return lines;
}

bool is_replayed(const CorpusLine& line) {
    const char* wanted = std::getenv("NORMCHECK_LONG");
    return !line.is_slow || (wanted != nullptr && std::string_view(wanted) == "1");
}

Replayed expect_no_complaints(const CorpusLine& line) {
    Replayed replayed = replay(line);
    for (const std::string& complaint : replayed.complaints)
        ADD_FAILURE() << "line " << line.number << ": " << line.text << "\n  " << complaint;
    return replayed;
}

std::vector<std::string> complaints_of(const std::string& line) {
    return replay(parse_corpus(line, "test").at(0)).complaints;
}

class Regressions : public testing::TestWithParam<std::string> {};

TEST_P(Regressions, every_line_of_the_entry_holds) {
    for (const CorpusLine& line : lines_of(GetParam()))
        if (is_replayed(line)) expect_no_complaints(line);
}

INSTANTIATE_TEST_SUITE_P(Entry, Regressions, testing::ValuesIn(entries()),
                         [](const auto& entry) { return entry.param.empty() ? "none" : entry.param; });

TEST(Corpora, can_be_read_and_have_lines) {
    EXPECT_FALSE(read_corpus(regressions_path).empty());
    EXPECT_FALSE(read_corpus(smoke_path).empty());
}

TEST(Corpora, every_case_survives_printing_and_parsing) {
    for (const char* path : {regressions_path, smoke_path}) {
        for (const CorpusLine& line : read_corpus(path)) {
            const std::string canonical = print(line.call);
            EXPECT_EQ(parse_case(canonical), line.call) << path << ":" << line.number;
            EXPECT_EQ(print(parse_case(canonical)), canonical) << path << ":" << line.number;
        }
    }
}

TEST(Corpora, every_kind_of_fault_has_lines_and_every_line_its_entry) {
    std::set<char> letters;
    for (const CorpusLine& line : read_corpus(regressions_path)) {
        ASSERT_FALSE(line.entry.empty()) << "line " << line.number;
        letters.insert(line.entry[0]);
    }
    EXPECT_EQ(std::string(letters.begin(), letters.end()), entry_letters);
}

TEST(Corpora, no_entry_stands_in_two_places) {
    std::vector<std::string> names = entries();
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST(Corpora, the_quick_look_passes_and_meets_every_kernel_format_and_regime) {
    std::set<std::string> kernels;
    std::set<Regime> met_regimes;
    std::set<FormatId> formats;
    for (const CorpusLine& line : read_corpus(smoke_path)) {
        EXPECT_EQ(line.verdict, Verdict::pass) << line.text;
        const Replayed replayed = expect_no_complaints(line);
        met_regimes.insert(replayed.regimes.begin(), replayed.regimes.end());
        kernels.insert(line.call.kernel);
        formats.insert({replayed.contract.x, replayed.contract.y});
    }
    for (const nc_kernel* kernel : built_in_kernels()) {
        const std::string name = kernel->name;  // those of a device are not on every machine
        EXPECT_TRUE(kernels.contains(name) || name.starts_with("cuda/")) << name;
    }
    EXPECT_EQ(met_regimes.size(), static_cast<size_t>(regime_count));
    EXPECT_EQ(formats.size(), static_cast<size_t>(format_count));
}

// The replay itself must be able to fail: one line for each thing that it compares.
TEST(Replay, complains_of_everything_that_a_line_states_and_that_is_not_so) {
    using Texts = std::vector<std::string>;
    const std::string row = "kernel=cpu/rms eps=0 fill=values:2,2 gamma_fill=absent => ";
    EXPECT_EQ(complaints_of(row + "pass right=0:1.00 target=1:1 wrong=0:2"), Texts{});
    EXPECT_EQ(complaints_of(row + "outside"), Texts{"row 0: pass ()"});
    EXPECT_EQ(complaints_of(row + "unsupported"), (Texts{"refusal: none", "row 0: pass ()"}));
    EXPECT_EQ(complaints_of(row + "pass right=1:1.01"), Texts{"right: element 0.1 is 1, not 1.01"});
    EXPECT_EQ(complaints_of(row + "pass target=1:-1"), Texts{"target: y 0.1 is 1, not -1"});
    EXPECT_EQ(complaints_of(row + "pass target=1:nan"), Texts{"target: y 0.1 is 1, not nan"});
    EXPECT_EQ(complaints_of(row + "pass wrong=1:1"), Texts{"wrong: 1 at 0.1 is not refused"});
    EXPECT_EQ(complaints_of("kernel=cpu/none => pass"), Texts{"no kernel is called 'cpu/none'"});
    EXPECT_EQ(complaints_of("kernel=cpu/add_rms_wide fill=values:1 residual_fill=values:2 => pass residual_out=0:2"),
              Texts{"target: residual_out 0.0 is 3, not 2"});
}

TEST(Replay, notices_a_kernel_that_refuses_the_call) {
    const std::string row = "kernel=cpu/rms x=f64 cols=4 => ";
    EXPECT_EQ(complaints_of(row + "unsupported"), std::vector<std::string>{});
    EXPECT_EQ(complaints_of(row + "pass"), std::vector<std::string>{"refusal: the kernel does not take x in f64"});
}

}  // namespace
}  // namespace normcheck
