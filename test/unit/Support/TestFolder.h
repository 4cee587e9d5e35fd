//===- TestFolder.h - a folder for the files of one test --------*- C++ -*-===//
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace septran::compiler {

/// New, with a name of its own, since tests of several builds run side by side; removed with all
/// that is in it.
class TestFolder {
  static std::filesystem::path make() {
    std::string Name = (std::filesystem::temp_directory_path() / "septran-test-XXXXXX").string();
    if (!mkdtemp(Name.data()))
      throw std::runtime_error("cannot make a folder like " + Name);
    return Name;
  }

public:
  const std::filesystem::path Path = make();

  TestFolder() = default;
  ~TestFolder() {
    std::error_code Ignored;
    std::filesystem::remove_all(Path, Ignored);
  }
  TestFolder(const TestFolder &) = delete;
  TestFolder &operator=(const TestFolder &) = delete;
};

} // namespace septran::compiler
