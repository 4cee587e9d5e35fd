//===- ShapeSpec.h - extents and arguments that the user says ---*- C++ -*-===//
//
// What `--shape` of the tools takes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace septran::compiler {

/// `M=1..300`, `C[0]=7,64`, `stride=1,2`: values of an extent or an integer argument; `I=0..7`: of
/// the elements of one.
struct ShapeSpec {
  std::string Name;
  std::vector<std::int64_t> Values;
};
/// `M=7,64`
std::string toString(const ShapeSpec &S);
/// None, with what is wrong, if Text is not of that form.
std::optional<ShapeSpec> parseShapeSpec(const std::string &Text, std::string &Problem);

} // namespace septran::compiler
