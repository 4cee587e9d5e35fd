//===- CheckedTest.cpp - what a checked run finds ---------------------------===//

#include <septran/leaves.h>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#ifndef SEPTRAN_CHECKED
#error "this test is about the checked build"
#endif

namespace {

using septran::float16;
using septran::index_type;
using septran::tensor;
using septran::checked::failure;
using septran::checked::privilege;
using septran::checked::rule;

template <class T> using matrix = tensor<T, 2>;
template <class T> using vector = tensor<T, 1>;

std::vector<failure> failures;

class Checked : public ::testing::Test {
protected:
  Checked() {
    failures.clear();
    septran::checked::reset();
    septran::checked::set_handler([](const failure &f) { failures.push_back(f); });
  }
  ~Checked() override { septran::checked::set_handler(nullptr); }

  /// The first failure, which must be of this rule and name this task, tensor and index.
  void expect(rule broken, const std::string &task, const std::string &argument,
              const std::vector<std::ptrdiff_t> &index, int line) {
    ASSERT_FALSE(failures.empty());
    const failure &f = failures.front();
    EXPECT_EQ(f.broken, broken);
    EXPECT_EQ(f.task, task);
    EXPECT_EQ(f.argument, argument);
    EXPECT_EQ(f.index, index);
    if (line != 0) {
      EXPECT_EQ(f.where.line, line) << f.message;
    }
    EXPECT_NE(f.message.find(":" + std::to_string(f.where.line) + ": error: "), std::string::npos);
  }

