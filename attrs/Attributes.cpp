//===- Attributes.cpp ----------------------------------------------*- C++ -*-===//
#include "attrs/Attributes.h"

#include "Support/Diagnostics.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace septran::compiler {

namespace {

constexpr llvm::StringLiteral Annotations[] = {"septran::task", "septran::leaf", "septran::write",
                                               "septran::reduce", "septran::tunable"};

llvm::StringRef annotationOf(AttributeKind Kind) { return Annotations[static_cast<size_t>(Kind)]; }

/// Without the scope.
llvm::StringRef nameOf(AttributeKind Kind) {
  return annotationOf(Kind).substr(llvm::StringRef("septran::").size());
}

template <class... Ts> void reportError(Sema &S, SourceRange Range, DiagID ID, const Ts &...Args) {
  unsigned Custom = S.getDiagnostics().getCustomDiagID(DiagnosticsEngine::Error, "%0");
  S.Diag(Range.getBegin(), Custom)
      << formatMessage(ID, {toDiagArg(Args)...}) + " [septran-" + compiler::nameOf(ID) + "]"
      << Range;
}

/// Reduction operators, for the message about others as well.
bool isReductionName(llvm::StringRef Text) {
  return Text == "+" || Text == "*" || Text == "min" || Text == "max";
}

bool isIdentifierText(llvm::StringRef Text) {
  return !Text.empty() && !isDigit(Text[0]) &&
         llvm::all_of(Text, [](char C) { return isAsciiIdentifierContinue(C); });
}

/// One attribute: where it may stand and what argument it takes.
class SeptranAttrInfo : public ParsedAttrInfo {
  AttributeKind Kind;

  llvm::StringRef name() const { return nameOf(Kind); }

  bool acceptsSubject(const Decl *D) const {
    switch (Kind) {
    case AttributeKind::Task:
    case AttributeKind::Leaf: {
      const auto *Method = dyn_cast<CXXMethodDecl>(D);
      return isa<FunctionDecl>(D) && (!Method || Method->isStatic());
    }
    case AttributeKind::Write:
    case AttributeKind::Reduce:
      return isa<ParmVarDecl>(D);
    case AttributeKind::Tunable: {
      const auto *V = dyn_cast<VarDecl>(D);
      const auto *Owner = V ? dyn_cast<FunctionDecl>(V->getDeclContext()) : nullptr;
      return Owner && V->isLocalVarDecl() && !V->isStaticLocal() &&
             findAttribute(Owner, AttributeKind::Task);
    }
    }
    return false;
  }

  /// The alternative in the text of AttributeSubject.
  unsigned subjectIndex() const {
    switch (Kind) {
    case AttributeKind::Task:
    case AttributeKind::Leaf:
      return 0;
    case AttributeKind::Write:
    case AttributeKind::Reduce:
      return 1;
    case AttributeKind::Tunable:
      return 2;
    }
    return 0;
  }

  /// The checked string argument, or null after an error.
  Expr *checkedArgument(Sema &S, const ParsedAttr &Attr) const {
    // A lone identifier reaches plugin attributes as an IdentifierLoc, not as an expression.
    if (!Attr.isArgExpr(0)) {
      reportError(S, Attr.getArgAsIdent(0)->Loc, DiagID::AttributeString, name());
      return nullptr;
    }
    Expr *E = Attr.getArgAsExpr(0);
    const auto *Literal = dyn_cast<StringLiteral>(E->IgnoreParenImpCasts());
    if (!Literal || !Literal->isOrdinary()) {
      reportError(S, E->getSourceRange(), DiagID::AttributeString, name());
      return nullptr;
    }
    llvm::StringRef Text = Literal->getString();
    if (Kind == AttributeKind::Reduce && !isReductionName(Text)) {
      reportError(S, E->getSourceRange(), DiagID::ReduceOperator, Text);
      return nullptr;
    }
    if (Kind != AttributeKind::Reduce && !isIdentifierText(Text)) {
      reportError(S, E->getSourceRange(), DiagID::FamilyName, Text);
      return nullptr;
    }
    return E;
  }

  /// Task with leaf, write with reduce, and anything twice.
  bool conflicts(Sema &S, const Decl *D, const ParsedAttr &Attr) const {
    auto ConflictsWith = [&](AttributeKind Other) {
      for (const auto *A : D->specific_attrs<AnnotateAttr>()) {
        if (A->isInherited() || A->getAnnotation() != annotationOf(Other))
          continue;
        reportError(S, Attr.getRange(), DiagID::AttributeConflict, name(), nameOf(Other));
        return true;
      }
      return false;
    };
    switch (Kind) {
    case AttributeKind::Task:
      return ConflictsWith(AttributeKind::Task) || ConflictsWith(AttributeKind::Leaf);
    case AttributeKind::Leaf:
      return ConflictsWith(AttributeKind::Leaf) || ConflictsWith(AttributeKind::Task);
    case AttributeKind::Write:
      return ConflictsWith(AttributeKind::Write) || ConflictsWith(AttributeKind::Reduce);
    case AttributeKind::Reduce:
      return ConflictsWith(AttributeKind::Reduce) || ConflictsWith(AttributeKind::Write);
    case AttributeKind::Tunable:
      return ConflictsWith(AttributeKind::Tunable);
    }
    return false;
  }

public:
  SeptranAttrInfo(AttributeKind Kind, ArrayRef<Spelling> Spelled) : Kind(Kind) {
    Spellings = Spelled;
    OptArgs = 15; // the most there is: the count is checked here, so that the message is ours
  }

