//===- MemoryUse.h - what the buffers of a Program take ---------*- C++ -*-===//
//
// Sizes follow from constant upper bounds of extents. A buffer lives from its Alloc to the end of the
// block that it stands in, so blocks that run one after the other share their space; the partial results of a
// reduction live as long as their loop. Every processor that owns a memory has one of its own: the sums are
// for one of them. A buffer around a loop that spreads over these processors is there once for all of
// them, in their memories together: such buffers have a sum of their own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"

#include <optional>

namespace septran::compiler {

/// A buffer, local or partial result, and the most that it takes.
struct BufferUse {
  TensorRef T;
  std::vector<Expr> Extents;         ///< in terms of what is known on entry, where that is possible
  std::vector<std::int64_t> Bounds;  ///< of Extents; empty where one has no bound
  std::shared_ptr<const BufferLayout> Layout;
  std::string Reason;
  Location Loc; ///< the mapping line that placed it
  const InstanceInfo *Owner = nullptr; ///< the instance whose body holds it
  /// Bytes, or registers where the memory is made of them; nothing if only known at run time.
  std::optional<std::int64_t> Amount;
  std::int64_t Offset = -1; ///< within the space of its memory, rounded up to its alignment
  std::vector<Digits> Parts; ///< registers that are divided among threads
};

struct MemoryUse {
  const Memory *In = nullptr;
  bool Shared = false; ///< buffers that all owners of such a memory hold together
  std::optional<std::int64_t> Owners = 1; ///< how many these are; nothing if known at run time
  /// Registers in kernels of so many threads, which share a register file; 0 elsewhere.
  std::int64_t Threads = 0;
  std::optional<std::int64_t> FileShare; ///< the part of that file that one of them can have
  std::vector<BufferUse> Buffers; ///< in textual order
  std::vector<size_t> Worst;      ///< the Buffers that live where most is needed, in textual order
  std::int64_t Needed = 0;        ///< their sum, alignment included

  bool inRegisters() const { return In->Registers.has_value(); }
  /// Bytes or registers that one owner has; nothing for a memory without limit.
  std::optional<std::int64_t> each() const;
  /// What the sum is compared with: nothing too if it is shared by unknown many.
  std::optional<std::int64_t> available() const;
};

/// One entry per memory that holds a buffer, in the order of the machine file; what is shared comes first.
std::vector<MemoryUse> memoryUse(const Program &P);

} // namespace septran::compiler
