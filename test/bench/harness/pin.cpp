#include "harness/pin.h"

#include <sched.h>

namespace septran::bench {
namespace {

void allow(const std::vector<int> &processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int processor : processors)
    CPU_SET(static_cast<std::size_t>(processor), &set);
  sched_setaffinity(0, sizeof set, &set); // if refused, samples are taken unpinned
}

} // namespace

processor_pin::processor_pin() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(static_cast<std::size_t>(processor), &set))
      allowed_.push_back(processor);
}

processor_pin::~processor_pin() {
  if (!allowed_.empty())
    allow(allowed_);
}

void processor_pin::next() {
  if (!allowed_.empty())
    allow({allowed_[index_++ % allowed_.size()]});
}

} // namespace septran::bench
