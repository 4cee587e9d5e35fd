//===- npu/simulator/chip_memory.h - SPM and ACC of a core ---------*- C++ -*-===//
//
// Bytes, which of them have been written, and per granule of RNPU_GRANULE bytes the commands that
// touched them last: the writer, and the last reader of each engine. Only the core itself accesses
// these memories, so engines are those of the core.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_NPU_SIMULATOR_CHIP_MEMORY_H
#define SEPTRAN_NPU_SIMULATOR_CHIP_MEMORY_H

#include <septran/npu/simulator/clocks.h>

#include <cstring>
#include <vector>

namespace septran::npu::simulator {

/// Rows of equal length on the chip, as commands name them. A pitch of 0 repeats one row.
struct chip_block {
  std::size_t start = 0; ///< in its memory
  std::size_t pitch = 0, rows = 1, row_bytes = 0;
};

class chip_memory {
public:
  chip_memory(const char *name, std::size_t bytes)
      : name(name), bytes(bytes), written(bytes), marks(bytes / RNPU_GRANULE) {}

  const char *const name;

  std::size_t size() const { return bytes.size(); }
  unsigned char *at(std::size_t address) { return bytes.data() + address; }

  /// What a launch finds.
  void clear() {
    std::fill(bytes.begin(), bytes.end(), static_cast<unsigned char>(0xcd));
    std::fill(written.begin(), written.end(), static_cast<unsigned char>(0));
    std::fill(marks.begin(), marks.end(), mark());
    has_results = results_read = false;
  }

  /// What is wrong with reading the block; empty if nothing is.
  std::string read(const chip_block &b, const command &by, const clock &now) {
    std::string problem;
    each_row(b, [&](std::size_t from) {
      for (std::size_t i = from; i < from + b.row_bytes; ++i)
        if (!written[i] && problem.empty())
          problem = "undefined read: " + by.text() + " reads " + place(i) + ", which nothing wrote";
      each_mark(from, b.row_bytes, [&](mark &m, std::size_t at) {
        if (problem.empty() && !m.writer.before(now))
          problem = "read after write: " + by.text() + " reads " + place(at) +
                    " and does not wait for " + m.writer.text() + ", which writes it";
        m.readers[std::size_t(by.engine % engine_count)] = by.number;
        results_read |= m.result;
      });
    });
    return problem;
  }

  /// What is wrong with writing the block. `result`: of an accumulation.
  std::string write(const chip_block &b, const command &by, const clock &now, bool result = false) {
    std::string problem;
    has_results |= result;
    const int core = by.engine / engine_count;
    each_row(b, [&](std::size_t from) {
      std::fill_n(written.begin() + std::ptrdiff_t(from), b.row_bytes,
                  static_cast<unsigned char>(1));
      each_mark(from, b.row_bytes, [&](mark &m, std::size_t at) {
        if (problem.empty() && !m.writer.before(now))
          problem = "write after write: " + by.text() + " overwrites " + place(at) +
                    " and does not wait for " + m.writer.text();
        for (int e = 0; e < engine_count && problem.empty(); ++e) {
          const command reader{clock_of(core, e), m.readers[std::size_t(e)]};
          if (!reader.before(now))
            problem = "write after read: " + by.text() + " overwrites " + place(at) + ", which " +
                      reader.text() + " may still read";
        }
        m.writer = by;
        m.readers = {};
        m.result = result;
      });
    });
    return problem;
  }

  /// There are results of accumulations and nothing has read any. Which of them a program reads may
  /// depend on values, so that one alone says nothing.
  bool results_are_lost() const { return has_results && !results_read; }

  std::string place(std::size_t address) const {
    return std::string(name) + "[" + std::to_string(address) + "]";
  }

private:
  struct mark {
    command writer;
    std::array<std::uint32_t, engine_count> readers{};
    bool result = false; ///< of an accumulation
  };

  template <class Function> static void each_row(const chip_block &b, Function f) {
    for (std::size_t r = 0; r < (b.pitch ? b.rows : 1); ++r)
      f(b.start + r * b.pitch);
  }
  template <class Function> void each_mark(std::size_t from, std::size_t count, Function f) {
    if (count == 0)
      return;
    for (std::size_t g = from / RNPU_GRANULE; g <= (from + count - 1) / RNPU_GRANULE; ++g)
      f(marks[g], g * RNPU_GRANULE);
  }

  std::vector<unsigned char> bytes, written;
  std::vector<mark> marks;
  bool has_results = false, results_read = false;
};

} // namespace septran::npu::simulator

#endif
