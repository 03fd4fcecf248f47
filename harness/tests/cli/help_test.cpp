// The verb `help`, and that the examples it shows can be typed as they stand.
#include <gtest/gtest.h>
#include <wordexp.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "harness/cli/verb.hpp"
#include "harness/tests/cli/command.hpp"

namespace normcheck {
namespace {

/// The words of a command as a shell reads them, without the program's name.
std::vector<std::string> words_of(const std::string& command) {
    wordexp_t words{};
    EXPECT_EQ(wordexp(command.c_str(), &words, WRDE_NOCMD | WRDE_UNDEF), 0) << command;
    const std::vector<std::string> all(words.we_wordv, words.we_wordv + words.we_wordc);
    wordfree(&words);
    EXPECT_FALSE(all.empty()) << command;
    if (all.empty()) return {};
    EXPECT_EQ(all[0], "normcheck") << command;
    return {all.begin() + 1, all.end()};
}

/// Every example with its verb's name.
std::vector<std::pair<std::string, Example>> all_examples() {
    CLI::App app;
    std::vector<std::pair<std::string, Example>> all;
    for (const Verb& verb : add_verbs(app, Page{}))
        for (const Example& example : verb.examples) all.emplace_back(verb.options->get_name(), example);
    return all;
}

TEST(Help, EveryVerbHasTwoToFiveExamplesThatItsHelpShows) {
    CLI::App app;
    for (const Verb& verb : add_verbs(app, Page{})) {
        const std::string name = verb.options->get_name();
        EXPECT_GE(verb.examples.size(), 2U) << name;
        EXPECT_LE(verb.examples.size(), 5U) << name;
        const std::string help = run_program({"help", name}).output;
        EXPECT_TRUE(help.starts_with(run_program({name, "--help"}).output)) << name;
        for (const Example& example : verb.examples)
            EXPECT_TRUE(contains(help, std::string("      ") + std::string(example.does).substr(0, 30))) << help;
    }
}

TEST(Help, EveryExampleIsACommandOfItsVerb) {
    for (const auto& [name, example] : all_examples()) {
        CLI::App app;
        const std::vector<Verb> verbs = add_verbs(app, Page{});
        app.require_subcommand(0, 1);
        std::vector<std::string> words = words_of(example.command);
        ASSERT_FALSE(words.empty());
        EXPECT_EQ(words[0], name) << example.command;
        std::ranges::reverse(words);  // as CLI11 takes them
        EXPECT_NO_THROW(app.parse(words)) << example.command;
    }
}

/// What takes too long here, or needs what is not here: minutes of measuring, a fuzz target.
bool is_left_out(const std::string& verb, const std::string& command) {
    static const std::set<std::string> left_out{"normcheck verify",
                                                "normcheck sweep cpu/rms --format bf16 --cols 2 --output pairs.json",
                                                "normcheck detect --only-correct --seeds 10"};
    return verb == "fuzz" || verb == "bench" || left_out.contains(command);
}

/// One after the other in one folder, as someone who tries them out: later ones read files of earlier ones.
TEST(Help, ExamplesRunAsTheyStand) {
    const Folder folder;
    std::filesystem::create_directory(folder.path() / "corpora");
    for (const char* corpus : {"own.cases", "corpora/regressions.cases"})
        std::ofstream(folder.path() / corpus) << "# cases\n";
    std::filesystem::create_symlink(NORMCHECK_EXAMPLE_PLUGIN, folder.path() / "librms.so");
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    for (const auto& [verb, example] : all_examples()) {
        if (is_left_out(verb, example.command)) continue;
        if (verb == "score" && contains(example.command, "y.npy"))
            std::filesystem::copy_file("exported/000-case.x.npy", "y.npy");  // any values of the right shape
        const Ran ran = run_program(words_of(example.command));
        EXPECT_TRUE(ran.status == 0 || ran.status == 1) << example.command << '\n' << ran.errors;
        EXPECT_EQ(ran.errors.find("normcheck: "), std::string::npos) << example.command << '\n' << ran.errors;
    }
    std::filesystem::current_path(before);
}

TEST(Help, ListsVerbsByPurposeAndEveryOneOnce) {
    const std::string help = run_program({"help"}).output;
    EXPECT_EQ(help, run_program({"--help"}).output);
    size_t place = 0;
    for (const char* purpose : {"Judge a kernel:", "Find faults and keep them:", "Reports", "Measure:", "Ask:"}) {
        const size_t found = help.find(purpose);
        ASSERT_NE(found, std::string::npos) << purpose;
        EXPECT_GT(found, place) << purpose;
        place = found;
    }
    CLI::App app;
    for (const Verb& verb : add_verbs(app, Page{}))
        EXPECT_TRUE(contains(help, "\n  " + verb.options->get_name() + " ")) << verb.options->get_name();
}

TEST(Help, ExplainsContractsCasesAndExitStatuses) {
    EXPECT_TRUE(contains(run_program({"help", "contract"}).output, "eps_at"));
    const std::string on_case = run_program({"help", "case"}).output;
    EXPECT_TRUE(contains(on_case, "--explain") && contains(on_case, "gamma_fill")) << on_case;
    EXPECT_TRUE(contains(run_program({"help", "exit"}).output, "doubtful"));
    for (const char* word : {"contract", "exit"})
        EXPECT_LE(longest_line(run_program({"help", word}).output), 80U) << word;
}

TEST(Help, NamesAWordThatIsUnknown) {
    const Ran ran = run_program({"help", "judge"});
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(contains(ran.errors, "'judge'; expected one of verify, case, ")) << ran.errors;
}

}  // namespace
}  // namespace normcheck
