//===- checked/declare.h - what tensors, loops and drivers tell the monitor ===//
//
// The upper half is called by the headers of the library, the lower half by test
// drivers and by instrumented programs; see checked.h.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_CHECKED_DECLARE_H
#define SEPTRAN_CHECKED_DECLARE_H

#include <septran/checked.h>
#include <septran/checked/element.h>

#include <concepts>
#include <cstring>
#include <exception>

namespace septran::checked {

// Loops. In constant expressions, which the compiler checks, nothing is noted.

constexpr void begin_parallel() {
  if (!std::is_constant_evaluated())
    detail::current_monitor().order.begin_loop();
}
constexpr void end_parallel() {
  if (!std::is_constant_evaluated())
    detail::current_monitor().order.end_loop();
}
constexpr void begin_iteration() {
  if (!std::is_constant_evaluated())
    detail::current_monitor().order.begin_iteration();
}
constexpr void end_iteration() {
  if (!std::is_constant_evaluated())
    detail::current_monitor().order.end_iteration();
}

// Memory of locals and padded windows.

/// New memory without values. All bits are set, which every floating-point type reads as NaN.
inline void begin_storage(void *data, std::size_t element_bytes, std::size_t count,
                          const site &where) {
  if (count == 0)
    return;
  std::memset(data, 0xff, element_bytes * count);
  detail::monitor &m = detail::current_monitor();
  const auto *first = static_cast<const char *>(data);
  for (std::size_t n = 0; n < count; ++n) {
    detail::cell &c = m.cells[first + n * element_bytes];
    c = {};
    c.unwritten = true;
  }
  m.owned.push_back({{first, first + element_bytes * count, element_bytes}, where});
}

/// The memory is gone; what comes to lie there later is another tensor's.
inline void end_storage(const void *data, std::size_t element_bytes, std::size_t count) {
  detail::monitor &m = detail::current_monitor();
  const auto *first = static_cast<const char *>(data);
  for (std::size_t n = 0; n < count; ++n)
    m.cells.erase(first + n * element_bytes);
  std::erase_if(m.owned, [&](const detail::owned_memory &o) { return o.memory.first == first; });
}

/// One element of a padded window: that of the tensor, or `fill` where `from` is null.
template <class T>
void copy_element(T *to, const T *from, T fill, const std::ptrdiff_t *position, int rank) {
  detail::monitor &m = detail::current_monitor();
  const bool reads = from != nullptr && m.read({from, m.last, position, rank, 0});
  *to = reads ? *from : fill;
}

/// A pointer to the elements of a tensor that may be written is given to the program.
template <class T, int R>
void give_away(const T *data, const std::ptrdiff_t (&extents)[R], const std::ptrdiff_t *strides,
               int rank) {
  detail::current_monitor().escape(detail::footprint(data, sizeof(T), extents, strides, rank));
}

/// The number of a block, or 0 after a report. Block 0 of an empty dimension is valid.
template <class Block, int R>
constexpr std::ptrdiff_t block_number(const void *data, const Block (&block)[R],
                                      const std::ptrdiff_t *count, int d) {
  if (!std::is_constant_evaluated())
    detail::current_monitor().last = block[d].block.where;
  const std::ptrdiff_t number = block[d].block;
  if (number >= 0 && (number < count[d] || number == 0))
    return number;
  std::ptrdiff_t values[R] = {};
  for (int n = 0; n < R; ++n)
    values[n] = block[n].block;
  detail::current_monitor().out_of_bounds({data, block[d].block.where, values, R, 0}, count,
                                          "takes block");
  return 0;
}

/// The indices of a subtensor lie within the extents where they are not `all`.
template <int R>
constexpr void require_position(const void *data, const std::ptrdiff_t *extents,
                                const std::ptrdiff_t (&position)[R], const bool (&all)[R],
                                const site &where) {
  for (int d = 0; d < R; ++d)
    if (!all[d] && (position[d] < 0 || position[d] >= extents[d]))
      return detail::current_monitor().out_of_bounds({data, where, position, R, 0}, extents,
                                                     "takes the subtensor at");
}

// Declarations.

namespace detail {

template <class T, int R> footprint footprint_of(const tensor<const T, R> &t) {
  const auto extents = t.extents(), strides = t.strides();
  return {t.data(), sizeof(T), extents.values, strides.values, R};
}

template <class T, int R> void set_unwritten(const tensor<const T, R> &t, bool unwritten) {
  monitor &m = current_monitor();
  const footprint memory = footprint_of(t);
  memory.for_each([&](const char *element, const std::ptrdiff_t *) {
    m.cells[element].unwritten = unwritten;
    return true;
  });
  std::erase_if(m.unwritten,
                [&](const footprint &f) { return f.memory.first == memory.memory.first; });
  if (unwritten && !memory.empty())
    m.unwritten.push_back(memory);
}

/// What the type of a tensor grants.
template <class X>
concept any_tensor = requires(const X &x) {
  typename X::element_type;
  typename X::value_type;
  { X::rank() } -> std::convertible_to<int>;
} && std::is_base_of_v<tensor<const typename X::value_type, X::rank()>, X>;

} // namespace detail

template <class X>
constexpr declared_argument::declared_argument(const char *name, const X &x, privilege granted)
    : name(name), granted(granted) {
  if constexpr (detail::any_tensor<X>)
    if (!std::is_constant_evaluated()) {
      const tensor<const typename X::value_type, X::rank()> &t = x;
      memory = detail::footprint_of(t);
    }
}

template <class X>
constexpr declared_argument::declared_argument(const char *name, const X &x)
    : declared_argument(name, x, privilege::read_write) {
  if constexpr (detail::any_tensor<X>)
    if (std::is_const_v<typename X::element_type>)
      granted = privilege::read;
}

inline void enter_task(entered_name name) {
  detail::current_monitor().enter(name.text, name.where);
}

inline void leave_task() { detail::current_monitor().leave(true); }

constexpr task_scope::task_scope(entered_name name,
                                 std::initializer_list<declared_argument> arguments) {
  if (std::is_constant_evaluated())
    return;
  exceptions_ = std::uncaught_exceptions();
  enter_task(name);
  for (const declared_argument &a : arguments)
    detail::current_monitor().declare(a.name, a.memory, a.granted);
}

constexpr task_scope::~task_scope() noexcept(false) {
  if (!std::is_constant_evaluated())
    detail::current_monitor().leave(std::uncaught_exceptions() == exceptions_);
}

template <class T, int R> void uninitialised(const tensor<const T, R> &t) {
  detail::set_unwritten(t, true);
}

template <class T, int R> void initialised(const tensor<const T, R> &t) {
  detail::set_unwritten(t, false);
}

template <class T, int R>
void argument(const char *name, const tensor<const T, R> &t, privilege granted) {
  detail::current_monitor().declare(name, detail::footprint_of(t), granted);
}

template <class T, int R> void name(const tensor<const T, R> &t, const char *text) {
  detail::current_monitor().names.push_back({text, detail::footprint_of(t).memory});
}

inline void reset() { detail::current_monitor() = {}; }

} // namespace septran::checked

#endif
