//===- team.cpp - the team of threads, and how fast it is now ----------------===//
//
// The only part of septran-bench that uses OpenMP, compiled like the candidates: so
// the process has their OpenMP runtime, with one team of threads for all.
//
// The speed of the team is that of a loop of independent fused multiply-adds on the
// widest vectors, without memory. Its best rate is the processor's peak, the unit of
// "% of peak". Its rate right before and after a sample tells what no counter inside
// a virtual machine shows: that the host took a core away, lowered its clock, or put
// two virtual cores on one real core.
//
//===----------------------------------------------------------------------===//
#include <septran/cpu/memory.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>

#include <omp.h>

namespace {

#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif
typedef float vector __attribute__((vector_size(vector_bytes)));
constexpr int lanes = vector_bytes / sizeof(float);

// Sums that do not depend on each other hide the latency of the instruction: two units of four to
// six cycles need eight to twelve. With the two factors they fit sixteen registers.
constexpr int sums = 12;

// Values that no compiler can see through.
volatile float factor_source = 0.5f, addend_source = 0.1f, sink;

double fma_rate() {
  using clock = std::chrono::steady_clock;
  constexpr auto duration = std::chrono::microseconds(250);
  constexpr int chunk = 2000;
  const vector factor = vector{} + factor_source, addend = vector{} + addend_source;
  vector sum[sums];
#pragma GCC unroll 16
  for (int i = 0; i < sums; ++i)
    sum[i] = vector{} + static_cast<float>(i);

  long chunks = 0;
  const auto start = clock::now();
  auto now = start;
  do {
    for (int step = 0; step < chunk; ++step) {
#pragma GCC unroll 16
      for (int i = 0; i < sums; ++i)
        sum[i] = sum[i] * factor + addend;
    }
    ++chunks;
    now = clock::now();
  } while (now - start < duration);

  vector total = sum[0];
#pragma GCC unroll 16
  for (int i = 1; i < sums; ++i)
    total += sum[i];
  sink = total[0];
  const double seconds = std::chrono::duration<double>(now - start).count();
  return 2.0 * lanes * sums * chunk * static_cast<double>(chunks) / seconds;
}

} // namespace

/// The number of threads of the parallel regions that the calling thread starts from now on.
extern "C" __attribute__((visibility("default"))) void septran_bench_set_threads(int threads) {
  omp_set_dynamic(0);
  omp_set_num_threads(threads);
}

/// Floating-point operations per second (f32) of the slowest of `threads` threads that run the loop
/// at the same time, for about a quarter of a millisecond.
extern "C" __attribute__((visibility("default"))) double septran_bench_fma_rate(int threads) {
  double slowest = std::numeric_limits<double>::infinity();
#pragma omp parallel num_threads(threads) reduction(min : slowest)
  {
#pragma omp barrier
    slowest = std::min(slowest, fma_rate());
  }
  return slowest;
}

/// Copies `count` floats. Arrays begin at a vector's alignment.
extern "C" __attribute__((visibility("default"))) void
septran_bench_copy(float *to, const float *from, std::ptrdiff_t count) {
#pragma omp parallel for
  for (std::ptrdiff_t i = 0; i < count / lanes; ++i)
    reinterpret_cast<vector *>(to)[i] = reinterpret_cast<const vector *>(from)[i];
}

/// The same by stores that go around the caches.
extern "C" __attribute__((visibility("default"))) void
septran_bench_stream(float *to, const float *from, std::ptrdiff_t count) {
#pragma omp parallel for
  for (std::ptrdiff_t i = 0; i < count / lanes; ++i)
    septran::cpu::stream(to + i * lanes, reinterpret_cast<const vector *>(from)[i]);
  septran::cpu::stream_fence();
}

/// Reads `count` floats. No addition waits for one before it.
extern "C" __attribute__((visibility("default"))) void septran_bench_read(const float *from,
                                                                          std::ptrdiff_t count) {
  constexpr int sums = 8;
  using bits = septran::cpu::vec<std::int32_t,
                                 lanes>; // what other elements are as floats may be slow to add
#pragma omp parallel
  {
    bits sum[sums] = {};
#pragma omp for
    for (std::ptrdiff_t i = 0; i < count / (lanes * sums); ++i)
      for (int s = 0; s < sums; ++s)
        sum[s] += reinterpret_cast<const bits *>(from)[i * sums + s];
    for (bits &part : sum)
      __asm__ volatile("" : : "m"(part));
  }
}

/// Changes the sign of `count` floats where they are.
extern "C" __attribute__((visibility("default"))) void septran_bench_update(float *at,
                                                                            std::ptrdiff_t count) {
#pragma omp parallel for
  for (std::ptrdiff_t i = 0; i < count / lanes; ++i)
    reinterpret_cast<vector *>(at)[i] = -reinterpret_cast<const vector *>(at)[i];
}
