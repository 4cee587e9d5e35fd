/* Calls two libraries of one logic file through their C headers: right calls, and every kind of wrong
   one. Writes what was unexpected, and ends with the number of such things. */
#ifdef WITH_DLPACK
/* As far as a program sees it, dlpack.h. */
#define DLPACK_DLPACK_H_
#include <stdint.h>
typedef enum { kDLCPU = 1 } DLDeviceType;
typedef struct {
  DLDeviceType device_type;
  int32_t device_id;
} DLDevice;
typedef struct {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} DLDataType;
typedef struct {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
} DLTensor;
#endif
#include "blend.h"
#include "total.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int Problems = 0;

static void expect(int Got, int Wanted, const char *Said, const char *Part, int Line) {
  if (Got == Wanted && strstr(Said, Part))
    return;
  ++Problems;
  printf("line %d: got %d, wanted %d; it said '%s', expected '%s'\n", Line, Got, Wanted, Said, Part);
}
static void that(int Good, int Line) {
  if (Good)
    return;
  ++Problems;
  printf("line %d: wrong\n", Line);
}
#define THAT(Condition) that((Condition) != 0, __LINE__)

struct array {
  septran_dlpack_tensor T;
  int64_t Shape[3], Strides[3];
};

/* Row-major float32, to be changed by the caller. */
static void describe(struct array *A, void *Data, int Rank, int64_t N0, int64_t N1) {
  memset(A, 0, sizeof *A);
  A->T.data = Data;
  A->T.device.device_type = 1;
  A->T.ndim = Rank;
  A->T.dtype.code = 2;
  A->T.dtype.bits = 32;
  A->T.dtype.lanes = 1;
  A->Shape[0] = N0;
  A->Shape[1] = N1;
  A->Strides[0] = Rank == 2 ? N1 : 1;
  A->Strides[1] = 1;
  A->T.shape = A->Shape;
  A->T.strides = A->Strides;
}

enum { Rows = 5, Columns = 6, Wide = 9, Shift = 2 };
static float Out[Rows * Columns + 8], In[Rows * Wide + 8], Base[Columns + 8];
static struct array O, V, B;

static void reset(void) {
  for (int I = 0; I < Rows * Wide; ++I)
    In[I] = (float)I;
  for (int I = 0; I < Columns; ++I)
    Base[I] = 100.0F * (float)I;
  for (int I = 0; I < Rows * Columns + 8; ++I)
    Out[I] = -1.0F;
  describe(&O, Out, 2, Rows, Columns);
  describe(&V, In, 2, Rows, Wide);
  describe(&B, Base, 1, Columns, 0);
}
static int call(void) { return blend(&O.T, &V.T, &B.T, 0.25F, Shift); }
#define EXPECT(Status, Part) expect(call(), Status, blend_last_error(), Part, __LINE__), reset()

/* The element that the logic asks for. */
static float wanted(int I, int J) {
  return 0.25F * In[I * Wide + J + Shift] + 0.75F * Base[J];
}
static int isRight(const float *First, int RowStep, int ColumnStep) {
  for (int I = 0; I < Rows; ++I)
    for (int J = 0; J < Columns; ++J)
      if (fabsf(First[I * RowStep + J * ColumnStep] - wanted(I, J)) > 1e-3F)
        return 0;
  return 1;
}

