//===- local.h - a tensor that a task owns -------------------------------===//
//
// Where its memory lies is the mapping's business; the plain program takes it from
// the heap, aligned to 64 bytes, row-major.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_LOCAL_H
#define SEPTRAN_LOCAL_H

#include <septran/storage.h>
#include <septran/tensor.h>

namespace septran {

/// An owned tensor of the given extents. Elements have no value until they are written. It is
/// passed to tasks and leaves as the `tensor<T, R>` that it is.
template <class T, int R> class local : private detail::storage<T>, public tensor<T, R> {
  using memory = detail::storage<T>;

public:
#ifdef SEPTRAN_CHECKED
  explicit local(extents_t<R> extents, checked::site where = checked::site::here())
      : memory(extents.count(), where), tensor<T, R>(memory::data(), extents) {}
  explicit local(const index_type (&extent)[1], checked::site where = checked::site::here())
    requires(R == 1)
      : local(extents_t<R>(extent[0]), where) {}
#else
  explicit local(extents_t<R> extents)
      : memory(extents.count()), tensor<T, R>(memory::data(), extents) {}
  // Without it g++ takes `({n})` for a copy as well.
  explicit local(const index_type (&extent)[1])
    requires(R == 1)
      : local(extents_t<R>(extent[0])) {}
#endif

  local(const local &) = delete;
  local &operator=(const local &) = delete;

  using tensor<T, R>::data;
};

} // namespace septran

#endif
