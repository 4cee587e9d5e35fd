//===- streams.cpp - Work that waits for its turn -------------------------===//
//
// The default stream does everything at once. Any other keeps its work until the host waits for it,
// so a program that does not wait where it must reads what is not there yet.
//
//===----------------------------------------------------------------------===//

#include "state.h"

#include <cstring>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace septran::emulator {

namespace {

using work_queue = std::deque<std::function<void()>>;

std::map<const void *, work_queue> &queues() {
  static std::map<const void *, work_queue> all;
  return all;
}

} // namespace

void enqueue(const void *queue, std::function<void()> work) {
  if (queue == nullptr)
    return work();
  queues()[queue].push_back(std::move(work));
}

void wait_for(const void *queue) {
  ++totals.waits;
  const auto found = queues().find(queue);
  if (found == queues().end())
    return;
  work_queue todo = std::move(found->second);
  queues().erase(found);
  for (const auto &work : todo)
    work();
}

void wait_for_all() {
  ++totals.waits;
  while (!queues().empty()) {
    work_queue todo = std::move(queues().begin()->second);
    queues().erase(queues().begin());
    for (const auto &work : todo)
      work();
  }
}

std::function<void()> staged_copy(void *device, const void *host, std::size_t bytes) {
  const auto *begin = static_cast<const unsigned char *>(host);
  return [device, taken = std::vector<unsigned char>(begin, begin + bytes)] {
    copy_to_device(device, taken.data(), taken.size());
  };
}

} // namespace septran::emulator
