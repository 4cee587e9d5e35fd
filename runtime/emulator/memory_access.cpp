//===- memory_access.cpp - Vector and atomic accesses ---------------------===//

#include "memory.h"
#include "report.h"
#include "state.h"

#include <septran/emulator/simt.h>

#include <cstring>

namespace septran::emulator {

static void check_alignment(const void *address, std::size_t bytes, access_kind kind,
                            const void *where) {
  const std::uintptr_t remainder = reinterpret_cast<std::uintptr_t>(address) % bytes;
  if (remainder != 0)
    fail(std::string("misaligned ") + access_word(kind) + ": an access of " +
             std::to_string(bytes) + " bytes at an address " + std::to_string(remainder) +
             " bytes past a multiple of " + std::to_string(bytes),
         where);
}

void load(void *registers, const void *from, std::size_t bytes) {
  const void *where = __builtin_return_address(0);
  const primitive call("load");
  check_alignment(from, bytes, access_kind::read, where);
  check_access(from, bytes, access_kind::read, where);
  std::memcpy(registers, from, bytes);
}

void store(void *to, const void *registers, std::size_t bytes) {
  const void *where = __builtin_return_address(0);
  const primitive call("store");
  check_alignment(to, bytes, access_kind::write, where);
  check_access(to, bytes, access_kind::write, where);
  std::memcpy(to, registers, bytes);
}

void atomic(void *word, std::size_t bytes) {
  const void *where = __builtin_return_address(0);
  const primitive call("atomic");
  maybe_switch();
  check_alignment(word, bytes, access_kind::atomic, where);
  check_access(word, bytes, access_kind::atomic, where);
}

} // namespace septran::emulator
