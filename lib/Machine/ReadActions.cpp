//===- Machine/ReadActions.cpp - Copies, primitives, state, sync -*- C++ -*-===//
#include "Machine/ReadParts.h"
#include "Machine/Spellings.h"

namespace septran::compiler {

void readCopies(const YamlNode &N, Machine &M, Diagnostics &D) {
  forEachEntry(N, "copies", D, [&](YamlMap &Map, const YamlEntry &E) {
    Copy C;
    C.Name = E.Key;
    Map.readRequired("from", C.From, memoryReader(M));
    Map.readRequired("to", C.To, memoryReader(M));
    Map.readRequired("processor", C.Processor, processorReader(M));
    Map.read("max_rank", C.MaxRank, quantityReader(M, 1, 64));
    Map.readNamed("max_shape", C.MaxShape, quantityReader(M, 1));
    Map.read("max_stride", C.MaxStride, quantityReader(M, 1));
    Map.read("alignment", C.Alignment, quantityReader(M, 1));
    Map.readList("bytes", C.Bytes, quantityReader(M, 1));
    Map.read("converts", C.Converts, readBool);
    Map.read("async", C.Async, readBool);
    Map.read("engine", C.Engine, readIdentifier);
    Map.read("call", C.Call, readString);
    Map.read("border", C.Border, readString);
    M.Copies.push_back(std::move(C));
  });
}

void readStates(const YamlNode &N, Machine &M, Diagnostics &D) {
  forEachEntry(N, "state", D, [&](YamlMap &Map, const YamlEntry &E) {
    State S;
    S.Name = E.Key;
    Map.readList("fields", S.Fields, readIdentifier);
    Map.readRequired("set", S.Set, readString);
    Map.readList("stale_after", S.StaleAfter, readIdentifier);
    M.States.push_back(std::move(S));
  });
}

namespace {

std::optional<SizeRange> readSizeRange(const YamlNode &N, std::string_view What, Diagnostics &D) {
  YamlMap Map(N, "'" + std::string(What) + "'", D);
  if (!Map.isMap())
    return std::nullopt;
  constexpr int64_t Most = int64_t(1) << 32;
  Located<int64_t> Min, Max(SizeRange::Unlimited), Step(1);
  bool Good = Map.readRequired("min", Min, integerReader(0, Most));
  Map.read("max", Max, integerReader(1, Most));
  Map.read("step", Step, integerReader(1, Most));
  Map.finish();
  if (!Good)
    return std::nullopt;
  if (Max.Value < Min.Value) {
    D.report(DiagID::IntegerRange, Max.Loc, "max", Min.Value, Most, std::to_string(Max.Value));
    return std::nullopt;
  }
  return SizeRange{Min.Value, Max.Value, Step.Value};
}

/// An integer, a parameter of the machine or one of the primitive's sizes.
auto operandExtentReader(const Machine &M, const Primitive &P) {
  return [&M, &P](const YamlNode &N, std::string_view What,
                  Diagnostics &D) -> std::optional<OperandExtent> {
    if (N.isScalar() && P.Sizes.find(N.Text))
      return OperandExtent{N.Text, 0};
    if (N.isScalar() && isIdentifier(N.Text) && !M.Parameters.find(N.Text)) {
      std::vector<std::string> Names = P.Sizes.names();
      for (std::string &Parameter : M.Parameters.names())
        Names.push_back(std::move(Parameter));
      reportUnknownValue(N, What, Names, D);
      return std::nullopt;
    }
    std::optional<int64_t> Value = quantityReader(M, 1, int64_t(1) << 32)(N, What, D);
    return Value ? std::optional(OperandExtent{{}, *Value}) : std::nullopt;
  };
}

void readOperands(const YamlNode &N, const Machine &M, Primitive &P, Diagnostics &D) {
  forEachEntry(N, "operands", D, [&](YamlMap &Map, const YamlEntry &E) {
    Operand O;
    O.Name = E.Key;
    Map.readRequired("dtype", O.DType, readString);
    Map.readList("shape", O.Shape, operandExtentReader(M, P));
    Map.read("memory", O.Memory, memoryReader(M));
    Map.read("layout", O.Layout, readString);
    P.Operands.push_back(std::move(O));
  });
}

void readCycles(const YamlNode &N, Primitive &P, Diagnostics &D) {
  YamlMap Map(N, "'cycles'", D);
  if (!Map.isMap())
    return;
  constexpr int64_t Most = int64_t(1) << 32;
  Map.read("start", P.Start, integerReader(0, Most));
  Map.readRequired("rate", P.Rate, integerReader(1, Most));
  Map.finish();
}

std::vector<std::string> stateNames(const Machine &M) {
  std::vector<std::string> Names;
  for (const State &S : M.States)
    Names.push_back(S.Name.Value);
  return Names;
}

} // namespace

void readPrimitives(const YamlNode &N, Machine &M, Diagnostics &D) {
  forEachEntry(N, "primitives", D, [&](YamlMap &Map, const YamlEntry &E) {
    Primitive P;
    P.Name = E.Key;
    Map.readRequired("processor", P.Processor, processorReader(M));
    Map.readNamed("sizes", P.Sizes, readSizeRange);
    if (const YamlEntry *Operands = Map.require("operands"))
      readOperands(*Operands->Value, M, P, D);
    Map.readRequired("semantics", P.Semantics, readString);
    Map.read("engine", P.Engine, readIdentifier);
    Map.read("init", P.Init, readString);
    Map.readRequired("emit", P.Emit, readString);
    Map.read("drain", P.Drain, readString);
    Map.read("partial", P.PartialRule, enumReader(PartialSpellings));
    Map.read("multiplicand_bits", P.MultiplicandBits, quantityReader(M, 1, 64));
    Map.read("flushes_subnormals", P.FlushesSubnormals, readBool);
    if (const YamlEntry *Cycles = Map.take("cycles"))
      readCycles(*Cycles->Value, P, D);
    Map.readList("headers", P.Headers, readString);
    Map.readList("requires", P.Requires, oneOfReader(stateNames(M)));
    M.Primitives.push_back(std::move(P));
  });
}

void readSyncs(const YamlNode &N, Machine &M, Diagnostics &D) {
  // What can be ordered: the contents of memories and the actions of engines.
  std::vector<std::string> Ordered = M.memoryNames();
  for (const Copy &C : M.Copies)
    if (!C.Engine.Value.empty())
      Ordered.push_back(C.Engine.Value);
  for (const Primitive &P : M.Primitives)
    if (!P.Engine.Value.empty())
      Ordered.push_back(P.Engine.Value);
  for (const Processor &P : M.Processors)
    if (!P.Engine.Value.empty())
      Ordered.push_back(P.Engine.Value);
  forEachEntry(N, "sync", D, [&](YamlMap &Map, const YamlEntry &E) {
    Sync S;
    S.Name = E.Key;
    Map.readRequired("kind", S.K, enumReader(SyncSpellings));
    Map.read("record", S.Record, readString);
    Map.read("wait", S.Wait, readString);
    Map.read("count", S.Count, quantityReader(M, 1));
    Map.readList("orders", S.Orders, oneOfReader(Ordered));
    Map.read("implied", S.Implied, readString);
    M.Syncs.push_back(std::move(S));
  });
}

} // namespace septran::compiler
