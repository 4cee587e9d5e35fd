#include "harness/load.h"

#include "harness/pin.h"

#include <csignal>
#include <stdexcept>
#include <string>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace septran::bench {
namespace {

[[noreturn]] void keep_busy(int core, pid_t parent) {
  allow({core});
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) // it ended before that
    _exit(0);
  for (volatile bool wanted = true; wanted;) {
  }
  _exit(0);
}

} // namespace

competing_load::competing_load(int cores) {
  if (cores == 0)
    return;
  const std::vector<int> allowed = allowed_processors();
  if (cores >= int(allowed.size()))
    throw std::runtime_error("of " + std::to_string(allowed.size()) + " cores, " +
                             std::to_string(cores) + " cannot be taken away");
  const pid_t parent = getpid();
  for (int i = 0; i < cores; ++i) {
    const pid_t process = fork();
    if (process < 0)
      throw std::runtime_error("cannot start a process that takes a core away");
    if (process == 0)
      keep_busy(allowed[allowed.size() - 1 - std::size_t(i)], parent);
    processes_.push_back(process);
  }
}

competing_load::~competing_load() {
  for (pid_t process : processes_) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
}

} // namespace septran::bench
