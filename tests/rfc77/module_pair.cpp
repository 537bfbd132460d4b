#include "tests/rfc77/module_pair.h"

#include "ir/diagnostic.h"

namespace hexproof::rfc77 {

Ran run_schedule_on_module(const IRModule& before, const std::string&, const std::string& name, Prover&) {
  throw Unsupported(before.functions.at(1).span, name + " has several functions, and schedules work on one");
}

}  // namespace hexproof::rfc77
