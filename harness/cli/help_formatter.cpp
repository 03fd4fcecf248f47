// Help text; see help_formatter.hpp.
#include "harness/cli/help_formatter.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/cli/option_values.hpp"

namespace normcheck {
namespace {

constexpr int name_columns = 26;  // two spaces, the name, and at least two spaces

}  // namespace

HelpFormatter::HelpFormatter(const Page& page) : page_(page) {
    page_.columns = std::max(page_.columns, narrowest_page);
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
    return paragraph("", app->get_description(), page_);
}

std::string HelpFormatter::make_subcommand(const CLI::App* verb) const {
    return entry(verb->get_name(), verb->get_description());
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
    return entry(make_option_name(option, is_positional) + make_option_opts(option), option->get_description());
}

std::string HelpFormatter::make_option_name(const CLI::Option* option, bool is_positional) const {
    if (is_positional) return option->get_name(true, false);
    std::string names;
    for (const std::string& name : option->get_snames()) names += fmt::format("{}-{}", names.empty() ? "" : ",", name);
    if (option->get_lnames().empty()) return names;
    return fmt::format("{}{}--{}", names, names.empty() ? "" : ",", option->get_lnames().front());
}

/// A name that needs more than its columns has a line of its own.
std::string HelpFormatter::entry(const std::string& name, const std::string& meaning) const {
    const std::string lead = fmt::format("  {:<{}}", name, name_columns - 2);
    if (lead.ends_with("  ")) return paragraph(lead, meaning, page_);
    return fmt::format("  {}\n", name) + paragraph(std::string(name_columns, ' '), meaning, page_);
}

}  // namespace normcheck
