// Names, contracts and promises of kernels from outside are checked here, wherever they run.
#include "harness/outside/outside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "harness/host/hosted_call.hpp"
#include "harness/host/printable.hpp"
#include "harness/kernels/registry.hpp"
#include "harness/outside/library.hpp"
#include "oracles/contract.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

namespace fs = std::filesystem;
using host::printable;

constexpr size_t longest_name = 64;
constexpr uint32_t all_formats = NC_TAKES(NC_F64) | NC_TAKES(NC_F32) | NC_TAKES(NC_F16) | NC_TAKES(NC_BF16);
constexpr uint32_t known_support = all_formats | NC_NO_STATISTICS | NC_NO_RESIDUAL_OUT;

/// A kernel and the texts that it points to. They live as long as the program.
struct OutsideKernel {
    std::string name, contract, about, from;
    nc_kernel kernel{};
};

std::deque<OutsideKernel>& outside() {
    static std::deque<OutsideKernel> all;
    return all;
}

/// Stands in for the run of a kernel that another process has.
const char* is_elsewhere(const nc_call*) {
    return "this kernel runs in a host process only";
}

bool is_name_character(char character) {
    return std::isalnum(static_cast<unsigned char>(character)) != 0 ||
           std::string_view("_.+-").find(character) != std::string_view::npos;
}

bool is_name(std::string_view text) {
    return !text.empty() && text.size() <= longest_name && std::ranges::all_of(text, is_name_character);
}

void require_name(std::string_view name, const std::string& what) {
    if (is_name(name)) return;
    throw InputError(fmt::format("it has the name '{}' for {}; expected 1 to {} letters, digits and _ . + -",
                                 printable(name), what, longest_name));
}

/// Names of the kernels' own folders, so that cpu/mine is no kernel from outside.
void require_free(std::string_view space) {
    for (const std::string_view own : {"cpu", "cuda", "emulated", "faulty"})
        if (space == own)
            throw InputError(
                fmt::format("its namespace would be {}, as of built-in kernels and faults; expected another, "
                            "as in --plugin NAME=PATH",
                            own));
}

void require_support(const nc_kernel& kernel) {
    if ((kernel.supports & ~known_support) != 0)
        throw InputError(fmt::format("kernel '{}' supports {:#x}; expected a sum of the bits that normcheck.h defines",
                                     kernel.name, kernel.supports));
    if ((kernel.supports & all_formats) == 0)
        throw InputError(
            fmt::format("kernel '{}' takes no format of x; expected some of NC_TAKES(NC_F64), "
                        "NC_TAKES(NC_F32), NC_TAKES(NC_F16), NC_TAKES(NC_BF16)",
                        kernel.name));
}

void require_contract(const nc_kernel& kernel) {
    try {
        parse_contract(kernel.contract);
    } catch (const InputError& error) {
        throw InputError(fmt::format("kernel '{}' declares the contract '{}', which cannot be read: {}", kernel.name,
                                     printable(kernel.contract), error.what()));
    }
}

void require_sane(const std::vector<nc_kernel>& kernels) {
    std::set<std::string_view> names;
    for (const nc_kernel& kernel : kernels) {
        require_name(kernel.name, "a kernel");
        if (!names.insert(kernel.name).second)
            throw InputError(fmt::format("it has two kernels named '{}'", kernel.name));
        require_support(kernel);
        require_contract(kernel);
    }
}

/// Built-in kernels and faults have namespaces that nothing from outside may have.
std::string owner_of(const std::string& name) {
    for (const OutsideKernel& one : outside())
        if (one.name == name) return fmt::format("the kernel of {}", one.from);
    throw InternalError("internal error: no kernel from outside is called " + name);
}

/// Where kernels are called: all in one host, or here.
void add_all(const std::string& from, const std::string& space, const std::vector<nc_kernel>& kernels, int host) {
    std::vector<KernelEntry> entries;
    for (const nc_kernel& kernel : kernels) {
        const std::string name = space + '/' + kernel.name;
        if (find_kernel(name) != nullptr)
            throw InputError(
                fmt::format("its kernel {} has the name of {}; expected another namespace, as in "
                            "--plugin NAME=PATH",
                            name, owner_of(name)));
        OutsideKernel& one = outside().emplace_back(OutsideKernel{name, kernel.contract, kernel.about, from, kernel});
        one.kernel.name = one.name.c_str();
        one.kernel.contract = one.contract.c_str();
        one.kernel.about = one.about.c_str();
        entries.push_back({&one.kernel, Origin::outside, host, static_cast<uint32_t>(entries.size())});
    }
    add_kernels(entries);
}

