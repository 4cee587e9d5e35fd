// As much of HIP's runtime header as SepTran's headers name, declared after the HIP Runtime API Reference
// of ROCm 6, for a machine without ROCm. Nothing of it is defined but what device code needs.
#pragma once

#include <cstddef>
#include <cstdint>

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(threads, blocks) __attribute__((launch_bounds(threads, blocks)))

struct dim3 {
  std::uint32_t x, y, z;
  constexpr __host__ __device__ dim3(std::uint32_t x_ = 1, std::uint32_t y_ = 1, std::uint32_t z_ = 1)
      : x(x_), y(y_), z(z_) {}
};

// What the language calls them, as members that are read by one builtin each.
#define COORDINATES(name, get_x, get_y, get_z)                                                     \
  struct name##_t {                                                                                \
    __declspec(property(get = read_x)) std::uint32_t x;                                            \
    __declspec(property(get = read_y)) std::uint32_t y;                                            \
    __declspec(property(get = read_z)) std::uint32_t z;                                            \
    static __device__ std::uint32_t read_x() { return get_x; }                                     \
    static __device__ std::uint32_t read_y() { return get_y; }                                     \
    static __device__ std::uint32_t read_z() { return get_z; }                                     \
  };                                                                                               \
  extern const __device__ name##_t name
COORDINATES(threadIdx, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
            __builtin_amdgcn_workitem_id_z());
COORDINATES(blockIdx, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
            __builtin_amdgcn_workgroup_id_z());
COORDINATES(blockDim, __builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(),
            __builtin_amdgcn_workgroup_size_z());
COORDINATES(gridDim, __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x(),
            __builtin_amdgcn_grid_size_y() / __builtin_amdgcn_workgroup_size_y(),
            __builtin_amdgcn_grid_size_z() / __builtin_amdgcn_workgroup_size_z());

inline __device__ void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
enum hipError_t { hipSuccess = 0, hipErrorOutOfMemory = 2, hipErrorMemoryAllocation = 2 };
enum hipMemcpyKind { hipMemcpyHostToHost, hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice };
enum hipMemoryType { hipMemoryTypeUnregistered, hipMemoryTypeHost, hipMemoryTypeDevice };
enum hipDeviceAttribute_t { hipDeviceAttributeMultiprocessorCount, hipDeviceAttributeMemoryPoolsSupported };
enum hipFuncAttribute { hipFuncAttributeMaxDynamicSharedMemorySize };
struct hipPointerAttribute_t {
  hipMemoryType type;
};

extern "C" {
const char *hipGetErrorString(hipError_t);
const char *hipGetErrorName(hipError_t);
hipError_t hipGetLastError();
hipError_t hipGetDeviceCount(int *);
hipError_t hipGetDevice(int *);
hipError_t hipSetDevice(int);
hipError_t hipDeviceSynchronize();
hipError_t hipDeviceGetAttribute(int *, hipDeviceAttribute_t, int);
hipError_t hipStreamSynchronize(hipStream_t);
hipError_t hipMalloc(void **, std::size_t);
hipError_t hipFree(void *);
hipError_t hipMallocAsync(void **, std::size_t, hipStream_t);
hipError_t hipFreeAsync(void *, hipStream_t);
hipError_t hipPointerGetAttributes(hipPointerAttribute_t *, const void *);
hipError_t hipMemcpyAsync(void *, const void *, std::size_t, hipMemcpyKind, hipStream_t);
hipError_t hipMemcpy2DAsync(void *, std::size_t, const void *, std::size_t, std::size_t, std::size_t,
                            hipMemcpyKind, hipStream_t);
hipError_t hipMemsetAsync(void *, int, std::size_t, hipStream_t);
hipError_t hipFuncSetAttribute(const void *, hipFuncAttribute, int);
hipError_t hipLaunchKernel(const void *, dim3, dim3, void **, std::size_t, hipStream_t);
const char *hipKernelNameRefByPtr(const void *, hipStream_t);
hipError_t hipEventCreate(hipEvent_t *);
hipError_t hipEventDestroy(hipEvent_t);
hipError_t hipEventRecord(hipEvent_t, hipStream_t);
hipError_t hipEventSynchronize(hipEvent_t);
hipError_t hipEventElapsedTime(float *, hipEvent_t, hipEvent_t);
}
