//===- AssignLayouts.cpp - where the elements of every buffer lie ---------===//
//
// A layout that the mapping asks for is taken after a check; otherwise it follows from how the
// leaves walk the buffer:
//
//   lanes run along dimension d      d becomes innermost; a copy into the buffer transposes if
//                                    needed
//   all accesses lie in blocks of b  panels of b along d, each contiguous: a leaf streams through
//   along d, b a multiple of lanes   its block without touching other lines
//   otherwise                        row order
//
// A buffer that a view reshapes is in row order, since the view goes through its elements in that order.
//
// What a primitive fixes about its operands comes before both. On processors with caches a buffer that
// only primitives read is made of panels, too, if the leaves around them go by blocks: what a leaf needs
// lies together.
//
// Buffers from which fragments are loaded keep the order of where they are filled from, so that both
// copies move neighbours, and are swizzled as widely as their lines allow. Where that leaves more bank
// conflicts than a few unused bytes behind each line do, lines are padded instead. Those in scratchpads keep the
// order of where they are filled from or written to: the machine's commands move rows.
//
// Register tensors got their layout from bind.
//
//===----------------------------------------------------------------------===//
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/BankConflicts.h"
#include "Plan/Kernels.h"
#include "Plan/LoopAnalysis.h"
#include "Plan/OperandLayout.h"
#include "Plan/Passes.h"
#include "Plan/RegisterTiles.h"
#include "Plan/ReshapedBuffers.h"
#include "Plan/TensorTable.h"

#include <algorithm>

namespace septran::compiler {

namespace {

/// How one buffer is used, over all its aliases.
struct Usage {
  std::map<unsigned, double> LaneVotes; ///< dimension -> weight of lane accesses along it
  unsigned Width = 1;
  /// Per dimension: the block size through which every access goes; 0 if they differ or are not
  /// blocks.
  std::vector<std::int64_t> Blocks;
  std::vector<bool> Seen;
  std::vector<Location> Odd; ///< per dimension: an access that is not by blocks
  bool Window = false;       ///< filled from a window, which is copied line by line
};

class Assigner {
  Program &P;
  Diagnostics &D;
  TensorTable Tensors;
  std::map<TensorRef, Usage> Uses;
  /// What a primitive fixes about a buffer.
  struct Need {
    WantedLayout Wanted;
    std::string Primitive;
    std::int64_t Block = 0; ///< of leaves along the outermost fixed mode, which tiles divide; 0: none
  };
  std::map<TensorRef, std::vector<Need>> Needs;

  Usage &usageOf(const TensorRef &Root) {
    Usage &U = Uses[Root];
    U.Blocks.resize(Root->Rank);
    U.Seen.resize(Root->Rank);
    U.Odd.resize(Root->Rank);
    return U;
  }

  void noteBlock(Usage &U, unsigned Dim, std::int64_t Block, const Location &Loc) {
    if (!U.Seen[Dim]) {
      U.Seen[Dim] = true;
      U.Blocks[Dim] = Block;
    } else if (U.Blocks[Dim] != Block)
      U.Blocks[Dim] = 0;
    if (!Block)
      U.Odd[Dim] = Loc;
  }

  /// Follows dimension `Dim` of T to the root: the root's dimension (or -1) and the blocks on the
  /// way.
  struct Path {
    int Dim;
    std::int64_t Block = 0; ///< of the innermost slice that is a block
    bool Regular = true;    ///< it begins at multiples of Block: slices begin at 0 or are such blocks
  };
  Path pathToRoot(TensorRef T, unsigned Dim) const {
    Path Result{int(Dim)};
    for (const View *V = Tensors.definition(T); V && Result.Dim >= 0; V = Tensors.definition(T)) {
      View Full = explicitView(*V);
      if (!Full.Reshape.empty())
        return {-1, 0, false};
      Result.Dim = Full.Dims[Result.Dim];
      if (Result.Dim >= 0) {
        const Slice &S = Full.Slices[Result.Dim];
        const bool Begins = isConstant(S.Offset, 0); // with its base, as a whole dimension does
        const bool Whole = Begins && equal(S.Extent, extentOf(Full.Base, Result.Dim));
        std::int64_t B = S.Block ? constantValue(S.Block).value_or(0) : 0;
        // A block of a block starts at a multiple of the inner size only if that divides the outer.
        if (!Result.Block && B && !Whole)
          Result.Block = B;
        else if (!Begins)
          Result.Regular &= S.Block && Result.Block && exactQuotient(S.Block, Result.Block);
      }
      T = Full.Base;
    }
    return Result;
  }

