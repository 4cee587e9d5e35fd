//===- RunCase.cpp - one call of every form of a program ------------------===//
#include "Verify/RunCase.h"

#include "Verify/ElementRange.h"
#include "Verify/RepeatCall.h"

#include <septran/verify/call.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <limits>
#include <sstream>

namespace septran::compiler {

using septran::verify::argument;

struct LoadedForms::Functions {
  using Call = const char *(*)(const argument *);
  Call Plain = nullptr, Mapped = nullptr, Reference = nullptr, Checked = nullptr;
  Call MappedAgain = nullptr; ///< with the constants of the call before; null: there are none
  void (*Threads)(int) = nullptr;
  void (*Tune)(const char *, long) = nullptr; ///< a setting of the reference; null: none
  std::map<std::string, std::int64_t> Settings;
  std::string Problem; ///< why a library could not be loaded
};

LoadedForms::LoadedForms(const ProgramForms &Files) : All(std::make_unique<Functions>()) {
  // Other calls, and compilers, run beside this one: a thread that turns in a barrier keeps them,
  // and the one that it waits for, from a processor. OpenMP reads this when it is loaded.
  setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/0);
  auto Load = [&](const std::string &File, Functions::Call &Into) -> void * {
    if (File.empty())
      return nullptr;
    void *Library = dlopen(File.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!Library) {
      All->Problem = dlerror();
      return nullptr;
    }
    Into = reinterpret_cast<Functions::Call>(dlsym(Library, "septran_verify_call"));
    return Library;
  };
  Load(Files.Plain, All->Plain);
  if (void *Reference = Load(Files.Reference, All->Reference))
    All->Tune =
        reinterpret_cast<void (*)(const char *, long)>(dlsym(Reference, "septran_verify_tune"));
  All->Settings = Files.Settings;
  Load(Files.Checked, All->Checked);
  if (void *Mapped = Load(Files.Mapped, All->Mapped)) {
    All->Threads = reinterpret_cast<void (*)(int)>(dlsym(Mapped, "septran_verify_threads"));
    All->MappedAgain =
        reinterpret_cast<Functions::Call>(dlsym(Mapped, "septran_verify_call_again"));
  }
}

LoadedForms::~LoadedForms() = default;

namespace {

using Bytes = std::vector<unsigned char>;

/// What every form is called with.
struct Inputs {
  std::vector<Bytes> Elements; ///< by parameter; scalars: their bytes
  std::vector<std::vector<std::int64_t>> Shapes;
};

Inputs makeInputs(const ShapeRelations &Relations, const Case &C) {
  const std::vector<Parameter> &Params = Relations.Params;
  Inputs In;
  Random Seeds(C.Seed * 0x2545f4914f6cdd1du + std::uint64_t(C.Pattern));
  for (unsigned I = 0; I < Params.size(); ++I) {
    Random R = Seeds.split();
    const Parameter &P = Params[I];
    std::vector<std::int64_t> Shape;
    if (!P.isTensor()) {
      Bytes Value(8);
      auto Given = C.Scalars.find(P.Name);
      fromDouble(P.Scalar->Type,
                 Given == C.Scalars.end() ? inputScalar(C.Pattern, R) : double(Given->second),
                 Value.data());
      In.Elements.push_back(Value);
    } else {
      for (unsigned D = 0; D < P.Tensor->Rank; ++D)
        Shape.push_back(C.Shape.at({I, D}));
      const std::optional<ElementRange> Range = elementRange(Relations, I, C.Shape, C.Scalars);
      In.Elements.push_back(P.Access == Privilege::Write ? Bytes()
                            : Range ? elementsInRange(P.Tensor->Element, Shape, *Range, R)
                                    : inputElements(P.Tensor->Element, Shape, C.Pattern, R));
    }
    In.Shapes.push_back(Shape);
  }
  return In;
}

/// The same constants, and other elements wherever else there may be any.
Inputs otherInputs(const ShapeRelations &Relations, const Case &C, const Inputs &In) {
  Case Other = C;
  Other.Seed = ~C.Seed;
  Inputs Result = makeInputs(Relations, Other);
  for (size_t I = 0; I < Relations.Params.size(); ++I)
    if (const Parameter &P = Relations.Params[I]; P.IsConstant || !P.isTensor())
      Result.Elements[I] = In.Elements[I];
  return Result;
}

/// Memory for one call.
class Call {
  const std::vector<Parameter> &Params;
  const Inputs &In;
  unsigned char Poison;
  std::vector<std::optional<TestTensor>> Tensors;
  std::vector<Bytes> Scalars;
  std::vector<argument> Arguments;

public:
  Call(const std::vector<Parameter> &Params, const Inputs &In, Arrangement Lies,
       unsigned char Poison)
      : Params(Params), In(In), Poison(Poison), Scalars(In.Elements) {
    for (unsigned I = 0; I < Params.size(); ++I) {
      Tensors.emplace_back();
      if (!Params[I].isTensor()) {
        Arguments.push_back({Scalars[I].data(), nullptr, nullptr, nullptr, nullptr});
        continue;
      }
      TestTensor &T = Tensors.back().emplace(Params[I].Tensor->Element, In.Shapes[I], Lies);
      T.fillAll(Poison);
      if (Params[I].Access != Privilege::Write)
        T.setElements(In.Elements[I]);
      Arguments.push_back({T.data(), T.extents().data(), T.strides().data(), nullptr, nullptr});
    }
  }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  const argument *arguments() const { return Arguments.data(); }
  Bytes result(unsigned Param) const { return Tensors[Param]->elements(); }

