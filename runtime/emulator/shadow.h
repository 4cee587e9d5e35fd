//===- shadow.h - Who accessed a memory last ---------------------*- C++ -*-===//
//
// Happens-before race detection. Every thread counts its own steps and knows, for each thread of
// its block, the last step that is ordered before what it does now; barriers pass that knowledge
// on. The shadow of a memory holds, per 4-byte word, the last write and the reads that a later
// write has to be ordered after (C. Flanagan, S. Freund, FastTrack, PLDI 2009). A word that is
// accessed in parts is kept per byte.
//
// Threads of different blocks are never ordered during a launch: a grid has no barrier, and atomics
// are relaxed. One access of another block is enough to tell, so not all are kept.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_RUNTIME_EMULATOR_SHADOW_H
#define SEPTRAN_RUNTIME_EMULATOR_SHADOW_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace septran::emulator {

/// The steps of the block's threads, by rank, that are ordered before a point of a thread.
using knowledge = std::shared_ptr<const std::vector<std::uint32_t>>;

enum class access_kind : std::uint8_t { read, write, atomic };

/// One access: who, when by its own count, and where in the program.
struct access_record {
  std::uint32_t block = 0;
  std::uint32_t thread = 0;
  std::uint32_t step = 0;
  access_kind kind = access_kind::read;
  bool in_flight = false; // a write of an asynchronous copy that nobody has waited for
  const void *where = nullptr;
};

/// The point of view from which an access is judged.
struct observer {
  std::uint32_t block;
  std::uint32_t thread;
  std::uint32_t step;
  const knowledge &seen;

  /// Whether the observer comes after the access in every execution.
  bool comes_after(const access_record &access) const {
    if (access.block != block)
      return false;
    if (access.thread == thread)
      return access.step <= step;
    return seen && (*seen)[access.thread] >= access.step;
  }
};

/// What is remembered of one word or byte.
class shadow_cell {
public:
  /// The earlier access that races with this one, if any; otherwise null, and this one is
  /// remembered.
  const access_record *access(const access_record &now, const observer &by) {
    if (written_ && (write_.in_flight || !by.comes_after(write_)))
      return &write_;
    // Most accesses: the thread that read a word last reads it again.
    if (!mixed_ && !others_.empty()) {
      access_record &last = others_.back();
      if (last.kind == now.kind && last.thread == now.thread && last.block == now.block) {
        last = now;
        return nullptr;
      }
    }
    return access_of_others(now, by);
  }

  /// The last write if the observer does not come after it, otherwise null.
  const access_record *unseen_write(const observer &by) const;

  /// The asynchronous copy has been waited for, at this step.
  void land(const access_record &now);

private:
  const access_record *access_of_others(const access_record &now, const observer &by);
  void remember(const access_record &now, const observer &by);
  void forget_ordered(const access_record &now, const observer &by);

  bool written_ = false;
  bool mixed_ = false;     // the others are of both kinds
  std::uint32_t room_ = 4; // so many others, and those that nobody needs are looked for
  access_record write_;
  std::vector<access_record> others_; // reads and atomic updates since the last write
};

/// A race: the earlier access, and the byte at which it was found.
struct race {
  access_record earlier;
  std::size_t offset;
};

/// The shadow of one memory.
class shadow_memory {
public:
  explicit shadow_memory(std::size_t bytes) : pages_((bytes + page_bytes - 1) / page_bytes) {}

  /// Forgets everything: the memory starts a new life, or a new launch begins.
  void clear();

  std::optional<race> access(std::size_t offset, std::size_t bytes, const access_record &now,
                             const observer &by) {
    if (bytes == 4 && offset % 4 == 0)
      if (word &w = word_at(offset); !w.bytes) {
        if (const access_record *earlier = w.whole.access(now, by))
          return race{*earlier, offset};
        return std::nullopt;
      }
    return access_of_any(offset, bytes, now, by);
  }
  std::optional<race> unseen_write(std::size_t offset, std::size_t bytes, const observer &by);
  void land(std::size_t offset, std::size_t bytes, const access_record &now);

private:
  static constexpr std::size_t page_bytes = 4096;

  struct word {
    shadow_cell whole;
    std::unique_ptr<shadow_cell[]> bytes; // the four bytes, once one of them was accessed alone
  };
  struct page {
    word words[page_bytes / 4];
  };

  word &word_at(std::size_t offset) {
    std::unique_ptr<page> &p = pages_[offset / page_bytes];
    if (!p)
      p = std::make_unique<page>();
    return p->words[offset % page_bytes / 4];
  }
  std::optional<race> access_of_any(std::size_t offset, std::size_t bytes, const access_record &now,
                                    const observer &by);
  /// Calls f(cell, offset) for the cells of a range, until it gives a value.
  template <class F> auto each_cell(std::size_t offset, std::size_t bytes, F f);

  std::vector<std::unique_ptr<page>> pages_;
};

} // namespace septran::emulator

#endif // SEPTRAN_RUNTIME_EMULATOR_SHADOW_H