  float a[64] = {}, b[64] = {};
  matrix<float> A{a, {8, 8}}, B{b, {8, 8}};
  vector<float> V{a, {64}};
};

// --- bounds

constexpr int past_the_end_line = __LINE__ + 4;
template <class T> [[septran::leaf]] void past_the_end(matrix<T> out, matrix<const T> in) {
  for (int i = 0; i < in.extent(0); ++i)
    for (int j = 0; j <= in.extent(1); ++j)
      out(i, j) += in(i, j);
}

TEST_F(Checked, ReadOutOfBounds) {
  past_the_end(septran::partition(A, {8, 8})(0, 0), septran::partition(B, {2, 4})(1, 0));
  expect(rule::bounds, "past_the_end", "in", {0, 4}, past_the_end_line);
  EXPECT_NE(failures[0].message.find("outside its extents (2, 4) [septran-out-of-bounds]"),
            std::string::npos);
}

TEST_F(Checked, WriteOutOfBoundsDoesNotHappen) {
  const auto corner = septran::partition(A, {2, 2})(0, 0);
  corner(0, 2) = 5; // inside A, outside the block
  expect(rule::bounds, "TestBody", "corner", {0, 2}, __LINE__ - 1);
  EXPECT_EQ(a[2], 0);
  corner(-1, 0) += 1;
  EXPECT_EQ(failures.size(), 2u);
}

TEST_F(Checked, BlockOutsideTheGrid) {
  const auto blocks = septran::partition(A, {4, 4});
  const auto block = blocks(1, 2);
  expect(rule::bounds, "TestBody", "blocks", {1, 2}, __LINE__ - 1);
  EXPECT_EQ(block.extents(), (septran::extents_t<2>{4, 4}));
  const auto around = septran::windows(A, {4, 4}, {4, 4}, {1, 1}, {1, 1});
  around(-1, 0);
  EXPECT_EQ(failures.size(), 2u);
}

TEST_F(Checked, BlockZeroOfAnEmptyDimensionIsFine) {
  const matrix<float> empty(a, {4, 0});
  EXPECT_EQ(septran::partition(empty, {2, 2})(1, 0).size(), 0);
  EXPECT_TRUE(failures.empty());
}

TEST_F(Checked, SubtensorOutside) {
  septran::subtensor(A, 8, septran::all);
  expect(rule::bounds, "TestBody", "A", {8, 0}, __LINE__ - 1);
}

// --- unwritten

TEST_F(Checked, LocalReadBeforeWrite) {
  septran::local<float, 2> acc({3, 3});
  septran::fill(septran::partition(acc, {2, 3})(0, 0), 1);
  EXPECT_TRUE(failures.empty());
  A(0, 0) = acc(2, 1);
  expect(rule::unwritten, "TestBody", "acc", {2, 1}, __LINE__ - 1);
}

TEST_F(Checked, UpdateOfAnUnwrittenLocalNamesTheLocal) {
  septran::local<float, 2> sum({2, 2});
  septran::add(B, A, A);
  septran::scale(sum, 2);
  expect(rule::unwritten, "scale", "x", {0, 0}, 0);
  EXPECT_NE(failures[0].message.find("of 'x' (part of 'sum')"), std::string::npos)
      << failures[0].message;
}

TEST_F(Checked, MemoryOfALocalIsForgotten) {
  for (int repeat = 0; repeat < 3; ++repeat) {
    septran::local<float, 1> x(16);
    failures.clear();
    const float y = x(3);
    static_cast<void>(y);
    EXPECT_EQ(failures.size(), 1u);
    septran::fill(x, 1);
  }
}

TEST_F(Checked, WriteOnlyArgument) {
  septran::checked::task_scope task("entry");
  task.argument("A", A, privilege::write);
  A(1, 1) = 2;
  const float fine = A(1, 1);
  static_cast<void>(fine);
  EXPECT_TRUE(failures.empty());
  A(1, 2) += 2;
  expect(rule::unwritten, "TestBody", "A", {1, 2}, __LINE__ - 1);
}

TEST_F(Checked, DeclaredUninitialisedAndInitialised) {
  septran::checked::uninitialised(septran::partition(A, {4, 4})(1, 1));
  EXPECT_EQ(float(A(0, 0)), 0);
  EXPECT_TRUE(failures.empty());
  EXPECT_EQ(float(A(4, 4)), 0);
  EXPECT_EQ(failures.size(), 1u);
  septran::checked::initialised(A);
  EXPECT_EQ(float(A(5, 5)), 0);
  EXPECT_EQ(failures.size(), 1u);
}

TEST_F(Checked, WindowReadsUnwrittenElements) {
  septran::local<float, 1> x(4);
  const auto around = septran::windows(x, {4}, {4}, {1}, {1});
  around(0);
  expect(rule::unwritten, "TestBody", "around", {0}, __LINE__ - 1);
}

TEST_F(Checked, WriteOnlyArgumentOfACaller) {
  septran::checked::task_scope outer("outer", {{"A", A, privilege::write}});
  const auto block = septran::partition(A, {4, 4})(1, 0);
  block(0, 0) = 1;
  {
    septran::checked::task_scope inner("inner", {{"block", block}});
    block(0, 0) += 1;
    EXPECT_TRUE(failures.empty());
    block(1, 2) += 1;
  }
  expect(rule::unwritten, "TestBody", "block", {1, 2}, __LINE__ - 2);
  EXPECT_NE(failures[0].message.find("task 'outer' has not written it, and 'A' is"),
            std::string::npos)
      << failures[0].message;
}

TEST_F(Checked, ATaskKeepsWhatItDoesNotWrite) {
  septran::fill(A, 3);
  for (int repeat = 0; repeat < 2; ++repeat) {
    {
      septran::checked::task_scope task("upper", {{"A", A, privilege::write}});
      A(0, 1) = 4;
      EXPECT_EQ(float(A(0, 1)), 4);
    }
    EXPECT_EQ(float(A(1, 0)), 3); // written before, and not by the task
    EXPECT_TRUE(failures.empty());
  }
  septran::local<float, 1> x(4);
  {
    septran::checked::task_scope task("half", {{"x", x, privilege::write}});
    x(0) = 1;
  }
  EXPECT_EQ(float(x(0)), 1);
  EXPECT_TRUE(failures.empty());
  static_cast<void>(float(x(1)));
  EXPECT_EQ(failures.size(), 1u);
}

TEST_F(Checked, WriteOnlyInPlace) {
  // Arguments of one launch may be the same tensor; then reading it as the other is fine.
  septran::checked::task_scope task("square",
                                    {{"out", A, privilege::write}, {"in", matrix<const float>(A)}});
  A(0, 0) = A(0, 1) * A(0, 1);
  EXPECT_TRUE(failures.empty());
}

TEST_F(Checked, HalvesOfAMatrixShareNothing) {
  const auto halves = septran::partition(A, {8, 4});
  const matrix<float> left = halves(0, 0), right = halves(0, 1);
  septran::checked::task_scope task(
      "copy_half", {{"right", right, privilege::write}, {"left", matrix<const float>(left)}});
  right(7, 3) = left(7, 3);
  EXPECT_TRUE(failures.empty());
  static_cast<void>(float(right(0, 0)));
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].broken, rule::unwritten);
  left(0, 0) = 1;
  ASSERT_EQ(failures.size(), 2u);
  EXPECT_EQ(failures[1].broken, rule::privilege);
}

