//===- LibraryFunctions.cpp - the C functions of a kernel library ---------===//
//
// Parameters are named a0, a1, ... here, and everything else lies in a namespace of the library's
// own, so that no name of the logic is in the way.
//
//===----------------------------------------------------------------------===//
#include "Emit/Format.h"
#include "Emit/Library.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <utility>

namespace septran::compiler {

namespace {

std::string literal(const std::string &Text) {
  std::string Quoted = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\')
      Quoted += '\\';
    Quoted += C;
  }
  return Quoted + "\"";
}

std::string elementType(const Parameter &P) {
  const std::string Name(cxxName(P.Tensor->Element));
  // From the global namespace, where it comes from one.
  return (P.Tensor->Const ? "const " : "") +
         std::string(Name.find("::") == std::string::npos ? "" : "::") + Name;
}

const RelationNames NamesInCode = {
    [](unsigned Param, unsigned Dim) {
      return "v.extent(" + std::to_string(Param) + ", " + std::to_string(Dim) + ")";
    },
    [](unsigned Param) { return "v.scalar(" + std::to_string(Param) + ")"; }};

std::string function(const Expr &E, const std::vector<Parameter> &Params) {
  const std::string Value = relationText(E, Params, NamesInCode);
  const bool Uses = Value.find("v.") != std::string::npos;
  return std::string("[](const library::values &") + (Uses ? "v" : "") +
         ") -> library::checked_int { return " + Value + "; }";
}

std::string parameterTable(const Program &P) {
  const std::vector<std::string> Names = cNames(P.Params);
  std::string Text = "constexpr library::parameter parameters[] = {\n";
  for (size_t I = 0; I < P.Params.size(); ++I) {
    const Parameter &Param = P.Params[I];
    Text += Param.isTensor() ? "library::tensor_parameter<" + elementType(Param) + ", " +
                                   std::to_string(Param.Tensor->Rank) + ">"
                             : "library::scalar_parameter";
    Text += "(" + literal(Names[I]) +
            (isOnDevice(Param, P) ? ", library::place::" + std::string(deviceName(Param, P)) : "") +
            "),\n";
  }
  return Text + "};\n";
}

std::string relationTable(const Program &P, const std::vector<LibraryRelation> &All) {
  std::string Text = "constexpr library::relation relations[] = {\n";
  for (const LibraryRelation &R : All) {
    std::string Kind(toString(R.Is));
    std::replace(Kind.begin(), Kind.end(), ' ', '_');
    Text += "{" + literal(relationText(R.Left, P.Params)) + ", " +
            literal(relationText(R.Right, P.Params)) + ", library::relation::" + Kind + ",\n" +
            function(R.Left, P.Params) + ",\n" + function(R.Right, P.Params);
    if (R.Extent)
      Text += ", " + std::to_string(R.Extent->Param) + ", " + std::to_string(R.Extent->Dim);
    Text += "},\n";
  }
  return Text + "};\n";
}

/// `(const ::septran::dlpack_tensor *a0, float a1)`
std::string signature(const Program &P, bool Stream) {
  std::string Text;
  for (size_t I = 0; I < P.Params.size(); ++I) {
    const Parameter &Param = P.Params[I];
    Text += I ? ", " : "";
    if (Param.isTensor())
      Text += std::string(Param.Tensor->Const ? "const " : "") + "::septran::dlpack_tensor *";
    else
      Text += (isInteger(Param.Scalar->Type) ? "::std::" : "") + cName(Param.Scalar->Type) + " ";
    Text += "a" + std::to_string(I);
  }
  if (Stream)
    Text += P.Params.empty() ? "void *stream" : ", void *stream";
  return "(" + Text + ")";
}

std::string argumentsOfTable(const Program &P) {
  std::string Text;
  for (size_t I = 0; I < P.Params.size(); ++I)
    Text += (I ? ", a" : "a") + std::to_string(I);
  return "const library::argument arguments[] = {" + (Text.empty() ? "nullptr" : Text) + "};\n";
}

std::string argumentsOfEntry(const Program &P) {
  std::string Text;
  for (size_t I = 0; I < P.Params.size(); ++I) {
    const Parameter &Param = P.Params[I];
    const std::string Own = "a" + std::to_string(I);
    Text += I ? ", " : "";
    if (Param.isTensor())
      Text += "library::view<" + elementType(Param) + ", " + std::to_string(Param.Tensor->Rank) +
              ">(*" + Own + ")";
    else
      Text += isSmallFloat(Param.Scalar->Type)
                  ? "::" + std::string(cxxName(Param.Scalar->Type)) + "(" + Own + ")"
                  : Own;
  }
  return Text;
}

/// As literals, of which each part of a list begins a new one.
std::string literals(const std::string &Json) {
  std::string All, Line;
  for (size_t At = 0; At < Json.size(); ++At) {
    Line += Json[At];
    const std::string_view Behind = std::string_view(Json).substr(At, 3);
    if (Behind.starts_with("[{") || Behind == "},{" || Behind == "}],") {
      if (Behind != "[{")
        Line += Json[++At];
      All += literal(std::exchange(Line, "")) + "\n";
    }
  }
  return All + literal(Line);
}

} // namespace

