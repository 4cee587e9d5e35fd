//===- Support/Located.h - Values that know where they stand ----*- C++ -*-===//
//
// What the readers of mapping and machine files hand out: a value together with its place, so that
// a later stage can point at the very scalar it complains about. Equality looks at the value only:
// two files that say the same are equal.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_SUPPORT_LOCATED_H
#define SEPTRAN_SUPPORT_LOCATED_H

#include "Support/Location.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace septran::compiler {

template <class T> struct Located {
  T Value{};
  Location Loc;

  Located() = default;
  Located(T Value, Location Loc = {}) : Value(std::move(Value)), Loc(std::move(Loc)) {}

  friend bool operator==(const Located &A, const Located &B) { return A.Value == B.Value; }
};

/// A name as the user wrote it.
using LocatedName = Located<std::string>;

/// One `key: value` of a map. `Loc` of the value is where the value stands.
template <class T> struct NamedEntry {
  LocatedName Name;
  Located<T> Value;

  friend bool operator==(const NamedEntry &, const NamedEntry &) = default;
};

/// A map in written order. The lists are short, so a linear search is the right one.
template <class T> struct NamedList {
  std::vector<NamedEntry<T>> Entries;

  const NamedEntry<T> *findEntry(std::string_view Name) const {
    for (const NamedEntry<T> &E : Entries)
      if (E.Name.Value == Name)
        return &E;
    return nullptr;
  }
  const T *find(std::string_view Name) const {
    const NamedEntry<T> *E = findEntry(Name);
    return E ? &E->Value.Value : nullptr;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> Result;
    for (const NamedEntry<T> &E : Entries)
      Result.push_back(E.Name.Value);
    return Result;
  }

  bool empty() const { return Entries.empty(); }
  size_t size() const { return Entries.size(); }
  auto begin() const { return Entries.begin(); }
  auto end() const { return Entries.end(); }
  auto begin() { return Entries.begin(); }
  auto end() { return Entries.end(); }

  friend bool operator==(const NamedList &, const NamedList &) = default;
};

} // namespace septran::compiler

#endif // SEPTRAN_SUPPORT_LOCATED_H
