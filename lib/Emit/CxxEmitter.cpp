//===- CxxEmitter.cpp - what all targets of the C family print alike ------===//
#include "Emit/CxxEmitter.h"

#include "Emit/DropUnused.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"

#include <algorithm>
#include <utility>

namespace septran::compiler {

CxxEmitter::CxxEmitter(const Program &P, Diagnostics &D, std::string Library)
    : P(P), D(D), Printer(Names, [this](const Expr &E) { return resolveTensor(E); }, std::move(Library)) {}

//===--- text -----------------------------------------------------------------===//

std::string CxxEmitter::place(const Location &Loc) {
  std::string File = Loc.File.str();
  if (File.empty()) // of a mapping that nobody wrote
    return "derived";
  size_t Slash = File.find_last_of('/');
  if (Slash != std::string::npos)
    File = File.substr(Slash + 1);
  return File + ":" + std::to_string(Loc.Line);
}

std::string CxxEmitter::addressText(const std::string &Pointer, const Expr &Offset) const {
  Expr Simple = wide(Offset);
  if (isConstant(Simple, 0))
    return Pointer;
  return Pointer + " + " + print(Simple).in(Binding::Sum);
}

std::string CxxEmitter::elementText(const Storage &S, const std::vector<Expr> &Indices) const {
  return S.Name + "[" + text(wide(S.offsetOf(Indices))) + "]";
}

std::string CxxEmitter::tensorText(const View &V, bool Writable) const {
  std::optional<ViewStorage> VS = storageOf(V, storageFor(V.Base));
  if (!VS)
    return "";
  const Storage &S = VS->S;
  std::string Text = "septran::tensor<" + std::string(Writable ? "" : "const ") +
                     std::string(cxxName(V.Base->Element)) + ", " + std::to_string(S.Extents.size()) +
                     ">(" + addressText(S.Name, VS->Offset) + ", {";
  for (const std::vector<Expr> *List : {&S.Extents, &S.Strides}) {
    for (size_t I = 0; I < List->size(); ++I)
      Text += (I ? ", " : "") + text(wide((*List)[I]));
    Text += "}, {";
  }
  for (unsigned Dim = 0; Dim < S.Extents.size(); ++Dim)
    Text += (Dim ? ", " : "") + text(wide(V.origin(Dim)));
  return Text + "})";
}

/// The caller's tensors have origins of their own.
std::string CxxEmitter::rootOrigin(const TensorRef &T, unsigned Dim) const {
  auto Param = ParameterNames.find(T);
  return Param == ParameterNames.end() ? "0"
                                       : Param->second + ".origin(" + std::to_string(Dim) + ")";
}

const Storage &CxxEmitter::storageFor(const TensorRef &T) const {
  if (!D.hasErrors() || Stores.count(T))
    return Stores.at(T);
  Storage &Any = WithoutStorage[T];
  Any.Name = T->Name;
  Any.Extents.assign(T->Rank, intLit(1));
  Any.Strides.assign(T->Rank, intLit(1));
  Any.Panels.assign(T->Rank, {});
  return Any;
}

CxxText CxxEmitter::resolveTensor(const Expr &E) const {
  if (E->Kind == ExprKind::Load)
    return elementOf(E);
  if (E->Kind == ExprKind::Extent)
    return print(storageFor(E->T).Extents[E->Dim]);
  auto Alias = Aliases.find(E->T);
  if (Alias != Aliases.end())
    return print(wide(Alias->second.origin(E->Dim)));
  return {rootOrigin(E->T, E->Dim)};
}

namespace {

/// Of a choice between sizes, each that its condition limits, as it would be clipped, and as it is.
/// What the logic asks may be about a scalar that it changes.
std::vector<std::pair<Expr, Expr>> limitsOf(const Expr &Condition) {
  std::vector<std::pair<Expr, Expr>> Limits;
  if (Condition->Kind == ExprKind::Binary && Condition->Bin == BinaryOp::And)
    for (const Expr &Part : Condition->Args)
      llvm::append_range(Limits, limitsOf(Part));
  if (Condition->Kind == ExprKind::Binary && Condition->Bin == BinaryOp::Le)
    Limits.push_back(
        {simplify(minExpr(Condition->Args[0], Condition->Args[1])), Condition->Args[0]});
  return Limits;
}

/// Every statement; meanwhile `Limits` has those of the conditions that it stands under.
void walkWithLimits(const Block &B, std::vector<std::pair<Expr, Expr>> &Limits,
                    llvm::function_ref<void(const Stmt &)> F) {
  for (const Stmt &S : B) {
    F(S);
    const auto *I = S.getIf<If>();
    for (const Block *Nested : nestedBlocks(S)) {
      const size_t Around = Limits.size();
      if (I && I->ChoosesSizes && Nested == &I->Then)
        llvm::append_range(Limits, limitsOf(I->Condition));
      walkWithLimits(*Nested, Limits, F);
      Limits.resize(Around);
    }
  }
}

/// The operations of clipped extents and block counts.
bool isClip(const Expr &E) {
  return E->Kind == ExprKind::Binary && isInteger(E->Type) &&
         (E->Bin == BinaryOp::Min || E->Bin == BinaryOp::CeilDiv);
}

} // namespace

/// Outer values first: what is inside them may have a name too.
Expr CxxEmitter::named(const Expr &E) const {
  if (NamedValues.empty())
    return E;
  if (isClip(E)) {
    Expr Canonical = simplify(E);
    for (const auto &[Value, Name] : NamedValues)
      if (equal(Value, Canonical))
        return Name;
  }
  std::vector<Expr> Args;
  bool Changed = false;
  for (const Expr &A : E->Args) {
    Args.push_back(named(A));
    Changed |= Args.back() != A;
  }
  return Changed ? withOperands(E, Args) : E;
}

void CxxEmitter::nameExtents(const Block &B) {
  struct Candidate {
    Expr Value;
    unsigned Count;
    std::string Hint;
    size_t Size;     ///< of the text
    size_t Position; ///< in textual order
  };
  std::vector<Candidate> Found;
  std::vector<std::pair<Expr, Expr>> Limits;
  auto Computable = [this](const Expr &E) {
    bool Good = true;
    walkExprs(E, [&](const Expr &N) {
      if (N->Kind == ExprKind::Var)
        Good &= Names.known(N->V);
      else if (N->T)
        Good &= N->Kind == ExprKind::Extent && Stores.count(N->T) != 0;
    });
    return Good;
  };
  auto Add = [&](const Expr &E, const std::string &Hint) {
    if (!isClip(E) || !Computable(E))
      return;
    Expr Value = simplify(E);
    if (!isClip(Value))
      return;
    if (llvm::any_of(Limits, [&](const auto &L) { return equal(L.first, Value); }))
      return; // it has no other name there
    for (Candidate &C : Found)
      if (equal(C.Value, Value)) {
        ++C.Count;
        if (C.Hint.empty())
          C.Hint = Hint;
        return;
      }
    Found.push_back({Value, 1, Hint, toString(Value).size(), Found.size()});
  };
  walkWithLimits(B, Limits, [&](const Stmt &S) {
    if (const auto *A = S.getIf<Alloc>())
      for (size_t Dim = 0; Dim < A->Extents.size(); ++Dim)
        Add(A->Extents[Dim], A->T->Name + "_n" + std::to_string(Dim));
  });
  walkWithLimits(B, Limits, [&](const Stmt &S) {
    // Of a view only the extents that are asked for are printed.
    if (const auto *Def = S.getIf<Define>()) {
      for (unsigned Dim = 0; Dim < Def->T->Rank; ++Dim)
        if (UsedExtents.count({Def->T, Dim}))
          Add(Def->Value.extent(Dim), "");
      return;
    }
    forEachExpr(S, [&](const Expr &E) { walkExprs(E, [&](const Expr &N) { Add(N, ""); }); });
  });
  std::sort(Found.begin(), Found.end(), [](const Candidate &A, const Candidate &B) {
    return A.Size != B.Size ? A.Size < B.Size : A.Position < B.Position; // inner values first
  });
  for (const Candidate &C : Found) {
    bool Known = std::any_of(NamedValues.begin(), NamedValues.end(),
                             [&](const auto &N) { return equal(N.first, C.Value); });
    if (C.Count < 2 || Known)
      continue;
    NamedValues.push_back(
        {C.Value, varExpr(defineSize(C.Hint.empty() ? "n" : C.Hint, text(C.Value)))});
  }
}

//===--- statements -------------------------------------------------------------===//

void CxxEmitter::findUses() {
  walkExprs(P.Body, [this](const Expr &E) {
    if (E->Kind == ExprKind::Extent)
      UsedExtents.insert({E->T, E->Dim});
    if (E->T)
      UsedTensors.insert(E->T);
  });
  walkStmts(P.Body, [this](const Stmt &S) {
    forEachView(S, [this](const View &V) { UsedTensors.insert(V.Base); });
    if (const auto *St = S.getIf<Store>())
      UsedTensors.insert(St->T);
    if (const auto *F = S.getIf<For>())
      for (const SharedReduction &R : F->Reductions)
        UsedTensors.insert(R.Target);
  });
}

VarRef CxxEmitter::defineSize(const std::string &Hint, const std::string &Value) {
  VarRef V = makeVar(Hint, ScalarType::I64, VarKind::Scalar);
  W.line(std::string(MaybeUnused) + "const std::ptrdiff_t " + Names.define(V) + " = " + Value +
         ";");
  return V;
}

void CxxEmitter::nameParameters() {
  for (const Parameter &Param : P.Params) {
    if (!Param.isTensor()) {
      Names.bind(Param.Scalar, Param.Name);
      continue;
    }
    Names.reserve(Param.Name);
    ParameterNames[Param.Tensor] = Param.Name;
  }
}

std::string CxxEmitter::unitStrideObject(const Parameter &Param) {
  if (Param.Tensor->Rank == 0)
    return Param.Name;
  const std::string Object = Names.fresh(Param.Name + "_unit");
  W.line(std::string(MaybeUnused) + "const cpu::unit_stride " + Object + "(" + Param.Name +
         ", cpu::privilege::" + (writes(Param.Access) ? "read_write" : "read") + ");");
  return Object + ".tensor()";
}

void CxxEmitter::defineParameter(const Parameter &Param, const std::string &Object,
                                 bool UnitStride) {
  const TensorRef &T = Param.Tensor;
  Storage S;
  S.Name = Names.fresh(Param.Name + "_p");
  W.line(MaybeUnused + std::string(writes(Param.Access) ? "" : "const ") +
         std::string(cxxName(T->Element)) + " *const " + S.Name + " = " + Object + ".data();");
  for (unsigned Dim = 0; Dim < T->Rank; ++Dim) {
    const std::string Number = std::to_string(Dim), Of = "(" + Number + ")";
    S.Extents.push_back(
        varExpr(defineSize(Param.Name + "_n" + Number, Param.Name + ".extent" + Of)));
    if (UnitStride && Dim + 1 == T->Rank)
      S.Strides.push_back(intLit(1));
    else
      S.Strides.push_back(varExpr(defineSize(Param.Name + "_s" + Number, Object + ".stride" + Of)));
  }
  Stores[T] = std::move(S);
}

void CxxEmitter::emitBlock(const Block &B) {
  size_t Known = NamedValues.size();
  nameExtents(B);
  for (const Stmt &S : B)
    emitStmt(S);
  NamedValues.erase(NamedValues.begin() + std::ptrdiff_t(Known), NamedValues.end());
}

std::string CxxEmitter::instanceComment(const InstanceInfo &I) const {
  std::string Text = I.Name;
  if (I.Name != I.Task->Name)
    Text += ": " + I.Task->Name;
  Text += " on " + I.Proc + " (" + place(I.CallLoc);
  if (I.Settings)
    Text += ", " + place(I.Settings->Name.Loc);
  return Text + ")";
}

void CxxEmitter::emitScope(const Scope &S) {
  const bool Holds = std::any_of(S.Body.begin(), S.Body.end(), [](const Stmt &St) {
    return St.getIf<Alloc>() != nullptr; // buffers end with their block
  });
  W.comment(instanceComment(*S.Instance));
  if (Holds)
    W.open("");
  Instances.push_back(S.Instance.get());
  emitScopeBody(S.Body);
  Instances.pop_back();
  if (Holds)
    W.close();
}

void CxxEmitter::emitLet(const Let &L) {
  std::string Value = L.Value ? " = " + text(L.Value) : "";
  std::string Type =
      L.V->Type == ScalarType::I64 ? "std::ptrdiff_t" : std::string(cxxName(L.V->Type));
  std::string Name = Names.define(L.V);
  W.line(MaybeUnused + std::string(L.Mutable || !L.Value ? "" : "const ") + Type + " " + Name +
         Value + ";");
}

void CxxEmitter::emitIf(const If &I) {
  W.open("if (" + text(I.Condition) + ")");
  emitThen(I, [&] { emitBranch(I.Then); });
  emitElse(I.Else);
}

void CxxEmitter::emitThen(const If &I, llvm::function_ref<void()> EmitBody) {
  const size_t Known = NamedValues.size();
  if (I.ChoosesSizes)
    llvm::append_range(NamedValues, limitsOf(I.Condition));
  EmitBody();
  NamedValues.erase(NamedValues.begin() + std::ptrdiff_t(Known), NamedValues.end());
}

void CxxEmitter::emitElse(const Block &B) {
  const If *Only = B.size() == 1 ? B.front().getIf<If>() : nullptr;
  if (Only && Only->ChoosesSizes) {
    W.closeBeforeElse();
    emitStmt(B.front());
    return;
  }
  if (!B.empty()) {
    W.close(" else {", true);
    emitBranch(B);
  }
  W.close();
}

void CxxEmitter::defineExtents(const TensorRef &T, Storage &S) {
  for (unsigned Dim = 0; Dim < S.Extents.size(); ++Dim) {
    S.Extents[Dim] = wide(S.Extents[Dim]);
    const Expr &E = S.Extents[Dim];
    if (!UsedExtents.count({T, Dim}) || constantValue(E) || E->Kind == ExprKind::Var)
      continue;
    const std::string Value = text(E);
    if (Value.find_first_of(" (") == std::string::npos)
      continue; // it has a name already
    const VarRef Size = defineSize(T->Name + "_n" + std::to_string(Dim), Value);
    SizeValues[Size] = E;
    S.Extents[Dim] = varExpr(Size);
  }
}

void CxxEmitter::emitDefine(const Define &Def, const Location &Loc) {
  Aliases[Def.T] = Def.Value;
  if (!UsedTensors.count(Def.T))
    return;
  const Storage &Base = storageFor(Def.Value.Base);
  std::optional<ViewStorage> V = storageOf(Def.Value, Base);
  if (!V) {
    D.report(DiagID::ViewCutsPanels, Loc, Def.T->Name, Def.Value.Base->Name);
    Storage Any = Base; // What follows is emitted only to find further errors.
    Any.Strides.resize(Def.T->Rank, intLit(1));
    Any.Panels.assign(Def.T->Rank, {});
    Stores[Def.T] = std::move(Any);
    return;
  }
  Expr Offset = wide(V->Offset);
  if (V->S.Name != Base.Name || !isConstant(Offset, 0)) {
    const std::string From = std::exchange(V->S.Name, Names.fresh(Def.T->Name + "_p"));
    W.line(MaybeUnused + placeDefinition(V->S.Name, Def.T, From, Offset));
  }
  defineExtents(Def.T, V->S);
  Stores[Def.T] = std::move(V->S);
}

std::string CxxEmitter::placeDefinition(const std::string &Name, const TensorRef &,
                                        const std::string &Base, const Expr &Offset) const {
  return "auto *const " + Name + " = " + addressText(Base, Offset) + ";";
}

void CxxEmitter::emitAssign(const Assign &A) {
  const std::string &Target = Names.name(A.V);
  const std::string Value = text(A.Value);
  W.line(updateText(A.Op, Target, Value, scalarCombine(A.Op, Target, Value, A.V->Type)));
}

void CxxEmitter::emitStore(const Store &S) {
  const std::string Target = elementText(storageFor(S.T), S.Indices);
  std::string Value = text(S.Value);
  if (S.Value->Type != S.T->Element && isSmallFloat(S.T->Element))
    Value = std::string(cxxName(S.T->Element)) + "(" + Value + ")";
  W.line(updateText(S.Op, Target, Value, scalarCombine(S.Op, Target, Value, S.T->Element)));
}

void CxxEmitter::emitOpaqueCall(const OpaqueCall &C) {
  std::string Text = C.Callee->CallName + "(";
  for (size_t I = 0; I < C.Args.size(); ++I) {
    Text += I ? ", " : "";
    Text += C.Args[I].isTensor()
                ? tensorText(C.Args[I].Tensor, writes(C.Callee->Params[I].Access))
                : text(C.Args[I].Scalar);
  }
  W.line(Text + ");");
}

void CxxEmitter::setStrides(Storage &S, const BufferLayout &Layout, const std::vector<Expr> &Room) {
  for (unsigned Dim = 0; Dim < Room.size(); ++Dim) {
    S.Strides.push_back(wide(Layout.strideOf(Dim, Room)));
    const std::int64_t Split = Layout.splitOf(Dim);
    S.Panels.push_back({Split, Split ? wide(Layout.panelStrideOf(Dim, Room)) : nullptr});
    S.Padded.push_back(Split);
  }
}

void CxxEmitter::nameStrides(const TensorRef &T, Storage &S) {
  // How far it is from one to the next along a dimension, or, at the end, the whole.
  Expr Further = intLit(1), NamedFurther = Further;
  const auto Written = [&](const Expr &Value) {
    return equal(Further, Value) ? NamedFurther : Value;
  };
  for (size_t Dim = S.Strides.size(); Dim-- > 0;) {
    const Expr Value = S.Strides[Dim];
    if (text(Value).find(' ') != std::string::npos) { // neither a number nor a name
      S.Strides[Dim] =
          varExpr(defineSize(T->Name + "_s" + std::to_string(Dim), text(Written(Value))));
      S.NamedStrides.push_back({Value, S.Strides[Dim]});
    }
    Further = wide(S.Extents[Dim] * Value);
    NamedFurther = S.Extents[Dim] * S.Strides[Dim];
  }
  S.Size = Written(S.Size);
}

Storage CxxEmitter::bufferStorage(const Alloc &A) {
  Storage S;
  S.Extents = A.Extents;
  defineExtents(A.T, S);
  S.Name = Names.fresh(A.T->Name);
  setStrides(S, *A.Layout, S.Extents);
  S.Size = wide(A.Layout->sizeOf(S.Extents));
  return S;
}

//===--- updates ----------------------------------------------------------------===//

UpdateOp CxxEmitter::summing(UpdateOp Op) { return Op == UpdateOp::Sub ? UpdateOp::Add : Op; }

std::string CxxEmitter::identityText(UpdateOp Op, ScalarType Type) const {
  std::string Limits = "std::numeric_limits<" + std::string(cxxName(Type)) + ">::";
  switch (summing(Op)) {
  case UpdateOp::Mul:
    return isFloat(Type) ? literalText(*floatLit(1, Type)).Text : "1";
  case UpdateOp::Min:
    return Limits + (isFloat(Type) ? "infinity()" : "max()");
  case UpdateOp::Max:
    return isFloat(Type) ? "-" + Limits + "infinity()" : Limits + "lowest()";
  default:
    return isFloat(Type) ? literalText(*floatLit(0, Type)).Text : "0";
  }
}

std::string CxxEmitter::arithmeticText(UpdateOp Op, const std::string &A, const std::string &B) {
  switch (Op) {
  case UpdateOp::Add:
    return A + " + " + B;
  case UpdateOp::Sub:
    return A + " - (" + B + ")";
  case UpdateOp::Mul:
    return A + " * (" + B + ")";
  case UpdateOp::Div:
    return A + " / (" + B + ")";
  default:
    return B;
  }
}

std::string CxxEmitter::scalarCombine(UpdateOp Op, const std::string &A, const std::string &B,
                                      ScalarType Type) {
  const std::string Arguments = "<" + std::string(cxxName(Type)) + ">(" + A + ", " + B + ")";
  switch (Op) {
  case UpdateOp::Min:
    return "std::min" + Arguments;
  case UpdateOp::Max:
    return "std::max" + Arguments;
  default:
    return arithmeticText(Op, A, B);
  }
}

std::string CxxEmitter::updateText(UpdateOp Op, const std::string &Target, const std::string &Value,
                                   const std::string &Combined) {
  switch (Op) {
  case UpdateOp::Add:
    return Target + " += " + Value + ";";
  case UpdateOp::Sub:
    return Target + " -= " + Value + ";";
  case UpdateOp::Mul:
    return Target + " *= " + Value + ";";
  case UpdateOp::Div:
    return Target + " /= " + Value + ";";
  default:
    return Target + " = " + Combined + ";";
  }
}

} // namespace septran::compiler