TEST_F(Checked, PointersMayHaveWritten) {
  septran::local<float, 1> x(4);
  septran::checked::task_scope task("opaque", {{"A", A, privilege::write}});
  float *p = A.data();
  p[9] = 5;
  EXPECT_EQ(float(A(1, 1)), 5);
  std::fill_n(tensor<float, 1>(x).data(), 4, 2.0f);
  EXPECT_EQ(float(x(3)), 2);
  EXPECT_TRUE(failures.empty());
}

// --- privilege

template <class T> [[septran::leaf]] void increment(matrix<T> x) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j)
      x(i, j) += 1;
}

TEST_F(Checked, WriteThroughReadPrivilege) {
  septran::checked::task_scope task("outer");
  task.argument("A", A, privilege::read);
  const auto block = septran::partition(A, {2, 2})(3, 3);
  increment(block);
  expect(rule::privilege, "increment", "x", {0, 0}, 0);
  EXPECT_NE(failures[0].message.find("task 'outer' may only read 'A' [septran-read-privilege]"),
            std::string::npos);
  EXPECT_EQ(a[63], 0);
}

TEST_F(Checked, CalleesMayNotWriteWhatACallerMayOnlyRead) {
  septran::checked::task_scope outer("outer");
  outer.argument("A", A, privilege::read);
  {
    septran::checked::task_scope inner("inner");
    inner.argument("X", A, privilege::read_write);
    A(0, 0) = 1;
  }
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].broken, rule::privilege);
}

TEST_F(Checked, AliasThatMayBeWrittenIsWritten) {
  septran::checked::task_scope task("in_place");
  task.argument("in", A, privilege::read);
  task.argument("out", A, privilege::read_write);
  increment(A);
  EXPECT_TRUE(failures.empty());
}

TEST_F(Checked, ACastReferenceWrites) {
  const matrix<const float> in = A;
  {
    septran::checked::task_scope outer("outer", {{"in", in}, {"B", B}});
    septran::checked::task_scope inner("inner", {{"x", in}, {"y", B}});
    B(0, 0) = in(0, 1);
    const_cast<float &>(in(0, 1)) = 2;
    B(0, 1) = in(0, 2);
  }
  expect(rule::privilege, "TestBody", "in", {0, 1}, __LINE__ - 3);
  EXPECT_NE(failures[0].message.find("task 'inner' may only read 'x'"), std::string::npos);
  EXPECT_EQ(failures.size(), 1u);
  EXPECT_EQ(a[1], 0);                // undone
  const_cast<float &>(in(0, 1)) = 2; // outside all tasks
  B(0, 0) = in(0, 1);
  EXPECT_EQ(failures.size(), 1u);
}

constexpr int pointer_scope_line = __LINE__ + 2;
void writes_by_pointer(matrix<const float> in) {
  septran::checked::task_scope task("writes_by_pointer", {{"in", in}});
  const_cast<float *>(in.data())[1] = 1;
}

TEST_F(Checked, APointerWrites) {
  const matrix<const float> flipped = septran::transpose(A);
  {
    septran::checked::task_scope outer("outer", {{"flipped", flipped}});
    writes_by_pointer(flipped);
  }
  expect(rule::privilege, "writes_by_pointer", "in", {1, 0}, pointer_scope_line);
  EXPECT_EQ(failures.size(), 1u);
  EXPECT_EQ(a[1], 0);
}

TEST_F(Checked, LargeArgumentsAreWatchedByTheOutermostTask) {
  std::vector<float> data(100 * 100);
  const matrix<const float> in(data.data(), {100, 100});
  {
    septran::checked::task_scope outer("outer", {{"in", in}});
    writes_by_pointer(in);
    EXPECT_TRUE(failures.empty());
  }
  expect(rule::privilege, "outer", "in", {0, 1}, __LINE__ - 4);
}

TEST_F(Checked, WhatIsNoTensorIsNoArgument) {
  const float factor = 2;
  septran::checked::task_scope task("scale", {{"x", A}, {"factor", factor}});
  A(0, 0) *= factor;
  EXPECT_TRUE(failures.empty());
}

TEST_F(Checked, AHandlerMayThrowAtTheEndOfATask) {
  septran::checked::set_handler([](const failure &f) { throw std::runtime_error(f.message); });
  EXPECT_THROW(writes_by_pointer(A), std::runtime_error);
  EXPECT_THROW(
      {
        septran::checked::task_scope task("outer", {{"A", matrix<const float>(A)}});
        const_cast<float *>(&a[0])[3] = 1; // not looked at: an exception is on its way
        A(9, 9) = 1;
      },
      std::runtime_error);
  A(0, 0) = 1; // no task is left open
}

