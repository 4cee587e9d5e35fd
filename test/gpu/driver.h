// What the drivers of generated kernels share: their arguments, and times by events of the device.
#pragma once

#include <septran/cuda/launch.h>

#include <algorithm>
#include <cstddef>
#include <vector>

/// From a fixed sequence, between -1 and 1.
template <class T> std::vector<T> random_numbers(std::size_t count, unsigned long long seed) {
  std::vector<T> values(count);
  for (T &value : values) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    value = T(float(double(seed >> 40) / double(1 << 23) - 1.0));
  }
  return values;
}

template <class F> double milliseconds_of(const F &work) {
  septran::cuda::event begin, end;
  begin.record();
  work();
  end.record();
  end.wait();
  return milliseconds(begin, end);
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}
