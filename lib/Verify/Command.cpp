//===- Command.cpp - running a compiler -----------------------------------===//
#include "Verify/Command.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

namespace septran::compiler {

namespace {

[[noreturn]] void become(const Command &C, int Output) {
  dup2(Output, 1);
  dup2(Output, 2);
  if (!C.Folder.empty() && chdir(C.Folder.c_str()) != 0)
    _exit(127);
  std::vector<char *> Args;
  for (const std::string &A : C.Args)
    Args.push_back(const_cast<char *>(A.c_str()));
  Args.push_back(nullptr);
  execvp(Args[0], Args.data());
  const std::string Problem = C.Args[0] + ": " + std::strerror(errno) + "\n";
  (void)!write(2, Problem.data(), Problem.size());
  _exit(127);
}

struct Running {
  size_t Index;
  std::FILE *Output;
};

/// The output goes to a temporary file: a pipe that nobody empties would stop the command.
bool start(const Command &C, size_t Index, std::map<pid_t, Running> &Started) {
  std::FILE *Output = std::tmpfile();
  if (!Output)
    return false;
  std::cout.flush();
  pid_t Child = fork();
  if (Child == 0)
    become(C, fileno(Output));
  if (Child < 0) {
    std::fclose(Output);
    return false;
  }
  Started[Child] = {Index, Output};
  return true;
}

std::string contents(std::FILE *File) {
  std::string Text;
  std::rewind(File);
  char Buffer[4096];
  while (size_t Got = std::fread(Buffer, 1, sizeof Buffer, File))
    Text.append(Buffer, Got);
  std::fclose(File);
  return Text;
}

} // namespace

std::vector<CommandResult> runCommands(const std::vector<Command> &Commands, unsigned Jobs) {
  std::vector<CommandResult> Results(Commands.size());
  std::map<pid_t, Running> Started;
  size_t Next = 0;
  while (Next < Commands.size() || !Started.empty()) {
    while (Next < Commands.size() && Started.size() < std::max(Jobs, 1u)) {
      if (!start(Commands[Next], Next, Started))
        Results[Next].Output = "cannot start " + Commands[Next].Args[0];
      ++Next;
    }
    if (Started.empty())
      continue;
    int Status = 0;
    pid_t Ended = waitpid(-1, &Status, 0);
    auto It = Started.find(Ended);
    if (It == Started.end()) {
      if (Ended < 0 && errno != EINTR)
        break;
      continue;
    }
    CommandResult &R = Results[It->second.Index];
    R.Output = contents(It->second.Output);
    R.Good = WIFEXITED(Status) && WEXITSTATUS(Status) == 0;
    Started.erase(It);
  }
  return Results;
}

} // namespace septran::compiler
