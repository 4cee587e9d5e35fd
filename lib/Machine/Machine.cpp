//===- Machine/Machine.cpp - Look-ups and spellings -------------*- C++ -*-===//
#include "Machine/Machine.h"
#include "Machine/Spellings.h"

#include <algorithm>

namespace septran::compiler {

namespace {

template <class T> const T *findByName(const std::vector<T> &Items, std::string_view Name) {
  for (const T &Item : Items)
    if (Item.Name.Value == Name)
      return &Item;
  return nullptr;
}

template <class T> std::vector<std::string> namesOf(const std::vector<T> &Items) {
  std::vector<std::string> Names;
  for (const T &Item : Items)
    Names.push_back(Item.Name.Value);
  return Names;
}

bool contains(const std::vector<LocatedName> &Names, std::string_view Name) {
  return std::any_of(Names.begin(), Names.end(),
                     [&](const LocatedName &N) { return N.Value == Name; });
}

} // namespace

bool Memory::readableBy(std::string_view Level) const { return contains(Readers, Level); }
bool Memory::writableBy(std::string_view Level) const { return contains(Writers, Level); }

const Operand *Primitive::findOperand(std::string_view OperandName) const {
  return findByName(Operands, OperandName);
}

const Processor *Machine::findProcessor(std::string_view Level) const {
  return findByName(Processors, Level);
}
const Memory *Machine::findMemory(std::string_view MemoryName) const {
  return findByName(Memories, MemoryName);
}
const Primitive *Machine::findPrimitive(std::string_view PrimitiveName) const {
  return findByName(Primitives, PrimitiveName);
}

const State *Machine::findState(std::string_view StateName) const {
  return findByName(States, StateName);
}
const Sync *Machine::findSync(std::string_view SyncName) const {
  return findByName(Syncs, SyncName);
}
const Copy *Machine::findCopy(std::string_view From, std::string_view To) const {
  auto It = std::find_if(Copies.begin(), Copies.end(), [&](const Copy &C) {
    return C.From.Value == From && C.To.Value == To;
  });
  return It == Copies.end() ? nullptr : &*It;
}

const Sync *Machine::copyGroups() const {
  auto It = std::find_if(Syncs.begin(), Syncs.end(),
                         [](const Sync &S) { return S.K.Value == Sync::Kind::Group; });
  return It == Syncs.end() ? nullptr : &*It;
}

bool Machine::hasScratchpads() const {
  return std::any_of(Memories.begin(), Memories.end(),
                     [](const Memory &M) { return !M.Address.Value.empty(); });
}

std::optional<size_t> Machine::depthOf(std::string_view Level) const {
  const Processor *P = findProcessor(Level);
  if (!P)
    return std::nullopt;
  return static_cast<size_t>(P - Processors.data());
}

std::vector<std::string> Machine::processorNames() const { return namesOf(Processors); }
std::vector<std::string> Machine::memoryNames() const { return namesOf(Memories); }
std::vector<std::string> Machine::primitiveNames() const { return namesOf(Primitives); }

std::string toString(OutputLanguage L) { return spell(LanguageSpellings, L); }
std::string toString(Processor::Spread S) { return spell(SpreadSpellings, S); }
std::string toString(Memory::Initial I) { return spell(InitialSpellings, I); }
std::string toString(Primitive::Partial P) { return spell(PartialSpellings, P); }
std::string toString(Sync::Kind K) { return spell(SyncSpellings, K); }

} // namespace septran::compiler
