// The comparison of the certified oracle with the exact one at scale: progress on stderr, totals on stdout.
// Exit status 0 where they agree everywhere, 1 where they do not, 2 for a bad command line.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "oracles/tests/certified_compare.hpp"

namespace {

using normcheck::twin::Agreement;
using normcheck::twin::Comparison;

void show_progress(const Comparison& c) {
    fmt::print(stderr, "\r{} outputs, {} disagreements", c.total.outputs, c.total.disagreements);
}

void print_group(const std::map<std::string, Agreement>& group) {
    for (const auto& [name, a] : group)
        fmt::print("{:<26}{:>10} rows{:>12} outputs{:>12} handed over{:>6} disagreements\n", name, a.rows, a.outputs,
                   a.undecided, a.disagreements);
}

}  // namespace

int main(int argc, char** argv) {
    double outputs = 1e8;
    uint64_t seed = 1;
    uint64_t first = 0;
    int threads = 2;
    CLI::App app("Compares the certified oracle with the exact one.");
    app.add_option("--outputs", outputs, "outputs to compare, at least")->check(CLI::Range(1.0, 1e15));
    app.add_option("--seed", seed, "seed of the rows");
    app.add_option("--first", first, "number of the first row");
    app.add_option("--threads", threads, "threads")->check(CLI::Range(1, 1024));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    try {
        const Comparison c =
            normcheck::twin::compare_oracles(seed, first, static_cast<int64_t>(outputs), threads, show_progress);
        fmt::print(stderr, "\n");
        fmt::print("seed {}, first row {}\n", seed, first);
        for (const std::string& story : c.stories) fmt::print("{}\n", story);
        print_group(c.by_family);
        print_group(c.by_format);
        print_group(c.by_contract);
        print_group(c.by_verdict);
        fmt::print("compared {} outputs in {} rows, {} handed over, {} disagreements\n", c.total.outputs, c.total.rows,
                   c.total.undecided, c.total.disagreements);
        return c.total.disagreements == 0 ? 0 : 1;
    } catch (const std::exception& error) {
        fmt::print(stderr, "certified_long: {}\n", error.what());
        return 1;
    }
}
