//===- Isolated.cpp - work that may crash ---------------------------------===//
#include "Verify/Isolated.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <new>
#include <optional>
#include <poll.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace septran::compiler {

namespace {

bool writeAll(int To, const void *Data, size_t Size) {
  const char *At = static_cast<const char *>(Data);
  while (Size > 0) {
    ssize_t Written = write(To, At, Size);
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      return false;
    At += Written;
    Size -= static_cast<size_t>(Written);
  }
  return true;
}

using Clock = std::chrono::steady_clock;

/// A child that does nothing, or waits for processors that others have, is given this many times
/// the seconds of its item.
constexpr unsigned Patience = 5;

/// Processor time of a process, of all its threads, and of its children that have ended.
std::chrono::milliseconds processorTime(pid_t Id) {
  std::ifstream File("/proc/" + std::to_string(Id) + "/stat");
  std::string Text{std::istreambuf_iterator<char>(File), {}};
  std::istringstream Fields(Text.substr(std::min(Text.rfind(')') + 1, Text.size())));
  std::string Skipped;
  for (int N = 0; N < 11; ++N) // proc(5): state up to cmajflt; then utime, stime, cutime, cstime
    Fields >> Skipped;
  long Ticks = 0;
  for (long T = 0, N = 0; N < 4 && Fields >> T; ++N)
    Ticks += T;
  return std::chrono::milliseconds(Ticks * 1000 / sysconf(_SC_CLK_TCK));
}

/// Which item is next, for all children.
class SharedCounter {
  std::atomic<std::uint64_t> *Value;

public:
  SharedCounter() {
    void *Page =
        mmap(nullptr, sizeof *Value, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (Page == MAP_FAILED)
      throw std::bad_alloc();
    Value = new (Page) std::atomic<std::uint64_t>(0);
  }
  ~SharedCounter() { munmap(Value, sizeof *Value); }
  SharedCounter(const SharedCounter &) = delete;
  SharedCounter &operator=(const SharedCounter &) = delete;
  std::uint64_t take() { return Value->fetch_add(1); }
  bool exhausted(std::uint64_t Count) const { return Value->load() >= Count; }
};

/// What a child says: the item it begins, or the length of a result, which follows.
struct Message {
  std::uint64_t Item, Size;
};
constexpr std::uint64_t Begins = ~std::uint64_t(0);

// noexcept: an exception must not unwind into what belongs to the parent, such as its scratch folder.
[[noreturn]] void runChild(int To, pid_t Parent, SharedCounter &Next, size_t Count,
                           llvm::function_ref<void()> Prepare,
                           llvm::function_ref<std::string(size_t)> Item) noexcept {
  // Items may have children of their own, which are not to outlive them.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != Parent)
    _exit(0);
  // A crash here is a finding, not a reason for stack traces and core files; and what the parent does
  // about interruptions is its own matter.
  for (int Signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGINT, SIGTERM})
    std::signal(Signal, SIG_DFL);
  struct rlimit NoCore = {0, 0};
  setrlimit(RLIMIT_CORE, &NoCore);
  Prepare();
  for (std::uint64_t I = Next.take(); I < Count; I = Next.take()) {
    Message Begin{I, Begins};
    if (!writeAll(To, &Begin, sizeof Begin))
      break;
    std::string Text = Item(I);
    Message End{I, Text.size()};
    if (!writeAll(To, &End, sizeof End) || !writeAll(To, Text.data(), Text.size()))
      break;
  }
  _exit(0);
}

struct Child {
  pid_t Id = -1;
  int From = -1;
  std::optional<size_t> Item; ///< at work on it
  Clock::time_point Begin;          ///< of the item
  Clock::time_point Deadline;       ///< when to look how much time it has used
  std::chrono::milliseconds Before; ///< its processor time when the item began
  std::string Buffer;               ///< what it said so far, beginning with a message
};

class Pool {
  size_t Count;
  const IsolationOptions &Options;
  llvm::function_ref<void()> Prepare;
  llvm::function_ref<std::string(size_t)> Item;
  llvm::function_ref<bool(size_t, const IsolatedResult &)> Finished;
  SharedCounter Next;
  std::vector<Child> Children;
  bool Stopped = false;
  unsigned FailedStarts = 0;

public:
  std::vector<IsolatedResult> Results;

  Pool(size_t Count, const IsolationOptions &Options, llvm::function_ref<void()> Prepare,
       llvm::function_ref<std::string(size_t)> Item,
       llvm::function_ref<bool(size_t, const IsolatedResult &)> Finished)
      : Count(Count), Options(Options), Prepare(Prepare), Item(Item), Finished(Finished),
        Results(Count) {}

  void run() {
    while (!Stopped && !Options.Interrupted()) {
      while (Children.size() < std::min<size_t>(std::max(Options.Jobs, 1u), Count) &&
             !Next.exhausted(Count) && FailedStarts < 10)
        start();
      if (Children.empty())
        break;
      listen();
    }
    for (Child &C : Children) {
      kill(C.Id, SIGKILL);
      end(C);
    }
  }

private:
  void start() {
    int Ends[2];
    if (pipe(Ends) != 0) {
      ++FailedStarts;
      return;
    }
    std::cout.flush();
    const pid_t Parent = getpid();
    pid_t Id = fork();
    if (Id == 0) {
      close(Ends[0]);
      for (const Child &C : Children)
        close(C.From);
      runChild(Ends[1], Parent, Next, Count, Prepare, Item);
    }
    close(Ends[1]);
    if (Id < 0) {
      ++FailedStarts;
      close(Ends[0]);
      return;
    }
    Child C;
    C.Id = Id;
    C.From = Ends[0];
    beginTime(C);
    Children.push_back(std::move(C));
  }

