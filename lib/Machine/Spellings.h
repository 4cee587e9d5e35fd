//===- Machine/Spellings.h - Words of the machine file ----------*- C++ -*-===//
//
// One table per enumeration. Private to lib/Machine.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_MACHINE_SPELLINGS_H
#define SEPTRAN_MACHINE_SPELLINGS_H

#include "Machine/Machine.h"
#include "Support/YamlReader.h"

namespace septran::compiler {

inline constexpr Spelling<OutputLanguage> LanguageSpellings[] = {
    {"c++", OutputLanguage::Cxx}, {"cuda", OutputLanguage::Cuda}, {"hip", OutputLanguage::Hip},
    {"c", OutputLanguage::C},     {"asm", OutputLanguage::Asm},
};

inline constexpr Spelling<Processor::Spread> SpreadSpellings[] = {
    {"sequential", Processor::Spread::Sequential}, {"team", Processor::Spread::Team},
    {"lanes", Processor::Spread::Lanes},           {"grid", Processor::Spread::Grid},
    {"group", Processor::Spread::Group},
};

inline constexpr Spelling<Memory::Initial> InitialSpellings[] = {
    {"undefined", Memory::Initial::Undefined},
    {"zero", Memory::Initial::Zero},
    {"preserved", Memory::Initial::Preserved},
};

inline constexpr Spelling<Primitive::Partial> PartialSpellings[] = {
    {"none", Primitive::Partial::None},
    {"pad", Primitive::Partial::Pad},
    {"mask", Primitive::Partial::Mask},
};

inline constexpr Spelling<Sync::Kind> SyncSpellings[] = {
    {"event", Sync::Kind::Event},
    {"token", Sync::Kind::Token},
    {"fence", Sync::Kind::Fence},
    {"barrier", Sync::Kind::Barrier},
    {"group", Sync::Kind::Group},
};

} // namespace septran::compiler

#endif // SEPTRAN_MACHINE_SPELLINGS_H
