//===- Emulated.h - Running small kernels in tests ---------------*- C++ -*-===//
//
// The schedules that a right kernel is run under, and what a wrong one is expected to be told.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_TEST_UNIT_EMULATOR_EMULATED_H
#define SEPTRAN_TEST_UNIT_EMULATOR_EMULATED_H

#include <septran/cuda/launch.h>
#include <septran/emulator/control.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace septran::test {

/// Sets options for its lifetime.
class with_options {
public:
  explicit with_options(const std::string &text) : before_(emulator::current_options()) {
    emulator::set_options(emulator::parse_options(text));
  }
  ~with_options() { emulator::set_options(before_); }

private:
  emulator::options before_;
};

inline const std::vector<std::string> &all_schedules() {
  static const std::vector<std::string> schedules = {"eager",    "lazy",     "random:1",
                                                     "random:2", "random:3", "random:4"};
  return schedules;
}

/// What the emulator says of a launch; empty if it finds nothing wrong.
template <class Run> std::string report_of(const std::string &options, Run run) {
  const with_options chosen(options);
  try {
    run();
  } catch (const cuda::error &e) {
    return e.what();
  }
  return "";
}

/// Nothing is wrong with a launch under any schedule.
template <class Run> void expect_clean(Run run) {
  for (const std::string &schedule : all_schedules())
    EXPECT_EQ(report_of(schedule, run), "") << schedule;
}

/// The report has all these words under every schedule.
template <class Run>
void expect_report(Run run, const std::vector<std::string> &words, const std::string &more = "") {
  for (const std::string &schedule : all_schedules()) {
    const std::string report = report_of(schedule + more, run);
    for (const std::string &word : words)
      EXPECT_NE(report.find(word), std::string::npos)
          << schedule << ": no '" << word << "' in: " << report;
  }
}

/// Device memory of these values.
template <class T> cuda::device_buffer<T> upload(const std::vector<T> &values) {
  return cuda::device_buffer<T>(values.data(), values.size());
}
template <class T> std::vector<T> download(const cuda::device_buffer<T> &from) {
  std::vector<T> values(from.size());
  from.download(values.data());
  return values;
}
/// Device memory of `count` zeros.
template <class T> cuda::device_buffer<T> zeros(std::size_t count) {
  return upload(std::vector<T>(count, T()));
}

} // namespace septran::test

#endif // SEPTRAN_TEST_UNIT_EMULATOR_EMULATED_H
