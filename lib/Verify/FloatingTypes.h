//===- FloatingTypes.h - what a reference replaces -----------------*- C++ -*-===//
//
// The floating-point types of a logic file, and the names that septran/verify/reference.h gives a
// meaning of its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/AST/Type.h"

#include <optional>
#include <string>
#include <string_view>

namespace clang {
class CXXRecordDecl;
class Decl;
} // namespace clang

namespace septran::compiler {

/// `::septran::verify::real<float>` for float, double and the small float types; else nothing.
std::optional<std::string> realTypeOf(clang::QualType T);

bool isSmallFloat(clang::QualType T);
/// One of the small float types, or what they have in common.
bool isSmallFloatClass(const clang::CXXRecordDecl &R);

/// A floating-point number, or an array or class that holds one.
bool holdsFloating(clang::QualType T);
/// A pointer or reference to such a thing.
bool pointsToFloating(clang::QualType T);
/// Either, or a class made for a floating-point type, as septran::tensor<float, 2>.
bool involvesFloating(clang::QualType T);

/// True if `D` lies in namespace ::septran, at any depth.
bool isInNamespaceSeptran(const clang::Decl &D);

/// True if septran/verify/math.h has a function of this name.
bool hasErrorBound(std::string_view Function);
/// True if septran/verify/reference.h answers this question about types itself.
bool hasShadow(std::string_view Trait);

} // namespace septran::compiler