// --- overlap

TEST_F(Checked, TwoIterationsWriteOneElement) {
  for (auto [i] : septran::parallel(4))
    V(i / 2) = 1;
  expect(rule::overlap, "TestBody", "V", {0}, __LINE__ - 1);
  EXPECT_NE(failures[0].message.find("another iteration of the same parallel loop wrote at"),
            std::string::npos);
}

TEST_F(Checked, OneIterationReadsWhatAnotherWrote) {
  for (auto [i] : septran::parallel(4))
    V(i) = i == 3 ? V(0) : 1.0f;
  expect(rule::overlap, "TestBody", "V", {0}, __LINE__ - 1);
}

TEST_F(Checked, OneIterationWritesWhatAnotherRead) {
  const vector<const float> reader = V;
  for (auto [i] : septran::parallel(4)) {
    const float first = reader(3);
    if (i == 3)
      V(3) = first;
  }
  expect(rule::overlap, "TestBody", "V", {3}, __LINE__ - 2);
}

TEST_F(Checked, ParallelReductionLoopWithoutThePrivilege) {
  const auto gemm = [](auto c, auto x, auto y) {
    for (int i = 0; i < c.extent(0); ++i)
      for (int j = 0; j < c.extent(1); ++j)
        for (int k = 0; k < x.extent(1); ++k)
          c(i, j) += x(i, k) * y(k, j);
  };
  std::vector<float> product(64);
  const matrix<float> C(product.data(), {8, 8});
  const auto left = septran::partition(A, {8, 4}), right = septran::partition(B, {4, 8});
  for (auto [k] : septran::parallel(2))
    gemm(C, left(0, k), right(k, 0));
  expect(rule::overlap, "operator()", "c", {0, 0}, 0);
}

template <class T>
[[septran::leaf]] void sum_leaf([[septran::reduce("+")]] vector<T> total, vector<const T> x) {
  for (int i = 0; i < x.extent(0); ++i)
    total(0) += x(i);
}

template <class T>
[[septran::leaf]] void peak_leaf([[septran::reduce("max")]] vector<T> peak, vector<const T> x) {
  for (int i = 0; i < x.extent(0); ++i)
    peak(0) = std::max(peak(0), x(i));
}

TEST_F(Checked, ReductionsMayBeShared) {
  float result[2] = {};
  const vector<float> total(result, {1}), peak(result + 1, {1});
  for (int i = 0; i < 64; ++i)
    a[i] = float(i % 9);
  const auto blocks = septran::partition(V, {10});
  for (auto [i] : septran::parallel(blocks.shape())) {
    sum_leaf(total, blocks(i));
    peak_leaf(peak, blocks(i));
  }
  EXPECT_TRUE(failures.empty()) << failures[0].message;
  EXPECT_EQ(result[1], 8);
}

TEST_F(Checked, DeclaredReductionsMayBeShared) {
  septran::checked::task_scope task("sum");
  float total = 0;
  const vector<float> T(&total, {1});
  task.argument("T", T, privilege::reduce);
  for (auto [i] : septran::parallel(4))
    T(0) += float(i);
  EXPECT_TRUE(failures.empty());
  EXPECT_EQ(total, 6);
}

TEST_F(Checked, NestedLoopsOverlapAcrossTheOuterOne) {
  // Within one outer iteration the inner writes are apart; two outer iterations share them.
  for (auto [i] : septran::parallel(2))
    for (auto [j] : septran::parallel(4))
      V(j) = float(i);
  expect(rule::overlap, "TestBody", "V", {0}, __LINE__ - 1);
}

TEST_F(Checked, WhatALoopWroteMayBeReadAfterIt) {
  for (auto [i] : septran::parallel(2)) {
    const auto mine = septran::partition(V, {32})(i);
    for (auto [j] : septran::parallel(32))
      mine(j) = 1;
    for (auto [j] : septran::parallel(32))
      mine(j) += mine(31 - j) * 0; // reads what the loop before wrote: fine; and itself: not
  }
  ASSERT_FALSE(failures.empty());
  failures.clear();
  septran::checked::reset();
  for (auto [i] : septran::parallel(2)) {
    const auto mine = septran::partition(V, {32})(i);
    const auto other = septran::partition(septran::reshape(B, {64}), {32})(i);
    for (auto [j] : septran::parallel(32))
      mine(j) = 1;
    for (auto [j] : septran::parallel(32))
      other(j) = mine(31 - j);
  }
  for (auto [i] : septran::parallel(64))
    V(63 - i) = b[i];
  EXPECT_TRUE(failures.empty()) << failures[0].message;
}

