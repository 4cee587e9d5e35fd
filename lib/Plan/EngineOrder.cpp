//===- EngineOrder.cpp - which engine knows what another has done ---------===//
#include "Plan/EngineOrder.h"

#include "Support/StableSort.h"

#include <algorithm>

namespace septran::compiler {

void EngineOrder::access(const TensorRef &T, unsigned Engine, bool Write) {
  Seen &S = Accesses[{T, Engine, Write}];
  S.Age = ++Now;
  S.Unaware.clear();
  if (Program == Engine)
    return; // done before the next command is given
  for (unsigned E = 0; E < Engines; ++E)
    if (E != Engine)
      S.Unaware.insert(E);
}

void EngineOrder::order(unsigned From, unsigned To) {
  for (auto &[K, S] : Accesses)
    if (K.Engine == From || !S.Unaware.count(From)) {
      S.Unaware.erase(To);
      if (Program == To) // and nothing is given before it goes on
        S.Unaware.clear();
    }
}

void EngineOrder::orderOne(const TensorRef &T, unsigned From, unsigned To) {
  for (bool Write : {false, true})
    if (auto It = Accesses.find({T, From, Write}); It != Accesses.end())
      It->second.Unaware.erase(To);
}

void EngineOrder::orderAll(unsigned Engine) {
  for (auto &[K, S] : Accesses) {
    S.Unaware.erase(Engine);
    if (Program == Engine)
      S.Unaware.clear();
  }
}

std::vector<EngineOrder::Key> EngineOrder::missing(const std::vector<TensorRef> &Tensors,
                                                   unsigned To, bool Write) const {
  std::vector<std::pair<unsigned, Key>> Found;
  for (const auto &[K, S] : Accesses)
    if ((K.Write || Write) && S.Unaware.count(To) &&
        std::find(Tensors.begin(), Tensors.end(), K.T) != Tensors.end())
      Found.push_back({S.Age, K});
  stableSort(Found, [](const auto &A, const auto &B) {
    return A.first != B.first ? A.first > B.first : A.second.Engine < B.second.Engine;
  });
  std::vector<Key> Result;
  for (auto &[Age, K] : Found)
    Result.push_back(K);
  return Result;
}

std::vector<unsigned> EngineOrder::unknownTo(unsigned To) const {
  EngineSet Found;
  for (const auto &[K, S] : Accesses)
    if (S.Unaware.count(To))
      Found.insert(K.Engine);
  return {Found.begin(), Found.end()};
}

bool EngineOrder::join(const EngineOrder &Other) {
  bool Grown = false;
  for (const auto &[K, S] : Other.Accesses) {
    auto [It, New] = Accesses.try_emplace(K, S);
    Grown |= New;
    It->second.Age = std::max(It->second.Age, S.Age);
    for (unsigned E : S.Unaware)
      Grown |= It->second.Unaware.insert(E).second;
  }
  Now = std::max(Now, Other.Now);
  return Grown;
}

} // namespace septran::compiler