  void noteAccess(const Access &A, const For *Lanes, unsigned Depth, const Location &Loc) {
    TensorRef Root = Tensors.root(A.T);
    if (!Tensors.allocated(Root))
      return;
    Usage &U = usageOf(Root);
    for (unsigned Dim = 0; Dim < A.Indices.size(); ++Dim) {
      Path To = pathToRoot(A.T, Dim);
      if (To.Dim < 0)
        continue;
      bool Plain = A.Indices[Dim]->Kind == ExprKind::Var || constantValue(A.Indices[Dim]);
      // A vector that starts inside a panel would run over its end.
      Plain &= !Lanes || isConstant(Lanes->Lo, 0);
      noteBlock(U, unsigned(To.Dim), To.Regular && Plain ? To.Block : 0, Loc);
      if (!Lanes)
        continue;
      std::optional<std::int64_t> C = coefficient(A.Indices[Dim], Lanes->V);
      if (C && *C == 1) {
        U.LaneVotes[To.Dim] += double(1u << std::min(3 * Depth, 30u));
        U.Width = std::max(U.Width, Lanes->Width);
      }
    }
    // Dimensions that a view fixes (sub-tensors) are walked by their offsets: no blocks.
    for (unsigned Dim = 0; Dim < Root->Rank; ++Dim)
      if (!U.Seen[Dim])
        noteBlock(U, Dim, 0, Loc);
  }

  void collect(const Block &B, const For *Lanes, unsigned Depth) {
    for (const Stmt &S : B) {
      if (const auto *F = S.getIf<For>()) {
        collect(F->Body, F->Exec == LoopExec::Lanes ? F : Lanes, Depth + 1);
        continue;
      }
      auto Note = [&](const Expr &E) {
        walkExprs(E, [&](const Expr &N) {
          if (N->Kind == ExprKind::Load)
            noteAccess({N->T, N->Args, false, UpdateOp::Set}, Lanes, Depth, S.Loc);
        });
      };
      forEachExpr(S, [&](const Expr &E) { Note(E); });
      if (const auto *St = S.getIf<Store>())
        noteAccess({St->T, St->Indices, true, St->Op}, Lanes, Depth, S.Loc);
      if (const auto *O = S.getIf<OpaqueCall>())
        for (const Launch::Argument &A : O->Args)
          if (A.isTensor())
            noteOpaque(A.Tensor.Base, S.Loc);
      if (const auto *C = S.getIf<PrimitiveCall>())
        for (const PrimitiveCall::Operand &Op : C->Operands)
          if (Op.isTensor())
            noteOperand(*C, Op, S.Loc);
      if (const auto *C = S.getIf<CopyStmt>()) {
        if (C->Src.Fill && Tensors.allocated(C->Dst.Base))
          usageOf(C->Dst.Base).Window = true;
        if (C->Src.Fill)
          noteWindow(C->Src, S.Loc);
        CopiedFrom[Tensors.root(C->Src.Base)].push_back(C->Src);
      }
      for (const Block *Nested : nestedBlocks(S))
        collect(*Nested, Lanes, Depth);
    }
  }

  /// Windows lie across the borders of blocks.
  void noteWindow(const View &Window, const Location &Loc) {
    const TensorRef Root = Tensors.root(Window.Base);
    if (!Tensors.allocated(Root))
      return;
    const View Full = explicitView(Window);
    for (unsigned Dim = 0; Dim < Full.Slices.size(); ++Dim) {
      const Path To = pathToRoot(Window.Base, Dim);
      const Slice &S = Full.Slices[Dim];
      if (To.Dim >= 0 &&
          !(isConstant(S.Offset, 0) && equal(S.Extent, extentOf(Window.Base, Dim))))
        noteBlock(usageOf(Root), unsigned(To.Dim), 0, Loc);
    }
  }

