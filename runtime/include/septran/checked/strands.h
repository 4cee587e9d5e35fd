//===- checked/strands.h - which accesses may run at the same time --------===//
//
// The plain program runs parallel loops in order. To know which accesses a mapping
// may run at the same time, every iteration of a parallel loop is a strand, with
// the strand around the loop as its parent. Two accesses are parallel exactly if
// their strands, traced upwards, part into two iterations of one loop that is still
// running: once a loop has ended, its iterations count as their parent, because
// whatever follows waits for all of them.
//
// That is the series-parallel maintenance of M. Feng and C. E. Leiserson, Efficient
// detection of determinacy races in Cilk programs (1997), with parent links in place
// of union-find: nests are shallow.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_CHECKED_STRANDS_H
#define SEPTRAN_CHECKED_STRANDS_H

#include <cstdint>
#include <vector>

namespace septran::checked::detail {

/// A strand; 0 is the program outside all parallel loops.
using strand = std::uint64_t;

class strands {
public:
  strand current() const { return current_; }

  void begin_loop() {
    open_.push_back({next_loop_++, current_});
    ended_.push_back(0);
  }

  void end_loop() {
    const loop ended = open_.back();
    open_.pop_back();
    ended_[ended.number - first_loop_] = 1;
    current_ = ended.parent; // also after a `break`
    if (open_.empty()) {
      // No later access can be parallel to anything so far: forget it all.
      nodes_.clear();
      ended_.clear();
      first_strand_ = next_strand_;
      first_loop_ = next_loop_;
    }
  }

  void begin_iteration() {
    nodes_.push_back({open_.back().parent, open_.back().number});
    current_ = next_strand_++;
  }

  void end_iteration() { current_ = open_.back().parent; }

  /// May an access made earlier by `other` run at the same time as one made now?
  bool parallel(strand other) const {
    other = awaited(other);
    if (other < first_strand_)
      return false;
    const std::uint64_t number = node_of(other).loop;
    strand mine = current_;
    while (mine >= first_strand_ && node_of(mine).loop != number)
      mine = node_of(mine).parent;
    return mine >= first_strand_ && mine != other;
  }

private:
  struct node {
    strand parent;
    std::uint64_t loop;
  };
  struct loop {
    std::uint64_t number;
    strand parent;
  };

  const node &node_of(strand s) const { return nodes_.data()[s - first_strand_]; }

  strand awaited(strand s) const {
    while (s >= first_strand_ && ended_.data()[node_of(s).loop - first_loop_])
      s = node_of(s).parent;
    return s;
  }

  std::vector<node> nodes_;
  std::vector<loop> open_;
  std::vector<char> ended_; // of loops; every access asks, and bits are slow without optimisation
  strand first_strand_ = 1, next_strand_ = 1, current_ = 0;
  std::uint64_t first_loop_ = 1, next_loop_ = 1;
};

} // namespace septran::checked::detail

#endif