  void beginTime(Child &C) const {
    C.Begin = Clock::now();
    C.Deadline = C.Begin + std::chrono::seconds(Options.Seconds);
    C.Before = processorTime(C.Id);
  }

  /// At the deadline; moves it if there is time left.
  bool usedAllTime(Child &C) const {
    const std::chrono::seconds Most(Options.Seconds);
    const auto Left = Most - (processorTime(C.Id) - C.Before);
    const Clock::time_point Now = Clock::now(), Last = C.Begin + Patience * Most;
    if (Left.count() <= 0 || Now >= Last)
      return true;
    C.Deadline = std::min<Clock::time_point>(Now + Left, Last);
    return false;
  }

  /// Waits for the next words of any child, or for the first deadline.
  void listen() {
    std::vector<struct pollfd> Pipes;
    auto First = Clock::time_point::max();
    for (const Child &C : Children) {
      Pipes.push_back({C.From, POLLIN, 0});
      First = std::min(First, C.Deadline);
    }
    auto Left = std::chrono::duration_cast<std::chrono::milliseconds>(First - Clock::now()).count();
    poll(Pipes.data(), Pipes.size(), static_cast<int>(std::clamp<long>(long(Left) + 1, 0, 60000)));
    for (size_t I = 0; I < Pipes.size(); ++I) {
      Child &C = Children[I];
      if (Pipes[I].revents != 0 && !hear(C))
        lose(C, IsolatedResult::Kind::Crashed);
      else if (C.Id >= 0 && Clock::now() >= C.Deadline && usedAllTime(C))
        lose(C, IsolatedResult::Kind::TimedOut);
    }
    std::erase_if(Children, [](const Child &C) { return C.Id < 0; });
  }

  /// False at the end of what the child says.
  bool hear(Child &C) {
    char Block[65536];
    ssize_t Got = read(C.From, Block, sizeof Block);
    if (Got < 0 && errno == EINTR)
      return true;
    if (Got <= 0)
      return false;
    C.Buffer.append(Block, static_cast<size_t>(Got));
    Message M;
    while (C.Buffer.size() >= sizeof M) {
      std::memcpy(&M, C.Buffer.data(), sizeof M);
      if (M.Size == Begins) {
        C.Item = M.Item;
        beginTime(C);
        C.Buffer.erase(0, sizeof M);
        continue;
      }
      if (C.Buffer.size() < sizeof M + M.Size)
        break;
      C.Item.reset();
      finish(M.Item, {IsolatedResult::Kind::Done, C.Buffer.substr(sizeof M, M.Size), 0});
      C.Buffer.erase(0, sizeof M + M.Size);
    }
    return true;
  }

  /// The child is gone or has to go; with it what it was at.
  void lose(Child &C, IsolatedResult::Kind Why) {
    if (Why == IsolatedResult::Kind::TimedOut)
      kill(C.Id, SIGKILL);
    std::optional<size_t> Lost = C.Item;
    int Status = end(C);
    if (Lost)
      finish(*Lost, {Why, "", WIFSIGNALED(Status) ? WTERMSIG(Status) : 0});
    else if (!WIFEXITED(Status) || WEXITSTATUS(Status) != 0)
      ++FailedStarts; // It fell before its first item.
  }

  static int end(Child &C) {
    int Status = 0;
    close(C.From);
    while (waitpid(C.Id, &Status, 0) < 0 && errno == EINTR)
      ;
    C.Id = -1;
    return Status;
  }

  void finish(size_t Index, IsolatedResult R) {
    // Whoever interrupts may have stopped the item, or what it waited for.
    Stopped |= Options.Interrupted();
    if (Stopped)
      return;
    Results[Index] = std::move(R);
    if (Finished && !Finished(Index, Results[Index]))
      Stopped = true;
  }
};

} // namespace

std::string describe(const IsolatedResult &R) {
  switch (R.K) {
  case IsolatedResult::Kind::Done:
    return "done";
  case IsolatedResult::Kind::TimedOut:
    return "did not end";
  case IsolatedResult::Kind::Skipped:
    return "did not run";
  case IsolatedResult::Kind::Crashed:
    break;
  }
  if (R.Signal == 0)
    return "ended by itself";
  std::string Name = strsignal(R.Signal);
  if (!Name.empty())
    Name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(Name[0])));
  return Name;
}

std::vector<IsolatedResult>
runIsolated(size_t Count, const IsolationOptions &Options, llvm::function_ref<void()> Prepare,
            llvm::function_ref<std::string(size_t)> Item,
            llvm::function_ref<bool(size_t, const IsolatedResult &)> Finished) {
  Pool P(Count, Options, Prepare, Item, Finished);
  P.run();
  return std::move(P.Results);
}

} // namespace septran::compiler
