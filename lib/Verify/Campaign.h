//===- Campaign.h - many random programs --------------------------*- C++ -*-===//
//
// Draws mappings, and if wanted the logic too, and verifies each mapping that the compiler accepts.
// Item I of a campaign depends on the seed and I alone: a failure is repeated by its number.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Verify/LogicUnderTest.h"
#include "Verify/VerifyMapping.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace septran::compiler {

struct CampaignRequest {
  std::uint64_t Seed = 1;
  std::uint64_t First = 0;    ///< number of the first item
  std::uint64_t Programs = 0; ///< (logic, mapping, shape) triples to reach
  unsigned MappingsPerLogic = 4;
  unsigned Jobs = 1;
  unsigned MaxFailures = 5; ///< after so many the campaign stops
  std::shared_ptr<const Machine> Target;
  std::string MachineName;
  VerifyRequest Verify;
  std::string Compiler;
  std::string Scratch;       ///< folder for what is thrown away
  std::string FailureFolder; ///< where reproducers go
  /// If so, the campaign ends with the items so far.
  std::function<bool()> Interrupted = [] { return false; };
};

struct CampaignFailure {
  std::uint64_t Item = 0;
  std::string What;
  std::string Folder; ///< with the logic, the mapping and the command that shows it
};

struct CampaignReport {
  std::uint64_t Items = 0, Drawn = 0, Mappings = 0, Programs = 0, Calls = 0;
  std::uint64_t WithoutReference = 0;
  std::string FirstNote; ///< why there was no reference, once
  std::map<std::string, std::uint64_t> Refusals; ///< drawn in vain: id of the first message
  std::vector<CampaignFailure> Failures;
  bool good() const { return Failures.empty() && Programs > 0; }
};
std::string toString(const CampaignReport &R);
/// Why mappings were drawn in vain, most frequent first; empty if none was.
std::string refusalText(const CampaignReport &R);

using CampaignProgress = std::function<void(const CampaignReport &)>;

/// Random mappings of `Entry` of a logic file that the front end has read. `Settings.Scratch` is
/// not used: every item has a folder of its own.
CampaignReport randomMappingCampaign(FrontendResult &Result, const BuildSettings &Settings,
                                     const std::string &Entry, const CampaignRequest &Request,
                                     const CampaignProgress &Progress);

/// Random logic files, each with some random mappings.
CampaignReport randomLogicCampaign(const CampaignRequest &Request,
                                   const CampaignProgress &Progress);

} // namespace septran::compiler
