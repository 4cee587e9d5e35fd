//===- RunCase.h - one call of every form of a program ------------*- C++ -*-===//
//
// Calls the plain, the reference and the mapped form with the same arguments and compares what they
// wrote. Runs in a child process (Isolated.h): any of them may crash.
//
//   result     must be
//   integers   what the plain program wrote
//   floats     within the reference's error bound; equal where every operation is exact
//   NaN        where the reference has NaN
//   untouched  elements that the plain program does not write are not looked at
//
// The reference has the tunables of the plain program. Other block sizes may round more, where a
// block's result is rounded to a narrower type or scaled: results outside of the bound are held
// against the larger one of it and that of the same logic with the mapping's tunables, in which the
// factors of products have the significant bits of the primitives that the mapping binds.
//
// Beside results: arguments that are only read stay as they were, as does all memory around
// elements; a second mapped run that starts from other garbage gives the same bits.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/ShapeRelations.h"
#include "Verify/InputPattern.h"
#include "Verify/TestTensor.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace septran::compiler {

struct Case {
  Extents Shape;
  ScalarValues Scalars; ///< of integer type
  Arrangement Lies = Arrangement::EndsAtGuard;
  InputPattern Pattern = InputPattern::Integers;
  std::uint64_t Seed = 0;
  unsigned Threads = 1;
};
/// `C 3x5, A 3x7, B 7x5, scale 2; gaps between rows, integers, seed 1, 4 threads`
std::string toString(const Case &C, const std::vector<Parameter> &Params);
/// The extents of one argument, `3x5`.
std::string shapeText(const Extents &Shape, unsigned Param, unsigned Rank);

/// Files of the libraries. Empty: there is no such form. Without a checked form every shape is
/// taken for one that the plain program accepts.
struct ProgramForms {
  std::string Plain, Mapped, Reference, Checked;
  /// What the mapping says of the reference: the smallest value of a tunable, "function.name", and
  /// what primitives do, "leaf.multiplicand_bits" and "leaf.flushes_subnormals".
  std::map<std::string, std::int64_t> Settings = {};
};

struct CaseResult {
  enum class Verdict {
    Match,
    Mismatch,   ///< the mapped program is wrong
    Unreliable, ///< the plain program is outside the reference's bound: no verdict
    Rejected,   ///< the plain program does not accept the arguments
  } V = Verdict::Match;
  std::string What;     ///< other than Match: what is wrong, in one line
  double Ulps = 0;      ///< largest distance from the exact value
  double Frobenius = 0; ///< relative to the exact values
  double OfBound = 0;   ///< largest error as a part of its bound
  std::uint64_t Compared = 0;
  std::uint64_t Open = 0; ///< elements that rounding may decide either way, or that overflow
};
std::string encode(const CaseResult &R);
std::optional<CaseResult> decodeCaseResult(const std::string &Text);

/// The libraries, loaded.
class LoadedForms {
public:
  explicit LoadedForms(const ProgramForms &Files);
  struct Functions;
  const Functions &functions() const { return *All; }
  ~LoadedForms();

private:
  std::unique_ptr<Functions> All;
};

/// What the mapping says of results.
struct CompareOptions {
  bool Nondeterministic = false; ///< two runs may differ in rounding
  bool LeavesOutFill = false;    ///< products with it are taken to be zero, also where they are NaN
};

CaseResult runCase(const LoadedForms &Forms, const ShapeRelations &R, const Case &C,
                   const CompareOptions &Options);

/// Seconds that one call of the plain program takes.
double plainSeconds(const LoadedForms &Forms, const ShapeRelations &R, const Case &C);

/// Whether the plain program accepts the arguments, by its checked form; what it says if not.
std::optional<std::string> rejection(const LoadedForms &Forms, const ShapeRelations &R,
                                     const Case &C);

} // namespace septran::compiler
