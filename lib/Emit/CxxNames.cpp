//===- CxxNames.cpp - identifiers of the generated code -------------------===//
#include "Emit/CxxNames.h"

#include <cassert>

namespace septran::compiler {

CxxNames::CxxNames() {
  for (const char *Word :
       {"alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
        "case", "catch", "char", "char8_t", "char16_t", "char32_t", "class", "co_await",
        "co_return", "co_yield", "compl", "concept", "const", "consteval", "constexpr", "constinit",
        "const_cast", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast",
        "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto",
        "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq",
        "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register",
        "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static",
        "static_assert", "static_cast", "struct", "switch", "template", "this", "thread_local",
        "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using",
        "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
        // names that generated code uses itself
        "cpu", "std", "septran"})
    take(Word);
}

std::string CxxNames::fresh(const std::string &Hint) {
  std::string Base = Hint.empty() ? "x" : Hint;
  std::string Name = Base;
  for (unsigned N = 1; !take(Name); ++N)
    Name = Base + "_" + std::to_string(N);
  return Name;
}

std::string CxxNames::define(const VarRef &V) {
  std::string Name = fresh(V->Name);
  Vars[V] = Name;
  OfVars.insert(Name);
  return Name;
}

void CxxNames::bind(const VarRef &V, const std::string &Name) {
  take(Name);
  Vars[V] = Name;
  OfVars.insert(Name);
}

const std::string &CxxNames::name(const VarRef &V) const {
  auto It = Vars.find(V);
  assert(It != Vars.end() && "variable is used before the statement that introduces it");
  return It->second;
}

} // namespace septran::compiler
