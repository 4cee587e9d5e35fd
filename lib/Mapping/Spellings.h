//===- Mapping/Spellings.h - Words of the mapping file ----------*- C++ -*-===//
//
// One table per enumeration, for reader and printer alike. Private to lib/Mapping.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_MAPPING_SPELLINGS_H
#define SEPTRAN_MAPPING_SPELLINGS_H

#include "Mapping/Mapping.h"
#include "Support/YamlReader.h"

namespace septran::compiler {

inline constexpr Spelling<Layout::Kind> LayoutSpellings[] = {
    {"row", Layout::Kind::Row},       {"column", Layout::Kind::Column},
    {"packed", Layout::Kind::Packed}, {"panels", Layout::Kind::Panels},
    {"pad", Layout::Kind::Pad},       {"swizzle", Layout::Kind::Swizzle},
};

inline constexpr Spelling<Order::Kind> OrderSpellings[] = {
    {"row", Order::Kind::Row},         {"column", Order::Kind::Column},
    {"grouped", Order::Kind::Grouped}, {"hilbert", Order::Kind::Hilbert},
    {"morton", Order::Kind::Morton},
};

inline constexpr Spelling<Parallelize::Schedule> ScheduleSpellings[] = {
    {"static", Parallelize::Schedule::Static},
    {"dynamic", Parallelize::Schedule::Dynamic},
    {"guided", Parallelize::Schedule::Guided},
};

inline constexpr Spelling<StoreKind> StoreSpellings[] = {
    {"cached", StoreKind::Cached},
    {"streaming", StoreKind::Streaming},
    {"by_size", StoreKind::BySize},
};

inline constexpr Spelling<TunePoint::Kind> TuneSpellings[] = {
    {"choice", TunePoint::Kind::Choice},
    {"range", TunePoint::Kind::Range},
    {"pow2", TunePoint::Kind::Pow2},
    {"bool", TunePoint::Kind::Bool},
};

} // namespace septran::compiler

#endif // SEPTRAN_MAPPING_SPELLINGS_H
