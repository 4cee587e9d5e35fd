//===- Retype.cpp ----------------------------------------------------------===//
//
// Edits are made where the text is written (patterns of templates, too). Instantiations are walked
// for what only they know: which function a call resolves to, and which conversions are implicit.
// Both have the same places in the text.
//
//===----------------------------------------------------------------------===//
#include "Verify/Retype.h"

#include "Verify/FloatingTypes.h"

#include "Logic/Names.h"
#include "attrs/Attributes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

#include <deque>

using namespace clang;

namespace septran::compiler {

namespace {

class Retyper : public RecursiveASTVisitor<Retyper> {
  using Base = RecursiveASTVisitor<Retyper>;

  ASTContext &Ast;
  CopiedDeclarations &Copies;
  std::set<std::string> &Tunables;
  std::optional<NoCopy> Problem;

  struct Walk {
    const Decl *D;
    bool IsInstance;
  };
  std::deque<Walk> Pending;
  llvm::DenseSet<const Decl *> Seen;
  bool InInstance = false;
  bool InLeafOfOurs = false; ///< a standard leaf names the members of septran without qualifier
  std::vector<const Stmt *> Around; ///< statements that are being walked, outermost first

public:
  Retyper(ASTContext &Ast, CopiedDeclarations &Copies, std::set<std::string> &Tunables)
      : Ast(Ast), Copies(Copies), Tunables(Tunables) {}

  std::optional<NoCopy> run(const FunctionDecl &Entry) {
    reach(&Entry, Entry.getLocation());
    while (!Problem && !Pending.empty()) {
      const Walk W = Pending.front();
      Pending.pop_front();
      InInstance = W.IsInstance;
      const auto *Named = dyn_cast<NamedDecl>(W.D);
      InLeafOfOurs = Named && isLeafOfOurs(*Named);
      TraverseDecl(const_cast<Decl *>(W.D));
    }
    return Problem;
  }

  bool shouldVisitImplicitCode() const { return false; }
  bool shouldVisitTemplateInstantiations() const { return false; }

  bool TraverseStmt(Stmt *S, DataRecursionQueue * = nullptr) {
    if (!S)
      return true;
    Around.push_back(S);
    const bool Continue = Base::TraverseStmt(S);
    Around.pop_back();
    return Continue && !Problem;
  }

  // Types as they are written.
  bool VisitBuiltinTypeLoc(BuiltinTypeLoc T) {
    if (InInstance || T.getBeginLoc().isInvalid())
      return true;
    if (const std::optional<std::string> Real = realTypeOf(T.getType()))
      return replace(T.getSourceRange(), *Real, "this spelling of a floating-point type");
    if (T.getType()->isRealFloatingType())
      return refuse("the type '" + spell(T.getType(), Ast) + "'", T.getBeginLoc());
    return true;
  }
  bool TraverseElaboratedTypeLoc(ElaboratedTypeLoc T) {
    if (replaceNamedType(T))
      return !Problem;
    if (isGlobal(T.getQualifierLoc()))
      if (const NamedDecl *D = declaredBy(T.getNamedTypeLoc().getType()); D && isUsers(*D))
        qualifyGlobal(T.getQualifierLoc(), "::septran_reference");
    return Base::TraverseElaboratedTypeLoc(T);
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc T) {
    return reach(T.getTypedefNameDecl(), T.getBeginLoc());
  }
  bool VisitUsingTypeLoc(UsingTypeLoc T) { return reach(T.getFoundDecl(), T.getBeginLoc()); }
  bool VisitRecordTypeLoc(RecordTypeLoc T) { return reach(T.getDecl(), T.getBeginLoc()); }
  bool VisitInjectedClassNameTypeLoc(InjectedClassNameTypeLoc T) {
    return reach(T.getDecl(), T.getBeginLoc());
  }
  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc T) {
    return reachTemplate(T.getTypePtr()->getTemplateName(), T.getTemplateNameLoc());
  }
  bool VisitDeducedTemplateSpecializationTypeLoc(DeducedTemplateSpecializationTypeLoc T) {
    return reachTemplate(T.getTypePtr()->getTemplateName(), T.getTemplateNameLoc());
  }
  bool VisitVectorTypeLoc(VectorTypeLoc T) {
    return !T.getType()->hasFloatingRepresentation() ||
           refuse("a vector of floating-point numbers", T.getNameLoc());
  }
  bool TraverseTemplateName(TemplateName Name) {
    return reachTemplate(Name, SourceLocation()) && Base::TraverseTemplateName(Name);
  }
  bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc Q) {
    if (!Q)
      return true;
    const NestedNameSpecifier *N = Q.getNestedNameSpecifier();
    if (N->getKind() == NestedNameSpecifier::NamespaceAlias)
      reach(N->getAsNamespaceAlias(), Q.getBeginLoc());
    if (isGlobal(Q.getPrefix()))
      qualifyGlobal(Q, "::septran_reference");
    return !Problem && Base::TraverseNestedNameSpecifierLoc(Q);
  }

