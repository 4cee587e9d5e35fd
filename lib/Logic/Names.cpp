//===- Names.cpp ---------------------------------------------------*- C++ -*-===//
#include "Logic/Names.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace septran::compiler {

namespace {

QualType plain(QualType T) { return T.getNonReferenceType().getUnqualifiedType(); }

/// The namespace around `D`, seen through classes and inline namespaces; null at global scope.
const NamespaceDecl *namespaceOf(const Decl &D) {
  const DeclContext *Context = D.getDeclContext();
  while (Context) {
    if (const auto *N = dyn_cast<NamespaceDecl>(Context); N && !N->isInline())
      return N;
    Context = Context->getParent();
  }
  return nullptr;
}

/// The class of namespace ::septran that `T` is, or null.
const CXXRecordDecl *septranClass(QualType T) {
  const CXXRecordDecl *R = T.isNull() ? nullptr : plain(T)->getAsCXXRecordDecl();
  return R && R->getIdentifier() && isInSeptran(*R) ? R : nullptr;
}

std::optional<ScalarType> builtinType(const BuiltinType &B) {
  switch (B.getKind()) {
  case BuiltinType::Bool:
    return ScalarType::Bool;
  case BuiltinType::SChar:
  case BuiltinType::Char_S:
    return ScalarType::I8;
  case BuiltinType::UChar:
  case BuiltinType::Char_U:
  case BuiltinType::Char8:
    return ScalarType::U8;
  case BuiltinType::Short:
    return ScalarType::I16;
  case BuiltinType::UShort:
  case BuiltinType::Char16:
    return ScalarType::U16;
  case BuiltinType::Int:
  case BuiltinType::WChar_S:
    return ScalarType::I32;
  case BuiltinType::UInt:
  case BuiltinType::Char32:
    return ScalarType::U32;
  case BuiltinType::Long: // LP64; the targets have no other model
  case BuiltinType::LongLong:
    return ScalarType::I64;
  case BuiltinType::ULong:
  case BuiltinType::ULongLong:
    return ScalarType::U64;
  case BuiltinType::Float:
    return ScalarType::F32;
  case BuiltinType::Double:
    return ScalarType::F64;
  default:
    return std::nullopt;
  }
}

} // namespace

bool isInSeptran(const Decl &D) {
  const NamespaceDecl *N = namespaceOf(D);
  return N && N->getIdentifier() && N->getName() == "septran" && !namespaceOf(*N);
}

bool isInStdOrGlobal(const Decl &D) {
  const NamespaceDecl *N = namespaceOf(D);
  return !N || (N->getIdentifier() && N->getName() == "std" && !namespaceOf(*N));
}

TypeKind classify(QualType T) {
  if (scalarTypeOf(T))
    return TypeKind::Scalar;
  const CXXRecordDecl *R = septranClass(T);
  if (!R)
    return TypeKind::Other;
  return llvm::StringSwitch<TypeKind>(R->getName())
      .Cases("tensor", "constant", "window_block", TypeKind::Tensor)
      .Case("local", TypeKind::Local)
      .Case("partition_t", TypeKind::Partition)
      .Case("windows_t", TypeKind::Windows)
      .Case("extents_t", TypeKind::Extents)
      .Case("block_index", TypeKind::BlockIndex)
      .Case("all_t", TypeKind::All)
      .Default(TypeKind::Other);
}

std::optional<ScalarType> scalarTypeOf(QualType T) {
  if (T.isNull())
    return std::nullopt;
  T = plain(T);
  if (const auto *B = T->getAs<BuiltinType>())
    return builtinType(*B);
  if (const auto *Enum = T->getAs<EnumType>()) {
    QualType Underlying = Enum->getDecl()->getIntegerType();
    return Underlying.isNull() ? std::nullopt : scalarTypeOf(Underlying);
  }
  const CXXRecordDecl *R = septranClass(T);
  if (!R)
    return std::nullopt;
  return llvm::StringSwitch<std::optional<ScalarType>>(R->getName())
      .Case("float16", ScalarType::F16)
      .Case("bfloat16", ScalarType::BF16)
      .Case("float8_e4m3", ScalarType::F8E4M3)
      .Case("float8_e5m2", ScalarType::F8E5M2)
      .Default(std::nullopt);
}

std::optional<TensorType> tensorTypeOf(QualType T) {
  const auto *R = dyn_cast_or_null<ClassTemplateSpecializationDecl>(septranClass(T));
  if (!R || !llvm::is_contained({"tensor", "constant", "local", "window_block"}, R->getName()))
    return std::nullopt;
  const TemplateArgumentList &Args = R->getTemplateArgs();
  if (Args.size() < 2 || Args[0].getKind() != TemplateArgument::Type ||
      Args[1].getKind() != TemplateArgument::Integral)
    return std::nullopt;
  TensorType Type;
  Type.Constant = R->getName() == "constant";
  Type.Const =
      Args[0].getAsType().isConstQualified() || Type.Constant || R->getName() == "window_block";
  Type.ElementType = Args[0].getAsType().getUnqualifiedType();
  Type.Element = scalarTypeOf(Type.ElementType);
  Type.Rank = static_cast<unsigned>(Args[1].getAsIntegral().getZExtValue());
  return Type;
}

LibraryFunction libraryFunction(const FunctionDecl &F) {
  if (!F.getIdentifier() || isa<CXXMethodDecl>(F) || !isInSeptran(F))
    return LibraryFunction::None;
  return llvm::StringSwitch<LibraryFunction>(F.getName())
      .Case("partition", LibraryFunction::Partition)
      .Case("windows", LibraryFunction::Windows)
      .Case("transpose", LibraryFunction::Transpose)
      .Case("subtensor", LibraryFunction::Subtensor)
      .Case("reshape", LibraryFunction::Reshape)
      .Case("broadcast", LibraryFunction::Broadcast)
      .Case("parallel", LibraryFunction::Parallel)
      .Default(LibraryFunction::None);
}

const AnnotateAttr *findOnFunction(const FunctionDecl &F, AttributeKind Kind) {
  if (const AnnotateAttr *A = findAttribute(F.getMostRecentDecl(), Kind))
    return A;
  const FunctionDecl *Pattern = F.getTemplateInstantiationPattern();
  return Pattern ? findAttribute(Pattern->getMostRecentDecl(), Kind) : nullptr;
}

std::string familyOf(const FunctionDecl &F) {
  for (AttributeKind Kind : {AttributeKind::Task, AttributeKind::Leaf})
    if (const AnnotateAttr *A = findOnFunction(F, Kind))
      if (std::optional<std::string> Name = attributeArgument(*A))
        return *Name;
  return F.getNameAsString();
}

bool isTaskOrLeaf(const FunctionDecl &F) {
  return findOnFunction(F, AttributeKind::Task) || findOnFunction(F, AttributeKind::Leaf);
}

std::string qualifiedName(const NamedDecl &D) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  PrintingPolicy Policy(D.getASTContext().getLangOpts());
  Policy.SuppressUnwrittenScope = true;
  Policy.SuppressInlineNamespace = true;
  D.printQualifiedName(OS, Policy);
  return Text;
}

std::string spell(QualType T, const ASTContext &Ast) {
  return T.getAsString(Ast.getPrintingPolicy());
}

} // namespace septran::compiler
