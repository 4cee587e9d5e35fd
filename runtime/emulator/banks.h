//===- banks.h - Bank conflicts of shared memory -----------------*- C++ -*-===//
//
// Shared memory has 32 banks of 4 bytes; a warp's request takes one pass (a wavefront) for every
// different word that it wants from the same bank. Requests of 8 bytes per lane are served by half
// warps, those of 16 bytes by quarter warps (CUDA C++ Programming Guide, "Shared Memory" of
// compute capability 5.x; CUDA best practices guide).
//
// The lanes of a warp run one after another here. Accesses belong to one request if they come from
// the same place of the program and are each lane's n-th one there since the last barrier.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_RUNTIME_EMULATOR_BANKS_H
#define SEPTRAN_RUNTIME_EMULATOR_BANKS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace septran::emulator {

/// What the requests of one place of the program cost.
struct bank_cost {
  std::uint64_t requests = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t ideal = 0;

  bank_cost &operator+=(const bank_cost &other) {
    requests += other.requests;
    wavefronts += other.wavefronts;
    ideal += other.ideal;
    return *this;
  }
};

/// Part of a request: `bytes` at an offset into shared memory, for one lane.
struct lane_access {
  int lane;
  std::size_t offset;
  std::size_t bytes;
};

/// The passes that one request of a warp takes, and those that it would take without conflicts.
std::pair<int, int> wavefronts(const std::vector<lane_access> &request);

/// Collects the requests of one block.
class bank_counter {
public:
  /// Thread `rank` accesses `bytes` at `offset`, at `where`.
  void note(int rank, const void *where, std::size_t offset, std::size_t bytes);
  /// A complete request, of an instruction for the whole warp.
  void note_request(const void *where, const std::vector<lane_access> &request);
  /// Every thread has come to the same point: requests before it are complete.
  void settle();

  const std::map<const void *, bank_cost> &costs() const { return costs_; }

private:
  struct request_key {
    const void *where;
    int warp;
    std::uint32_t number;
    auto operator<=>(const request_key &) const = default;
  };

  std::map<request_key, std::vector<lane_access>> open_;
  std::map<std::pair<const void *, int>, std::uint32_t> counts_; // by place and thread
  std::map<const void *, bank_cost> costs_;
};

} // namespace septran::emulator

#endif // SEPTRAN_RUNTIME_EMULATOR_BANKS_H
