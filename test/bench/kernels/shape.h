//===- shape.h - shapes as text ----------------------------------*- C++ -*-===//
#pragma once

#include <string>

namespace septran::bench {

/// shape_text(2, 3, 5) is "2x3x5".
template <class... Extents> std::string shape_text(Extents... extents) {
  std::string text;
  ((text += text.empty() ? "" : "x", text += std::to_string(extents)), ...);
  return text;
}

} // namespace septran::bench
