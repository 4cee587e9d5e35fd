//===- count_allocations.cpp - how often a program calls operator new ------===//
//
// Loaded before the program's own libraries (LD_PRELOAD), writes the number of calls to the file
// $ALLOCATIONS_FILE at the end. A measure of work that does not depend on what else the machine does.
//
//===----------------------------------------------------------------------===//
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {
std::atomic<unsigned long> calls{0};

__attribute__((destructor)) void write_calls() {
  const char *name = std::getenv("ALLOCATIONS_FILE");
  std::FILE *file = name != nullptr ? std::fopen(name, "w") : nullptr;
  if (file == nullptr)
    return;
  std::fprintf(file, "%lu\n", calls.load());
  std::fclose(file);
}
} // namespace

void *operator new(std::size_t bytes) {
  calls.fetch_add(1, std::memory_order_relaxed);
  if (void *memory = std::malloc(bytes != 0 ? bytes : 1))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
