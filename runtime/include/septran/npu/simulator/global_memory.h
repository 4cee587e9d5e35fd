//===- npu/simulator/global_memory.h - the objects that DMA may touch -*- C++ -*-===//
//
// Rows are checked against the objects that the host attached, not against the address space. Of
// writable objects every byte knows which command wrote it last and the last reader of each core,
// so that cores that share an object without meeting at a barrier are found.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_NPU_SIMULATOR_GLOBAL_MEMORY_H
#define SEPTRAN_NPU_SIMULATOR_GLOBAL_MEMORY_H

#include <septran/npu/simulator/clocks.h>

#include <vector>

namespace septran::npu::simulator {

class global_memory {
public:
  void attach(const void *start, std::size_t bytes, bool writable) {
    objects.push_back({static_cast<const unsigned char *>(start), bytes, writable, {}});
  }

  /// False if there is no such object.
  bool detach(const void *start) {
    for (std::size_t i = objects.size(); i > 0; --i)
      if (objects[i - 1].start == start) {
        objects.erase(objects.begin() + std::ptrdiff_t(i - 1));
        return true;
      }
    return false;
  }

  /// A launch starts: all that came before is over, and commands count from 1.
  void forget_accesses() {
    for (object &o : objects)
      o.marks.assign(o.writable ? o.bytes : 0, mark());
  }

  /// What is wrong with a row; empty if nothing is.
  std::string read(const void *row, std::size_t bytes, const command &by, const clock &now) {
    if (!find(row, bytes, false))
      return "bounds: " + by.text() + " reads a row of " + std::to_string(bytes) +
             " bytes that lies in no attached object";
    std::string problem;
    each_mark(row, bytes, [&](mark &m) {
      if (problem.empty() && !m.writer.before(now))
        problem = "read after write: " + by.text() + " reads global memory and does not wait for " +
                  m.writer.text();
      m.readers[std::size_t(by.engine / engine_count)] = by.number;
    });
    return problem;
  }

  std::string write(const void *row, std::size_t bytes, const command &by, const clock &now) {
    if (!find(row, bytes, true))
      return find(row, bytes, false)
                 ? "read-only: " + by.text() + " writes an object that is attached to be read"
                 : "bounds: " + by.text() + " writes a row of " + std::to_string(bytes) +
                       " bytes that lies in no attached object";
    std::string problem;
    each_mark(row, bytes, [&](mark &m) {
      if (problem.empty() && !m.writer.before(now))
        problem = "write after write: " + by.text() +
                  " overwrites global memory and does not wait for " + m.writer.text();
      for (int core = 0; core < core_count && problem.empty(); ++core) {
        const command reader{clock_of(core, RNPU_LOAD), m.readers[std::size_t(core)]};
        if (!reader.before(now))
          problem = "write after read: " + by.text() + " overwrites global memory that " +
                    reader.text() + " may still read";
      }
      m.writer = by;
      m.readers = {};
    });
    return problem;
  }

private:
  struct mark {
    command writer;
    std::array<std::uint32_t, core_count> readers{};
  };
  struct object {
    const unsigned char *start;
    std::size_t bytes;
    bool writable;
    std::vector<mark> marks; ///< per byte, of writable objects
    bool holds(const unsigned char *row, std::size_t count) const {
      return row >= start && count <= bytes && std::size_t(row - start) <= bytes - count;
    }
  };

  bool find(const void *row, std::size_t bytes, bool writable) const {
    return std::any_of(objects.begin(), objects.end(), [&](const object &o) {
      return (o.writable || !writable) && o.holds(static_cast<const unsigned char *>(row), bytes);
    });
  }

  /// In every writable object that the row touches: they may overlap.
  template <class Function> void each_mark(const void *row, std::size_t bytes, Function f) {
    const auto *first = static_cast<const unsigned char *>(row), *last = first + bytes;
    for (object &o : objects)
      if (!o.marks.empty())
        for (const unsigned char *at = std::max(first, o.start);
             at < std::min(last, o.start + o.bytes); ++at)
          f(o.marks[std::size_t(at - o.start)]);
  }

  std::vector<object> objects;
};

} // namespace septran::npu::simulator

#endif