static void rightCalls(void) {
  reset();
  THAT(call() == SEPTRAN_SUCCESS && isRight(Out, Columns, 1));
  THAT(*blend_last_error() == '\0');
  THAT(Out[Rows * Columns] == -1.0F);

  reset(); /* no strides, and data that begins later */
  O.T.strides = 0;
  O.T.data = (char *)Out - 64;
  O.T.byte_offset = 64;
  THAT(call() == SEPTRAN_SUCCESS && isRight(Out, Columns, 1));

  reset(); /* columns first */
  O.Strides[0] = 1;
  O.Strides[1] = Rows;
  THAT(call() == SEPTRAN_SUCCESS && isRight(Out, 1, Rows));

  reset(); /* one row of the input for all */
  V.Strides[0] = 0;
  THAT(call() == SEPTRAN_SUCCESS && fabsf(Out[4 * Columns] - (0.25F * In[Shift] + 0.0F)) < 1e-3F);

  reset(); /* a part of the memory of an input is no overlap, where the elements are others */
  float Both[Rows * 2 * Columns];
  memset(Both, 0, sizeof Both);
  O.T.data = Both;
  V.T.data = Both + Columns;
  O.Strides[0] = V.Strides[0] = 2 * Columns;
  V.Shape[1] = Columns;
  THAT(blend(&O.T, &V.T, &B.T, 0.25F, 0) == SEPTRAN_SUCCESS);

  reset(); /* no elements, and no memory */
  O.Shape[0] = V.Shape[0] = 0;
  O.T.data = V.T.data = 0;
  THAT(call() == SEPTRAN_SUCCESS);
}

static void wrongCalls(void) {
  reset();
  expect(blend(0, &V.T, &B.T, 0, 0), SEPTRAN_NULL_ARGUMENT, blend_last_error(),
         "blend: arguments is a null pointer", __LINE__);
  O.T.shape = 0;
  EXPECT(SEPTRAN_NULL_ARGUMENT, "arguments has no shape; expected 2 extents");
  O.T.ndim = 1;
  EXPECT(SEPTRAN_WRONG_RANK, "arguments has 1 dimension; expected 2");
  O.T.ndim = 1 << 30;
  EXPECT(SEPTRAN_WRONG_RANK, "expected 2");
  V.T.dtype.bits = 64;
  EXPECT(SEPTRAN_WRONG_TYPE, "v has elements of type f64; expected f32");
  V.T.dtype.code = 200;
  EXPECT(SEPTRAN_WRONG_TYPE, "an unknown kind of 32; expected f32");
  V.T.dtype.lanes = 4;
  EXPECT(SEPTRAN_WRONG_TYPE, "f32 x 4");
  *(int32_t *)&V.T.device.device_type = 2;
  EXPECT(SEPTRAN_WRONG_DEVICE, "v is on a device of type 2");
  O.Shape[0] = -1;
  EXPECT(SEPTRAN_WRONG_SHAPE, "arguments[0] is -1; expected 0 or more");
  V.Shape[0] = Rows - 1;
  EXPECT(SEPTRAN_WRONG_SHAPE, "v[0] is 4; expected 5, which is arguments[0]");
  V.Shape[1] = Columns + Shift - 1;
  EXPECT(SEPTRAN_WRONG_SHAPE, "v[1] is 7; expected at least 8, which is arguments[1] + shift");
  B.Shape[0] = Columns + 1;
  EXPECT(SEPTRAN_WRONG_SHAPE, "library[0] is 7; expected 6");
  V.Shape[0] = V.Shape[1] = INT64_MAX;
  EXPECT(SEPTRAN_WRONG_SHAPE, "v has more elements than memory can hold");
  V.Strides[0] = INT64_MAX;
  EXPECT(SEPTRAN_WRONG_SHAPE, "v has more elements than memory can hold");
  V.T.byte_offset = UINT64_MAX - (uint64_t)(uintptr_t)In - 63;
  EXPECT(SEPTRAN_WRONG_SHAPE, "v goes past the end of memory");
  V.Strides[1] = -1;
  EXPECT(SEPTRAN_UNSUPPORTED_STRIDE, "stride 1 of v is -1");
  O.Strides[0] = 0;
  EXPECT(SEPTRAN_UNSUPPORTED_STRIDE, "elements of arguments share memory");
  O.Strides[0] = Columns - 1;
  EXPECT(SEPTRAN_UNSUPPORTED_STRIDE, "elements of arguments share memory");
  B.T.data = 0;
  EXPECT(SEPTRAN_NULL_DATA, "library has elements, but no memory");
  B.T.data = (char *)Base + 1;
  EXPECT(SEPTRAN_MISALIGNED, "expected a multiple of 4");
  V.T.data = Out;
  EXPECT(SEPTRAN_OVERLAP, "arguments shares memory with v");
  B.T.data = Out + Rows * Columns - 1;
  EXPECT(SEPTRAN_OVERLAP, "arguments shares memory with library");
  expect(blend(&O.T, &V.T, &B.T, 0, -1), SEPTRAN_WRONG_SHAPE, blend_last_error(),
         "shift is -1; expected at least 0", __LINE__);
  expect(blend(&O.T, &V.T, &B.T, 0, INT64_MAX), SEPTRAN_WRONG_SHAPE, blend_last_error(),
         "arguments[1] + shift has no value for these arguments", __LINE__);
}

