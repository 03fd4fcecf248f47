// The verb `promote`: makes a failing case a line of the regression corpus, with its contract, the verdict that a
// correct kernel earns, and the answers that are right and wrong.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "harness/check/abi_format.hpp"
#include "harness/check/check.hpp"
#include "harness/check/corpus.hpp"
#include "harness/cli/outside_options.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/terminal.hpp"
#include "harness/cli/verb.hpp"
#include "harness/io/atomic_file.hpp"
#include "harness/io/file_lock.hpp"
#include "harness/kernels/registry.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

constexpr const char* default_corpus = "corpora/regressions.cases";
constexpr const char* first_line =
    "# Cases and what a correct kernel must answer; the words are those of normcheck's corpora/README.md.\n";
constexpr uint64_t largest_corpus = uint64_t{1} << 28;

struct PromoteOptions {
    std::string line, kernel, note;
    std::optional<std::string> file;
    OutsideOptions outside;
};

void add_options(CLI::App& app, PromoteOptions& options) {
    app.add_option("LINE", options.line, "the case, as reports print it")->required();
    app.add_option("--kernel", options.kernel,
                   "the kernel that the corpus asks from now on (default: the line's; for a fault or one from "
                   "outside, a built-in kernel that promises as much or more)")
        ->type_name("NAME");
    app.add_option("--note", options.note, "what the case is about, for the comment above it")->type_name("TEXT");
    app.add_option("--file", options.file,
                   "the corpus (default corpora/regressions.cases); one of your own is begun where there is none")
        ->type_name("FILE");
    add_outside_options(app, options.outside);
}

/// What the line's kernel does on the case and what a correct one would.
struct Judged {
    Contract contract;
    Verdict verdict = Verdict::pass;  // that a correct kernel earns
    std::string found;                // in words, what the kernel did
    std::string answers;              // words of the corpus
};

/// The row's verdict once the targets stand in y's place; saved statistics are left out.
RowResult judge_targets(const Judge& judge, const RowInputs& inputs) {
    const std::vector<uint64_t> targets = judge.targets(inputs);
    RowOutputs outputs;
    outputs.y = targets.data();
    return judge.judge(inputs, outputs);
}

std::string value_text(const Format& numbers, uint64_t code) {
    if (is_nan(numbers, code)) return "nan";
    if (is_inf(numbers, code)) return is_negative(numbers, code) ? "-inf" : "inf";
    return fmt::format("{}", decode_double(numbers, code));
}

/// The first element of y that is wrong: its target, and what the kernel returned.
std::string answers_of(const Judge& judge, const Contract& contract, const CaseResult& result, int64_t cols,
                       int64_t row) {
    const int64_t element = result.rows[static_cast<size_t>(row)].failing;
    if (element < 0) return "";
    const Format& numbers = format(contract.y);
    const RowInputs inputs = row_inputs(result.inputs, cols, row);
    const std::string place = row == 0 ? std::to_string(element) : fmt::format("{}.{}", row, element);
    const std::string target = value_text(numbers, judge.targets(inputs)[static_cast<size_t>(element)]);
    const uint64_t got = row_outputs(result.outputs, cols, row).y[element];
    return fmt::format(" target={}:{} wrong={}:{}", place, target, place, value_text(numbers, got));
}

Judged judge_case(const nc_kernel& kernel, const Case& c) {
    const CaseResult result = check_case(kernel, c);
    Judged judged;
    judged.contract = case_contract(&kernel, c);
    if (result.refusal) throw InputError(fmt::format("{} refuses this case: {}", c.kernel, *result.refusal));
    if (!result.broken_rules.empty()) judged.found = result.broken_rules[0];
    if (c.cols == 0) return judged;
    const Judge judge = make_judge(judged.contract, c.cols, result.inputs);
    std::optional<Verdict> common;
    for (int64_t row = 0; row < c.rows; ++row) {
        const Verdict verdict = judge_targets(judge, row_inputs(result.inputs, c.cols, row)).verdict;
        if (common && *common != verdict)
            throw InputError(fmt::format(
                "rows of this case earn different verdicts ({} and {}); a line of a corpus has one: promote fewer rows",
                name(*common), name(verdict)));
        common = verdict;
        if (row >= std::ssize(result.rows) || result.rows[static_cast<size_t>(row)].verdict != Verdict::fail) continue;
        if (judged.found.empty()) judged.found = result.rows[static_cast<size_t>(row)].reason;
        if (judged.answers.empty()) judged.answers = answers_of(judge, judged.contract, result, c.cols, row);
    }
    judged.verdict = common.value_or(Verdict::pass);
    return judged;
}