  // Declarations inside of what is copied.
  bool VisitFunctionDecl(FunctionDecl *F) {
    if (InInstance || !F->doesThisDeclarationHaveABody() || !isTaskOrLeaf(*F))
      return true;
    const auto *Body = dyn_cast<CompoundStmt>(F->getBody());
    return !Body || wrap(SourceRange(Body->getLBracLoc()), 0, "",
                         " const ::septran::verify::primitive_scope septran_primitive(\"" +
                             F->getNameAsString() + "\");",
                         "the beginning of this function");
  }
  bool VisitVarDecl(VarDecl *V) {
    if (!InInstance && findAttribute(V, AttributeKind::Tunable))
      return tunable(*V);
    return true;
  }
  bool VisitRecordDecl(RecordDecl *R) {
    if (R->isUnion())
      for (const FieldDecl *F : R->fields())
        if (holdsFloating(F->getType()))
          return refuse("a union with a floating-point member", F->getLocation());
    return true;
  }
  bool TraverseTypeLoc(TypeLoc T) { return !Problem && Base::TraverseTypeLoc(T); }

  // Expressions.
  bool VisitFloatingLiteral(FloatingLiteral *L) {
    if (InInstance)
      return true;
    const std::optional<std::string> Real = realTypeOf(L->getType());
    if (!Real)
      return refuse("a constant of type '" + spell(L->getType(), Ast) + "'", L->getLocation());
    if (!L->getBeginLoc().isMacroID() || isWrittenInArgument(L->getBeginLoc()))
      return wrap(L->getSourceRange(), 0, *Real + "(", ")", "this constant");
    return liftMacro(L->getLocation());
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *C) {
    if (C->isPartOfExplicitCast())
      return true;
    if (C->getCastKind() == CK_FloatingToIntegral || C->getCastKind() == CK_FloatingToBoolean)
      return wrap(C->getSourceRange(), 2, "::septran::verify::implicit(", ")", "this conversion");
    return true;
  }
  bool VisitCastExpr(CastExpr *C) {
    switch (C->getCastKind()) {
    case CK_BitCast:
    case CK_LValueBitCast:
    case CK_LValueToRValueBitCast:
    case CK_PointerToIntegral:
    case CK_IntegralToPointer:
      if (pointsToFloating(C->getType()) || pointsToFloating(C->getSubExpr()->getType()) ||
          (C->getCastKind() != CK_BitCast &&
           (holdsFloating(C->getType()) || holdsFloating(C->getSubExpr()->getType()))))
        return refuse("a look at the bytes of floating-point numbers", C->getExprLoc());
      return true;
    default:
      return true;
    }
  }
  bool VisitBuiltinBitCastExpr(BuiltinBitCastExpr *C) {
    return refuse("a look at the bits of a number", C->getExprLoc());
  }
  bool VisitConditionalOperator(ConditionalOperator *C) {
    return branch(C->getTrueExpr()) && branch(C->getFalseExpr());
  }
  bool VisitUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *E) {
    if (InInstance || E->getKind() != UETT_SizeOf)
      return true;
    if (!E->isArgumentType())
      return !(E->getTypeOfArgument()->isDependentType() ||
               holdsFloating(E->getTypeOfArgument())) ||
             refuse("the size of a floating-point number", E->getOperatorLoc());
    const QualType T = E->getArgumentType();
    if (T->isRecordType() && holdsFloating(T) && !realTypeOf(T))
      return refuse("the size of a class of floating-point numbers", E->getOperatorLoc());
    if (!T->isDependentType() && !holdsFloating(T))
      return true;
    const TypeLoc Written = E->getArgumentTypeInfo()->getTypeLoc();
    return wrap(Written.getSourceRange(), 1, "::septran::verify::size_of<", ">", "this type") &&
           replace(SourceRange(E->getOperatorLoc()), " ", "sizeof in a macro");
  }
  bool VisitCallExpr(CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F)
      return true;
    if (F->isVariadic())
      for (unsigned I = F->getNumParams(); I < C->getNumArgs(); ++I) {
        const Expr *A = C->getArg(I);
        if (holdsFloating(A->IgnoreImpCasts()->getType()) &&
            !wrap(A->getSourceRange(), 2, "::septran::verify::plain(", ")", "this argument"))
          return false;
      }
    if (F->isInStdNamespace() && F->getDeclName().isIdentifier() && F->getName() == "bit_cast" &&
        (holdsFloating(F->getReturnType()) || holdsFloating(C->getArg(0)->getType())))
      return refuse("a look at the bits of a floating-point number", C->getExprLoc());
    return knownRounding(*F, C->getExprLoc());
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    const ValueDecl &D = *E->getDecl();
    // Operators written as such have no name to qualify.
    if (!isa<CXXMethodDecl>(D) && D.getDeclName().isIdentifier())
      qualify(D, E->hasQualifier(), E->getLocation());
    if (isGlobal(E->getQualifierLoc())) {
      if (isUsers(D))
        qualifyGlobal(E->getQualifierLoc(), "::septran_reference");
      else if (isa<FunctionDecl>(D) && hasErrorBound(D.getNameAsString()))
        qualifyGlobal(E->getQualifierLoc(), "::septran_reference::std");
    }
    if (E->getFoundDecl() != E->getDecl() && !reach(E->getFoundDecl(), E->getLocation()))
      return false;
    return reach(E->getDecl(), E->getLocation());
  }
  bool VisitMemberExpr(MemberExpr *E) {
    const auto *Parent = dyn_cast<CXXRecordDecl>(E->getMemberDecl()->getDeclContext());
    // The class behind septran::float16 and its kind; conversions are made by the types alone.
    if (Parent && isSmallFloatClass(*Parent) && isa<CXXMethodDecl>(E->getMemberDecl()) &&
        !isa<CXXConversionDecl>(E->getMemberDecl()) &&
        E->getMemberDecl()->getDeclName().isIdentifier())
      return refuse("the bits of a floating-point number", E->getMemberLoc());
    return reach(E->getMemberDecl(), E->getMemberLoc());
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    return reach(E->getConstructor(), E->getLocation());
  }
  bool VisitConceptSpecializationExpr(ConceptSpecializationExpr *E) {
    return concept_(*E->getNamedConcept(), E->getNestedNameSpecifierLoc().hasQualifier(),
                    E->getConceptNameLoc());
  }
  bool TraverseTypeConstraint(const TypeConstraint *C) {
    return concept_(*C->getNamedConcept(), C->getNestedNameSpecifierLoc().hasQualifier(),
                    C->getConceptNameLoc()) &&
           Base::TraverseTypeConstraint(C);
  }
  bool VisitAsmStmt(AsmStmt *S) { return refuse("assembly", S->getAsmLoc()); }

