// Reading of inputs; see input_files.hpp.
#include "harness/fuzz/input_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/cases/words.hpp"
#include "harness/io/atomic_file.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr uint64_t largest_file = uint64_t{1} << 26;

void append_lines(std::vector<Bytes>& inputs, const std::filesystem::path& path, const LineReader& read_line) {
    const std::string text = read_file(path, largest_file);
    int64_t number = 0;
    for (size_t at = 0; at < text.size(); ++number) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = std::string_view(text).substr(at, end - at);
        at = end + 1;
        if (line.empty() || line.starts_with('#')) continue;
        try {
            inputs.push_back(read_line(line));
        } catch (const InputError& error) {
            throw InputError(fmt::format("{}:{}: {}", path.string(), number + 1, error.what()));
        }
    }
}

void append_file(std::vector<Bytes>& inputs, const std::filesystem::path& path, const LineReader& read_line) {
    if (is_line_corpus(path)) return append_lines(inputs, path, read_line);
    const std::string bytes = read_file(path, largest_file);
    inputs.emplace_back(bytes.begin(), bytes.end());
}

std::vector<std::filesystem::path> files_under(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.is_regular_file()) paths.push_back(entry.path());
    std::ranges::sort(paths);
    return paths;
}

}  // namespace

bool is_line_corpus(const std::filesystem::path& path) {
    const std::filesystem::path extension = path.extension();
    return extension == ".cases" || extension == ".case" || extension == ".hex";
}

std::vector<Bytes> read_inputs(const std::filesystem::path& path, const LineReader& read_line) {
    std::vector<Bytes> inputs;
    if (!std::filesystem::is_directory(path)) {
        append_file(inputs, path, read_line);
        return inputs;
    }
    for (const auto& file : files_under(path)) append_file(inputs, file, read_line);
    return inputs;
}

std::string print_hex(std::span<const uint8_t> bytes) {
    std::string text;
    for (const uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
    return text;
}

Bytes parse_hex(std::string_view text) {
    if (text.size() % 2 != 0) throw InputError(fmt::format("'{}': expected pairs of hex digits", text));
    Bytes bytes;
    for (size_t i = 0; i < text.size(); i += 2)
        bytes.push_back(static_cast<uint8_t>(read_hex("input", text.substr(i, 2))));
    return bytes;
}

}  // namespace normcheck
