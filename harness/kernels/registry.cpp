// The list of kernels, with an index by name and one by address.
#include "harness/kernels/registry.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "harness/kernels/cuda/device_kernels.hpp"
#include "harness/kernels/faulty/faults.hpp"

namespace normcheck {

#define KERNEL(symbol) extern const nc_kernel symbol;
#include "harness/kernels/kernels.def"
#undef KERNEL

namespace {

std::vector<const nc_kernel*> make_list() {
    std::vector<const nc_kernel*> list = {
#define KERNEL(symbol) &symbol,
#include "harness/kernels/kernels.def"
#undef KERNEL
    };
    list.insert(list.end(), device_kernels().begin(), device_kernels().end());
    return list;
}

class Registry {
  public:
    Registry() {
        for (const nc_kernel* kernel : built_in_kernels()) add({kernel, Origin::built_in});
        uint32_t hosted = 0;
        for (const FaultInfo& fault : faults()) {
            const bool ends_process = fault.shown_by == ShownBy::process;
            add({fault.kernel, Origin::fault, ends_process ? fault_host : this_process, ends_process ? hosted++ : 0});
        }
    }
    void add(const KernelEntry& entry) {
        by_name_.emplace(entry.kernel->name, entries_.size());
        by_address_.emplace(entry.kernel, entries_.size());
        entries_.push_back(entry);
    }
    std::span<const KernelEntry> entries() const { return entries_; }
    const KernelEntry* find(std::string_view name) const { return found(by_name_.find(name), by_name_.end()); }
    const KernelEntry* find(const nc_kernel* kernel) const {
        return found(by_address_.find(kernel), by_address_.end());
    }

  private:
    template <class Iterator>
    const KernelEntry* found(Iterator place, Iterator end) const {
        return place == end ? nullptr : &entries_[place->second];
    }

    std::vector<KernelEntry> entries_;
    std::unordered_map<std::string_view, size_t> by_name_;
    std::unordered_map<const nc_kernel*, size_t> by_address_;
};

Registry& registry() {
    static Registry only;
    return only;
}

template <class Choose>
std::vector<const nc_kernel*> chosen(Choose choose) {
    std::vector<const nc_kernel*> all;
    for (const KernelEntry& entry : registry().entries())
        if (choose(entry)) all.push_back(entry.kernel);
    return all;
}

}  // namespace

std::span<const nc_kernel* const> built_in_kernels() {
    static const std::vector<const nc_kernel*> kernels = make_list();
    return kernels;
}

std::vector<const nc_kernel*> outside_kernels() {
    return chosen([](const KernelEntry& entry) { return entry.origin == Origin::outside; });
}

std::span<const KernelEntry> all_kernels() {
    return registry().entries();
}

std::vector<const nc_kernel*> hosted_faults() {
    return chosen([](const KernelEntry& entry) { return entry.host == fault_host; });
}

void add_kernels(std::span<const KernelEntry> added) {
    std::ranges::for_each(added, [](const KernelEntry& entry) { registry().add(entry); });
}

const nc_kernel* find_kernel(std::string_view name) {
    const KernelEntry* entry = registry().find(name);
    return entry == nullptr ? nullptr : entry->kernel;
}

KernelEntry entry_of(const nc_kernel& kernel) {
    const KernelEntry* entry = registry().find(&kernel);
    return entry == nullptr ? KernelEntry{&kernel, Origin::built_in} : *entry;
}

bool needs_host(const nc_kernel& kernel) {
    return entry_of(kernel).host != this_process;
}

}  // namespace normcheck
