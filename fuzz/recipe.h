#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/campaign.h"
#include "fuzz/choices.h"
#include "fuzz/oracle.h"

namespace hexproof {

/// So many times what one proof may cost elsewhere, with primitives.
constexpr uint64_t kPatience = 4;

/// What a case is made of; the choices, which shrink, decide the rest.
struct Recipe {
  enum class Kind : uint8_t { Classic, Padded, Constructs, Granted, Schedules, Tensor, Seeds } kind = Kind::Classic;
  std::vector<int> constructs = {};  // rows that must be there
  std::string step = {};             // what is tried most; empty: anything
  bool verdicts = false;
  bool passes = false;  // among the steps
  bool module = false;  // of pipelines: they become several functions
  OracleOptions oracle = {};
};

/// What case `index` of a campaign is made of: the campaign's shares decide the kind, and the parts that go in turn
/// (cells of the coverage table, primitives, rules of seeds) are spread over the indices.
Recipe recipe_of(const CampaignOptions& options, uint64_t index);

/// A program to start from.
struct Source {
  PrimFunc func;
  std::vector<int> rows;                 // of the coverage table
  std::optional<StepRequest> step = {};  // of a seed
};

/// The program that the choices make of a recipe.
Source program_of(const Recipe& recipe, Choices& choices);

}  // namespace hexproof
