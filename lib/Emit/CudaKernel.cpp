//===- CudaKernel.cpp - the frame of a kernel -----------------------------===//
//
// The iterations of a kernel's loop become blocks, in the order of the loops. Inside, every thread
// of a block runs the same text; loops over inner levels and divided loops of leaves tell them
// apart. Shared memory is one array that buffers lie in, declared where that is possible: then the
// hardware's compiler knows and reports its size.
//
//===----------------------------------------------------------------------===//
#include "Emit/CudaEmitter.h"

#include "Emit/DropUnused.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/Kernels.h"
#include "Plan/LoopOrder.h"
#include "Plan/RegisterTiles.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace septran::compiler {

namespace {

/// What a kernel may declare; more has to be asked for at the launch.
constexpr std::int64_t MostStaticBytes = 48 * 1024;
constexpr std::int64_t WarpThreads = 32, MostElementBytes = 8;

} // namespace

std::string CudaEmitter::kernelName(const Stmt &S) {
  const InstanceInfo *First = nullptr;
  walkStmts(Stmts(S), [&](const Stmt &Inner) {
    if (const auto *Sc = Inner.getIf<Scope>(); Sc && !First)
      First = Sc->Instance.get();
  });
  const std::string Base = P.Entry->Name + "_" + (First ? First->Name : "loop") + "_kernel";
  std::string Name = Base;
  for (unsigned N = 1; !KernelNames.insert(Name).second; ++N)
    Name = Base + "_" + std::to_string(N);
  return Name;
}

std::string CudaEmitter::tripCount(const std::vector<const For *> &Group) {
  std::string Text;
  for (const For *F : Group) {
    Expr Trips = wide(F->Hi - F->Lo);
    if (F->Step != 1)
      Trips = ceilDiv(Trips, intLit(F->Step));
    Text += (Text.empty() ? "" : " * ") + print(Trips).in(Binding::Product);
  }
  return Text;
}

void CudaEmitter::emitIterations(const std::vector<const For *> &Group, const std::string &Number) {
  std::string Rest = Number;
  std::vector<std::string> Lines;
  for (size_t I = Group.size(); I > 0; --I) {
    const For &F = *Group[I - 1];
    const std::string Trips = tripCount({&F});
    std::string Index =
        I > 1 ? Rest + " % " + (Trips.find(' ') == Trips.npos ? Trips : "(" + Trips + ")") : Rest;
    if (F.Step != 1)
      Index = "(" + Index + ") * " + std::to_string(F.Step);
    if (!isConstant(F.Lo, 0))
      Index = print(wide(F.Lo)).in(Binding::Sum) + " + " + Index;
    Lines.push_back("const std::ptrdiff_t " + Names.define(F.V) + " = " + Index + ";");
    if (I > 1)
      Rest += " / " + (Trips.find(' ') == Trips.npos ? Trips : "(" + Trips + ")");
  }
  for (size_t I = Lines.size(); I > 0; --I)
    W.line(MaybeUnused + Lines[I - 1]);
}

std::vector<std::pair<std::string, std::string>>
CudaEmitter::hostNamesIn(const std::string &Text) const {
  std::vector<std::pair<std::string, std::string>> Found;
  std::set<std::string> Seen;
  std::map<std::string, std::string> Types = Pointers;
  for (const auto &[V, Name] : Names.all())
    Types.emplace(Name, V->Kind == VarKind::Loop || V->Type == ScalarType::I64
                            ? "std::ptrdiff_t "
                            : std::string(cxxName(V->Type)) + " ");
  auto IsWord = [](char C) { return std::isalnum(static_cast<unsigned char>(C)) || C == '_'; };
  for (size_t I = 0; I < Text.size();) {
    if (Text.compare(I, 2, "//") == 0) {
      I = std::min(Text.find('\n', I), Text.size());
      continue;
    }
    if (!IsWord(Text[I])) {
      ++I;
      continue;
    }
    const size_t Begin = I;
    while (I < Text.size() && IsWord(Text[I]))
      ++I;
    const std::string Word = Text.substr(Begin, I - Begin);
    auto It = Types.find(Word);
    if (It != Types.end() && Seen.insert(Word).second)
      Found.push_back(*It);
  }
  return Found;
}

