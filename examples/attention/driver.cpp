//===- driver.cpp - runs attention ------------------------------------------===//
#include "attention/attention.h"

#include "common/run.h"

namespace {

struct problem {
  int batch, heads, queries, width, key_heads, keys;
  double scale;
  bool causal;
};

/// Softmax in double precision over the whole row. A score is a sum of `width` products, an output
/// a sum of `keys` terms: their relative errors add up to `bound`, in units of the largest |V|.
template <class T, class Sum>
void compare(example::check &check, const problem &p, septran::tensor<const T, 4> O,
             septran::tensor<const T, 4> Q, septran::tensor<const T, 4> K,
             septran::tensor<const T, 4> V) {
  std::vector<double> weights(static_cast<std::size_t>(p.keys));
  for (int b = 0; b < p.batch; ++b)
    for (int h = 0; h < p.heads; ++h)
      for (int i = 0; i < p.queries; ++i) {
        const int g = h / (p.heads / p.key_heads);
        const int seen = p.causal ? std::clamp(i + 1 + p.keys - p.queries, 0, p.keys) : p.keys;
        double top = -std::numeric_limits<double>::infinity(), magnitude = 0;
        for (int j = 0; j < seen; ++j) {
          double score = 0, size = 0;
          for (int d = 0; d < p.width; ++d) {
            const double product = double(Q(b, h, i, d)) * double(K(b, g, j, d));
            score += product;
            size += std::abs(product);
          }
          weights[static_cast<std::size_t>(j)] = p.scale * score;
          top = std::max(top, p.scale * score);
          magnitude = std::max(magnitude, std::abs(p.scale) * size);
        }
        double total = 0;
        for (int j = 0; j < seen; ++j)
          total += weights[static_cast<std::size_t>(j)] =
              std::exp(weights[static_cast<std::size_t>(j)] - top);
        for (int d = 0; d < V.extent(3); ++d) {
          double sum = 0, largest = 0;
          for (int j = 0; j < seen; ++j) {
            sum += weights[static_cast<std::size_t>(j)] * double(V(b, g, j, d));
            largest = std::max(largest, std::abs(double(V(b, g, j, d))));
          }
          const double bound =
              largest * (4 * example::epsilon<Sum>() * ((p.width + 1) * magnitude + seen) +
                         2 * example::epsilon<T>());
          check.compare(double(O(b, h, i, d)), seen > 0 ? sum / total : 0, bound);
        }
      }
}

template <class T, class Sum, class Entry>
int run(const example::options &options, const example::settings &settings, const problem &p,
        Entry entry) {
  example::storage<T, 4> Q({p.batch, p.heads, p.queries, p.width}, settings.gap);
  example::storage<T, 4> O({p.batch, p.heads, p.queries, p.width}, settings.gap);
  example::storage<T, 4> K({p.batch, p.key_heads, p.keys, p.width}, settings.gap);
  example::storage<T, 4> V({p.batch, p.key_heads, p.keys, p.width}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  Q.randomize(random, -2, 2);
  K.randomize(random, -2, 2);
  V.randomize(random);

  const double seconds = example::time(settings, [&] {
    entry(O.view(), Q.view(), K.view(), V.view(), static_cast<Sum>(p.scale), p.causal);
  });

  example::check check;
  if (settings.check)
    compare<T, Sum>(check, p, O.view(), Q.view(), K.view(), V.view());
  return example::report(options, settings, seconds, O, check);
}

} // namespace

int main(int argc, char **argv) {
  example::options options(
      argc, argv, "attention",
      "O = softmax(Q * K^T / sqrt(D)) * V for B batches and H heads, S queries "
      "of width D");
  const auto [batch, heads, queries, width] = options.shape<4>("BxHxSxD", {1, 4, 512, 64});
  const auto keys = options.integer("keys", queries, "keys; as many as queries unless given");
  const auto key_heads =
      options.integer("key-heads", heads, "key heads, a divisor of H; H unless given", heads > 0);
  const bool causal = options.flag("causal", "query i sees keys up to i + keys - S");
  const auto dtype = options.choice("dtype", {"f32", "f64", "f16", "bf16"}, "element type");
  const example::settings settings(options);
  if (key_heads > 0 && heads % key_heads != 0)
    options.fail(example::concat("--key-heads expects a divisor of ", std::to_string(heads)));
  if (const auto code = options.finish())
    return *code;

  const problem p{batch,
                  heads,
                  queries,
                  width,
                  static_cast<int>(key_heads),
                  static_cast<int>(keys),
                  1 / std::sqrt(static_cast<double>(std::max(width, 1))),
                  causal};
  if (dtype == "f64")
    return run<double, double>(options, settings, p, attention_f64);
  if (dtype == "f16")
    return run<septran::float16, float>(options, settings, p, attention_f16);
  if (dtype == "bf16")
    return run<septran::bfloat16, float>(options, settings, p, attention_bf16);
  return run<float, float>(options, settings, p, attention);
}
