//===- Library.h - a mapped program behind a C interface --------*- C++ -*-===//
//
// A kernel library is the generated source with functions of C linkage at its end, and a C header
// that declares them. Tensors are passed as DLPack's DLTensor, scalars by value:
//
//   int         NAME(...)               checks the arguments and runs the entry
//   int         NAME_infer_shapes(...)  fills in extents that are -1
//   const char *NAME_describe(void)     the interface as JSON
//   const char *NAME_last_error(void)   what the last call of this thread said
//
// On GPUs NAME takes a stream behind its arguments, and the tensors that the mapping places in
// memory of the device are there already.
//
// The functions only hand tables to septran/library/library.h, which knows how arguments are
// checked.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"
#include "Plan/ShapeRelations.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace septran::compiler {

/// What the extents of a call must keep, for tables and for people.
struct LibraryRelation {
  enum Kind { Equal, AtLeast, AtMost, Like }; ///< Like: decides unknown extents, checks nothing
  Kind Is;
  Expr Left, Right;
  std::optional<ExtentRef> Extent; ///< what Left is, if it is an extent
};

/// Those of all relations that integers can express.
std::vector<LibraryRelation> libraryRelations(const ShapeRelations &Shapes);

/// How extents and scalars of the entry's parameters are written.
struct RelationNames {
  std::function<std::string(unsigned Param, unsigned Dim)> Extent;
  std::function<std::string(unsigned Param)> Scalar;
};
std::string relationText(const Expr &E, const std::vector<Parameter> &Params,
                         const RelationNames &Names);
/// The same for people: `(Y[0] - 1) * stride + 3`.
std::string relationText(const Expr &E, const std::vector<Parameter> &Params);
/// "read", "read write", "write", "reduce +".
std::string privilegeName(const Parameter &P);
/// "equal", "at least", "at most", "like".
std::string_view toString(LibraryRelation::Kind K);

struct LibraryRequest {
  std::string Name;          ///< a C identifier, with which all symbols begin
  std::string MappingSha256; ///< of the effective mapping
  std::string MainName, MappingName;
};

/// Whether kernels run on a device of their own, on a stream that the caller chooses.
bool takesStream(const Program &P);
/// Whether the caller's tensor is in the memory of that device.
bool isOnDevice(const Parameter &Param, const Program &P);
/// "cpu", "cuda" or "hip": what kernels run on.
std::string_view deviceName(const Program &P);
/// The same of the memory that an argument is in.
std::string_view deviceName(const Parameter &Param, const Program &P);
/// The stream's name: `stream`, or another that no parameter has.
std::string streamName(const Program &P);

/// Names for the parameters that C accepts, too.
std::vector<std::string> cNames(const std::vector<Parameter> &Params);
/// How C spells the type of a scalar parameter: what C has no number for is passed as float.
std::string cName(ScalarType T);

/// NAME.h.
std::string libraryHeader(const Program &P, const ShapeRelations &Shapes,
                          const LibraryRequest &Request);
/// What NAME.cpp has behind the mapped source.
std::string libraryFunctions(const Program &P, const ShapeRelations &Shapes,
                             const LibraryRequest &Request);
/// What NAME_describe returns.
std::string libraryDescription(const Program &P, const ShapeRelations &Shapes,
                               const LibraryRequest &Request);

/// Whether Name can begin symbols of C and C++ programs.
bool isLibraryName(std::string_view Name);

} // namespace septran::compiler