  /// What the call did that it must not do, if anything.
  std::string damage() const {
    for (unsigned I = 0; I < Params.size(); ++I) {
      if (!Params[I].isTensor())
        continue;
      if (!Tensors[I]->gapsAre(Poison))
        return "memory around the elements of " + Params[I].Name + " was written";
      if (!writes(Params[I].Access) && Tensors[I]->elements() != In.Elements[I])
        return "argument " + Params[I].Name + " was written, which is only read";
    }
    return "";
  }
};

std::string indexText(size_t Position, const std::vector<std::int64_t> &Shape) {
  std::string Text;
  for (size_t D = Shape.size(); D-- > 0;) {
    auto Extent = static_cast<size_t>(Shape[D]);
    Text = std::to_string(Position % Extent) + (Text.empty() ? "" : ", ") + Text;
    Position /= Extent;
  }
  return "(" + Text + ")";
}

std::string number(double V) {
  std::ostringstream OS;
  OS.precision(9);
  OS << V;
  return OS.str();
}

/// Values of the reference program.
struct Exact {
  std::vector<double> Values, Bounds;
};

class Comparison {
  const std::vector<Parameter> &Params;
  const Inputs &In;
  CaseResult &R;
  const bool NanAmongInputs, LeavesOutFill;
  double Squares = 0, ErrorSquares = 0;

public:
  Comparison(const std::vector<Parameter> &Params, const Inputs &In, InputPattern Pattern,
             const CompareOptions &Options, CaseResult &R)
      : Params(Params), In(In), R(R), NanAmongInputs(Pattern == InputPattern::Special),
        LeavesOutFill(Options.LeavesOutFill) {}

  void finish() { R.Frobenius = Squares > 0 ? std::sqrt(ErrorSquares / Squares) : 0; }

  /// E is null without a reference.
  void argument(unsigned Param, const Bytes &Plain, const Bytes *OtherPlain, const Bytes &Mapped,
                const Exact *E) {
    const ScalarType T = Params[Param].Tensor->Element;
    const unsigned Size = byteSize(T);
    for (size_t I = 0; I * Size < Plain.size(); ++I) {
      const unsigned char *P = &Plain[I * Size], *M = &Mapped[I * Size];
      // Two plain runs on different garbage: what differs was never written.
      if (OtherPlain && std::memcmp(P, &(*OtherPlain)[I * Size], Size) != 0)
        continue;
      ++R.Compared;
      if (!isFloat(T)) {
        // A decision that rounding may change can change a whole number.
        if (E && !std::isfinite(E->Bounds[I]))
          ++R.Open;
        else if (std::memcmp(P, M, Size) != 0)
          wrong(Param, I, toDouble(T, M), toDouble(T, P), "");
        continue;
      }
      double MappedValue = toDouble(T, M), PlainValue = toDouble(T, P);
      if (E)
        real(Param, I, T, MappedValue, PlainValue, E->Values[I], E->Bounds[I]);
      else
        guess(Param, I, T, MappedValue, PlainValue);
    }
  }

private:
  void wrong(unsigned Param, size_t I, double Mapped, double Plain, const std::string &Exactly) {
    if (R.V != CaseResult::Verdict::Match)
      return;
    R.V = CaseResult::Verdict::Mismatch;
    R.What = Params[Param].Name + indexText(I, In.Shapes[Param]) + " is " + number(Mapped) +
             ", the plain program gives " + number(Plain) + Exactly;
  }

