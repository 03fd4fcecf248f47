// Loading by dlopen, and the checks of a table that anybody may have written.
#include "harness/outside/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>

#include "harness/check/float_environment.hpp"
#include "harness/host/message.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr size_t longest_name = 64, longest_contract = 1000, longest_about = 500;
static_assert(longest_name < host::name_bytes && longest_contract < host::contract_bytes &&
              longest_about < host::about_bytes);

using PluginFunction = const nc_plugin* (*)();

PluginFunction plugin_function(const std::string& path) {
    void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw InputError(fmt::format("it cannot be loaded: {}", ::dlerror()));
    void* symbol = ::dlsym(library, "normcheck_plugin");
    if (symbol == nullptr)
        throw InputError("it exports no function normcheck_plugin; expected the one that normcheck.h declares");
    return reinterpret_cast<PluginFunction>(symbol);
}

void require_text(const char* text, const char* field, size_t longest, uint32_t number) {
    if (text == nullptr) throw InputError(fmt::format("kernel {} has no {}: the pointer is null", number, field));
    if (::strnlen(text, longest + 1) > longest)
        throw InputError(fmt::format("kernel {} has a {} of more than {} bytes", number, field, longest));
}

nc_kernel checked(nc_kernel kernel, uint32_t number) {
    if (kernel.about == nullptr) kernel.about = "";
    require_text(kernel.name, "name", longest_name, number);
    require_text(kernel.contract, "contract", longest_contract, number);
    require_text(kernel.about, "sentence about it", longest_about, number);
    if (kernel.run == nullptr)
        throw InputError(fmt::format("kernel '{}' has no run: the pointer is null", kernel.name));
    return kernel;
}

std::vector<nc_kernel> kernels_of(const nc_plugin* plugin) {
    if (plugin == nullptr) throw InputError("normcheck_plugin() returned no table: the pointer is null");
    if (plugin->abi_version != NORMCHECK_ABI_VERSION)
        throw InputError(fmt::format("it was built with version {} of normcheck.h; expected version {}",
                                     plugin->abi_version, NORMCHECK_ABI_VERSION));
    if (plugin->kernel_count < 1 || plugin->kernel_count > host::most_kernels)
        throw InputError(fmt::format("it has {} kernels; expected 1 to {}", plugin->kernel_count, host::most_kernels));
    if (plugin->kernels == nullptr) throw InputError("its table has no kernels: the pointer is null");
    std::vector<nc_kernel> kernels;
    for (uint32_t i = 0; i < plugin->kernel_count; ++i) kernels.push_back(checked(plugin->kernels[i], i));
    return kernels;
}

}  // namespace

std::vector<nc_kernel> load_library(const std::string& path) {
    const DefaultFloatEnvironment environment;
    return kernels_of(plugin_function(path)());
}

}  // namespace normcheck
