// The verb `help`: the verbs, one of them, or a word that all of them share.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "harness/cli/sections.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr Example examples[] = {
    {"normcheck help", "all verbs, by purpose"},
    {"normcheck help diff", "the options of one, and examples"},
    {"normcheck help contract", "what a contract is, and all of its fields"},
    {"normcheck help exit", "what exit statuses mean"},
};

std::string contract_text(const Page& page) {
    return paragraph("",
                     "A contract is everything that a kernel promises: words field=value in any order, the norm alone "
                     "or as norm=, and what is left out has its default. A case may have such words too, which are "
                     "laid over its kernel's contract.",
                     page) +
           "\n  layer beta=add eps=1e-5 x=bf16\n  rms cast=before_gamma x=bf16 reduce=lanes:8\n\n" +
           section_text("fields", page);
}

std::string case_text(const Page& page) {
    return paragraph(
               "",
               "A case is one call as one line: words key=value in any order, contract words among them, and what "
               "is left out has its default. The line reproduces the call bit by bit.",
               page) +
           "\n  kernel=cpu/rms x=bf16 rows=2 cols=768 fill=eps_grid seed=7\n" +
           "  kernel=cpu/rms fill=values:3,4 eps=0 gamma_fill=ones\n\n" + section_text("cases", page) + '\n' +
           section_text("fills", page);
}

std::string exit_text(const Page& page) {
    const auto status = [&](const char* number, const char* means) {
        return paragraph(fmt::format("  {}  ", number), means, page);
    };
    return paint("exit status", Style::bold, page) + '\n' +
           status("0",
                  "every selected kernel has a pass, and nothing failed; diff: the same bits; detect: every fault "
                  "caught, no correct kernel accused") +
           status("1",
                  "something failed, or a kernel has no pass at all, or with --strict a row is suspect; diff: other "
                  "bits; fuzz: a finding") +
           status("2", "an error of usage or of the input; one line on standard error says which") +
           paragraph("", "verify that is interrupted reports what has run and exits with 130 or 143.", page) + '\n' +
           section_text("verdicts", page);
}

struct Topic {
    const char* name;
    std::string (*text)(const Page& page);
};
constexpr Topic topics[] = {{"contract", contract_text}, {"case", case_text}, {"exit", exit_text}};

/// `case` is a verb and a topic: help has both, the verb first.
std::string help_text(const CLI::App& app, const std::string& word, const Page& page) {
    std::string text;
    for (const CLI::App* verb : app.get_subcommands([&](const CLI::App* one) { return one->get_name() == word; }))
        text += verb->help(app.get_name());
    for (const Topic& topic : topics)
        if (word == topic.name) text += (text.empty() ? "" : "\n") + topic.text(page);
    if (!text.empty()) return text;
    std::string names;
    for (const CLI::App* verb : app.get_subcommands({})) names += (names.empty() ? "" : ", ") + verb->get_name();
    for (const Topic& topic : topics)
        if (names.find(topic.name) == names.npos) names += fmt::format(", {}", topic.name);
    throw InputError(fmt::format("help: there is nothing on '{}'; expected one of {}", word, names));
}

}  // namespace

Verb add_help(CLI::App& app) {
    const auto word = std::make_shared<std::string>();
    CLI::App* verb = app.add_subcommand("help", "show the verbs, or the options and examples of one");
    verb->add_option("WORD", *word, "a verb, or contract, case or exit");
    return {verb,
            [word, &app](const std::string&) {
                // app.help() would be that of the verb which was parsed: this one.
                write_output(word->empty()
                                 ? app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal)
                                 : help_text(app, *word, output_page(0)));
                return 0;
            },
            examples};
}

}  // namespace normcheck
