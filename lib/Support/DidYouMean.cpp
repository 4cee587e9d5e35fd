//===- Support/DidYouMean.cpp ----------------------------------*- C++ -*-===//
#include "Support/DidYouMean.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace septran::compiler {

namespace {

std::string lower(std::string_view Text) {
  std::string Result(Text);
  for (char &C : Result)
    C = static_cast<char>(std::tolower(static_cast<unsigned char>(C)));
  return Result;
}

/// Optimal string alignment distance: insertions, deletions, replacements, adjacent transpositions.
size_t distance(std::string_view A, std::string_view B) {
  std::vector<size_t> Before(B.size() + 1), Previous(B.size() + 1), Row(B.size() + 1);
  for (size_t J = 0; J <= B.size(); ++J)
    Row[J] = J;
  for (size_t I = 1; I <= A.size(); ++I) {
    Before.swap(Previous);
    Previous.swap(Row);
    Row[0] = I;
    for (size_t J = 1; J <= B.size(); ++J) {
      size_t Replace = Previous[J - 1] + (A[I - 1] != B[J - 1]);
      Row[J] = std::min({Previous[J] + 1, Row[J - 1] + 1, Replace});
      if (I > 1 && J > 1 && A[I - 1] == B[J - 2] && A[I - 2] == B[J - 1])
        Row[J] = std::min(Row[J], Before[J - 2] + 1);
    }
  }
  return Row[B.size()];
}

} // namespace

std::string didYouMean(std::string_view Name, const std::vector<std::string> &Candidates) {
  // Names beyond this length are not typing mistakes, and the distance costs their product.
  constexpr size_t MaxLength = 100;
  if (Name.empty() || Name.size() > MaxLength)
    return {};
  // Functions go by their names without namespaces.
  const size_t Colons = Name.rfind("::");
  const std::string_view Last = Colons == Name.npos ? Name : Name.substr(Colons + 2);
  if (Last != Name && std::find(Candidates.begin(), Candidates.end(), Last) != Candidates.end())
    return std::string(Last);
  const size_t Limit = std::max<size_t>(1, Name.size() / 3);
  const std::string Folded = lower(Name);
  std::string Best;
  size_t BestDistance = Limit + 1;
  for (const std::string &Candidate : Candidates) {
    if (Candidate == Name || Candidate.size() > Name.size() + Limit ||
        Name.size() > Candidate.size() + Limit)
      continue;
    size_t D = distance(Folded, lower(Candidate));
    if (D >= Name.size()) // nothing in common
      continue;
    if (D < BestDistance || (D == BestDistance && !Best.empty() && Candidate < Best)) {
      BestDistance = D;
      Best = Candidate;
    }
  }
  return Best;
}

} // namespace septran::compiler
