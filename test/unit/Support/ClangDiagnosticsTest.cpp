#include "Support/ClangDiagnostics.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/LangOptions.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <gtest/gtest.h>
#include <llvm/Support/VirtualFileSystem.h>

using namespace septran::compiler;

namespace {

/// What clang prints for `D` when `Text` is the file map.yaml.
std::string print(const Diagnostics &D, llvm::StringRef Text) {
  std::string Out;
  llvm::raw_string_ostream OS(Out);
  auto Options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  clang::TextDiagnosticPrinter Printer(OS, Options.get());
  clang::DiagnosticsEngine DE(llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), Options, &Printer,
                              /*ShouldOwnClient=*/false);
  auto Files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  Files->addFile("map.yaml", 0, llvm::MemoryBuffer::getMemBuffer(Text));
  clang::FileManager FM{clang::FileSystemOptions(), Files};
  clang::SourceManager SM(DE, FM);
  Printer.BeginSourceFile(clang::LangOptions(), nullptr);
  emitThroughClang(D, DE);
  Printer.EndSourceFile();
  return Out;
}

TEST(ClangDiagnostics, ShowsCaretsNotesAndFixIts) {
  Diagnostics D;
  Location Key = Location::span("map.yaml", 2, 3, 4);
  D.report(DiagID::UnknownKey, Key, "proq", "instance 'a'", "proc")
      .note(DiagID::NoteDeclared, Location::span("map.yaml", 1, 1, 1), "a")
      .fix(Key, "proc");
  EXPECT_EQ(print(D, "a:\n  proq: CORE\n"),
            "map.yaml:2:3: error: unknown key 'proq' in instance 'a'; did you mean 'proc'? "
            "[septran-unknown-key]\n"
            "    2 |   proq: CORE\n"
            "      |   ^~~~\n"
            "      |   proc\n"
            "map.yaml:1:1: note: 'a' is declared here\n"
            "    1 | a:\n"
            "      | ^\n");
}

TEST(ClangDiagnostics, SaysThePlaceOfTextThatIsNoFile) {
  Diagnostics D;
  D.report(DiagID::DuplicateKey, Location::span("<memory>", 4, 2, 1), "100%0");
  D.report(DiagID::CannotRead, Location{}, "x", "is a directory");
  EXPECT_EQ(print(D, ""), "error: <memory>:4:2: duplicate key '100%0' [septran-duplicate-key]\n"
                          "error: cannot read 'x': is a directory [septran-cannot-read]\n");
}

TEST(ClangDiagnostics, SurvivesPlacesOutsideTheFile) {
  Diagnostics D;
  D.report(DiagID::DuplicateKey, Location::span("map.yaml", 90, 80, 70), "a");
  EXPECT_NE(print(D, "a\n").find("duplicate key 'a'"), std::string::npos);
}

} // namespace
