//===- CxxNames.h - identifiers of the generated code -----------*- C++ -*-===//
#pragma once

#include "IR/Expr.h"

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace septran::compiler {

/// Hands out identifiers that are unique within one generated function and are no C++ keywords. The
/// first symbol named `A` is called `A`, the next one `A_1`.
class CxxNames {
  std::map<std::string, size_t, std::less<>> Taken; ///< each with how many were there before
  std::map<VarRef, std::string> Vars;
  std::set<std::string, std::less<>> OfVars;

  bool take(const std::string &Name) { return Taken.try_emplace(Name, Taken.size()).second; }

public:
  CxxNames();
  /// Keeps a name from being handed out: a parameter of the user's function, a global that is used.
  void reserve(const std::string &Name) { take(Name); }
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
  bool isVariable(std::string_view Name) const { return OfVars.find(Name) != OfVars.end(); }

  size_t count() const { return Taken.size(); }
  /// The name was taken already when there were Count of them.
  bool isAmongFirst(size_t Count, std::string_view Name) const {
    auto It = Taken.find(Name);
    return It != Taken.end() && It->second < Count;
  }
};

} // namespace septran::compiler
