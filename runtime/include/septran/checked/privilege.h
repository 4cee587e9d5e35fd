//===- checked/privilege.h - the privileges of an argument ----------------===//
//
// The run-time spelling of what attributes and element types say in the source.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_CHECKED_PRIVILEGE_H
#define SEPTRAN_CHECKED_PRIVILEGE_H

namespace septran::checked {

/// What a task may do with an argument.
enum class privilege {
  read,       ///< `tensor<const T, R>`
  write,      ///< `[[septran::write]] tensor<T, R>`: no element has a value on entry
  read_write, ///< `tensor<T, R>`
  reduce,     ///< `[[septran::reduce("+")]] tensor<T, R>`
};

} // namespace septran::checked

#endif