private:
  bool refuse(const std::string &Reason, SourceLocation Loc) {
    if (!Problem)
      Problem = NoCopy{Reason, Loc};
    return false;
  }
  bool replace(SourceRange Tokens, const std::string &Text, const std::string &What) {
    return Copies.replace(Tokens, Text) ||
           refuse(What + ", which a macro makes", Tokens.getBegin());
  }
  bool wrap(SourceRange Tokens, unsigned Level, const std::string &Before, const std::string &After,
            const std::string &What) {
    return Copies.wrap(Tokens, Level, Before, After) ||
           refuse(What + ", which cannot be replaced where it is", Tokens.getBegin());
  }

  bool isWrittenInArgument(SourceLocation Loc) const {
    const SourceManager &SM = Ast.getSourceManager();
    while (Loc.isMacroID()) {
      if (!SM.isMacroArgExpansion(Loc))
        return false;
      Loc = SM.getImmediateSpellingLoc(Loc);
    }
    return true;
  }

  /// A constant inside of a macro: the macro's use as a whole becomes a real.
  bool liftMacro(SourceLocation Loc) {
    for (auto S = Around.rbegin(); S != Around.rend(); ++S)
      if (const auto *E = dyn_cast<Expr>(*S); E && Copies.hasText(E->getSourceRange()))
        return wrap(E->getSourceRange(), 0, "::septran::verify::lift(", ")", "this constant");
    return refuse("a floating-point constant inside of a macro", Loc);
  }

  /// Types with a name: the small float types, and the floating-point typedefs of system headers.
  bool replaceNamedType(ElaboratedTypeLoc T) {
    const QualType Named = T.getNamedTypeLoc().getType();
    const auto *Typedef = Named->getAs<TypedefType>();
    const bool FromSystem = Typedef && !isUsers(*Typedef->getDecl()) && !Named->isDependentType();
    const auto *Record = Named->getAsCXXRecordDecl();
    const bool IsSmall =
        Record && isSmallFloat(Named) && !(Typedef && isUsers(*Typedef->getDecl()));
    if (!IsSmall && !(FromSystem && Named->isRealFloatingType() && !isMember(*Typedef->getDecl())))
      return false;
    if (InInstance)
      return true;
    const std::optional<std::string> Real = realTypeOf(Named);
    if (!Real)
      refuse("the type '" + spell(Named, Ast) + "'", T.getBeginLoc());
    else
      replace(T.getSourceRange(), *Real, "this spelling of a floating-point type");
    return true;
  }

  /// The arms of ?: are brought to one type by a built-in conversion.
  bool branch(const Expr *E) {
    const auto *C = dyn_cast<ImplicitCastExpr>(E);
    if (!C || !C->getType()->isRealFloatingType() || C->getType()->isDependentType())
      return true;
    const QualType From = C->getSubExpr()->getType();
    if (C->getCastKind() == CK_LValueToRValue || C->getCastKind() == CK_NoOp ||
        Ast.hasSameUnqualifiedType(From, C->getType()))
      return true;
    const std::optional<std::string> Real = realTypeOf(C->getType());
    return !Real || wrap(C->getSourceRange(), 1, *Real + "(", ")", "this conversion");
  }

  bool tunable(const VarDecl &V) {
    const Expr *Init = V.getInit();
    const auto *F = dyn_cast_or_null<FunctionDecl>(V.getDeclContext());
    if (!Init || !F)
      return true;
    const std::string Name = F->getNameAsString() + "." + V.getNameAsString();
    Tunables.insert(Name);
    if (const auto *List = dyn_cast<InitListExpr>(Init); List && List->getNumInits() == 1)
      Init = List->getInit(0);
    return wrap(Init->getSourceRange(), 3, "::septran::verify::tunable(\"" + Name + "\", ", ")",
                "this tunable");
  }

  /// Names of std and of standard leaves get their qualifier, so that the copy finds its own.
  void qualify(const NamedDecl &D, bool HasQualifier, SourceLocation Name) {
    if (HasQualifier || InLeafOfOurs || Name.isInvalid())
      return;
    if (isLeafOfOurs(D))
      Copies.wrap(SourceRange(Name), 0, "septran::", "");
    else if (D.isInStdNamespace() && D.getDeclContext()->isFileContext())
      Copies.wrap(SourceRange(Name), 0, "std::", "");
  }
  bool concept_(const ConceptDecl &C, bool HasQualifier, SourceLocation Name) {
    if (!InInstance)
      qualify(C, HasQualifier, Name);
    return reach(&C, Name);
  }

  /// `::f` and `::ns::f`, but the copy's.
  void qualifyGlobal(NestedNameSpecifierLoc Q, const std::string &With) {
    if (!InInstance)
      Copies.wrap(SourceRange(Q.getBeginLoc()), 0, With, "");
  }
  static bool isGlobal(NestedNameSpecifierLoc Q) {
    return Q && Q.getNestedNameSpecifier()->getKind() == NestedNameSpecifier::Global;
  }

  /// Functions of system headers have error bounds, or take no floating-point number.
  bool knownRounding(const FunctionDecl &F, SourceLocation Use) {
    if (isUsers(F) || F.isTemplateInstantiation() || isa<CXXMethodDecl>(F))
      return true;
    bool Floating = holdsFloating(F.getReturnType());
    for (const ParmVarDecl *P : F.parameters())
      Floating |= holdsFloating(P->getType()) || pointsToFloating(P->getType());
    if (!Floating || isInSeptran(F))
      return true;
    // INFINITY, NAN and their kind are constants.
    if (Use.isMacroID() && !isWrittenInArgument(Use))
      return liftMacro(Use);
    const std::string Name = F.getNameAsString();
    return hasErrorBound(Name) || refuse("'" + Name + "', whose rounding is not known", Use);
  }

  bool isUsers(const Decl &D) const {
    // Clang declares a builtin where it is used first.
    if (const auto *F = dyn_cast<FunctionDecl>(&D); F && F->isImplicit() && F->getBuiltinID() != 0)
      return false;
    const SourceManager &SM = Ast.getSourceManager();
    return D.getLocation().isValid() && !isInNamespaceSeptran(D) &&
           !SM.isInSystemHeader(SM.getExpansionLoc(D.getLocation()));
  }
  static bool isLeafOfOurs(const NamedDecl &D) {
    const FunctionDecl *F = D.getAsFunction();
    return F && isInSeptran(*F) && isTaskOrLeaf(*F);
  }
  /// What the written name of a type stands for.
  static const NamedDecl *declaredBy(QualType T) {
    if (const auto *Named = dyn_cast<TypedefType>(T.getTypePtr()))
      return Named->getDecl();
    if (const auto *Named = dyn_cast<TemplateSpecializationType>(T.getTypePtr()))
      return Named->getTemplateName().getAsTemplateDecl();
    return T->getAsCXXRecordDecl();
  }
  static bool isMember(const Decl &D) { return D.getDeclContext()->isRecord(); }

  bool reachTemplate(TemplateName Name, SourceLocation Use) {
    if (const UsingShadowDecl *Shadow = Name.getAsUsingShadowDecl())
      reach(Shadow, Use);
    const TemplateDecl *T = Name.getAsTemplateDecl();
    if (T && !isa<TemplateTemplateParmDecl>(T) && !InInstance)
      qualifyTemplate(*T, Name, Use);
    return !T || reach(T, Use);
  }
  void qualifyTemplate(const TemplateDecl &T, TemplateName Name, SourceLocation Use) {
    const bool HasQualifier =
        Name.getAsQualifiedTemplateName() && Name.getAsQualifiedTemplateName()->getQualifier();
    if (Use.isValid() && hasShadow(T.getNameAsString()))
      qualify(T, HasQualifier, Use);
  }

  bool reach(const NamedDecl *D, SourceLocation Use);
  bool reachFunction(const FunctionDecl &F, SourceLocation Use);
  void copy(const Decl *D);
  void copyOne(const Decl *D);
};