  void noteOperand(const PrimitiveCall &C, const PrimitiveCall::Operand &Op, const Location &Loc) {
    std::string Problem; // bind has asked already
    std::optional<WantedLayout> Wanted;
    if (!Op.Inner.empty())
      Wanted = wantedLayout(Op, Tensors, Problem);
    if (Wanted && Tensors.allocated(Wanted->Root)) {
      Needs[Wanted->Root].push_back(
          {*Wanted, C.Primitive, blockAround(Op.Tensor, *Wanted, operandOf(C, Op))});
      noteSlack(C, Op, Wanted->Root);
    } else
      noteOpaque(Op.Tensor.Base, Loc);
  }

  std::map<TensorRef, std::vector<View>> CopiedFrom; ///< buffers, and what is copied from them

  const Operand *operandOf(const PrimitiveCall &C, const PrimitiveCall::Operand &Op) const {
    return P.Target->findPrimitive(C.Primitive)->findOperand(Op.Name);
  }

  /// The blocks that the leaf around `Part` takes along the outermost fixed mode; 0 if they are not
  /// such that a panel of theirs ends between two parts. O: whose place it takes; null if it is
  /// copied.
  std::int64_t blockAround(const View &Part, const WantedLayout &Wanted,
                           const Operand *O = nullptr) const {
    const LayoutMode &Outer = outermostFixed(Wanted);
    const View Tile = explicitView(Part);
    if (Outer.P != LayoutMode::Part::Whole)
      return 0;
    for (unsigned Dim = 0; Dim < Tile.Dims.size(); ++Dim) {
      if (Tile.Dims[Dim] < 0)
        continue;
      const Path To = pathToRoot(Tile.Base, unsigned(Tile.Dims[Dim]));
      if (To.Dim != int(Outer.Dim))
        continue;
      const Slice &S = Tile.Slices[Tile.Dims[Dim]];
      if (!To.Regular)
        return 0;
      if (S.Block) {
        const std::int64_t Size = constantValue(S.Block).value_or(0);
        return Size && To.Block % Size == 0 ? To.Block : 0;
      }
      const std::optional<std::int64_t> Most =
          upperBound(simplify(expandExtents(S.Extent, Tensors)));
      const std::int64_t Fixed = O ? O->Shape[Dim].Value.Value : 0;
      const bool IsOnly = isConstant(S.Offset, 0) && Most && std::max(*Most, Fixed) <= To.Block;
      return IsOnly ? To.Block : 0;
    }
    return 0;
  }

  static const LayoutMode &outermostFixed(const WantedLayout &W) {
    return W.Layout.Modes[W.Layout.Modes.size() - W.Fixed];
  }

  /// W with the outermost fixed mode in panels.
  static BufferLayout inPanels(const WantedLayout &W, std::int64_t Width) {
    BufferLayout L = W.Layout;
    LayoutMode &Outer = L.Modes[L.Modes.size() - W.Fixed];
    const LayoutMode Panels = {Outer.Dim, LayoutMode::Part::Quotient, Width};
    Outer = {Outer.Dim, LayoutMode::Part::Remainder, Width};
    L.Modes.insert(L.Modes.begin(), Panels);
    return L;
  }

  /// What suits the primitives that need `All` of a buffer.
  BufferLayout derive(const Alloc &A, const std::vector<Need> &All) const {
    const Need &First = All.front();
    const bool OnlyByPrimitives = !Uses.count(A.T);
    const bool HasCaches = !P.Target->hasScratchpads() && !gridDepth(*P.Target);
    const bool Alike = std::all_of(All.begin(), All.end(), [&](const Need &N) {
      return N.Block && N.Block == First.Block && N.Wanted.Layout == First.Wanted.Layout;
    });
    auto Copies = CopiedFrom.find(A.T); // of partial tiles
    const bool Inside = Copies == CopiedFrom.end() ||
                        std::all_of(Copies->second.begin(), Copies->second.end(), [&](const View &V) {
                          return blockAround(V, First.Wanted) == First.Block;
                        });
    return OnlyByPrimitives && HasCaches && Alike && Inside &&
                   isLargerThan(A, outermostFixed(First.Wanted).Dim, First.Block)
               ? inPanels(First.Wanted, First.Block)
               : First.Wanted.Layout;
  }

