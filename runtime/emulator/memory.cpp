//===- memory.cpp - What a kernel may touch -------------------------------===//

#include "memory.h"

#include "report.h"
#include "state.h"

#include <septran/cuda/error.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <map>
#include <memory>
#include <new>
#include <string>

namespace septran::emulator {

static constexpr std::size_t guard_bytes = 4096;

device_memory::device_memory(std::size_t bytes, std::size_t alignment)
    : shadow(bytes), size_(bytes), guard_(guard_bytes), undefined_(bytes, 1) {
  const std::size_t whole = (bytes + 2 * guard_bytes + 1023) / 1024 * 1024 + 1024;
  owned_ = std::aligned_alloc(1024, whole);
  if (owned_ == nullptr)
    throw std::bad_alloc();
  std::memset(owned_, poison, whole);
  data_ = static_cast<unsigned char *>(owned_) + guard_bytes + alignment;
}

device_memory::device_memory(void *host, std::size_t bytes)
    : shadow(bytes), data_(static_cast<unsigned char *>(host)), size_(bytes), guard_(0) {}

device_memory::~device_memory() { std::free(owned_); }

std::size_t device_memory::first_undefined(std::size_t offset, std::size_t bytes) const {
  const unsigned char *marks = undefined_.data();
  const void *found = undefined_.empty() ? nullptr : std::memchr(marks + offset, 1, bytes);
  return found == nullptr ? offset + bytes
                          : std::size_t(static_cast<const unsigned char *>(found) - marks);
}

void device_memory::set_defined(std::size_t offset, std::size_t bytes, bool defined) {
  if (!undefined_.empty())
    std::memset(undefined_.data() + offset, defined ? 0 : 1, bytes);
}

device_memory *block_state::shared_at(std::uintptr_t address) {
  if (shared.covers(address))
    return &shared;
  for (const auto &[size, array] : shared_arrays)
    if (array->covers(address))
      return array.get();
  return nullptr;
}

namespace {

/// Global memory, by the first address behind each allocation.
using memory_table = std::map<std::uintptr_t, std::unique_ptr<device_memory>>;

memory_table &global_memory() {
  static memory_table table;
  return table;
}

/// The allocation that has the address in it or in its guards.
device_memory *global_at(std::uintptr_t address) {
  memory_table &table = global_memory();
  // Guards reach beyond the end, so the allocation before the next one counts, too.
  auto next = table.upper_bound(address);
  if (next != table.end() && next->second->covers(address))
    return next->second.get();
  if (next != table.begin() && std::prev(next)->second->covers(address))
    return std::prev(next)->second.get();
  return nullptr;
}

/// Whether an address is in the program or one of its libraries: constants.
bool in_program(std::uintptr_t address) {
  return dl_iterate_phdr(
             [](dl_phdr_info *image, std::size_t, void *data) {
               const std::uintptr_t wanted = *static_cast<std::uintptr_t *>(data);
               for (int i = 0; i < image->dlpi_phnum; ++i) {
                 const auto &segment = image->dlpi_phdr[i];
                 const std::uintptr_t begin = image->dlpi_addr + segment.p_vaddr;
                 if (segment.p_type == PT_LOAD && wanted >= begin &&
                     wanted < begin + segment.p_memsz)
                   return 1;
               }
               return 0;
             },
             &address) != 0;
}

std::string bytes_text(std::size_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

[[noreturn]] void fail_bounds(const device_memory &memory, bool shared, std::uintptr_t address,
                              std::size_t bytes, access_kind kind, const void *where) {
  std::string position;
  if (address < memory.begin())
    position = bytes_text(memory.begin() - address) + " before the beginning of ";
  else
    position = bytes_text(address + bytes - memory.end()) + " past the end of ";
  fail(std::string("out of bounds: ") + access_word(kind) + " of " + bytes_text(bytes) +
           " reaches " + position + (shared ? "shared memory of " : "an allocation of ") +
           bytes_text(memory.size()),
       where);
}

[[noreturn]] void fail_foreign(std::uintptr_t address, std::size_t bytes, access_kind kind,
                               const void *where) {
  const void *p = reinterpret_cast<const void *>(address);
  std::string what = "memory that is not the device's: a device_buffer is, and what "
                     "septran::emulator::share_memory was told of";
  for (const auto &block : current->blocks) {
    if (block->shared_at(address) != nullptr)
      what = "the shared memory of another block";
    for (const thread_state &thread : block->threads)
      if (thread.stack.contains(p))
        what = "a local variable of another thread, " + thread_text(thread);
  }
  fail(std::string(access_word(kind)) + " of " + bytes_text(bytes) + " in " + what, where);
}

} // namespace

const char *access_word(access_kind kind) {
  return kind == access_kind::read    ? "read"
         : kind == access_kind::write ? "write"
                                      : "atomic update";
}

place find_place(const void *pointer, std::size_t bytes, access_kind kind, const void *where) {
  if (running->stack.contains(pointer))
    return {};
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(pointer);
  device_memory *memory = nullptr;
  bool shared = false;
  if (device_memory *own = running->block->shared_at(address)) {
    memory = own;
    shared = true;
  } else {
    memory = global_at(address);
  }
  if (memory == nullptr) {
    const std::uintptr_t data = reinterpret_cast<std::uintptr_t>(current->request.data);
    const bool argument = address >= data && address + bytes <= data + current->request.data_bytes;
    if (kind == access_kind::read && (argument || in_program(address)))
      return {};
    fail_foreign(address, bytes, kind, where);
  }
  if (address < memory->begin() || address + bytes > memory->end())
    fail_bounds(*memory, shared, address, bytes, kind, where);
  // The first access of a launch to an allocation: earlier launches are ordered before it.
  if (!shared && memory->launch != launch_number) {
    memory->shadow.clear();
    memory->launch = launch_number;
  }
  return {memory, address - memory->begin(), shared};
}

void fail_race(const place &where, const race &found, const access_record &now) {
  const std::size_t first = found.offset;
  std::string text =
      std::string("data race on ") + (where.shared ? "shared" : "global") + " memory, byte " +
      std::to_string(first) +
      (where.shared ? "" : " of an allocation of " + std::to_string(where.memory->size()));
  text += "\n  " + access_text(now) + "\n  " + access_text(found.earlier);
  if (found.earlier.in_flight)
    text += "\n  the copy is still in flight: no copy_async_wait of its thread comes between";
  else if (found.earlier.block != now.block)
    text += "\n  nothing orders accesses of different blocks in one launch";
  else
    text += "\n  no barrier orders one before the other";
  fail(text);
}

void check_access(const void *address, std::size_t bytes, access_kind kind, const void *where,
                  bool count) {
  const place p = find_place(address, bytes, kind, where);
  if (p.memory == nullptr)
    return;
  thread_state &self = *running;
  if (count && p.shared && current->settings.banks)
    self.block->banks.note(self.rank, where, p.offset, bytes);
  if (current->settings.races) {
    const access_record now{
        self.block->number, std::uint32_t(self.rank), self.step, kind, false, where};
    const observer by{now.block, now.thread, now.step, self.seen};
    if (const auto found = p.memory->shadow.access(p.offset, bytes, now, by))
      fail_race(p, *found, now);
  }
  if (kind == access_kind::write) {
    p.memory->set_defined(p.offset, bytes, true);
  } else if (current->settings.undefined && !p.memory->is_defined(p.offset, bytes)) {
    fail(std::string("undefined value: ") + access_word(kind) + " of " + bytes_text(bytes) + " of " +
             (p.shared ? "shared" : "global") + " memory; nobody wrote byte " +
             std::to_string(p.memory->first_undefined(p.offset, bytes)) +
             (p.shared ? "" : " of an allocation of " + std::to_string(p.memory->size())),
         where);
  }
}

// The host's side.

static void add_global(std::unique_ptr<device_memory> memory) {
  const std::uintptr_t end = memory->end();
  global_memory()[end] = std::move(memory);
}

void *allocate(std::size_t bytes) {
  auto memory = std::make_unique<device_memory>(bytes, 256);
  void *data = memory->data();
  add_global(std::move(memory));
  return data;
}

static memory_table::iterator find_allocation(void *memory) {
  memory_table &table = global_memory();
  return std::find_if(table.begin(), table.end(),
                      [&](const auto &entry) { return entry.second->data() == memory; });
}

void release(void *memory) noexcept {
  const auto found = find_allocation(memory);
  if (found != global_memory().end())
    global_memory().erase(found);
}

void share_memory(void *memory, std::size_t bytes) {
  add_global(std::make_unique<device_memory>(memory, bytes));
}

void unshare_memory(void *memory) { release(memory); }

/// The allocation and the offset of a range that the host copies; throws if it is none.
static std::pair<device_memory *, std::size_t> device_range(const void *device, std::size_t bytes,
                                                            const char *what) {
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(device);
  device_memory *memory = global_at(address);
  if (memory == nullptr)
    throw cuda::error(std::string(what) + ": the device pointer points to no device memory");
  if (address < memory->begin() || address + bytes > memory->end())
    throw cuda::error(std::string(what) + ": " + bytes_text(bytes) + " at offset " +
                      std::to_string(std::ptrdiff_t(address - memory->begin())) +
                      " do not lie in the allocation of " + bytes_text(memory->size()));
  return {memory, address - memory->begin()};
}

void copy_to_device(void *device, const void *host, std::size_t bytes) {
  if (bytes == 0)
    return;
  const auto [memory, offset] = device_range(device, bytes, "copy to the device");
  std::memcpy(device, host, bytes);
  memory->set_defined(offset, bytes, true);
}

void copy_to_host(void *host, const void *device, std::size_t bytes) {
  if (bytes == 0)
    return;
  device_range(device, bytes, "copy to the host");
  std::memcpy(host, device, bytes);
}

void copy_on_device(void *to, const void *from, std::size_t bytes) {
  if (bytes == 0)
    return;
  const auto [source, begin] = device_range(from, bytes, "copy on the device");
  const auto [memory, offset] = device_range(to, bytes, "copy on the device");
  std::memcpy(to, from, bytes);
  for (std::size_t byte = 0; byte < bytes; ++byte)
    memory->set_defined(offset + byte, 1, source->first_undefined(begin + byte, 1) != begin + byte);
}

void fill(void *device, unsigned char byte, std::size_t bytes) {
  if (bytes == 0)
    return;
  const auto [memory, offset] = device_range(device, bytes, "filling device memory");
  std::memset(device, byte, bytes);
  memory->set_defined(offset, bytes, true);
}

} // namespace septran::emulator
