//===- PrintProgram.cpp - the Program as text -----------------------------===//
//
//   program matmul on cpu/x86-avx512
//     C : GLOBAL f32 rank 2, write
//     n : i32
//   scope matmul_host (matmul on HOST) {
//     ...
//   }
//
// The entry's parameters come first, so that they keep their names and everything inside that
// shares one is numbered. Settings that the IR itself does not hold (bindings) stand with the
// scope.
//
//===----------------------------------------------------------------------===//
#include "IR/Print.h"
#include "Plan/Program.h"

namespace septran::compiler {

namespace {

std::string privilegeText(const Parameter &P) {
  switch (P.Access) {
  case Privilege::Read:
    return "read";
  case Privilege::ReadWrite:
    return "read write";
  case Privilege::Write:
    return "write";
  case Privilege::Reduce:
    return "reduce " + std::string(spelling(P.Reduction));
  }
  return "";
}

std::string scopeText(const InstanceInfo &I) {
  std::string Text = I.Name + " (" + (I.Task ? I.Task->Name : "?") + " on " + I.Proc;
  if (!I.Binding.empty())
    Text += ", " + I.Binding;
  return Text + ")";
}

} // namespace

std::string printProgram(const Program &P) {
  NameTable Names;
  std::string Text = "program " + (P.Entry ? P.Entry->Name : "?");
  if (P.Target)
    Text += " on " + P.Target->Name.Value;
  Text += "\n";
  for (const Parameter &Param : P.Params) {
    if (Param.isTensor())
      Text += "  " + Names.name(Param.Tensor) + " : " + Param.Tensor->Memory + " " +
              std::string(shortName(Param.Tensor->Element)) + " rank " +
              std::to_string(Param.Tensor->Rank) + ", " + privilegeText(Param) + "\n";
    else
      Text += "  " + Names.name(Param.Scalar) + " : " + std::string(shortName(Param.Scalar->Type)) +
              "\n";
  }
  return Text + printBlock(P.Body, Names, 0, scopeText);
}

} // namespace septran::compiler
