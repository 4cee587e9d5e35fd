//===- Support/Diagnostics.h - Collecting messages to the user --*- C++ -*-===//
//
// Stages report into a `Diagnostics` value and go on, so that one run shows every mistake. The
// value keeps the order in which things were reported; stages visit their input in its written
// order, which makes that order the same from run to run. Rendering is somebody else's task:
// `renderText` below for unit tests, Support/ClangDiagnostics.h for carets, Support/Sarif.h for
// machines.
//
//   D.report(DiagID::UnknownKey, Key.Loc, Key.Value, "the mapping", Suggestion)
//       .note(DiagID::NotePrevious, Other.Loc)
//       .fix(Key.Loc, Suggestion);
//
// All texts stand in Support/Diagnostics.def.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_SUPPORT_DIAGNOSTICS_H
#define SEPTRAN_SUPPORT_DIAGNOSTICS_H

#include "Support/Location.h"

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace septran::compiler {

enum class DiagID {
#define DIAG(Id, Level, Text) Id,
#include "Support/Diagnostics.def"
};

enum class DiagLevel { Note, Remark, Warning, Error };

/// What the table says about `ID`.
DiagLevel levelOf(DiagID ID);
std::string_view formatOf(DiagID ID);

/// The id in kebab-case without the `septran-` prefix: `unknown-key`.
std::string nameOf(DiagID ID);

/// "note", "remark", "warning" or "error".
std::string_view spell(DiagLevel Level);

/// All ids, in table order.
const std::vector<DiagID> &allDiagIDs();

/// Turns one argument of a message into text. Booleans become 0 and 1, for %select.
template <class T> std::string toDiagArg(const T &Arg) {
  if constexpr (std::is_convertible_v<const T &, std::string_view>)
    return std::string(std::string_view(Arg));
  else if constexpr (std::is_convertible_v<const T &, const std::string &>)
    return Arg;
  else {
    static_assert(std::is_integral_v<T>, "arguments of messages are strings and integers");
    return std::to_string(Arg);
  }
}

/// A second place that explains a message.
struct Note {
  DiagID ID;
  Location Loc;
  std::vector<std::string> Args;
};

/// Text that would repair the mistake: it replaces the range of `Range`.
struct FixIt {
  Location Range;
  std::string Text;
};

struct Diagnostic {
  DiagID ID;
  Location Loc;
  std::vector<std::string> Args;
  std::vector<Note> Notes;
  std::optional<FixIt> Fix;

  template <class... Ts> Diagnostic &note(DiagID NoteID, Location NoteLoc, const Ts &...NoteArgs) {
    Notes.push_back({NoteID, std::move(NoteLoc), {toDiagArg(NoteArgs)...}});
    return *this;
  }

  /// Does nothing if there is nothing to insert, so that callers need not test a suggestion.
  Diagnostic &fix(Location Range, std::string Text) {
    if (!Text.empty())
      Fix = FixIt{std::move(Range), std::move(Text)};
    return *this;
  }
};

class Diagnostics {
  // A deque: references that report() handed out stay valid.
  std::deque<Diagnostic> List;
  // Shared text is often seen many times (defaults of many instances, a template instantiated
  // again): the same message at the same place is kept once. Repetitions go to `Repeated`, so that
  // callers can attach their notes without looking.
  std::set<std::string> Seen;
  Diagnostic Repeated{};
  unsigned Errors = 0;

public:
  template <class... Ts> Diagnostic &report(DiagID ID, Location Loc, const Ts &...Args) {
    return add({ID, std::move(Loc), {toDiagArg(Args)...}, {}, std::nullopt});
  }
  Diagnostic &add(Diagnostic Diag);

  /// The message that was added last.
  Diagnostic &last() { return List.back(); }

  /// Puts the messages from index `First` on in the order of their places, files in the order in
  /// which they first appear. For readers that visit their input in another order than it is
  /// written.
  void sortFrom(size_t First);

  bool hasErrors() const { return Errors != 0; }
  unsigned errorCount() const { return Errors; } ///< errors reported, repeated ones each time
  bool empty() const { return List.empty(); }
  size_t size() const { return List.size(); }
  auto begin() const { return List.begin(); }
  auto end() const { return List.end(); }
};

/// The message without location, level and id, arguments filled in.
std::string formatMessage(DiagID ID, const std::vector<std::string> &Args);

/// One line per message and note: `file:line:column: error: text [septran-id]`.
std::string renderText(const Diagnostics &D);

} // namespace septran::compiler

#endif // SEPTRAN_SUPPORT_DIAGNOSTICS_H