namespace {

/// The iteration of Loop alone says which part of T a view is: a block, or one element.
bool picksPart(const View &V, const For &Loop) {
  return llvm::any_of(V.Slices, [&](const Slice &S) {
    const Expr &Pick = S.Block ? S.Index : isConstant(S.Extent, 1) ? S.Offset : nullptr;
    return Pick && Pick->Kind == ExprKind::Var && Pick->V == Loop.V;
  });
}

/// Iterations that differ in Loop work on different parts of T.
bool separates(const For &Loop, const TensorRef &T) {
  bool Separates = true;
  auto See = [&](const View &V) { Separates &= V.Base != T || picksPart(V, Loop); };
  walkStmts(Loop.Body, [&](const Stmt &S) {
    if (const auto *D = S.getIf<Define>())
      See(D->Value);
    if (const auto *St = S.getIf<Store>())
      Separates &= St->T != T;
    if (const auto *C = S.getIf<CopyStmt>())
      for (const View *V : {&C->Dst, &C->Src})
        See(*V);
    if (const auto *C = S.getIf<OpaqueCall>())
      for (const Launch::Argument &A : C->Args)
        See(A.Tensor);
    if (const auto *C = S.getIf<PrimitiveCall>())
      for (const PrimitiveCall::Operand &O : C->Operands)
        See(O.Tensor);
  });
  walkExprs(Loop.Body, [&](const Expr &E) { Separates &= E->Kind != ExprKind::Load || E->T != T; });
  return Separates;
}

} // namespace

/// Iterations that share elements of the target have partial results of their own.
std::vector<const For *> CudaEmitter::sharingLoops(const SharedReduction &R,
                                                   const std::vector<const For *> &Group) {
  std::vector<const For *> Sharing;
  for (const For *F : Group)
    if (!separates(*F, R.Partial))
      Sharing.push_back(F);
  return Sharing;
}

