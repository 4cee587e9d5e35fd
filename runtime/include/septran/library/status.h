//===- library/status.h - how a call of a kernel library ends -----*- C++ -*-===//
//
// A kernel library answers with a number, and keeps a text for people, which each thread has its
// own of. The text has a fixed size: saying what is wrong must not fail itself.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_LIBRARY_STATUS_H
#define SEPTRAN_LIBRARY_STATUS_H

#include <cstdarg>
#include <cstdio>

namespace septran::library {

/// `enum septran_status` of the generated C headers has the same names and numbers.
enum class status : int {
  success = 0,
  null_argument = 1,      ///< no tensor, or one without shape
  wrong_rank = 2,         ///< another number of dimensions
  wrong_type = 3,         ///< another element type
  wrong_device = 4,       ///< memory that the kernel cannot reach
  wrong_shape = 5,        ///< extents that do not belong together, or are no sizes
  unsupported_stride = 6, ///< negative, or elements that are written share memory
  null_data = 7,          ///< elements, but no memory
  misaligned = 8,         ///< no element of the type can stand there
  overlap = 9,            ///< a tensor that is written shares memory with another
  out_of_memory = 10,
  failure = 11,        ///< an exception of the kernel
  device_failure = 12, ///< of the device's driver, or of earlier work on the device
  check_failed = 13,   ///< of a library that is compiled with -DSEPTRAN_CHECKED
};

class error_text {
public:
  constexpr error_text() = default;

  const char *c_str() const { return text_; }
  void clear() { text_[0] = '\0'; }

  /// Writes a text as printf does, and gives back `code`.
  __attribute__((format(printf, 3, 4))) status set(status code, const char *format, ...) {
    std::va_list values;
    va_start(values, format);
    std::vsnprintf(text_, sizeof text_, format, values);
    va_end(values);
    return code;
  }

private:
  char text_[512] = {};
};

} // namespace septran::library

#endif
