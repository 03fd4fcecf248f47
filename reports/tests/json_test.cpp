// Tests of the JSON report: it reads back to the same report, refuses what is wrong, and obeys schema.json.
#include "reports/json.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <tuple>

#include "oracles/error.hpp"
#include "reports/tests/made_up.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::json;

std::string refusal(const Json& document) {
    try {
        from_json(document);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

std::string refusal_with(const std::string& place, const Json& value) {
    Json document = to_json(made_up_report());
    document[Json::json_pointer(place)] = value;
    return refusal(document);
}

std::string refusal_without(const std::string& place, const std::string& key) {
    Json document = to_json(made_up_report());
    document[Json::json_pointer(place)].erase(key);
    return refusal(document);
}

TEST(Json, reads_back_to_the_same_report) {
    const Report report = made_up_report();
    EXPECT_EQ(from_json(to_json(report)), report);
    EXPECT_EQ(parse_report(to_json_text(report)), report);
}

TEST(Json, keeps_infinite_errors_and_the_largest_seed) {
    Report report = made_up_report();
    report.context.seed = std::numeric_limits<uint64_t>::max();
    report.findings[1].numbers->error = std::numeric_limits<double>::infinity();
    report.findings[1].numbers->got = {"nan", 0x7e00};
    EXPECT_EQ(parse_report(to_json_text(report)), report);
}

TEST(Json, keeps_that_there_is_no_seed) {
    Report report = made_up_report();
    report.context.seed.reset();
    EXPECT_TRUE(to_json(report)["context"]["seed"].is_null());
    EXPECT_EQ(parse_report(to_json_text(report)), report);
}

TEST(Json, spells_measured_numbers_as_hex_floats) {
    const Json document = to_json(made_up_report());
    EXPECT_EQ(document["findings"][1]["numbers"]["error"], "0x1.01p+6");
    EXPECT_EQ(document["findings"][1]["numbers"]["got"], (Json{{"value", "0x1.9p+0"}, {"code", "0x3e40"}}));
    EXPECT_EQ(document["kernels"][1]["cells"][5]["row_error"]["value"], "0x1.01p+6");
}

TEST(Json, is_the_same_text_each_time_indented_by_two_spaces) {
    const std::string text = to_json_text(made_up_report());
    EXPECT_EQ(text, to_json_text(parse_report(text)));
    EXPECT_TRUE(text.starts_with("{\n  \"changes\": [\n    {\n      \"case\""));
    EXPECT_TRUE(text.ends_with("}\n"));
}

TEST(Json, carries_verdicts_and_exit_status) {
    const Json document = to_json(made_up_report());
    EXPECT_EQ(document["verdict"], "fail");
    EXPECT_EQ(document["exit_status"], 1);
    EXPECT_EQ(document["kernels"][0]["verdict"], "pass");
}

TEST(Json, refusals_name_the_path_and_what_was_expected) {
    EXPECT_EQ(refusal_with("/kernels/1/cells/2/outputs", -1),
              "report: /kernels/1/cells/2/outputs: expected a whole number from 0 to 9223372036854775807, found -1");
    EXPECT_TRUE(refusal_without("/kernels/1", "cases")
                    .starts_with("report: /kernels/1: expected the key \"cases\", found {\"broken_rules\":"));
    EXPECT_EQ(refusal_with("/kernels/0/format", "f8"),
              "report: /kernels/0/format: expected a format: " + format_names() + ", found \"f8\"");
    EXPECT_EQ(
        refusal_with("/schema", 3),
        "report: /schema: expected schema 5 (it was written by an older normcheck: make the report anew), found 3");
    EXPECT_EQ(refusal_with("/schema", 6), "report: /schema: expected schema 5, found 6");
}

TEST(Json, refuses_values_of_the_wrong_kind) {
    const std::vector<std::pair<std::string, Json>> wrong{{"/strict", 1},
                                                          {"/context", "none"},
                                                          {"/context/seed", 1.5},
                                                          {"/context/cores", 3000000000},
                                                          {"/context/seconds", nullptr},
                                                          {"/kernels", Json::object()},
                                                          {"/kernels/0/cells", Json::array()},
                                                          {"/kernels/0/cells/0/regime", "ordinary"},
                                                          {"/kernels/0/cells/6/row_error/value", "1.5"},
                                                          {"/kernels/0/cells/6/row_error/value", "0x1.8p+1z"},
                                                          {"/kernels/1/reasons/fail", 3},
                                                          {"/kernels/1/properties", Json::array()},
                                                          {"/kernels/1/properties/sign_symmetry/held", -1},
                                                          {"/findings/0/verdict", "failed"},
                                                          {"/findings/0/reason", 7},
                                                          {"/findings/1/numbers/got/code", "3e40"},
                                                          {"/findings/1/numbers/got/code", "0x3E40"},
                                                          {"/findings/1/row", -1}};
    for (const auto& [place, value] : wrong)
        EXPECT_TRUE(refusal_with(place, value).starts_with("report: " + place + ": expected ")) << place;
}

TEST(Json, refuses_a_document_that_is_not_an_object) {
    EXPECT_EQ(refusal(Json::array()), "report: /: expected an object, found []");
}

std::string refusal_of_text(const std::string& text, const std::string& file = "report") {
    try {
        parse_report(text, file);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Json, refuses_bytes_that_are_not_json_by_file_line_and_column) {
    EXPECT_TRUE(refusal_of_text("{\n\"schema\": nope}", "a.json")
                    .starts_with("a.json: line 2, column 12: expected JSON, found a syntax error"))
        << refusal_of_text("{\n\"schema\": nope}", "a.json");
    const std::string text = to_json_text(made_up_report());
    for (const size_t length : {size_t{0}, size_t{1}, text.size() / 3, text.size() / 2, text.size() - 3})
        EXPECT_TRUE(refusal_of_text(text.substr(0, length), "cut.json").starts_with("cut.json: line ")) << length;
}

TEST(Json, refuses_values_nested_without_end) {
    EXPECT_TRUE(
        refusal_of_text(std::string(1000000, '[')).starts_with("report: expected a report, found values nested 33"));
}

TEST(Json, shows_nothing_of_a_hostile_document_raw) {
    const std::string told = refusal_of_text("{\"schema\": \"\xc2\x9b\x7f\"}", "evil\x1b.json");
    EXPECT_EQ(told.find('\x1b'), std::string::npos) << told;
    EXPECT_EQ(told.find('\x9b'), std::string::npos) << told;
    EXPECT_TRUE(told.starts_with("evil\\x1b.json: ")) << told;
}

TEST(Json, refuses_what_was_changed_by_hand) {
    const std::vector<std::tuple<std::string, Json, std::string>> edits{
        {"/verdict", "pass", "\"fail\", as follows from the records"},
        {"/exit_status", 0, "1, as follows from the records"},
        {"/kernels/1/verdict", "pass", "\"fail\", as follows"},
        {"/kernels/1/kernel", "cpu/layer_two_pass", ""},
        {"/kernels/2/kernel", "faulty/eps_twice", "each kernel and format once"},
        {"/findings/0/kernel", "nobody", "a kernel and format of the report"},
        {"/kernels/0/cells/6/correctly_rounded", 1 << 30, "at most "},
        {"/kernels/0/by_ratio/0/from", -49, "the lower end of a bin"},
        {"/kernels/0/by_ratio/0/from", -52, "the lower end of a bin"},
        {"/kernels/0/by_ratio/1/from", -50, "the bins in order"},
        {"/kernels/0/by_length/1/from", 3, "the lower end of a bin"},
        {"/kernels/0/by_length/1/from", 0, "the lower end of a bin"},
        {"/kernels/0/by_error/0/to", "0x1.8p-9", "the upper end of a bin"},
        {"/kernels/0/by_error/0/failed", 1 << 30, "at most "},
        {"/changes/0/trend", "sideways", "\"worse\", \"better\" or \"other\""}};
    for (const auto& [place, value, expected] : edits)
        EXPECT_TRUE(refusal_with(place, value).find("expected " + expected) != std::string::npos)
            << place << ": " << refusal_with(place, value);
}

TEST(Json, keeps_small_objects_on_one_line) {
    const std::string text = to_json_text(made_up_report());
    EXPECT_NE(text.find("\n        {\"failed\": 0, \"from\": -50, \"row_error\": "), std::string::npos)
        << text.substr(0, 4000);
    EXPECT_EQ(Json::parse(text), to_json(made_up_report()));
}

TEST(Json, is_ascii) {
    Report report = made_up_report();
    report.kernels[0].kernel = "k\u00e9\u009b";
    const std::string text = to_json_text(report);
    EXPECT_TRUE(std::ranges::all_of(text, [](char one) { return one == '\n' || (one >= ' ' && one < 127); }));
    EXPECT_EQ(parse_report(text).kernels[0].kernel, report.kernels[0].kernel);
}

// The parts of JSON Schema that say which keys an object must and may have, and what strings an enum allows.
void check_against(const Json& schema, const Json& root, const Json& value, const std::string& path);

void check_object(const Json& schema, const Json& root, const Json& value, const std::string& path) {
    for (const Json& key : schema["required"]) EXPECT_TRUE(value.contains(key)) << path << " lacks " << key;
    for (const auto& [key, member] : value.items()) {
        EXPECT_TRUE(schema["properties"].contains(key)) << path << " has unknown " << key;
        if (schema["properties"].contains(key))
            check_against(schema["properties"][key], root, member, path + "/" + key);
    }
}

void check_against(const Json& schema, const Json& root, const Json& value, const std::string& path) {
    if (schema.contains("$ref"))
        check_against(root[Json::json_pointer(schema["$ref"].get<std::string>().substr(1))], root, value, path);
    if (schema.contains("anyOf") && !value.is_null()) check_against(schema["anyOf"][1], root, value, path);
    if (schema.contains("properties")) check_object(schema, root, value, path);
    if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object())
        for (const auto& [key, member] : value.items())
            check_against(schema["additionalProperties"], root, member, path + "/" + key);
    if (schema.contains("items"))
        for (const Json& element : value) check_against(schema["items"], root, element, path + "/item");
    if (schema.contains("enum")) {
        EXPECT_NE(std::ranges::find(schema["enum"], value), schema["enum"].end()) << path << " is " << value;
    }
}

TEST(Schema, has_every_key_that_a_report_has_and_requires_no_other) {
    std::ifstream file(NORMCHECK_SCHEMA_FILE);
    const Json schema = Json::parse(file);
    check_against(schema, schema, to_json(made_up_report()), "");
}

TEST(Schema, lists_all_formats_regimes_and_verdicts) {
    std::ifstream file(NORMCHECK_SCHEMA_FILE);
    const Json schema = Json::parse(file)["$defs"];
    for (int i = 0; i < format_count; ++i)
        EXPECT_EQ(schema["format"]["enum"].at(static_cast<size_t>(i)), format(static_cast<FormatId>(i)).name);
    for (int i = 0; i < regime_count; ++i)
        EXPECT_EQ(schema["regime"]["enum"].at(static_cast<size_t>(i)), name(static_cast<Regime>(i)));
    for (int i = 0; i < verdict_count; ++i)
        EXPECT_EQ(schema["verdict"]["enum"].at(static_cast<size_t>(i)), name(static_cast<Verdict>(i)));
}

}  // namespace
}  // namespace normcheck
