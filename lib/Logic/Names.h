//===- Names.h - what of <septran/septran.h> a declaration is -------*- C++ -*-===//
//
// The front end knows the runtime headers by qualified names alone, never by their files or layout:
// this is the list of those names, and of the types that a logic file computes with.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Type.h"

#include "attrs/Attributes.h"

#include "clang/AST/Type.h"

#include <optional>
#include <string>

namespace clang {
class ASTContext;
class Decl;
class FunctionDecl;
class NamedDecl;
} // namespace clang

namespace septran::compiler {

enum class TypeKind {
  Other,
  Scalar,     ///< bool, integers, floating-point numbers, the small float types
  Tensor,     ///< septran::tensor, and a window: what a task or leaf takes
  Local,      ///< septran::local
  Partition,  ///< septran::partition_t
  Windows,    ///< septran::windows_t
  Extents,    ///< septran::extents_t
  BlockIndex, ///< septran::block_index
  All,        ///< septran::all_t
};

enum class LibraryFunction {
  None,
  Partition,
  Windows,
  Transpose,
  Subtensor,
  Reshape,
  Broadcast,
  Parallel,
};

/// What `T` is, without its reference and qualifiers.
TypeKind classify(clang::QualType T);

/// The scalar type that `T`, without its reference and qualifiers, is; none for long double, for
/// 128-bit integers and for everything that is not a number.
std::optional<ScalarType> scalarTypeOf(clang::QualType T);

struct TensorType {
  clang::QualType ElementType;       ///< without const
  std::optional<ScalarType> Element; ///< none if a logic file cannot compute with it
  unsigned Rank = 0;
  bool Const = false;
  bool Constant = false; ///< a septran::constant
};
/// Of a septran::tensor, septran::constant or septran::local.
std::optional<TensorType> tensorTypeOf(clang::QualType T);

LibraryFunction libraryFunction(const clang::FunctionDecl &F);

/// The attribute on any declaration of `F` or, for an instantiation, of its template.
const clang::AnnotateAttr *findOnFunction(const clang::FunctionDecl &F, AttributeKind Kind);
bool isTaskOrLeaf(const clang::FunctionDecl &F);
/// What `F` calls its family: the attribute's string, or the function's own name.
std::string familyOf(const clang::FunctionDecl &F);

/// True if `D` is declared directly in namespace ::septran, or is a member of a class that is.
bool isInSeptran(const clang::Decl &D);
/// True if `D` is declared in namespace std or in no namespace, as C's functions are.
bool isInStdOrGlobal(const clang::Decl &D);

/// `ns::f`, without unnamed and inline namespaces: how code after the declaration may call it.
std::string qualifiedName(const clang::NamedDecl &D);
/// For messages: `float`, `std::vector<int>`.
std::string spell(clang::QualType T, const clang::ASTContext &Ast);

} // namespace septran::compiler
