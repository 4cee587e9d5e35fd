//===- CheckEngineCode.cpp -------------------------------------------------===//
#include "Plan/CheckEngineCode.h"

#include "IR/Rewrite.h"
#include "Plan/ElementCode.h"
#include "Plan/Program.h"

namespace septran::compiler {

void EngineCodeChecker::check(const Block &B, const InstanceInfo *I) {
  for (const Stmt &S : B) {
    const auto *Sc = S.getIf<Scope>();
    const InstanceInfo *Inner = Sc ? Sc->Instance.get() : I;
    if (const auto *C = S.getIf<CopyStmt>())
      checkCopy(*C, S.Loc);
    if (const auto *O = S.getIf<OpaqueCall>())
      D.report(DiagID::DeviceCode, S.Loc, "opaque leaf '" + O->Callee->Name + "'",
               I ? I->Proc : "it", "functions of the host cannot be called there");
    if ((isElements(S) || S.getIf<PrimitiveCall>()) && Inner && !Refused.count(Inner))
      checkElements(S, *Inner);
    if (!Engines.command(S))
      for (const Block *Nested : nestedBlocks(S))
        check(*Nested, Inner);
  }
}

void EngineCodeChecker::checkCopy(const CopyStmt &C, const Location &Loc) {
  const std::string &From = C.Src.Base->Memory, &To = C.Dst.Base->Memory;
  if (!Target.findCopy(From, To))
    D.report(DiagID::CopyNotPossible, Loc, C.Reason.empty() ? C.Dst.Base->Name : C.Reason, From, To,
             Target.Name.Value, noCopyTo(To));
}

std::string EngineCodeChecker::noCopyTo(const std::string &To) const {
  std::string From;
  for (const Copy &C : Target.Copies)
    if (C.To.Value == To)
      From += (From.empty() ? "" : ", ") + C.From.Value;
  return "the machine has no copy between these memories" +
         (From.empty() ? std::string() : "; " + To + " is filled from " + From);
}

std::string EngineCodeChecker::reachedMemories(const InstanceInfo &I) const {
  std::string Names;
  for (const Memory &M : Target.Memories)
    if (!M.Read.Value.empty() && M.readableBy(I.Proc))
      Names += (Names.empty() ? "" : " and ") + M.Name.Value;
  return Names.empty() ? Names : ", unlike those of " + Names;
}

void EngineCodeChecker::checkElements(const Stmt &S, const InstanceInfo &I) {
  std::vector<TensorRef> Touched = elements(S);
  if (Touched.empty())
    return;
  const Processor *Level = Target.findProcessor(I.Proc);
  std::string Why;
  if (!Level || Level->Engine.Value.empty())
    Why = "it runs no loops over elements";
  for (const TensorRef &T : Touched) {
    const Memory *M = Target.findMemory(T->Memory.empty() ? Tensors.root(T)->Memory : T->Memory);
    if (Why.empty() && M && M->Read.Value.empty())
      Why = "'" + T->Name + "' is in " + M->Name.Value + ", whose elements it does not reach" +
            reachedMemories(I);
  }
  if (Why.empty())
    return;
  Refused.insert(&I);
  std::string Names;
  for (const Primitive &Prim : Target.Primitives)
    if (Target.depthOf(Prim.Processor.Value).value_or(0) >= I.Depth)
      Names += (Names.empty() ? "" : ", ") + Prim.Name.Value;
  D.report(DiagID::NoElementLoops, I.where(), I.Task->Name, I.Proc, Why, Names)
      .note(DiagID::NoteLaunchedHere, I.CallLoc);
}

} // namespace septran::compiler