std::string libraryDescription(const Program &P, const ShapeRelations &Shapes,
                               const LibraryRequest &Request) {
  const std::vector<std::string> Names = cNames(P.Params);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  llvm::json::OStream J(OS);
  const auto Clean = [](const std::string &S) { return llvm::json::fixUTF8(S); };
  J.object([&] {
    J.attribute("interface", 1);
    J.attribute("name", Request.Name);
    J.attribute("entry", Clean(P.Entry->QualifiedName));
    J.attribute("machine", Clean(P.Target->Name.Value));
    J.attribute("language", llvm::StringRef(toString(P.Target->Language.Value)));
    J.attribute("device", llvm::StringRef(deviceName(P)));
    J.attribute("stream", takesStream(P));
    J.attribute("mapping_sha256", Request.MappingSha256);
    J.attributeArray("arguments", [&] {
      for (size_t I = 0; I < P.Params.size(); ++I)
        J.object([&] {
          const Parameter &Param = P.Params[I];
          J.attribute("name", Clean(Names[I]));
          J.attribute("kind", Param.isTensor() ? "tensor" : "scalar");
          const ScalarType Type = Param.isTensor() ? Param.Tensor->Element : Param.Scalar->Type;
          J.attribute("dtype", llvm::StringRef(shortName(Type)));
          if (!Param.isTensor())
            return;
          J.attribute("rank", Param.Tensor->Rank);
          J.attribute("privilege", privilegeName(Param));
          J.attribute("alignment", byteSize(Type));
          J.attribute("device", llvm::StringRef(deviceName(Param, P)));
        });
    });
    J.attributeArray("relations", [&] {
      for (const LibraryRelation &R : libraryRelations(Shapes))
        J.object([&] {
          J.attribute("left", Clean(relationText(R.Left, P.Params)));
          J.attribute("is", llvm::StringRef(toString(R.Is)));
          J.attribute("right", Clean(relationText(R.Right, P.Params)));
        });
    });
  });
  return Text;
}

std::string libraryFunctions(const Program &P, const ShapeRelations &Shapes,
                             const LibraryRequest &Request) {
  const std::vector<LibraryRelation> Relations = libraryRelations(Shapes);
  const std::string &Name = Request.Name;
  const std::string Count = std::to_string(P.Params.size());
  std::string Text = "//===--- The C interface, declared in " + Name +
                     ".h ---===//\n\nnamespace septran_library_" + Name +
                     " {\nnamespace {\n\nnamespace library = ::septran::library;\n\n" +
                     "thread_local library::error_text last_error;\n\n" +
                     (P.Params.empty() ? "" : parameterTable(P) + "\n") +
                     (Relations.empty() ? "" : relationTable(P, Relations) + "\n") +
                     "constexpr library::interface checks = {" + literal(Name) + ", " +
                     (P.Params.empty() ? "nullptr" : "parameters") + ", " + Count + ", " +
                     (Relations.empty() ? "nullptr" : "relations") + ", " +
                     std::to_string(Relations.size()) + "};\n\n} // namespace\n\n";
  const bool Stream = takesStream(P);
  Text += "SEPTRAN_LIBRARY_EXPORT int " + Name + signature(P, Stream) + " {\n" +
          argumentsOfTable(P) + "return library::" +
          (Stream ? "call_on_device(checks, arguments, last_error, stream"
                  : "call(checks, arguments, last_error") +
          ", [&] {\n::" + P.Entry->CallName + "(" + argumentsOfEntry(P) + ");\n});\n}\n\n";
  Text += "SEPTRAN_LIBRARY_EXPORT int " + Name + "_infer_shapes" + signature(P, false) + " {\n" +
          argumentsOfTable(P) +
          "return library::infer_shapes(checks, arguments, last_error);\n}\n\n";
  Text += "SEPTRAN_LIBRARY_EXPORT const char *" + Name +
          "_last_error() { return last_error.c_str(); }\n\n";
  Text += "SEPTRAN_LIBRARY_EXPORT const char *" + Name + "_describe() {\nreturn " +
          literals(libraryDescription(P, Shapes, Request)) +
          ";\n}\n\n} // namespace septran_library_" + Name + "\n";
  return formatCxx(Text);
}

} // namespace septran::compiler
