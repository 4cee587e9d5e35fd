//===- Machine/Machine.h - What a machine file says -------------*- C++ -*-===//
//
// Hardware as data: everything the compiler may assume about a target. The terms:
//
//   processor  a level of the hierarchy that runs instances (HOST, CORE, VECTOR; BLOCK, WARP, ...);
//              levels are ordered from the outermost to the innermost
//   memory     a place that tensors live in, owned by one processor level: each processor of that
//              level has its own
//   copy       a way to move a block between two memories
//   primitive  an instruction or library call with a stated meaning
//   state      sticky configuration that primitives and copies depend on
//   sync       a way to make one action wait for another
//
// Templates are text with {placeholders} that an emitter fills in; they are opaque here. A
// reference between parts (a memory's readers, a copy's ends) has been checked by the reader: the
// name exists. Legality and cost are kept apart: `Limits` forbid, `Cost` only guides.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_MACHINE_MACHINE_H
#define SEPTRAN_MACHINE_MACHINE_H

#include "Support/Located.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace septran::compiler {

enum class OutputLanguage { Cxx, Cuda, Hip, C, Asm };

/// Kernels and the host's code in one C++ source, which differ in names that headers know.
constexpr bool isGpuLanguage(OutputLanguage L) {
  return L == OutputLanguage::Cuda || L == OutputLanguage::Hip;
}

struct Provenance {
  std::vector<LocatedName> Sources; ///< documents, with section where that helps
  LocatedName Version;              ///< of the hardware or of its specification
  friend bool operator==(const Provenance &, const Provenance &) = default;
};

/// Commands are argument lists; no shell ever sees them. {input}, {output} and {flags} stand for
/// the generated file, the result and `Flags`.
struct Toolchain {
  std::vector<LocatedName> Includes; ///< as written after #include, with < > or quotes
  LocatedName Prologue;              ///< text before the first generated function
  std::vector<LocatedName> Flags;
  std::vector<LocatedName> Compile;
  std::vector<LocatedName> Run;
  std::vector<LocatedName> Requires; ///< programs and packages that must be installed
  friend bool operator==(const Toolchain &, const Toolchain &) = default;
};

struct Processor {
  /// How the iterations of a parallel loop reach the processors of this level.
  enum class Spread {
    Sequential, ///< one after the other on one processor
    Team,       ///< over threads that share memory (OpenMP)
    Lanes,      ///< over the lanes of vector instructions
    Grid,       ///< over independent processors started together, which cannot wait for each other
    Group,      ///< over the members of the enclosing processor, which can wait for each other
  };
  LocatedName Name;
  /// Processors of this level within one of the enclosing level; nothing if only known at run time.
  std::optional<Located<int64_t>> Count;
  Located<Spread> LoopSpread;
  LocatedName Index;   ///< template of the expression that reads a processor's own number
  LocatedName Barrier; ///< template of the statement at which all processors of a group meet
  /// Processors that are started: templates of what stands before and behind the code that each of
  /// them runs. Empty: a spread loop does it.
  LocatedName Launch, Join;
  LocatedName Engine; ///< what it is called in `sync` where it runs loops over elements itself
  friend bool operator==(const Processor &, const Processor &) = default;
};

struct RegisterFile {
  int64_t Count = 0;
  int64_t Bytes = 0; ///< of one register
  friend bool operator==(const RegisterFile &, const RegisterFile &) = default;
};

struct BankLayout {
  int64_t Count = 0;
  int64_t Bytes = 0; ///< width of one bank
  friend bool operator==(const BankLayout &, const BankLayout &) = default;
};

struct Memory {
  enum class Initial {
    Undefined, ///< contents are garbage until written
    Zero,      ///< zero when the program starts
    Preserved, ///< contents outlive the kernel: the caller's data
  };
  LocatedName Name;
  LocatedName Owner; ///< processor level of which each processor has one such memory
  /// Bytes of one such memory; nothing if it is unlimited for our purposes.
  std::optional<Located<int64_t>> Capacity;
  Located<int64_t> Granule{1};   ///< addressing unit in bytes
  Located<int64_t> Alignment{1}; ///< of a buffer's start, in bytes
  std::optional<Located<BankLayout>> Banks;
  std::optional<Located<RegisterFile>> Registers;
  std::vector<LocatedName> Readers; ///< processor levels
  std::vector<LocatedName> Writers;
  Located<Initial> InitialState;
  LocatedName Declare;  ///< template of a buffer's declaration
  LocatedName Allocate; ///< template of an allocation, where a declaration is not enough
  LocatedName Free;
  /// Memories of which C++ has no pointers: templates of the address of an element, and of how an
  /// element is read and written.
  LocatedName Address, Read, Write;
  LocatedName Attach; ///< of the caller's memory: template that makes a tensor known

  bool readableBy(std::string_view Level) const;
  bool writableBy(std::string_view Level) const;

  friend bool operator==(const Memory &, const Memory &) = default;
};

struct Copy {
  LocatedName Name;
  LocatedName From, To;  ///< memories
  LocatedName Processor; ///< level that issues it
  std::optional<Located<int64_t>> MaxRank;
  NamedList<int64_t> MaxShape; ///< dimension (from the innermost: d0, d1, ...) -> elements
  std::optional<Located<int64_t>> MaxStride; ///< bytes
  Located<int64_t> Alignment{1};             ///< bytes, both ends
  std::vector<Located<int64_t>> Bytes; ///< that one call moves; empty: rows of any length
  Located<bool> Converts;                    ///< may change the element type on the way
  Located<bool> Async;
  LocatedName Engine; ///< copies of one engine are ordered among themselves
  LocatedName Call;   ///< template
  LocatedName Border; ///< template of a copy that adds a border of a value; empty: there is none
  friend bool operator==(const Copy &, const Copy &) = default;
};

