//===- verify/call.h - an entry point behind one C function ----------------===//
//
// septran-verify compiles the plain program, its checked and reference forms and the
// rewritten one into a library each, all of which have the same function:
//
//   const char *septran_verify_call(const septran::verify::argument *arguments);
//
// It returns null, or what went wrong, which stays valid until the next call. One
// argument stands for each parameter of the entry point, in order. With constants among these,
//
//   const char *septran_verify_call_again(const septran::verify::argument *arguments);
//
// takes them from the call before.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_VERIFY_CALL_H
#define SEPTRAN_VERIFY_CALL_H

#include <septran/septran.h>

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>

#define SEPTRAN_VERIFY_EXPORT extern "C" __attribute__((visibility("default"), externally_visible))

namespace septran::verify {

/// A tensor, or a scalar, of which only `data` counts.
struct argument {
  void *data;
  const std::int64_t *extents; ///< elements
  const std::int64_t *strides; ///< elements
  /// The reference program writes the bound of every element's error here, row-major; null for
  /// arguments that the entry point does not write.
  double *bounds;
  /// And the value of every element, in the same order.
  double *values;
};

template <class T> T scalar_argument(const argument &a) { return *static_cast<const T *>(a.data); }

template <class T, int R> tensor<T, R> tensor_argument(const argument &a) {
  extents_t<R> extents, strides;
  for (int d = 0; d < R; ++d) {
    extents.values[d] = a.extents[d];
    strides.values[d] = a.strides[d];
  }
  return {static_cast<T *>(a.data), extents, strides};
}

/// Runs `body` and returns what it throws as text.
template <class Body> const char *guarded(Body body) {
  static thread_local std::string message;
  try {
#ifdef SEPTRAN_CHECKED
    checked::set_handler([](const checked::failure &f) { throw std::runtime_error(f.message); });
    checked::reset();
#endif
    body();
    return nullptr;
  } catch (const std::exception &problem) {
    message = problem.what();
  } catch (...) {
    message = "an exception";
  }
#ifdef SEPTRAN_CHECKED
  checked::reset();
#endif
  return message.c_str();
}

} // namespace septran::verify

#endif
