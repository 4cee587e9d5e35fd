#include "common/run.h"

void filters(septran::tensor<std::int32_t, 3> O, septran::tensor<const std::uint8_t, 3> I,
             septran::tensor<const std::int8_t, 4> W);

int main(int argc, char **argv) {
  example::options options(argc, argv, "filters", "3 x 3 convolution of bytes");
  const auto [h, w, c, f] = options.shape<4>("HxWxCxF", {9, 11, 10, 37});
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;
  example::storage<std::uint8_t, 3> I({h, w, c}, settings.gap);
  example::storage<std::int8_t, 4> W({3, 3, c, f}, settings.gap);
  example::storage<std::int32_t, 3> O({h, w, f}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  I.each([&](std::uint8_t &x) { x = static_cast<std::uint8_t>(random.bits()); });
  W.each([&](std::int8_t &x) { x = static_cast<std::int8_t>(random.bits()); });
  const double seconds = example::time(settings, [&] { filters(O.view(), I.view(), W.view()); });
  return example::report(options, settings, seconds, O, {});
}