  void note(ScalarType T, double Mapped, double Value) {
    R.Ulps = std::max(R.Ulps, ulpDistance(T, Mapped, Value));
    if (std::isfinite(Mapped) && std::isfinite(Value)) {
      Squares += Value * Value;
      ErrorSquares += (Mapped - Value) * (Mapped - Value);
    }
  }

  void real(unsigned Param, size_t I, ScalarType T, double Mapped, double Plain, double Value,
            double Bound) {
    // Only where it is told: numbers take longer to print than to compare.
    const auto Exactly = [&] {
      return ", exactly it is " + number(Value) + " with a bound of " + number(Bound) +
             " on the error";
    };
    if (std::isnan(Value) && std::isfinite(Bound)) {
      if (!std::isnan(Plain) || (LeavesOutFill && !std::isnan(Mapped)))
        ++R.Open; // The plain program's own order of operations avoids it, or terms are left out.
      else if (!std::isnan(Mapped))
        wrong(Param, I, Mapped, Plain, Exactly());
      return;
    }
    if (!std::isfinite(Bound) ||
        (!std::isinf(Value) && std::fabs(Value) + Bound >= largestFinite(T)) ||
        (!std::isfinite(Plain) && std::isfinite(Value))) {
      ++R.Open;
      return;
    }
    auto Outside = [&](double Got) {
      return std::isinf(Value) || Bound == 0 ? Got != Value : !(std::fabs(Got - Value) <= Bound);
    };
    if (Outside(Plain)) {
      if (R.V == CaseResult::Verdict::Match) {
        wrong(Param, I, Mapped, Plain, Exactly());
        R.V = CaseResult::Verdict::Unreliable;
      }
      return;
    }
    note(T, Mapped, Value);
    if (Bound > 0)
      R.OfBound = std::max(R.OfBound, std::fabs(Mapped - Value) / Bound);
    if (Outside(Mapped))
      wrong(Param, I, Mapped, Plain, Exactly());
  }

  /// Without a reference nothing is known of the sums behind a result: a generous relative bound.
  void guess(unsigned Param, size_t I, ScalarType T, double Mapped, double Plain) {
    if (std::isnan(Plain) || std::isnan(Mapped)) {
      // Of NaN among the inputs nothing more is known: in a reduction the order may decide.
      if (NanAmongInputs || std::isnan(Plain) == std::isnan(Mapped))
        ++R.Open;
      else
        wrong(Param, I, Mapped, Plain, "");
      return;
    }
    if (!std::isfinite(Plain) || !std::isfinite(Mapped)) {
      if (Plain != Mapped)
        wrong(Param, I, Mapped, Plain, "");
      return;
    }
    note(T, Mapped, Plain);
    double Terms = 1;
    for (const auto &Shape : In.Shapes)
      for (std::int64_t Extent : Shape)
        Terms = std::max(Terms, double(Extent));
    double Bound = 8 * Terms * unitRoundoff(T) * std::max(std::fabs(Plain), 1.0);
    R.OfBound = std::max(R.OfBound, std::fabs(Mapped - Plain) / Bound);
    if (std::fabs(Mapped - Plain) > Bound)
      wrong(Param, I, Mapped, Plain, "");
  }
};

/// Different garbage; the first is NaN in every floating-point type.
constexpr unsigned char FirstPoison = 0xff, SecondPoison = 0x7b;

struct Runner {
  const ShapeRelations &Relations;
  const std::vector<Parameter> &Params;
  const Case &C;
  Inputs In;
  CaseResult R;

  Runner(const ShapeRelations &R, const Case &C)
      : Relations(R), Params(R.Params), C(C), In(makeInputs(R, C)) {}

  void fail(CaseResult::Verdict V, std::string What) {
    if (R.V == CaseResult::Verdict::Match) {
      R.V = V;
      R.What = std::move(What);
    }
  }

  /// The results of one call by parameter; nothing after a failure.
  std::optional<std::vector<Bytes>> run(LoadedForms::Functions::Call F, unsigned char Poison,
                                        const char *Form, CaseResult::Verdict OnFailure) {
    Call Memory(Params, In, C.Lies, Poison);
    if (const char *Problem = F(Memory.arguments())) {
      fail(OnFailure, std::string("the ") + Form + " program says: " + Problem);
      return std::nullopt;
    }
    if (std::string Damage = Memory.damage(); !Damage.empty()) {
      fail(OnFailure, std::string("the ") + Form + " program did damage: " + Damage);
      return std::nullopt;
    }
    std::vector<Bytes> Results(Params.size());
    for (unsigned I = 0; I < Params.size(); ++I)
      if (Params[I].isTensor() && writes(Params[I].Access))
        Results[I] = Memory.result(I);
    return Results;
  }

