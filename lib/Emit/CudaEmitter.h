//===- CudaEmitter.h - Program -> CUDA C++, internals ------------*- C++ -*-===//
//
// One emitter object prints one entry point: the host's code, and a __global__ function for each
// kernel (Plan/Kernels.h). A kernel takes what it uses of the host's names as parameters of the
// same names. What all targets share is in CxxEmitter; the rest is split by what it prints:
//
//   Cuda.cpp        the host: parameters, transfers, device memory, launches
//   CudaKernel.cpp  the frame of a kernel: blocks, loops over inner levels, buffers, barriers
//   CudaLeaf.cpp    element code that threads share
//   CudaCopies.cpp  copies that threads make together
//   CudaVectorStores.cpp  neighbours that a thread stores at once
//   CudaFragments.cpp, CudaMatrixLoads.cpp  matrix instructions and their registers
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emit/CxxEmitter.h"
#include "Plan/MatrixLoads.h"
#include "Plan/TensorTable.h"

#include <map>
#include <set>

namespace septran::compiler {

class CudaEmitter : private CxxEmitter {
public:
  CudaEmitter(const Program &P, Diagnostics &D);

  struct Text {
    std::string Kernels; ///< functions to stand before the entry point's definition
    std::string Body;    ///< between the braces of the entry point's definition
  };
  Text emit();

private:
  //===--- Cuda.cpp -----------------------------------------------------------===//
  void emitStmt(const Stmt &S) override;
  CxxText elementOf(const Expr &Load) const override;
  std::string rootOrigin(const TensorRef &T, unsigned Dim) const override;
  /// That the element At of V's base exists; "" if it always does.
  std::string insideText(const View &V, const std::vector<Expr> &At) const;
  void emitParameters();
  void emitScope(const Scope &S, const Location &Loc);
  void emitScopeBody(const Block &B) override;
  void emitView(const Define &Def, const Location &Loc);
  void emitHostLoop(const For &F);
  void emitHostAlloc(const Alloc &A, const Location &Loc);
  void emitHostCopy(const CopyStmt &C, const Location &Loc);
  void emitOpaqueCall(const OpaqueCall &C, const Location &Loc);
  bool isOnHost(const TensorRef &T) const;
  /// A leaf of the host can only touch the host's memory.
  void checkHostLeaf(const Scope &S, const Location &Loc);
  /// The name is a pointer that kernels may take.
  void declarePointer(const std::string &Name, const TensorRef &T, bool Const);

  //===--- CudaKernel.cpp -----------------------------------------------------===//
  void emitKernel(const Stmt &S);
  /// The loops of a group that one processor per iteration runs: their variables from its number.
  void emitIterations(const std::vector<const For *> &Group, const std::string &Number);
  /// Product of the loops' trip counts.
  std::string tripCount(const std::vector<const For *> &Group);
  std::string kernelName(const Stmt &S);
  void emitPartials(const std::vector<const For *> &Group, std::string &After);
  std::vector<const For *> sharingLoops(const SharedReduction &R,
                                        const std::vector<const For *> &Group);
  void emitInnerLoop(const For &F);
  void emitInnerScope(const Scope &S, const Location &Loc);
  void emitKernelAlloc(const Alloc &A, const Location &Loc);
  bool emitWorkspace(const Alloc &A, Storage &S, const std::string &Note);
  /// The constant that E is; E if it is none.
  Expr constantOr(const Expr &E) const;
  /// The host can compute it before it starts the kernel.
  bool isHostValue(const Expr &E) const;
  void emitBarrier(const Barrier &B);
  /// The address of an object in shared memory.
  std::string sharedText(const std::string &Type, std::int64_t Offset) const;
  /// Parameters and arguments: the host's names that the text uses.
  std::vector<std::pair<std::string, std::string>> hostNamesIn(const std::string &Text) const;

  //===--- CudaLeaf.cpp ---------------------------------------------------------===//
  /// The threads that run what is being printed.
  struct Group {
    size_t Depth = 0;
    std::uint64_t All = 0, Free = 0; ///< bits of a thread's number; those that no loop around takes
    std::string Thread;              ///< its number
    std::string Condition;           ///< under which this thread has an element; "": always
    bool InLeaf = false;
  };
  Group G;
  void emitLeafBlock(const Block &B);
  void emitLeafStmt(const Stmt &S);
  void emitThreadsLoop(const For &F);
  void emitPlainLoop(const For &F);
  void emitLeafLet(const Let &L);
  void emitLeafAssign(const Assign &A);
  void emitLeafStore(const Store &S);
  void emitLeafIf(const If &I);
  void openSums(const For &F);
  void closeSums(const For &F);
  std::string reduceText(UpdateOp Op, const std::string &Value, std::uint64_t Bits);
  /// This thread stands for those that do the same; "" if each is alone.
  std::string leadText() const;
  static std::string both(const std::string &A, const std::string &B);
  std::string registerText(const Storage &S, const TensorRef &T,
                           const std::vector<Expr> &Indices) const;
  /// Number of this thread among those that a digit tells apart.
  std::string digitText(const Digit &Part) const;

  //===--- CudaVectorStores.cpp -------------------------------------------------===//
  /// A divided loop that stores neighbours, N of which a thread holds.
  struct VectorStore {
    const Store *Of = nullptr;
    unsigned Dim = 0; ///< of the tensor
    std::int64_t N = 1;
    std::set<std::string> Conditions; ///< that the host checks
  };
  std::optional<VectorStore> vectorStoreOf(const For &F) const;
  void emitVectorStore(const For &F, const VectorStore &V, const std::string &First,
                       std::vector<std::string> Digits, bool Full);

