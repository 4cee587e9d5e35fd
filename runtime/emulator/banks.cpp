//===- banks.cpp - Bank conflicts of shared memory ------------------------===//

#include "banks.h"

#include <algorithm>
#include <array>
#include <set>

namespace septran::emulator {

static constexpr int banks = 32;
static constexpr std::size_t bank_bytes = 4;

std::pair<int, int> wavefronts(const std::vector<lane_access> &request) {
  std::size_t widest = bank_bytes;
  for (const lane_access &a : request)
    widest = std::max(widest, a.bytes);
  const int lanes_at_once = widest <= 4 ? 32 : widest <= 8 ? 16 : 8;

  int taken = 0, ideal = 0;
  for (int first = 0; first < 32; first += lanes_at_once) {
    std::set<std::size_t> words;
    for (const lane_access &a : request)
      if (a.lane >= first && a.lane < first + lanes_at_once)
        for (std::size_t word = a.offset / bank_bytes;
             word <= (a.offset + a.bytes - 1) / bank_bytes; ++word)
          words.insert(word);
    std::array<int, banks> load{};
    for (std::size_t word : words)
      ++load[word % banks];
    taken += *std::max_element(load.begin(), load.end());
    ideal += int(words.size() + banks - 1) / banks;
  }
  return {taken, ideal};
}

void bank_counter::note(int rank, const void *where, std::size_t offset, std::size_t bytes) {
  const std::uint32_t number = counts_[{where, rank}]++;
  open_[{where, rank / 32, number}].push_back({rank % 32, offset, bytes});
}

void bank_counter::note_request(const void *where, const std::vector<lane_access> &request) {
  const auto [taken, ideal] = wavefronts(request);
  bank_cost &cost = costs_[where];
  ++cost.requests;
  cost.wavefronts += std::uint64_t(taken);
  cost.ideal += std::uint64_t(ideal);
}

void bank_counter::settle() {
  for (const auto &[key, request] : open_)
    note_request(key.where, request);
  open_.clear();
  counts_.clear();
}

} // namespace septran::emulator
