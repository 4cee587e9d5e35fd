//===- VerifyMapping.h - does a mapped program compute what the plain one does -*- C++ -*-===//
//
// Many calls (RunCase.h) over many shapes (ChooseShapes.h), and what came of them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Verify/ChooseShapes.h"
#include "Verify/RunCase.h"

#include <functional>
#include <string>
#include <vector>

namespace septran::compiler {

struct VerifyRequest {
  ShapeRequest Shapes;
  unsigned Seeds = 2;            ///< of random inputs, for each shape
  unsigned Threads = 4;          ///< most threads; one thread is tried as well
  unsigned SecondsPerCase = 120; ///< after which a call counts as one that does not end
  CompareOptions Compare;        ///< what the mapping says
  std::optional<Case> Only;      ///< of its shape nothing counts: the one call at each shape
  std::vector<InputPattern> Patterns{std::begin(AllPatterns), std::end(AllPatterns)};
};

/// All cases of one shape.
struct ShapeRow {
  ShapeChoice Choice;
  unsigned Cases = 0, Failed = 0;
  CaseResult Worst; ///< largest errors, sums of counts
};

struct CaseFailure {
  Case Which;
  std::string What;
  bool MappedIsWrong = true; ///< false: no verdict was possible
};

struct VerifyReport {
  std::vector<ShapeRow> Rows;
  std::vector<CaseFailure> Failures;
  unsigned Refused = 0; ///< shapes and inputs that the plain program does not accept
  std::string FirstRefusal; ///< the first of these shapes and what the checked program says
  std::string Problem;  ///< why nothing could be verified
  bool NoneAccepted = false; ///< that is why
  unsigned cases() const;
  bool good() const { return Problem.empty() && Failures.empty() && cases() > 0; }
};

/// `Progress(done, of)` is called now and then.
VerifyReport verifyMapping(const ProgramForms &Forms, const ShapeRelations &R,
                           const VerifyRequest &Request,
                           const std::function<void(size_t, size_t)> &Progress = nullptr);

/// One case again, for reproducing and shrinking: what is wrong with it, if anything is.
std::optional<CaseFailure> verifyCase(const ProgramForms &Forms, const ShapeRelations &R,
                                      const Case &C, const VerifyRequest &Request);

/// A table of rows, failures and a verdict.
std::string toString(const VerifyReport &Report, const ShapeRelations &R);

} // namespace septran::compiler
