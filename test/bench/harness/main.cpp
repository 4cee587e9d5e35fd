//===- main.cpp - septran-bench: measures the candidates of one kernel -------===//
#include "harness/json.h"
#include "harness/load.h"
#include "harness/options.h"
#include "harness/row.h"
#include "kernels/kernels.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <set>
#include <stdexcept>

namespace septran::bench {
namespace {

const kernel &find_kernel(const std::vector<kernel> &kernels, const std::string &name) {
  for (const kernel &k : kernels)
    if (k.name == name)
      return k;
  std::string known;
  for (const kernel &k : kernels)
    known += " " + k.name;
  throw std::runtime_error("there is no kernel '" + name + "', but:" + known);
}

/// {2, 3, 5} of "2x3x5"; empty if that is no shape.
std::vector<int> extents_of(const std::string &shape) {
  std::vector<int> extents;
  const char *p = shape.data(), *const end = p + shape.size();
  while (true) {
    int extent = 0;
    const auto [next, problem] = std::from_chars(p, end, extent);
    if (problem != std::errc() || extent < 1)
      return {};
    extents.push_back(extent);
    if (next == end)
      return extents;
    if (*next != 'x')
      return {};
    p = next + 1;
  }
}

/// Those that were asked for.
std::vector<row> rows_of(const kernel &kernel, const std::vector<std::string> &shapes) {
  if (shapes.empty())
    return kernel.rows;
  std::vector<row> rows;
  std::map<std::string, std::vector<row>> known; // the same shape may be there twice: "causal"
  std::string names;
  for (const row &r : kernel.rows) {
    const std::string shape = r.make().shape;
    names += known[shape].empty() ? " " + shape : "";
    known[shape].push_back(r);
  }
  for (const std::string &shape : shapes) {
    const std::vector<int> extents = extents_of(shape);
    if (const auto found = known.find(shape); found != known.end())
      rows.insert(rows.end(), found->second.begin(), found->second.end());
    else if (kernel.row_of && extents.size() == kernel.rank)
      rows.push_back(kernel.row_of(extents));
    else
      throw std::runtime_error("'" + kernel.name + "' has no shape '" + shape + "', but:" + names +
                               (kernel.row_of ? " and any other of " + std::to_string(kernel.rank) +
                                                    " positive extents"
                                              : ""));
  }
  return rows;
}

/// With its own choice of kernels, and with those that were asked for.
void open_tunable(const options::tunable_library &library,
                  peer (*open)(const std::string &path, const std::string &core),
                  std::vector<peer> &peers) {
  if (library.path.empty())
    return;
  std::set<std::string> names;
  auto cores = library.cores;
  cores.insert(cores.begin(), "");
  for (const std::string &core : cores) {
    peer peer = open(library.path, core);
    if (names.insert(peer.name).second) // two settings may mean the same kernels
      peers.push_back(std::move(peer));
  }
}

std::vector<peer> open_peers(const options &options) {
  std::vector<peer> peers;
  if (!options.onednn.empty())
    peers.push_back(open_onednn(options.onednn));
  open_tunable(options.openblas, open_openblas, peers);
  open_tunable(options.blis, open_blis, peers);
  return peers;
}

measure_settings settings_for(const options &options) {
  measure_settings settings;
  settings.budget = options.budget;
  settings.gates = options.busy_cores == 0; // what they look for is there on purpose
  if (options.quick) {
    settings.rounds = settings.least_rounds = 3;
    settings.sample = 1e-4;
    settings.gates = false;
  }
  return settings;
}

void write_report(const std::vector<row_result> &rows, const environment &environment,
                  const std::vector<int> &threads) {
  json_writer json;
  json.begin_object().key("openmp").begin_array();
  for (const std::string &file : openmp_runtimes())
    json.value(file);
  json.end_array().member("guest_gate", run_queue_delay().has_value());
  json.key("fma_peak").begin_object();
  for (int n : threads)
    json.member(std::to_string(n), n * environment.peak.of(n));
  json.end_object().key("peers").begin_array();
  for (const peer &p : environment.peers)
    json.begin_object()
        .member("name", p.name)
        .member("version", p.version)
        .member("file", p.file)
        .end_object();
  json.end_array().key("rows").begin_array();
  for (const row_result &row : rows)
    write_row(json, row);
  json.end_array().end_object();
  std::printf("%s\n", json.text().c_str());
}

void run(const options &options) {
  const competing_load load(options.busy_cores);
  const auto kernels = all_kernels(options.quick);
  const kernel &kernel = find_kernel(kernels, options.kernel);
  environment environment{
      {}, open_peers(options),       team(library(options.team)), settings_for(options),
      {}, std::mt19937(options.seed)};
  for (const auto &module : options.modules)
    environment.entries.push_back({module.name, module.role, entry_of(library(module.path))});

  const auto shapes = rows_of(kernel, options.shapes);
  std::vector<row_result> rows;
  for (int threads : options.threads)
    for (const row &row : shapes) {
      rows.push_back(run_row(kernel, row, threads, environment));
      std::fprintf(stderr, "    %s %s %s, %d thread%s\n", kernel.name.c_str(),
                   rows.back().shape.c_str(), row.variant.c_str(), threads,
                   threads == 1 ? "" : "s");
    }
  for (row_result &row : rows)
    drop_slowed(row.measured, environment.peak.of(row.threads));
  if (openmp_runtimes().size() > 1)
    throw std::runtime_error("the process holds two OpenMP runtimes, " + openmp_runtimes()[0] +
                             " and " + openmp_runtimes()[1]);
  write_report(rows, environment, options.threads);
}

} // namespace
} // namespace septran::bench

int main(int argc, char **argv) {
  const auto options = septran::bench::read_options(argc, argv);
  if (!options)
    return 2;
  try {
    septran::bench::run(*options);
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "septran-bench: %s\n", failure.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
