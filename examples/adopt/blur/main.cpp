// Blurs a test picture a few times: blur [rows columns]
#include "image.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char **argv) {
  const int rows = argc > 2 ? std::atoi(argv[1]) : 600, columns = argc > 2 ? std::atoi(argv[2]) : 800;
  std::vector<float> a(std::size_t(rows) * columns), b(a.size());
  image from(a.data(), {rows, columns}), to(b.data(), {rows, columns});
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x)
      from(y, x) = (x / 8 + y / 8) % 2 ? 1.0f : 0.0f;
  for (int times = 0; times < 2; ++times) {
    blur(to, from);
    blur(from, to);
  }
  double sum = 0;
  for (float pixel : a)
    sum += pixel;
  std::printf("mean grey %.6f\n", sum / double(a.size()));
}
