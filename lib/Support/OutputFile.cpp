//===- Support/OutputFile.cpp ----------------------------------*- C++ -*-===//
#include "Support/OutputFile.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace septran::compiler {

namespace {

namespace fs = std::filesystem;

std::string errorText() {
  std::string Text = std::strerror(errno);
  Text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(Text[0])));
  return Text;
}

bool writeAll(int File, std::string_view Contents) {
  while (!Contents.empty()) {
    ssize_t Written = ::write(File, Contents.data(), Contents.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0)
      return false;
    Contents.remove_prefix(static_cast<size_t>(Written));
  }
  return true;
}

bool fail(const std::string &Path, Diagnostics &D) {
  D.report(DiagID::CannotWrite, Location{}, Path, errorText());
  return false;
}

bool writeDirectly(const std::string &Path, std::string_view Contents, Diagnostics &D) {
  int File = ::open(Path.c_str(), O_WRONLY | O_CLOEXEC);
  if (File < 0)
    return fail(Path, D);
  bool Good = writeAll(File, Contents);
  Good &= ::close(File) == 0;
  return Good || fail(Path, D);
}

/// What a new file gets: mkstemp makes files private, users expect their umask.
mode_t defaultMode() {
  mode_t Mask = ::umask(0);
  ::umask(Mask);
  return 0666 & ~Mask;
}

/// What is written: through a symbolic link instead of replacing it.
std::string targetOf(const std::string &Path) {
  std::error_code EC;
  const fs::path Real = fs::is_symlink(Path, EC) ? fs::weakly_canonical(Path, EC) : fs::path(Path);
  return EC || Real.empty() ? Path : Real.string();
}

} // namespace

bool canWriteOutputFile(const std::string &Path, Diagnostics &D) {
  if (Path == "-")
    return true;
  const std::string Target = targetOf(Path);
  struct stat Info;
  if (::stat(Target.c_str(), &Info) == 0 && !S_ISREG(Info.st_mode)) {
    if (!S_ISDIR(Info.st_mode))
      return ::access(Target.c_str(), W_OK) == 0 || fail(Path, D);
    errno = EISDIR;
    return fail(Path, D);
  }
  const fs::path Folder = fs::path(Target).parent_path();
  return ::access(Folder.empty() ? "." : Folder.c_str(), W_OK | X_OK) == 0 || fail(Path, D);
}

bool writeOutputFile(const std::string &Path, std::string_view Contents, Diagnostics &D) {
  if (Path == "-") {
    std::cout.flush();
    return writeAll(STDOUT_FILENO, Contents) || fail("standard output", D);
  }
  const std::string Target = targetOf(Path);
  struct stat Info;
  const bool Exists = ::stat(Target.c_str(), &Info) == 0;
  if (Exists && S_ISDIR(Info.st_mode)) {
    errno = EISDIR;
    return fail(Path, D);
  }
  if (Exists && !S_ISREG(Info.st_mode))
    return writeDirectly(Target, Contents, D);

  std::string Temporary = Target + ".XXXXXX";
  int File = ::mkstemp(Temporary.data());
  if (File < 0)
    return fail(Path, D);
  bool Good = writeAll(File, Contents);
  Good = Good && ::fchmod(File, Exists ? Info.st_mode & 07777 : defaultMode()) == 0;
  Good &= ::close(File) == 0;
  Good = Good && ::rename(Temporary.c_str(), Target.c_str()) == 0;
  if (Good)
    return true;
  fail(Path, D);
  ::unlink(Temporary.c_str());
  return false;
}

} // namespace septran::compiler