  std::map<TensorRef, std::int64_t> Slack;

  /// A primitive that takes a whole tile where the tensor ends within one reads on behind it.
  void noteSlack(const PrimitiveCall &C, const PrimitiveCall::Operand &Op, const TensorRef &Root) {
    const Operand *O = operandOf(C, Op);
    bool IsWhole = O != nullptr;
    std::int64_t Tile = 1;
    for (unsigned Dim = 0; O && Dim < O->Shape.size(); ++Dim) {
      const OperandExtent &E = O->Shape[Dim].Value;
      if (!E.Symbol.empty())
        return;
      IsWhole &=
          isConstant(simplify(expandExtents(Op.Tensor.extent(Dim), Tensors)), E.Value);
      Tile *= E.Value;
    }
    if (!IsWhole)
      Slack[Root] = std::max(Slack[Root], Tile);
  }

  /// The layout that A has or gets suits every primitive.
  void checkNeeds(const Alloc &A, const Location &Loc) {
    for (const Need &N : Needs.at(A.T)) {
      const std::vector<LayoutMode> &Has = A.Layout->Modes;
      const auto Fixed = static_cast<std::ptrdiff_t>(N.Wanted.Fixed);
      auto HasInside = [&](const BufferLayout &Wanted) {
        return Has.size() >= N.Wanted.Fixed && (A.Layout->Pad == 0 || Fixed == 1) &&
               std::equal(Wanted.Modes.rbegin(), Wanted.Modes.rbegin() + Fixed, Has.rbegin());
      };
      if (!HasInside(N.Wanted.Layout) && !(N.Block && HasInside(inPanels(N.Wanted, N.Block))))
        D.report(DiagID::LayoutPrimitive, Loc, toString(*A.Layout), A.T->Name, N.Primitive,
                 toString(N.Wanted.Layout));
    }
  }

  std::set<TensorRef> Reshaped;

  void checkReshaped(const Alloc &A, const Location &Loc) {
    if (A.Layout->Modes != rowLayout(A.T->Rank).Modes || A.Layout->Pad || A.Layout->Swizzle)
      D.report(DiagID::LayoutReshape, Loc, toString(*A.Layout), A.T->Name);
  }

  /// A function that takes a tensor needs one stride per dimension.
  void noteOpaque(const TensorRef &T, const Location &Loc) {
    TensorRef Root = Tensors.root(T);
    if (!Tensors.allocated(Root))
      return;
    Usage &U = usageOf(Root);
    for (unsigned Dim = 0; Dim < Root->Rank; ++Dim)
      noteBlock(U, Dim, 0, Loc);
  }

  //===--- fragments -------------------------------------------------------------===//

  std::set<TensorRef> FragmentSources; ///< buffers from which fragments are loaded
  std::map<TensorRef, View> FilledFrom;
  std::map<TensorRef, View> WrittenTo;

  void noteCopy(const CopyStmt &C, const std::set<TensorRef> &Fragments) {
    if (Fragments.count(C.Dst.Base))
      FragmentSources.insert(Tensors.root(C.Src.Base));
    else if (isIdentity(C.Dst))
      FilledFrom.try_emplace(C.Dst.Base, C.Src);
    if (isIdentity(C.Src))
      WrittenTo.try_emplace(C.Src.Base, C.Dst);
  }

  void findFragments() {
    std::set<TensorRef> Fragments;
    walkStmts(P.Body, [&](const Stmt &S) {
      if (const auto *A = S.getIf<Alloc>(); A && fragmentSize(A->Parts) > 1)
        Fragments.insert(A->T);
      if (const auto *C = S.getIf<CopyStmt>())
        noteCopy(*C, Fragments);
    });
  }

