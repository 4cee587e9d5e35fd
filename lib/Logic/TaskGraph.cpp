//===- TaskGraph.cpp -----------------------------------------------*- C++ -*-===//
#include "Logic/TaskGraph.h"

#include "IR/Print.h"

#include <algorithm>
#include <sstream>

namespace septran::compiler {

bool reads(Privilege P) { return P == Privilege::Read || P == Privilege::ReadWrite; }

bool writes(Privilege P) { return P != Privilege::Read; }

std::string_view reductionName(UpdateOp Op) {
  switch (Op) {
  case UpdateOp::Mul:
    return "*";
  case UpdateOp::Min:
    return "min";
  case UpdateOp::Max:
    return "max";
  default:
    return "+";
  }
}

bool sameSignature(const Function &A, const Function &B) {
  return std::equal(A.Params.begin(), A.Params.end(), B.Params.begin(), B.Params.end(),
                    [](const Parameter &P, const Parameter &Q) {
                      if (P.isTensor() != Q.isTensor())
                        return false;
                      if (!P.isTensor())
                        return P.Scalar->Type == Q.Scalar->Type;
                      return P.Tensor->Element == Q.Tensor->Element &&
                             P.Tensor->Rank == Q.Tensor->Rank;
                    });
}

std::vector<FunctionRef> TaskGraph::variants(const std::string &NameOrFamily) const {
  std::vector<FunctionRef> Result;
  for (const FunctionRef &F : Functions)
    if (F->Name == NameOrFamily || F->Family == NameOrFamily)
      Result.push_back(F);
  return Result;
}

namespace {

std::string_view spell(FunctionKind Kind) {
  switch (Kind) {
  case FunctionKind::Task:
    return "task";
  case FunctionKind::Leaf:
    return "leaf";
  case FunctionKind::OpaqueLeaf:
    return "opaque leaf";
  }
  return "task";
}

void print(std::ostream &OS, const Parameter &P, NameTable &Names) {
  if (!P.isTensor()) {
    OS << shortName(P.Scalar->Type) << ' ' << Names.name(P.Scalar);
    return;
  }
  switch (P.Access) {
  case Privilege::Read:
    OS << "read";
    break;
  case Privilege::ReadWrite:
    OS << "read-write";
    break;
  case Privilege::Write:
    OS << "write";
    break;
  case Privilege::Reduce:
    OS << "reduce(" << reductionName(P.Reduction) << ')';
    break;
  }
  OS << ' ' << shortName(P.Tensor->Element) << '[' << P.Tensor->Rank << "] "
     << Names.name(P.Tensor);
}

void print(std::ostream &OS, const Function &F) {
  NameTable Names;
  OS << spell(F.Kind) << ' ' << F.Signature;
  if (F.Family != F.Name)
    OS << " of family " << F.Family;
  OS << '(';
  for (size_t I = 0; I < F.Params.size(); ++I) {
    OS << (I ? ", " : "");
    print(OS, F.Params[I], Names);
  }
  OS << ") at " << F.Loc.File.str() << ':' << F.Loc.Line
     << (F.IsEntryCandidate ? ", entry" : "") << (F.IsImplied ? ", implied" : "") << " {\n";
  for (const Tunable &T : F.Tunables)
    OS << "  tunable " << Names.name(T.V) << " = "
       << (T.Default ? toString(T.Default, Names) : "full") << '\n';
  if (F.Kind == FunctionKind::OpaqueLeaf)
    OS << "  " << F.OpaqueReason << " at line " << F.OpaqueLoc.Line << '\n';
  OS << printBlock(F.Body, Names, 1) << "}\n";
}

} // namespace

std::string printTaskGraph(const TaskGraph &G) {
  std::ostringstream OS;
  for (size_t I = 0; I < G.Functions.size(); ++I) {
    OS << (I ? "\n" : "");
    print(OS, *G.Functions[I]);
  }
  return OS.str();
}

} // namespace septran::compiler