/// The declaration at namespace scope that `D` is or is a part of; null inside of functions.
const Decl *outermost(const Decl *D) {
  while (true) {
    if (const auto *Instance = dyn_cast<ClassTemplateSpecializationDecl>(D);
        Instance && !Instance->isExplicitSpecialization())
      D = Instance->getSpecializedTemplate();
    else if (const auto *Instance = dyn_cast<VarTemplateSpecializationDecl>(D);
             Instance && !Instance->isExplicitSpecialization())
      D = Instance->getSpecializedTemplate();
    else if (const TemplateDecl *Template = D->getDescribedTemplate())
      D = Template;
    const DeclContext *Context = D->getDeclContext();
    if (Context->isFunctionOrMethod())
      return nullptr;
    if (!Context->isRecord())
      return D;
    D = Decl::castFromDeclContext(Context);
  }
}

bool Retyper::reach(const NamedDecl *D, SourceLocation Use) {
  if (!D || Problem)
    return !Problem;
  if (const auto *Shadow = dyn_cast<UsingShadowDecl>(D)) {
    const BaseUsingDecl *Introducer = Shadow->getIntroducer();
    if (isUsers(*Introducer) && Introducer->getDeclContext()->isFileContext())
      copyOne(Introducer);
    return reach(Shadow->getTargetDecl(), Use);
  }
  if (const auto *F = dyn_cast<FunctionDecl>(D))
    return reachFunction(*F, Use);
  const auto *V = dyn_cast<VarDecl>(D);
  if (V && (V->isLocalVarDeclOrParm() || V->isInitCapture()))
    return true;
  if (!isUsers(*D))
    return true;
  if (V && !V->getDefinition() && !V->getTemplateInstantiationPattern() &&
      !V->isStaticDataMember() && !V->getDescribedVarTemplate())
    return holdsFloating(V->getType())
               ? refuse("'" + V->getNameAsString() + "', which has no definition here", Use)
               : true;
  if (isa<TypedefNameDecl, TypeAliasTemplateDecl, RecordDecl, ClassTemplateDecl, VarDecl,
          VarTemplateDecl, ConceptDecl, NamespaceAliasDecl>(D) ||
      D->getDeclContext()->isRecord())
    copy(D);
  return true;
}

