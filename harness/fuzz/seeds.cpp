// Seeds from lines; see seeds.hpp.
#include "harness/fuzz/seeds.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string_view>

#include "harness/fuzz/input_files.hpp"
#include "harness/fuzz/target.hpp"
#include "harness/io/atomic_file.hpp"

namespace normcheck {
namespace {

constexpr std::string_view option = "-write_seeds=";

int write_seeds(const std::filesystem::path& folder, int argc, char** argv) {
    std::filesystem::create_directories(folder);
    int count = 0;
    for (int i = 2; i < argc; ++i)
        for (const Bytes& bytes : read_inputs(argv[i], input_of_line))
            write_file_atomically(folder / fmt::format("seed-{}", count++),
                                  {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    fmt::print(stderr, "{} seeds in {}\n", count, folder.string());
    return count > 0 ? 0 : 1;
}

}  // namespace

void write_seeds_if_asked(int argc, char** argv) {
    if (argc < 2 || !std::string_view(argv[1]).starts_with(option)) return;
    try {
        std::exit(write_seeds(argv[1] + option.size(), argc, argv));
    } catch (const std::exception& error) {
        fmt::print(stderr, "normcheck: {}\n", error.what());
        std::exit(2);
    }
}

}  // namespace normcheck