  /// The buffer's dimension along which neighbours of the other side of a copy lie.
  unsigned dimOfNeighbours(const Alloc &A, const View &Other) const {
    unsigned Inner = A.T->Rank - 1;
    if (!Other.Reshape.empty())
      return Inner;
    const View Full = explicitView(Other);
    for (unsigned Dim = 0; Dim < A.T->Rank; ++Dim)
      if (Full.Dims[Dim] >= 0) {
        const Path To = pathToRoot(Full.Base, unsigned(Full.Dims[Dim]));
        if (To.Dim >= 0 && unsigned(To.Dim) + 1 == Tensors.root(Full.Base)->Rank)
          Inner = Dim;
      }
    return Inner;
  }

  BufferLayout inOrderOf(const Alloc &A, const std::map<TensorRef, View> &Others) const {
    auto It = Others.find(A.T);
    return It == Others.end() ? rowLayout(A.T->Rank)
                              : innermostLayout(A.T->Rank, dimOfNeighbours(A, It->second));
  }

  BufferLayout fragmentSource(const Alloc &A) {
    auto From = FilledFrom.find(A.T);
    const unsigned Inner =
        From == FilledFrom.end() ? A.T->Rank - 1 : dimOfNeighbours(A, From->second);
    BufferLayout L = innermostLayout(A.T->Rank, Inner);
    for (std::int64_t Bytes : {128, 64, 32})
      if (!L.Swizzle && canSwizzle(A, Inner, Bytes))
        L.Swizzle = Bytes;
    return L;
  }

  /// Layouts in place of L that keep the chunks of a line whole and aligned.
  static std::vector<BufferLayout> paddedForms(const Alloc &A) {
    const std::int64_t Size = byteSize(A.T->Element);
    std::vector<BufferLayout> Result;
    if (A.Bounds.size() != A.Extents.size() || A.Bounds[A.Layout->Modes.back().Dim] * Size % 16 != 0)
      return Result;
    for (std::int64_t Bytes : {16, 32, 64}) {
      BufferLayout L = *A.Layout;
      L.Swizzle = 0;
      L.Pad = Bytes / Size;
      Result.push_back(std::move(L));
    }
    return Result;
  }

  std::int64_t conflictsOf(const Alloc &A) const {
    std::int64_t Sum = 0;
    for (const FragmentLoad &L : fragmentLoads(P))
      Sum += L.From == &A ? L.Conflicts : 0;
    return Sum;
  }

  void avoidConflicts(Alloc &A) const {
    std::int64_t Least = conflictsOf(A);
    std::shared_ptr<const BufferLayout> Best = A.Layout;
    for (const BufferLayout &L : Least ? paddedForms(A) : std::vector<BufferLayout>()) {
      A.Layout = std::make_shared<BufferLayout>(L);
      if (const std::int64_t Now = conflictsOf(A); Now < Least) {
        Least = Now;
        Best = A.Layout;
      }
    }
    A.Layout = Best;
  }

  static bool canSwizzle(const Alloc &A, unsigned Inner, std::int64_t Bytes) {
    return A.Bounds.size() == A.Extents.size() &&
           swizzleSteps(Bytes, A.Bounds[Inner], byteSize(A.T->Element)).has_value();
  }

  void checkSwizzle(const Alloc &A, const Location &Loc) {
    const unsigned Inner = A.Layout->Modes.back().Dim;
    if (canSwizzle(A, Inner, A.Layout->Swizzle))
      return;
    const std::string Lines =
        A.Bounds.size() == A.Extents.size()
            ? std::to_string(A.Bounds[Inner] * byteSize(A.T->Element)) + " bytes"
            : "no constant length";
    reportInKernel(Loc,
                   "layout '" + toString(*A.Layout) + "' of " +
                       (A.Reason.empty() ? "'" + A.T->Name + "'" : A.Reason) +
                       ", whose lines have " + Lines,
                   "32, 64 or 128 bytes that divide a line", D);
  }

