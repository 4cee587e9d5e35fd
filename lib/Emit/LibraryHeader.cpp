//===- LibraryHeader.cpp - the C header of a kernel library ---------------===//
#include "Emit/Library.h"

#include "Plan/Kernels.h"

#include <algorithm>
#include <array>
#include <set>

namespace septran::compiler {

namespace {

/// Shared by all libraries that a program includes.
constexpr const char *Common = R"(#include <stdbool.h>
#include <stdint.h>

#ifndef SEPTRAN_LIBRARY_INTERFACE
#define SEPTRAN_LIBRARY_INTERFACE 1

/* DLTensor of dlpack.h, which is taken if it was included before. Strides count elements; without
   them a tensor is row-major. Memory of the host is device_type 1, that of CUDA devices 2, of ROCm
   devices 10. */
#ifdef DLPACK_DLPACK_H_
typedef DLTensor septran_dlpack_tensor;
#else
typedef struct {
  int32_t device_type;
  int32_t device_id;
} septran_dlpack_device;
typedef struct {
  uint8_t code; /* 0 int, 1 unsigned, 2 float, 4 bfloat16, 6 bool, 10 f8e4m3, 12 f8e5m2 */
  uint8_t bits;
  uint16_t lanes; /* 1 */
} septran_dlpack_type;
typedef struct {
  void *data;
  septran_dlpack_device device;
  int32_t ndim;
  septran_dlpack_type dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
} septran_dlpack_tensor;
#endif

enum septran_status {
  SEPTRAN_SUCCESS = 0,
  SEPTRAN_NULL_ARGUMENT = 1,      /* no tensor, or one without shape */
  SEPTRAN_WRONG_RANK = 2,         /* another number of dimensions */
  SEPTRAN_WRONG_TYPE = 3,         /* another element type */
  SEPTRAN_WRONG_DEVICE = 4,       /* memory that the kernel cannot reach */
  SEPTRAN_WRONG_SHAPE = 5,        /* extents that do not belong together, or are no sizes */
  SEPTRAN_UNSUPPORTED_STRIDE = 6, /* negative, or elements that are written share memory */
  SEPTRAN_NULL_DATA = 7,          /* elements, but no memory */
  SEPTRAN_MISALIGNED = 8,         /* no element of the type can stand there */
  SEPTRAN_OVERLAP = 9,            /* a tensor that is written shares memory with another */
  SEPTRAN_OUT_OF_MEMORY = 10,
  SEPTRAN_FAILURE = 11,        /* an exception of the kernel */
  SEPTRAN_DEVICE_FAILURE = 12, /* of the device's driver, or of earlier work on the device */
  SEPTRAN_CHECK_FAILED = 13    /* of a library that is compiled with -DSEPTRAN_CHECKED */
};

#endif

#ifdef __cplusplus
extern "C" {
#endif

)";

/// Paths may hold what ends a comment or a line.
std::string inComment(const std::string &Text) {
  std::string Safe;
  for (char C : Text) {
    if (C == '/' && !Safe.empty() && Safe.back() == '*')
      Safe += ' ';
    Safe += static_cast<unsigned char>(C) < ' ' || C == '\x7f' ? '?' : C;
  }
  return Safe;
}

std::string declarationOf(const Program &P, const std::string &Function, bool Stream = false) {
  const std::vector<std::string> Names = cNames(P.Params);
  std::string Text = "int " + Function + "(", Line;
  for (size_t I = 0; I < P.Params.size(); ++I) {
    const Parameter &Param = P.Params[I];
    std::string Next = Param.isTensor() ? (Param.Tensor->Const ? "const " : "") +
                                              std::string("septran_dlpack_tensor *")
                                        : cName(Param.Scalar->Type) + " ";
    Text += (I ? ",\n    " : "\n    ") + Next + Names[I];
  }
  if (Stream)
    Text += (P.Params.empty() ? "\n    " : ",\n    ") + ("void *" + streamName(P));
  return Text + (P.Params.empty() && !Stream ? "void" : "") + ");\n";
}

/// What a caller has to know, as lines of a comment.
std::string rules(const Program &P, const ShapeRelations &Shapes) {
  const std::vector<std::string> Names = cNames(P.Params);
  size_t Width = 0;
  for (const std::string &Name : Names)
    Width = std::max(Width, Name.size());
  std::string Text;
  for (size_t I = 0; I < P.Params.size(); ++I) {
    const Parameter &Param = P.Params[I];
    Text += "\n     " + Names[I] + std::string(Width - Names[I].size() + 2, ' ') +
            std::string(shortName(Param.isTensor() ? Param.Tensor->Element : Param.Scalar->Type));
    if (Param.isTensor())
      Text += ", rank " + std::to_string(Param.Tensor->Rank) + ", " + privilegeName(Param) +
              (isOnDevice(Param, P) ? ", on the device" : "");
  }
  for (const LibraryRelation &R : libraryRelations(Shapes))
    Text += "\n     " + relationText(R.Left, P.Params) + " is " +
            (R.Is == LibraryRelation::Equal ? "" : std::string(toString(R.Is)) + " ") +
            relationText(R.Right, P.Params);
  return Text;
}

/// What the caller of a GPU's library has to know of its stream.
std::string streamRules(const Program &P) {
  if (!takesStream(P))
    return "";
  return "   Work goes to `" + streamName(P) + "`, a " + std::string(deviceName(P)) +
         "Stream_t; null is the default stream. The call waits for it only where\n"
         "   elements go to memory of the host. What fails later is told by a later call. */\n";
}

} // namespace

bool takesStream(const Program &P) { return gridDepth(*P.Target).has_value(); }

bool isOnDevice(const Parameter &Param, const Program &P) {
  return Param.isTensor() && takesStream(P) && !isHostMemory(Param.Tensor->Memory, *P.Target);
}

std::string_view deviceName(const Program &P) {
  return !takesStream(P)                                   ? "cpu"
         : P.Target->Language.Value == OutputLanguage::Hip ? "hip"
                                                           : "cuda";
}

std::string_view deviceName(const Parameter &Param, const Program &P) {
  return isOnDevice(Param, P) ? deviceName(P) : "cpu";
}

std::string streamName(const Program &P) {
  const std::vector<std::string> Names = cNames(P.Params);
  std::string Name = "stream";
  while (std::find(Names.begin(), Names.end(), Name) != Names.end())
    Name += '_';
  return Name;
}

std::vector<std::string> cNames(const std::vector<Parameter> &Params) {
  // What is a word of C and not of C++.
  static constexpr std::array<std::string_view, 3> Reserved = {"restrict", "typeof",
                                                               "typeof_unqual"};
  std::set<std::string> Taken(Reserved.begin(), Reserved.end());
  std::vector<std::string> Names;
  for (const Parameter &Param : Params) {
    std::string Name = Param.Name;
    while (!Taken.insert(Name).second)
      Name += '_';
    Names.push_back(std::move(Name));
  }
  return Names;
}

std::string cName(ScalarType T) {
  if (isSmallFloat(T))
    return "float";
  std::string Name(cxxName(T));
  return Name.starts_with("std::") ? Name.substr(5) : Name;
}

bool isLibraryName(std::string_view Name) {
  // Names that C reserves for itself, and words of either language.
  static const std::set<std::string_view> Words = {
      "alignas",   "alignof",  "and",       "and_eq",   "asm",       "auto",     "bitand",
      "bitor",     "bool",     "break",     "case",     "catch",     "char",     "class",
      "compl",     "concept",  "const",     "continue", "decltype",  "default",  "delete",
      "do",        "double",   "else",      "enum",     "explicit",  "export",   "extern",
      "false",     "float",    "for",       "friend",   "goto",      "if",       "inline",
      "int",       "long",     "main",      "mutable",  "namespace", "new",      "noexcept",
      "not",       "not_eq",   "nullptr",   "operator", "or",        "or_eq",    "private",
      "protected", "public",   "register",  "requires", "restrict",  "return",   "short",
      "signed",    "sizeof",   "static",    "struct",   "switch",    "template", "this",
      "throw",     "true",     "try",       "typedef",  "typeid",    "typename", "typeof",
      "union",     "unsigned", "using",     "virtual",  "void",      "volatile", "while",
      "xor",       "xor_eq",   "constexpr", "char8_t",  "consteval", "constinit"};
  const auto IsLetter = [](char C) { return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z'); };
  return !Name.empty() && IsLetter(Name.front()) && Name.find("__") == std::string_view::npos &&
         std::all_of(Name.begin(), Name.end(),
                     [&](char C) { return IsLetter(C) || C == '_' || (C >= '0' && C <= '9'); }) &&
         !Words.contains(Name);
}

std::string libraryHeader(const Program &P, const ShapeRelations &Shapes,
                          const LibraryRequest &Request) {
  const std::string &Name = Request.Name, Guard = "SEPTRAN_LIBRARY_HEADER_" + Name;
  return "/* Generated by septran-rewrite. Do not edit: change the logic or the mapping instead.\n"
         "     logic    " +
         inComment(Request.MainName) + "\n     mapping  " + inComment(Request.MappingName) +
         "\n     machine  " + inComment(P.Target->Name.Value) + " */\n#ifndef " + Guard +
         "\n#define " + Guard + "\n\n" + Common + "/* " + P.Entry->QualifiedName +
         rules(P, Shapes) +
         " */\n/* Gives a septran_status. No tensor that is written may share memory with another "
         "one." +
         (takesStream(P) ? "\n" + streamRules(P) : " */\n") +
         declarationOf(P, Name, takesStream(P)) +
         "\n/* Fills in extents of -1, as far as the others decide them; memory is not looked at. "
         "*/\n" +
         declarationOf(P, Name + "_infer_shapes") +
         "\n/* What the last of these calls in this thread said; empty if it succeeded. */\n"
         "const char *" +
         Name +
         "_last_error(void);\n\n/* Names, types, privileges, relations, target, as JSON. */\n"
         "const char *" +
         Name + "_describe(void);\n\n#ifdef __cplusplus\n} /* extern \"C\" */\n#endif\n\n#endif\n";
}

} // namespace septran::compiler
