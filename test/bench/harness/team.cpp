#include "harness/team.h"

namespace septran::bench {

team::team(const library &module)
    : set_threads_(module.find<void(int)>("septran_bench_set_threads")),
      fma_rate_(module.find<double(int)>("septran_bench_fma_rate")),
      copy_(module.find<copy_function>("septran_bench_copy")),
      stream_(module.find<copy_function>("septran_bench_stream")),
      read_(module.find<void(const float *, std::ptrdiff_t)>("septran_bench_read")),
      update_(module.find<void(float *, std::ptrdiff_t)>("septran_bench_update")) {}

void team::set_threads(int threads) {
  threads_ = threads;
  set_threads_(threads);
}

} // namespace septran::bench
