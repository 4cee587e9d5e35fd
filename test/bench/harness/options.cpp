#include "harness/options.h"

#include <cstdio>
#include <exception>
#include <sstream>
#include <stdexcept>

namespace septran::bench {
namespace {

constexpr const char *usage =
    R"(usage: septran-bench --kernel NAME --threads N,... --team FILE [options]

Measures the candidates of one kernel and prints JSON. scripts/bench builds candidates, runs this
program and makes a table of what it prints.

  --kernel NAME         the kernel, by the name of its example
  --shape NAME          these shapes in place of the kernel's own (several)
  --threads N,...       a set of rows for each of these numbers of threads
  --team FILE           modules/team.cpp as a shared library
  --module NAME=FILE    a candidate, built with modules/candidate.cpp; "plain" or the name of a
                        mapping (several)
  --peer NAME=FILE      a program that somebody wrote by hand, built in the same way (several)
  --onednn FILE         the shared library of oneDNN
  --openblas FILE       the shared library of OpenBLAS
  --openblas-core NAME  its kernels for this processor family as well (several)
  --blis FILE           the shared library of BLIS
  --blis-core NUMBER    its kernels for this BLIS_ARCH_TYPE as well (several)
  --quick               tiny shapes, a few samples, no gates: only to see that it works
  --busy-cores N        samples are taken while N processes keep a core each busy, without gates
  --budget SECONDS      time per row (default 30)
  --seed N              of the order of candidates (default 1)
)";

std::vector<int> read_numbers(const std::string &list) {
  std::vector<int> numbers;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) {
    numbers.push_back(std::stoi(part));
    if (numbers.back() < 1)
      throw std::invalid_argument("");
  }
  return numbers;
}

void read_option(options &result, const std::string &option, const std::string &value) {
  if (option == "--kernel")
    result.kernel = value;
  else if (option == "--shape")
    result.shapes.push_back(value);
  else if (option == "--threads")
    result.threads = read_numbers(value);
  else if (option == "--team")
    result.team = value;
  else if (option == "--module" || option == "--peer") {
    const auto equals = value.find('=');
    if (equals == std::string::npos)
      throw std::invalid_argument("");
    const std::string name = value.substr(0, equals);
    const std::string role = option == "--peer" ? "peer" : name == "plain" ? "plain" : "mapped";
    result.modules.push_back({name, role, value.substr(equals + 1)});
  } else if (option == "--onednn")
    result.onednn = value;
  else if (option == "--openblas")
    result.openblas.path = value;
  else if (option == "--openblas-core")
    result.openblas.cores.push_back(value);
  else if (option == "--blis")
    result.blis.path = value;
  else if (option == "--blis-core")
    result.blis.cores.push_back(value);
  else if (option == "--busy-cores")
    result.busy_cores = static_cast<int>(std::stoul(value));
  else if (option == "--budget")
    result.budget = std::stod(value);
  else if (option == "--seed")
    result.seed = static_cast<unsigned>(std::stoul(value));
  else
    throw std::invalid_argument("");
}

} // namespace

std::optional<options> read_options(int argc, char **argv) {
  options result;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--quick") {
      result.quick = true;
      continue;
    }
    const std::string value = i + 1 < argc ? argv[++i] : "";
    try {
      read_option(result, option, value);
    } catch (const std::exception &) {
      std::fprintf(stderr, "septran-bench: '%s %s' is not understood\n%s", option.c_str(),
                   value.c_str(), usage);
      return std::nullopt;
    }
  }
  if (result.kernel.empty() || result.threads.empty() || result.team.empty()) {
    std::fputs(usage, stderr);
    return std::nullopt;
  }
  return result;
}

} // namespace septran::bench
