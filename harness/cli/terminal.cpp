// Terminal, page and shell words; see terminal.hpp.
#include "harness/cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "harness/io/atomic_file.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr int columns_elsewhere = 80;
constexpr std::string_view harmless = "_-./=:,+@%";

int terminal_columns(int descriptor) {
    winsize size{};
    const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : columns_elsewhere;
}

bool is_harmless(char character) {
    return std::isalnum(static_cast<unsigned char>(character)) != 0 || harmless.find(character) != harmless.npos;
}

bool is_harmless(std::string_view text) {
    for (const char character : text)
        if (!is_harmless(character)) return false;
    return !text.empty();
}

}  // namespace

bool is_terminal(int descriptor) {
    return isatty(descriptor) == 1;
}

Page output_page(int width) {
    const bool terminal = is_terminal(STDOUT_FILENO);
    const int found = terminal ? terminal_columns(STDOUT_FILENO) : columns_elsewhere;
    return {width > 0 ? width : found, terminal};
}

void write_output(std::string_view text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written) throw InputError(std::string("standard output cannot be written: ") + std::strerror(errno));
}

void write_document(const std::string& destination, std::string_view text) {
    if (destination == "-") return write_output(text);
    write_file_atomically(destination, text);
}

std::string shell_word(std::string_view text) {
    if (is_harmless(text)) return std::string(text);
    std::string word = "'";
    for (const char character : text) word += character == '\'' ? std::string("'\\''") : std::string(1, character);
    return word + "'";
}

}  // namespace normcheck
