//===- driver.cpp - runs the matrix product ---------------------------------===//
#include "matmul/matmul.h"

#include "common/run.h"

namespace {

/// Sum of products in double precision. Rounding each of K sums in the accumulator's type, and the
/// result in C's, moves an element by at most `bound`.
template <class C_t, class A_t, class B_t, class Sum>
void compare(example::check &check, septran::tensor<const C_t, 2> C,
             septran::tensor<const A_t, 2> A, septran::tensor<const B_t, 2> B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j) {
      double sum = 0, magnitude = 0;
      for (int k = 0; k < A.extent(1); ++k) {
        const double product = static_cast<double>(A(i, k)) * static_cast<double>(B(k, j));
        sum += product;
        magnitude += std::abs(product);
      }
      const double bound =
          static_cast<double>(A.extent(1) + 1) * example::epsilon<Sum>() * magnitude +
          example::epsilon<C_t>() * std::abs(sum);
      check.compare(static_cast<double>(C(i, j)), sum, bound);
    }
}

template <class C_t, class T, class Sum, class B_t = T, class Entry>
int run(const example::options &options, const example::settings &settings,
        const std::array<int, 3> &shape, double range, Entry entry,
        const std::string &transposed = "none") {
  const auto [m, n, k] = shape;
  const bool a = transposed == "a", b = transposed == "b";
  example::storage<T, 2> A({a ? k : m, a ? m : k}, settings.gap);
  example::storage<B_t, 2> B({b ? n : k, b ? k : n}, settings.gap);
  example::storage<C_t, 2> C({m, n}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  A.randomize(random, std::is_unsigned_v<T> ? 0 : -range, range);
  B.randomize(random, -range, range);
  const auto right = septran::make_constant(B.view());

  const double seconds = example::time(settings, [&] { entry(C.view(), A.view(), right); });

  example::check check;
  if (settings.check)
    compare<C_t, T, B_t, Sum>(check, C.view(), a ? septran::transpose(A.view()) : A.view(),
                              b ? septran::transpose(B.view()) : B.view());
  return example::report(options, settings, seconds, C, check);
}

} // namespace

int main(int argc, char **argv) {
  example::options options(argc, argv, "matmul",
                           "C = A * B for an M x K matrix A and a K x N matrix B");
  const auto shape = options.shape<3>("MxNxK", {512, 512, 512});
  const auto dtype =
      options.choice("dtype", {"f32", "f64", "f16", "bf16", "i8", "u8s8"}, "element type");
  const auto transposed = options.choice("transposed", {"none", "a", "b"},
                                         "which matrix of f32 is given with its extents exchanged");
  const bool weights = options.flag("weights", "B is constant in f32, too");
  const example::settings settings(options);
  if (weights && (dtype != "f32" || transposed != "none"))
    options.fail("--weights expects --dtype f32, and no --transposed");
  if (dtype != "f32" && transposed != "none")
    options.fail("--transposed expects --dtype f32");
  if (const auto code = options.finish())
    return *code;

  if (dtype == "f64")
    return run<double, double, double>(options, settings, shape, 1, matmul_f64);
  if (dtype == "f16")
    return run<septran::float16, septran::float16, float>(options, settings, shape, 1, matmul_f16);
  if (dtype == "bf16")
    return run<septran::bfloat16, septran::bfloat16, float>(options, settings, shape, 1,
                                                            matmul_bf16);
  if (dtype == "i8")
    return run<std::int32_t, std::int8_t, std::int32_t>(options, settings, shape, 127, matmul_i8);
  if (dtype == "u8s8")
    return run<std::int32_t, std::uint8_t, std::int32_t, std::int8_t>(options, settings, shape, 127,
                                                                      matmul_u8s8);
  if (transposed != "none")
    return run<float, float, float>(options, settings, shape, 1,
                                    transposed == "a" ? matmul_tn : matmul_nt, transposed);
  if (weights)
    return run<float, float, float>(options, settings, shape, 1, matmul_weights);
  return run<float, float, float>(options, settings, shape, 1, matmul);
}
