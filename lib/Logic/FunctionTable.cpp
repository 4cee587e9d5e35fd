//===- FunctionTable.cpp -------------------------------------------*- C++ -*-===//
#include "Logic/FunctionTable.h"

#include "Logic/Names.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace septran::compiler {

namespace {

UpdateOp reductionNamed(llvm::StringRef Name) {
  return Name == "+"     ? UpdateOp::Add
         : Name == "*"   ? UpdateOp::Mul
         : Name == "min" ? UpdateOp::Min
                         : UpdateOp::Max;
}

/// The attribute on the parameter, or on the same parameter of the template.
const AnnotateAttr *findOnParameter(const FunctionDecl &F, unsigned Index, AttributeKind Kind) {
  if (const AnnotateAttr *A = findAttribute(F.getParamDecl(Index), Kind))
    return A;
  const FunctionDecl *Pattern = F.getTemplateInstantiationPattern();
  return Pattern && Index < Pattern->getNumParams()
             ? findAttribute(Pattern->getParamDecl(Index), Kind)
             : nullptr;
}

const FunctionDecl &writtenDeclaration(const FunctionDecl &F) {
  const FunctionDecl *Pattern = F.getTemplateInstantiationPattern();
  return Pattern ? *Pattern : F;
}

/// As code after the declaration calls it: an instantiation with all its arguments.
std::string callName(const FunctionDecl &F, const ASTContext &Ast) {
  std::string Name = qualifiedName(F);
  const TemplateArgumentList *Args = F.getTemplateSpecializationArgs();
  if (!Args)
    return Name;
  PrintingPolicy Policy(Ast.getLangOpts());
  Policy.PrintCanonicalTypes = true;
  Policy.SuppressUnwrittenScope = true;
  llvm::raw_string_ostream OS(Name);
  printTemplateArgumentList(OS, Args->asArray(), Policy);
  return Name;
}

std::string signature(const FunctionDecl &F, const ASTContext &Ast) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  F.getNameForDiagnostic(OS, Ast.getPrintingPolicy(), /*Qualified=*/false);
  return Text;
}

} // namespace

std::shared_ptr<const Function> FunctionTable::declare(const FunctionDecl &F, const Location &Use) {
  const FunctionDecl *Definition = F.getDefinition();
  if (Definition && !Definition->getBody()) // deleted
    Definition = nullptr;
  const FunctionDecl *Key = Definition ? Definition : F.getCanonicalDecl();
  auto [It, New] = Known.try_emplace(Key, Entries.size());
  if (!New)
    return Entries[It->second].F;
  Entries.push_back({Definition, nullptr});
  if (!Definition) {
    D.report(DiagID::NoDefinition, Use, F.getNameAsString())
        .note(DiagID::NoteDeclared, Places.range(F.getNameInfo().getSourceRange()),
              F.getNameAsString());
    return nullptr;
  }
  std::shared_ptr<Function> Made = make(*Definition);
  Entries.back().F = Made;
  return Made;
}

std::shared_ptr<Function> FunctionTable::make(const FunctionDecl &Definition) {
  const FunctionDecl &Written = writtenDeclaration(Definition);
  auto Result = std::make_shared<Function>();
  Function &F = *Result;
  F.Name = Definition.getNameAsString();
  F.Family = familyOf(Definition);
  F.QualifiedName = qualifiedName(Definition);
  F.CallName = callName(Definition, Ast);
  F.Signature = signature(Definition, Ast);
  F.Kind =
      findOnFunction(Definition, AttributeKind::Task) ? FunctionKind::Task : FunctionKind::Leaf;
  F.Loc = Places.range(Written.getNameInfo().getSourceRange());
  F.InMainFile = Places.isInMainFile(Written.getLocation());
  F.IsTemplate = Definition.isTemplateInstantiation();
  F.IsEntryCandidate = F.Kind == FunctionKind::Task && F.InMainFile && !F.IsTemplate;
  if (std::optional<SourceText> Text = Places.text(Written.getBody()->getSourceRange()))
    F.BodyText = *Text;
  if (std::optional<SourceText> Text = definitionText(Written))
    F.DefinitionText = *Text;

  bool Accepted = true;
  if (!Definition.getReturnType()->isVoidType()) {
    D.report(DiagID::ReturnType,
             Places.range(Written.getReturnTypeSourceRange().isValid()
                              ? Written.getReturnTypeSourceRange()
                              : Written.getNameInfo().getSourceRange()),
             F.Name, spell(Definition.getReturnType(), Ast));
    Accepted = false;
  }
  if (Definition.isVariadic()) {
    D.report(DiagID::ParameterType, F.Loc, "...", "any number of arguments");
    Accepted = false;
  }
  for (unsigned I = 0; I < Definition.getNumParams(); ++I)
    Accepted &= addParameter(Definition, I, F);
  return Accepted ? Result : nullptr;
}

