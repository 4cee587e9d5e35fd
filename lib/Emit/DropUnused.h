//===- DropUnused.h - definitions that nothing names -------------*- C++ -*-===//
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace septran::compiler {

/// Marks a line of generated code as a definition that may turn out to be of no use.
inline constexpr const char *MaybeUnused = "[[maybe_unused]] ";

/// The text without the marked one-line definitions whose name no other line mentions; the marks of
/// those that stay go away. The emitter defines what a part of the code might need before it knows.
std::string dropUnusedDefinitions(const std::string &Text);

/// All identifiers of the text outside comments. They live as long as the text.
std::set<std::string_view> identifiersIn(const std::string &Text);

} // namespace septran::compiler
