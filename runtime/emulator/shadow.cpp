//===- shadow.cpp - Who accessed a memory last ----------------------------===//

#include "shadow.h"

#include <algorithm>
#include <utility>

namespace septran::emulator {

/// Reads do not disturb reads, nor atomic updates atomic updates.
static bool may_meet(access_kind a, access_kind b) { return a == b && a != access_kind::write; }

const access_record *shadow_cell::access_of_others(const access_record &now, const observer &by) {
  if (!others_.empty() && (mixed_ || !may_meet(others_.front().kind, now.kind)))
    for (const access_record &other : others_)
      if (!may_meet(other.kind, now.kind) && !by.comes_after(other))
        return &other;
  remember(now, by);
  return nullptr;
}

void shadow_cell::remember(const access_record &now, const observer &by) {
  if (now.kind == access_kind::write) {
    written_ = true;
    write_ = now;
    others_.clear();
    mixed_ = false;
    return;
  }
  mixed_ |= !others_.empty() && others_.back().kind != now.kind;
  // Not at every access: a word that all threads read would be looked through by each of them.
  if (others_.size() >= room_) {
    forget_ordered(now, by);
    room_ = std::max(4u, 2 * std::uint32_t(others_.size()));
  }
  others_.push_back(now);
}

/// What comes after this access comes after all that it comes after itself. Of other blocks one
/// access stays: whoever writes next is not of both blocks.
void shadow_cell::forget_ordered(const access_record &now, const observer &by) {
  bool foreign = false;
  std::erase_if(others_, [&](const access_record &other) {
    if (other.block != now.block)
      return std::exchange(foreign, true);
    return other.kind == now.kind && by.comes_after(other);
  });
}

const access_record *shadow_cell::unseen_write(const observer &by) const {
  return written_ && !by.comes_after(write_) ? &write_ : nullptr;
}

void shadow_cell::land(const access_record &now) {
  written_ = true;
  write_ = now;
}

void shadow_memory::clear() {
  for (std::unique_ptr<page> &p : pages_)
    p.reset();
}

template <class F> auto shadow_memory::each_cell(std::size_t offset, std::size_t bytes, F f) {
  const std::size_t end = offset + bytes;
  while (offset < end) {
    word &w = word_at(offset);
    const std::size_t word_end = std::min(end, offset / 4 * 4 + 4);
    if (word_end - offset == 4 && !w.bytes) {
      if (auto found = f(w.whole, offset))
        return found;
    } else {
      if (!w.bytes) {
        w.bytes = std::make_unique<shadow_cell[]>(4);
        std::fill_n(w.bytes.get(), 4, w.whole);
      }
      for (std::size_t byte = offset; byte < word_end; ++byte)
        if (auto found = f(w.bytes[byte % 4], byte))
          return found;
    }
    offset = word_end;
  }
  return decltype(f(std::declval<shadow_cell &>(), offset))();
}

std::optional<race> shadow_memory::access_of_any(std::size_t offset, std::size_t bytes,
                                                 const access_record &now, const observer &by) {
  return each_cell(offset, bytes, [&](shadow_cell &cell, std::size_t at) -> std::optional<race> {
    if (const access_record *earlier = cell.access(now, by))
      return race{*earlier, at};
    return std::nullopt;
  });
}

std::optional<race> shadow_memory::unseen_write(std::size_t offset, std::size_t bytes,
                                                const observer &by) {
  return each_cell(offset, bytes, [&](shadow_cell &cell, std::size_t at) -> std::optional<race> {
    if (const access_record *earlier = cell.unseen_write(by))
      return race{*earlier, at};
    return std::nullopt;
  });
}

void shadow_memory::land(std::size_t offset, std::size_t bytes, const access_record &now) {
  each_cell(offset, bytes, [&](shadow_cell &cell, std::size_t) {
    cell.land(now);
    return std::optional<race>();
  });
}

} // namespace septran::emulator
