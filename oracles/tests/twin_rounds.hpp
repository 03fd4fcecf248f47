// Rows compared in rounds by several threads; the result does not depend on their number.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace normcheck::twin {

/// The sum, by add(total, part), of compare(index) over `rows` rows from `first` on.
template <class Part, class Compare>
Part compare_round(uint64_t first, uint64_t rows, int threads, Compare compare) {
    std::vector<Part> parts(rows);
    std::atomic<uint64_t> next = 0;
    const auto work = [&] {
        for (uint64_t i = next++; i < rows; i = next++) parts[i] = compare(first + i);
    };
    std::vector<std::jthread> others;
    for (int t = 1; t < threads; ++t) others.emplace_back(work);
    work();
    others.clear();
    Part total;
    for (const Part& part : parts) add(total, part);
    return total;
}

}  // namespace normcheck::twin
