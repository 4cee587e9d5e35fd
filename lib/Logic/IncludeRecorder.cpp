//===- IncludeRecorder.cpp -----------------------------------------*- C++ -*-===//
#include "Logic/IncludeRecorder.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace septran::compiler {

class IncludeRecorder::Callbacks : public PPCallbacks {
  IncludeRecorder &Into;
  const SourceManager &SM;

  /// True for `#pragma once`, with any spaces: the text behind `Hash` is looked at, since clang
  /// has no callback for it.
  bool isOnce(SourceLocation Hash) const {
    auto [File, Offset] = SM.getDecomposedLoc(Hash);
    StringRef Line = SM.getBufferData(File).substr(Offset).split('\n').first;
    return Line.consume_front("#") && Line.ltrim().consume_front("pragma") &&
           Line.ltrim().substr(StringRef("pragma").size()).ltrim().starts_with("once");
  }

public:
  Callbacks(IncludeRecorder &Into, const SourceManager &SM) : Into(Into), SM(SM) {}

  void InclusionDirective(SourceLocation Hash, const Token &, StringRef Name, bool Angled,
                          CharSourceRange Range, OptionalFileEntryRef File, StringRef, StringRef,
                          const Module *, bool, SrcMgr::CharacteristicKind) override {
    Into.Directives.push_back({Hash, Range.getEnd(), Name.str(), Angled, File, FileID()});
  }

  void FileChanged(SourceLocation Loc, FileChangeReason Reason, SrcMgr::CharacteristicKind,
                   FileID) override {
    if (Reason != EnterFile || Into.Directives.empty())
      return;
    // A file is entered right after its directive.
    FileID Entered = SM.getFileID(Loc);
    Directive &Last = Into.Directives.back();
    if (SM.getFileID(SM.getIncludeLoc(Entered)) == SM.getFileID(Last.Hash))
      Last.Entered = Entered;
  }

  void PragmaDirective(SourceLocation Loc, PragmaIntroducerKind Kind) override {
    if (Kind == PIK_HashPragma && Loc.isFileID() && isOnce(Loc))
      Into.OncePragmas.push_back(Loc);
  }
};

void IncludeRecorder::attachTo(Preprocessor &PP) {
  PP.addPPCallbacks(std::make_unique<Callbacks>(*this, PP.getSourceManager()));
}

} // namespace septran::compiler
