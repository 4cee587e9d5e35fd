//===- TemplateLaunch.cpp - loops, and code that processors are started on -===//
//
// A spread loop becomes a launch: every processor runs all loops of the group and takes the
// iterations whose turn is its own. Reductions that processors share get a part per processor,
// combined in their order afterwards.
//
//===----------------------------------------------------------------------===//
#include "Emit/TemplateEmitter.h"

#include "IR/Affine.h"
#include "Plan/LoopOrder.h"

namespace septran::compiler {

void TemplateEmitter::emitHead(const For &F) {
  const std::string Lo = text(wide(F.Lo)), Hi = boundText(F.Hi);
  const std::string V = Names.define(F.V);
  const std::string Step = F.Step == 1 ? "++" + V : V + " += " + std::to_string(F.Step);
  W.open("for (std::ptrdiff_t " + V + " = " + Lo + "; " + V + " < " + Hi + "; " + Step + ")");
}

void TemplateEmitter::emitLoop(const For &F) {
  const Processor *Level = F.Spread.empty() ? nullptr : P.Target->findProcessor(F.Spread);
  if (Level && !InLaunch && !Level->Launch.Value.empty())
    return emitLaunch(F);
  emitHead(F);
  const auto Ends = DynamicEnd;
  emitBlock(F.Body);
  DynamicEnd = Ends;
  W.close();
}

void TemplateEmitter::emitLaunch(const For &F) {
  const Processor &Level = *P.Target->findProcessor(F.Spread);
  if (!Level.Count) {
    D.report(DiagID::DeviceCode, Level.Name.Loc, "a spread loop", Level.Name.Value,
             "the number of such processors is only known at run time");
    return;
  }
  const std::string Count = std::to_string(Level.Count->Value);
  const std::string Index = Names.fresh("core"), Turn = Names.fresh("turn");
  emitPartials(F, Count);
  for (const std::string &Serves : F.Serves)
    W.comment("ends when all have ended: " + Serves);
  emitTemplate(Level.Launch, {{"index", Index}, {"count", Count}});
  InLaunch = true;
  for (const SharedReduction &R : F.Reductions)
    W.line(std::string(cxxName(R.Target->Element)) + " *const " + Stores.at(R.Partial).Name +
           " = " + Partials.at(R.Partial).Base + ".data() + " + Index + " * " +
           Partials.at(R.Partial).Size + ";");
  W.line("std::ptrdiff_t " + Turn + " = 0;");
  const std::vector<const For *> Group = parallelGroup(F);
  for (const For *G : Group)
    emitHead(*G);
  W.line("if (" + Turn + "++ % " + Count + " != " + Index + ")\n  continue;");
  const auto Ends = DynamicEnd;
  emitBlock(Group.back()->Body);
  DynamicEnd = Ends;
  for (size_t I = 0; I < Group.size(); ++I)
    W.close();
  emitBlock(F.Finish);
  InLaunch = false;
  emitTemplate(Level.Join, {{"index", Index}, {"count", Count}});
  emitCombination(F, Count);
}

/// Before the launch: memory for the parts, set to the operator's identity.
void TemplateEmitter::emitPartials(const For &F, const std::string &Count) {
  for (const SharedReduction &R : F.Reductions) {
    Storage S;
    S.Extents = storageFor(R.Target).Extents;
    const BufferLayout Row = rowLayout(R.Target->Rank);
    for (unsigned Dim = 0; Dim < R.Target->Rank; ++Dim)
      S.Strides.push_back(wide(Row.strideOf(Dim, S.Extents)));
    S.Panels.resize(R.Target->Rank);
    const std::string Element(cxxName(R.Target->Element));
    const std::string Size = Names.fresh(R.Partial->Name + "_size");
    const std::string All = Names.fresh(R.Partial->Name + "s");
    W.line("const std::ptrdiff_t " + Size + " = " + text(wide(Row.sizeOf(S.Extents))) + ";");
    W.line("const cpu::scratch<" + Element + "> " + All + "(" + Count + " * " + Size + ");");
    W.line("std::fill_n(" + All + ".data(), " + Count + " * " + Size + ", " +
           identityText(R.Op, R.Target->Element) + ");");
    attach(R.Partial->Name + "_object",
           "septran::tensor<" + Element + ", 1>(" + All + ".data(), {" + Count + " * " + Size +
               "})",
           true);
    S.Name = Names.fresh(R.Partial->Name);
    Partials[R.Partial] = {All, Size};
    Stores[R.Partial] = std::move(S);
  }
}

/// After it: the parts, in the order of the processors.
void TemplateEmitter::emitCombination(const For &F, const std::string &Count) {
  for (const SharedReduction &R : F.Reductions) {
    const Storage &Target = storageFor(R.Target);
    const std::string T = Names.fresh("t");
    W.open("for (std::ptrdiff_t " + T + " = 0; " + T + " < " + Count + "; ++" + T + ")");
    std::vector<Expr> Indices;
    for (unsigned Dim = 0; Dim < R.Target->Rank; ++Dim) {
      VarRef V = makeVar("r", ScalarType::I64, VarKind::Loop);
      const std::string Name = Names.define(V);
      W.open("for (std::ptrdiff_t " + Name + " = 0; " + Name + " < " +
             boundText(Target.Extents[Dim]) + "; ++" + Name + ")");
      Indices.push_back(varExpr(V));
    }
    const PartialArray &Part = Partials.at(R.Partial);
    const std::string Source =
        Part.Base + ".data()[" + T + " * " + Part.Size + " + " +
        print(wide(Stores.at(R.Partial).offsetOf(Indices))).in(Binding::Sum) + "]";
    const std::string Element = elementText(Target, Indices);
    W.line(Element + " = " + scalarCombine(summing(R.Op), Element, Source, R.Target->Element) +
           ";");
    for (unsigned Dim = 0; Dim <= R.Target->Rank; ++Dim)
      W.close();
  }
}

} // namespace septran::compiler
