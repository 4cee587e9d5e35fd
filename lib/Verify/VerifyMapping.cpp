//===- VerifyMapping.cpp - does a mapped program compute what the plain one does ===//
#include "Verify/VerifyMapping.h"

#include "Plan/TextTable.h"
#include "Verify/Isolated.h"

#include <algorithm>
#include <cstdio>
#include <memory>

namespace septran::compiler {

namespace {

bool hasFloats(const std::vector<Parameter> &Params) {
  return std::any_of(Params.begin(), Params.end(), [](const Parameter &P) {
    return isFloat(P.isTensor() ? P.Tensor->Element : P.Scalar->Type);
  });
}

bool onlyRank0(const std::vector<Parameter> &Params) {
  return std::all_of(Params.begin(), Params.end(),
                     [](const Parameter &P) { return !P.isTensor() || P.Tensor->Rank == 0; });
}

/// The calls at one shape. Arrangements and numbers of threads take turns, so that every pattern
/// meets each of them somewhere.
std::vector<Case> casesOf(const ShapeChoice &Choice, size_t Position, bool Large,
                          const std::vector<Parameter> &Params, const VerifyRequest &Request) {
  if (Request.Only)
    return {{Choice.Shape, Choice.Scalars, Request.Only->Lies, Request.Only->Pattern,
             Request.Only->Seed, Request.Only->Threads}};
  std::vector<InputPattern> Patterns;
  const unsigned Seeds = Large ? 1 : Request.Seeds;
  for (unsigned S = 0; S < Seeds; ++S) {
    Patterns.push_back(InputPattern::Integers);
    if (hasFloats(Params))
      Patterns.push_back(InputPattern::Uniform);
  }
  if (!Large) {
    Patterns.push_back(InputPattern::OneHot);
    if (hasFloats(Params))
      for (InputPattern P : {InputPattern::Alternating, InputPattern::Large,
                             InputPattern::Subnormal, InputPattern::Special})
        Patterns.push_back(P);
  }
  std::erase_if(Patterns, [&](InputPattern P) {
    return std::find(Request.Patterns.begin(), Request.Patterns.end(), P) == Request.Patterns.end();
  });
  std::vector<Case> Cases;
  for (size_t I = 0; I < Patterns.size(); ++I) {
    size_t Turn = Position * 3 + I;
    Arrangement Lies = onlyRank0(Params) ? Arrangement::EndsAtGuard
                                         : AllArrangements[Turn % std::size(AllArrangements)];
    unsigned Threads = Turn % 3 == 1 ? 1 : Turn % 3 == 0 ? Request.Threads : 3;
    Cases.push_back({Choice.Shape, Choice.Scalars, Lies, Patterns[I],
                     Request.Shapes.Seed * 1000 + Position * 16 + I,
                     std::min(Threads, Request.Threads)});
  }
  return Cases;
}

/// Items that call the forms, in child processes that load them.
std::vector<IsolatedResult>
runLoaded(const ProgramForms &Forms, size_t Count, unsigned Seconds,
          llvm::function_ref<std::string(const LoadedForms &, size_t)> Item,
          llvm::function_ref<bool(size_t, const IsolatedResult &)> Finished = nullptr) {
  std::unique_ptr<LoadedForms> Loaded;
  return runIsolated(
      Count, {Seconds, 1}, [&] { Loaded = std::make_unique<LoadedForms>(Forms); },
      [&](size_t I) { return Item(*Loaded, I); }, Finished);
}

/// What the plain program says of arguments: for each case the refusal, none if it accepts them.
std::vector<std::optional<Refusal>> refusals(const ProgramForms &Forms,
                                             const ShapeRelations &Relations,
                                             const std::vector<Case> &Cases, unsigned Seconds) {
  if (Forms.Checked.empty())
    return std::vector<std::optional<Refusal>>(Cases.size());
  std::vector<IsolatedResult> Results = runLoaded(
      {"", "", "", Forms.Checked, {}}, Cases.size(), Seconds,
      [&](const LoadedForms &Loaded, size_t I) {
        std::optional<std::string> Why = rejection(Loaded, Relations, Cases[I]);
        return Why ? "no " + *Why : std::string("yes");
      });
  std::vector<std::optional<Refusal>> All;
  for (const IsolatedResult &R : Results)
    if (!R.done())
      All.push_back(Refusal{"the checked plain program: " + describe(R),
                            R.K != IsolatedResult::Kind::TimedOut});
    else if (R.Text.starts_with("no "))
      All.push_back(Refusal{R.Text.substr(3)});
    else
      All.push_back(std::nullopt);
  return All;
}

/// Drops shapes at which the plain program takes long: how the work grows with the extents is not
/// known, and the reference program is about a hundred times slower. The last shape is the large
/// one and may take longer.
void dropSlow(std::vector<ShapeChoice> &Shapes, const ProgramForms &Forms,
              const ShapeRelations &Relations, const VerifyRequest &Request) {
  constexpr double Most = 0.05, MostOfLarge = 0.25;
  constexpr unsigned SecondsPerTry = 1;
  std::vector<IsolatedResult> Times =
      runLoaded({Forms.Plain, "", "", "", {}}, Shapes.size(), SecondsPerTry,
                [&](const LoadedForms &Loaded, size_t I) {
                  return std::to_string(
                      plainSeconds(Loaded, Relations,
                                   {Shapes[I].Shape, Shapes[I].Scalars, Arrangement::EndsAtGuard,
                                    InputPattern::Integers, Request.Shapes.Seed, 1}));
                });
  std::vector<ShapeChoice> Kept;
  for (size_t I = 0; I < Shapes.size(); ++I) {
    const double Limit = I + 1 == Shapes.size() ? MostOfLarge : Most;
    // What crashes is kept: its row tells.
    bool Slow = Times[I].done() ? std::strtod(Times[I].Text.c_str(), nullptr) > Limit
                                : Times[I].K == IsolatedResult::Kind::TimedOut;
    if (!Slow || (Kept.empty() && I + 1 == Shapes.size()))
      Kept.push_back(Shapes[I]);
  }
  Shapes = std::move(Kept);
}

void add(ShapeRow &Row, const CaseResult &R) {
  ++Row.Cases;
  Row.Worst.Ulps = std::max(Row.Worst.Ulps, R.Ulps);
  Row.Worst.Frobenius = std::max(Row.Worst.Frobenius, R.Frobenius);
  Row.Worst.OfBound = std::max(Row.Worst.OfBound, R.OfBound);
  Row.Worst.Compared += R.Compared;
  Row.Worst.Open += R.Open;
}

/// The result of a call that may have crashed. If the plain program, called alone, does the same,
/// it does not accept the arguments.
CaseResult resultOf(const IsolatedResult &R, const ProgramForms &Forms,
                    const ShapeRelations &Relations, const Case &C,
                    const VerifyRequest &Request) {
  CaseResult Failed;
  if (!R.done()) {
    const IsolatedResult Alone =
        runLoaded({Forms.Plain, Forms.Plain, "", "", {}}, 1, Request.SecondsPerCase,
                  [&](const LoadedForms &Loaded, size_t) {
                    return encode(runCase(Loaded, Relations, C, {true}));
                  })
            .front();
    Failed.V = Alone.done() ? CaseResult::Verdict::Mismatch : CaseResult::Verdict::Rejected;
    Failed.What = Alone.done() ? "the mapped program: " + describe(R)
                               : "the plain program: " + describe(Alone);
    return Failed;
  }
  if (std::optional<CaseResult> Decoded = decodeCaseResult(R.Text))
    return *Decoded;
  Failed.V = CaseResult::Verdict::Unreliable;
  Failed.What = "the call's result cannot be read";
  return Failed;
}

/// Calls all forms with each of the cases. `Finished` sees each result as it comes.
void runCases(const ProgramForms &Forms, const ShapeRelations &Relations,
              const std::vector<Case> &Cases, const VerifyRequest &Request,
              llvm::function_ref<void(size_t, const CaseResult &)> Finished) {
  runLoaded(
      {Forms.Plain, Forms.Mapped, Forms.Reference, "", Forms.Settings}, Cases.size(),
      Request.SecondsPerCase,
      [&](const LoadedForms &Loaded, size_t I) {
        return encode(runCase(Loaded, Relations, Cases[I], Request.Compare));
      },
      [&](size_t I, const IsolatedResult &R) {
        Finished(I, resultOf(R, Forms, Relations, Cases[I], Request));
        return true;
      });
}

} // namespace

unsigned VerifyReport::cases() const {
  unsigned All = 0;
  for (const ShapeRow &R : Rows)
    All += R.Cases;
  return All;
}

VerifyReport verifyMapping(const ProgramForms &Forms, const ShapeRelations &R,
                           const VerifyRequest &Request,
                           const std::function<void(size_t, size_t)> &Progress) {
  VerifyReport Report;
  ShapePlan Plan = chooseShapes(
      R, Request.Shapes, [&](const std::vector<ShapeChoice> &Choices, unsigned Seconds) {
        std::vector<Case> Cases;
        for (const ShapeChoice &C : Choices)
          Cases.push_back({C.Shape, C.Scalars, Arrangement::EndsAtGuard, InputPattern::Integers,
                           Request.Shapes.Seed, 1});
        std::vector<std::optional<Refusal>> Refusals =
            refusals(Forms, R, Cases, std::min(Request.SecondsPerCase, Seconds));
        for (size_t I = 0; I < Cases.size() && Report.FirstRefusal.empty(); ++I)
          if (Refusals[I] && Refusals[I]->InTime)
            Report.FirstRefusal = toString(Cases[I], R.Params) + "\n" + Refusals[I]->Why;
        return Refusals;
      });
  Report.Refused = Plan.Refused;
  Report.Problem = Plan.Problem;
  Report.NoneAccepted = Plan.NoneAccepted;
  // What the user asks for is called, however long it takes.
  if (std::all_of(Request.Shapes.Specs.begin(), Request.Shapes.Specs.end(),
                  [&](const ShapeSpec &S) { return statesElements(R, S); }))
    dropSlow(Plan.Shapes, Forms, R, Request);
  std::vector<Case> Cases;
  std::vector<size_t> RowOf;
  for (size_t S = 0; S < Plan.Shapes.size(); ++S) {
    Report.Rows.push_back({Plan.Shapes[S], 0, 0, {}});
    bool Large = S + 1 == Plan.Shapes.size() && Request.Shapes.LargeWork > 0 && S > 0;
    for (const Case &C : casesOf(Plan.Shapes[S], S, Large, R.Params, Request)) {
      Cases.push_back(C);
      RowOf.push_back(S);
    }
  }
  runCases(Forms, R, Cases, Request, [&](size_t I, const CaseResult &Result) {
    ShapeRow &Row = Report.Rows[RowOf[I]];
    if (Result.V == CaseResult::Verdict::Rejected) {
      ++Report.Refused;
    } else {
      add(Row, Result);
      if (Result.V != CaseResult::Verdict::Match) {
        ++Row.Failed;
        Report.Failures.push_back(
            {Cases[I], Result.What, Result.V == CaseResult::Verdict::Mismatch});
      }
    }
    if (Progress)
      Progress(I + 1, Cases.size());
  });
  std::erase_if(Report.Rows, [](const ShapeRow &Row) { return Row.Cases == 0; });
  if (Report.Problem.empty() && Report.cases() == 0) {
    Report.Problem = "the plain program accepts none of the shapes that were tried";
    Report.NoneAccepted = true;
  }
  return Report;
}

std::optional<CaseFailure> verifyCase(const ProgramForms &Forms, const ShapeRelations &R,
                                      const Case &C, const VerifyRequest &Request) {
  if (refusals(Forms, R, {C}, Request.SecondsPerCase).front())
    return std::nullopt;
  CaseResult Result;
  runCases(Forms, R, {C}, Request, [&](size_t, const CaseResult &Only) { Result = Only; });
  if (Result.V == CaseResult::Verdict::Match || Result.V == CaseResult::Verdict::Rejected)
    return std::nullopt;
  return CaseFailure{C, Result.What, Result.V == CaseResult::Verdict::Mismatch};
}

namespace {

std::string shortNumber(double V) {
  char Text[32];
  std::snprintf(Text, sizeof Text, V != 0 && V < 0.01 ? "%.1e" : "%.2g", V);
  return Text;
}

} // namespace

std::string toString(const VerifyReport &Report, const ShapeRelations &R) {
  std::vector<std::string> Head;
  for (const Parameter &P : R.Params)
    if (P.isTensor() || !isFloat(P.Scalar->Type))
      Head.push_back(P.Name);
  for (const char *Column : {"calls", "ulp", "rel. error", "of bound", ""})
    Head.push_back(Column);
  TextTable Table(Head.size() - 1, std::vector<bool>(Head.size() - 1, true));
  Table.add(Head);
  for (const ShapeRow &Row : Report.Rows) {
    std::vector<std::string> Cells;
    for (unsigned I = 0; I < R.Params.size(); ++I) {
      const Parameter &P = R.Params[I];
      if (P.isTensor())
        Cells.push_back(shapeText(Row.Choice.Shape, I, P.Tensor->Rank));
      else if (!isFloat(P.Scalar->Type))
        Cells.push_back(std::to_string(Row.Choice.Scalars.at(P.Name)));
    }
    Cells.push_back(std::to_string(Row.Cases));
    Cells.push_back(shortNumber(Row.Worst.Ulps));
    Cells.push_back(shortNumber(Row.Worst.Frobenius));
    Cells.push_back(shortNumber(Row.Worst.OfBound));
    Cells.push_back(Row.Failed ? std::to_string(Row.Failed) + " WRONG" : "ok");
    Table.add(Cells);
  }
  return Table.text();
}

} // namespace septran::compiler
