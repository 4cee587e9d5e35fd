#include <septran/leaves.h>
#include <septran/septran.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

[[septran::leaf("leaf2")]]
void leaf2([[septran::write]] septran::tensor<std::int32_t, 2> out,
           septran::tensor<const std::int32_t, 2> a,
           septran::tensor<const float, 3> b,
           std::int32_t shift) {
  {
    int i = 0;
    while (i < out.extent(0)) {
      {
        int j = 0;
        while (j < out.extent(1)) {
          std::int32_t acc = -4;
          {
            int k = 0;
            while (k < b.extent(2)) {
              acc = std::max(acc, ((((b(j, i, k) > (-8.0f)) && (b(j, i, k) < 8.0f)) ? std::int32_t(b(j, i, k)) : 1) + ((a(i, j) & 7) + (std::min(std::max(a(i, j), std::int32_t(-9)), std::int32_t(9)) % ((std::min(std::max(shift, std::int32_t(-9)), std::int32_t(9)) & 7) + 2)))) % 101);
              k += 1;
            }
          }
          out(i, j) = acc;
          j += 1;
        }
      }
      i += 1;
    }
  }
}

[[septran::task("leaf2")]]
void leaf2_blocks([[septran::write]] septran::tensor<std::int32_t, 2> out,
                  septran::tensor<const std::int32_t, 2> a,
                  septran::tensor<const float, 3> b,
                  std::int32_t shift) {
  [[septran::tunable]] const int tile3 = 3;
  auto p5 = septran::partition(out, {tile3, out.extent(1)});
  auto p6 = septran::partition(a, {tile3, a.extent(1)});
  auto p7 = septran::partition(b, {b.extent(0), tile3, b.extent(2)});
  for (auto [b4] : septran::parallel(p5.extent(0))) {
    leaf2(p5(b4, 0), p6(b4, 0), p7(0, b4, 0), shift);
  }
}

[[septran::task]]
void stage1([[septran::write]] septran::tensor<std::int32_t, 2> p0,
            septran::tensor<const std::int32_t, 2> p1,
            septran::tensor<const float, 3> p2,
            std::int32_t shift) {
  leaf2_blocks(p0, p1, p2, shift);
}

[[septran::leaf("leaf10")]]
void leaf10([[septran::write]] septran::tensor<float, 2> out,
            septran::tensor<const std::int32_t, 2> a) {
  {
    int i = 0;
    while (i < out.extent(0)) {
      {
        int j = 0;
        while (j < out.extent(1)) {
          float acc = 0.0f;
          {
            int k = 0;
            while (k < a.extent(0)) {
              acc += float(a(k, j) % 13) - (float(a(0, j) % 7) * float(a(k, j) % 13));
              k += 1;
            }
          }
          out(i, j) = acc;
          j += 1;
        }
      }
      i += 1;
    }
  }
}

[[septran::task("leaf10")]]
void leaf10_blocks([[septran::write]] septran::tensor<float, 2> out,
                   septran::tensor<const std::int32_t, 2> a) {
  [[septran::tunable]] const int tile11 = 2;
  auto p13 = septran::partition(out, {out.extent(0), tile11});
  auto p14 = septran::partition(a, {a.extent(0), tile11});
  for (auto [b12] : septran::parallel(p13.extent(1))) {
    leaf10(p13(0, b12), p14(0, b12));
  }
}

[[septran::leaf]]
void leaf18([[septran::write]] septran::tensor<double, 1> out,
            septran::tensor<const float, 1> a,
            septran::tensor<const std::int32_t, 2> b) {
  for (int i = 0; i < out.extent(0); ++i) {
    double acc = 4.0;
    for (int j = 0; j < b.extent(0); ++j) {
      acc = std::min(acc, double(b(j, i) % 11) - (std::min(std::max(double(a(i)), -4.0), 4.0) + std::fma(0.25, double(b(j, i) % 12), double(b(j, i) % 13))));
    }
    out(i) = acc / (1.0 + std::abs(acc));
  }
}

