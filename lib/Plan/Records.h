//===- Records.h - lanes that access fields of records ----------*- C++ -*-===//
//
// Real and imaginary part, or the colours of a pixel: a few elements side by side, of which each
// lane accesses those of its own record. The lanes of one field lie a record apart; those of all
// fields fill whole vectors.
//
//   x(2 * i), x(2 * i + 1)   a record is as long as the step
//   x(i, 0), x(i, 1)         it is a row, if rows are as long as these constants say: code asks first
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"
#include "Plan/TensorTable.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace septran::compiler {

struct Record {
  unsigned Size = 0;       ///< elements
  unsigned Field = 0;      ///< the one that is accessed
  std::vector<Expr> First; ///< indices of field 0
  /// The dimension whose rows are taken for records; -1: lanes move the last one by records.
  int RowsOf = -1;
  /// Each lane accesses the first field and the last one, so that all may be read.
  bool Whole = false;
};

/// Rows along the last dimension that are taken for records.
struct RowsOfTensor {
  TensorRef T;
  int Dim = 0;             ///< from row to row
  std::int64_t Length = 0; ///< in elements, if no row has others
};

/// The accesses of a loop in lanes.
class Records {
public:
  /// If `Rows` is false, rows are not taken for records.
  Records(const Block &Body, const VarRef &Lane, const TensorTable &Tensors, bool Rows = true);

  std::optional<Record> find(const TensorRef &T, const std::vector<Expr> &Indices) const;
  /// Stores of all fields, in their order, which may be made at once where the last of them stands:
  /// nothing between touches what they store. Null if S is none of them.
  const std::vector<const Store *> *storedWith(const Store *S) const;
  /// The same where only what S stores to is known.
  bool isStoredWhole(const TensorRef &T, const std::vector<Expr> &Indices) const;
  /// In the order of accesses.
  const std::vector<RowsOfTensor> &rows() const { return Rows; }

private:
  using Key = std::pair<TensorRef, std::string>; ///< a record, by its first field
  const TensorTable &Tensors;
  VarRef Lane;
  std::set<VarRef> Assigned; ///< scalars that the body sets again
  std::vector<RowsOfTensor> Rows;
  std::set<Key> Whole;
  std::map<const Store *, size_t> GroupOf;
  std::vector<std::vector<const Store *>> Groups;

  const RowsOfTensor *rowsOf(const TensorRef &T) const;
  std::optional<unsigned> fieldOfRow(const TensorRef &T, const std::vector<Expr> &Indices) const;
  std::optional<Record> place(const TensorRef &T, const std::vector<Expr> &Indices) const;
  bool isFixed(const Record &R) const;
  static Key key(const TensorRef &T, const Record &R);
  void findRows(const Block &Body);
  void findWhole(const Block &B, const VarRef &Each);
  void findGroups(const Block &B);
  bool areApart(const TensorRef &T, const std::vector<Expr> &A, const TensorRef &U,
                const std::vector<Expr> &B) const;
};

} // namespace septran::compiler
