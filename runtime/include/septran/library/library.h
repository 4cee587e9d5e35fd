//===- library/library.h - what a generated kernel library needs --*- C++ -*-===//
//
// A source that septran-rewrite --emit=library writes ends in functions with a C interface: they
// hand their arguments to `call`, which checks them and then runs the kernel. No exception leaves
// it. Generated files include this header alone.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_LIBRARY_LIBRARY_H
#define SEPTRAN_LIBRARY_LIBRARY_H

#include <septran/library/checked_call.h>
#include <septran/library/relations.h>

#include <exception>
#include <new>
#include <type_traits>

#define SEPTRAN_LIBRARY_EXPORT extern "C" __attribute__((visibility("default")))

namespace septran::library {

namespace detail {

/// `places` has room for every parameter.
inline status check(const interface &i, const argument *arguments, footprint *places,
                    error_text &error) {
  bool has_elements = true;
  for (int p = 0; p < i.parameter_count; ++p) {
    const parameter &now = i.parameters[p];
    if (!now.is_tensor())
      continue;
    const dlpack_tensor *t = arguments[p].tensor;
    if (status s = check_rank(i.name, now, t, error); s != status::success)
      return s;
    if (status s = check_kind(i.name, now, *t, error); s != status::success)
      return s;
    if (status s = check_memory(i.name, now, *t, places[p], error); s != status::success)
      return s;
    has_elements &= !places[p].empty();
  }
  if (status s = check_relations(i, arguments, has_elements, error); s != status::success)
    return s;
  for (int w = 0; w < i.parameter_count; ++w)
    for (int p = 0; p < i.parameter_count && i.parameters[w].written; ++p)
      if (p != w && i.parameters[p].is_tensor() && !(p < w && i.parameters[p].written) &&
          share_memory(places[w], places[p]))
        return error.set(status::overlap,
                         "%s: %s shares memory with %s, and %s is written; expected a copy", i.name,
                         i.parameters[w].name, i.parameters[p].name, i.parameters[w].name);
  return status::success;
}

/// Runs `body`; what it throws becomes a status.
template <class Body> status guarded(const char *name, error_text &error, Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return error.set(status::out_of_memory, "%s: out of memory", name);
  } catch (const std::exception &problem) {
    return error.set(status::failure, "%s: %s", name, problem.what());
  } catch (...) {
    return error.set(status::failure, "%s: an exception of unknown type", name);
  }
}

} // namespace detail

/// Checks the arguments, and runs `kernel` if all is well. What a kernel gives is a status.
template <std::size_t Count, class Kernel>
int call(const interface &i, const argument (&arguments)[Count], error_text &error,
         Kernel kernel) noexcept {
  error.clear();
  return int(detail::guarded(i.name, error, [&] {
    footprint places[Count];
    const status s = detail::check(i, arguments, places, error);
    if (s != status::success)
      return s;
    if constexpr (std::is_void_v<decltype(kernel())>)
      return checked_call(i.name, error, kernel);
    else
      return kernel();
  }));
}

/// Fills in the extents of the arguments that are -1, and checks all of them.
inline int infer_shapes(const interface &i, const argument *arguments, error_text &error) noexcept {
  error.clear();
  return int(detail::guarded(i.name, error, [&] {
    for (int p = 0; p < i.parameter_count; ++p)
      if (i.parameters[p].is_tensor())
        if (status s = detail::check_rank(i.name, i.parameters[p], arguments[p].tensor, error);
            s != status::success)
          return s;
    detail::solver solve(i, arguments);
    solve.run();
    if (solve.contradicts(error))
      return status::wrong_shape;
    int p = 0, d = 0;
    if (solve.unknown(p, d))
      return error.set(status::wrong_shape,
                       "%s: %s[%d] does not follow from the other arguments; expected its value",
                       i.name, i.parameters[p].name, d);
    bool has_elements = true;
    for (p = 0; p < i.parameter_count; ++p)
      for (d = 0; d < i.parameters[p].rank; ++d)
        has_elements &= arguments[p].tensor->shape[d] != 0;
    return detail::check_relations(i, arguments, has_elements, error);
  }));
}

} // namespace septran::library

#endif