void CudaEmitter::emitPartials(const std::vector<const For *> &Group, std::string &After) {
  for (const SharedReduction &R : Group.front()->Reductions) {
    const Storage &Target = storageFor(R.Target);
    const BufferLayout Row = rowLayout(R.Target->Rank);
    Storage S;
    S.Extents = Target.Extents;
    bool Contiguous = true;
    for (unsigned Dim = 0; Dim < R.Target->Rank; ++Dim) {
      S.Strides.push_back(wide(Row.strideOf(Dim, S.Extents)));
      Contiguous &= equal(wide(Target.Strides[Dim]), S.Strides.back());
    }
    S.Panels.resize(R.Target->Rank);
    const bool Strided = !Contiguous && R.Target->Rank == 1;
    if (!Contiguous && !Strided)
      reportInKernel(R.Target->Loc,
                     "a reduction of all blocks into a part of '" + R.Target->Name + "'",
                     "a whole tensor, such as a local", D);
    const std::vector<const For *> Sharing = sharingLoops(R, Group);
    const bool Alone = Sharing.size() == Group.size();
    const std::string Element(cxxName(R.Target->Element)),
        Identity = identityText(R.Op, R.Target->Element);
    VarRef Size = makeVar(R.Partial->Name + "_size", ScalarType::I64, VarKind::Scalar);
    const std::string SizeText = text(wide(Row.sizeOf(S.Extents)));
    const std::string SizeName = Names.define(Size);
    const std::string All = Names.fresh(R.Partial->Name + "s"), Base = Names.fresh(All + "_p"),
                      Parts = Names.fresh(R.Partial->Name + "_count");
    Before += "const std::ptrdiff_t " + SizeName + " = " + SizeText + ";\n" +
              "const std::ptrdiff_t " + Parts + " = " + (Alone ? Count : tripCount(Sharing)) +
              "; // iterations that share elements\ncuda::device_buffer<" + Element + "> " + All +
              "(static_cast<std::size_t>(" + Parts + " * " + SizeName + "));\n" + Element +
              " *const " + Base + " = " + All + ".data();\n";
    if (!Alone)
      Before += "cuda::fill_parts(" + Base + ", " + Parts + " * " + SizeName + ", " + Element + "(" +
                Identity + "));\n";
    Pointers[Base] = Element + " *";
    Pointers[SizeName] = "std::ptrdiff_t ";
    const std::string Op = R.Op == UpdateOp::Mul   ? "multiplies"
                           : R.Op == UpdateOp::Min ? "minimum"
                           : R.Op == UpdateOp::Max ? "maximum"
                                                   : "plus";
    After += "cuda::combine_parts(" + Target.Name + ", " +
             (Strided ? text(wide(Target.Strides[0])) : "1") + ", " + Base + ", " + SizeName + ", " +
             Parts + ", cuda::" + Op + "());\n";
    S.Name = Names.fresh(R.Partial->Name);
    Expr Part;
    for (const For *F : Sharing) {
      Expr Here = wide(varExpr(F->V) - F->Lo);
      if (F->Step != 1)
        Here = binary(BinaryOp::Div, Here, intLit(F->Step));
      Expr Trips = wide(F->Hi - F->Lo);
      if (F->Step != 1)
        Trips = ceilDiv(Trips, intLit(F->Step));
      Part = Part ? Part * Trips + Here : Here;
    }
    W.line(Element + " *const " + S.Name + " = " + Base + " + " +
           (Alone ? Number : Part ? print(wide(Part)).in(Binding::Product) : "0") + " * " +
           SizeName + ";");
    if (Alone) {
      const std::string I = Names.fresh("i");
      W.open("for (std::ptrdiff_t " + I + " = " + G.Thread + "; " + I + " < " + SizeName + "; " + I +
             " += " + std::to_string(G.All + 1) + ")");
      W.line(S.Name + "[" + I + "] = " + Identity + ";");
      W.close();
      if (G.All)
        W.line(std::string(G.Depth == *gridDepth(*P.Target) ? "cuda::block_barrier();"
                                                            : "cuda::warp_barrier();") +
               " // " + R.Partial->Name + " begins at the identity of the reduction");
    }
    Stores[R.Partial] = std::move(S);
  }
}

