// The comparison of the exact oracle with its MPFR twin at scale: progress on stderr, totals on stdout.
// Exit status 0 where they agree everywhere, 1 where they do not, 2 for a bad command line.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "oracles/tests/twin_compare.hpp"

namespace {

using normcheck::twin::Count;
using normcheck::twin::Tally;

struct Options {
    double outputs = 1e8;
    uint64_t seed = 1;
    uint64_t first = 0;
    int threads = 2;
};

void show_progress(const Tally& tally) {
    fmt::print(stderr, "\r{} outputs, {} disagreements", tally.total.outputs, tally.total.disagreements);
}

void print_counts(const std::map<std::string, Count>& counts) {
    for (const auto& [name, count] : counts)
        fmt::print("{:<26}{:>12} outputs{:>6} disagreements\n", name, count.outputs, count.disagreements);
}

void print_report(const Options& options, const Tally& tally) {
    fmt::print("seed {}, first row {}\n", options.seed, options.first);
    for (const std::string& story : tally.stories) fmt::print("{}\n", story);
    print_counts(tally.by_family);
    print_counts(tally.by_group);
    fmt::print("rows {}: denominator 0 in {}, infinite on the way in {}, last precision needed in {}\n", tally.rows,
               tally.undefined_rows, tally.unbounded_rows, tally.last_precision_rows);
    fmt::print("elements not compared because they are infinite on the way: {}\n", tally.unbounded_elements);
    fmt::print("compared {} outputs, {} disagreements\n", tally.total.outputs, tally.total.disagreements);
}

int run(const Options& options) {
    const Tally tally = normcheck::twin::compare_rows(
        options.seed, options.first, static_cast<int64_t>(options.outputs), options.threads, show_progress);
    fmt::print(stderr, "\n");
    print_report(options, tally);
    return tally.total.disagreements == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("Compares the exact oracle with its MPFR twin.");
    app.add_option("--outputs", options.outputs, "outputs to compare, at least")->check(CLI::Range(1.0, 1e15));
    app.add_option("--seed", options.seed, "seed of the rows");
    app.add_option("--first", options.first, "number of the first row");
    app.add_option("--threads", options.threads, "threads")->check(CLI::Range(1, 1024));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    try {
        return run(options);
    } catch (const std::exception& error) {
        fmt::print(stderr, "twin_long: {}\n", error.what());
        return 1;
    }
}
