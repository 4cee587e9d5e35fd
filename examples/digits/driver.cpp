//===- driver.cpp - classifies handwritten digits ------------------------------===//
//
// The first T images of the file are examples, the last Q are queries.
//
//===----------------------------------------------------------------------===//
#include "digits/digits.h"

#include "common/run.h"

#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

namespace {

constexpr int features = 64;

struct image {
  std::array<int, features> pixels{};
  int digit = 0;
};

/// The images of a file with 64 grey values and a digit per line; none if it cannot be read.
std::vector<image> read_images(const std::string &path) {
  std::vector<image> images;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream values(line);
    image next;
    char comma = ',';
    for (int &pixel : next.pixels)
      values >> pixel >> comma;
    if (!(values >> next.digit) || comma != ',')
      return {};
    images.push_back(next);
  }
  return images;
}

/// The same rule in whole numbers, from the definition.
int nearest_label(const image &query, const std::vector<image> &train, int neighbours) {
  std::vector<std::pair<int, int>> order;
  for (std::size_t t = 0; t < train.size(); ++t) {
    int distance = 0;
    for (std::size_t p = 0; p < features; ++p)
      distance += (query.pixels[p] - train[t].pixels[p]) * (query.pixels[p] - train[t].pixels[p]);
    order.emplace_back(distance, static_cast<int>(t));
  }
  std::sort(order.begin(), order.end());
  order.resize(std::min(order.size(), static_cast<std::size_t>(neighbours)));
  std::array<int, 10> votes{};
  for (const auto &[distance, index] : order)
    ++votes[static_cast<std::size_t>(train[static_cast<std::size_t>(index)].digit)];
  const int most = *std::max_element(votes.begin(), votes.end());
  for (const auto &[distance, index] : order) {
    const int digit = train[static_cast<std::size_t>(index)].digit;
    if (votes[static_cast<std::size_t>(digit)] == most)
      return digit;
  }
  return -1;
}

void fill(example::storage<float, 2> &matrix, const std::vector<image> &images) {
  const auto view = matrix.view();
  for (std::size_t i = 0; i < images.size(); ++i)
    for (int p = 0; p < features; ++p)
      view(static_cast<int>(i), p) =
          static_cast<float>(images[i].pixels[static_cast<std::size_t>(p)]);
}

} // namespace

int main(int argc, char **argv) {
  const std::string file = __FILE__;
  const std::string beside = file.substr(0, file.find_last_of('/') + 1) + "digits.csv";
  example::options options(argc, argv, "digits",
                           "Classifies Q images of handwritten digits by their nearest neighbours "
                           "among T others");
  const auto [queries, examples] = options.shape<2>("QxT", {898, 899});
  const auto neighbours = static_cast<int>(options.integer("neighbours", 3, "that vote"));
  const auto path = options.text("data", beside, "file of images, digits.csv");
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;

  const std::vector<image> images = read_images(path);
  if (images.empty()) {
    std::fprintf(stderr, "digits: '%s' holds no images; --data names a file of them\n",
                 path.c_str());
    return EXIT_FAILURE;
  }
  if (static_cast<std::size_t>(queries) + static_cast<std::size_t>(examples) > images.size()) {
    std::fprintf(stderr, "digits: --shape asks for %d + %d images, the file has %zu\n", queries,
                 examples, images.size());
    return 2;
  }
  const std::vector<image> train(images.begin(), images.begin() + examples);
  const std::vector<image> test(images.end() - queries, images.end());

  example::storage<float, 2> T({examples, features}, settings.gap),
      Q({queries, features}, settings.gap);
  example::storage<std::int32_t, 1> T_labels({examples}), labels({queries}, settings.gap);
  fill(T, train);
  fill(Q, test);
  for (std::size_t t = 0; t < train.size(); ++t)
    T_labels.view()(static_cast<int>(t)) = train[t].digit;

  const double seconds = example::time(
      settings, [&] { classify(labels.view(), Q.view(), T.view(), T_labels.view(), neighbours); });

  int right = 0;
  example::check check;
  for (std::size_t q = 0; q < test.size(); ++q) {
    const int label = labels.view()(static_cast<int>(q));
    right += label == test[q].digit;
    if (settings.check)
      check.compare(label, nearest_label(test[q], train, neighbours), 0);
  }
  const double accuracy = queries > 0 ? 100.0 * right / queries : 0.0;
  std::fprintf(settings.json ? stderr : stdout, "accuracy: %.2f %% (%d of %d)\n", accuracy, right,
               queries);
  return example::report(options, settings, seconds, labels, check);
}