/// The contract without what another, which promises less, leaves unsaid: the order of its sums, what it does where
/// intermediates leave their range, and the same bits in another batch or in place.
Contract promising_as(const Contract& contract, const Contract& other) {
    Contract result = contract;
    if (other.reduce.order == Order::any) result.reduce = other.reduce;
    if (other.range == Range::acc) result.range = other.range;
    if (!other.batch_invariant) result.batch_invariant = false;
    if (!other.in_place) result.in_place = false;
    return result;
}

/// A built-in kernel that promises what this one does, or more; null where none does.
const nc_kernel* correct_kernel(const nc_kernel& kernel, FormatId x) {
    const Contract wanted = parse_contract(kernel.contract);
    const nc_kernel* found = nullptr;
    for (const nc_kernel* one : built_in_kernels()) {
        const Contract promised = parse_contract(one->contract);
        const std::vector<FormatId> taken = formats_of(*one);
        if (std::ranges::find(taken, x) == taken.end()) continue;
        if (promised == wanted) return one;
        if (found == nullptr && promising_as(promised, wanted) == wanted) found = one;
    }
    return found;
}

/// The case for the kernel that the corpus asks, under the contract that it had before.
Case for_corpus(const PromoteOptions& options, const nc_kernel& kernel, const Case& c) {
    Case asked = c;
    if (!options.kernel.empty()) {
        asked.kernel = kernel_named(options.kernel).name;
        return asked;
    }
    const Origin origin = entry_of(kernel).origin;
    if (origin == Origin::built_in) return asked;
    const Contract contract = case_contract(&kernel, c);
    const nc_kernel* correct = correct_kernel(kernel, contract.x);
    if (correct == nullptr)
        throw InputError(fmt::format(
            "no built-in kernel computes the contract of {} ('{}'); expected --kernel NAME with one that does{}",
            kernel.name, kernel.contract,
            origin == Origin::outside
                ? fmt::format(", or --kernel {} --file OWN.cases for a corpus of your own", kernel.name)
                : " (see: normcheck list kernels)"));
    asked.kernel = correct->name;
    asked.overrides = difference(contract, parse_contract(correct->contract));
    return asked;
}

std::string entry_of(const PromoteOptions& options, const Case& c, const Judged& judged) {
    const std::string about = options.note.empty() ? judged.found : options.note;
    if (about.find('\n') != std::string::npos) throw InputError("--note: expected one line");
    return fmt::format("\n# {}{}contract: {}\n{} => {}{}\n", about, about.empty() ? "" : "; ", print(judged.contract),
                       print(c), name(judged.verdict), judged.answers);
}

/// The number of the line that holds the same case already, or 0.
int64_t line_with(const std::vector<CorpusLine>& lines, const Case& c) {
    for (const CorpusLine& line : lines)
        if (line.call == c) return line.number;
    return 0;
}

int run(const PromoteOptions& options) {
    Case c = parse_case(options.line);
    if (c.kernel.empty()) throw InputError(fmt::format("case '{}' names no kernel", options.line));
    load_outside(options.outside);
    const nc_kernel& kernel = kernel_named(c.kernel);
    const Judged judged = judge_case(kernel, c);
    c = for_corpus(options, kernel, c);
    const std::string file = options.file.value_or(default_corpus);
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    if (!std::filesystem::is_directory(folder))
        throw InputError(fmt::format("--file {}: there is no folder {}", file, folder.string()));
    const FileLock lock(file);
    // A corpus of one's own is begun with its first case; that the project's is not there is a mistake.
    const bool begins = options.file && !std::filesystem::exists(file);
    std::string text = begins ? first_line : read_file(file, largest_corpus);
    if (const int64_t number = line_with(parse_corpus(text, file), c)) {
        write_output(fmt::format("{}:{} has this case already\n", file, number));
        return 0;
    }
    const std::string entry = entry_of(options, c, judged);
    if (!text.empty() && text.back() != '\n') text += '\n';
    text += entry;
    parse_corpus(text, file);  // nothing is written that cannot be read
    write_file_atomically(file, text);
    write_output(fmt::format("added to {}:\n{}", file, entry.substr(1)));
    return 0;
}

constexpr Example examples[] = {
    {"normcheck promote 'kernel=faulty/rms_eps_outside x=bf16 fill=bits:3c80 gamma_fill=absent' --note 'eps added to "
     "the root'",
     "a line of corpora/regressions.cases, held to a correct kernel from now on"},
    {"normcheck promote 'kernel=cpu/rms fill=values:3,4 eps=0' --file own.cases", "a case into a corpus of your own"},
};

}  // namespace

Verb add_promote(CLI::App& app) {
    const auto options = std::make_shared<PromoteOptions>();
    CLI::App* verb = app.add_subcommand("promote", "add a case to the regression corpus");
    add_options(*verb, *options);
    return {verb, [options](const std::string&) { return run(*options); }, examples};
}

}  // namespace normcheck
