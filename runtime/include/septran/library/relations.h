//===- library/relations.h - extents that belong together ---------*- C++ -*-===//
//
// The extents of a kernel's arguments depend on each other: generated code has a table of these
// relations. Here they are checked, and solved for extents that the caller does not know.
//
// An unknown extent takes the least value that its own relations ask for. If it has none, it takes
// the largest that those of the other extents allow: of Y where X[0] >= Y[0] + 2, two less than X.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_LIBRARY_RELATIONS_H
#define SEPTRAN_LIBRARY_RELATIONS_H

#include <septran/library/arguments.h>

#include <algorithm>
#include <cstring>

namespace septran::library {

/// Extents and integer scalars of a call. An extent that is not known yet is negative, and no
/// value.
class values {
public:
  explicit values(const argument *arguments) : arguments_(arguments) {}

  checked_int extent(int parameter, int dimension) const {
    const std::int64_t n = arguments_[parameter].tensor->shape[dimension];
    return n < 0 ? checked_int::none() : checked_int(n);
  }
  checked_int scalar(int parameter) const { return arguments_[parameter].integer; }

private:
  const argument *arguments_;
};

struct relation {
  enum kind {
    equal,
    at_least,
    at_most,
    like, ///< only helps to find unknown extents
  };

  const char *left_text, *right_text; ///< for messages
  kind is;
  checked_int (*left)(const values &);
  checked_int (*right)(const values &);
  /// Where the left side is an extent, which; else -1.
  int parameter = -1, dimension = -1;

  bool holds(const values &v) const {
    const checked_int a = left(v), b = right(v);
    return bool(is == equal ? a == b : is == at_most ? a <= b : a >= b);
  }
  /// The same for one side that is made smaller to fit.
  bool has_room(const values &v) const {
    const checked_int a = left(v), b = right(v);
    return bool(is == at_most ? a <= b : a >= b);
  }
};

/// Everything that calls of one kernel are checked against.
struct interface {
  const char *name;
  const parameter *parameters;
  int parameter_count;
  const relation *relations;
  int relation_count;
};

namespace detail {

inline status broken(const char *kernel, const relation &r, long long left, long long right,
                     error_text &error) {
  const char *how = r.is == relation::at_least  ? "at least "
                    : r.is == relation::at_most ? "at most "
                                                : "";
  char number[24];
  std::snprintf(number, sizeof number, "%lld", right);
  const bool is_number = std::strcmp(number, r.right_text) == 0;
  return error.set(status::wrong_shape, "%s: %s is %lld; expected %s%s%s%s", kernel, r.left_text,
                   left, how, number, is_number ? "" : ", which is ",
                   is_number ? "" : r.right_text);
}

inline status check_relations(const interface &i, const argument *arguments, bool has_elements,
                              error_text &error) {
  const values v(arguments);
  for (int r = 0; r < i.relation_count; ++r) {
    const relation &now = i.relations[r];
    if (now.is == relation::like)
      continue;
    const checked_int left = now.left(v), right = now.right(v);
    if (!left.has_value() || !right.has_value()) {
      // Without elements nothing is indexed, and a quotient by an extent may be one by zero.
      if (!has_elements)
        continue;
      const bool is_left = !left.has_value();
      return error.set(status::wrong_shape, "%s: %s has no value for these arguments", i.name,
                       is_left ? now.left_text : now.right_text);
    }
    if (!now.holds(v))
      return broken(i.name, now, left.value(), right.value(), error);
  }
  return status::success;
}

/// Solves for unknown extents, which are -1 in the shapes of the arguments.
class solver {
public:
  solver(const interface &i, const argument *arguments) : interface_(i), arguments_(arguments) {}

  void run() {
    while (lower_bounds() || upper_bounds()) {
    }
  }

