//===- Support/Template.h - Text with {placeholders} ------------*- C++ -*-===//
//
// Machine files say how something is written in the target's language as text with placeholders:
//
//   septran::cpu::axpy({N}, {a}, {B}, {B.stride0}, {C}, {C.stride0});
//
//   {name}, {name.part}   replaced by a value; names are those of C, parts are separated by dots
//   {{ and }}             a brace
//
// Any other brace is a mistake, so that a misspelt placeholder never reaches the generated code.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_SUPPORT_TEMPLATE_H
#define SEPTRAN_SUPPORT_TEMPLATE_H

#include "Support/Diagnostics.h"
#include "Support/Located.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace septran::compiler {

/// The text with every placeholder replaced. Reports placeholders without a value and stray braces at
/// the template's place; nothing if there are any.
std::optional<std::string> expandTemplate(const LocatedName &Template,
                                          const std::map<std::string, std::string> &Values,
                                          Diagnostics &D);

/// The names between the braces, each once. Looks past mistakes.
std::set<std::string> placeholdersOf(std::string_view Template);

} // namespace septran::compiler

#endif // SEPTRAN_SUPPORT_TEMPLATE_H
