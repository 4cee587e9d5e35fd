//===- Nominal.h - numbers for a program's expressions ----------*- C++ -*-===//
//
// Values of extents, bounds and indices of a planned program when every extent of the caller's tensors
// is one number, but those that the user says, and every loop is in its first iteration. Those of windows
// are smaller.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"

#include <map>
#include <set>
#include <utility>

namespace septran::compiler {

/// Of a window: a convolution's kernel, as a rule.
inline constexpr double WindowExtent = 3;

/// Dimensions of the caller's tensors: parameter, dimension.
using ParameterDims = std::set<std::pair<unsigned, unsigned>>;

/// What arguments are, other than extents of the caller's tensors and small scalars.
struct ArgumentSizes {
  std::map<std::pair<unsigned, unsigned>, double> Known; ///< by such dimensions, and scalars as dimension 0
  ParameterDims Windows;      ///< a few elements; of scalars: strides and numbers of such elements too
  ParameterDims Images;       ///< what windows of a few elements move over, in tensors with other dimensions
  double ImageExtent = 56;    ///< of these dimensions
  ParameterDims Shared;       ///< numbers of what several of another dimension share
  std::set<unsigned> Extents; ///< scalars that are extents of the caller's tensors, or nearly
};

class Nominal {
  const double ParameterExtent;
  std::map<VarRef, double> Vars;
  std::map<VarRef, Expr> Lets;
  std::map<TensorRef, View> Views;
  std::map<TensorRef, std::vector<double>> Extents;
  std::map<TensorRef, std::vector<Expr>> Allocated; ///< extents of buffers

public:
  Nominal(const std::vector<Parameter> &Params, double ParameterExtent, const ArgumentSizes &Arguments);

  void set(const VarRef &V, double Value) { Vars[V] = Value; }
  void setExtent(const TensorRef &T, unsigned Dim, double Value) { Extents.at(T)[Dim] = Value; }
  /// A scalar that keeps its value: it moves with the loops that the value moves with.
  void define(const VarRef &V, const Expr &Value) { Lets[V] = Value; }
  void define(const TensorRef &T, const View &V) { Views[T] = V; }
  void allocate(const TensorRef &T, const std::vector<Expr> &Sizes) { Allocated[T] = Sizes; }

  /// What T is a view of; null if it is none.
  const View *definition(const TensorRef &T) const {
    auto V = Views.find(T);
    return V == Views.end() ? nullptr : &V->second;
  }

  double of(const Expr &E);
  double extent(const TensorRef &T, unsigned Dim);
  /// Adds what the value of E is computed from.
  void collectVars(const Expr &E, std::set<VarRef> &Found) const;
  /// How much E grows from one iteration of V's loop to the next.
  double difference(const Expr &E, const VarRef &V);

  /// The same element, found in the tensor that all views begin with.
  struct Element {
    TensorRef Root;
    std::vector<Expr> Indices;
  };
  Element through(const View &V, const std::vector<Expr> &Indices) const;
  Element rootElement(TensorRef T, std::vector<Expr> Indices) const;
};

} // namespace septran::compiler
