// The program `normcheck`: finds the verb, runs it, and turns errors into one line and exit status 2.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/help_formatter.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "oracles/error.hpp"
#include "reports/context.hpp"

namespace normcheck {
namespace {

constexpr int usage_error = 2;

std::string names_of(const std::vector<Verb>& verbs) {
    std::string names;
    for (const Verb& verb : verbs) names += (names.empty() ? "" : ", ") + verb.options->get_name();
    return names;
}

/// CLI11 would only say that an argument was not expected.
void require_known_verb(const std::vector<Verb>& verbs, int argc, char** argv) {
    if (argc < 2) throw InputError(fmt::format("no verb; expected one of {}, or --help", names_of(verbs)));
    const std::string_view first = argv[1];
    const auto is_first = [&](const Verb& verb) { return verb.options->get_name() == first; };
    if (first.starts_with('-') || std::ranges::any_of(verbs, is_first)) return;
    throw InputError(fmt::format("unknown verb '{}'; expected one of {}", first, names_of(verbs)));
}

std::string command_of(int argc, char** argv) {
    std::string command = "normcheck";
    for (int i = 1; i < argc; ++i) command += ' ' + shell_word(argv[i]);
    return command;
}

int run_parsed(const std::vector<Verb>& verbs, const std::string& command) {
    for (const Verb& verb : verbs)
        if (verb.options->parsed()) return verb.run(command);
    throw InputError(fmt::format("no verb; expected one of {}, or --help", names_of(verbs)));
}

int run(int argc, char** argv) {
    CLI::App app("Checks LayerNorm and RMSNorm kernels against an exact oracle.", "normcheck");
    const Page page = output_page(0);
    app.formatter(std::make_shared<HelpFormatter>(page));  // the verbs inherit it
    app.set_version_flag("--version", "normcheck " + make_context(0, "").version);
    const std::vector<Verb> verbs = add_verbs(app, page);
    app.require_subcommand(0, 1);  // a verb's word may be the name of another verb, as in `bench sweep`
    require_known_verb(verbs, argc, argv);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        throw InputError(error.what());
    }
    return run_parsed(verbs, command_of(argc, argv));
}

int complain(std::string_view message) {
    std::string line(message);
    std::ranges::replace(line, '\n', ' ');
    fmt::print(stderr, "normcheck: {}\n", line);
    return usage_error;
}

}  // namespace
}  // namespace normcheck

int main(int argc, char** argv) {
    try {
        return normcheck::run(argc, argv);
    } catch (const std::exception& error) {
        return normcheck::complain(error.what());
    }
}
