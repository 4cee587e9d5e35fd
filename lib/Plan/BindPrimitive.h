//===- BindPrimitive.h - a leaf as tiles of a hardware primitive -*- C++ -*-===//
//
// Replaces the loops of a leaf by loops over tiles around calls of a primitive (IR/Stmt.h,
// PrimitiveCall). Accepted only if the leaf computes what the primitive's semantics say (Unify.h),
// its tensors lie in the memories that the primitive's operands name, and its loops can be cut as
// the primitive's sizes and partial-tile rule allow (PrimitiveTiles.h). An operand without a memory
// may lie in any that has addresses, which registers have not. An operand in a memory made of
// registers is one register: one dimension, as long as the tensor's vectors are; or a fragment
// (FragmentUses.h), of which every thread of the primitive's processor has a part.
//
// The emitter writes a call by expanding the primitive's `emit` template (Support/Template.h):
//
//   {C}               operand C: a pointer to the first element of its tile; the value of a scalar;
//                     in a memory made of registers the register itself, a cpu::vec<T, lanes>, or
//                     this thread's part of the fragment
//   {C.stride0}       elements between neighbours along a dimension (within a panel)
//   {C.panel_stride0} elements between panels, where the operand's layout splits that dimension
//   {C.extent0}       extent of this tile; less than the operand's shape only if partial is mask
//   {N}               one of the primitive's sizes
//
// Distances that the template does not take are as in the operand's own layout (OperandLayout.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Machine/Machine.h"
#include "Plan/FragmentUses.h"
#include "Plan/Program.h"
#include "Plan/RegisterTiles.h"
#include "Plan/TensorTable.h"

#include <optional>
#include <set>

namespace septran::compiler {

/// The body of `Leaf` with its loops replaced. Everything that stands in the way is reported where
/// the mapping asks for the binding. CopiedWhole: copiedWhole() of the program.
std::optional<Block> bindPrimitive(const Scope &Leaf, const Primitive &P,
                                   const TensorTable &Tensors, const RegisterTiles &Registers,
                                   const std::set<TensorRef> &CopiedWhole, const Machine &Target,
                                   Diagnostics &D);

/// What the tensors of a leaf that is bound to P have to lie like, if P works on fragments and the
/// leaf matches. Reports nothing.
std::optional<FragmentUse> findFragmentUse(const Scope &Leaf, const Primitive &P,
                                           const TensorTable &Tensors,
                                           const RegisterTiles &Registers, const Machine &Target);

/// The placeholders that the templates of P may use.
std::set<std::string> primitivePlaceholders(const Primitive &P);

} // namespace septran::compiler