static void inference(void) {
  reset();
  O.Shape[0] = O.Shape[1] = -1;
  O.T.data = 0;
  expect(blend_infer_shapes(&O.T, &V.T, &B.T, 0, Shift), SEPTRAN_SUCCESS, blend_last_error(), "",
         __LINE__);
  THAT(O.Shape[0] == Rows && O.Shape[1] == Columns);
  reset(); /* what the library is too long for */
  O.Shape[0] = O.Shape[1] = -1;
  B.Shape[0] = Wide;
  expect(blend_infer_shapes(&O.T, &V.T, &B.T, 0, Shift), SEPTRAN_WRONG_SHAPE, blend_last_error(),
         "v[1] is 9; expected at least 11, which is arguments[1] + shift", __LINE__);
  reset(); /* of two unknown extents that only decide each other */
  O.Shape[0] = V.Shape[0] = -1;
  expect(blend_infer_shapes(&O.T, &V.T, &B.T, 0, Shift), SEPTRAN_WRONG_SHAPE, blend_last_error(),
         "[0] does not follow from the other arguments", __LINE__);
  reset();
  O.T.ndim = 3;
  expect(blend_infer_shapes(&O.T, &V.T, &B.T, 0, Shift), SEPTRAN_WRONG_RANK, blend_last_error(),
         "3 dimensions", __LINE__);
}

static void sums(void) {
  struct array R, X;
  float Result[2] = {-1, -1};
  int32_t Data[1000];
  for (int I = 0; I < 1000; ++I)
    Data[I] = I;
  describe(&R, Result, 1, 1, 0);
  describe(&X, Data, 1, 1000, 0);
  X.T.dtype.code = 0;
  /* The weight is rounded to 16 bits, where 0.1 is 0.0999756. */
  THAT(total(&R.T, &X.T, 0.1F, true, 3) == SEPTRAN_SUCCESS);
  THAT(fabsf(Result[0] + 0.0999756F * 499500.0F) < 1.0F);
  R.Shape[0] = 2;
  expect(total(&R.T, &X.T, 1, false, 0), SEPTRAN_WRONG_SHAPE, total_last_error(),
         "total: result[0] is 2; expected at most 1", __LINE__);
  THAT(strstr(blend_last_error(), "total") == 0);
  R.Shape[0] = -1;
  THAT(total_infer_shapes(&R.T, &X.T, 1, false, 0) == SEPTRAN_SUCCESS && R.Shape[0] == 1);
}

/* Every thread has its own text. */
static void *otherThread(void *Failed) {
  *(int *)Failed = *blend_last_error() != '\0';
  struct array X;
  float One = 0;
  for (int I = 0; I < 1000; ++I) {
    describe(&X, &One, 1, 1, 0);
    *(int *)Failed |= blend(&X.T, 0, 0, 0, 0) != SEPTRAN_WRONG_RANK;
  }
  return 0;
}
static void threads(void) {
  pthread_t Thread;
  int Failed = 1;
  expect(blend(0, 0, 0, 0, 0), SEPTRAN_NULL_ARGUMENT, blend_last_error(), "null", __LINE__);
  pthread_create(&Thread, 0, otherThread, &Failed);
  pthread_join(Thread, 0);
  THAT(!Failed && strstr(blend_last_error(), "null"));
}

int main(void) {
  rightCalls();
  wrongCalls();
  inference();
  sums();
  threads();
  puts(blend_describe());
  puts(total_describe());
  return Problems;
}
