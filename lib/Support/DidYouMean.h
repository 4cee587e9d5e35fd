//===- Support/DidYouMean.h - Suggest the name that was meant ---*- C++ -*-===//
#ifndef SEPTRAN_SUPPORT_DIDYOUMEAN_H
#define SEPTRAN_SUPPORT_DIDYOUMEAN_H

#include <string>
#include <string_view>
#include <vector>

namespace septran::compiler {

/// The candidate that `Name` was probably meant to be, or an empty string. Close means an edit
/// distance (with transpositions and letter case at a discount) of at most a third of the name's
/// length; `ns::name` is close to `name` however long `ns` is. Of equally close candidates the
/// alphabetically first wins, so the order of `Candidates` does not matter.
std::string didYouMean(std::string_view Name, const std::vector<std::string> &Candidates);

} // namespace septran::compiler

#endif // SEPTRAN_SUPPORT_DIDYOUMEAN_H
