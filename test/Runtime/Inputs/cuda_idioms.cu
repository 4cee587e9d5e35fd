// Uses every function of <septran/cuda/*.h>, so that each is compiled; it is not run.
#include <septran/cuda/atomic.h>
#include <septran/cuda/launch.h>
#include <septran/cuda/reduce.h>
#include <septran/cuda/simt.h>
#include <septran/cuda/sm80.h>
#include <septran/cuda/transfer.h>

#include <septran/septran.h>

#include <vector>

using namespace septran::cuda;

__global__ void indices(int *to) {
  const int place = block_index<0>() + grid_extent<0>() * (block_index<1>() + block_index<2>());
  to[place] = thread_rank() + warp_rank() + lane() + block_size() + grid_extent<1>() +
              grid_extent<2>() + thread_index<2>() + int(threadIdx.x + blockDim.y + gridDim.z);
  if (blockIdx.x == 0 && warp_any(to[0] > 1) && warp_all(to[1] > 1))
    to[1] = int(warp_ballot(to[2] == 3));
}

template <class T> __global__ void __launch_bounds__(128) accesses(T *to, const T *from) {
  constexpr int n = 16 / sizeof(T);
  T *tile = shared_memory<T>();
  copy_async<n>(tile + n * thread_rank(), from + n * thread_rank(), n - 1);
  copy_async<4 / sizeof(T)>(tile, from);
  copy_async<8 / sizeof(T)>(tile, from);
  copy_async_commit();
  copy_async_wait<0>();
  copy_async_wait_all();
  block_barrier();
  vec<T, n> a = load<n>(tile + n * thread_rank());
  const vec<T, n> b = load_readonly<n>(from);
  for (int i = 0; i < n; ++i)
    a[i] = narrow<T>(widen(a[i]) * widen(b[i]));
  store(to + n * thread_rank(), a);
  store(to, load<1>(tile));
}

template <class T> __global__ void __launch_bounds__(128) reductions(T *to, const T *from) {
  T value = from[thread_rank()];
  value = block_reduce(value, plus(), shared_memory<T>());
  value = warp_reduce<8>(value, maximum());
  value = warp_reduce(value, minimum());
  value = shuffle(value, 3);
  value = shuffle_up<16>(value, 1);
  value = shuffle_down(value, 2);
  warp_barrier();
  warp_barrier<4>();
  named_barrier<1>(64);
  named_barrier_arrive<2>(64);
  atomic_add(to, value);
  atomic_min(to + 1, value);
  atomic_max(to + 2, value);
  atomic_update(to + 3, value, multiplies());
}

template <class T> __global__ void matrices(float *to) {
  packed<T, 8> a;
  packed<T, 4> b[2];
  packed<T, 2> c;
  const T *tile = shared_memory<T>();
  float d[4] = {};
  ldmatrix_x4(a, tile);
  ldmatrix_x4(b[0], b[1], tile);
  mma_m16n8k16(d, a, b[0]);
  ldmatrix_x4_trans(a, tile);
  ldmatrix_x4_trans(b[0], b[1], tile);
  mma_m16n8k16(d, a, b[1]);
  ldmatrix_x2(b[0], tile);
  ldmatrix_x2_trans(b[1], tile);
  ldmatrix_x1(c, tile);
  ldmatrix_x1_trans(c, tile + 8);
  b[0].bits[0] = narrow2<T>(widen(c.get(1)), 1.0f);
  a.set(1, T(2.0f));
  mma_m16n8k16(d, a, b[0]);
  to[lane()] = d[0] + d[1] + d[2] + d[3];
}

__global__ void other_matrices(float *to, int *integers) {
  packed<float, 4> a;
  packed<float, 2> b;
  float d[4] = {};
  ldmatrix_x4(a, shared_memory<float>());
  ldmatrix_x2(b, shared_memory<float>());
  a.set(0, round_to_tf32(a.get(0)));
  mma_m16n8k8(d, a, b);
  packed<septran::float16, 8> h;
  packed<septran::float16, 4> k, e = {};
  ldmatrix_x4(h, shared_memory<septran::float16>());
  ldmatrix_x2(k, shared_memory<septran::float16>());
  mma_m16n8k16(e, h, k);
  to[lane()] = d[0] + d[3] + widen(e.get(2));
  packed<std::int8_t, 16> p;
  packed<std::int8_t, 8> q;
  int s[4] = {};
  ldmatrix_x4(p, shared_memory<std::int8_t>());
  ldmatrix_x2(q, shared_memory<std::int8_t>());
  mma_m16n8k32(s, p, q);
  integers[lane()] = s[0] + s[1] + s[2] + s[3];
}

__global__ void __launch_bounds__(128) static_memory(float *to) {
  float *tile = reinterpret_cast<float *>(shared_array<512>());
  tile[thread_rank()] = float(thread_rank());
  block_barrier();
  to[thread_rank()] = tile[127 - thread_rank()];
}

// Views and their arithmetic as opaque leaves use them.
__global__ void tensors(septran::tensor<septran::float16, 2> c,
                        septran::tensor<const septran::float16, 2> a) {
  for (int i = thread_index(); i < c.extent(0); i += block_extent())
    for (int j = 0; j < c.extent(1); ++j)
      c(i, j) += a(i, j) * a(i, j) + septran::float16(c.origin(1));
}

int main() {
  std::vector<float> host(64);
  device_buffer<float> x(host.data(), 64), y(64);
  device_buffer<int> z(64);
  device_buffer<septran::float16> h(64);
  device_buffer<septran::bfloat16> f(64);
  fill(y.data(), 0, 64 * sizeof(float));
  event begin, end;
  begin.record();
  launch(indices, {.grid = dim3(4), .block = dim3(128)}, z.data());
  launch(accesses<float>, {4, 128, 4096}, y.data(), x.data());
  launch(accesses<septran::float16>, {4, 128, 4096}, h.data(), h.data());
  launch(reductions<float>, {4, 128, 64}, y.data(), x.data());
  launch(reductions<double>, {4, 128, 64}, nullptr, nullptr);
  launch(reductions<int>, {4, 128, 64}, z.data(), z.data());
  launch(reductions<long long>, {4, 128, 64}, nullptr, nullptr);
  launch(reductions<septran::bfloat16>, {4, 128, 64}, f.data(), f.data());
  launch(matrices<septran::float16>, {4, 32, 100000}, x.data());
  launch(matrices<septran::bfloat16>, {4, 32, 100000}, x.data());
  launch(other_matrices, {4, 32, 100000}, x.data(), z.data());
  launch(static_memory, {4, 128}, y.data());
  launch(tensors, {4, 32}, septran::tensor<septran::float16, 2>(h.data(), {8, 8}),
         septran::tensor<const septran::float16, 2>(h.data(), {8, 8}));
  end.record();
  end.wait();
  copy_on_device(y.data(), x.data(), 64);
  copy_rows_to_device(y.data(), 8, host.data(), 16, 4, 8);
  copy_rows_to_host(host.data(), 16, y.data(), 8, 4, 8);
  y.download(host.data());
  synchronize();
  copy_to_device(y.data(), septran::tensor<const float, 2>(host.data(), {4, 4}, {8, 1}));
  copy_to_host(septran::tensor<float, 2>(host.data(), {4, 4}, {1, 4}), y.data());
  return milliseconds(begin, end) > 0 && multiprocessors() > 0 ? 0 : 1;
}
