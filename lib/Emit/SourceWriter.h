//===- SourceWriter.h - indented text ----------------------------*- C++ -*-===//
#pragma once

#include <string>
#include <utility>

namespace septran::compiler {

/// Collects lines. Indentation is two spaces per open block; the formatter has the last word.
class SourceWriter {
  std::string Text, Joint;
  unsigned Depth = 0;

public:
  void line(const std::string &Line) { Text += std::string(2 * Depth, ' ') + Line + "\n"; }
  /// Lines of another writer.
  void add(const std::string &Lines) { Text += Lines; }
  void comment(const std::string &Words) { line("// " + Words); }
  void blank() { Text += "\n"; }
  /// `Head {`, or `{` if there is no head.
  void open(const std::string &Head) {
    line(std::exchange(Joint, "") + (Head.empty() ? "{" : Head + " {"));
    ++Depth;
  }
  /// `}`, with what follows it on the same line; `Reopens` if that begins the next block.
  void close(const std::string &Tail = "", bool Reopens = false) {
    --Depth;
    line("}" + Tail);
    Depth += Reopens;
  }
  /// `} else`, and in the same line the block that is opened next.
  void closeBeforeElse() {
    --Depth;
    Joint = "} else ";
  }
  unsigned depth() const { return Depth; }
  const std::string &text() const { return Text; }
};

} // namespace septran::compiler
