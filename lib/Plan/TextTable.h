//===- TextTable.h - aligned columns within a page --------------*- C++ -*-===//
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace septran::compiler {

/// Rows of cells, aligned. One column, `Flexible`, is wrapped at spaces so that lines keep within
/// the page as far as the other columns allow.
class TextTable {
  std::vector<std::vector<std::string>> Rows;
  std::set<std::vector<std::string>> Present;
  std::size_t Flexible;
  std::vector<bool> Right; ///< per column: aligned to the right

public:
  explicit TextTable(std::size_t Flexible, std::vector<bool> Right = {})
      : Flexible(Flexible), Right(std::move(Right)) {}

  void add(std::vector<std::string> Cells) { Rows.push_back(std::move(Cells)); }
  /// Unless the same row was added by addOnce before.
  void addOnce(std::vector<std::string> Cells);
  bool empty() const { return Rows.empty(); }
  std::string text(std::size_t Indent = 2, std::size_t PageWidth = 100) const;
};

} // namespace septran::compiler