  /// What the mapped program does with constants that another call made something of.
  std::optional<std::vector<Bytes>> runAgain(const LoadedForms::Functions &F, unsigned char Poison) {
    const Inputs Before = otherInputs(Relations, C, In);
    Call Memory(Params, Before, C.Lies, Poison);
    if (const char *Problem = F.Mapped(Memory.arguments())) {
      fail(CaseResult::Verdict::Mismatch, std::string("the mapped program says: ") + Problem);
      return std::nullopt;
    }
    return run(F.MappedAgain, Poison, "mapped", CaseResult::Verdict::Mismatch);
  }

  /// Values with the larger bounds of two evaluations: as the logic says and with the mapping's settings.
  std::optional<std::vector<Exact>> exactlyTuned(const LoadedForms::Functions &F,
                                                 std::vector<Exact> Default) {
    for (const auto &[Name, Value] : F.Settings)
      F.Tune(Name.c_str(), Value);
    std::optional<std::vector<Exact>> Tuned = exactly(F.Reference);
    F.Tune(nullptr, 0);
    if (!Tuned)
      return std::nullopt;
    for (size_t I = 0; I < Default.size(); ++I)
      for (size_t E = 0; E < Default[I].Bounds.size(); ++E) {
        const double A = Default[I].Values[E], B = (*Tuned)[I].Values[E];
        // What overflows with one block size only is left open.
        const bool Alike = (std::isfinite(A) && std::isfinite(B)) || A == B ||
                           (std::isnan(A) && std::isnan(B));
        Default[I].Bounds[E] = Alike ? std::max(Default[I].Bounds[E], (*Tuned)[I].Bounds[E])
                                     : std::numeric_limits<double>::infinity();
      }
    return Default;
  }

  std::optional<std::vector<Exact>> exactly(LoadedForms::Functions::Call F) {
    // Layouts are not what the reference is for. It starts from the garbage of the first plain run.
    Call Memory(Params, In, Arrangement::EndsAtGuard, FirstPoison);
    std::vector<argument> Arguments(Memory.arguments(), Memory.arguments() + Params.size());
    std::vector<Exact> Results(Params.size());
    for (unsigned I = 0; I < Params.size(); ++I) {
      if (!Params[I].isTensor() || !writes(Params[I].Access))
        continue;
      size_t Count = 1;
      for (std::int64_t Extent : In.Shapes[I])
        Count *= static_cast<size_t>(Extent);
      Results[I].Values.resize(Count);
      Results[I].Bounds.resize(Count);
      Arguments[I].values = Results[I].Values.data();
      Arguments[I].bounds = Results[I].Bounds.data();
    }
    if (const char *Problem = F(Arguments.data())) {
      fail(CaseResult::Verdict::Unreliable, std::string("the reference program says: ") + Problem);
      return std::nullopt;
    }
    return Results;
  }
};

} // namespace

