//===- TaskBuilder.h - tasks and leaves by hand -----------------*- C++ -*-===//
//
// Small task graphs without the front end, in the form in which it delivers them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Logic/TaskGraph.h"

#include <functional>
#include <initializer_list>

namespace septran::compiler {

class TaskBuilder {
  std::shared_ptr<Function> F = std::make_shared<Function>();
  std::vector<Block *> Open;
  unsigned Groups = 0;

  void add(decltype(Stmt::Node) Node) { Open.back()->push_back({std::move(Node), here()}); }
  Location here() const { return {"logic.cpp", Line, 1, 0, 0}; }
  unsigned Line;

  For loopOf(const std::string &Name, Expr Hi, LoopKind Kind) {
    For L;
    L.V = makeVar(Name, ScalarType::I64, VarKind::Loop);
    L.Lo = intLit(0);
    L.Hi = std::move(Hi);
    L.Kind = Kind;
    return L;
  }

public:
  using Body = std::function<void(const std::vector<Expr> &)>;
  using Dims = std::vector<std::pair<std::string, Expr>>;

  /// `Line` is where the function stands in the imaginary logic.cpp.
  TaskBuilder(FunctionKind Kind, std::string Name, std::string Family = "", unsigned Line = 1)
      : Line(Line) {
    F->Kind = Kind;
    F->Name = F->QualifiedName = F->Signature = Name;
    F->Family = Family.empty() ? Name : Family;
    F->Loc = here();
    F->InMainFile = F->IsEntryCandidate = Kind == FunctionKind::Task;
    F->BodyText.File = "logic.cpp";
    Open.push_back(&F->Body);
  }

  TensorRef param(const std::string &Name, unsigned Rank, Privilege P,
                  ScalarType Element = ScalarType::F32, UpdateOp Reduction = UpdateOp::Set) {
    TensorRef T = makeTensor(Name, Element, Rank, TensorKind::Parameter, here());
    T->Const = P == Privilege::Read;
    F->Params.push_back({Name, T, nullptr, P, Reduction, here()});
    return T;
  }
  Expr scalar(const std::string &Name, ScalarType Type = ScalarType::I32) {
    VarRef V = makeVar(Name, Type, VarKind::Parameter, here());
    F->Params.push_back({Name, nullptr, V, Privilege::Read, UpdateOp::Set, here()});
    return varExpr(V);
  }
  Expr tunable(const std::string &Name, std::int64_t Default) {
    VarRef V = makeVar(Name, ScalarType::I64, VarKind::Tunable, here());
    F->Tunables.push_back({V, intLit(Default), here()});
    return varExpr(V);
  }
  TensorRef local(const std::string &Name, std::vector<Expr> Extents,
                  ScalarType Element = ScalarType::F32) {
    TensorRef T = makeTensor(Name, Element, unsigned(Extents.size()), TensorKind::Local, here());
    add(Local{T, std::move(Extents)});
    return T;
  }

  void loops(const Dims &Over, LoopKind Kind, const Body &Inside) {
    unsigned Group = Kind == LoopKind::Parallel && Over.size() > 1 ? ++Groups : 0;
    std::vector<Expr> Indices;
    std::size_t Depth = Open.size();
    for (const auto &[Name, Hi] : Over) {
      For L = loopOf(Name, Hi, Kind);
      L.Group = Group;
      Indices.push_back(varExpr(L.V));
      add(std::move(L));
      Open.push_back(&Open.back()->back().getIf<For>()->Body);
    }
    Inside(Indices);
    Open.resize(Depth);
  }
  void parallel(const Dims &Over, const Body &Inside) { loops(Over, LoopKind::Parallel, Inside); }
  void loop(const std::string &Name, Expr Hi, const std::function<void(const Expr &)> &Inside) {
    loops({{Name, std::move(Hi)}}, LoopKind::Sequential,
          [&](const std::vector<Expr> &I) { Inside(I.front()); });
  }
  void when(Expr Condition, const std::function<void()> &Then) {
    add(If{std::move(Condition), {}, {}});
    Open.push_back(&Open.back()->back().getIf<If>()->Then);
    Then();
    Open.pop_back();
  }
  /// From `Lo` on, every `Step`-th.
  void loopFrom(const std::string &Name, Expr Lo, Expr Hi, std::int64_t Step,
                const std::function<void(const Expr &)> &Inside) {
    For L = loopOf(Name, std::move(Hi), LoopKind::Sequential);
    L.Lo = std::move(Lo);
    L.Step = Step;
    Expr I = varExpr(L.V);
    add(std::move(L));
    Open.push_back(&Open.back()->back().getIf<For>()->Body);
    Inside(I);
    Open.pop_back();
  }
  /// `auto name = view;`
  TensorRef define(const std::string &Name, View V) {
    TensorRef T = makeTensor(Name, V.Base->Element, V.rank(), TensorKind::Alias, here());
    T->Const = V.Base->Const;
    add(Define{T, std::move(V)});
    return T;
  }
  Expr let(const std::string &Name, Expr Value) {
    VarRef V = makeVar(Name, Value->Type, VarKind::Scalar, here());
    add(Let{V, std::move(Value), false});
    return varExpr(V);
  }
  /// A scalar that is assigned again, in leaves.
  VarRef variable(const std::string &Name, Expr Value) {
    VarRef V = makeVar(Name, Value->Type, VarKind::Scalar, here());
    add(Let{V, std::move(Value), true});
    return V;
  }
  void assign(const VarRef &V, UpdateOp Op, Expr Value) { add(Assign{V, Op, std::move(Value)}); }

  void store(const TensorRef &T, std::vector<Expr> Indices, Expr Value,
             UpdateOp Op = UpdateOp::Set) {
    add(Store{T, std::move(Indices), Op, std::move(Value)});
  }

  struct Argument : Launch::Argument {
    Argument(const TensorRef &T) { Tensor = wholeView(T); }
    Argument(View V) { Tensor = std::move(V); }
    Argument(Expr E) { Scalar = std::move(E); }
  };
  void launch(const std::shared_ptr<const Function> &Callee, std::vector<Argument> Args) {
    Launch L;
    L.Callee = Callee;
    for (Argument &A : Args)
      L.Args.push_back(std::move(A));
    for (const auto &[Name, Count] : Sites)
      if (Name == Callee->Name)
        L.Site = Count;
    count(Callee->Name);
    add(std::move(L));
  }

  std::shared_ptr<const Function> done() const { return F; }

private:
  std::vector<std::pair<std::string, unsigned>> Sites;
  void count(const std::string &Name) {
    for (auto &[Known, Count] : Sites)
      if (Known == Name) {
        ++Count;
        return;
      }
    Sites.push_back({Name, 1});
  }
};

/// Block `Index` of `Size` elements along each dimension, as partition gives it.
struct BlockAt {
  Expr Index, Size;
};
inline View blockOf(const TensorRef &T, const std::vector<BlockAt> &Blocks) {
  View V = explicitView(wholeView(T));
  for (unsigned D = 0; D < Blocks.size(); ++D) {
    Expr Offset = Blocks[D].Index * Blocks[D].Size;
    V.Slices[D] = {Offset,         minExpr(Blocks[D].Size, extentOf(T, D) - Offset),
                   Blocks[D].Size, Blocks[D].Index,
                   nullptr,        nullptr};
  }
  return V;
}

/// Blocks of `Size` along dimension `Dim` of T.
inline Expr countOf(const TensorRef &T, unsigned Dim, const Expr &Size) {
  return ceilDiv(extentOf(T, Dim), Size);
}

} // namespace septran::compiler
