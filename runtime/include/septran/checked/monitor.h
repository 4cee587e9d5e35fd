//===- checked/monitor.h - the checks -------------------------------------===//
//
// One monitor per thread holds the cells, the strands and the declarations, and
// judges every access. The plain program is sequential, so threads of a test
// driver that run programs side by side do not see each other.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_CHECKED_MONITOR_H
#define SEPTRAN_CHECKED_MONITOR_H

#include <septran/checked/privilege.h>
#include <septran/checked/report.h>
#include <septran/checked/shadow.h>

#include <functional>
#include <string>
#include <vector>

namespace septran::checked::detail {

/// The memory that a tensor spans, gaps between its rows included: [first, last).
struct span {
  const char *first = nullptr;
  const char *last = nullptr;
  std::size_t element_bytes = 1;

  bool contains(const void *p) const {
    // std::less orders pointers into different arrays, which < need not.
    const auto *at = static_cast<const char *>(p);
    return !std::less<>()(at, first) && std::less<>()(at, last);
  }
};

struct argument {
  std::string name;
  span memory;
  privilege granted;
};

/// A task that has been entered and not left.
struct task {
  std::string name;
  std::vector<argument> arguments;
};

struct named_memory {
  std::string name;
  span memory;
};

/// The memory of a local or of a padded window, and where it was made.
struct owned_memory {
  span memory;
  site where;
};

/// One access: an element, and how the program spelled it. After a wrong index the element is
/// the first of the tensor, to know it by.
struct access {
  const void *element = nullptr;
  site where;
  const std::ptrdiff_t *index = nullptr;
  int rank = 0;
  char update = 0; // part of an update: '+' of `+=` and `-=`, '*' of `*=` and `/=`, and so on
};

class monitor {
public:
  shadow cells;
  strands order;
  std::vector<task> tasks; // innermost last
  std::vector<named_memory> names;
  std::vector<owned_memory> owned;
  std::vector<span> unwritten; // memory of others that was declared to have no values
  site last;                   // the last place that was seen, for what has none of its own

  /// Judges a read. False if it must not happen.
  bool read(const access &a) {
    last = a.where;
    cell &c = cells[a.element];
    if (c.unwritten) {
      fail(rule::unwritten, a, "reads element",
           ", which has no value yet; locals and [[septran::write]] arguments are written first");
      return false;
    }
    if (order.parallel(c.writer) && !(c.reduced && reduces(a)) &&
        !both_reduce(a, c.written, c.write_update))
      return fail_overlap(a, "reads element", "wrote", c.written);
    // A reader that runs at the same time stays: it can still clash with what comes later.
    if (!order.parallel(c.reader)) {
      c.reader = order.current();
      c.read = a.where;
      c.read_update = a.update;
    }
    return true;
  }

  /// Judges a write. False if it must not happen.
  bool write(const access &a) {
    last = a.where;
    for (auto t = tasks.rbegin(); t != tasks.rend(); ++t)
      if (const argument *denied = denies_write(*t, a.element)) {
        fail(rule::privilege, a, "writes element",
             ", but task '" + t->name + "' may only read '" + denied->name + "'");
        return false;
      }
    cell &c = cells[a.element];
    const bool reduced = reduces(a);
    if (!(reduced && c.reduced)) {
      if (order.parallel(c.writer) && !both_reduce(a, c.written, c.write_update))
        return fail_overlap(a, "writes element", "wrote", c.written);
      if (order.parallel(c.reader) && !both_reduce(a, c.read, c.read_update))
        return fail_overlap(a, "writes element", "read", c.read);
    }
    c.writer = order.current();
    c.written = a.where;
    c.write_update = a.update;
    c.reduced = reduced;
    c.unwritten = false;
    return true;
  }

  /// Reports an index outside `extents`, of an element, block or subtensor as `what` says.
  void out_of_bounds(const access &a, const std::ptrdiff_t *extents, const char *what) const {
    fail(rule::bounds, a, what, ", outside its extents " + tuple(extents, a.rank));
  }

  /// A plain reference to an element is given away: nobody knows what it writes.
  void escape(const access &a) {
    write(a);
    for (const owned_memory &own : owned)
      forget_unwritten(own.memory, a.element);
    for (const span &memory : unwritten)
      forget_unwritten(memory, a.element);
  }

private:
  void forget_unwritten(const span &memory, const void *element) {
    if (memory.contains(element))
      for (const char *p = memory.first; p != memory.last; p += memory.element_bytes)
        cells[p].unwritten = false;
  }

  static const argument *denies_write(const task &t, const void *element) {
    const argument *denied = nullptr;
    for (const argument &a : t.arguments) {
      if (!a.memory.contains(element))
        continue;
      if (a.granted != privilege::read)
        return nullptr;
      denied = &a;
    }
    return denied;
  }

  /// Is this an access through an argument that was declared to be reduced?
  bool reduces(const access &a) const {
    for (const task &t : tasks)
      for (const argument &arg : t.arguments)
        if (arg.granted == privilege::reduce && arg.memory.contains(a.element))
          return true;
    return false;
  }

  /// Do two accesses that nobody has declared go through reduced arguments? The source says so.
  /// Without it they are given the benefit of the doubt if both update in the same way.
  static bool both_reduce(const access &a, const site &other, char other_update) {
    const answer mine = says_reduce(a.where), theirs = says_reduce(other);
    if (mine == answer::unknown || theirs == answer::unknown)
      return a.update != 0 && a.update == other_update;
    return mine == answer::yes && theirs == answer::yes;
  }

  bool fail_overlap(const access &a, const char *verb, const char *other_verb,
                    const site &other) const {
    fail(rule::overlap, a, verb,
         std::string(", which another iteration of the same parallel loop ") + other_verb + " at " +
             place(other) + "; only [[septran::reduce]] arguments may be shared");
    return false;
  }

  std::string task_name(const site &where) const {
    const std::string function = function_at(where);
    const bool is_lambda = function == "operator()";
    return (function.empty() || is_lambda) && !tasks.empty() ? tasks.back().name : function;
  }

  std::string argument_name(const access &a) const {
    if (std::string text = tensor_at(a.where); !text.empty())
      return text;
    for (auto t = tasks.rbegin(); t != tasks.rend(); ++t)
      for (const argument &arg : t->arguments)
        if (arg.memory.contains(a.element))
          return arg.name;
    return "";
  }

  std::string root_name(const void *element) const {
    for (auto n = names.rbegin(); n != names.rend(); ++n)
      if (n->memory.contains(element))
        return n->name;
    for (const owned_memory &own : owned)
      if (own.memory.contains(element))
        return local_at(own.where);
    return "";
  }

  void fail(rule broken, const access &a, const char *what, const std::string &rest) const {
    failure f;
    f.broken = broken;
    f.task = task_name(a.where);
    f.argument = argument_name(a);
    f.index.assign(a.index, a.index + a.rank);
    f.where = a.where;
    const std::string root = root_name(a.element);
    f.message = (f.task.empty() ? "the program" : "task '" + f.task + "'") + " " + what + " " +
                tuple(a.index, a.rank) + " of " +
                (f.argument.empty() ? "a tensor" : "'" + f.argument + "'") +
                (root.empty() || root == f.argument ? "" : " (part of '" + root + "')") + rest;
    report(std::move(f));
  }
};

inline monitor &current_monitor() {
  static thread_local monitor current;
  return current;
}

} // namespace septran::checked::detail

#endif