void CudaEmitter::emitKernel(const Stmt &S) {
  const Machine &M = *P.Target;
  const auto *Root = S.getIf<For>();
  const size_t Grid = *gridDepth(M);
  const size_t Depth = Root ? *M.depthOf(Root->Spread) : S.getIf<Scope>()->Instance->Depth;
  GridThreads = gridThreads(S, M, nullptr);
  const std::int64_t Each = threadsAt(Depth, M, GridThreads);
  std::vector<const For *> Group;
  if (Root)
    Group = parallelGroup(*Root);

  std::int64_t Shared = 0;
  walkStmts(Stmts(S), [&](const Stmt &Inner) {
    if (const auto *A = Inner.getIf<Alloc>(); A && SharedBytes.count(A->T))
      Shared = std::max(Shared, SharedBytes.at(A->T));
  });
  ScratchOffset = (Shared + 15) / 16 * 16;
  UsesScratch = false;
  VectorConditions.clear();
  const std::int64_t Scratch = GridThreads / WarpThreads * MostElementBytes;
  StaticShared = ScratchOffset + Scratch <= MostStaticBytes;

  // What the host knows at this point is what the kernel may take.
  const std::string Name = kernelName(S);
  Count = Root ? tripCount(Group) : "1";
  SourceWriter Host;
  std::swap(W, Host);
  InKernel = true;
  const CxxNames HostNames = Names;
  G = {};
  G.Depth = Depth;
  G.All = G.Free = std::uint64_t(Each - 1);
  G.Thread = Depth == Grid ? "thread" : "(thread % " + std::to_string(Each) + ")";
  std::string After;
  Before.clear();
  Number = "0";
  HostVars.clear();
  for (const auto &[V, Known] : HostNames.all())
    HostVars.insert(V);
  W.line(std::string(MaybeUnused) + "const int thread = cuda::thread_rank();");
  const std::string Blocks = Names.fresh("blocks");
  if (Root) {
    std::string Own = "std::ptrdiff_t(cuda::block_index())";
    if (Depth != Grid)
      Own += " * " + std::to_string(GridThreads / Each) + " + thread / " + std::to_string(Each);
    Number = Names.fresh("number");
    W.line(MaybeUnused + ("const std::ptrdiff_t " + Number) + " = " + Own + ";");
    if (Depth != Grid)
      W.open("if (" + Number + " < " + Count + ")");
    emitIterations(Group, Number);
    emitPartials(Group, After);
    emitBlock(Group.back()->Body);
    if (Depth != Grid)
      W.close();
  } else {
    if (Depth != Grid)
      W.open("if (thread < " + std::to_string(Each) + ")");
    emitBlock(Block{S});
    if (Depth != Grid)
      W.close();
  }
  std::swap(W, Host);
  InKernel = false;

  const std::string Body = dropUnusedDefinitions(Host.text());
  const CxxNames KernelNamesUsed = Names;
  std::string Params, Args;
  {
    // Only names that the host had before, or that hold partial results, are parameters.
    Names = HostNames;
    for (const auto &[Param, Type] : hostNamesIn(Body)) {
      Params += (Params.empty() ? "" : ", ") + Type + Param;
      Args += ", " + Param;
    }
    Names = KernelNamesUsed;
  }
  const std::int64_t Bytes = UsesScratch ? ScratchOffset + Scratch : Shared;
  const std::string Array = StaticShared && Bytes > 0 ? "constexpr std::size_t shared_bytes = " +
                                                            std::to_string(Bytes) + ";\n"
                                                      : "";
  Kernels += std::string(VectorConditions.empty() ? "" : "template <bool Vectors>\n") +
             "__global__ void __launch_bounds__(" + std::to_string(GridThreads) + ", 1)\n" + Name +
             "(" + Params + ") {\nnamespace cuda = septran::cuda;\n" + Array + Body + "}\n\n";

  for (const Memory &Mem : M.Memories)
    if (UsesScratch && Mem.Declare.Value.find("{offset}") != std::string::npos && Mem.Capacity &&
        Bytes > Mem.Capacity->Value)
      reportInKernel(S.Loc,
                     std::to_string(Bytes) + " bytes in " + Mem.Name.Value +
                         ", with what threads need to combine sums",
                     "at most " + std::to_string(Mem.Capacity->Value), D);
  W.line("{");
  W.line("const std::ptrdiff_t " + Blocks + " = " +
         (Depth == Grid || !Root
              ? Count
              : "cuda::ceil_div(" + Count + ", " + std::to_string(GridThreads / Each) + ")") +
         ";");
  std::string Launched = Name;
  if (!VectorConditions.empty()) {
    const std::string Vectors = Names.fresh("vectors");
    std::string All;
    for (const std::string &Condition : VectorConditions)
      All = both(All, Condition);
    W.line("const bool " + Vectors + " = " + All + ";");
    Launched = Vectors + " ? " + Name + "<true> : " + Name + "<false>";
  }
  W.line(Before + "cuda::launch(" + Launched + ", {.grid = cuda::grid_of(" + Blocks +
         "), .block = dim3(" + std::to_string(GridThreads) +
         "), .shared_bytes = " + std::to_string(StaticShared ? 0 : Bytes) + "}" + Args + ");");
  if (!After.empty())
    W.line(After);
  W.line("}");
}

