//===- Support/Diagnostics.cpp ---------------------------------*- C++ -*-===//
#include "Support/Diagnostics.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <map>
#include <sstream>
#include <tuple>

namespace septran::compiler {

namespace {

struct Entry {
  const char *Id;
  DiagLevel Level;
  const char *Text;
};

constexpr Entry Table[] = {
#define DIAG(Id, Level, Text) {#Id, DiagLevel::Level, Text},
#include "Support/Diagnostics.def"
};

const Entry &entryOf(DiagID ID) { return Table[static_cast<size_t>(ID)]; }

/// Expands one format string. The formats come from our own table, so a malformed one is our bug.
class Formatter {
  const std::vector<std::string> &Args;
  std::string Out;

  static size_t closingBrace(std::string_view Text, size_t Open) {
    unsigned Depth = 0;
    for (size_t I = Open; I < Text.size(); ++I) {
      if (Text[I] == '{')
        ++Depth;
      else if (Text[I] == '}' && --Depth == 0)
        return I;
    }
    assert(false && "unbalanced braces in Diagnostics.def");
    return Text.size();
  }

  static std::vector<std::string_view> alternatives(std::string_view Text) {
    std::vector<std::string_view> Result;
    unsigned Depth = 0;
    size_t Start = 0;
    for (size_t I = 0; I < Text.size(); ++I) {
      if (Text[I] == '{')
        ++Depth;
      else if (Text[I] == '}')
        --Depth;
      else if (Text[I] == '|' && Depth == 0) {
        Result.push_back(Text.substr(Start, I - Start));
        Start = I + 1;
      }
    }
    Result.push_back(Text.substr(Start));
    return Result;
  }

  const std::string &arg(char Digit) const {
    static const std::string Missing = "<missing argument>";
    size_t Index = static_cast<size_t>(Digit - '0');
    assert(Index < Args.size() && "message uses an argument that was not given");
    return Index < Args.size() ? Args[Index] : Missing;
  }

  void expandModifier(std::string_view Name, std::string_view Body, const std::string &Arg) {
    if (Name == "optional") {
      if (!Arg.empty())
        expand(Body);
      return;
    }
    std::vector<std::string_view> Choices = alternatives(Body);
    size_t Choice = 0;
    if (Name == "plural")
      Choice = Arg == "1" ? 0 : 1;
    else if (Name == "select" && Arg.size() == 1 &&
             std::isdigit(static_cast<unsigned char>(Arg[0])))
      Choice = static_cast<size_t>(Arg[0] - '0');
    else
      assert(false && "unknown modifier or non-integer argument in Diagnostics.def");
    assert(Choice < Choices.size() && "argument chooses an alternative that does not exist");
    if (Choice < Choices.size())
      expand(Choices[Choice]);
  }

public:
  explicit Formatter(const std::vector<std::string> &Args) : Args(Args) {}

  void expand(std::string_view Text) {
    for (size_t I = 0; I < Text.size(); ++I) {
      if (Text[I] != '%' || I + 1 == Text.size()) {
        Out += Text[I];
        continue;
      }
      char Next = Text[++I];
      if (Next == '%') {
        Out += '%';
      } else if (std::isdigit(static_cast<unsigned char>(Next))) {
        Out += arg(Next);
      } else {
        size_t Open = Text.find('{', I);
        assert(Open != std::string_view::npos && "malformed modifier in Diagnostics.def");
        size_t Close = closingBrace(Text, Open);
        assert(Close + 1 < Text.size() && "modifier without argument number");
        expandModifier(Text.substr(I, Open - I), Text.substr(Open + 1, Close - Open - 1),
                       arg(Text[Close + 1]));
        I = Close + 1;
      }
    }
  }

  std::string take() { return std::move(Out); }
};

void renderLine(std::ostream &OS, const Location &Loc, DiagLevel Level, DiagID ID,
                const std::vector<std::string> &Args) {
  if (!Loc.File.empty())
    OS << Loc << ": ";
  OS << spell(Level) << ": " << formatMessage(ID, Args);
}

} // namespace

DiagLevel levelOf(DiagID ID) { return entryOf(ID).Level; }

std::string_view formatOf(DiagID ID) { return entryOf(ID).Text; }

std::string nameOf(DiagID ID) {
  std::string Name;
  for (const char *C = entryOf(ID).Id; *C; ++C) {
    bool Upper = std::isupper(static_cast<unsigned char>(*C));
    if (Upper && !Name.empty())
      Name += '-';
    Name += static_cast<char>(std::tolower(static_cast<unsigned char>(*C)));
  }
  return Name;
}

std::string_view spell(DiagLevel Level) {
  switch (Level) {
  case DiagLevel::Note:
    return "note";
  case DiagLevel::Remark:
    return "remark";
  case DiagLevel::Warning:
    return "warning";
  case DiagLevel::Error:
    return "error";
  }
  return "error";
}

const std::vector<DiagID> &allDiagIDs() {
  static const std::vector<DiagID> All = {
#define DIAG(Id, Level, Text) DiagID::Id,
#include "Support/Diagnostics.def"
  };
  return All;
}

Diagnostic &Diagnostics::add(Diagnostic Diag) {
  // Repetitions count, too: whoever compares counts asks whether its own input is in order.
  if (levelOf(Diag.ID) == DiagLevel::Error)
    ++Errors;
  if (Diag.Loc.isValid()) {
    std::ostringstream Key;
    Key << static_cast<int>(Diag.ID) << ' ' << Diag.Loc;
    for (const std::string &Arg : Diag.Args)
      Key << '\0' << Arg;
    if (!Seen.insert(Key.str()).second)
      return Repeated = std::move(Diag);
  }
  List.push_back(std::move(Diag));
  return List.back();
}

void Diagnostics::sortFrom(size_t First) {
  std::map<std::string_view, size_t> FileOrder;
  for (const Diagnostic &Diag : List)
    FileOrder.try_emplace(Diag.Loc.File.str(), FileOrder.size());
  // The last component makes the order total, so that equal places keep the order of reporting.
  using Key = std::tuple<size_t, unsigned, unsigned, size_t>;
  std::vector<Key> Keys;
  for (size_t I = First; I < List.size(); ++I)
    Keys.emplace_back(FileOrder.at(List[I].Loc.File.str()), List[I].Loc.Line, List[I].Loc.Column,
                      I);
  std::sort(Keys.begin(), Keys.end());
  std::vector<Diagnostic> Sorted;
  for (const Key &K : Keys)
    Sorted.push_back(std::move(List[std::get<3>(K)]));
  std::move(Sorted.begin(), Sorted.end(), List.begin() + static_cast<std::ptrdiff_t>(First));
}

std::string formatMessage(DiagID ID, const std::vector<std::string> &Args) {
  Formatter F(Args);
  F.expand(entryOf(ID).Text);
  return F.take();
}

std::string renderText(const Diagnostics &D) {
  std::ostringstream OS;
  for (const Diagnostic &Diag : D) {
    renderLine(OS, Diag.Loc, levelOf(Diag.ID), Diag.ID, Diag.Args);
    OS << " [septran-" << nameOf(Diag.ID) << "]\n";
    for (const Note &N : Diag.Notes) {
      renderLine(OS, N.Loc, DiagLevel::Note, N.ID, N.Args);
      OS << '\n';
    }
  }
  return OS.str();
}

} // namespace septran::compiler
