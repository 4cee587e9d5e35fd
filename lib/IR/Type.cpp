//===- Type.cpp - element and scalar types ----------------------*- C++ -*-===//
#include "IR/Type.h"

#include <array>
#include <cstddef>

namespace septran::compiler {

namespace {

enum class Class { Bool, Signed, Unsigned, Float };

struct TypeInfo {
  ScalarType Type;
  Class Kind;
  unsigned Bytes;
  std::string_view Short;
  std::string_view Cxx;
};

constexpr std::array<TypeInfo, 15> Types = {{
    {ScalarType::Bool, Class::Bool, 1, "bool", "bool"},
    {ScalarType::I8, Class::Signed, 1, "i8", "std::int8_t"},
    {ScalarType::I16, Class::Signed, 2, "i16", "std::int16_t"},
    {ScalarType::I32, Class::Signed, 4, "i32", "std::int32_t"},
    {ScalarType::I64, Class::Signed, 8, "i64", "std::int64_t"},
    {ScalarType::U8, Class::Unsigned, 1, "u8", "std::uint8_t"},
    {ScalarType::U16, Class::Unsigned, 2, "u16", "std::uint16_t"},
    {ScalarType::U32, Class::Unsigned, 4, "u32", "std::uint32_t"},
    {ScalarType::U64, Class::Unsigned, 8, "u64", "std::uint64_t"},
    {ScalarType::F8E4M3, Class::Float, 1, "f8e4m3", "septran::float8_e4m3"},
    {ScalarType::F8E5M2, Class::Float, 1, "f8e5m2", "septran::float8_e5m2"},
    {ScalarType::BF16, Class::Float, 2, "bf16", "septran::bfloat16"},
    {ScalarType::F16, Class::Float, 2, "f16", "septran::float16"},
    {ScalarType::F32, Class::Float, 4, "f32", "float"},
    {ScalarType::F64, Class::Float, 8, "f64", "double"},
}};

constexpr bool tableIsInOrder() {
  for (std::size_t I = 0; I < Types.size(); ++I)
    if (Types[I].Type != static_cast<ScalarType>(I))
      return false;
  return true;
}
static_assert(tableIsInOrder());

const TypeInfo &info(ScalarType T) { return Types[static_cast<std::size_t>(T)]; }

struct Alias {
  std::string_view Name;
  ScalarType Type;
};

/// Other C++ spellings on the LP64 platforms that SepTran supports.
constexpr Alias Aliases[] = {
    {"int", ScalarType::I32},
    {"long", ScalarType::I64},
    {"unsigned", ScalarType::U32},
    {"size_t", ScalarType::U64},
    {"std::size_t", ScalarType::U64},
    {"ptrdiff_t", ScalarType::I64},
    {"std::ptrdiff_t", ScalarType::I64},
};

std::string_view withoutPrefix(std::string_view Name, std::string_view Prefix) {
  return Name.starts_with(Prefix) ? Name.substr(Prefix.size()) : std::string_view();
}

/// The integral promotions: everything narrower than int becomes int.
ScalarType promoted(ScalarType T) { return byteSize(T) < 4 ? ScalarType::I32 : T; }

} // namespace

unsigned byteSize(ScalarType T) { return info(T).Bytes; }
bool isFloat(ScalarType T) { return info(T).Kind == Class::Float; }
bool isSmallFloat(ScalarType T) { return isFloat(T) && byteSize(T) <= 2; }

bool isInteger(ScalarType T) {
  return info(T).Kind == Class::Signed || info(T).Kind == Class::Unsigned;
}

bool isSigned(ScalarType T) { return info(T).Kind == Class::Signed || isFloat(T); }

std::string_view cxxName(ScalarType T) { return info(T).Cxx; }
std::string_view shortName(ScalarType T) { return info(T).Short; }

std::optional<ScalarType> parseScalarType(std::string_view Name) {
  for (const TypeInfo &T : Types)
    if (Name == T.Short || Name == T.Cxx || Name == withoutPrefix(T.Cxx, "std::") ||
        Name == withoutPrefix(T.Cxx, "septran::"))
      return Name.empty() ? std::nullopt : std::optional(T.Type);
  for (const Alias &A : Aliases)
    if (Name == A.Name)
      return A.Type;
  return std::nullopt;
}

ScalarType commonType(ScalarType A, ScalarType B) {
  if (isFloat(A) || isFloat(B)) {
    if (A == B)
      return A;
    if (A == ScalarType::F64 || B == ScalarType::F64)
      return ScalarType::F64;
    // Two different small floats, or a small float and an integer, meet in the type that the host
    // computes both in.
    return ScalarType::F32;
  }
  A = promoted(A);
  B = promoted(B);
  if (A == B)
    return A;
  if (byteSize(A) != byteSize(B))
    return byteSize(A) > byteSize(B) ? A : B;
  return isSigned(A) ? B : A;
}

} // namespace septran::compiler
