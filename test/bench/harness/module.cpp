#include "harness/module.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include <dlfcn.h>
#include <link.h>

namespace septran::bench {

library::library(const std::string &path)
    : path_(path), handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND)) {
  if (!handle_)
    throw std::runtime_error(dlerror());
}

void *library::symbol(const char *name) const { return dlsym(handle_, name); }

void *library::address_of(const char *name) const {
  void *address = symbol(name);
  if (!address)
    throw std::runtime_error("'" + path_ + "' has no function '" + name + "'");
  return address;
}

std::string library::file() const {
  link_map *map = nullptr;
  if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0 || !map)
    return path_;
  std::error_code unknown;
  const auto file = std::filesystem::canonical(map->l_name, unknown);
  return unknown ? path_ : file.string();
}

entry_point entry_of(const library &module) {
  return {module.find<void *()>("septran_bench_entry")(),
          module.find_if_any<void()>("septran_bench_finish")};
}

std::vector<std::string> openmp_runtimes() {
  std::vector<std::string> files;
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *result) {
        const std::string file = info->dlpi_name;
        const auto name = std::filesystem::path(file).filename().string();
        for (const char *runtime : {"libgomp", "libomp", "libiomp"})
          if (name.starts_with(std::string(runtime) + ".") ||
              name.starts_with(std::string(runtime) + "-") ||
              name.starts_with(std::string(runtime) + "5")) {
            std::error_code unknown;
            const auto real = std::filesystem::canonical(file, unknown).string();
            auto &found = *static_cast<std::vector<std::string> *>(result);
            if (!unknown && std::find(found.begin(), found.end(), real) == found.end())
              found.push_back(real);
          }
        return 0;
      },
      &files);
  return files;
}

} // namespace septran::bench
