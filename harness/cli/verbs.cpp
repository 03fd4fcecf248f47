// All verbs, by what one wants of them.
#include <fmt/format.h>

#include "harness/cli/verb.hpp"

namespace normcheck {
namespace {

struct Purpose {
    const char* name;
    std::vector<Verb (*)(CLI::App& app)> verbs;
};

const std::vector<Purpose>& purposes() {
    static const std::vector<Purpose> all = {
        {"Judge a kernel", {add_verify, add_case, add_diff, add_export, add_score, add_sweep, add_merge}},
        {"Find faults and keep them", {add_fuzz, add_minimize, add_promote, add_detect}},
        {"Reports and baselines", {add_report, add_baseline, add_compare}},
        {"Measure", {add_tolerance, add_bench}},
        {"Ask", {add_list, add_help}}};
    return all;
}

/// Commands are in one line each, however long, for copying; what they do stands below each.
std::string examples_text(std::span<const Example> examples, const Page& page) {
    if (examples.empty()) return "";
    std::string text = "Examples:\n";
    for (const Example& example : examples)
        text += fmt::format("  {}\n", example.command) + paragraph("      ", example.does, page);
    text.pop_back();  // help ends its last line
    return text;
}

}  // namespace

std::vector<Verb> add_verbs(CLI::App& app, const Page& page) {
    std::vector<Verb> verbs;
    for (const Purpose& purpose : purposes()) {
        for (const auto add : purpose.verbs) {
            verbs.push_back(add(app));
            verbs.back().options->group(purpose.name);
            verbs.back().options->footer(examples_text(verbs.back().examples, page));
        }
    }
    std::string more = paragraph("",
                                 "`normcheck help VERB` shows options and examples; `normcheck help contract`, `case` "
                                 "and `exit` explain what all verbs share.",
                                 page);
    more.pop_back();
    app.footer(more);
    return verbs;
}

}  // namespace normcheck
