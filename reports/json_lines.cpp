// The report as JSON lines: one record per line, so that streams can be filtered and joined line by line.
#include "reports/json.hpp"
#include "reports/json_text.hpp"
#include "reports/writers.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::json;

std::string line(const char* record, Json content) {
    content["record"] = record;
    return json_line(content) + '\n';
}

std::string lines(const char* record, const Json& list) {
    std::string result;
    for (const Json& one : list) result += line(record, one);
    return result;
}

}  // namespace

std::string to_json_lines(const Report& report) {
    Json run = to_json(report);
    std::string records;
    records += lines("kernel", run["kernels"]);
    records += lines("finding", run["findings"]);
    records += lines("change", run["changes"]);
    for (const char* list : {"kernels", "findings", "changes"}) run.erase(list);
    return line("run", run) + records;
}

}  // namespace normcheck