  BufferLayout derive(const Alloc &A) {
    unsigned Rank = A.T->Rank;
    if (Reshaped.count(A.T))
      return rowLayout(Rank);
    if (Rank && FragmentSources.count(A.T))
      return fragmentSource(A);
    if (const Memory *M = P.Target->findMemory(A.Memory); Rank && M && !M->Address.Value.empty())
      return inOrderOf(A, FilledFrom.count(A.T) ? FilledFrom : WrittenTo);
    auto It = Uses.find(A.T);
    if (It == Uses.end() || It->second.LaneVotes.empty() || Rank < 2)
      return rowLayout(Rank);
    const Usage &U = It->second;
    unsigned Lane = Rank - 1;
    double Best = 0;
    for (const auto &[Dim, Weight] : U.LaneVotes)
      if (Weight > Best || (Weight == Best && Dim == Rank - 1)) {
        Best = Weight;
        Lane = Dim;
      }
    std::int64_t Block = U.Blocks[Lane];
    bool WorthIt = Block && Block % U.Width == 0 && !U.Window && isLargerThan(A, Lane, Block);
    return WorthIt ? panelLayout(Rank, Lane, Block) : innermostLayout(Rank, Lane);
  }

  /// A buffer of at most one block gains nothing from panels.
  bool isLargerThan(const Alloc &A, unsigned Dim, std::int64_t Block) const {
    std::optional<std::int64_t> Bound = upperBound(expandExtents(A.Extents[Dim], Tensors));
    return !Bound || *Bound > Block;
  }

  /// Panels that the mapping asks for need every access to stay within one panel.
  void check(const Alloc &A, const Location &Loc) {
    auto It = Uses.find(A.T);
    if (It == Uses.end())
      return;
    for (unsigned Dim = 0; Dim < A.T->Rank; ++Dim) {
      std::int64_t Split = A.Layout->splitOf(Dim);
      if (!Split || (It->second.Blocks[Dim] && Split % It->second.Blocks[Dim] == 0))
        continue;
      std::int64_t Found = It->second.Blocks[Dim];
      Diagnostic &Error =
          D.report(DiagID::LayoutAccess, Loc, toString(*A.Layout), A.T->Name, Split, Dim,
                   Found ? "blocks of " + std::to_string(Found) : std::string("others"));
      if (It->second.Odd[Dim].isValid())
        Error.note(DiagID::NoteUsedHere, It->second.Odd[Dim]);
    }
  }

public:
  Assigner(Program &P, Diagnostics &D) : P(P), D(D), Tensors(P.Body) {}

  void run() {
    collect(P.Body, nullptr, 0);
    findFragments();
    Reshaped = reshapedRoots(P.Body, Tensors);
    std::vector<Alloc *> Derived;
    walkStmts(P.Body, [&](Stmt &S) {
      auto *A = S.getIf<Alloc>();
      if (!A)
        return;
      const Memory *M = P.Target->findMemory(A->Memory);
      if (M && M->Registers)
        return;
      auto Need = Needs.find(A->T);
      if (Need == Needs.end() && A->Layout)
        check(*A, S.Loc);
      else if (!A->Layout) {
        A->Layout = std::make_shared<BufferLayout>(
            Need == Needs.end() ? derive(*A) : derive(*A, Need->second));
        if (FragmentSources.count(A->T))
          Derived.push_back(A);
      }
      if (Need != Needs.end())
        checkNeeds(*A, S.Loc);
      if (Reshaped.count(A->T))
        checkReshaped(*A, S.Loc);
      if (auto Behind = Slack.find(A->T); Behind != Slack.end())
        A->Slack = Behind->second;
      if (A->Layout->Swizzle)
        checkSwizzle(*A, S.Loc);
    });
    for (Alloc *A : Derived)
      avoidConflicts(*A);
  }
};

} // namespace

std::optional<Program> assignLayouts(Program P, Diagnostics &D) {
  unsigned ErrorsBefore = D.errorCount();
  Assigner(P, D).run();
  if (D.errorCount() != ErrorsBefore)
    return std::nullopt;
  return P;
}

} // namespace septran::compiler