std::vector<nc_kernel> kernels_of(const std::vector<host::KernelInfo>& infos) {
    std::vector<nc_kernel> kernels;
    for (const host::KernelInfo& info : infos)
        kernels.push_back({info.name, info.contract, info.about, info.supports, is_elsewhere});
    return kernels;
}

/// A plug-in as the user names it.
struct PluginName {
    std::string space, path;  // path: absolute, so that it is a path to dlopen too
};

std::string space_of(const fs::path& path) {
    std::string stem = path.filename().string();
    stem.resize(std::min(stem.find('.'), stem.size()));
    if (stem.starts_with("lib") && stem.size() > 3) stem.erase(0, 3);
    std::ranges::replace_if(stem, [](char character) { return !is_name_character(character); }, '_');
    return stem.substr(0, longest_name);
}

PluginName read_plugin(const std::string& text) {
    const size_t equals = text.find('=');
    const bool is_named = equals != std::string::npos && is_name(text.substr(0, equals)) && !fs::exists(text);
    const fs::path path = is_named ? text.substr(equals + 1) : text;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) throw InputError("there is no such file; expected a shared library");
    if (!fs::is_regular_file(status)) throw InputError("it is no regular file; expected a shared library");
    const std::string space = is_named ? text.substr(0, equals) : space_of(path);
    require_name(space, "its namespace");
    require_free(space);
    return {space, fs::absolute(path).lexically_normal().string()};
}

host::HostCommand with_limits(host::HostCommand command, const OutsideKernels& wanted) {
    command.start_seconds = wanted.start_seconds.value_or(command.start_seconds);
    command.call_seconds = wanted.call_seconds.value_or(command.call_seconds);
    command.short_call_seconds = std::min(command.short_call_seconds, command.call_seconds);
    return command;
}

/// Adds the place of the error to it, where a host has not done so.
template <class Function>
void with_place(const std::string& what, Function function) {
    try {
        function();
    } catch (const InputError& error) {
        const bool tells = std::string_view(error.what()).starts_with(what);
        throw InputError(tells ? std::string(error.what()) : fmt::format("{}: {}", what, error.what()));
    }
}

void add_plugin(const std::string& text, const OutsideKernels& wanted) {
    const std::string what = "plug-in " + text;
    const PluginName plugin = read_plugin(text);
    if (wanted.in_process) {
        const std::vector<nc_kernel> kernels = load_library(plugin.path);
        require_sane(kernels);
        return add_all(what, plugin.space, kernels, this_process);
    }
    const int number = host::add_host(with_limits({.what = what, .arguments = {"--plugin=" + plugin.path}}, wanted));
    const host::HostKernels said = host::kernels_of_host(number);
    const std::vector<nc_kernel> kernels = kernels_of(said.kernels);
    require_sane(kernels);
    add_all(what, plugin.space, kernels, number);
}

void add_command(const std::string& text, const OutsideKernels& wanted) {
    if (text.find_first_not_of(" \t\n") == std::string::npos)
        throw InputError("it is empty; expected a command, as in --exec 'python3 my_kernel.py'");
    const std::string what = fmt::format("command '{}'", printable(text));
    const int number = host::add_host(with_limits({.what = what,
                                                   .arguments = {"--exec=" + text},
                                                   .supervised = true,
                                                   .start_seconds = 60,
                                                   .call_seconds = 10,
                                                   .short_call_seconds = 2},
                                                  wanted));
    const host::HostKernels said = host::kernels_of_host(number);
    const std::string space = said.name.empty() ? "exec" : said.name;
    require_name(space, "its namespace");
    require_free(space);
    const std::vector<nc_kernel> kernels = kernels_of(said.kernels);
    require_sane(kernels);
    add_all(what, space, kernels, number);
}

}  // namespace

void add_outside_kernels(const OutsideKernels& outside) {
    if (outside.memory_mib) host::host_settings().memory_mib = *outside.memory_mib;
    for (const std::string& plugin : outside.plugins)
        with_place("plug-in " + plugin, [&] { add_plugin(plugin, outside); });
    for (const std::string& command : outside.commands)
        with_place(fmt::format("command '{}'", printable(command)), [&] { add_command(command, outside); });
}

}  // namespace normcheck
