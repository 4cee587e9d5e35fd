//===- report.h - What went wrong, and where ---------------------*- C++ -*-===//
//
// Reports name the kernel, the block, the thread and the source line. Lines come from the debug
// information of the program (compiled with -g), through addr2line; nothing is looked up unless
// something failed.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_RUNTIME_EMULATOR_REPORT_H
#define SEPTRAN_RUNTIME_EMULATOR_REPORT_H

#include "shadow.h"

#include <string>

namespace septran::emulator {

struct thread_state;
struct block_state;

/// "gemm.cu:41" of the code that called the emulator and was to return to `where`; outermost header
/// of SepTran left out. Without debug information: the function's name.
std::string source_line(const void *where);

/// The name of the function at this address, without its parameters.
std::string function_name(const void *function);

/// "block (0,0,0) thread 37"; threads are numbered with x fastest.
std::string thread_text(const thread_state &thread);
std::string access_text(const access_record &access);

/// Ends the launch with a report of what the running thread did.
[[noreturn]] void fail(const std::string &what, const void *where);
/// The same where the report itself says who and where.
[[noreturn]] void fail(const std::string &report);

} // namespace septran::emulator

#endif // SEPTRAN_RUNTIME_EMULATOR_REPORT_H