bool Retyper::reachFunction(const FunctionDecl &F, SourceLocation Use) {
  if (!isUsers(F) && !isLeafOfOurs(F))
    return true;
  const FunctionDecl *Written = F.getTemplateInstantiationPattern();
  if (!Written)
    Written = &F;
  const bool IsMember = isa<CXXMethodDecl>(F);
  if (!outermost(IsMember ? static_cast<const Decl *>(cast<CXXMethodDecl>(F).getParent())
                          : Written))
    return true; // of a local class: its text is walked where it stands
  if (IsMember)
    copy(cast<CXXMethodDecl>(F).getParent());
  if (F.isImplicit() || F.isDefaulted() || F.isDeleted())
    return true;
  const FunctionDecl *Definition = nullptr;
  if (!Written->isDefined(Definition)) {
    bool Floating = holdsFloating(F.getReturnType()) || F.isTemplateInstantiation();
    for (const ParmVarDecl *P : F.parameters())
      Floating |= involvesFloating(P->getType());
    return Floating && !F.isPureVirtual()
               ? refuse("'" + F.getNameAsString() + "', which has no definition here", Use)
               : true;
  }
  if (IsMember && Definition->getLexicalDeclContext()->isFileContext())
    copyOne(Definition->getDescribedFunctionTemplate()
                ? static_cast<const Decl *>(Definition->getDescribedFunctionTemplate())
                : Definition);
  if (!IsMember) {
    if (const FunctionTemplateDecl *Template = F.getPrimaryTemplate())
      copy(Template->getInstantiatedFromMemberTemplate() ? nullptr : Template);
    if (!F.isTemplateInstantiation())
      copy(Written);
  }
  const FunctionDecl *Instance = nullptr;
  if (F.isTemplateInstantiation() && F.isDefined(Instance) && Seen.insert(Instance).second)
    Pending.push_back({Instance, true});
  return true;
}

