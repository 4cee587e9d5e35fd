//===- report.cpp - What went wrong, and where ----------------------------===//

#include "report.h"

#include "state.h"

#include <septran/cuda/error.h>

#include <cstdint>
#include <cstdio>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <unistd.h>
#include <vector>

namespace septran::emulator {

namespace {

struct frame {
  std::string function;
  std::string line; // "/path/file.cu:41", or "??:0"
};

/// The inlined calls at an address, the innermost first.
std::vector<frame> frames_at(const void *address) {
  Dl_info image;
  if (dladdr(address, &image) == 0 || image.dli_fname == nullptr)
    return {};
  // A position-independent program counts its addresses from its first byte.
  const auto *header = static_cast<const ElfW(Ehdr) *>(image.dli_fbase);
  std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address);
  if (header->e_type == ET_DYN)
    offset -= reinterpret_cast<std::uintptr_t>(image.dli_fbase);

  std::string path = image.dli_fname;
  char self[4096];
  if (path.find('/') == std::string::npos) { // the program itself, as it was called
    if (std::FILE *link = std::fopen("/proc/self/exe", "rb")) {
      std::fclose(link);
      path = "/proc/" + std::to_string(getpid()) + "/exe";
    }
  }
  std::snprintf(self, sizeof self, "addr2line -i -f -C -e '%s' 0x%zx 2>/dev/null", path.c_str(),
                std::size_t(offset));
  std::vector<frame> frames;
  std::FILE *pipe = popen(self, "r");
  if (pipe == nullptr)
    return {};
  char text[4096];
  std::vector<std::string> lines;
  while (std::fgets(text, sizeof text, pipe) != nullptr) {
    std::string line = text;
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r'))
      line.pop_back();
    lines.push_back(line);
  }
  pclose(pipe);
  for (std::size_t i = 0; i + 1 < lines.size(); i += 2)
    frames.push_back({lines[i], lines[i + 1]});
  return frames;
}

std::string without_parameters(std::string name) {
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
    if (name[i] == '(' && depth == 0) {
      name.erase(i);
      break;
    }
  }
  // A template's name begins with its result.
  if (name.starts_with("void "))
    name.erase(0, 5);
  return name;
}

bool is_runtime_header(const std::string &line) {
  return line.find("/septran/cuda/") != std::string::npos ||
         line.find("/septran/emulator/") != std::string::npos;
}

std::string base_name(const std::string &path) { return path.substr(path.rfind('/') + 1); }

} // namespace

std::string source_line(const void *where) {
  // The call ends where it returns to; one byte less lies in it.
  const std::vector<frame> frames = frames_at(static_cast<const char *>(where) - 1);
  for (const frame &f : frames)
    if (!f.line.starts_with("??") && !is_runtime_header(f.line)) {
      const std::string line = base_name(f.line);
      return line.substr(0, line.find(' ')); // without "(discriminator 2)"
    }
  if (!frames.empty() && !frames.front().function.starts_with("??"))
    return without_parameters(frames.front().function) + " (-g would tell the line)";
  return "an unknown place (-g would tell the line)";
}

std::string function_name(const void *function) {
  const std::vector<frame> frames = frames_at(function);
  if (frames.empty() || frames.back().function.starts_with("??"))
    return "a kernel";
  return without_parameters(frames.back().function);
}

static std::string index_text(dim3 index) {
  return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," +
         std::to_string(index.z) + ")";
}

std::string thread_text(const thread_state &thread) {
  return "block " + index_text(thread.block->index) + " thread " + std::to_string(thread.rank);
}

std::string access_text(const access_record &access) {
  const dim3 grid = current->request.grid;
  const dim3 block(access.block % grid.x, access.block / grid.x % grid.y,
                   access.block / grid.x / grid.y);
  const char *what = access.in_flight                    ? "asynchronous copy"
                     : access.kind == access_kind::read  ? "read"
                     : access.kind == access_kind::write ? "write"
                                                         : "atomic update";
  return std::string(what) + " by block " + index_text(block) + " thread " +
         std::to_string(access.thread) + " at " + source_line(access.where);
}

void fail(const std::string &report) {
  if (running == nullptr)
    throw cuda::error(report);
  // The other fibers are left where they are: device code owns nothing that needs a destructor.
  current->failure = report;
  switch_fiber(running->fiber, current->scheduler);
  __builtin_unreachable();
}

void fail(const std::string &what, const void *where) {
  fail(what + "\n  " + thread_text(*running) + " at " + source_line(where));
}

} // namespace septran::emulator
