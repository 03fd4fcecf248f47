// Selections; see selection.hpp.
#include "harness/cli/selection.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "harness/cases/case.hpp"
#include "harness/cases/fills.hpp"
#include "harness/cases/words.hpp"
#include "harness/check/guarded_tensor.hpp"
#include "harness/kernels/cuda/device_kernels.hpp"
#include "harness/kernels/registry.hpp"
#include "oracles/error.hpp"
#include "oracles/text.hpp"

namespace normcheck {
namespace {

/// Faults are chosen only by a pattern that says so.
bool chooses(const std::string& pattern, const KernelEntry& entry) {
    if (pattern == entry.kernel->name) return true;
    if (entry.origin == Origin::fault && !pattern.starts_with("faulty/")) return false;
    return fnmatch(pattern.c_str(), entry.kernel->name, 0) == 0;
}

constexpr size_t names_suggested = 4;

/// Letters to add, take away or change to make one text of the other.
size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = std::exchange(row[0], i);
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
        }
    }
    return row[b.size()];
}

std::string_view without_folder(std::string_view name) {
    return name.substr(name.find('/') + 1);
}

/// How far a kernel's name is from what was typed, in half letters, of which a folder that is missing or another one
/// costs one; nothing where that is too far to be meant.
std::optional<size_t> distance(std::string_view typed, std::string_view name) {
    const size_t far = std::max<size_t>(2, typed.size() / 3);
    const size_t whole = edit_distance(typed, name);
    const size_t own = edit_distance(without_folder(typed), without_folder(name));
    if (!typed.empty() && own > 0 && name.find(typed) != std::string_view::npos) return 2;
    if (whole <= far && whole <= own) return 2 * whole;
    if (own <= far && !without_folder(typed).empty()) return 2 * own + 1;
    return std::nullopt;
}

/// "; near it: cpu/rms, cpu/rms_f64" where some are, and where all names stand.
std::string suggestion(std::string_view typed) {
    std::string letters(typed);
    std::erase_if(letters, [](char one) { return one == '*' || one == '?'; });
    std::vector<std::tuple<size_t, size_t, std::string>> near;  // nearest first, then shortest
    for (const KernelEntry& entry : all_kernels()) {
        const std::string name = entry.kernel->name;
        if (const auto far = distance(letters, name)) near.emplace_back(*far, name.size(), name);
    }
    std::ranges::sort(near);
    std::string names;
    for (size_t i = 0; i < std::min(near.size(), names_suggested); ++i)
        names += (i == 0 ? "; near it: " : ", ") + std::get<std::string>(near[i]);
    const bool is_own = names.empty() && outside_kernels().empty() && letters.find('/') != std::string::npos;
    return names + "; all are shown by: normcheck list kernels, and normcheck list faults" +
           (is_own ? "; your own are taken with --plugin or --exec" : "");
}

void require_match(const std::string& pattern) {
    const auto fits = [&](const KernelEntry& entry) { return chooses(pattern, entry); };
    if (std::ranges::any_of(all_kernels(), fits)) return;
    if (pattern.starts_with("cuda/") && !why_no_device_kernels().empty())
        throw InputError(fmt::format("'{}' matches no kernel: {}", pattern, why_no_device_kernels()));
    throw InputError(fmt::format("'{}' matches no kernel{}", pattern, suggestion(pattern)));
}

std::vector<const nc_kernel*> default_kernels() {
    const auto built_in = built_in_kernels();
    std::vector<const nc_kernel*> outside = outside_kernels();
    return outside.empty() ? std::vector<const nc_kernel*>(built_in.begin(), built_in.end()) : outside;
}

bool is_inline(std::string_view fill) {
    return fill.starts_with("bits:") || fill.starts_with("values:");
}

/// A name of a fill begins with a letter, and so may hex digits: only a known name ends inline bits.
bool begins_fill(std::string_view part) {
    const std::string_view name = part.substr(0, part.find(':'));
    return is_inline(part) || std::ranges::any_of(fills(), [&](const FillInfo& info) { return name == info.name; });
}

}  // namespace

std::vector<const nc_kernel*> kernels_matching(const std::vector<std::string>& patterns) {
    for (const std::string& pattern : patterns) require_match(pattern);
    if (patterns.empty()) return default_kernels();
    std::vector<const nc_kernel*> kernels;
    for (const KernelEntry& entry : all_kernels())
        if (std::ranges::any_of(patterns, [&](const std::string& pattern) { return chooses(pattern, entry); }))
            kernels.push_back(entry.kernel);
    return kernels;
}

const nc_kernel& kernel_named(std::string_view name) {
    if (const nc_kernel* kernel = find_kernel(name)) return *kernel;
    throw InputError(fmt::format("unknown kernel '{}'{}", name, suggestion(name)));
}

std::vector<std::string> read_list(std::string_view list) {
    if (list.empty()) return {};
    const std::vector<std::string_view> parts = split(list, ',');
    return {parts.begin(), parts.end()};
}

FormatId read_format(std::string_view option, std::string_view word) {
    if (const auto found = find_format(word)) return *found;
    throw InputError(fmt::format("{}: unknown format '{}'; expected one of {}", option, word, format_names()));
}

std::vector<FormatId> read_formats(std::string_view list) {
    std::vector<FormatId> formats;
    for (const std::string& word : read_list(list)) formats.push_back(read_format("--formats", word));
    return formats;
}

std::vector<int64_t> read_extents(std::string_view key, std::string_view list) {
    std::vector<int64_t> extents;
    for (const std::string& word : read_list(list)) extents.push_back(read_integer(key, word, 0, largest_extent));
    return extents;
}

std::vector<std::string> read_fills(std::string_view list) {
    std::vector<std::string> names;
    for (const std::string& part : read_list(list)) {
        if (!names.empty() && is_inline(names.back()) && !begins_fill(part)) {
            names.back() += ',' + part;
        } else {
            names.push_back(part);
        }
    }
    return names;
}

}  // namespace normcheck
