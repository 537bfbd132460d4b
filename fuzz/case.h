// A program, the rule applications asked of it, and the inputs: what a campaign tries, saves and replays.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// A rule and its arguments as JSON: integers, texts, lists of integers (paths), {"extents": [4, 4]}, {"expr": "x < 3"}
/// and {"exprs": ["x", "j + 2"]} over variables of the program, and index maps as "lambda i, j: [i // 4, j, i % 4]". Or
/// "pass" with its `name` and perhaps a `block`, on whose nest it works; or "primitive" or "module" with a `name` and
/// the arguments of the primitive (fuzz/steps/primitive_steps.h). A last step "mutant" with `what` is no step: it names
/// the mutant (fuzz/steps/mutate.h) of the program that a verdict was wrong about (fuzz/verdicts.h).
struct StepRequest {
  std::string rule;
  nlohmann::ordered_json args;
};

struct FuzzCase {
  PrimFunc program;
  std::vector<StepRequest> steps;
  uint64_t input_seed = 0;
};

/// Arguments in these forms (buffers and variables by name), and back, for this program; Error when a value has none of
/// them, or an expression names what the program does not have once.
nlohmann::ordered_json case_json(const Args& args);
Args to_args(const nlohmann::ordered_json& args, const PrimFunc* program = nullptr);
/// "lambda i, j: [i // 4, j]", of int32 indices.
IndexMap index_map_of(const std::string& text);

/// A text file that is also the TVMScript of the program: the steps and the seed stand in comments.
std::string to_text(const FuzzCase& c);
/// Reads it back; Error with the path when it is none.
FuzzCase parse_case(const std::string& text, const std::string& path);

}  // namespace hexproof