void Retyper::copy(const Decl *D) {
  D = D ? outermost(D) : nullptr;
  if (!D)
    return;
  for (const Decl *Redeclared : D->redecls())
    if (Redeclared->getLexicalDeclContext()->isFileContext() && !Redeclared->isImplicit())
      copyOne(Redeclared);
  if (const auto *Instance = dyn_cast<ClassTemplateSpecializationDecl>(D))
    copy(Instance->getSpecializedTemplate());
  const auto *Template = dyn_cast<ClassTemplateDecl>(D);
  if (!Template || !Seen.insert(Template->getCanonicalDecl()).second)
    return;
  for (const ClassTemplateSpecializationDecl *Special : Template->specializations())
    if (Special->isExplicitSpecialization() && isUsers(*Special))
      copyOne(Special);
  SmallVector<ClassTemplatePartialSpecializationDecl *, 4> Partial;
  const_cast<ClassTemplateDecl *>(Template)->getPartialSpecializations(Partial);
  for (const ClassTemplatePartialSpecializationDecl *Special : Partial)
    if (isUsers(*Special))
      copyOne(Special);
}

void Retyper::copyOne(const Decl *D) {
  if (!Copies.add(D))
    return;
  Pending.push_back({D, false});
  // What shares its text with others is copied with them.
  if (isa<VarDecl, TypedefDecl>(D))
    for (const Decl *Other : D->getLexicalDeclContext()->decls())
      if (Other != D && Other->getBeginLoc() == D->getBeginLoc())
        copyOne(Other);
}

} // namespace

std::optional<NoCopy> retype(ASTContext &Ast, const FunctionDecl &Entry, CopiedDeclarations &Copies,
                             std::set<std::string> &Tunables) {
  return Retyper(Ast, Copies, Tunables).run(Entry);
}

} // namespace septran::compiler