[[septran::leaf]]
void leaf26(septran::tensor<double, 2> out,
            septran::tensor<const float, 2> a,
            std::int32_t shift) {
  for (int i = 0; i < out.extent(0); ++i) {
    for (int j = 0; j < out.extent(1); ++j) {
      out(i, j) += std::tanh(double(a(i, j))) * double(shift % 8);
    }
  }
}

[[septran::leaf]]
void leaf31(septran::tensor<double, 2> out,
            septran::tensor<const float, 2> a,
            septran::tensor<const std::int32_t, 2> b) {
  for (int i = 0; i < out.extent(0); ++i) {
    for (int j = 0; j < out.extent(1); ++j) {
      for (int k = 0; k < b.extent(1); ++k) {
        out(i, j) *= 1.0 + ((double(b(j, k) % 5) + (std::min(std::max(double(a(i, j)), -4.0), 4.0) * (0.5 - std::tanh(double(a(i, j)))))) / (64.0 * (1.0 + std::abs(double(b(j, k) % 5) + (std::min(std::max(double(a(i, j)), -4.0), 4.0) * (0.5 - std::tanh(double(a(i, j)))))))));
      }
    }
  }
}

[[septran::task]]
void stage15([[septran::write]] septran::tensor<float, 2> p0,
             septran::tensor<const std::int32_t, 2> p1,
             std::int32_t shift) {
  [[septran::tunable]] const int tile21 = 1;
  [[septran::tunable]] const int tile27 = 64;
  septran::fill(p0, 3.0f);
  septran::local<double, 2> t16({p0.extent(0), p0.extent(1)});
  for (auto [n17] : septran::parallel(t16.extent(0))) {
    auto v19 = septran::subtensor(t16, n17, septran::all);
    auto v20 = septran::subtensor(p0, n17, septran::all);
    auto p23 = septran::partition(v19, {tile21});
    auto p24 = septran::partition(v20, {tile21});
    auto p25 = septran::partition(p1, {p1.extent(0), tile21});
    for (auto [b22] : septran::parallel(p23.extent(0))) {
      leaf18(p23(b22), p24(b22), p25(0, b22));
    }
  }
  auto p29 = septran::partition(t16, {tile27, t16.extent(1)});
  auto p30 = septran::partition(p0, {tile27, p0.extent(1)});
  for (auto [b28] : septran::parallel(p29.extent(0))) {
    leaf26(p29(b28, 0), p30(b28, 0), shift);
  }
  auto v32 = septran::transpose(p1);
  leaf31(t16, p0, v32);
}

[[septran::task]]
void stage9([[septran::write]] septran::tensor<float, 2> p0,
            septran::tensor<const std::int32_t, 2> p1,
            std::int32_t shift) {
  leaf10_blocks(p0, p1);
  stage15(p0, p1, shift);
}

[[septran::leaf]]
void leaf39([[septran::write]] septran::tensor<std::int32_t, 2> out,
            septran::tensor<const float, 3> a,
            septran::tensor<const std::int32_t, 2> b) {
  for (int i = 0; i < out.extent(0); ++i) {
    for (int j = 0; j < out.extent(1); ++j) {
      std::int32_t acc = 0;
      for (int k = 0; k < a.extent(2); ++k) {
        acc += ((b(j, i) & 7) + ((((a(i, j, k) > (-8.0f)) && (a(i, j, k) < 8.0f)) ? std::int32_t(a(i, j, k)) : 1) + ((((a(i, j, k) > (-8.0f)) && (a(i, j, k) < 8.0f)) ? std::int32_t(a(i, j, k)) : 1) / 7))) % 101;
      }
      out(i, j) = acc;
    }
  }
}

template <class T>
[[septran::leaf("leaf41")]]
void leaf41([[septran::write]] septran::tensor<T, 2> out,
            septran::tensor<const T, 2> a) {
  for (int i = 0; i < out.extent(0); ++i) {
    for (int j = 0; j < out.extent(1); ++j) {
      std::int32_t acc = 4;
      for (int k = 0; k < a.extent(0); ++k) {
        acc = std::min(acc, ((a(k, i) & 7) - (std::min(std::max(a(k, i), std::int32_t(-9)), std::int32_t(9)) / 4)) % 101);
      }
      out(i, j) = acc;
    }
  }
}

