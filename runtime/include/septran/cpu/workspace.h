//===- septran/cpu/workspace.h - Scratch memory of a thread -----*- C++ -*-===//
//
// Generated code needs buffers (packed panels, accumulators) at every call, and the system's
// allocator would map and fault in the large ones each time. So each thread keeps a stack of bytes:
// `scratch<T>` takes the next ones and gives them back when it goes out of scope. The bytes stay
// for the next call and are freed when the thread ends.
//
// Stack discipline: scratch objects of one thread are destroyed in the reverse order of their
// making, by that thread, as local variables are. Other threads may use the memory meanwhile.
//
// Every buffer begins on a cache line of its own and shares none with another. Blocks of 2 MiB and
// more begin on such a boundary, and the kernel is asked to back them with huge pages.
//
// Under AddressSanitizer only the bytes of live buffers may be touched.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_WORKSPACE_H
#define SEPTRAN_CPU_WORKSPACE_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <type_traits>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SEPTRAN_CPU_POISON 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SEPTRAN_CPU_POISON 1
#endif

#ifdef SEPTRAN_CPU_POISON
#include <sanitizer/asan_interface.h>
#endif

namespace septran::cpu {

/// A stack of bytes, kept as a few blocks that double in size. Empty, it merges them into one.
class workspace {
public:
  static constexpr std::size_t line = 64;
  static constexpr std::size_t huge_page = std::size_t(2) << 20;

  /// Memory for std::free: `size` bytes and more, from the boundary of a line or of a huge page on, which
  /// `size` becomes a multiple of. Throws std::bad_alloc.
  static void *allocate(std::size_t &size) {
    const std::size_t alignment = size >= huge_page ? huge_page : line;
    size = (size + alignment - 1) / alignment * alignment;
    void *memory = std::aligned_alloc(alignment, size);
    if (!memory)
      throw std::bad_alloc();
#if defined(__linux__)
    if (size >= huge_page)
      madvise(memory, size, MADV_HUGEPAGE); // a wish: without huge pages all works the same
#endif
    return memory;
  }

  /// The top of the stack, to return to.
  struct position {
    int block;
    std::size_t used;
  };

  static workspace &of_this_thread() {
    static thread_local workspace mine;
    return mine;
  }

  workspace() = default;
  workspace(const workspace &) = delete;
  workspace &operator=(const workspace &) = delete;
  ~workspace() { free_blocks_from(0); }

  position top() const { return top_; }

  /// `bytes` bytes on cache lines of their own. Throws std::bad_alloc.
  void *take(std::size_t bytes) {
    if (bytes > SIZE_MAX / 4)
      throw std::bad_alloc();
    const std::size_t size = lines(bytes) + guard;
    if (blocks_ == 0 || size > block_[top_.block].size - top_.used)
      next_block(size);
    char *begin = block_[top_.block].begin + top_.used;
    top_.used += size;
    unpoison(begin, bytes);
    return begin;
  }

  /// Gives back everything taken since `top()` was this.
  void return_to(position top) {
    for (int b = top.block; b < blocks_ && b <= top_.block; ++b) {
      const std::size_t from = b == top.block ? top.used : 0;
      poison(block_[b].begin + from, block_[b].size - from);
    }
    top_ = top;
    if (top.block == 0 && top.used == 0 && blocks_ > 1) {
      wanted_ = 0;
      for (int b = 0; b < blocks_; ++b)
        wanted_ += block_[b].size;
      free_blocks_from(0);
    }
  }

  /// Bytes that the thread holds, used or not.
  std::size_t capacity() const {
    std::size_t sum = 0;
    for (int b = 0; b < blocks_; ++b)
      sum += block_[b].size;
    return sum;
  }

private:
  struct block {
    char *begin;
    std::size_t size;
  };

  static constexpr std::size_t smallest_block = std::size_t(64) << 10;
#ifdef SEPTRAN_CPU_POISON
  static constexpr std::size_t guard = line; // between a buffer and the next
#else
  static constexpr std::size_t guard = 0;
#endif

  static std::size_t lines(std::size_t bytes) { return (bytes + line - 1) / line * line; }

  /// Makes the block after the current one, at least `size` long, the current one.
  void next_block(std::size_t size) {
    const int next = blocks_ == 0 ? 0 : top_.block + 1;
    if (next == blocks_ || block_[next].size < size) {
      free_blocks_from(next);
      std::size_t room = wanted_ > smallest_block ? wanted_ : smallest_block;
      room = room > 2 * capacity() ? room : 2 * capacity();
      add_block(room > size ? room : size);
    }
    top_ = {next, 0};
  }

  /// Sizes double, so a 64-bit address space never needs more blocks than there are slots.
  void add_block(std::size_t size) {
    void *const memory = allocate(size);
    block_[blocks_++] = {static_cast<char *>(memory), size};
    poison(memory, size);
  }

  void free_blocks_from(int first) {
    while (blocks_ > first) {
      const block last = block_[--blocks_];
      unpoison(last.begin, last.size);
      std::free(last.begin);
    }
  }

#ifdef SEPTRAN_CPU_POISON
  static void poison(void *p, std::size_t bytes) { ASAN_POISON_MEMORY_REGION(p, bytes); }
  static void unpoison(void *p, std::size_t bytes) { ASAN_UNPOISON_MEMORY_REGION(p, bytes); }
#else
  static void poison(void *, std::size_t) {}
  static void unpoison(void *, std::size_t) {}
#endif

  block block_[48] = {};
  int blocks_ = 0;
  position top_ = {0, 0};
  std::size_t wanted_ = 0; // size of the merged block
};

/// The size of `count` elements. Throws std::bad_alloc where there is no such memory; 0 for a count below 1.
template <class T> std::size_t bytes_of(std::ptrdiff_t count) {
  if (count > 0 && std::size_t(count) > SIZE_MAX / 4 / sizeof(T))
    throw std::bad_alloc();
  return count > 0 ? std::size_t(count) * sizeof(T) : 0;
}

/// `count` elements of this thread's workspace, uninitialised, for as long as this object lives.
template <class T> class scratch {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                "scratch memory holds plain values");

public:
  /// Throws std::bad_alloc where there is no such memory. A count below 1 takes nothing.
  explicit scratch(std::ptrdiff_t count)
      : workspace_(workspace::of_this_thread()), before_(workspace_.top()),
        size_(count < 0 ? 0 : count) {
    if (const std::size_t bytes = bytes_of<T>(count))
      data_ = static_cast<T *>(workspace_.take(bytes));
  }
  scratch(const scratch &) = delete;
  scratch &operator=(const scratch &) = delete;
  ~scratch() {
    if (size_ > 0)
      workspace_.return_to(before_);
  }

  T *data() const { return data_; }
  std::ptrdiff_t size() const { return size_; }
  T &operator[](std::ptrdiff_t i) const { return data_[i]; }

private:
  workspace &workspace_;
  workspace::position before_;
  std::ptrdiff_t size_;
  T *data_ = nullptr;
};

} // namespace septran::cpu

#undef SEPTRAN_CPU_POISON

#endif // SEPTRAN_CPU_WORKSPACE_H
