// Files of a sweep in progress; see store.hpp.
#include "harness/sweep/store.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/io/atomic_file.hpp"
#include "harness/sweep/result_file.hpp"
#include "oracles/error.hpp"

namespace normcheck {
namespace {

using std::filesystem::path;

path with_ending(path file, const char* ending) {
    file += ending;
    return file;
}

/// Before the lock, which would leave a file beside a device.
const path& require_regular(const path& output) {
    std::error_code ignored;
    const auto status = std::filesystem::status(output, ignored);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        throw InputError(fmt::format("cannot write {}: not a regular file", output.string()));
    return output;
}

/// What a process left that was killed while it wrote; nobody writes here now, for the lock is ours.
void remove_leavings(const path& file) {
    const std::string start = file.filename().string() + '.';
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(file.parent_path() / ".", ignored)) {
        const std::string found = entry.path().filename().string();
        if (found.starts_with(start) && found.ends_with(".tmp")) std::filesystem::remove(entry.path(), ignored);
    }
}

std::string range_text(const PlaceRange& range) {
    return fmt::format("places {} to {}", range.first, range.end - 1);
}

void refuse_other(const path& file, const SweepResult& found, const SweepResult& wanted) {
    std::string difference = first_difference(found.identity, wanted.identity);
    if (difference.empty() && found.state.range != wanted.state.range)
        difference = fmt::format("{}, not {}", range_text(found.state.range), range_text(wanted.state.range));
    if (!difference.empty())
        throw InputError(
            fmt::format("{} holds another sweep: {}; remove it or choose another output", file.string(), difference));
}

/// A file that cannot be read is in the way of a new one.
SweepResult read_kept(const path& file) try { return read_result(file); } catch (const InputError& error) {
    throw InputError(fmt::format("{}; remove it or choose another output", error.what()));
}

}  // namespace

SweepStore::SweepStore(const path& output)
    : output_(require_regular(output)), part_(with_ending(output, ".part")), lock_(output) {
    remove_leavings(part_);
    remove_leavings(output_);
}

std::optional<SweepResult> SweepStore::find(const SweepResult& wanted) const {
    for (const path& file : {output_, part_}) {
        if (!std::filesystem::exists(file)) continue;
        SweepResult found = read_kept(file);
        refuse_other(file, found, wanted);
        return found;
    }
    return std::nullopt;
}

void SweepStore::keep(const SweepResult& result) const {
    const bool finished = result.state.is_complete();
    write_file_atomically(finished ? output_ : part_, to_json_text(result));
    std::error_code ignored;
    if (finished) std::filesystem::remove(part_, ignored);
}

}  // namespace normcheck
