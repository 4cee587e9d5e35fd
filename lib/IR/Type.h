//===- Type.h - element and scalar types ------------------------*- C++ -*-===//
//
// The scalar types a logic file may compute with. Tensors have a ScalarType as
// element type; scalar parameters, loop variables and expressions have one too.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <optional>
#include <string_view>

namespace septran::compiler {

enum class ScalarType {
  Bool,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F8E4M3, ///< OCP 8-bit float, 4 exponent bits
  F8E5M2, ///< OCP 8-bit float, 5 exponent bits
  BF16,
  F16,
  F32,
  F64,
};

/// Size of one element in bytes.
unsigned byteSize(ScalarType T);

bool isFloat(ScalarType T);
/// True for the 8- and 16-bit float types, which hosts compute in F32.
bool isSmallFloat(ScalarType T);
bool isInteger(ScalarType T); // Bool excluded
bool isSigned(ScalarType T);

/// How C++ spells the type in generated code, e.g. "float", "std::int32_t", "septran::bfloat16".
std::string_view cxxName(ScalarType T);
/// The short name used in IR text, machine files and messages, e.g. "f32", "bf16", "i32".
std::string_view shortName(ScalarType T);
/// Accepts a short name ("f32") or the C++ name ("float", "int32_t").
std::optional<ScalarType> parseScalarType(std::string_view Name);

/// The type of `a op b` for arithmetic operands, after C++'s usual conversions; a small float with
/// itself stays small, a small float with F32 gives F32.
ScalarType commonType(ScalarType A, ScalarType B);

} // namespace septran::compiler
