// The verb `list`: what there is to name on the command line, from the tables themselves.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "harness/cases/case.hpp"
#include "harness/cases/fills.hpp"
#include "harness/check/abi_format.hpp"
#include "harness/cli/option_values.hpp"
#include "harness/cli/outside_options.hpp"
#include "harness/cli/sections.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "harness/kernels/cuda/device_kernels.hpp"
#include "harness/kernels/faulty/faults.hpp"
#include "harness/kernels/registry.hpp"
#include "harness/properties/properties.hpp"
#include "oracles/error.hpp"
#include "oracles/judge.hpp"
#include "oracles/regime.hpp"

namespace normcheck {
namespace {

std::string entry(std::string_view name, int name_width, std::string_view text, const Page& page) {
    return paragraph(fmt::format("  {:<{}}  ", name, name_width), text, page);
}

std::string heading(std::string_view text, const Page& page) {
    return paint(text, Style::bold, page) + '\n';
}

std::string format_list(const nc_kernel& kernel) {
    std::string names;
    for (const FormatId id : formats_of(kernel)) names += (names.empty() ? "" : ", ") + std::string(format(id).name);
    return names;
}

std::string kernels_text(const Page& page) {
    std::string text = heading("kernels", page);
    for (const nc_kernel* kernel : kernels_matching({})) {
        text += paragraph("  ", kernel->name, page);
        text += paragraph("    contract  ", kernel->contract, page);
        text += paragraph("    formats   ", format_list(*kernel), page);
        text += paragraph("    about     ", kernel->about, page);
    }
    if (!why_no_device_kernels().empty())
        text += paragraph("  ", fmt::format("cuda/* are skipped: {}", why_no_device_kernels()), page);
    return text;
}

std::string fault_text(const FaultInfo& fault, const Page& page) {
    const bool plain = fault.shown_by == ShownBy::any;
    const std::string needs = plain ? "" : fmt::format(" (shown by: {})", name(fault.shown_by));
    return entry(fmt::format("  {}", fault.kernel->name), 34, fault.kernel->about + needs, page);
}

std::string faults_text(const Page& page) {
    std::string text = heading("faulty kernels, for testing the tests, by kind", page);
    for (const FaultKind& kind : fault_kinds()) {
        text += paragraph("  ", fmt::format("{}  {}", kind.letter, kind.meaning), page);
        for (const FaultInfo& fault : faults())
            if (fault.kind == kind.letter) text += fault_text(fault, page);
    }
    return text;
}

std::string formats_text(const Page& page) {
    std::string text = heading("formats", page);
    for (int i = 0; i < format_count; ++i) {
        const Format& f = format(static_cast<FormatId>(i));
        text += entry(f.name, 6,
                      fmt::format("{} bits: {} of exponent, precision {}; largest {:.4g}, smallest normal {:.4g}, "
                                  "smallest {:.4g}",
                                  f.bits(), f.exponent_bits, f.significand_bits, decode_double(f, f.max_finite_code()),
                                  std::ldexp(1.0, f.min_exponent()), decode_double(f, 1)),
                      page);
    }
    return text;
}

std::string fill_text(const FillInfo& info, bool tells_random, const Page& page) {
    std::string meaning = info.meaning;
    if (tells_random && info.random) meaning += " (independent random values)";
    const std::string parameters = info.parameters;
    if (!parameters.empty()) meaning += fmt::format("; may be followed by :{}", parameters);
    return entry(info.name, 18, meaning, page);
}

std::string fills_text(const Page& page) {
    std::string text = heading("fills of x and the residual", page);
    for (const FillInfo& info : fills()) text += fill_text(info, true, page);
    text += entry("bits:HEX,...", 18, "these codes, repeated along the row", page);
    text += entry("values:NUMBER,...", 18, "these values, rounded once to the format", page);
    text += heading("\nfills of gamma and beta", page);
    for (const FillInfo& info : parameter_fills()) text += fill_text(info, false, page);
    return text + entry("absent", 18, "no tensor is passed; bits: and values: are taken too", page);
}

std::string regimes_text(const Page& page) {
    std::string text = heading("regimes, the first that applies", page);
    for (const RegimeInfo& info : regimes()) text += entry(info.name, 13, info.meaning, page);
    return text;
}

std::string fields_text(const Page& page) {
    std::string text = heading("contract fields", page);
    for (const FieldInfo& info : contract_fields()) {
        text += entry(info.name, 15, info.meaning, page);
        text += entry("", 15, fmt::format("values: {}", info.values), page);
        text += entry("", 15, fmt::format("default: {}", info.default_text), page);
    }
    return text;
}

std::string cases_text(const Page& page) {
    std::string text = heading("words of a case, beside contract fields", page);
    for (const CaseKeyInfo& info : case_keys())
        text += entry(info.name, 15, fmt::format("{} (default: {})", info.meaning, info.default_text), page);
    return text;
}

std::string properties_text(const Page& page) {
    std::string text = heading("properties", page);
    for (const PropertyInfo& info : properties()) text += entry(info.name, 30, info.meaning, page);
    return text;
}

std::string verdicts_text(const Page& page) {
    std::string text = heading("verdicts", page);
    for (int i = 0; i < verdict_count; ++i)
        text += entry(name(static_cast<Verdict>(i)), 11, meaning(static_cast<Verdict>(i)), page);
    return text;
}

struct Section {
    const char* name;
    std::string (*text)(const Page& page);
};
constexpr Section sections[] = {{"kernels", kernels_text},       {"formats", formats_text},   {"fills", fills_text},
                                {"cases", cases_text},           {"regimes", regimes_text},   {"fields", fields_text},
                                {"properties", properties_text}, {"verdicts", verdicts_text}, {"faults", faults_text}};
constexpr std::string_view asked_for_alone = "faults";  // long, and no user's first question

std::string section_names() {
    std::string names;
    for (const Section& section : sections) names += (names.empty() ? "" : ", ") + std::string(section.name);
    return names;
}

const Section& section_named(const std::string& name) {
    for (const Section& section : sections)
        if (name == section.name) return section;
    throw InputError(fmt::format("list: there is no '{}'; expected one of {}", name, section_names()));
}

int list(const std::vector<std::string>& names, int width) {
    const Page page = output_page(width);
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : "\n") + section_named(name).text(page);
    for (const Section& section : sections)
        if (names.empty() && section.name != asked_for_alone) text += (text.empty() ? "" : "\n") + section.text(page);
    write_output(text);
    return 0;
}

constexpr Example examples[] = {
    {"normcheck list kernels", "the built-in kernels with their contracts and formats"},
    {"normcheck list fields fills", "the fields of a contract with their values, and all fills"},
    {"normcheck list faults", "the fault zoo"},
    {"normcheck list kernels --plugin ./librms.so", "the kernels of a library of yours"},
};

}  // namespace

std::string section_text(const std::string& name, const Page& page) {
    return section_named(name).text(page);
}

Verb add_list(CLI::App& app) {
    struct Options {
        std::vector<std::string> names;
        int width = 0;
        OutsideOptions outside;
    };
    const auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand(
        "list", "show kernels, formats, fills, words of a case, regimes, contract fields, properties and verdicts");
    verb->add_option("SECTION", options->names,
                     fmt::format("{} (default: all but {})", section_names(), asked_for_alone));
    add_width_option(*verb, options->width);
    add_outside_options(*verb, options->outside);
    return {verb,
            [options](const std::string&) {
                load_outside(options->outside);
                return list(options->names, options->width);
            },
            examples};
}

}  // namespace normcheck
