//===- checked/monitor.h - the checks -------------------------------------===//
//
// One monitor per thread holds the cells, the strands and the declarations, and
// judges every access. The plain program is sequential, so threads of a test
// driver that run programs side by side do not see each other.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_CHECKED_MONITOR_H
#define SEPTRAN_CHECKED_MONITOR_H

#include <septran/checked/report.h>
#include <septran/checked/shadow.h>
#include <septran/checked/tasks.h>

#include <string>
#include <vector>

namespace septran::checked::detail {

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
  std::vector<footprint> unwritten; // memory of others that was declared to have no values
  site last;                        // the last place that was seen, for what has none of its own

  /// Judges a read. False if it must not happen.
  bool read(const access &a) {
    settle();
    last = a.where;
    cell &c = cells[a.element];
    if (c.unwritten) {
      fail(rule::unwritten, a, "reads element",
           ", which has no value yet; locals and [[septran::write]] arguments are written first");
      return false;
    }
    for (auto t = tasks.rbegin(); t != tasks.rend() && c.written_in < t->entered; ++t)
      if (const argument *hiding = t->hides_value(a.element)) {
        fail(rule::unwritten, a, "reads element",
             ", which has no value yet: task '" + t->name + "' has not written it, and '" +
                 hiding->name + "' is [[septran::write]]");
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

  /// A read whose result refers to the element, of so many bytes.
  bool read_constant(const access &a, std::size_t bytes) {
    if (!read(a))
      return false;
    if (tasks.empty() || bytes > sizeof seen.value || !denied_by(a.element).by)
      return true;
    std::memcpy(seen.value, a.element, bytes);
    seen.element = a.element;
    seen.bytes = bytes;
    seen.where = a.where;
    seen.rank = a.rank;
    for (int d = 0; d < a.rank; ++d)
      seen.index[d] = a.index[d];
    return true;
  }

  /// Judges a write. False if it must not happen.
  bool write(const access &a) {
    settle();
    last = a.where;
    if (fails_privilege(a))
      return false;
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
    c.written_in = entries;
    c.write_update = a.update;
    c.reduced = reduced;
    c.unwritten = false;
    return true;
  }

  /// Reports an index outside `extents`, of an element, block or subtensor as `what` says.
  void out_of_bounds(const access &a, const std::ptrdiff_t *extents, const char *what) {
    settle();
    fail(rule::bounds, a, what, ", outside its extents " + tuple(extents, a.rank));
  }

  /// A plain reference to an element is given away: nobody knows what it writes. Pointers run on
  /// from there.
  void escape(const access &a) {
    write(a);
    for (const owned_memory &own : owned)
      if (own.memory.contains(a.element))
        for (const char *p = own.memory.first; p != own.memory.last; p += own.memory.element_bytes)
          cells[p].unwritten = false;
    for (const footprint &declared : unwritten)
      if (declared.contains(a.element))
        has_values(declared);
    for (task &t : tasks)
      for (argument &arg : t.arguments)
        arg.given_away = arg.given_away || arg.memory.contains(a.element);
  }

  /// A pointer to the elements of a tensor is given away.
  void escape(const footprint &tensor) {
    for (const owned_memory &own : owned)
      if (own.memory.meets(tensor.memory))
        has_values(tensor);
    for (const footprint &declared : unwritten)
      if (declared.memory.meets(tensor.memory))
        has_values(tensor);
    for (task &t : tasks)
      for (argument &arg : t.arguments)
        arg.given_away = arg.given_away || arg.memory.memory.meets(tensor.memory);
  }

  void enter(std::string name, const site &where) {
    settle();
    tasks.push_back({std::move(name), where, ++entries, {}});
  }

  /// An argument of the innermost task.
  void declare(std::string name, const footprint &memory, privilege granted) {
    argument made{std::move(name), memory, granted, false, {}};
    // Watching costs time and memory. Of a large tensor that a caller may only read, too, the
    // caller's copy is enough.
    constexpr std::size_t large = 4096;
    if (granted == privilege::read && !memory.empty() &&
        (memory.count() <= large || denied_by(memory.memory.first).by == nullptr))
      made.before = contents_of(memory);
    tasks.back().arguments.push_back(std::move(made));
  }

  /// Leaves the innermost task. Looks for writes that no tensor saw, unless an exception is on its
  /// way: then the memory may be gone.
  void leave(bool look) {
    struct leaving { // also if a handler throws
      monitor &m;
      ~leaving() {
        m.seen.element = nullptr;
        m.tasks.pop_back();
      }
    } at_the_end{*this};
    if (!look)
      return;
    settle();
    for (const argument &arg : tasks.back().arguments)
      if (!arg.before.empty())
        require_unchanged(tasks.back(), arg);
  }

private:
  epoch entries = 0;
  glance seen;

  void has_values(const footprint &memory) {
    memory.for_each([&](const char *element, const std::ptrdiff_t *) {
      cells[element].unwritten = false;
      return true;
    });
  }

  /// The innermost task that may only read the element, and its argument.
  struct denial {
    const task *by = nullptr;
    const argument *what = nullptr;
  };
  denial denied_by(const void *element) const {
    for (auto t = tasks.rbegin(); t != tasks.rend(); ++t)
      if (const argument *denied = t->denies_write(element))
        return {&*t, denied};
    return {};
  }

  bool fails_privilege(const access &a) const {
    const denial denied = denied_by(a.element);
    if (denied.by == nullptr)
      return false;
    fail(rule::privilege, a, "writes element",
         ", but task '" + denied.by->name + "' may only read '" + denied.what->name + "'");
    return true;
  }

  /// Has the last look at a constant element written it? Undoes that.
  void settle() {
    if (!seen.is_stale())
      return;
    const glance wrote = seen;
    seen.element = nullptr;
    std::memcpy(const_cast<void *>(wrote.element), wrote.value, wrote.bytes);
    fails_privilege({wrote.element, wrote.where, wrote.index, wrote.rank, 0});
  }

  /// Reports the first element that has another value than on entry; undoes all such writes.
  void require_unchanged(const task &t, const argument &arg) const {
    const std::size_t bytes = arg.memory.memory.element_bytes;
    const char *expected = arg.before.data();
    std::vector<std::ptrdiff_t> changed;
    const void *element = nullptr;
    arg.memory.for_each([&](const char *at, const std::ptrdiff_t *index) {
      if (std::memcmp(at, expected, bytes) != 0 && t.denies_write(at) != nullptr) {
        std::memcpy(const_cast<char *>(at), expected, bytes);
        if (element == nullptr) {
          element = at;
          changed.assign(index, index + arg.memory.rank());
        }
      }
      expected += bytes;
      return true;
    });
    if (element != nullptr)
      report({rule::privilege, t.name, arg.name, changed, t.where,
              "task '" + t.name + "' has changed element " +
                  tuple(changed.data(), int(changed.size())) + " of '" + arg.name +
                  "', which it may only read, by a pointer or reference"});
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
