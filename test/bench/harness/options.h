//===- options.h - the command line of septran-bench -------------*- C++ -*-===//
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace septran::bench {

struct options {
  struct module_file {
    std::string name, role, path; ///< role: "plain", "mapped" or "peer"
  };
  struct tunable_library {
    std::string path;               ///< empty: not compared with
    std::vector<std::string> cores; ///< processor families beside the library's own choice
  };
  std::string kernel;
  std::vector<std::string> shapes; ///< what is measured; empty: the kernel's own
  std::vector<int> threads;
  std::string team;
  std::vector<module_file> modules;
  std::string onednn; ///< empty: not compared with
  tunable_library openblas, blis;
  bool quick = false;
  int busy_cores = 0; ///< taken away by a load while samples are taken, which pass no gates then
  double budget = 30;
  unsigned seed = 1;
};

/// None, and a message on standard error, if the command line is not understood.
std::optional<options> read_options(int argc, char **argv);

} // namespace septran::bench
