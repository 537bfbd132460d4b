// Values under which what is given in obligations holds, as a certificate has them.
#pragma once
#include "rewrite/report/report.h"

namespace hexproof {

/// For each list, in order: {"values": ["i = 3", "A[i] = 0"]}, floats as their IEEE bits; or {"none": why}, with
/// "contradiction" where no values satisfy it.
Json to_json(const GivenModels& models);

/// What is wrong with the stored values: at /given_models/`number`.
struct WrongModel {
  size_t number = 0;
  std::string why;
  bool by_other_solvers = false;  // another solver may find what `found` does not have, and the other way round
};
/// Evaluates the stored values of each list. Without values a list must say so, and why; where `found` has values of
/// it, it must have some.
std::vector<WrongModel> wrong_models(const Json& stored, const GivenModels& found);

/// "what is given, in 214 ways: 210 hold at stored values, 3 contradict themselves, 1 without values"
std::string models_line(const GivenModels& models);

}  // namespace hexproof
