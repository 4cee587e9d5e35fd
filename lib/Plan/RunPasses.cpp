//===- RunPasses.cpp - the middle end in order ----------------------------===//
#include "Plan/FitMemory.h"
#include "Plan/Passes.h"
#include "Plan/VerifyProgram.h"

#include "llvm/Support/ErrorHandling.h"

namespace septran::compiler {

namespace {

#ifdef NDEBUG
constexpr bool AssertionsOn = false;
#else
constexpr bool AssertionsOn = true;
#endif

struct Pass {
  std::string_view Name;
  std::optional<Program> (*Run)(Program, Diagnostics &);
};

/// Everything after resolve, which makes the Program.
constexpr Pass Passes[] = {
    {"place", place},
    {"simplify", [](Program P, Diagnostics &) { return std::optional(simplify(std::move(P))); }},
    {"bind", bind},
    {"layout", assignLayouts},
    {"pipeline",
     [](Program P, Diagnostics &D) { return std::optional(pipeline(std::move(P), D)); }},
    {"allocate", allocate},
    {"synchronise", synchronise},
    {"keep", [](Program P, Diagnostics &) { return std::optional(keepConstants(std::move(P))); }},
};

/// A Program that breaks the rules is a mistake of the compiler, whatever the user wrote.
void verifyOrDie(const Program &P, std::string_view Pass) {
  std::vector<std::string> Problems = verifyProgram(P, Pass);
  if (Problems.empty())
    return;
  std::string Text = "the program is malformed after pass " + std::string(Pass) + ":";
  for (const std::string &Problem : Problems)
    Text += "\n  " + Problem;
  Text += "\n" + printProgram(P);
  llvm::report_fatal_error(Text.c_str());
}

} // namespace

std::vector<std::string_view> passNames() {
  std::vector<std::string_view> Names = {"resolve"};
  for (const Pass &P : Passes)
    Names.push_back(P.Name);
  return Names;
}

std::optional<Program> planToPlace(const TaskGraph &Graph, std::shared_ptr<const Mapping> Map,
                                   std::shared_ptr<const Machine> Target, Diagnostics &D) {
  std::optional<Program> P = resolve(Graph, std::move(Map), std::move(Target), D);
  return P ? place(*std::move(P), D) : std::nullopt;
}

std::optional<Program> planToAllocate(std::optional<Program> P, Diagnostics &D) {
  static_assert(Passes[0].Run == place);
  for (const Pass *Next = Passes + 1; P && Next->Run != allocate; ++Next)
    P = Next->Run(*std::move(P), D);
  return P;
}

std::optional<Program> runPasses(const TaskGraph &Graph, std::shared_ptr<const Mapping> Map,
                                 std::shared_ptr<const Machine> Target, Diagnostics &D,
                                 const std::function<void(std::string_view, const Program &)> &After,
                                 bool VerifyEach) {
  auto Finish = [&](std::string_view Name, const Program &P) {
    if (VerifyEach || AssertionsOn)
      verifyOrDie(P, Name);
    if (After)
      After(Name, P);
  };
  std::optional<Program> P = resolve(Graph, Map, Target, D);
  if (!P)
    return std::nullopt;
  Finish("resolve", *P);
  for (const Pass &Next : Passes) {
    Diagnostics Found;
    P = Next.Run(*std::move(P), Found);
    for (Diagnostic Message : Found) {
      if (Message.ID == DiagID::MemoryCapacity)
        Message.Args.back() = smallestFit(Message.Args.front(), Graph, Map, Target);
      D.add(std::move(Message));
    }
    if (!P)
      return std::nullopt;
    Finish(Next.Name, *P);
  }
  return P;
}

} // namespace septran::compiler
