//===- Splice.cpp ---------------------------------------------------*- C++ -*-===//
#include "Emit/Splice.h"

#include "Support/StableSort.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace septran::compiler {

namespace {

std::string quoted(const std::string &Name) {
  std::string Text = "\"";
  for (char C : Name) {
    if (C == '"' || C == '\\')
      Text += '\\';
    Text += C;
  }
  return Text + "\"";
}

/// Appends text and counts its lines, so that #line can name the generated file's own ones.
class Output {
  std::string Text;
  unsigned Line = 1;

public:
  void append(const std::string &More) {
    Text += More;
    Line += unsigned(std::count(More.begin(), More.end(), '\n'));
  }
  void startLine() {
    if (!Text.empty() && Text.back() != '\n')
      append("\n");
  }
  /// The next line is line `Number` of `File`.
  void lineOf(unsigned Number, const std::string &File) {
    startLine();
    append(lineDirective(Number, File));
  }
  void ownLines(const std::string &File) {
    startLine();
    lineOf(Line + 1, File);
  }
  std::string take() { return std::move(Text); }
};

} // namespace

unsigned lineAt(const std::string &Text, unsigned Offset) {
  return 1 + unsigned(std::count(Text.begin(), Text.begin() + Offset, '\n'));
}

std::string lineDirective(unsigned Number, const std::string &File) {
  return "#line " + std::to_string(Number) + " " + quoted(File) + "\n";
}

std::optional<std::string> includeOf(const std::string &Path, const std::string &OutputFolder) {
  const std::string Relative =
      std::filesystem::path(Path).lexically_relative(OutputFolder).generic_string();
  if (Relative.empty() || Relative.find_first_of("\"\n\r\\") != std::string::npos)
    return std::nullopt;
  return "#include \"" + Relative + "\"";
}

std::string splice(const std::string &Head, const std::string &Main, const std::string &MainName,
                   const std::string &OutputName, std::vector<Edit> Edits) {
  stableSort(Edits, [](const Edit &A, const Edit &B) { return A.Begin < B.Begin; });
  Output Out;
  Out.append(Head);
  Out.lineOf(1, MainName);
  // A byte order mark is accepted only where a file begins.
  constexpr std::string_view Mark = "\xEF\xBB\xBF";
  unsigned At = std::string_view(Main).substr(0, Mark.size()) == Mark ? unsigned(Mark.size()) : 0;
  for (const Edit &E : Edits) {
    if (E.Begin < At)
      continue;
    Out.append(Main.substr(At, E.Begin - At));
    At = E.End;
    if (E.Is == Edit::Generated)
      Out.ownLines(OutputName);
    if (E.Is == Edit::File)
      Out.startLine();
    Out.append(E.Text);
    if (E.Is != Edit::Inline)
      Out.lineOf(lineAt(Main, E.End), MainName);
  }
  Out.append(Main.substr(At));
  return Out.take();
}

} // namespace septran::compiler
