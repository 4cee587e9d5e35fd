// Many ways to write floating-point numbers down: the reference must find and replace all of them.
#include <septran/leaves.h>

#include <array>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

#define N 4 // a name that no header of the reference may stumble over
#define EPSILON 1e-5f
#define HALF(x) (0.5f * (x))
#define NUMBER float
using std::max;
namespace sp = septran;

namespace math {
constexpr float two = 2.0f, three = 3.0f;
template <class T> constexpr T pi = T(3.14159265358979);
template <class T>
concept number = std::is_arithmetic_v<T>;
enum class mode { plus_one, twice };

float square(float x);
template <number T> T twice(T x) { return x + x; }
inline double mix(double a, float b) { return a * 0.25 + b; }

struct range {
  float low = 0, high = 1.5f;
  float clamp(float x) const { return x < low ? low : x > high ? high : x; }
  float width() const;
  static constexpr float unit = 0.125f;
};
float range::width() const { return high - low; }

template <class T> struct pair {
  T a, b;
  T sum() const;
};
template <class T> T pair<T>::sum() const { return a + b; }
template <class T> struct traits {
  static constexpr int bytes = sizeof(T);
};
template <> struct traits<septran::float16> {
  static constexpr int bytes = 2;
};
float square(float x) { return x * x; }
} // namespace math

template <class T, int R> using view = septran::tensor<T, R>;
typedef double wide_t;

template <class T>
[[septran::leaf]] void polynomial([[septran::write]] view<T, 1> y, view<const T, 1> x, bool twice) {
  for (int i = 0; i < y.extent(0); ++i) {
    T s = T(math::square(float(x(i)))) + math::pi<T> * T(math::two);
    if constexpr (std::is_floating_point_v<T>)
      s += EPSILON;
    else
      s += T(1000);
    const math::mode m = twice ? math::mode::twice : math::mode::plus_one;
    s = max(s, T(0)) + T(HALF(s)) + T(std::fmax(float(s), 1.0f));
    s += T(math::twice(float(s))) + T(::math::three) + T(math::mix(double(s), 0.1f));
    y(i) = s + T(m == math::mode::plus_one ? 1 : float(s)) + T(math::traits<T>::bytes);
  }
}

/// Outside of the form that SepTran reads.
[[septran::leaf]] void opaque([[septran::write]] view<float, 1> y, view<const float, 1> x) {
  const float *from = x.data();
  NUMBER *to = y.data();
  std::array<float, N> some{1, 2, 3.5f, 4};
  std::vector<float> others(N, 0.25f);
  auto add = [&](auto u, float w) { return u + w; };
  math::range r;
  math::pair<float> p{1.5f, 2};
  int count = static_cast<int>(2.75f);
  wide_t total = 0;
  for (int i = 0; i < x.extent(0); ++i) {
    float t = from[i * x.stride(0)];
    total += t;
    count += 0.5f;
    const int whole = t / 16;
    float u = i % 2 ? t : 0.5;
    double d = i % 2 ? t : 0.5;
    assert(t != t || t <= INFINITY);
    if (t < -INFINITY)
      std::printf("%f %d\n", t, whole);
    t = add(t, 1.0f) + r.clamp(t) + r.width() + math::range::unit + p.sum() + u + float(d) + count +
        float(sizeof(float)) + math::traits<float>::bytes + (whole ? 1 : 0);
    t += std::accumulate(some.begin(), some.end(), 0.0f) + others[1] + ::fabsf(t) + expf(-t * t) +
         std::sqrt(t * t) + std::numeric_limits<float>::epsilon() + float(total);
    to[i * y.stride(0)] = t + std::abs(t);
  }
}

namespace user {
inline namespace v1 {
[[septran::task]] void in_float([[septran::write]] view<float, 1> y, view<const float, 1> x) {
  [[septran::tunable]] const int tile = 8;
  auto yp = sp::partition(y, {tile});
  auto xp = sp::partition(x, {tile});
  for (auto [i] : sp::parallel(yp.shape()))
    ::polynomial(yp(i), xp(i), true);
}
[[septran::task]] void in_double([[septran::write]] view<double, 1> y, view<const double, 1> x) {
  polynomial(y, x, false);
}
[[septran::task]] void in_half([[septran::write]] view<septran::float16, 1> y,
                               view<const septran::float16, 1> x) {
  polynomial(y, x, false);
}
} // namespace v1
} // namespace user

namespace {
[[septran::task]] void outside([[septran::write]] view<float, 1> y, view<const float, 1> x) {
  opaque(y, x);
}
} // namespace

using namespace septran;
[[septran::task]] void standard([[septran::write]] view<float, 1> y, view<const float, 1> x) {
  septran::local<float, 1> t(x.extents());
  tanh(t, x);
  relu(t, t);
  fill(y, 1.0f);
  ::septran::add(y, t, y);
}