void CudaEmitter::emitInnerLoop(const For &F) {
  const Machine &M = *P.Target;
  const size_t Depth = *M.depthOf(F.Spread);
  const std::vector<const For *> Group = parallelGroup(F);
  if (!F.Reductions.empty())
    reportInKernel(F.Reductions.front().Target->Loc,
                   "a reduction that processors of level " + F.Spread + " share",
                   "one of blocks, or a leaf", D);
  const std::int64_t Each = threadsAt(Depth, M, GridThreads),
                     Members = std::int64_t(G.All + 1) / Each;
  const CudaEmitter::Group Outer = G;
  const std::string Member = Names.fresh("member"), Trips = tripCount(Group);
  const std::string First = Each == 1 ? Outer.Thread : Outer.Thread + " / " + std::to_string(Each);
  W.open("for (std::ptrdiff_t " + Member + " = " + First + "; " + Member + " < " + Trips + "; " +
         Member + " += " + std::to_string(Members) + ")");
  G.Depth = Depth;
  G.All = G.Free = std::uint64_t(Each - 1);
  G.Thread = Each == 1 ? "0" : "(thread % " + std::to_string(Each) + ")";
  emitIterations(Group, Member);
  emitBlock(Group.back()->Body);
  G = Outer;
  W.close();
}

/// One processor of the inner level runs it.
void CudaEmitter::emitInnerScope(const Scope &S, const Location &Loc) {
  const std::int64_t Each = threadsAt(S.Instance->Depth, *P.Target, GridThreads);
  const CudaEmitter::Group Outer = G;
  W.open("if (" + Outer.Thread + " < " + std::to_string(Each) + ")");
  G.Depth = S.Instance->Depth;
  G.All = G.Free = std::uint64_t(Each - 1);
  G.Thread = Each == 1 ? "0" : "(thread % " + std::to_string(Each) + ")";
  emitScope(S, Loc);
  G = Outer;
  W.close();
}

void CudaEmitter::emitKernelAlloc(const Alloc &A, const Location &Loc) {
  const Memory *M = P.Target->findMemory(A.Memory);
  const std::string Element(cxxName(A.T->Element));
  Storage S;
  S.Extents = A.Extents;
  S.Name = Names.fresh(A.T->Name);
  const std::string Note = " // " + A.Reason + " (" + place(Loc) + ")";
  if (M && M->Registers) {
    defineExtents(A.T, S);
    S.IsTile = true;
    S.Bounds = A.Bounds;
    if (isFragment(A.T)) {
      emitFragmentAlloc(A, S, Note);
      Stores[A.T] = std::move(S);
      return;
    }
    std::string Dims;
    for (const Digits &D : A.Parts)
      for (size_t I = D.size(); I > 0; --I)
        if (!D[I - 1].isThread())
          Dims += "[" + std::to_string(D[I - 1].Size) + "]";
    W.line(Element + " " + S.Name + Dims + ";" + Note);
    Stores[A.T] = std::move(S);
    return;
  }
  const bool Whole = G.Depth == *gridDepth(*P.Target);
  if (M && Whole && P.Target->depthOf(M->Owner.Value).value_or(0) < *gridDepth(*P.Target) &&
      emitWorkspace(A, S, Note))
    return;
  const bool OfBlock = M && P.Target->depthOf(M->Owner.Value) == gridDepth(*P.Target);
  if (A.Bounds.size() != A.Extents.size() || A.Offset < 0 || !(Whole || OfBlock)) {
    reportInKernel(
        Loc,
        "'" + A.T->Name + "' in " + A.Memory +
            (Whole || OfBlock ? ", whose extents are not constant" : ""),
        Whole || OfBlock ? "tunables that are numbers"
                         : "an instance on the level of a block that holds it",
        D);
    Stores[A.T] = S;
    S.Strides.assign(A.T->Rank, intLit(1));
    S.Panels.resize(A.T->Rank);
    Stores[A.T] = std::move(S);
    return;
  }
  defineExtents(A.T, S);
  std::vector<Expr> Most;
  for (std::int64_t Bound : A.Bounds)
    Most.push_back(intLit(Bound));
  setStrides(S, *A.Layout, Reshaped.count(A.T) ? S.Extents : Most);
  S.swizzle(*A.Layout, A.Bounds, A.T->Element);
  std::string Own;
  if (!Whole) { // each processor of an inner level has its own
    const std::int64_t Each = threadsAt(G.Depth, *P.Target, GridThreads);
    const std::int64_t Bytes = (SharedBytes.at(A.T) - A.Offset) / (GridThreads / Each);
    Own = " + thread / " + std::to_string(Each) + " * " +
          std::to_string(Bytes / byteSize(A.T->Element));
  }
  W.line(Element + " *const " + S.Name + " = " + sharedText(Element, A.Offset) + Own + ";" + Note);
  Stores[A.T] = std::move(S);
}

