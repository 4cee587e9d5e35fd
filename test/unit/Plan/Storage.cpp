//===- Storage.cpp - the tensors of the interpreter -----------------------===//
#include "Storage.h"

#include <functional>
#include <limits>
#include <numeric>

namespace septran::compiler {

std::int64_t countOf(const Index &Extents) {
  return std::accumulate(Extents.begin(), Extents.end(), std::int64_t(1), std::multiplies<>());
}

Index unlinear(std::int64_t N, const Index &Extents) {
  Index At(Extents.size());
  for (size_t D = Extents.size(); D > 0; --D) {
    At[D - 1] = N % Extents[D - 1];
    N /= Extents[D - 1];
  }
  return At;
}

namespace {

std::int64_t linear(const Index &At, const Index &Extents) {
  std::int64_t N = 0;
  for (size_t D = 0; D < At.size(); ++D)
    N = N * Extents[D] + At[D];
  return N;
}

std::int64_t valueOf(const Expr &E) {
  std::optional<std::int64_t> V = constantValue(E);
  if (!V)
    throw Failure("a layout whose strides do not follow from the extents");
  return *V;
}

size_t addressOf(const Values &V, const Index &At) {
  std::int64_t Address = 0;
  for (size_t D = 0; D < At.size(); ++D)
    Address += V.Splits[D]
                   ? At[D] / V.Splits[D] * V.PanelStrides[D] + At[D] % V.Splits[D] * V.Strides[D]
                   : At[D] * V.Strides[D];
  if (Address < 0 || Address >= std::int64_t(V.Elements.size()))
    throw Failure("a layout leaves its storage");
  return size_t(Address);
}

} // namespace

ValuesRef storage(Index Extents, const BufferLayout *Layout) {
  auto V = std::make_shared<Values>();
  std::vector<Expr> Sizes;
  for (std::int64_t E : Extents) {
    if (E < 0)
      throw Failure("a tensor with a negative extent");
    Sizes.push_back(intLit(E));
  }
  BufferLayout L = Layout ? *Layout : rowLayout(unsigned(Extents.size()));
  for (unsigned D = 0; D < Extents.size(); ++D) {
    V->Strides.push_back(valueOf(L.strideOf(D, Sizes)));
    V->PanelStrides.push_back(valueOf(L.panelStrideOf(D, Sizes)));
    V->Splits.push_back(L.splitOf(D));
  }
  size_t Size = countOf(Extents) ? size_t(valueOf(L.sizeOf(Sizes))) : 0;
  V->Elements.assign(Size, std::numeric_limits<double>::quiet_NaN());
  V->Written.assign(Size, false);
  V->Touches.resize(Size);
  V->Origins.assign(Extents.size(), 0);
  V->Extents = std::move(Extents);
  return V;
}

std::vector<double> elementsOf(const Values &Storage) {
  std::vector<double> Result;
  for (std::int64_t N = 0; N < countOf(Storage.Extents); ++N)
    Result.push_back(Storage.Elements[addressOf(Storage, unlinear(N, Storage.Extents))]);
  return Result;
}

Place locate(const ValuesRef &V, const Index &At, const std::string &Name) {
  for (size_t D = 0; D < At.size(); ++D)
    if (At[D] < 0 || At[D] >= V->Extents[D])
      throw Failure("index " + std::to_string(At[D]) + " leaves dimension " + std::to_string(D) +
                    " of '" + Name + "', which has " + std::to_string(V->Extents[D]));
  if (!V->Base)
    return {V.get(), addressOf(*V, At), 0};
  if (V->Reshaped)
    return locate(V->Base, unlinear(linear(At, V->Extents), V->Base->Extents), Name);
  Index Inner = V->Offsets;
  for (size_t D = 0; D < V->Dims.size(); ++D)
    if (V->Dims[D] >= 0)
      Inner[size_t(V->Dims[D])] += At[D];
  if (V->Filled)
    for (size_t D = 0; D < Inner.size(); ++D)
      if (Inner[D] < 0 || Inner[D] >= V->Base->Extents[D])
        return {nullptr, 0, V->Fill};
  return locate(V->Base, Inner, Name);
}

void SideBySide::touch(const Place &P, Kind K, UpdateOp Op, const std::string &Name) const {
  if (!P.In || P.In->Shared)
    return;
  for (size_t N = 0; N < Levels.size() && N < MaxTouchDepth; ++N) {
    Touch &T = P.In->Touches[P.At][N];
    const unsigned Me = Levels[N].Iteration;
    if (T.Loop != Levels[N].Loop)
      T = {Levels[N].Loop};
    auto Other = [Me](unsigned Who) { return Who != Touch::Nobody && Who != Me; };
    bool Conflict = Other(T.Writer);
    if (K != Kind::Read)
      Conflict |= Other(T.Reader);
    if (K != Kind::Reduce || Op != T.Op)
      Conflict |= Other(T.Reducer);
    if (Conflict)
      throw Failure("iterations that run side by side use the same element of '" + Name + "'");
    unsigned &Mine = K == Kind::Read ? T.Reader : K == Kind::Write ? T.Writer : T.Reducer;
    Mine = Other(Mine) ? Touch::Several : Me;
    if (K == Kind::Reduce)
      T.Op = Op;
  }
}

} // namespace septran::compiler