CaseResult runCase(const LoadedForms &Forms, const ShapeRelations &R, const Case &C,
                   const CompareOptions &Options) {
  const std::vector<Parameter> &Params = R.Params;
  using Verdict = CaseResult::Verdict;
  const LoadedForms::Functions &F = Forms.functions();
  Runner Run(R, C);
  if (!F.Problem.empty() || !F.Plain || !F.Mapped) {
    Run.fail(Verdict::Unreliable, "a library cannot be loaded: " + F.Problem);
    return Run.R;
  }
  auto Plain = Run.run(F.Plain, FirstPoison, "plain", Verdict::Rejected);
  auto OtherPlain = Plain ? Run.run(F.Plain, SecondPoison, "plain", Verdict::Rejected) : Plain;
  if (!Plain || !OtherPlain)
    return Run.R;
  if (F.Threads)
    F.Threads(static_cast<int>(C.Threads));
  auto Mapped = Run.run(F.Mapped, FirstPoison, "mapped", Verdict::Mismatch);
  auto Again = !Mapped         ? Mapped
               : F.MappedAgain ? Run.runAgain(F, SecondPoison)
                               : Run.run(F.Mapped, SecondPoison, "mapped", Verdict::Mismatch);
  if (!Mapped || !Again)
    return Run.R;
  std::optional<std::vector<Exact>> Exactly;
  if (F.Reference && !(Exactly = Run.exactly(F.Reference)))
    return Run.R;

  auto CompareAll = [&] {
    Comparison Compare(Params, Run.In, C.Pattern, Options, Run.R);
    for (unsigned I = 0; I < Params.size(); ++I)
      if (Params[I].isTensor() && writes(Params[I].Access))
        Compare.argument(I, (*Plain)[I], &(*OtherPlain)[I], (*Mapped)[I],
                         Exactly ? &(*Exactly)[I] : nullptr);
    Compare.finish();
  };
  CompareAll();
  if (Run.R.V == Verdict::Mismatch && Exactly && F.Tune && !F.Settings.empty()) {
    Run.R = {};
    if (!(Exactly = Run.exactlyTuned(F, std::move(*Exactly))))
      return Run.R;
    CompareAll();
  }
  for (unsigned I = 0; I < Params.size() && !Options.Nondeterministic; ++I) {
    const Bytes &A = (*Mapped)[I], &B = (*Again)[I];
    const size_t Size = Params[I].isTensor() ? byteSize(Params[I].Tensor->Element) : 1;
    for (size_t E = 0; E * Size < A.size(); ++E) {
      if (std::memcmp(&A[E * Size], &B[E * Size], Size) == 0 ||
          std::memcmp(&(*Plain)[I][E * Size], &(*OtherPlain)[I][E * Size], Size) != 0)
        continue;
      Run.fail(Verdict::Mismatch,
               Params[I].Name + indexText(E, Run.In.Shapes[I]) + " is " +
                   number(toDouble(Params[I].Tensor->Element, &A[E * Size])) + " and then " +
                   number(toDouble(Params[I].Tensor->Element, &B[E * Size])) +
                   (F.MappedAgain ? " in two runs, the second with constants of another one"
                                  : " in two runs that differ only in what unwritten memory holds"));
    }
  }
  return Run.R;
}

double plainSeconds(const LoadedForms &Forms, const ShapeRelations &R, const Case &C) {
  Runner Run(R, C);
  const auto Start = std::chrono::steady_clock::now();
  if (Forms.functions().Plain)
    Run.run(Forms.functions().Plain, FirstPoison, "plain", CaseResult::Verdict::Rejected);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - Start).count();
}

std::optional<std::string> rejection(const LoadedForms &Forms, const ShapeRelations &R,
                                     const Case &C) {
  const LoadedForms::Functions &F = Forms.functions();
  if (!F.Checked)
    return "the checked program cannot be loaded: " + F.Problem;
  Runner Run(R, C);
  Run.run(F.Checked, FirstPoison, "checked", CaseResult::Verdict::Rejected);
  return Run.R.V == CaseResult::Verdict::Match ? std::nullopt : std::optional(Run.R.What);
}

std::string shapeText(const Extents &Shape, unsigned Param, unsigned Rank) {
  std::string Text;
  for (unsigned D = 0; D < Rank; ++D)
    Text += (D ? "x" : "") + std::to_string(Shape.at({Param, D}));
  return Rank ? Text : "scalar";
}

std::string toString(const Case &C, const std::vector<Parameter> &Params) {
  std::string Text;
  for (unsigned I = 0; I < Params.size(); ++I) {
    auto Scalar = C.Scalars.find(Params[I].Name);
    if (!Params[I].isTensor() && Scalar == C.Scalars.end())
      continue;
    Text += (Text.empty() ? "" : ", ") + Params[I].Name + " " +
            (Params[I].isTensor() ? shapeText(C.Shape, I, Params[I].Tensor->Rank)
                                  : std::to_string(Scalar->second));
  }
  return Text + "; " + callText(C);
}

std::string encode(const CaseResult &R) {
  std::ostringstream OS;
  OS.precision(17);
  OS << int(R.V) << ' ' << R.Ulps << ' ' << R.Frobenius << ' ' << R.OfBound << ' ' << R.Compared
     << ' ' << R.Open << ' ' << R.What;
  return OS.str();
}

std::optional<CaseResult> decodeCaseResult(const std::string &Text) {
  std::istringstream In(Text);
  CaseResult R;
  int Verdict;
  // Streams write infinity but do not read it.
  std::string Ulps, Frobenius, OfBound;
  if (!(In >> Verdict >> Ulps >> Frobenius >> OfBound >> R.Compared >> R.Open))
    return std::nullopt;
  R.V = static_cast<CaseResult::Verdict>(Verdict);
  R.Ulps = std::strtod(Ulps.c_str(), nullptr);
  R.Frobenius = std::strtod(Frobenius.c_str(), nullptr);
  R.OfBound = std::strtod(OfBound.c_str(), nullptr);
  In.get();
  std::getline(In, R.What, '\0');
  return R;
}

} // namespace septran::compiler
