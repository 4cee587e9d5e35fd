//===- septran/cpu/workspace.h - Buffers that come and go -------*- C++ -*-===//
//
// Generated code asks for packed buffers inside its loops. A thread keeps what it once got: buffers are
// cut from blocks that live as long as the thread, like a stack. Buffers end in the reverse order of
// their construction, on the thread that made them.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_WORKSPACE_H
#define SEPTRAN_CPU_WORKSPACE_H

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace septran::cpu {

/// One thread's memory for buffers.
class workspace {
  static constexpr std::size_t line = 64;            // bytes: alignment of every buffer
  static constexpr std::size_t huge_page = 1u << 21; // bytes

  struct block {
    char *base;
    std::size_t size;
    std::size_t used;
  };
  std::vector<block> blocks; // buffers lie in the blocks up to `current`
  std::size_t current = 0;

  static block make_block(std::size_t bytes) {
    std::size_t alignment = bytes >= huge_page ? huge_page : line;
    std::size_t size = (bytes + alignment - 1) / alignment * alignment;
    void *base = std::aligned_alloc(alignment, size);
    if (!base)
      throw std::bad_alloc();
#ifdef __linux__
    if (alignment == huge_page)
      madvise(base, size, MADV_HUGEPAGE); // a hint: failure costs nothing but speed
#endif
    return {static_cast<char *>(base), size, 0};
  }

public:
  workspace() = default;
  workspace(const workspace &) = delete;
  workspace &operator=(const workspace &) = delete;
  ~workspace() {
    for (block &b : blocks)
      std::free(b.base);
  }

  static workspace &of_this_thread() {
    thread_local workspace own;
    return own;
  }

  /// Where the next buffer begins: what `release` needs to give it back.
  struct mark {
    std::size_t block, used;
  };

  /// `bytes` bytes at a multiple of 64. `where` is for release.
  void *take(std::size_t bytes, mark &where) {
    bytes = (bytes + line - 1) / line * line;
    while (current < blocks.size() && blocks[current].size - blocks[current].used < bytes) {
      if (blocks[current].used == 0) { // empty, and too small: make room for a larger one
        std::free(blocks[current].base);
        blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(current));
      } else {
        ++current;
      }
    }
    if (current == blocks.size())
      blocks.push_back(make_block(bytes < (1u << 16) ? 1u << 16 : bytes));
    block &b = blocks[current];
    where = {current, b.used};
    void *p = b.base + b.used;
    b.used += bytes;
    return p;
  }

  void release(mark where) {
    for (std::size_t i = where.block + 1; i < blocks.size(); ++i)
      blocks[i].used = 0;
    blocks[where.block].used = where.used;
    current = where.block;
  }
};

/// `count` elements of T, uninitialised, aligned to 64 bytes, until the end of the enclosing block.
template <class T> class scratch {
  workspace &owner;
  workspace::mark where{};
  T *elements;

public:
  explicit scratch(std::ptrdiff_t count)
      : owner(workspace::of_this_thread()),
        elements(static_cast<T *>(
            owner.take(count > 0 ? static_cast<std::size_t>(count) * sizeof(T) : 1, where))) {}
  ~scratch() { owner.release(where); }
  scratch(const scratch &) = delete;
  scratch &operator=(const scratch &) = delete;

  T *data() const { return elements; }
};

} // namespace septran::cpu

#endif // SEPTRAN_CPU_WORKSPACE_H
