// The order of findings; see finding_order.hpp.
#include "reports/finding_order.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>
#include <utility>
#include <vector>

namespace normcheck {
namespace {

constexpr std::string_view property_word = "property ";

/// By how much a kind of finding explains, most first.
enum class Telling : uint8_t { diagnosis, property, rule, row, other_property, suspect };

struct Kind {
    Telling telling = Telling::row;
    size_t number = 0;  // of properties: their place among the telling ones
    std::string text;
    auto operator<=>(const Kind&) const = default;
};

/// What a property says beside its violation, as in "it obeys eps_at=outside"; mostly empty.
std::string_view diagnosis_in(std::string_view reason) {
    const size_t at = reason.rfind("; ");
    return at == std::string_view::npos ? "" : reason.substr(at);
}

/// A wrong element fails in a variant of its call as well: of this alone, a row's finding says more.
bool repeats_judgement(std::string_view reason) {
    return reason.ends_with("y is outside its admissible set");
}

Kind kind_of_property(std::string_view reason) {
    std::string text = kind_of_reason(reason);
    if (repeats_judgement(reason)) return {Telling::other_property, 0, std::move(text)};
    const auto* const found =
        std::ranges::find(telling_properties, std::string_view(text).substr(property_word.size()));
    if (found == telling_properties.end()) return {Telling::other_property, 0, std::move(text)};
    const size_t number = static_cast<size_t>(found - telling_properties.begin());
    const std::string_view diagnosis = diagnosis_in(reason);
    return {diagnosis.empty() ? Telling::property : Telling::diagnosis, number, text.append(diagnosis)};
}

Kind kind_of(const Finding& finding) {
    if (finding.reason.starts_with(property_word)) return kind_of_property(finding.reason);
    if (finding.verdict == Verdict::suspect) return {Telling::suspect, 0, finding.reason};
    return {finding.row < 0 ? Telling::rule : Telling::row, 0, rule_without_place(finding.reason)};
}

struct Ranked {
    Kind kind;
    const Finding* finding;
    int64_t in_case = 0;  // findings of the same kind and case before it
    int64_t round = 0;    // findings of the same kind before it
};

auto case_of(const Finding& finding) {
    return std::tie(finding.case_index, finding.case_line);
}

auto place_in_run(const Finding& f) {
    return std::tie(f.case_index, f.case_line, f.row, f.output, f.element, f.verdict, f.reason);
}

template <typename Key>
void sort_by(std::vector<Ranked>& all, const Key& key) {
    std::ranges::sort(all, [&](const Ranked& a, const Ranked& b) { return key(a) < key(b); });
}

/// Numbers each run of neighbours that are alike from 0 on.
template <typename Alike>
void number_runs(std::vector<Ranked>& all, int64_t Ranked::* number, const Alike& alike) {
    for (size_t i = 1; i < all.size(); ++i) all[i].*number = alike(all[i - 1], all[i]) ? all[i - 1].*number + 1 : 0;
}

std::vector<Ranked> ranked(std::span<const Finding> findings) {
    std::vector<Ranked> all;
    for (const Finding& finding : findings) all.push_back({kind_of(finding), &finding});
    const auto same_kind = [](const Ranked& a, const Ranked& b) { return a.kind == b.kind; };
    const auto same_case = [&](const Ranked& a, const Ranked& b) {
        return same_kind(a, b) && case_of(*a.finding) == case_of(*b.finding);
    };
    sort_by(all, [](const Ranked& one) { return std::tuple_cat(std::tie(one.kind), place_in_run(*one.finding)); });
    number_runs(all, &Ranked::in_case, same_case);
    sort_by(all, [](const Ranked& one) {
        return std::tuple_cat(std::tie(one.kind, one.in_case), place_in_run(*one.finding));
    });
    number_runs(all, &Ranked::round, same_kind);
    sort_by(all, [](const Ranked& one) { return std::tie(one.round, one.kind); });
    return all;
}

}  // namespace

std::string rule_without_place(std::string_view broken_rule) {
    std::string rule;
    bool in_word = false;  // the number in f16 is no place
    for (const char character : broken_rule) {
        if (in_word || std::isdigit(static_cast<unsigned char>(character)) == 0) {
            rule += character;
        } else if (rule.empty() || rule.back() != '_') {
            rule += '_';
        }
        in_word = std::isalpha(static_cast<unsigned char>(character)) != 0 ||
                  (in_word && std::isdigit(static_cast<unsigned char>(character)) != 0);
    }
    return rule;
}

std::string kind_of_reason(std::string_view reason) {
    if (!reason.starts_with(property_word)) return rule_without_place(reason);
    return std::string(reason.substr(0, reason.find(':')));
}

const Finding* example_of(std::string_view rule, std::span<const Finding* const> findings) {
    for (const Finding* one : findings)
        if (rule_without_place(one->reason) == rule) return one;
    return nullptr;
}

void put_in_order(std::span<Finding> findings) {
    const std::vector<Ranked> order = ranked(findings);
    bool changed = false;
    for (size_t i = 0; i < order.size(); ++i) changed = changed || order[i].finding != &findings[i];
    if (!changed) return;
    std::vector<Finding> sorted;
    for (const Ranked& one : order)
        sorted.push_back(std::move(findings[static_cast<size_t>(one.finding - findings.data())]));
    std::ranges::move(sorted, findings.begin());
}

}  // namespace normcheck
