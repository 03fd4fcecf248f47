// Subjects, their identities, and case lines; see subject.hpp.
#include "harness/sweep/subject.hpp"

#include <fmt/format.h>

#include "harness/cases/case.hpp"
#include "harness/check/abi_format.hpp"
#include "harness/sweep/symmetries.hpp"
#include "oracles/error.hpp"
#include "reports/context.hpp"

namespace normcheck {
namespace {

void refuse_format(const nc_kernel& kernel, FormatId id) {
    if (takes(kernel, id)) return;
    throw InputError(fmt::format("{} does not take x in {}", kernel.name, format(id).name));
}

std::string domain_text(const Domain& domain) {
    return fmt::format("{} with {} columns", format(domain.format).name, domain.cols);
}

std::string differ(const char* what, const std::string& found, const std::string& wanted) {
    return fmt::format("{} {}, not {}", what, found, wanted);
}

}  // namespace

std::string first_difference(const SweepIdentity& found, const SweepIdentity& wanted) {
    if (found.version != wanted.version) return differ("version", found.version, wanted.version);
    if (found.kernel != wanted.kernel) return differ("kernel", found.kernel, wanted.kernel);
    const std::string domain = domain_text(found.domain), wanted_domain = domain_text(wanted.domain);
    if (domain != wanted_domain) return differ("domain", domain, wanted_domain);
    if (found.contract != wanted.contract)
        return differ("contract", '\'' + print(found.contract) + '\'', '\'' + print(wanted.contract) + '\'');
    if (found.domain != wanted.domain)
        return differ("symmetry", name(found.domain.symmetry), name(wanted.domain.symmetry));
    if (found.overrides != wanted.overrides)  // the kernel's own contract has changed
        return differ("overrides", '\'' + found.overrides + '\'', '\'' + wanted.overrides + '\'');
    return "";
}

SweepSubject make_subject(const nc_kernel& kernel, const std::string& words, int64_t cols, bool symmetric) {
    const Contract own = parse_contract(kernel.contract);
    SweepSubject subject;
    subject.kernel = &kernel;
    SweepIdentity& identity = subject.identity;
    identity.version = make_context(0, "").version;
    identity.kernel = kernel.name;
    identity.contract = parse_contract(laid_over(kernel.contract, canonical_overrides(words)));
    identity.overrides = difference(identity.contract, own);
    refuse_format(kernel, identity.contract.x);
    identity.domain = make_domain(identity.contract.x, cols, symmetric ? proven_symmetry(kernel.name) : Symmetry{});
    return subject;
}

std::string case_line(const SweepIdentity& identity, uint64_t index) {
    const Contract& contract = identity.contract;
    Case c;
    c.kernel = identity.kernel;
    c.overrides = canonical_overrides(identity.overrides);
    c.cols = identity.domain.cols;
    c.x = {};
    for (int col = 0; col < identity.domain.cols; ++col) c.x.bits.push_back(element_code(identity.domain, index, col));
    if (contract.gamma != Gamma::none) c.gamma = {"absent", {}};
    if (contract.beta != Beta::none) c.beta = {"absent", {}};
    if (contract.residual != Residual::none) c.residual = {"zeros", {}};
    return print(c);
}

}  // namespace normcheck
