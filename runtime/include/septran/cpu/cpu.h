//===- septran/cpu/cpu.h - What generated CPU code includes -----*- C++ -*-===//
//
// Vectors, their memory accesses and mathematics, packed buffers and copies. See each header.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_CPU_H
#define SEPTRAN_CPU_CPU_H

#include <septran/cpu/arith.h>
#include <septran/cpu/blocks.h>
#include <septran/cpu/broadcast.h>
#include <septran/cpu/convert.h>
#include <septran/cpu/index.h>
#include <septran/cpu/lanes.h>
#include <septran/cpu/math.h>
#include <septran/cpu/memory.h>
#include <septran/cpu/micro_ops.h>
#include <septran/cpu/pack.h>
#include <septran/cpu/team_block.h>
#include <septran/cpu/team_copy.h>
#include <septran/cpu/unit_stride.h>
#include <septran/cpu/vec.h>
#include <septran/cpu/workspace.h>

#endif // SEPTRAN_CPU_CPU_H
