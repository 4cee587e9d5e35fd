//===- FloatingTypes.cpp ---------------------------------------------------===//
#include "Verify/FloatingTypes.h"

#include "Logic/Names.h"

#include "clang/AST/DeclTemplate.h"

#include <algorithm>
#include <iterator>

using namespace clang;

namespace septran::compiler {

namespace {

QualType plain(QualType T) { return T.getNonReferenceType().getUnqualifiedType(); }

bool contains(const std::string_view *Begin, const std::string_view *End, std::string_view Name) {
  return std::find(Begin, End, Name) != End;
}

bool holdsFloating(QualType T, unsigned Depth) {
  T = plain(T.getCanonicalType());
  if (T->isDependentType() || Depth > 8)
    return false;
  if (T->isRealFloatingType() || isSmallFloat(T) || T->isAnyComplexType())
    return true;
  if (const auto *Array = dyn_cast<ArrayType>(T.getTypePtr()))
    return holdsFloating(Array->getElementType(), Depth + 1);
  if (const auto *Vector = dyn_cast<VectorType>(T.getTypePtr()))
    return holdsFloating(Vector->getElementType(), Depth + 1);
  const RecordDecl *R = T->getAsRecordDecl();
  if (!R || !R->getDefinition())
    return false;
  for (const FieldDecl *F : R->getDefinition()->fields())
    if (holdsFloating(F->getType(), Depth + 1))
      return true;
  if (const auto *Class = dyn_cast<CXXRecordDecl>(R->getDefinition()))
    for (const CXXBaseSpecifier &Base : Class->bases())
      if (holdsFloating(Base.getType(), Depth + 1))
        return true;
  return false;
}

} // namespace

bool isSmallFloat(QualType T) {
  const auto Type = T->isDependentType() ? std::nullopt : scalarTypeOf(T);
  return Type && plain(T)->isRecordType();
}

bool isSmallFloatClass(const CXXRecordDecl &R) {
  return isInNamespaceSeptran(R) && R.getIdentifier() &&
         (R.getName() == "small_float" || R.getName() == "float16" || R.getName() == "bfloat16" ||
          R.getName().starts_with("float8_"));
}

std::optional<std::string> realTypeOf(QualType T) {
  T = plain(T.getCanonicalType());
  if (const auto *Builtin = dyn_cast<BuiltinType>(T.getTypePtr())) {
    if (Builtin->getKind() == BuiltinType::Float)
      return "::septran::verify::real<float>";
    if (Builtin->getKind() == BuiltinType::Double)
      return "::septran::verify::real<double>";
    return std::nullopt;
  }
  if (!isSmallFloat(T))
    return std::nullopt;
  return "::septran::verify::real<::septran::" + T->getAsCXXRecordDecl()->getNameAsString() + ">";
}

bool holdsFloating(QualType T) { return holdsFloating(T, 0); }

bool pointsToFloating(QualType T) {
  const QualType Pointee = T->isReferenceType() ? T.getNonReferenceType() : T->getPointeeType();
  return !Pointee.isNull() && (holdsFloating(Pointee) || pointsToFloating(Pointee));
}

bool involvesFloating(QualType T) {
  if (holdsFloating(T) || pointsToFloating(T))
    return true;
  const auto *Class =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(plain(T)->getAsCXXRecordDecl());
  if (!Class)
    return false;
  for (const TemplateArgument &A : Class->getTemplateArgs().asArray())
    if (A.getKind() == TemplateArgument::Type && involvesFloating(A.getAsType()))
      return true;
  return false;
}

bool isInNamespaceSeptran(const Decl &D) {
  for (const DeclContext *Context = D.getDeclContext(); Context; Context = Context->getParent())
    if (const auto *N = dyn_cast<NamespaceDecl>(Context);
        N && N->getParent()->getRedeclContext()->isTranslationUnit())
      return N->getName() == "septran";
  return false;
}

bool hasErrorBound(std::string_view Function) {
  static constexpr std::string_view OfFloatToo[] = {
      "exp",  "exp2", "expm1", "log",  "log2", "log10", "log1p", "cbrt",      "asin",
      "acos", "atan", "atan2", "sinh", "cosh", "asinh", "acosh", "atanh",     "tanh",
      "erf",  "erfc", "sin",   "cos",  "tan",  "floor", "ceil",  "trunc",     "round",
      "rint", "sqrt", "fabs",  "fma",  "pow",  "fmax",  "fmin",  "nearbyint", "copysign"};
  static constexpr std::string_view Others[] = {"abs", "fmod",     "isnan", "isinf",
                                                "max", "isfinite", "min",   "clamp"};
  return contains(std::begin(OfFloatToo), std::end(OfFloatToo), Function) ||
         contains(std::begin(Others), std::end(Others), Function) ||
         (Function.ends_with('f') && contains(std::begin(OfFloatToo), std::end(OfFloatToo),
                                              Function.substr(0, Function.size() - 1)));
}

bool hasShadow(std::string_view Trait) {
  static constexpr std::string_view Traits[] = {
      "is_floating_point", "is_arithmetic", "is_fundamental", "is_scalar",
      "is_signed",         "is_class",      "is_compound"};
  return contains(std::begin(Traits), std::end(Traits), Trait);
}

} // namespace septran::compiler
