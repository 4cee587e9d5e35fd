//===- ShapeRelations.h - which extents an entry point may be called with -*- C++ -*-===//
//
// A logic file says nowhere that the columns of A are as many as the rows of B: it says so by
// looping over one and indexing both. Every access gives a lower bound of an extent of the entry's
// argument that it ends in, in terms of other extents and scalar arguments. An extent without such
// bounds is free; the others are as small as their bounds allow.
//
// Bounds that cannot be expressed that way, and most upper bounds, are not seen: a shape that these
// relations allow may still be one that the logic does not accept, which its checked run tells.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace septran::compiler {

/// `C[1]`: an extent of a tensor parameter of the entry.
struct ExtentRef {
  unsigned Param = 0, Dim = 0;
  friend auto operator<=>(const ExtentRef &, const ExtentRef &) = default;
};

struct EntryExtent {
  ExtentRef Ref;
  std::string Name;                ///< "C[1]"
  std::string ShortName;           ///< "N", from the tunable that cuts it; may be empty
  std::vector<Expr> AtLeast;       ///< over extents earlier in the order and scalars; empty: free
  std::int64_t Least = 0; ///< constant indices need so much, though loops run over all of it
  std::vector<std::int64_t> Tiles; ///< sizes of the blocks that it is cut into, sorted
  bool isFree() const { return AtLeast.empty(); }
  /// All its bounds are other extents: it is meant to be as long as the longest of these. Where
  /// bounds are sums or quotients a caller may have more than is read.
  bool isTied() const;
};

/// An index of a local tensor or a window, which no single extent bounds: Needed <= There, over
/// extents and scalars. `result[0] <= 1` where `result` is filled from a local of one element.
struct ExtentLimit {
  Expr Needed, There;
};

/// What an extent is in calls that mean what the logic looks like: an image is as large as the one
/// that windows of it make. Nothing depends on it.
struct ExtentSuggestion {
  ExtentRef Ref;
  Expr Is;
};

/// Factor * value + Rest <= 0, the Rest over extents and scalars.
struct ValueBound {
  std::int64_t Factor = 1;
  Expr Rest;
};

/// What elements of an integer argument may be, since indices or the ends of loops are made of them:
/// `X(I(i), j)` needs -I(i) <= 0 and I(i) - X.extent(0) + 1 <= 0.
struct ElementValues {
  unsigned Param = 0;
  std::vector<ValueBound> Bounds;
  std::vector<Expr> Also; ///< values that a condition singles out, which no bound holds for
  /// Loops run from each element to the next one along this dimension.
  std::optional<unsigned> Ascends;
  std::vector<std::int64_t> Stated; ///< the user's, sorted; they take the place of all others
};

/// An index of Indexed that is made of elements of an integer argument, nobody knows how.
struct UnreadIndex {
  unsigned Param = 0;
  std::string Indexed;
  Location Loc;
};

struct ShapeRelations {
  std::vector<Parameter> Params;    ///< the entry's
  std::vector<EntryExtent> Extents; ///< free ones before those that depend on them
  std::vector<ExtentLimit> Limits;  ///< that the bounds of extents do not imply by themselves
  std::vector<ExtentSuggestion> Suggestions;
  std::vector<ElementValues> Values; ///< by parameter, those of which something is known
  std::vector<UnreadIndex> Unread;

  /// By `C[1]` or by short name, in any case; null if there is none.
  const EntryExtent *find(std::string_view Name) const;
  /// Null if nothing is known of the parameter's elements.
  const ElementValues *valuesOf(unsigned Param) const;
};

/// P is a Program after the resolve pass. `AsWritten` is the same entry without a mapping
/// (resolveAsWritten): what that reads bounds the extents, too, so that shapes are some that both
/// programs can be called with.
ShapeRelations shapeRelations(const Program &P, const Program *AsWritten = nullptr);

/// For logic of which more is known than its accesses say: the first of these extents in the order
/// decides the others, unless accesses make them longer.
void tie(ShapeRelations &R, const std::vector<ExtentRef> &Equal);

using ScalarValues = std::map<std::string, std::int64_t>; ///< integer arguments by name
using Extents = std::map<ExtentRef, std::int64_t>;

/// The value of an integer expression over extents of the entry's parameters and its integer
/// arguments; none where it has no value.
std::optional<std::int64_t> evaluate(const Expr &E, const ShapeRelations &R, const Extents &Known,
                                     const ScalarValues &Scalars);

/// All extents, given the free ones; a dependent one that is given stays as it is. None if a bound
/// has no value or an extent comes out negative.
std::optional<Extents> completeShape(const ShapeRelations &R, Extents Given,
                                     const ScalarValues &Scalars);

/// `C[0]=A[0]=M free, ...`: one line an extent, then `I from 0 to X.extent(0) - 1`, for people.
std::string toString(const ShapeRelations &R);

} // namespace septran::compiler
