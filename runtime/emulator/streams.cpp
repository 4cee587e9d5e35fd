//===- streams.cpp - Work that waits for its turn -------------------------===//
//
// The default stream does everything at once. Any other keeps its work until the host waits for it,
// so a program that does not wait where it must reads what is not there yet.
//
//===----------------------------------------------------------------------===//

#include "state.h"

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace septran::emulator {

namespace {

using work_queue = std::deque<std::unique_ptr<work>>;

std::map<const void *, work_queue> &queues() {
  static std::map<const void *, work_queue> all;
  return all;
}

} // namespace

void put_off(const void *queue, work *given) { queues()[queue].emplace_back(given); }

void wait_for(const void *queue) {
  ++totals.waits;
  const auto found = queues().find(queue);
  if (found == queues().end())
    return;
  work_queue todo = std::move(found->second);
  queues().erase(found);
  for (const auto &next : todo)
    next->run();
}

void wait_for_all() {
  ++totals.waits;
  while (!queues().empty()) {
    work_queue todo = std::move(queues().begin()->second);
    queues().erase(queues().begin());
    for (const auto &next : todo)
      next->run();
  }
}

std::int64_t nanoseconds() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace septran::emulator

namespace septran::cuda::runtime {

void release(void *memory, stream in) noexcept {
  emulator::enqueue(in.handle, [=] { emulator::release(memory); });
}

/// What the host has now: it may change its memory before the copy's turn comes.
void copy_to_device(void *device, const void *host, std::size_t bytes, stream in) {
  if (in.handle == nullptr)
    return emulator::copy_to_device(device, host, bytes);
  const auto *begin = static_cast<const unsigned char *>(host);
  emulator::enqueue(in.handle, [device, taken = std::vector<unsigned char>(begin, begin + bytes)] {
    emulator::copy_to_device(device, taken.data(), taken.size());
  });
}

void copy_to_host(void *host, const void *device, std::size_t bytes, stream in) {
  emulator::enqueue(in.handle, [=] { emulator::copy_to_host(host, device, bytes); });
  synchronize(in);
}

void copy_on_device(void *to, const void *from, std::size_t bytes, stream in) {
  emulator::enqueue(in.handle, [=] { emulator::copy_on_device(to, from, bytes); });
}

void copy_rows_to_device(void *device, std::size_t device_pitch, const void *host,
                         std::size_t host_pitch, std::size_t rows, std::size_t bytes, stream in) {
  for (std::size_t row = 0; row < rows; ++row)
    copy_to_device(static_cast<unsigned char *>(device) + row * device_pitch,
                   static_cast<const unsigned char *>(host) + row * host_pitch, bytes, in);
}

void copy_rows_to_host(void *host, std::size_t host_pitch, const void *device,
                       std::size_t device_pitch, std::size_t rows, std::size_t bytes, stream in) {
  for (std::size_t row = 0; row < rows; ++row)
    copy_to_host(static_cast<unsigned char *>(host) + row * host_pitch,
                 static_cast<const unsigned char *>(device) + row * device_pitch, bytes, in);
}

void fill(void *device, unsigned char byte, std::size_t bytes, stream in) {
  emulator::enqueue(in.handle, [=] { emulator::fill(device, byte, bytes); });
}

} // namespace septran::cuda::runtime
