//===- CxxNames.h - identifiers of the generated code -----------*- C++ -*-===//
#pragma once

#include "IR/Expr.h"

#include <map>
#include <set>
#include <string>

namespace septran::compiler {

/// Hands out identifiers that are unique within one generated function and are no C++ keywords. The
/// first symbol named `A` is called `A`, the next one `A_1`.
class CxxNames {
  std::set<std::string> Taken;
  std::map<VarRef, std::string> Vars;

public:
  CxxNames();
  /// Keeps a name from being handed out: a parameter of the user's function, a global that is used.
  void reserve(const std::string &Name) { Taken.insert(Name); }
  std::string fresh(const std::string &Hint);

  /// Introduces V; its name is fresh.
  std::string define(const VarRef &V);
  /// V is spelled as given: a parameter of the user's function.
  void bind(const VarRef &V, const std::string &Name);
  /// The name of V, which define or bind introduced.
  const std::string &name(const VarRef &V) const;
  bool known(const VarRef &V) const { return Vars.count(V) != 0; }
  /// Every variable that has a name.
  const std::map<VarRef, std::string> &all() const { return Vars; }
};

} // namespace septran::compiler
