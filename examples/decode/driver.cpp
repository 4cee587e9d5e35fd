//===- driver.cpp - runs attention of one new token -------------------------===//
#include "decode/decode.h"

#include "common/run.h"

int main(int argc, char **argv) {
  example::options options(argc, argv, "decode",
                           "O = softmax(Q * K^T / sqrt(D)) * V for one query of B batches and H "
                           "heads, and S keys of width D");
  const auto [batch, heads, keys, width] = options.shape<4>("BxHxSxD", {1, 8, 4096, 64});
  const auto key_heads =
      static_cast<int>(options.integer("key-heads", heads, "key heads, a divisor of H", 1));
  const example::settings settings(options);
  if (heads % key_heads != 0)
    options.fail(example::concat("--key-heads expects a divisor of ", std::to_string(heads)));
  if (const auto code = options.finish())
    return *code;

  example::storage<float, 3> O({batch, heads, width}, settings.gap);
  example::storage<float, 3> Q({batch, heads, width}, settings.gap);
  example::storage<float, 4> K({batch, key_heads, keys, width}, settings.gap);
  example::storage<float, 4> V({batch, key_heads, keys, width}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  Q.randomize(random, -2, 2);
  K.randomize(random, -2, 2);
  V.randomize(random);
  const double scale = 1 / std::sqrt(static_cast<double>(std::max(width, 1)));

  const double seconds = example::time(
      settings, [&] { decode(O.view(), Q.view(), K.view(), V.view(), static_cast<float>(scale)); });

  // A score is a sum of `width` products, an output one of `keys` terms: relative errors add up.
  example::check check;
  std::vector<double> weights(static_cast<std::size_t>(keys));
  for (int b = 0; settings.check && b < batch; ++b)
    for (int h = 0; h < heads; ++h) {
      const int g = h / (heads / key_heads);
      double top = -std::numeric_limits<double>::infinity(), magnitude = 0, total = 0;
      for (int j = 0; j < keys; ++j) {
        double score = 0, size = 0;
        for (int d = 0; d < width; ++d) {
          const double product = double(Q.view()(b, h, d)) * double(K.view()(b, g, j, d));
          score += scale * product;
          size += scale * std::abs(product);
        }
        weights[static_cast<std::size_t>(j)] = score;
        top = std::max(top, score);
        magnitude = std::max(magnitude, size);
      }
      for (double &weight : weights)
        total += weight = std::exp(weight - top);
      for (int d = 0; d < width; ++d) {
        double sum = 0;
        for (int j = 0; j < keys; ++j)
          sum += weights[static_cast<std::size_t>(j)] * double(V.view()(b, g, j, d));
        check.compare(O.view()(b, h, d), keys > 0 ? sum / total : 0,
                      4 * example::epsilon<float>() * ((width + 1) * magnitude + keys + 2));
      }
    }
  return example::report(options, settings, seconds, O, check);
}
