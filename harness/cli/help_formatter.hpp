// Help text as wide as the page: CLI11 wraps nothing.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "reports/layout.hpp"

namespace normcheck {

/// Wraps descriptions, and names of every option the short ones and the first long one: further long ones are spellings
/// that other verbs have for the same thing.
class HelpFormatter : public CLI::Formatter {
  public:
    explicit HelpFormatter(const Page& page);

    std::string make_description(const CLI::App* app) const override;
    std::string make_subcommand(const CLI::App* verb) const override;
    std::string make_option(const CLI::Option* option, bool is_positional) const override;
    std::string make_option_name(const CLI::Option* option, bool is_positional) const override;

  private:
    std::string entry(const std::string& name, const std::string& meaning) const;

    Page page_;
};

}  // namespace normcheck
