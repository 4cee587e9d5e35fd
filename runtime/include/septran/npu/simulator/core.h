//===- npu/simulator/core.h - one core of the simulated NPU --------*- C++ -*-===//
//
// Commands take effect when they are given, in the order of the program. That shows what a
// correctly ordered program computes; whether it is correctly ordered is what the clocks decide. A
// command with a mistake is reported and has no effect.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_NPU_SIMULATOR_CORE_H
#define SEPTRAN_NPU_SIMULATOR_CORE_H

#include <septran/npu/simulator/chip_memory.h>
#include <septran/npu/simulator/global_memory.h>
#include <septran/npu/simulator/model.h>

#include <functional>
#include <initializer_list>
#include <optional>

namespace septran::npu::simulator {

/// What the cores of a device share.
struct shared_parts {
  global_memory global;
  model time;
  std::function<void(int core, const std::string &)> report;
};

/// Rows on the chip as a command names them, and what it does with them.
struct operand {
  rnpu_address address;
  std::size_t pitch, rows, row_bytes;
  enum { reads, writes, updates } use;
};

class core {
public:
  core(shared_parts &shared, int number) : shared(shared), number(number) {}

  const clock &scalar_clock() const { return now[RNPU_SCALAR]; }
  void know(const clock &other) { now[RNPU_SCALAR].join(other); }

  void start_launch() {
    spm.clear();
    acc.clear();
    now = {};
    events = {};
    matrix_type.reset();
  }

  /// The program of the core has ended.
  void end_launch() {
    for (int e = 1; e < engine_count; ++e) {
      const auto at = std::size_t(clock_of(number, e));
      if (now[RNPU_SCALAR].known[at] < now[std::size_t(e)].known[at])
        fail("unfinished: the program ends and does not wait for " +
             command{int(at), now[std::size_t(e)].known[at]}.text());
    }
    for (int from = 0; from < engine_count; ++from)
      for (int to = 0; to < engine_count; ++to)
        for (std::size_t id = 0; id < RNPU_EVENTS; ++id)
          if (event(from, to, id).set)
            fail("event: " + event_text(from, to, id) + " is recorded and never waited for");
    if (acc.results_are_lost())
      fail("accumulator: the program ends and nothing has read a result of the matrix unit");
  }

  //===--- order --------------------------------------------------------------===//

  void record(int from, int to, std::uint32_t id) {
    if (!good_pair(from, to, id))
      return;
    event_state &e = event(from, to, id);
    if (e.set)
      fail("event: " + event_text(from, to, id) + " is recorded twice without a wait between");
    e = {true, now[std::size_t(from)], shared.time.finished(number, from)};
    shared.time.scalar(number);
  }

  void wait(int from, int to, std::uint32_t id) {
    if (!good_pair(from, to, id))
      return;
    event_state &e = event(from, to, id);
    if (!e.set)
      fail((to == RNPU_SCALAR ? "deadlock: " : "event: ") + event_text(from, to, id) +
           " is waited for and was not recorded");
    e.set = false;
    now[std::size_t(to)].join(e.at);
    shared.time.scalar(number);
    shared.time.wait(number, to, e.time);
  }

  //===--- commands -----------------------------------------------------------===//

  struct access {
    chip_memory *memory;
    chip_block block;
    unsigned char *row(std::size_t r) const { return memory->at(block.start + r * block.pitch); }
  };

  /// Starts a command: its operands, if nothing is wrong with them. `result`: what it writes is the
  /// result of an accumulation.
  std::optional<std::vector<access>> start(int engine, std::initializer_list<operand> operands,
                                           bool result = false) {
    begun = {clock_of(number, engine),
             ++now[std::size_t(engine)].known[std::size_t(clock_of(number, engine))]};
    // What the program has waited for is over when it gives a command.
    now[std::size_t(engine)].join(now[RNPU_SCALAR]);
    std::vector<access> found;
    for (const operand &o : operands)
      if (std::optional<access> a = locate(o, engine))
        found.push_back(*a);
      else
        return std::nullopt;
    std::size_t i = 0;
    bool good = true;
    for (const operand &o : operands) { // all reads come before all writes
      access &a = found[i++];
      if (o.use != operand::writes)
        good &= check(a.memory->read(a.block, begun, now[std::size_t(engine)]));
    }
    i = 0;
    for (const operand &o : operands) {
      access &a = found[i++];
      if (o.use != operand::reads)
        good &= check(a.memory->write(a.block, begun, now[std::size_t(engine)], result));
    }
    return good ? std::optional(std::move(found)) : std::nullopt;
  }