/// One extent of an operand: a number, or a symbol of the primitive's `sizes`.
struct OperandExtent {
  std::string Symbol; ///< empty for a number
  int64_t Value = 0;
  friend bool operator==(const OperandExtent &, const OperandExtent &) = default;
};

struct Operand {
  LocatedName Name;
  LocatedName DType; ///< C++ spelling of the element type
  std::vector<Located<OperandExtent>> Shape;
  LocatedName Memory;
  LocatedName Layout; ///< spelled as in a mapping's `layouts`; empty: row
  friend bool operator==(const Operand &, const Operand &) = default;
};

/// The values a symbolic extent may take.
struct SizeRange {
  static constexpr int64_t Unlimited = int64_t(1) << 62;
  int64_t Min = 1, Max = 1, Step = 1;
  friend bool operator==(const SizeRange &, const SizeRange &) = default;
};

struct Primitive {
  /// What happens to a block that is smaller than the operand.
  enum class Partial {
    None, ///< not possible: the block must fit exactly
    Pad,  ///< the operand is filled up with zeros
    Mask, ///< the primitive takes the real extents
  };
  LocatedName Name;
  LocatedName Processor; ///< level that executes it
  std::vector<Operand> Operands;
  NamedList<SizeRange> Sizes;
  /// The meaning: a loop nest over the operands, written as the body of a leaf would be.
  LocatedName Semantics;
  LocatedName Engine; ///< what runs it, where that is not the processor itself
  LocatedName Init, Emit, Drain; ///< templates: start an accumulator, the operation, read it out
  Located<Partial> PartialRule;
  /// The significant bits to which the factors of its products are rounded; 0: those of their type.
  Located<int64_t> MultiplicandBits{0};
  Located<bool> FlushesSubnormals{false}; ///< factors, products and sums that are subnormal are zeros
  /// What a call costs, in cycles: Start, and 1 for so much of the product of its sizes. 0: 1 in
  /// all.
  Located<int64_t> Start{0}, Rate{0};
  std::vector<LocatedName> Headers;  ///< what the templates need, as after #include
  std::vector<LocatedName> Requires; ///< states of the machine that must be set

  const Operand *findOperand(std::string_view OperandName) const;

  friend bool operator==(const Primitive &, const Primitive &) = default;
};

struct State {
  LocatedName Name;
  std::vector<LocatedName> Fields;
  LocatedName Set;                     ///< template
  std::vector<LocatedName> StaleAfter; ///< names of copies, primitives or states that destroy it
  friend bool operator==(const State &, const State &) = default;
};

struct Sync {
  enum class Kind {
    Event,
    Token,
    Fence,
    Barrier,
    Group, ///< record closes a group of copies, wait is for all but the newest groups
  };
  LocatedName Name;
  Located<Kind> K;
  LocatedName Record, Wait;        ///< templates
  Located<int64_t> Count{1};       ///< events of a pair of engines
  std::vector<LocatedName> Orders; ///< engines or memories whose actions it orders
  LocatedName Implied;             ///< what the hardware orders by itself, in words
  friend bool operator==(const Sync &, const Sync &) = default;
};

struct Machine {
  /// The file itself, for messages about something that is missing.
  Location Loc;
  LocatedName Name; ///< as a mapping names it: `cpu/x86-avx512`
  LocatedName Vendor;
  Located<OutputLanguage> Language;
  compiler::Provenance Provenance;
  NamedList<int64_t> Parameters;
  compiler::Toolchain Toolchain;
  std::vector<Processor> Processors; ///< outermost first
  std::vector<Memory> Memories;
  std::vector<Copy> Copies;
  std::vector<Primitive> Primitives;
  std::vector<State> States;
  std::vector<Sync> Syncs;
  NamedList<int64_t> Limits;
  NamedList<double> Tolerances; ///< element type -> relative error of one operation
  NamedList<double> Cost;

  /// Buffers lie at addresses that the compiler chooses, and reach them by copies that it writes.
  bool hasScratchpads() const;
  const Processor *findProcessor(std::string_view Level) const;
  const Memory *findMemory(std::string_view MemoryName) const;
  const Primitive *findPrimitive(std::string_view PrimitiveName) const;
  const State *findState(std::string_view StateName) const;
  const Sync *findSync(std::string_view SyncName) const;
  const Copy *findCopy(std::string_view From, std::string_view To) const;
  /// The way in which threads wait for groups of their copies; null if there is none.
  const Sync *copyGroups() const;
  /// Position in the hierarchy, 0 for the outermost; nothing if there is no such level.
  std::optional<size_t> depthOf(std::string_view Level) const;

  std::vector<std::string> processorNames() const;
  std::vector<std::string> memoryNames() const;
  std::vector<std::string> primitiveNames() const;
};

std::string toString(OutputLanguage L);
std::string toString(Processor::Spread S);
std::string toString(Memory::Initial I);
std::string toString(Primitive::Partial P);
std::string toString(Sync::Kind K);

} // namespace septran::compiler

#endif // SEPTRAN_MACHINE_MACHINE_H
