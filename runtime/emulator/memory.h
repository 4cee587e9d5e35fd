//===- memory.h - What a kernel may touch ------------------------*- C++ -*-===//
//
// Global and shared memory as the emulator knows them, and the checks of every access: inside of an
// allocation, aligned, written before it is read, not racing.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_RUNTIME_EMULATOR_MEMORY_H
#define SEPTRAN_RUNTIME_EMULATOR_MEMORY_H

#include "shadow.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace septran::emulator {

/// One allocation of global memory, or the shared memory of one block.
class device_memory {
public:
  /// Own memory between guards, undefined; aligned to `alignment` bytes and to no more, as the
  /// hardware promises it.
  device_memory(std::size_t bytes, std::size_t alignment);
  /// Memory of the host that kernels may use.
  device_memory(void *host, std::size_t bytes);
  device_memory(const device_memory &) = delete;
  device_memory &operator=(const device_memory &) = delete;
  ~device_memory();

  unsigned char *data() const { return data_; }
  std::size_t size() const { return size_; }
  std::uintptr_t begin() const { return reinterpret_cast<std::uintptr_t>(data_); }
  std::uintptr_t end() const { return begin() + size_; }
  /// Whether an address lies inside, or in the guards around.
  bool covers(std::uintptr_t address) const {
    return address >= begin() - guard_ && address < end() + guard_;
  }

  /// Whether somebody wrote every byte of a range.
  bool is_defined(std::size_t offset, std::size_t bytes) const {
    if (undefined_.empty())
      return true;
    if (bytes == 4) {
      std::uint32_t marks;
      std::memcpy(&marks, undefined_.data() + offset, sizeof marks);
      return marks == 0;
    }
    return first_undefined(offset, bytes) == offset + bytes;
  }
  /// The first byte of a range that nobody wrote; the range's end if there is none.
  std::size_t first_undefined(std::size_t offset, std::size_t bytes) const;
  void set_defined(std::size_t offset, std::size_t bytes, bool defined);

  shadow_memory shadow;
  std::uint64_t launch = 0; // the last one that the shadow knows of

private:
  void *owned_ = nullptr;
  unsigned char *data_;
  std::size_t size_;
  std::size_t guard_;
  std::vector<unsigned char> undefined_; // 1 for each undefined byte; empty if all is defined
};

/// What unwritten memory, and memory that a copy is on its way to, holds: NaNs in every format.
inline constexpr unsigned char poison = 0xff;

/// Where an access goes.
struct place {
  device_memory *memory = nullptr; // null: registers and constants, which need no further checks
  std::size_t offset = 0;
  bool shared = false;
};

/// Finds the memory of an access of the running thread, or fails.
place find_place(const void *address, std::size_t bytes, access_kind kind, const void *where);

/// All checks of an access of the running thread; fails if one does. Counts it for bank conflicts
/// unless the caller does.
void check_access(const void *address, std::size_t bytes, access_kind kind, const void *where,
                  bool count = true);

/// "read", "write", "atomic update".
const char *access_word(access_kind kind);

/// Fails with the report of a race.
[[noreturn]] void fail_race(const place &where, const race &found, const access_record &now);

} // namespace septran::emulator

#endif // SEPTRAN_RUNTIME_EMULATOR_MEMORY_H
