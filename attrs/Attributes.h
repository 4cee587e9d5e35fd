//===- Attributes.h - the [[septran::...]] attributes ---------------*- C++ -*-===//
//
// Makes clang know the attributes of a logic file. Each becomes an AnnotateAttr on its declaration,
// with the attribute's full name as annotation and its argument, a string, as argument; clang
// inherits it from a forward declaration and copies it to template instantiations. What stands on a
// wrong declaration or has wrong arguments is an error: an annotation that is lost silently would
// be a wrong program.
//
//   attribute                          on
//   [[septran::task]], task("family")  functions and function templates
//   [[septran::leaf]], leaf("family")  functions and function templates
//   [[septran::write]]                 parameters
//   [[septran::reduce("+")]]           parameters; also "*", "min", "max"
//   [[septran::tunable]]               local variables
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_ATTRS_ATTRIBUTES_H
#define SEPTRAN_ATTRS_ATTRIBUTES_H

#include <optional>
#include <string>
#include <vector>

namespace clang {
class AnnotateAttr;
class Decl;
} // namespace clang

namespace septran::compiler {

enum class AttributeKind { Task, Leaf, Write, Reduce, Tunable };

/// Registers the attributes with clang. To be called before clang first looks for one; calling it
/// again does nothing. An explicit call, because a registration by a constructor would be lost when
/// the linker drops an unused member of a static library.
void registerAttributes();

/// The names behind `septran::`, in alphabetical order.
const std::vector<std::string> &attributeNames();

/// The attribute on `D` or on an earlier declaration of it, or null.
const clang::AnnotateAttr *findAttribute(const clang::Decl *D, AttributeKind Kind);

/// The attribute's string argument; none if it was written without.
std::optional<std::string> attributeArgument(const clang::AnnotateAttr &A);

} // namespace septran::compiler

#endif // SEPTRAN_ATTRS_ATTRIBUTES_H
