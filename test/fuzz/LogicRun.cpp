//===- LogicRun.cpp -------------------------------------------------------===//
#include "test/fuzz/LogicRun.h"

#include "Logic/Extract.h"
#include "Support/ClangDiagnostics.h"
#include "attrs/Attributes.h"
#include "attrs/SpelledAttributes.h"
#include "test/fuzz/Require.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Builtins.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Parse/Parser.h"
#include "clang/Sema/Sema.h"

#include <optional>
#include <sanitizer/lsan_interface.h>
#include <string>
#include <vector>

using namespace clang;
using namespace septran::compiler;

namespace septran::fuzz {

namespace {

const char Headers[] = "#include <septran/septran.h>\n"
                       "#include <algorithm>\n"
                       "#include <cmath>\n"
                       "#include <limits>\n";

/// Limits keep one run short, whatever templates and constants an input makes clang compute.
const std::vector<const char *> Flags = {
    "clang++",
    "-fsyntax-only",
    "-std=c++20",
    "-w",
    "-isystem" SEPTRAN_FUZZ_INCLUDE,
    "-resource-dir=" SEPTRAN_FUZZ_RESOURCE_DIR,
    "-USEPTRAN_CHECKED",
    "-ferror-limit=3",
    "-ftemplate-depth=64",
    "-fbracket-depth=128",
    "-fconstexpr-steps=20000",
    "-fconstexpr-depth=64",
    "-xc++",
    "fuzzed",
};

/// A compiler that has read the header and reads one input after the other, each at the end of the
/// same translation unit, from which the one before has been removed.
class KeptCompiler {
  CompilerInstance CI;
  unsigned Inputs = 0;

public:
  KeptCompiler() {
    const __lsan::ScopedDisabler NotOurs;
    CI.setInvocation(createInvocation(Flags));
    CI.createDiagnostics(new IgnoringDiagConsumer);
    CI.createTarget();
    CI.createSourceManager(*CI.createFileManager());
    CI.createPreprocessor(TU_Complete);
    Preprocessor &PP = CI.getPreprocessor();
    PP.getBuiltinInfo().initializeBuiltins(PP.getIdentifierTable(), CI.getLangOpts());
    CI.createASTContext();
    CI.setASTConsumer(std::make_unique<ASTConsumer>());
    CI.createSema(TU_Complete, /*CompletionConsumer=*/nullptr);
    PP.enableIncrementalProcessing(); // more follows the end of a file
    enter(Headers);
    PP.EnterMainSourceFile();
    parse();
    require(!CI.getDiagnostics().hasErrorOccurred(), "the header can be read");
  }

  /// What was read stays in memory until the compiler is replaced.
  bool isFull() const { return Inputs >= 1000; }

  void run(const std::string &Source) {
    ++Inputs;
    CI.getDiagnostics().Reset(/*soft=*/true);
    SpelledAttributes Spelled;
    Spelled.attachTo(CI.getPreprocessor());
    const std::vector<Decl *> Declared = parseInput(Source);
    if (!CI.getDiagnostics().hasErrorOccurred()) // else clang has answered
      check(Declared, Spelled, Source);
    CI.getPreprocessor().setTokenWatcher(nullptr);
    for (Decl *D : Declared)
      if (D->getLexicalDeclContext()->isTranslationUnit() && D->getDeclContext()->containsDecl(D))
        D->getDeclContext()->removeDecl(D);
  }

private:
  FileID enter(const std::string &Text) {
    SourceManager &SM = CI.getSourceManager();
    const FileID File = SM.createFileID(llvm::MemoryBuffer::getMemBufferCopy(Text, "fuzzed.cpp"));
    SM.setMainFileID(File);
    return File;
  }

  std::vector<Decl *> parseInput(const std::string &Source) {
    const __lsan::ScopedDisabler NotOurs;
    CI.getPreprocessor().EnterSourceFile(enter(Source), /*Dir=*/nullptr, SourceLocation());
    CI.getSema().CurContext = nullptr;
    return parse();
  }

  /// What stands on the top level of the file just entered.
  std::vector<Decl *> parse() {
    std::vector<Decl *> Declared;
    Parser P(CI.getPreprocessor(), CI.getSema(), /*SkipFunctionBodies=*/false);
    P.Initialize();
    Parser::DeclGroupPtrTy Group;
    Sema::ModuleImportState State;
    for (bool End = P.ParseFirstTopLevelDecl(Group, State); !End;
         End = P.ParseTopLevelDecl(Group, State))
      if (Group)
        for (Decl *D : Group.get())
          Declared.push_back(D);
    return Declared;
  }

  /// As the front end does with a file.
  void check(const std::vector<Decl *> &Declared, const SpelledAttributes &Spelled,
             const std::string &Source) {
    CI.getASTContext().setTraversalScope(Declared);
    Diagnostics Messages;
    const std::optional<TaskGraph> Graph = extractTaskGraph(CI, Spelled, Messages);
    if (Graph)
      printTaskGraph(*Graph);
    const bool Failed = Messages.hasErrors() || CI.getDiagnostics().hasErrorOccurred();
    require(Graph.has_value() != Failed, "a task graph or an error", Source + renderText(Messages));
    emitThroughClang(Messages, CI.getDiagnostics());
  }
};

std::optional<KeptCompiler> &kept() {
  static std::optional<KeptCompiler> Compiler;
  return Compiler;
}

} // namespace

void prepareLogicRuns() {
  registerAttributes();
  kept().emplace();
}

void runLogic(const std::string &Source) {
  if (kept()->isFull()) {
    kept().reset();
    require(!__lsan_do_recoverable_leak_check(), "all memory is freed");
    kept().emplace();
  }
  kept()->run(Source);
}

bool clangAnswers(const std::string &Text) {
  for (const char *Directive :
       {"#", "%:", "<:", "<%", "_Pragma", "__has_", "??", "//", "/*", "R\""})
    if (Text.find(Directive) != std::string::npos)
      return true;
  std::string Open;
  for (std::size_t I = 0; I < Text.size(); ++I) {
    const char C = Text[I];
    if (C == '"' || C == '\'') { // to the end of the literal, on the same line
      while (++I < Text.size() && Text[I] != C && Text[I] != '\n')
        I += Text[I] == '\\';
      if (I >= Text.size() || Text[I] == '\n')
        return true;
    }
    if (C == '\\' || C == 0)
      return true;
    if (C == '(' || C == '[' || C == '{')
      Open.push_back(C == '(' ? ')' : C == '[' ? ']' : '}');
    if (C != ')' && C != ']' && C != '}')
      continue;
    if (Open.empty() || Open.back() != C)
      return true;
    Open.pop_back();
  }
  return !Open.empty();
}

} // namespace septran::fuzz
