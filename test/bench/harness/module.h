//===- module.h - candidates as shared libraries -----------------*- C++ -*-===//
#pragma once

#include <string>
#include <vector>

namespace septran::bench {

/// A shared library that is never unloaded: OpenMP threads may still be inside.
class library {
public:
  /// Opens `path` with its symbols to itself, even those that the process has already. Throws
  /// std::runtime_error with the loader's words.
  explicit library(const std::string &path);

  /// A function of the library. Throws std::runtime_error if there is none of that name.
  template <class Function> Function *find(const char *name) const {
    return reinterpret_cast<Function *>(address_of(name));
  }

  /// The same, or null.
  template <class Function> Function *find_if_any(const char *name) const {
    return reinterpret_cast<Function *>(symbol(name));
  }

  /// The file that holds the library, as the loader found it.
  std::string file() const;

private:
  void *address_of(const char *name) const;
  void *symbol(const char *name) const;

  std::string path_;
  void *handle_;
};

/// An entry point of some kernel; the kernel knows its type.
struct entry_point {
  void *address;
  void (*finish)() = nullptr; ///< to be called before a result is looked at, if there is one

  template <class Function> Function *as() const { return reinterpret_cast<Function *>(address); }
};

/// The entry point of a library that was built with modules/candidate.cpp.
entry_point entry_of(const library &module);

/// Files of the OpenMP runtimes in this process. More than one, and their threads wait for work on
/// the same cores at the same time.
std::vector<std::string> openmp_runtimes();

} // namespace septran::bench
