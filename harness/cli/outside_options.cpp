// The options for kernels from outside; see outside_options.hpp.
#include "harness/cli/outside_options.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "harness/cli/option_values.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/host/host_command.hpp"
#include "harness/outside/outside_text.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr int most_commands_at_a_time = 4;
constexpr const char* group = "KERNELS FROM OUTSIDE";

int open_log(const std::string& name) {
    if (name.empty()) return -1;
    if (name == "-") return STDERR_FILENO;
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0) throw InputError(fmt::format("--host-log {}: {}", name, std::strerror(errno)));
    return file;
}

}  // namespace

void add_outside_options(CLI::App& app, OutsideOptions& options) {
    app.add_option("--plugin", options.kernels.plugins,
                   "take the kernels of this shared library, named LIBRARY/KERNEL, or NAME/KERNEL for NAME=PATH")
        ->type_name("PATH")
        ->allow_extra_args(false)
        ->group(group);
    app.add_option("--exec", options.kernels.commands,
                   "take the kernels of this command, as in 'python my_kernel.py' (see: harness/host)")
        ->type_name("COMMAND")
        ->allow_extra_args(false)
        ->group(group);
    app.add_flag("--in-process", options.kernels.in_process,
                 "call plug-ins in this process: fast, but a crash ends the run")
        ->group(group);
    app.add_option("--call-limit", options.kernels.call_seconds,
                   "seconds for a call, beside 1 us per element (default 2, of commands 10)")
        ->type_name("S")
        ->check(number_above_zero())
        ->group(group);
    app.add_option("--start-limit", options.kernels.start_seconds,
                   "seconds until a host is ready (default 10, of commands 60)")
        ->type_name("S")
        ->check(number_above_zero())
        ->group(group);
    app.add_option("--memory-limit", options.kernels.memory_mib,
                   "MiB that a host may take beside the tensors (default 4096; 0: no limit)")
        ->type_name("MIB")
        ->check(whole_number(0, int64_t{1} << 32))
        ->group(group);
    app.add_option("--host-log", options.log,
                   "append what hosts print to this file; - is standard error (default: nowhere)")
        ->type_name("FILE")
        ->group(group);
}

void load_outside(const OutsideOptions& options) {
    host::host_settings().log = open_log(options.log);
    add_outside_kernels(options.kernels);
}

std::string outside_words(const OutsideOptions& options) {
    std::string words;
    for (const OutsideSetting& one : outside_settings(options.kernels)) {
        words += fmt::format("{}--{}", words.empty() ? "" : " ", one.name);
        if (!one.value.empty()) words += ' ' + shell_word(one.value);
    }
    return words;
}

int default_jobs(const OutsideOptions& options) {
    const int cores = omp_get_num_procs();
    return options.kernels.commands.empty() ? cores : std::min(cores, most_commands_at_a_time);
}

int jobs_or_default(int jobs, const OutsideOptions& options) {
    return jobs > 0 ? jobs : default_jobs(options);
}

void add_jobs_option(CLI::App& app, int& jobs) {
    app.add_option("--jobs,--threads", jobs, "threads (default: one per core, with --exec at most 4)")
        ->type_name("N")
        ->check(whole_number(1, 4096));
}

}  // namespace normcheck
