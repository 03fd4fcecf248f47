// Results as JSON; see result_file.hpp. A file is taken only as a whole: its checksum must fit, and writing what was
// read must give the file again, so that no byte of it can be wrong unnoticed.
#include "harness/sweep/result_file.hpp"

#include <fmt/format.h>

#include <boost/crc.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "harness/io/atomic_file.hpp"
#include "harness/sweep/symmetries.hpp"
#include "oracles/error.hpp"
#include "reports/hex_float.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kind = "normcheck sweep result";
constexpr uint64_t largest_file = 1 << 20;

/// CRC-64/XZ, as `xz` computes it.
std::string checksum(std::string_view text) {
    constexpr uint64_t polynomial = 0x42f0e1eba9ea3693, ones = ~uint64_t{0};
    boost::crc_optimal<64, polynomial, ones, ones, true, true> crc;
    crc.process_bytes(text.data(), text.size());
    return fmt::format("crc64:{:016x}", crc.checksum());
}

Json row_json(const SweepIdentity& identity, uint64_t index) {
    return {{"index", index}, {"case", case_line(identity, index)}};
}

Json peak_json(const SweepIdentity& identity, const SweepPeak& peak) {
    if (peak.value < 0) return Json();
    return {{"value", hex_float(peak.value)}, {"index", peak.index}, {"case", case_line(identity, peak.index)}};
}

Json classes_json(const SweepResult& result) {
    const Tally& tally = result.state.tally;
    Json classes = Json::object();
    for (size_t i = 0; i < tally.rows.size(); ++i)
        classes[name(static_cast<RowClass>(i))] = {
            {"rows", tally.rows[i]},
            {"run", tally.run[i]},
            {"first", tally.run[i] > 0 ? row_json(result.identity, tally.first[i]) : Json()}};
    return classes;
}

Json failing_json(const SweepResult& result) {
    Json failing = Json::array();
    for (const uint64_t index : result.state.tally.failing) failing.push_back(row_json(result.identity, index));
    return failing;
}

Json identity_json(const SweepIdentity& identity) {
    const Domain& domain = identity.domain;
    return {{"file", kind},
            {"schema", sweep_schema},
            {"version", identity.version},
            {"kernel", identity.kernel},
            {"contract", print(identity.contract)},
            {"overrides", identity.overrides},
            {"format", format(domain.format).name},
            {"cols", domain.cols},
            {"eps", print_number(identity.contract.eps.value, identity.contract.eps.format)},
            {"symmetry", name(domain.symmetry)},
            {"symmetry_because", proof_of(identity.kernel, domain.symmetry)}};
}

Json to_json(const SweepResult& result) {
    const SweepState& state = result.state;
    const Tally& tally = state.tally;
    const RoundedShare share = rounded_share(result);
    Json json = identity_json(result.identity);
    json["range"] = {{"first", state.range.first}, {"end", state.range.end}, {"of", run_rows(result.identity.domain)}};
    json["done"] = state.done;
    json["verdict"] = name(verdict(result));
    json["rows"] = {{"domain", total(tally.rows)}, {"run", total(tally.run)}};
    json["classes"] = classes_json(result);
    json["outputs"] = share.outputs;
    json["correctly_rounded"] = share.rounded;
    json["row_error"] = peak_json(result.identity, tally.row_error);
    json["absolute_error"] = peak_json(result.identity, tally.absolute_error);
    json["element_error"] = peak_json(result.identity, tally.element_error);
    json["failing"] = failing_json(result);
    return json;
}

Symmetry read_symmetry(const std::string& word) {
    for (const bool sign : {false, true})
        for (const bool swap : {false, true})
            if (word == name(Symmetry{sign, swap})) return {sign, swap};
    throw InputError(fmt::format("symmetry '{}'", word));
}

FormatId read_format(const std::string& word) {
    if (const auto found = find_format(word)) return *found;
    throw InputError(fmt::format("format '{}'", word));
}

