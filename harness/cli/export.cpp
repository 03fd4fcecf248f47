// The verb `export`: writes the inputs of cases to files, to be run anywhere and scored afterwards.
#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cases/case.hpp"
#include "harness/cli/outside_options.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/tensors.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "harness/io/atomic_file.hpp"
#include "harness/io/npy.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

struct Exported {
    std::string stem;  // the first part of its files' names
    Case c;
    Contract contract;
    SafeTensors content;
};

/// The case's number and kernel, with nothing in it that a file name may not hold.
std::string file_stem(const Case& c, size_t index) {
    std::string name = c.kernel.empty() ? "case" : c.kernel;
    for (char& character : name)
        if (std::isalnum(static_cast<unsigned char>(character)) == 0) character = '_';
    return fmt::format("{:03}-{}", index, name.substr(0, 80));
}

Exported exported(const std::string& line, size_t index) {
    const Case c = parse_case(line);
    const Contract contract = case_contract(c.kernel.empty() ? nullptr : &kernel_named(c.kernel), c);
    return {file_stem(c, index), c, contract, to_safetensors(c, contract, make_inputs(c, contract), {})};
}

std::string npy_name(const Exported& one, const std::string& tensor) {
    return fmt::format("{}.{}.npy", one.stem, tensor);
}

void write_files(const Exported& one, const fs::path& folder) {
    write_safetensors(folder / (one.stem + ".safetensors"), one.content);
    for (const auto& [name, tensor] : one.content.tensors) write_npy(folder / npy_name(one, name), tensor);
}

std::string score_command(const Exported& one, const fs::path& folder) {
    std::string command = "normcheck score --contract " + shell_word(print(one.contract));
    for (const auto& [name, tensor] : one.content.tensors)
        command += fmt::format(" --{} {}", name, shell_word((folder / npy_name(one, name)).string()));
    return command + fmt::format(" --y {}", shell_word((folder / npy_name(one, "y")).string()));
}

Json entry_of(const Exported& one) {
    Json files = Json::object();
    for (const auto& [name, tensor] : one.content.tensors) files[name] = npy_name(one, name);
    return {{"case", print(one.c)},
            {"contract", print(one.contract)},
            {"rows", one.c.rows},
            {"cols", one.c.cols},
            {"eps", print_number(one.contract.eps.value, one.contract.eps.format)},
            {"safetensors", one.stem + ".safetensors"},
            {"inputs", files},
            {"y", npy_name(one, "y")}};
}

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw InputError(fmt::format("-o {}: {}; expected a folder to write to", folder.string(), error.message()));
    if (!fs::is_empty(folder))
        throw InputError(
            fmt::format("-o {}: it holds files already; expected a new or an empty folder", folder.string()));
}

int run(const std::vector<std::string>& lines, const fs::path& folder) {
    std::vector<Exported> all;
    for (const std::string& line : lines) all.push_back(exported(line, all.size()));
    make_folder(folder);
    Json manifest{{"schema", 1}, {"cases", Json::array()}};
    std::string text;
    for (const Exported& one : all) {
        write_files(one, folder);
        manifest["cases"].push_back(entry_of(one));
        text += fmt::format("'{}'\n  write y to {}, then:\n  {}\n", print(one.c),
                            (folder / npy_name(one, "y")).string(), score_command(one, folder));
    }
    write_file_atomically(folder / "manifest.json", manifest.dump(2) + "\n");
    write_output(text);
    return 0;
}

constexpr Example examples[] = {
    {"normcheck export 'rms cast=before_gamma x=bf16 rows=4 cols=64' -o exported",
     "x and gamma of one case as .npy files, and how to score a y beside them"},
    {"normcheck export 'layer beta=add cols=768 fill=offset' 'layer beta=add cols=768 fill=constant' -o cases",
     "inputs of several cases"},
};

}  // namespace

Verb add_export(CLI::App& app) {
    struct Options {
        std::vector<std::string> lines;
        std::string folder;
        OutsideOptions outside;
    };
    const auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("export", "write the inputs of cases to files, to be run elsewhere");
    verb->add_option("LINE", options->lines, "cases, as reports print them")->required();
    verb->add_option("-o,--output", options->folder, "folder to write to")->type_name("DIR")->required();
    add_outside_options(*verb, options->outside);
    return {verb,
            [options](const std::string&) {
                load_outside(options->outside);
                return run(options->lines, options->folder);
            },
            examples};
}

}  // namespace normcheck
