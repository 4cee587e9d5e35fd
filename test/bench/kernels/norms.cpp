#include "kernels/kernels.h"

#include "harness/memory.h"
#include "kernels/bandwidth.h"
#include "layernorm/layernorm.h"
#include "rmsnorm/rmsnorm.h"
#include "softmax/softmax.h"

namespace septran::bench {
namespace {

struct norm_data {
  array<float, 2> Y, X;
  array<float, 1> weight, bias;
};

/// `operations` per element; `call` runs an entry point on the data.
problem norm(int m, int n, double operations, void (*call)(entry_point, const norm_data &)) {
  const auto d = std::make_shared<norm_data>(norm_data{
      array<float, 2>({m, n}), array<float, 2>({m, n}), array<float, 1>(n), array<float, 1>(n)});
  d->X.randomize(1, -20, 20);
  d->weight.randomize(2, 0.5, 1.5);
  d->bias.randomize(3, -1, 1);
  return matrix_problem(d, m, n, operations, 2, call);
}

kernel norm_kernel(bool quick, const char *name, double operations,
                   void (*call)(entry_point, const norm_data &)) {
  const auto rows = [=](int m, int n) { return [=] { return norm(m, n, operations, call); }; };
  return of_matrices(
      bandwidth_kernel(quick, name, rows(9, 33), rows(96, 1024), rows(8192, 2048)), rows);
}

} // namespace

std::vector<kernel> norm_kernels(bool quick) {
  return {
      norm_kernel(quick, "softmax", 5, // maximum, difference, exponential, sum, quotient
                  [](entry_point entry, const norm_data &d) {
                    entry.as<decltype(softmax)>()(d.Y.view(), d.X.view());
                  }),
      norm_kernel(quick, "layernorm", 8,
                  [](entry_point entry, const norm_data &d) {
                    entry.as<decltype(layernorm)>()(d.Y.view(), d.X.view(), d.weight.view(),
                                                    d.bias.view(), 1e-5f);
                  }),
      norm_kernel(quick, "rmsnorm", 4,
                  [](entry_point entry, const norm_data &d) {
                    entry.as<decltype(rmsnorm)>()(d.Y.view(), d.X.view(), d.weight.view(), 1e-5f);
                  }),
  };
}

} // namespace septran::bench
