// Where the program of a host is, and its start by posix_spawn.
#include "harness/host/start_host.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "harness/host/host_process.hpp"
#include "harness/host/message.hpp"
#include "oracles/error.hpp"

extern char** environ;

namespace normcheck::host {
namespace {

// The descriptors as the host has them.
constexpr int socket_descriptor = 3;
constexpr int memory_descriptor = 4;

std::vector<std::string> environment_of_host() {
    std::vector<std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        const std::string_view name = text.substr(0, text.find('='));
        if (name != socket_variable && name != memory_variable) variables.emplace_back(text);
    }
    variables.push_back(fmt::format("{}={}", socket_variable, socket_descriptor));
    variables.push_back(fmt::format("{}={}", memory_variable, memory_descriptor));
    return variables;
}

std::vector<std::string> arguments_of(const std::filesystem::path& program, const HostCommand& command) {
    std::vector<std::string> arguments = {program.string(), fmt::format("--memory={}", host_settings().memory_mib)};
    arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
    return arguments;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

}  // namespace

std::filesystem::path host_program() {
    if (const char* named = std::getenv("NORMCHECK_HOST")) return named;
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "normcheck-host";
}

pid_t start_host(const HostCommand& command, const HostDescriptors& descriptors) {
    const std::filesystem::path program = host_program();
    std::vector<std::string> arguments = arguments_of(program, command), variables = environment_of_host();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, descriptors.output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, descriptors.output, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, descriptors.socket, socket_descriptor);
    posix_spawn_file_actions_adddup2(&actions, descriptors.memory_file, memory_descriptor);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    pid_t process = -1;
    const int error = ::posix_spawn(&process, program.c_str(), &actions, &attributes, pointers(arguments).data(),
                                    pointers(variables).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        throw InputError(
            fmt::format("cannot start the host process {}: {}; expected the program normcheck-host there, "
                        "or its path in NORMCHECK_HOST",
                        program.string(), std::generic_category().message(error)));
    return process;
}

}  // namespace normcheck::host
