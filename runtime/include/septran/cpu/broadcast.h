//===- septran/cpu/broadcast.h - Elements of memory in all lanes -*- C++ -*-===//
//
// What the rows of a register tile multiply whole vectors by.
//
// x86 spreads a word over a register while it loads it. Zen 4 does so for integers at no cost, and
// keeps one of the two units that multiply busy where the instruction is that for floats: of 16
// vfmadd231ps on 64 bytes, 16 vbroadcastss take 5 cycles more, 16 vpbroadcastd none. So words are
// spread as integers. Next to arithmetic on floats clang++ makes vbroadcastss of that, but where it
// is assembly. Registers of 32 bytes gain nothing by it.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_BROADCAST_H
#define SEPTRAN_CPU_BROADCAST_H

#include <septran/cpu/memory.h>

namespace septran::cpu {

namespace detail {

/// The word at p in all lanes. p may have the alignment of a part of it.
template <class Word, int W> SEPTRAN_CPU_INLINE vec<Word, W> broadcast_word(const void *p) {
  typedef Word unaligned __attribute__((aligned(1), may_alias));
  const auto &word = *static_cast<const unaligned *>(p);
#if defined(__clang__) && defined(__AVX512F__)
  if constexpr (sizeof(Word) >= 4 && sizeof(vec<Word, W>) == 64) {
    vec<Word, W> all;
    if constexpr (sizeof(Word) == 4)
      asm("vpbroadcastd {%1, %0|%0, %1}" : "=v"(all) : "m"(word));
    else
      asm("vpbroadcastq {%1, %0|%0, %1}" : "=v"(all) : "m"(word));
    return all;
  }
#endif
  return splat<Word, W>(word);
}

} // namespace detail

/// W lanes x, which is an element of memory.
template <int W, class T> SEPTRAN_CPU_INLINE vec<T, W> broadcast(const T &x) {
  return as<vec<T, W>>(detail::broadcast_word<int_like<T>, W>(&x));
}

/// p[0], ..., p[Count - 1] again and again, up to W lanes, as load_stored() has them. They have 2, 4
/// or 8 bytes together.
template <int W, int Count, class T>
SEPTRAN_CPU_INLINE vec<detail::stored_t<T>, W> broadcast_stored(const T *p) {
  using word = typename detail::int_of<Count * sizeof(T)>::type;
  return as<vec<detail::stored_t<T>, W>>(detail::broadcast_word<word, W / Count>(p));
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_BROADCAST_H
