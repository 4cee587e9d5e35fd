//===- JoinNames.h - "a, b, c", as messages list names ----------*- C++ -*-===//
#pragma once

#include <string>

namespace septran::compiler {

template <class Range> std::string joinNames(const Range &Names) {
  std::string Text;
  for (const auto &N : Names)
    Text += (Text.empty() ? "" : ", ") + std::string(N);
  return Text;
}

} // namespace septran::compiler
