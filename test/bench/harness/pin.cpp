#include "harness/pin.h"

#include <sched.h>

namespace septran::bench {

void allow(const std::vector<int> &processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int processor : processors)
    CPU_SET(static_cast<std::size_t>(processor), &set);
  sched_setaffinity(0, sizeof set, &set); // if refused, samples are taken unpinned
}

std::vector<int> allowed_processors() {
  std::vector<int> allowed;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return allowed;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(static_cast<std::size_t>(processor), &set))
      allowed.push_back(processor);
  return allowed;
}

processor_pin::processor_pin() : allowed_(allowed_processors()) {}

processor_pin::~processor_pin() {
  if (!allowed_.empty())
    allow(allowed_);
}

void processor_pin::next() {
  if (!allowed_.empty())
    allow({allowed_[index_++ % allowed_.size()]});
}

} // namespace septran::bench
