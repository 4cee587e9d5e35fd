//===- TaskGraphs.h - the programs that the tests map -----------*- C++ -*-===//
#pragma once

#include "TaskBuilder.h"

#include "Machine/ReadMachine.h"
#include "Mapping/ReadMapping.h"
#include "Plan/Passes.h"

#include <gtest/gtest.h>

namespace septran::compiler {

/// C += A * B, element by element.
FunctionRef gemmLeaf();
/// T = 0.
FunctionRef fillLeaf();
/// To = From.
FunctionRef copyLeaf();

/// matmul(C, A, B, write C) -> matmul_tile (accumulator) -> gemm_blocked -> gemm_leaf; with fill and
/// copy leaves. Tunables as in mapping.md: tile_m and tile_n of matmul, tile_m, tile_n and tile_k of
/// gemm_blocked.
TaskGraph matmulGraph();

/// heat(U, steps): twice per time step, heat_step spreads blocks over rows, from U to a local and back.
TaskGraph heatGraph();

/// sum(S, X): blocks of X reduce into the one element of S.
TaskGraph sumGraph();

/// A task graph, a mapping and a machine, and what became of them.
struct Planned {
  TaskGraph Graph;
  std::shared_ptr<const Mapping> Map;
  std::shared_ptr<const Machine> Target;
  Diagnostics D;
  std::optional<Program> P;                 ///< after the last pass that was run
  std::map<std::string, std::string> Texts; ///< the Program after each pass

  /// Runs all passes, verifies what each makes and keeps the Program of pass `Last`. `Text` is the mapping
  /// file from its second line on.
  Planned(TaskGraph Graph, const std::string &Text, std::string_view Last = "synchronise",
          std::shared_ptr<const Machine> Target = nullptr,
          const std::function<void(std::string_view, const Program &)> &Each = {});

  /// The messages, one per line.
  std::string messages() const { return renderText(D); }
  const std::string &after(const std::string &Pass) const;
  std::vector<std::string> log(const std::string &Rule) const;
};

/// The machine cpu/x86-avx512 of the repository.
std::shared_ptr<Machine> avx512();

/// How often `Part` stands in `Text`.
std::size_t countIn(const std::string &Text, const std::string &Part);

} // namespace septran::compiler