/// Device memory is the host's to allocate: one slice for every block. False if the size of a slice
/// is not known there.
bool CudaEmitter::emitWorkspace(const Alloc &A, Storage &S, const std::string &Note) {
  std::vector<Expr> Most;
  for (const Expr &E : A.Extents) {
    const Expr Bound = rewriteExpr(expandExtents(E, Tensors), [&](const Expr &N) -> Expr {
      if (N->Kind != ExprKind::Binary || N->Bin != BinaryOp::Min || isHostValue(N))
        return nullptr;
      return isHostValue(N->Args[1]) ? N->Args[1] : isHostValue(N->Args[0]) ? N->Args[0] : nullptr;
    });
    if (!isHostValue(Bound))
      return false;
    Most.push_back(wide(Bound));
  }
  // The host does not know the names that the kernel gave to values.
  const auto KernelValues = std::exchange(NamedValues, {});
  const std::string Size = text(wide(A.Layout->sizeOf(Most)));
  NamedValues = KernelValues;
  const std::string Element(cxxName(A.T->Element)), All = Names.fresh(S.Name + "s"),
                                                    Base = Names.fresh(All + "_p"),
                                                    SizeName = Names.fresh(S.Name + "_size");
  Before += "const std::ptrdiff_t " + SizeName + " = " + Size + ";" + Note +
            "\ncuda::device_buffer<" + Element + "> " + All + "(static_cast<std::size_t>(" + Count +
            " * " + SizeName + "));\n" + Element + " *const " + Base + " = " + All + ".data();\n";
  Pointers[Base] = Element + " *";
  Pointers[SizeName] = "std::ptrdiff_t ";
  defineExtents(A.T, S);
  setStrides(S, *A.Layout, Reshaped.count(A.T) ? S.Extents : Most);
  W.line(Element + " *const " + S.Name + " = " + Base + " + " + Number + " * " + SizeName + ";" +
         Note);
  Stores[A.T] = std::move(S);
  Slices.insert(A.T);
  return true;
}

Expr CudaEmitter::constantOr(const Expr &E) const {
  const std::optional<std::int64_t> C = constantValue(simplify(expandExtents(E, Tensors)));
  return C ? intLit(*C) : E;
}

bool CudaEmitter::isHostValue(const Expr &E) const {
  bool Known = true;
  walkExprs(E, [&](const Expr &N) {
    if (N->Kind == ExprKind::Var)
      Known &= HostVars.count(N->V) != 0;
    else if (N->T)
      Known &= N->Kind == ExprKind::Extent && ParameterNames.count(N->T) != 0;
  });
  return Known;
}

std::string CudaEmitter::sharedText(const std::string &Type, std::int64_t Offset) const {
  return "cuda::shared_memory<" + Type + (StaticShared ? ", shared_bytes>(" : ">(") +
         std::to_string(Offset) + ")";
}

void CudaEmitter::emitBarrier(const Barrier &B) {
  for (const std::string &Edge : B.Serves)
    W.comment("barrier: " + Edge);
  const std::int64_t Threads =
      threadsAt(P.Target->depthOf(B.Level).value_or(0), *P.Target, GridThreads);
  W.line(Threads == 32 && P.Target->depthOf(B.Level) != gridDepth(*P.Target)
             ? "cuda::warp_barrier();"
             : "cuda::block_barrier();");
}

} // namespace septran::compiler
