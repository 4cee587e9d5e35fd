//===- Kernels.cpp - the parts of a Program that run on a grid ------------===//
#include "Plan/Kernels.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/LoopOrder.h"

#include <algorithm>
#include <bit>

namespace septran::compiler {

std::optional<size_t> gridDepth(const Machine &M) {
  for (size_t Depth = 0; Depth < M.Processors.size(); ++Depth)
    if (M.Processors[Depth].LoopSpread.Value == Processor::Spread::Grid)
      return Depth;
  return std::nullopt;
}

bool isHostMemory(std::string_view Memory, const Machine &M) {
  const auto *Found = M.findMemory(Memory);
  const std::optional<size_t> Grid = gridDepth(M);
  return Found && Grid && !Found->readableBy(M.Processors[*Grid].Name.Value);
}

bool isKernel(const Stmt &S, const Machine &M) {
  std::optional<size_t> Grid = gridDepth(M);
  if (!Grid)
    return false;
  if (const auto *Sc = S.getIf<Scope>())
    return Sc->Instance->Depth >= *Grid;
  const auto *F = S.getIf<For>();
  return F && !F->Spread.empty() && M.depthOf(F->Spread).value_or(0) >= *Grid;
}

void forEachKernel(Block &B, const Machine &M, llvm::function_ref<void(Stmt &)> F) {
  for (Stmt &S : B) {
    if (isKernel(S, M))
      F(S);
    else
      for (Block *Nested : nestedBlocks(S))
        forEachKernel(*Nested, M, F);
  }
}

namespace {

/// The most processors of an inner level that a loop of the kernel keeps busy, as threads.
std::int64_t wantedByLoops(const Block &B, const Machine &M, size_t Grid) {
  std::int64_t Most = 0;
  auto Visit = [&](const Block &Inner, std::int64_t Outer, auto &Self) -> void {
    for (const Stmt &S : Inner) {
      const auto *F = S.getIf<For>();
      std::int64_t Here = Outer;
      if (F && !F->Spread.empty() && M.depthOf(F->Spread).value_or(0) > Grid) {
        // The levels inside the loop's have fixed counts; the loop says how many of its own there
        // are.
        const std::int64_t Each = threadsAt(*M.depthOf(F->Spread), M, 0);
        std::int64_t Trips = 1;
        for (const For *G : parallelGroup(*F))
          Trips *= upperBound(G->Hi - G->Lo).value_or(1);
        Here = Outer * Trips;
        Most = std::max(Most, Here * std::max<std::int64_t>(Each, 1));
        Self(parallelGroup(*F).back()->Body, Here, Self);
        continue;
      }
      for (const Block *Nested : nestedBlocks(S))
        Self(*Nested, Here, Self);
    }
  };
  Visit(B, 1, Visit);
  return Most;
}

} // namespace

std::int64_t gridThreads(const Stmt &Kernel, const Machine &M, Diagnostics *D) {
  const std::int64_t *Limit = M.Limits.find("max_threads_per_block");
  const std::int64_t *Default = M.Limits.find("default_threads");
  const std::int64_t *Warp = M.Limits.find("warp_threads");
  const std::int64_t Max = Limit ? *Limit : 1024, Least = Warp ? *Warp : 32;
  const Located<std::int64_t> *Chosen = nullptr;
  Block Whole{Kernel};
  walkStmts(Whole, [&](const Stmt &S) {
    const auto *Sc = S.getIf<Scope>();
    if (!Sc || !Sc->Instance->Settings || !Sc->Instance->Settings->Parallelize)
      return;
    const auto &Threads = Sc->Instance->Settings->Parallelize->Value.Threads;
    if (Threads && !Chosen)
      Chosen = &*Threads;
  });
  if (Chosen) {
    const bool Good = Chosen->Value >= Least && Chosen->Value <= Max &&
                      std::has_single_bit(std::uint64_t(Chosen->Value));
    if (!Good && D)
      D->report(DiagID::UnknownValue, Chosen->Loc, "threads", std::to_string(Chosen->Value),
                "a power of two from " + std::to_string(Least) + " to " + std::to_string(Max), "");
    return Good ? Chosen->Value : 0;
  }
  const auto *Root = Kernel.getIf<For>();
  const Block &Inside = Root ? parallelGroup(*Root).back()->Body : Kernel.getIf<Scope>()->Body;
  std::int64_t Wanted = wantedByLoops(Inside, M, *gridDepth(M));
  if (Wanted == 0)
    Wanted = Default ? *Default : Max;
  Wanted = std::int64_t(std::bit_ceil(std::uint64_t(std::max(Wanted, Least))));
  return std::min(Wanted, Max);
}

std::int64_t threadsAt(size_t Depth, const Machine &M, std::int64_t GridThreads) {
  std::int64_t Threads = 1;
  for (size_t Level = Depth + 1; Level < M.Processors.size(); ++Level) {
    if (!M.Processors[Level].Count)
      return GridThreads;
    Threads *= M.Processors[Level].Count->Value;
  }
  return Threads;
}

void reportInKernel(const Location &Loc, const std::string &Found, const std::string &Expected,
                    Diagnostics &D) {
  D.report(DiagID::KernelForm, Loc, Found, Expected);
}

} // namespace septran::compiler
