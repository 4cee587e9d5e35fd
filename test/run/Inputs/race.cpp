// A race that ThreadSanitizer must see, and an order by OpenMP that it must understand: the barrier at
// the end of the first loop.
#include <cstdio>
#include <vector>

int main(int argc, char **) {
  std::vector<int> x(1000, 1), y(1000);
  int sum = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp for
    for (int i = 0; i < 1000; ++i)
      y[i] = 2 * x[i];
#pragma omp for
    for (int i = 0; i < 1000; ++i)
      x[i] = y[999 - i];
    if (argc > 1)
      ++sum;
  }
  std::printf("%d\n", x[0] + sum);
}
