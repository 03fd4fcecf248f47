// The document of `bench oracle`; see oracle_text.hpp.
#include "harness/bench/oracle_text.hpp"
#include "reports/json.hpp"

namespace normcheck {
namespace {

using Json = nlohmann::json;

constexpr int bench_schema = 1;

Json timing_json(const Timing& timing, int64_t cols) {
    return {{"seconds_per_row", timing.seconds},
            {"seconds_per_element", timing.seconds / static_cast<double>(cols)},
            {"spread", timing.spread},
            {"repetitions", timing.repetitions}};
}

Json times_json(const OracleCosts& costs) {
    Json result = Json::object();
    for (int i = 0; i < competitor_count; ++i) {
        const auto competitor = static_cast<Competitor>(i);
        if (const auto& timing = costs.of(competitor))
            result[name(competitor)] = timing_json(*timing, costs.setting.cols);
    }
    return result;
}

Json setting_json(const OracleSetting& setting) {
    return {{"norm", name(setting.norm)}, {"format", format(setting.format).name}, {"cols", setting.cols}};
}

Json costs_json(const OracleCosts& costs) {
    Json result = setting_json(costs.setting);
    result["kernel"] = costs.kernel.empty() ? Json() : Json(costs.kernel);
    result["contract"] = costs.contract;
    result["times"] = times_json(costs);
    result["certified_per_plain"] = costs.ratio(Competitor::certified, Competitor::plain);
    result["mpfr_per_certified"] = costs.ratio(Competitor::mpfr, Competitor::certified);
    result["judged"] = costs.judged;
    result["undecided"] = costs.undecided;
    return result;
}

Json target_json(const OracleTarget& target) {
    return {{"target", target.key},
            {"wanted", target.wanted},
            {"got", target.got},
            {"worst", setting_json(target.worst)},
            {"met", target.met}};
}

}  // namespace

Json oracle_json(std::span<const OracleCosts> costs, const Context& context) {
    Report heading;
    heading.context = context;
    Json result{{"schema", bench_schema},
                {"context", to_json(heading)["context"]},
                {"settings", Json::array()},
                {"targets", Json::array()}};
    for (const OracleCosts& one : costs) result["settings"].push_back(costs_json(one));
    for (const OracleTarget& target : oracle_targets(costs)) result["targets"].push_back(target_json(target));
    return result;
}

}  // namespace normcheck
