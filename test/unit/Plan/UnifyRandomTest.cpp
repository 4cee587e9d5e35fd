// Whatever is bound computes what the leaf computes.
#include "UnifyBinding.h"

using namespace septran::compiler;

namespace {

/// Products of all kinds: loops in any order and direction, operands turned, batches around, and
/// primitives of any tile. Strange ones are often no products at all.
class RandomProduct {
  std::mt19937 Random;

  int below(int N) { return int(Random() % unsigned(N)); }
  template <class T> void shuffle(T &Items) {
    for (size_t I = Items.size(); I > 1; --I)
      std::swap(Items[I - 1], Items[size_t(below(int(I)))]);
  }

public:
  std::string Leaf, Primitive;
  std::vector<std::vector<std::int64_t>> Extents;

  RandomProduct(unsigned Seed, bool Strange) : Random(Seed) {
    const std::map<char, int> Trips = {
        {'b', 1 + below(3)}, {'i', 1 + below(9)}, {'j', 1 + below(9)}, {'k', 1 + below(9)}};
    std::map<char, std::string> Index;
    for (const auto &[V, N] : Trips)
      Index[V] = below(3) ? std::string(1, V) : std::to_string(N - 1) + " - " + V;
    auto Operand = [&](const std::string &Name, std::string Dims) {
      shuffle(Dims);
      std::vector<std::int64_t> Shape;
      std::string Text;
      for (char V : Dims) {
        const int Shift = below(4) ? 0 : 1 + below(2);
        const char Other = "bijk"[below(4)];
        std::string Walk = Index[V];
        int Length = Trips.at(V);
        switch (Strange ? below(24) : -1) {
        case 0:
          Walk += " + " + Index[Other];
          Length += Trips.at(Other);
          break;
        case 1:
          Walk = "2 * (" + Walk + ")";
          Length *= 2;
          break;
        case 2:
          Walk = Index[Other];
          Length = Trips.at(Other);
          break;
        case 3:
          Walk = "0";
          break;
        }
        Text += (Text.empty() ? "" : ", ") + Walk + (Shift ? " + " + std::to_string(Shift) : "");
        Shape.push_back(Length + Shift);
      }
      Extents.push_back(Shape);
      return Name + "(" + Text + ")";
    };
    const std::string C = Operand("C", "bij"), A = Operand("A", "bik"), B = Operand("B", "bkj");
    std::string Order = "bijk";
    shuffle(Order);
    for (char V : Order)
      Leaf += std::string("for (int ") + V + " = 0; " + V + " < " + std::to_string(Trips.at(V)) +
              "; ++" + V + ") ";
    const std::vector<std::string> Values = {A + " * " + B,          B + " * " + A,
                                             A + " + " + B,          "2 * (" + A + " * " + B + ")",
                                             A + " * " + B + " * i", A + " * " + A};
    const std::vector<std::string> Updates = {" += ", " -= ", " = ", " *= "};
    Leaf += C + Updates[size_t(Strange && below(6) == 0 ? below(4) : 0)] +
            Values[size_t(below(Strange && below(6) == 0 ? 6 : 2))] + ";";

    std::map<char, std::string> Size;
    std::string Sizes;
    for (char V : std::string("ijk")) {
      const int N = 1 + below(5);
      Size[V] = std::to_string(N);
      if (below(3))
        continue;
      Size[V] = std::string(1, char(std::toupper(V)));
      Sizes += (Sizes.empty() ? "" : ", ") + Size[V] + ": {min: " + std::to_string(N) +
               ", max: " + std::to_string(4 * N) + ", step: " + std::to_string(N) + "}";
    }
    auto Loop = [&](char V) {
      return std::string("for (int ") + V + " = 0; " + V + " < " + Size[V] + "; ++" + V + ") ";
    };
    Primitive = "p:\n"
                "  processor: VECTOR\n"
                "  sizes: {" +
                Sizes +
                "}\n"
                "  operands:\n"
                "    C: {dtype: float, shape: [" +
                Size['i'] + ", " + Size['j'] +
                "]}\n"
                "    A: {dtype: const float, shape: [" +
                Size['i'] + ", " + Size['k'] +
                "]}\n"
                "    B: {dtype: const float, shape: [" +
                Size['k'] + ", " + Size['j'] +
                "]}\n"
                "  semantics: " +
                Loop('i') + Loop('j') + Loop('k') +
                "C(i, j) += A(i, k) * B(k, j);\n"
                "  emit: \"p({C}, {C.stride0}, {C.stride1}, {A}, {A.stride0}, {A.stride1}, {B}, "
                "{B.stride0}, {B.stride1});\"\n"
                "  partial: " +
                (below(2) ? "pad\n" : "mask\n");
  }
};

/// How many of them are bound, after a look at what these compute.
int boundProducts(unsigned Count, bool Strange) {
  int Bound = 0;
  for (unsigned Seed = 0; Seed < Count; ++Seed) {
    RandomProduct P(Seed, Strange);
    Binding B({"C:f32:3 A:f32:3 B:f32:3", P.Leaf}, P.Primitive);
    if (!B.Result)
      continue;
    ++Bound;
    EXPECT_EQ(B.difference(P.Extents), "") << P.Leaf << "\n" << P.Primitive << B.text();
  }
  return Bound;
}

TEST(RandomProducts, AreBound) { EXPECT_EQ(boundProducts(100, false), 100); }

TEST(RandomProducts, StrangeOnesAreBoundOnlyIfTheyAre) {
  const int Bound = boundProducts(300, true);
  EXPECT_GT(Bound, 50);
  EXPECT_LT(Bound, 250);
}

} // namespace
