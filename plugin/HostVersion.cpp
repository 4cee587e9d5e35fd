//===- HostVersion.cpp - the clang that loads the plugin ------------------===//
//
// The plugin brings the clang library that it was built with. Loaded by another version it would
// register with its own copy, and nothing would ever ask for it: the build would go on without a
// word.
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <link.h>

namespace {

/// Whether a loaded object is a clang library of another version: libclang-cpp.so.14.
int isOtherClang(struct dl_phdr_info *Info, size_t, void *) {
  const char *Slash = std::strrchr(Info->dlpi_name, '/');
  const char *Name = Slash ? Slash + 1 : Info->dlpi_name;
  constexpr char Library[] = "libclang-cpp.so.";
  if (std::strncmp(Name, Library, sizeof Library - 1) != 0)
    return 0;
  return std::atoi(Name + sizeof Library - 1) != std::atoi(SEPTRAN_CLANG_VERSION);
}

const bool Checked = [] {
  if (dl_iterate_phdr(isOtherClang, nullptr) != 0) {
    std::fprintf(stderr, "error: libseptran.so is a plugin for clang " SEPTRAN_CLANG_VERSION
                         " and was loaded by another version; with other compilers use "
                         "septran_target_sources of the CMake package, or septran-rewrite\n");
    std::_Exit(1); // The other version is not in a state to end in an orderly way.
  }
  return true;
}();

} // namespace
