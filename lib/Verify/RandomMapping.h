//===- RandomMapping.h - some mapping of a program --------------*- C++ -*-===//
//
// Draws a mapping of one entry point: which variant stands for each launch and how deep variants
// nest, processors, tile sizes, memories, layouts, the structure of loops, bindings. Every key of
// an instance that a mapping file may have is drawn now and then. Names, levels and signatures fit
// the program and the machine; whether all the choices go together only the compiler knows, so the
// caller asks it (LogicUnderTest.h) and throws refused ones away.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Logic/TaskGraph.h"
#include "Machine/Machine.h"
#include "Verify/Random.h"

#include <string>

namespace septran::compiler {

/// YAML text of a mapping of `Entry`, which is an entry point of G, to M. The same generator state
/// gives the same text.
std::string randomMapping(const TaskGraph &G, const Machine &M, const std::string &Entry,
                          Random &R);

} // namespace septran::compiler