bool FunctionTable::addParameter(const FunctionDecl &Definition, unsigned Index, Function &Result) {
  const ParmVarDecl &P = *Definition.getParamDecl(Index);
  const QualType Type = P.getType();
  Parameter Param;
  Param.IsNamed = P.getIdentifier() != nullptr;
  Param.Name = Param.IsNamed ? P.getNameAsString() : "arg" + std::to_string(Index);
  Param.Loc = Places.range(SourceRange(P.getLocation()));
  const AnnotateAttr *Write = findOnParameter(Definition, Index, AttributeKind::Write);
  const AnnotateAttr *Reduce = findOnParameter(Definition, Index, AttributeKind::Reduce);
  auto Reject = [&](DiagID ID, auto... Args) {
    D.report(ID, Param.Loc, Args...);
    return false;
  };

  std::optional<TensorType> Tensor = tensorTypeOf(Type);
  if (Tensor && classify(Type) != TypeKind::Tensor)
    Tensor.reset(); // a local by reference
  std::optional<ScalarType> Scalar = scalarTypeOf(Type);
  const bool ByMutableReference =
      Type->isReferenceType() && !Type.getNonReferenceType().isConstQualified();
  if (!Tensor && (!Scalar || ByMutableReference))
    return Reject(DiagID::ParameterType, Param.Name, spell(Type, Ast));
  if (Tensor && !Tensor->Element)
    return Reject(DiagID::ElementType, spell(Tensor->ElementType, Ast));
  if ((Write || Reduce) && (!Tensor || Tensor->Const))
    return Reject(DiagID::NotWritable, Write ? "write" : "reduce", Param.Name, Tensor ? 1 : 0);

  if (Scalar) {
    Param.Scalar = makeVar(Param.Name, *Scalar, VarKind::Parameter, Param.Loc.start());
  } else {
    Param.Tensor = makeTensor(Param.Name, *Tensor->Element, Tensor->Rank, TensorKind::Parameter,
                              Param.Loc.start());
    Param.Tensor->Const = Tensor->Const;
    Param.IsConstant = Tensor->Constant;
    Param.Access = Tensor->Const ? Privilege::Read
                   : Write       ? Privilege::Write
                   : Reduce      ? Privilege::Reduce
                                 : Privilege::ReadWrite;
    if (Reduce)
      Param.Reduction = reductionNamed(attributeArgument(*Reduce).value_or("+"));
  }
  Result.Params.push_back(std::move(Param));
  return true;
}

/// Template head, attributes and declaration. Attributes before a declaration lie outside of its
/// range in the AST, so the brackets come from the tokens.
std::optional<SourceText> FunctionTable::definitionText(const FunctionDecl &Written) const {
  SourceLocation Begin = Written.getBeginLoc();
  if (const FunctionTemplateDecl *Template = Written.getDescribedFunctionTemplate())
    Begin = Template->getBeginLoc();
  std::optional<SourceText> Text = Places.text({Begin, Written.getEndLoc()});
  if (!Text || !Spelled)
    return Text;
  const SourceManager &SM = Ast.getSourceManager();
  for (const auto *A : Written.specific_attrs<AnnotateAttr>())
    for (const SpelledAttributes::Group &G : Spelled->groups()) {
      if (A->isInherited() || !G.Brackets.fullyContains(A->getRange()) ||
          !SM.isBeforeInTranslationUnit(G.Brackets.getBegin(), Begin))
        continue;
      if (std::optional<SourceText> Brackets = Places.text(G.Brackets);
          Brackets && Brackets->File == Text->File && Brackets->Begin < Text->Begin) {
        Text->Begin = Brackets->Begin;
        Text->Line = Brackets->Line;
      }
    }
  return Text;
}

} // namespace septran::compiler
