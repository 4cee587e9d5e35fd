//===- Machine/ReadResources.cpp - Header, processors, memories -*- C++ -*-===//
#include "Machine/ReadParts.h"
#include "Machine/Spellings.h"

namespace septran::compiler {

void readHeader(const YamlNode &N, Machine &M, Diagnostics &D) {
  YamlMap Map(N, "'machine'", D);
  if (!Map.isMap())
    return;
  Map.readRequired("name", M.Name, readString);
  Map.read("vendor", M.Vendor, readString);
  Map.readRequired("language", M.Language, enumReader(LanguageSpellings));
  if (const YamlEntry *E = Map.take("provenance")) {
    YamlMap Provenance(*E->Value, "'provenance'", D);
    Provenance.readList("sources", M.Provenance.Sources, readString);
    Provenance.read("version", M.Provenance.Version, readString);
    Provenance.finish();
  }
  Map.readNamed("parameters", M.Parameters, integerReader(0));
  Map.finish();
}

void readToolchain(const YamlNode &N, Machine &M, Diagnostics &D) {
  YamlMap Map(N, "'toolchain'", D);
  if (!Map.isMap())
    return;
  Toolchain &T = M.Toolchain;
  Map.readList("includes", T.Includes, readString);
  Map.read("prologue", T.Prologue, readString);
  Map.readList("flags", T.Flags, readString);
  Map.readList("compile", T.Compile, readString);
  Map.readList("run", T.Run, readString);
  Map.readList("requires", T.Requires, readString);
  Map.finish();
}

void readProcessors(const YamlNode &N, Machine &M, Diagnostics &D) {
  forEachEntry(N, "processors", D, [&](YamlMap &Map, const YamlEntry &E) {
    Processor P;
    P.Name = E.Key;
    const YamlEntry *Count = Map.require("count");
    // `runtime`: as many as the program finds, such as the threads of an OpenMP team.
    if (Count && !(Count->Value->isScalar() && Count->Value->Text == "runtime"))
      if (auto Value = readValue(*Count->Value, "count", D, quantityReader(M, 1)))
        P.Count = Located<int64_t>(*Value, Count->Value->Loc);
    Map.readRequired("spread", P.LoopSpread, enumReader(SpreadSpellings));
    Map.read("index", P.Index, readString);
    Map.read("barrier", P.Barrier, readString);
    Map.read("launch", P.Launch, readString);
    Map.read("join", P.Join, readString);
    Map.read("engine", P.Engine, readIdentifier);
    M.Processors.push_back(std::move(P));
  });
  if (N.isMap() && N.Tag.empty() && N.Entries.empty())
    D.report(DiagID::EmptyValue, N.Loc, "processors");
}

namespace {

/// `{count:, bytes:}`, as banks and register files have.
template <class T> auto countAndBytesReader(const Machine &M) {
  return [&M](const YamlNode &N, std::string_view What, Diagnostics &D) -> std::optional<T> {
    YamlMap Map(N, "'" + std::string(What) + "'", D);
    if (!Map.isMap())
      return std::nullopt;
    Located<int64_t> Count, Bytes;
    bool Good = Map.readRequired("count", Count, quantityReader(M, 1));
    Good &= Map.readRequired("bytes", Bytes, quantityReader(M, 1));
    Map.finish();
    return Good ? std::optional(T{Count.Value, Bytes.Value}) : std::nullopt;
  };
}

std::optional<int64_t> readPowerOfTwo(const Machine &M, const YamlNode &N, std::string_view What,
                                      Diagnostics &D) {
  std::optional<int64_t> Value = quantityReader(M, 1, int64_t(1) << 32)(N, What, D);
  if (Value && (*Value & (*Value - 1)) != 0) {
    reportAt(N, D, DiagID::WrongType, What, "a power of two", describe(N));
    return std::nullopt;
  }
  return Value;
}

} // namespace

void readMemories(const YamlNode &N, Machine &M, Diagnostics &D) {
  auto PowerOfTwo = [&M](const YamlNode &Value, std::string_view What, Diagnostics &Diags) {
    return readPowerOfTwo(M, Value, What, Diags);
  };
  forEachEntry(N, "memories", D, [&](YamlMap &Map, const YamlEntry &E) {
    Memory X;
    X.Name = E.Key;
    Map.readRequired("owner", X.Owner, processorReader(M));
    const YamlEntry *Capacity = Map.require("capacity");
    if (Capacity && !(Capacity->Value->isScalar() && Capacity->Value->Text == "unlimited"))
      if (auto Value = readValue(*Capacity->Value, "capacity", D, quantityReader(M, 1)))
        X.Capacity = Located<int64_t>(*Value, Capacity->Value->Loc);
    Map.read("granule", X.Granule, PowerOfTwo);
    Map.read("alignment", X.Alignment, PowerOfTwo);
    Map.read("banks", X.Banks, countAndBytesReader<BankLayout>(M));
    Map.read("registers", X.Registers, countAndBytesReader<RegisterFile>(M));
    Map.readList("readers", X.Readers, processorReader(M));
    Map.readList("writers", X.Writers, processorReader(M));
    Map.read("initial", X.InitialState, enumReader(InitialSpellings));
    Map.read("declare", X.Declare, readString);
    Map.read("allocate", X.Allocate, readString);
    Map.read("free", X.Free, readString);
    Map.read("address", X.Address, readString);
    Map.read("read", X.Read, readString);
    Map.read("write", X.Write, readString);
    Map.read("attach", X.Attach, readString);
    M.Memories.push_back(std::move(X));
  });
  if (N.isMap() && N.Tag.empty() && N.Entries.empty())
    D.report(DiagID::EmptyValue, N.Loc, "memories");
}

} // namespace septran::compiler
