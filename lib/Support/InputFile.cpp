//===- Support/InputFile.cpp -----------------------------------*- C++ -*-===//
#include "Support/InputFile.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace septran::compiler {

std::optional<std::string> readInputFile(const std::string &Path, size_t MaxBytes,
                                         const Location &Use, Diagnostics &D) {
  std::error_code EC;
  if (std::filesystem::is_directory(Path, EC)) {
    D.report(DiagID::CannotRead, Use, Path, "is a directory");
    return std::nullopt;
  }
  errno = 0;
  std::ifstream In(Path, std::ios::binary);
  std::string Text;
  // Read with a cap instead of asking for a size: pipes and devices have none.
  char Buffer[1 << 16];
  while (In && Text.size() <= MaxBytes) {
    In.read(Buffer, sizeof Buffer);
    Text.append(Buffer, static_cast<size_t>(In.gcount()));
  }
  if (Text.size() > MaxBytes) {
    D.report(DiagID::FileTooLarge, Use, Path, MaxBytes);
    return std::nullopt;
  }
  if (!In.eof() || In.bad()) {
    std::string Why = errno ? std::strerror(errno) : "read error";
    Why[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(Why[0])));
    D.report(DiagID::CannotRead, Use, Path, Why);
    return std::nullopt;
  }
  return Text;
}

} // namespace septran::compiler
