// Y(b, i, j) = max(sum over k of X(b, i, k) * W(j, k) + bias(j), 0): weights by rows, batches by
// subtensors, the rest of the layer in the registers of the sums.
#include <septran/leaves.h>
#include <septran/septran.h>

using bf16 = septran::bfloat16;
template <class T, int R> using tensor = septran::tensor<T, R>;

[[septran::leaf("sums")]]
void sums_leaf(tensor<float, 2> s, tensor<const bf16, 2> X, tensor<const bf16, 2> W) {
  for (int i = 0; i < s.extent(0); ++i)
    for (int j = 0; j < s.extent(1); ++j) {
      float sum = 0;
      for (int k = 0; k < X.extent(1); ++k)
        sum += static_cast<float>(W(j, k)) * static_cast<float>(X(i, k));
      s(i, j) += sum;
    }
}

[[septran::task("sums")]]
void sums_by_steps(tensor<float, 2> s, tensor<const bf16, 2> X, tensor<const bf16, 2> W) {
  [[septran::tunable]] const int step = 64;
  auto Xp = septran::partition(X, {X.extent(0), step});
  auto Wp = septran::partition(W, {W.extent(0), step});
  for (int k = 0; k < Xp.extent(1); ++k)
    sums_leaf(s, Xp(0, k), Wp(0, k));
}

[[septran::leaf]]
void activate([[septran::write]] tensor<float, 2> Y, tensor<const float, 2> s,
              tensor<const bf16, 1> bias) {
  for (int i = 0; i < Y.extent(0); ++i)
    for (int j = 0; j < Y.extent(1); ++j) {
      const float value = s(i, j) + static_cast<float>(bias(j));
      Y(i, j) = value > 0 ? value : 0.0f;
    }
}

[[septran::task]]
void layer_tile([[septran::write]] tensor<float, 2> Y, tensor<const bf16, 2> X,
                tensor<const bf16, 2> W, tensor<const bf16, 1> bias) {
  septran::local<float, 2> s(Y.extents());
  septran::fill(s, 0);
  sums_by_steps(s, X, W);
  activate(Y, s, bias);
}

[[septran::task]]
void layers([[septran::write]] tensor<float, 3> Y, tensor<const bf16, 3> X, tensor<const bf16, 2> W,
            tensor<const bf16, 1> bias) {
  [[septran::tunable]] const int tile_i = 32, tile_j = 48;
  auto Yp = septran::partition(Y, {1, tile_i, tile_j});
  auto Xp = septran::partition(X, {1, tile_i, X.extent(2)});
  auto Wp = septran::partition(W, {tile_j, W.extent(1)});
  auto bp = septran::partition(bias, {tile_j});
  for (auto [b, i, j] : septran::parallel(Yp.shape()))
    layer_tile(septran::subtensor(Yp(b, i, j), 0, septran::all, septran::all),
               septran::subtensor(Xp(b, i, 0), 0, septran::all, septran::all), Wp(j, 0), bp(j));
}
