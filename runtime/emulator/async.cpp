//===- async.cpp - Asynchronous copies ------------------------------------===//
//
// A copy may happen at any time between its issue and the end of the wait that covers it. Where it
// goes is poisoned until then. Its writes are in flight for the race detector until its own thread
// has waited; what it reads may be read at either end of that time, so both are checked.
//
//===----------------------------------------------------------------------===//

#include "memory.h"
#include "report.h"
#include "state.h"

#include <septran/emulator/sm80.h>

#include <algorithm>
#include <cstring>

namespace septran::emulator {

static access_record record_of(const thread_state &self, access_kind kind, const void *where) {
  return {self.block->number, std::uint32_t(self.rank), self.step, kind, false, where};
}

static observer observer_of(const thread_state &self) {
  return {self.block->number, std::uint32_t(self.rank), self.step, self.seen};
}

/// The copy takes place.
static void move(thread_state &self, pending_copy &copy) {
  if (copy.moved)
    return;
  std::memcpy(copy.to, copy.from, copy.valid);
  std::memset(copy.to + copy.valid, 0, copy.bytes - copy.valid);
  device_memory &shared = *self.block->shared_at(reinterpret_cast<std::uintptr_t>(copy.to));
  shared.set_defined(std::size_t(copy.to - shared.data()), copy.bytes, true);
  copy.moved = true;
}

static void check_copy(const thread_state &self, const void *shared, const void *from, int bytes,
                       int valid, const void *where) {
  if (valid < 0 || valid > bytes)
    fail("an asynchronous copy of " + std::to_string(bytes) + " bytes is to read " +
             std::to_string(valid),
         where);
  const auto address = reinterpret_cast<std::uintptr_t>(shared);
  if (self.block->shared_at(address) == nullptr)
    fail("an asynchronous copy goes to shared memory, not elsewhere", where);
  if (address % std::uintptr_t(bytes) != 0 ||
      reinterpret_cast<std::uintptr_t>(from) % std::uintptr_t(bytes) != 0)
    fail("misaligned asynchronous copy: both addresses of a copy of " + std::to_string(bytes) +
             " bytes are multiples of " + std::to_string(bytes),
         where);
}

/// Marks what is written as in flight; fails if an access is not ordered before the issue.
static void begin_write(thread_state &self, const place &to, std::size_t bytes, const void *where) {
  access_record now = record_of(self, access_kind::write, where);
  now.in_flight = true;
  if (const auto found = to.memory->shadow.access(to.offset, bytes, now, observer_of(self)))
    fail_race(to, *found, now);
}

void copy_async(void *shared, const void *from, int bytes, int valid_bytes) {
  const void *where = __builtin_return_address(0);
  const primitive call("copy_async");
  thread_state &self = call.self();
  maybe_switch();
  check_copy(self, shared, from, bytes, valid_bytes, where);
  const std::size_t size = std::size_t(bytes), valid = std::size_t(valid_bytes);
  const place to = find_place(shared, size, access_kind::write, where);
  if (valid != 0) {
    const place source = find_place(from, valid, access_kind::read, where);
    if (source.memory == nullptr || source.shared)
      fail("an asynchronous copy reads global memory, not other", where);
    check_access(from, valid, access_kind::read, where);
  }
  if (current->settings.races)
    begin_write(self, to, size, where);
  if (current->settings.banks)
    self.block->banks.note(self.rank, where, to.offset, size);
  ++totals.copies;

  pending_copy copy{static_cast<unsigned char *>(shared),
                    static_cast<const unsigned char *>(from),
                    size,
                    valid,
                    self.open_group,
                    false,
                    self.seen,
                    self.step,
                    where};
  ++self.step; // what the thread does next is after the issue
  if (current->settings.schedule == schedule::eager) {
    move(self, copy);
  } else {
    std::memset(shared, poison, size);
    to.memory->set_defined(to.offset, size, false);
  }
  self.copies.push_back(std::move(copy));
  if (current->settings.schedule == schedule::random)
    for (pending_copy &pending : self.copies)
      if (current->chance(4))
        move(self, pending);
}

void copy_async_commit() { ++primitive("copy_async_commit").self().open_group; }

/// The thread now knows that the copy has happened.
static void land(thread_state &self, pending_copy &copy) {
  if (!current->settings.races)
    return;
  const place to = find_place(copy.to, copy.bytes, access_kind::write, copy.where);
  to.memory->shadow.land(to.offset, copy.bytes, record_of(self, access_kind::write, copy.where));
  if (copy.valid == 0)
    return;
  const place from = find_place(copy.from, copy.valid, access_kind::read, copy.where);
  const access_record now = record_of(self, access_kind::read, copy.where);
  const observer at_issue{now.block, now.thread, copy.step, copy.seen};
  if (const auto found = from.memory->shadow.unseen_write(from.offset, copy.valid, at_issue))
    fail_race(from, *found, now);
  if (const auto found =
          from.memory->shadow.access(from.offset, copy.valid, now, observer_of(self)))
    fail_race(from, *found, now);
}

/// Waits for the copies of groups before `group`; the newest happens first.
static void finish(thread_state &self, int group) {
  std::deque<pending_copy> &copies = self.copies;
  const auto end = std::find_if(copies.begin(), copies.end(),
                                [&](const pending_copy &copy) { return copy.group >= group; });
  for (auto copy = end; copy != copies.begin();)
    move(self, *--copy);
  for (auto copy = copies.begin(); copy != end; ++copy)
    land(self, *copy);
  copies.erase(copies.begin(), end);
}

void copy_async_wait(int pending) {
  const primitive call("copy_async_wait");
  thread_state &self = call.self();
  maybe_switch();
  finish(self, self.open_group - pending);
}

void copy_async_wait_all() {
  const primitive call("copy_async_wait_all");
  thread_state &self = call.self();
  maybe_switch();
  finish(self, self.open_group + 1);
}

} // namespace septran::emulator
