//===- barriers.cpp - Barriers, votes and shuffles ------------------------===//
//
// A collective gathers the threads of its group; the last to come does the work for all and wakes
// the others. Barriers also pass on what their members know of each other; votes and shuffles order
// nothing.
//
//===----------------------------------------------------------------------===//

#include "collective.h"
#include "report.h"
#include "state.h"

#include <septran/emulator/simt.h>

#include <algorithm>
#include <memory>
#include <unordered_set>

namespace septran::emulator {

dim3 thread_index() { return primitive("thread_index").self().index; }
dim3 block_index() { return primitive("block_index").self().block->index; }
dim3 block_extent() {
  const primitive call("block_extent");
  return current->request.block;
}
dim3 grid_extent() {
  const primitive call("grid_extent");
  return current->request.grid;
}
unsigned char *shared_memory() { return primitive("shared_memory").self().block->shared.data(); }

unsigned char *shared_array(std::size_t bytes) {
  const primitive call("shared_array");
  block_state &block = *call.self().block;
  auto &memory = block.shared_arrays[bytes];
  if (!memory) {
    memory = std::make_unique<device_memory>(bytes, shared_alignment);
    std::size_t sum = block.shared.size();
    for (const auto &[size, array] : block.shared_arrays)
      sum += size;
    // Every compute capability lets a kernel have this much without asking.
    if (sum > 48 * 1024)
      fail(
          "a block may use 49152 bytes of shared memory if part of it is in shared_array; this one "
          "uses " +
              std::to_string(sum),
          __builtin_return_address(0));
  }
  return memory->data();
}

std::string segment_text(int width) {
  return width == warp_threads ? "the warp" : "a segment of " + std::to_string(width);
}

static std::string kind_of_other(const gathering &group) {
  for (const thread_state *member : group.members)
    if (member != nullptr)
      return thread_text(*member) + " is in a " + group.kind + " at " +
             source_line(member->waits_at);
  return "others arrived in a " + group.kind;
}

/// Adds the running thread; a group does one thing at a time.
static void join(gathering &group, const char *kind, const void *where) {
  if (group.members.empty())
    group.kind = kind;
  else if (group.kind != kind)
    fail(std::string("divergence: a thread comes to a ") + kind + ", while " + kind_of_other(group),
         where);
  group.members.push_back(running);
}

static void release(gathering &group) {
  for (thread_state *member : group.members)
    if (member != nullptr && member != running)
      wake(*member);
  group.members.clear();
  group.arrived.clear();
}

/// After a barrier, its members know of each other, and of all that one of them knew.
static void share_knowledge(gathering &group) {
  if (!current->settings.races)
    return;
  auto all = std::make_shared<std::vector<std::uint32_t>>(running->block->threads.size(), 0);
  std::unordered_set<const void *> merged;
  const auto merge = [&](const knowledge &seen) {
    if (seen && merged.insert(seen.get()).second)
      for (std::size_t i = 0; i < all->size(); ++i)
        (*all)[i] = std::max((*all)[i], (*seen)[i]);
  };
  for (const thread_state *member : group.members)
    if (member != nullptr)
      merge(member->seen);
  for (const auto &[seen, rank, step] : group.arrived) {
    merge(seen);
    (*all)[rank] = std::max((*all)[rank], step);
  }
  for (const thread_state *member : group.members)
    if (member != nullptr) {
      std::uint32_t &step = (*all)[std::size_t(member->rank)];
      step = std::max(step, member->step);
    }
  for (thread_state *member : group.members)
    if (member != nullptr) {
      member->seen = all;
      ++member->step;
    }
}

gathering &segment_of(block_state &block, int rank, int width) {
  const int segment = rank % warp_threads / width;
  return block.warps[std::size_t(rank / warp_threads)][std::size_t(warp_threads / width + segment)];
}

void warp_collective(const char *kind, const void *where, participants who,
                     const std::function<void(const lane_list &)> &work) {
  const primitive call(kind);
  thread_state &self = call.self();
  maybe_switch();
  block_state &block = *self.block;
  const std::size_t width = std::size_t(who.width);
  const std::size_t first = std::size_t(self.rank) / width * width;
  const std::size_t count = std::min(width, block.threads.size() - first);
  if (who.whole && count != width)
    fail(std::string("a ") + kind + " needs 32 lanes; this warp, the last of a block of " +
             std::to_string(block.threads.size()) + " threads, has " + std::to_string(count),
         where);
  for (std::size_t i = first; i < first + count; ++i)
    if (block.threads[i].ended)
      fail(std::string("divergence: a ") + kind + " by all threads of " + segment_text(who.width) +
               ", of which lane " + std::to_string(i % warp_threads) + " has ended",
           where);
  gathering &group = segment_of(block, self.rank, who.width);
  join(group, kind, where);
  if (group.members.size() < count) {
    wait(kind, where);
    return;
  }
  lane_list lanes{};
  for (thread_state *member : group.members)
    lanes[std::size_t(member->rank % warp_threads)] = member;
  work(lanes);
  release(group);
}

void warp_barrier(int width) {
  warp_collective("warp barrier", __builtin_return_address(0), {width}, [=](const lane_list &) {
    share_knowledge(segment_of(*running->block, running->rank, width));
  });
}

/// Threads of one warp that come to a barrier from different lines took different branches.
static void check_same_line(const gathering &group, const void *where) {
  for (const thread_state *member : group.members)
    if (member != nullptr && member != running &&
        member->rank / warp_threads == running->rank / warp_threads && member->waits_at != where) {
      const std::string here = source_line(where), there = source_line(member->waits_at);
      if (here != there)
        fail("divergence: " + thread_text(*running) + " comes to the " + group.kind + " at " +
             here + ", " + thread_text(*member) + " of the same warp at " + there);
      return;
    }
}

void block_barrier() {
  const void *where = __builtin_return_address(0);
  const primitive call("block_barrier");
  thread_state &self = call.self();
  maybe_switch();
  block_state &block = *self.block;
  if (block.running < block.threads.size()) {
    const auto ended = std::find_if(block.threads.begin(), block.threads.end(),
                                    [](const thread_state &thread) { return thread.ended; });
    fail("divergence: a block barrier by all threads of the block, of which thread " +
             std::to_string(ended->rank) + " has ended",
         where);
  }
  gathering &group = block.barriers[0];
  join(group, "block barrier", where);
  check_same_line(group, where);
  if (group.members.size() < block.threads.size()) {
    wait("block barrier", where);
    return;
  }
  share_knowledge(group);
  block.banks.settle();
  release(group);
}

/// The barrier of this number, once its count has been checked.
static gathering &named(int id, int threads, const void *where) {
  block_state &block = *running->block;
  if (threads <= 0 || threads % warp_threads != 0 || std::size_t(threads) > block.threads.size())
    fail("barrier " + std::to_string(id) + " is to count " + std::to_string(threads) +
             " threads; a multiple of 32 up to the block's " +
             std::to_string(block.threads.size()) + " is possible",
         where);
  gathering &group = block.barriers[std::size_t(id)];
  if (group.members.empty())
    group.expected = threads;
  else if (group.expected != threads)
    fail("barrier " + std::to_string(id) + " is to count " + std::to_string(threads) +
             " threads here and " + std::to_string(group.expected) + " elsewhere",
         where);
  return group;
}

static constexpr const char *named_kind = "named barrier";

static bool complete_named(gathering &group) {
  if (group.members.size() < std::size_t(group.expected))
    return false;
  share_knowledge(group);
  release(group);
  return true;
}

void named_barrier(int id, int threads) {
  const void *where = __builtin_return_address(0);
  const primitive call("named_barrier");
  maybe_switch();
  gathering &group = named(id, threads, where);
  join(group, named_kind, where);
  if (!complete_named(group))
    wait(named_kind, where);
}

void named_barrier_arrive(int id, int threads) {
  const void *where = __builtin_return_address(0);
  const primitive call("named_barrier_arrive");
  thread_state &self = call.self();
  maybe_switch();
  gathering &group = named(id, threads, where);
  group.kind = named_kind;
  group.members.push_back(nullptr);
  group.arrived.push_back({self.seen, std::size_t(self.rank), self.step});
  ++self.step; // what follows is not ordered by this barrier
  complete_named(group);
}

namespace {

struct vote {
  bool condition;
};

struct exchange {
  shuffle_mode mode;
  std::uint32_t value;
  int operand;
  int width;
};

/// The lane that a shuffle reads. PTX ISA, shfl.sync: outside of the segment a lane reads itself.
int source_lane(const exchange &request, int lane) {
  const int begin = lane / request.width * request.width, end = begin + request.width;
  int source = lane;
  switch (request.mode) {
  case shuffle_mode::index: // modulo the segment
    return begin + (request.operand & (request.width - 1));
  case shuffle_mode::exclusive_or:
    source = lane ^ request.operand;
    break;
  case shuffle_mode::up:
    source = lane - request.operand;
    break;
  case shuffle_mode::down:
    source = lane + request.operand;
    break;
  }
  return source >= begin && source < end ? source : lane;
}

} // namespace

std::uint32_t ballot(bool condition) {
  const void *where = __builtin_return_address(0);
  const primitive call("ballot");
  thread_state &self = call.self();
  std::uint32_t result = 0;
  const vote mine{condition};
  self.operand = &mine;
  self.result = &result;
  warp_collective("vote", where, {}, [](const lane_list &lanes) {
    std::uint32_t bits = 0;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      if (lanes[lane] != nullptr && static_cast<const vote *>(lanes[lane]->operand)->condition)
        bits |= std::uint32_t(1) << lane;
    for (thread_state *member : lanes)
      if (member != nullptr)
        *static_cast<std::uint32_t *>(member->result) = bits;
  });
  return result;
}

std::uint32_t shuffle(shuffle_mode mode, std::uint32_t value, int operand, int width) {
  const void *where = __builtin_return_address(0);
  const primitive call("shuffle");
  thread_state &self = call.self();
  std::uint32_t result = 0;
  const exchange mine{mode, value, operand, width};
  self.operand = &mine;
  self.result = &result;
  warp_collective("shuffle", where, {width}, [where](const lane_list &lanes) {
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      if (lanes[lane] == nullptr)
        continue;
      const exchange &request = *static_cast<const exchange *>(lanes[lane]->operand);
      const int source = source_lane(request, int(lane));
      const thread_state *from = lanes[std::size_t(source)];
      if (from == nullptr)
        fail("a shuffle of lane " + std::to_string(lane) + " reads lane " + std::to_string(source) +
                 ", which this warp, the last of its block, does not have",
             where);
      *static_cast<std::uint32_t *>(lanes[lane]->result) =
          static_cast<const exchange *>(from->operand)->value;
    }
  });
  return result;
}

} // namespace septran::emulator