  /// Two relations that give one unknown extent different values; sets the text if there are any.
  bool contradicts(error_text &error) const {
    if (!first_ || !second_)
      return false;
    const values v(arguments_);
    error.set(status::wrong_shape, "%s: %s is %lld, and %s is %lld; expected the same, for %s[%d]",
              interface_.name, first_->left_text, static_cast<long long>(first_->left(v).value()),
              second_->left_text, static_cast<long long>(second_->left(v).value()),
              interface_.parameters[parameter_].name, dimension_);
    return true;
  }

  /// An extent that is still unknown, as (parameter, dimension), or false.
  bool unknown(int &parameter, int &dimension) const {
    for (parameter = 0; parameter < interface_.parameter_count; ++parameter)
      for (dimension = 0; dimension < interface_.parameters[parameter].rank; ++dimension)
        if (extent(parameter, dimension) < 0)
          return true;
    return false;
  }

private:
  /// The struct of the caller is constant; the shape that it points to is his to be filled in.
  std::int64_t &extent(int parameter, int dimension) const {
    return arguments_[parameter].tensor->shape[dimension];
  }

  template <class Body> bool for_each_unknown(Body body) {
    bool changed = false;
    for (int p = 0; p < interface_.parameter_count; ++p)
      for (int d = 0; d < interface_.parameters[p].rank; ++d)
        if (extent(p, d) < 0)
          changed |= body(p, d);
    return changed;
  }

  /// Extents of which all that they must be at least is known.
  bool lower_bounds() {
    return for_each_unknown([&](int p, int d) {
      std::int64_t least = -1;
      for (int r = 0; r < interface_.relation_count; ++r) {
        const relation &now = interface_.relations[r];
        if (now.parameter != p || now.dimension != d)
          continue;
        const checked_int bound = now.right(values(arguments_));
        if (!bound.has_value())
          return false;
        least = std::max({least, bound.value(), std::int64_t(0)});
      }
      if (least >= 0)
        extent(p, d) = least;
      return least >= 0;
    });
  }

  /// Extents that other relations keep small; those that must be equal to others decide first.
  bool upper_bounds() {
    return for_each_unknown([&](int p, int d) {
      std::int64_t most = smallest_of_largest(p, d, true);
      if (most < 0)
        most = smallest_of_largest(p, d, false);
      extent(p, d) = most;
      return most >= 0;
    });
  }

  std::int64_t smallest_of_largest(int p, int d, bool of_equal) {
    std::int64_t most = -1;
    const relation *first = nullptr;
    for (int r = 0; r < interface_.relation_count; ++r) {
      const relation &now = interface_.relations[r];
      if ((now.is == relation::equal) != of_equal)
        continue;
      const std::int64_t found = largest(now, p, d);
      if (found < 0)
        continue;
      if (of_equal && first && found != most) {
        first_ = first;
        second_ = &now;
        parameter_ = p;
        dimension_ = d;
      }
      first = first ? first : &now;
      most = most < 0 ? found : std::min(most, found);
    }
    return most;
  }

  /// The largest extent that one relation allows, which grows stricter with it; -1 if the relation
  /// does not say.
  std::int64_t largest(const relation &r, int p, int d) {
    const values v(arguments_);
    constexpr std::int64_t limit = std::int64_t(1) << 40;
    std::int64_t &n = extent(p, d);
    const bool tells = !r.left(v).has_value() || !r.right(v).has_value();
    const auto fits = [&](std::int64_t candidate) {
      n = candidate;
      return r.has_room(v);
    };
    std::int64_t low = 0, high = limit;
    n = 1;
    if (!tells || !r.left(v).has_value() || !r.right(v).has_value() || fits(limit)) {
      n = -1;
      return -1;
    }
    while (low + 1 < high) {
      const std::int64_t middle = low + (high - low) / 2;
      (fits(middle) ? low : high) = middle;
    }
    n = -1;
    return low;
  }

  const interface &interface_;
  const argument *arguments_;
  const relation *first_ = nullptr, *second_ = nullptr;
  int parameter_ = 0, dimension_ = 0;
};

} // namespace detail

} // namespace septran::library

#endif
