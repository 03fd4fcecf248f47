// Runs the built program as a user does, in a folder of its own, for end-to-end tests.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace normcheck {

struct Ran {
    int status = -1;
    std::string output;
    std::string errors;
};

/// Runs the program with these arguments; standard output and error are files, so no terminal.
Ran run_program(const std::vector<std::string>& arguments);

/// Runs the program, and sends this signal to its process group as a terminal does, once it is ready for it.
Ran run_interrupted(const std::vector<std::string>& arguments, int signal);

/// A new empty folder, removed with all in it at the end.
class Folder {
  public:
    Folder();
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string operator/(std::string_view name) const { return (path_ / name).string(); }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

inline bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// The longest line, in characters.
size_t longest_line(const std::string& text);

}  // namespace normcheck
