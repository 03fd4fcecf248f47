// Distributions as tables and words; see distributions.hpp.
#include "reports/html/distributions.hpp"

namespace normcheck {

const char* format_name(const KernelReport& report) {
    return format(report.format).name;
}

std::vector<std::string> heads_of(const std::string& first, const Formats& formats) {
    std::vector<std::string> heads{first};
    for (const KernelReport* one : formats) heads.push_back(format_name(*one));
    return heads;
}

std::string error_cell(const Bin& bin) {
    const std::string failed = bin.failed > 0 ? fmt::format(", {} fail", bin.failed) : "";
    return fmt::format("{} <small>({}{})</small>", show_error(bin.row_error),
                       show_count(static_cast<uint64_t>(bin.rows), "row", "rows"), failed);
}

std::string rows_cell(const Bin& bin) {
    const std::string failed = bin.failed > 0 ? fmt::format(" <small>({} fail)</small>", bin.failed) : "";
    return fmt::to_string(bin.rows) + failed;
}

}  // namespace normcheck