  //===--- CudaFragments.cpp ----------------------------------------------------===//
  /// Matrix instructions take some of the tensor's registers as one object.
  bool isFragment(const TensorRef &T) const;
  /// Elements of less than 32 bits share registers.
  bool isPacked(const TensorRef &T) const;
  void emitFragmentAlloc(const Alloc &A, const Storage &S, const std::string &Note);
  std::pair<std::string, std::string> fragmentPlace(const Storage &S, const TensorRef &T,
                                                    const std::vector<Expr> &Indices) const;
  /// What this thread passes to an instruction of a tile.
  std::string fragmentText(const Storage &S, const TensorRef &T,
                           const std::vector<Expr> &Indices) const;
  std::string fragmentElement(const Storage &S, const TensorRef &T,
                              const std::vector<Expr> &Indices) const;
  /// Updates an element of a packed fragment.
  std::string packedUpdate(const Store &St) const;
  void emitPrimitiveCall(const PrimitiveCall &C, const Location &Loc);

  //===--- CudaMatrixLoads.cpp --------------------------------------------------===//
  /// The copy by a primitive of the machine, if one can make it.
  bool emitMatrixLoads(const CopyStmt &C);
  void emitMatrixLoad(const CopyStmt &C, const MatrixLoad &L);
  bool holdsWholeTile(View V, const TensorRef &Tile) const;
  bool namesNeighbours(const View &V, unsigned Dim, std::int64_t Neighbours) const;
  bool cutsDigit(const TensorRef &Tile, unsigned Dim, const MatrixLoad &L) const;

  //===--- CudaCopies.cpp -------------------------------------------------------===//
  /// A block that threads walk together.
  struct CopyWalk {
    const CopyStmt *C;
    ViewStorage Dst;
    View Src;
    std::vector<Expr> Extents;
    std::vector<std::string> Ends;  ///< their text
    std::vector<std::int64_t> Most; ///< their bounds
    unsigned Inner = 0;             ///< the dimension that is walked fastest
    const Copy *Ahead = nullptr;    ///< the machine's copy, if it only has to be started
    bool Whole = false;             ///< of N neighbours, all are there or none
  };
  void emitGroupCopy(const CopyStmt &C, const Location &Loc);
  /// N neighbours at a time.
  void emitWalk(const CopyWalk &Walk, std::int64_t N);
  /// Where not `Inside`, zeros are written; "": it always is.
  void emitRun(const CopyWalk &Walk, std::int64_t N, const std::vector<Expr> &Indices,
               const std::string &Inside);
  /// Starts the machine's copy of N elements, of which `Valid` are there.
  void emitStart(const CopyWalk &Walk, std::int64_t N, const std::string &Target,
                 const std::string &From, const std::string &Valid);
  void emitTileCopy(const CopyStmt &C, bool Into);
  /// The most neighbours that can be moved at once, under conditions that the host checks.
  std::int64_t neighboursOf(const CopyWalk &Walk, std::set<std::string> &Conditions) const;
  /// What the host has to see for E to be a multiple of N; false if that does not decide it.
  bool isMultipleIf(const Expr &E, std::int64_t N, std::set<std::string> &Conditions) const;
  /// N neighbours of V along a dimension lie side by side, where a vector of them may begin.
  bool holdsVectors(const View &V, unsigned Dim, std::int64_t N,
                    std::set<std::string> &Conditions) const;
  bool readsWindow(const View &V) const;
  void emitStage(const Stage &S);
  void emitTemplate(const LocatedName &Template, const std::map<std::string, std::string> &Values);

  TensorTable Tensors;
  const std::set<TensorRef> Reshaped; ///< have no gaps, whatever their bounds are
  bool InKernel = false;
  std::int64_t GridThreads = 0;
  std::string Kernels;
  // Of the kernel that is being printed:
  std::set<VarRef> HostVars;
  std::string Before; ///< host code that prepares its launch
  std::string Count;  ///< of iterations of its loop
  std::string Number; ///< of the iteration that a block runs
  std::set<std::string> KernelNames;
  std::map<std::string, std::string> Pointers;           ///< of the host: name -> type
  std::map<TensorRef, std::vector<std::string>> Origins; ///< names of origins of parameters
  std::map<TensorRef, std::int64_t> SharedBytes;         ///< end of each buffer in bounded memory
  std::int64_t ScratchOffset = 0;                        ///< for reductions of a block
  bool UsesScratch = false;
  bool StaticShared = false; ///< shared memory is declared, not asked for at the launch
  std::set<std::string> VectorConditions; ///< of the kernel's version that copies vectors
  std::set<TensorRef> Slices;             ///< parts of device memory that begin anywhere
  std::map<TensorRef, std::vector<Digits>> Parts;        ///< of register tensors
  std::map<TensorRef, std::vector<std::int64_t>> Bounds; ///< of buffers
  std::set<TensorRef> IsPadded; ///< buffers with zeros behind the extents
  std::set<TensorRef> Stored;   ///< buffers that element code or a primitive writes
  std::set<TensorRef> AllFull;  ///< buffers with nothing behind the extents
  std::map<VarRef, std::vector<std::string>> Registers;  ///< of divided loops: register digits
  struct Sum {
    std::string Partial;
    VarRef Scalar; ///< or
    const Store *Element = nullptr;
    UpdateOp Op;
    ScalarType Type;
  };
  std::vector<std::vector<Sum>> Sums; ///< of divided reductions around the statement
};

} // namespace septran::compiler