  /// The limits of a two-dimensional command.
  bool good_shape(std::size_t rows, std::size_t row_bytes, const char *what) {
    if (rows >= 1 && rows <= RNPU_MAX_ROWS && row_bytes >= 1 && row_bytes <= RNPU_MAX_ROW_BYTES)
      return true;
    fail(std::string("shape: ") + what + " of " + std::to_string(rows) + " rows of " +
         std::to_string(row_bytes) + " bytes");
    return false;
  }

  bool good_pitch(std::ptrdiff_t pitch) {
    if (pitch <= std::ptrdiff_t(RNPU_MAX_PITCH) && -pitch <= std::ptrdiff_t(RNPU_MAX_PITCH))
      return true;
    fail("shape: a pitch of " + std::to_string(pitch) + " bytes in global memory");
    return false;
  }

  bool read_global(const void *row, std::size_t bytes) {
    return check(shared.global.read(row, bytes, begun, now[RNPU_LOAD]));
  }
  bool write_global(const void *row, std::size_t bytes) {
    return check(shared.global.write(row, bytes, begun, now[RNPU_STORE]));
  }

  void fail(const std::string &problem) { shared.report(number, problem); }

  model &time() { return shared.time; }
  int id() const { return number; }
  std::optional<rnpu_type> matrix_type;

private:
  struct event_state {
    bool set = false;
    clock at;
    double time = 0;
  };

  bool check(const std::string &problem) {
    if (!problem.empty())
      fail(problem);
    return problem.empty();
  }

  std::optional<access> locate(const operand &o, int engine) {
    const bool in_acc = o.address >= RNPU_ACC(0);
    chip_memory &memory = in_acc ? acc : spm;
    const chip_block b = {in_acc ? o.address - RNPU_ACC(0) : o.address, o.pitch, o.rows,
                          o.row_bytes};
    const std::string who = command{clock_of(number, engine), begun.number}.text();
    const std::size_t unit = engine == RNPU_SCALAR ? o.row_bytes : RNPU_GRANULE;
    if (b.start % unit != 0 || b.pitch % unit != 0)
      return refuse("alignment: " + who + " names " + memory.place(b.start) + " with a pitch of " +
                    std::to_string(b.pitch) + "; rows start at multiples of " +
                    std::to_string(unit));
    const std::size_t end = b.start + (b.rows - 1) * b.pitch + b.row_bytes;
    if (end > memory.size())
      return refuse("capacity: " + who + " reaches " + memory.place(end - 1) + " of " +
                    std::to_string(memory.size()) + " bytes");
    if (b.rows > 1 && b.pitch < b.row_bytes && (b.pitch != 0 || o.use != operand::reads))
      return refuse("shape: " + who + " names rows of " + std::to_string(b.row_bytes) +
                    " bytes with a pitch of " + std::to_string(b.pitch));
    return access{&memory, b};
  }

  std::nullopt_t refuse(const std::string &problem) {
    fail(problem);
    return std::nullopt;
  }

  bool good_pair(int from, int to, std::uint32_t id) {
    const bool good = from >= 0 && from < engine_count && to >= 0 && to < engine_count &&
                      from != to && id < RNPU_EVENTS;
    if (!good)
      fail("event: there is no event " + std::to_string(id) + " from " + engine_name(from) +
           " to " + engine_name(to));
    return good;
  }
  event_state &event(int from, int to, std::size_t id) {
    return events[std::size_t(from)][std::size_t(to)][id];
  }
  static std::string event_text(int from, int to, std::size_t id) {
    return "event " + std::to_string(id) + " from " + engine_name(from) + " to " + engine_name(to);
  }

  shared_parts &shared;
  const int number;
  chip_memory spm{"SPM", RNPU_SPM_BYTES}, acc{"ACC", RNPU_ACC_BYTES};
  std::array<clock, engine_count> now;
  command begun;
  std::array<std::array<std::array<event_state, RNPU_EVENTS>, engine_count>, engine_count> events;
};

} // namespace septran::npu::simulator

#endif
