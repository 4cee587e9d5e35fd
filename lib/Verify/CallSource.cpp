//===- CallSource.cpp - source files of the libraries to compare ----------===//
#include "Verify/CallSource.h"

namespace septran::compiler {

namespace {

std::string quoted(const std::string &Path) {
  std::string Text = "\"";
  for (char C : Path)
    Text += C == '"' || C == '\\' ? std::string("\\") + C : std::string(1, C);
  return Text + "\"";
}

/// The headers come first: macros of the logic file (`#define N 4`) are not meant for them.
std::string head(const std::string &File, const std::string &Header) {
  return "#include <septran/verify/" + Header + ">\n#include " + quoted(File) + "\n\n";
}

std::string elementType(const Parameter &P) {
  return (P.Tensor->Const ? "const " : "") + std::string(cxxName(P.Tensor->Element));
}

std::string number(size_t I) { return std::to_string(I); }

std::string constantName(size_t I) { return "septran_verify_constant" + number(I); }

bool isKept(const Parameter &P, bool KeepsConstants) { return KeepsConstants && P.IsConstant; }

/// The function `Name` that calls the entry, after `Before`. Constants are variables if it keeps them.
std::string callFunction(const Function &Entry, const std::string &Before, bool KeepsConstants = false,
                         const std::string &Name = "septran_verify_call") {
  std::string Args;
  for (size_t I = 0; I < Entry.Params.size(); ++I) {
    const Parameter &P = Entry.Params[I];
    Args += I ? ",\n" : "";
    if (isKept(P, KeepsConstants)) {
      Args += "        *" + constantName(I);
      continue;
    }
    Args += "        septran::verify::";
    Args += P.isTensor() ? "tensor_argument<" + elementType(P) + ", " + number(P.Tensor->Rank) + ">"
                         : "scalar_argument<" + std::string(cxxName(P.Scalar->Type)) + ">";
    Args += "(a[" + number(I) + "])";
  }
  return "SEPTRAN_VERIFY_EXPORT const char *" + Name +
         "([[maybe_unused]] const septran::verify::argument *a) "
         "{\n  return septran::verify::guarded([&] {\n" +
         Before + "    ::" + Entry.CallName + "(\n" + Args + ");\n  });\n}\n\n";
}

} // namespace

std::string emulatedCallSource(const std::string &File, const Function &Entry,
                               const std::vector<bool> &OnDevice) {
  std::string Shared;
  for (size_t I = 0; I < Entry.Params.size(); ++I)
    if (Entry.Params[I].isTensor() && OnDevice[I])
      Shared += "    const septran::verify::device_argument device" + number(I) + "(a[" +
                number(I) + "], " + number(Entry.Params[I].Tensor->Rank) + ", sizeof(" +
                elementType(Entry.Params[I]) + "));\n";
  return head(File, "device.h") + callFunction(Entry, Shared) +
         "SEPTRAN_VERIFY_EXPORT void septran_verify_threads(int threads) {\n"
         "  septran::verify::choose_schedule(threads);\n}\n";
}

std::string callSource(const std::string &File, const Function &Entry) {
  std::string Constants, Made;
  for (size_t I = 0; I < Entry.Params.size(); ++I) {
    const Parameter &P = Entry.Params[I];
    if (!P.IsConstant)
      continue;
    const std::string Types = std::string(cxxName(P.Tensor->Element)) + ", " + number(P.Tensor->Rank);
    Constants += "static std::optional<septran::constant<" + Types + ">> " + constantName(I) + ";\n";
    Made += "    " + constantName(I) + ".emplace(septran::make_constant(septran::verify::tensor_argument<const " +
            Types + ">(a[" + number(I) + "])));\n";
  }
  return head(File, "call.h") + (Made.empty() ? "" : "#include <optional>\n" + Constants) +
         callFunction(Entry, Made, true) +
         (Made.empty() ? "" : callFunction(Entry, "", true, "septran_verify_call_again")) +
         "#ifdef _OPENMP\n#include <omp.h>\n#endif\n"
         "SEPTRAN_VERIFY_EXPORT void septran_verify_threads([[maybe_unused]] int threads) {\n"
         "#ifdef _OPENMP\n  omp_set_num_threads(threads);\n#endif\n}\n";
}

std::string referenceCallSource(const std::string &File, const std::string &Text,
                                const Function &Entry, const std::string &ReferenceEntry) {
  std::string Members, Copies, Args, Stores, StoresOfBoth;
  for (size_t I = 0; I < Entry.Params.size(); ++I) {
    const Parameter &P = Entry.Params[I];
    const std::string Argument = "a[" + number(I) + "]";
    Args += I ? ", " : "";
    if (!P.isTensor()) {
      Args += "septran::verify::scalar_shadow<" + std::string(cxxName(P.Scalar->Type)) + ">(" +
              Argument + ")";
      continue;
    }
    std::string Name = "t" + number(I);
    Members += "  septran::verify::tensor_shadow<" + std::string(cxxName(P.Tensor->Element)) +
               ", " + number(P.Tensor->Rank) + "> " + Name + ";\n";
    Copies += (Copies.empty() ? "" : ", ") + Name + "(" + Argument + ")";
    Args += Name + (P.Tensor->Const ? ".readable()" : ".writable()");
    if (writes(P.Access)) {
      Stores += "      first." + Name + ".store(" + Argument + ");\n";
      StoresOfBoth += "      first." + Name + ".store(" + Argument + ", second." + Name + ");\n";
    }
  }
  return head(File, "shadow.h") + Text + "\nnamespace {\nstruct septran_verify_evaluation {\n" +
         Members +
         "  explicit septran_verify_evaluation(const septran::verify::argument *a)\n      : " +
         Copies + " {\n    ::" + ReferenceEntry + "(" + Args +
         ");\n  }\n};\n} // namespace\n\n"
         "SEPTRAN_VERIFY_EXPORT void septran_verify_tune(const char *name, long value) {\n"
         "  if (name)\n    septran::verify::settings()[name] = value;\n"
         "  else\n    septran::verify::settings().clear();\n}\n\n"
         "SEPTRAN_VERIFY_EXPORT const char *septran_verify_call(const septran::verify::argument "
         "*a) "
         "{\n"
         "  return septran::verify::guarded([&] {\n"
         "    septran::verify::decisions() = {};\n"
         "    septran_verify_evaluation first(a);\n"
         "    if (septran::verify::decisions().undecided == 0) {\n" +
         Stores +
         "    } else {\n"
         "      septran::verify::decisions().flip = true;\n"
         "      septran_verify_evaluation second(a);\n" +
         StoresOfBoth + "    }\n  });\n}\n";
}

} // namespace septran::compiler