TEST_F(Checked, ABreakLeavesTheLoop) {
  for (auto [i] : septran::parallel(4)) {
    V(0) = 1;
    if (i == 0)
      break;
  }
  V(0) = 2;
  for (auto [i] : septran::parallel(1))
    V(0) = 3 + float(i);
  EXPECT_TRUE(failures.empty());
}

TEST_F(Checked, LocalsOfIterationsAreTheirOwn) {
  for (auto [i] : septran::parallel(4)) {
    septran::local<float, 1> x(8);
    septran::fill(x, float(i));
    V(i) = x(7);
  }
  EXPECT_TRUE(failures.empty());
}

// --- references to elements behave like references

TEST_F(Checked, ElementsReadAndWriteLikeReferences) {
  A(0, 0) = 3;
  const auto before = A(0, 0);
  A(0, 0) = 4;
  EXPECT_EQ(float(before), 3);
  auto copy = A(0, 0);
  copy += 1;
  EXPECT_EQ(a[0], 4);
  EXPECT_EQ(float(copy), 5);
  float &reference = A(0, 0);
  reference = 6;
  EXPECT_EQ(float(A(0, 0)), 6);
  A(0, 1) = A(0, 2) = 7;
  EXPECT_EQ(a[1], 7);
  EXPECT_EQ(a[2], 7);
  const float larger = std::max(A(0, 0), 6.5f), smaller = std::min(2.0f, A(0, 1));
  EXPECT_EQ(larger, 6.5f);
  EXPECT_EQ(smaller, 2.0f);
  EXPECT_EQ(A(0, 0) > 5 ? A(0, 0) : 1.0f, 6.0f);
  EXPECT_EQ(-A(0, 0) + A(0, 1) * 2 / A(0, 2), -4.0f);
  EXPECT_EQ(*&A(0, 1), 7);
  int counts[2] = {};
  const vector<int> histogram(counts, {2});
  histogram(1)++;
  ++histogram(1);
  histogram(0) |= 5;
  histogram(0) <<= 1;
  EXPECT_EQ(counts[1], 2);
  EXPECT_EQ(counts[0], 10);
  EXPECT_TRUE(failures.empty());
}

TEST_F(Checked, SmallFloatsComputeAsInThePlainProgram) {
  float16 data[4] = {1, 2, 3, 2048};
  const vector<float16> H(data, {4});
  H(0) = H(3) + H(0); // 2049 is not a float16
  EXPECT_EQ(float(H(0)), 2048);
  const float wide = H(3) + 1.0f;
  EXPECT_EQ(wide, 2049);
  H(1) += H(2);
  H(2) = -H(1) * 0.5;
  EXPECT_EQ(float(data[1]), 5);
  EXPECT_EQ(float(data[2]), -2.5f);
  const float16 direct(H(1));
  A(0, 0) = H(2);
  H(0) = A(0, 0);
  EXPECT_EQ(float(direct), 5);
  EXPECT_EQ(float(data[0]), -2.5f);
  EXPECT_LT(H(0), H(1));
  EXPECT_TRUE(failures.empty());
}

TEST_F(Checked, NamesOfMemory) {
  septran::checked::name(A, "weights");
  const auto block = septran::partition(A, {4, 4})(1, 1);
  block(0, 4) = 1;
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_NE(failures[0].message.find("(part of 'weights')"), std::string::npos);
}

TEST_F(Checked, AHandlerMayThrow) {
  septran::checked::set_handler([](const failure &f) { throw std::runtime_error(f.message); });
  for (int repeat = 0; repeat < 2; ++repeat)
    EXPECT_THROW(
        {
          for (auto [i] : septran::parallel(4))
            V(0 * i) = 1;
        },
        std::runtime_error);
  V(0) = 1;
}

using CheckedDeathTest = Checked;

TEST_F(CheckedDeathTest, PrintsAndAborts) {
  septran::checked::set_handler(nullptr);
  const auto write = [](auto x) {
    x(8, 0) = 1; // in a macro the column would be the macro's
  };
  EXPECT_DEATH(write(A), "CheckedTest.cpp:[0-9]+: error: task 'operator..' uses element .8, 0. of "
                         "'x', outside its extents .8, 8. .septran-out-of-bounds.");
}

} // namespace