SweepIdentity read_identity(const Json& json) {
    SweepIdentity identity;
    identity.version = json.at("version");
    identity.kernel = json.at("kernel");
    identity.contract = parse_contract(json.at("contract").get<std::string>());
    identity.overrides = json.at("overrides");
    identity.domain = make_domain(read_format(json.at("format")), json.at("cols"), read_symmetry(json.at("symmetry")));
    proof_of(identity.kernel, identity.domain.symmetry);  // throws where there is none
    return identity;
}

SweepPeak read_peak(const Json& json) {
    if (json.is_null()) return {};
    return {std::strtod(json.at("value").get<std::string>().c_str(), nullptr), json.at("index")};
}

Tally read_tally(const Json& json) {
    Tally tally;
    for (size_t i = 0; i < tally.rows.size(); ++i) {
        const Json& counts = json.at("classes").at(name(static_cast<RowClass>(i)));
        tally.rows[i] = counts.at("rows");
        tally.run[i] = counts.at("run");
        if (!counts.at("first").is_null()) tally.first[i] = counts.at("first").at("index");
    }
    tally.correctly_rounded = json.at("correctly_rounded");
    tally.row_error = read_peak(json.at("row_error"));
    tally.absolute_error = read_peak(json.at("absolute_error"));
    tally.element_error = read_peak(json.at("element_error"));
    for (const Json& row : json.at("failing")) tally.failing.push_back(row.at("index"));
    return tally;
}

[[noreturn]] void refuse(const std::string& name, const std::string& reason) {
    throw InputError(fmt::format("{}: {}", name, reason));
}

/// The checksum has fitted: fields that make no sense were written by something else than this program.
SweepResult read_fields(const Json& json, const std::string& name) try {
    SweepResult result{read_identity(json), SweepState{{json.at("range").at("first"), json.at("range").at("end")}}};
    result.state.done = json.at("done");
    result.state.tally = read_tally(json);
    return result;
} catch (const std::exception& error) {
    refuse(name, fmt::format("not a result that this normcheck can read: {}", error.what()));
}

Json parse_json(std::string_view text, const std::string& name) {
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& error) {
        refuse(name, fmt::format("damaged or no result of a sweep: no JSON from byte {} on", error.byte));
    }
}

void refuse_foreign(const Json& json, const std::string& name) {
    if (!json.is_object() || !json.contains("file") || json["file"] != kind)
        refuse(name, "not a result of normcheck sweep");
    if (!json.contains("schema") || json["schema"] != sweep_schema)
        refuse(name, fmt::format("written by another version of normcheck: expected schema {}", sweep_schema));
}

void refuse_damaged(const Json& json, std::string_view text, const std::string& name) {
    Json content = json;
    content.erase("checksum");
    const bool fits = json.contains("checksum") && json["checksum"] == checksum(content.dump());
    if (!fits || json.dump(2) + '\n' != text) refuse(name, "damaged: the checksum does not fit");
}

/// What no sweep can have gathered, whatever the checksum says.
void refuse_impossible(const SweepResult& result, const std::string& name) {
    const SweepState& state = result.state;
    const bool ordered = state.range.first <= state.done && state.done <= state.range.end &&
                         state.range.end <= run_rows(result.identity.domain);
    if (!ordered || total(state.tally.run) != state.done - state.range.first)
        refuse(name, "damaged: the rows do not add up to the range");
    if (is_whole(result) && total(state.tally.rows) != whole_rows(result.identity.domain))
        refuse(name, "damaged: the rows do not add up to the domain");
}

}  // namespace

std::string to_json_text(const SweepResult& result) {
    Json json = to_json(result);
    json["checksum"] = checksum(json.dump());
    return json.dump(2) + '\n';
}

SweepResult parse_result(std::string_view text, const std::string& name) {
    const Json json = parse_json(text, name);
    refuse_foreign(json, name);
    refuse_damaged(json, text, name);
    const SweepResult result = read_fields(json, name);
    refuse_impossible(result, name);
    return result;
}

SweepResult read_result(const std::filesystem::path& file) {
    return parse_result(read_file(file, largest_file), file.string());
}

}  // namespace normcheck