[[septran::task("leaf41")]]
void leaf41_blocks([[septran::write]] septran::tensor<std::int32_t, 2> out,
                   septran::tensor<const std::int32_t, 2> a) {
  [[septran::tunable]] const int tile42 = 4;
  [[septran::tunable]] const int tile44 = 4;
  auto p46 = septran::partition(out, {tile44, tile42});
  auto p47 = septran::partition(a, {a.extent(0), tile44});
  for (auto [b43, b45] : septran::parallel(p46.extent(1), p46.extent(0))) {
    leaf41(p46(b45, b43), p47(0, b45));
  }
}

[[septran::task]]
void stage40([[septran::write]] septran::tensor<std::int32_t, 2> p0,
             septran::tensor<const std::int32_t, 2> p2) {
  [[septran::tunable]] const int tile48 = 2;
  septran::fill(p0, 1);
  septran::fill(p0, 1);
  auto p50 = septran::partition(p0, {tile48, p0.extent(1)});
  auto p51 = septran::partition(p2, {p2.extent(0), tile48});
  for (auto [b49] : septran::parallel(p50.extent(0))) {
    leaf41_blocks(p50(b49, 0), p51(0, b49));
  }
}

[[septran::leaf]]
void leaf56([[septran::write]] septran::tensor<std::int32_t, 3> out,
            septran::tensor<const std::int32_t, 2> a,
            std::int32_t shift) {
  for (int i = 0; i < out.extent(0); ++i) {
    for (int j = 0; j < out.extent(1); ++j) {
      for (int k = 0; k < out.extent(2); ++k) {
        const std::int32_t x = ((a(i, k) % 11) + std::int32_t((std::int32_t(out.origin(0)) + i) % 5)) % 101;
        if (std::int32_t(k) >= 14) {
          out(i, j, k) = x + (std::min(std::max(a(i, k), std::int32_t(-9)), std::int32_t(9)) >> 2);
        } else {
          out(i, j, k) = ((std::int32_t(k) % 4) != 1) ? std::min(std::max(shift, std::int32_t(-9)), std::int32_t(9)) : std::int32_t(7);
        }
      }
    }
  }
}

[[septran::task]]
void stage38([[septran::write]] septran::tensor<std::int32_t, 2> p0,
             septran::tensor<const std::int32_t, 2> p1,
             septran::tensor<const std::int32_t, 2> p2,
             septran::tensor<const float, 3> p3,
             std::int32_t shift) {
  [[septran::tunable]] const int tile52 = 3;
  leaf39(p0, p3, p1);
  auto p54 = septran::partition(p0, {p0.extent(0), tile52});
  for (auto [b53] : septran::parallel(p54.extent(1))) {
    stage40(p54(0, b53), p2);
  }
  septran::local<std::int32_t, 3> t55({p0.extent(1), p2.extent(0), p0.extent(0)});
  leaf56(t55, p1, shift);
}

[[septran::task]]
void entry([[septran::write]] septran::tensor<std::int32_t, 2> A,
           septran::tensor<const std::int32_t, 2> B,
           septran::tensor<const std::int32_t, 2> C,
           septran::tensor<const float, 3> D,
           std::int32_t shift) {
  stage1(A, C, D, shift);
  septran::local<float, 2> t8({B.extent(0), A.extent(1)});
  auto p35 = septran::partition(t8, {32, 4});
  auto p36 = septran::partition(A, {A.extent(0), 4});
  for (auto [b33, b34] : septran::parallel(p35.extent(0), p35.extent(1))) {
    stage9(p35(b33, b34), p36(0, b34), shift);
  }
  septran::local<std::int32_t, 2> t37({A.extent(1), A.extent(0)});
  stage38(t37, A, B, D, shift);
}
