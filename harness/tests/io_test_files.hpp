// What the tests of files share: a directory that goes away, the message of a refusal, and mutations of a file's bytes.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "oracles/error.hpp"

namespace normcheck {

/// A fresh directory, removed with everything in it at the end of the scope.
struct TemporaryDirectory {
    std::filesystem::path path;
    TemporaryDirectory() {
        std::string name = testing::TempDir() + "normcheck-io-XXXXXX";
        require(::mkdtemp(name.data()) != nullptr, "a temporary directory can be made");
        path = name;
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    ~TemporaryDirectory() { std::filesystem::remove_all(path); }
};

/// The message of the InputError that the action throws; empty where it throws none.
template <typename Action>
std::string refusal(Action action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != text.npos;
}

/// The 64 bits that a counter stands for (the finaliser of splitmix64).
inline uint64_t mixed(uint64_t counter) {
    uint64_t z = counter * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/// The bytes after one to four small changes: a byte replaced, taken out, doubled, or everything behind it cut off.
inline std::string mutated(std::string bytes, uint64_t number) {
    uint64_t changes = 1 + mixed(number) % 4;
    for (uint64_t change = 1; change <= changes && !bytes.empty(); ++change) {
        uint64_t random = mixed(number * 8 + change);
        size_t at = random % bytes.size();
        switch (random >> 32 & 7) {
            case 0:
                bytes.erase(at, 1);
                break;
            case 1:
                bytes.insert(at, 1, bytes[at]);
                break;
            case 2:
                bytes.resize(at);
                break;
            default:
                bytes[at] = static_cast<char>(random >> 40);
        }
    }
    return bytes;
}

/// How many mutations a parser took, out of `count`; whatever it throws but InputError ends the test.
template <typename Parser>
int count_taken(const std::string& bytes, uint64_t count, Parser parse) {
    int taken = 0;
    for (uint64_t number = 0; number < count; ++number) {
        taken += refusal([&] { parse(mutated(bytes, number)); }).empty();
    }
    return taken;
}

}  // namespace normcheck