  bool diagAppertainsToDecl(Sema &S, const ParsedAttr &Attr, const Decl *D) const override {
    // The unscoped spelling is registered for one purpose: without it clang 19 drops the arguments
    // of the scoped one, because its test "is this attribute known" forgets the scope.
    if (!Attr.hasScope()) {
      S.Diag(Attr.getLoc(), diag::warn_unknown_attribute_ignored) << Attr;
      return false;
    }
    if (acceptsSubject(D))
      return true;
    reportError(S, Attr.getRange(), DiagID::AttributeSubject, name(), subjectIndex());
    return false;
  }

  bool diagAppertainsToStmt(Sema &S, const ParsedAttr &Attr, const Stmt *) const override {
    if (Attr.hasScope())
      reportError(S, Attr.getRange(), DiagID::AttributeSubject, name(), subjectIndex());
    else
      S.Diag(Attr.getLoc(), diag::warn_unknown_attribute_ignored) << Attr;
    return false;
  }

  AttrHandling handleDeclAttribute(Sema &S, Decl *D, const ParsedAttr &Attr) const override {
    const unsigned Least = Kind == AttributeKind::Reduce;
    const unsigned Most = Kind == AttributeKind::Write || Kind == AttributeKind::Tunable ? 0 : 1;
    if (Attr.getNumArgs() < Least || Attr.getNumArgs() > Most) {
      reportError(S, Attr.getRange(), DiagID::AttributeArity, name(), Least + Most,
                  Attr.getNumArgs());
      return AttributeNotApplied;
    }
    if (conflicts(S, D, Attr))
      return AttributeNotApplied;
    SmallVector<Expr *, 1> Args;
    if (Attr.getNumArgs() == 1) {
      Expr *E = checkedArgument(S, Attr);
      if (!E)
        return AttributeNotApplied;
      Args.push_back(E);
    }
    // Made from the range alone: clang's spelling tables have no entry for plugin attributes.
    D->addAttr(AnnotateAttr::Create(S.Context, annotationOf(Kind), Args.data(), Args.size(),
                                    Attr.getRange()));
    return AttributeApplied;
  }
};

/// clang default-constructs registered classes, so every attribute is a class.
template <AttributeKind TheKind> class Registered : public SeptranAttrInfo {
  static ArrayRef<Spelling> spellings() {
    static const Spelling Both[] = {{ParsedAttr::AS_CXX11, annotationOf(TheKind).data()},
                                    {ParsedAttr::AS_CXX11, nameOf(TheKind).data()}};
    return Both;
  }

public:
  Registered() : SeptranAttrInfo(TheKind, spellings()) {}
};

template <AttributeKind Kind> void registerOne() {
  static ParsedAttrInfoRegistry::Add<Registered<Kind>> Entry(annotationOf(Kind), "");
}

} // namespace

void registerAttributes() {
  registerOne<AttributeKind::Task>();
  registerOne<AttributeKind::Leaf>();
  registerOne<AttributeKind::Write>();
  registerOne<AttributeKind::Reduce>();
  registerOne<AttributeKind::Tunable>();
}

const std::vector<std::string> &attributeNames() {
  static const std::vector<std::string> Names = {"leaf", "reduce", "task", "tunable", "write"};
  return Names;
}

const AnnotateAttr *findAttribute(const Decl *D, AttributeKind Kind) {
  if (!D->hasAttrs())
    return nullptr;
  for (const auto *A : D->specific_attrs<AnnotateAttr>())
    if (A->getAnnotation() == annotationOf(Kind))
      return A;
  return nullptr;
}

std::optional<std::string> attributeArgument(const AnnotateAttr &A) {
  if (A.args_size() == 0)
    return std::nullopt;
  // Sema may have wrapped the literal in a ConstantExpr or a decay to a pointer.
  const Expr *E = (*A.args_begin())->IgnoreParenImpCasts();
  if (const auto *C = dyn_cast<ConstantExpr>(E))
    E = C->getSubExpr()->IgnoreParenImpCasts();
  if (const auto *Literal = dyn_cast<StringLiteral>(E))
    return Literal->getString().str();
  return std::nullopt;
}

} // namespace septran::compiler
