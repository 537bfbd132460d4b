// Schedules: a program is transformed by TVM's primitives, every step proved.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "hexproof/check.h"

namespace hexproof::te {
struct Script;
}

namespace hexproof::api {

/// The text of a schedule: a Python program with TVM's names, which runs in this process, with all that it may do. No
/// name: there is no schedule.
struct ScheduleText {
  std::string name = {};
  std::string text = {};
  /// Of a script of tensor expressions: what it recorded. `text` is the script then.
  std::shared_ptr<const te::Script> recorded = {};
};
/// Reads a file ("-": standard input). Failure (Input) when it cannot be read.
ScheduleText read_schedule(const std::string& path);

/// A script of tensor expressions, which says both what is computed and how: the naive program of what it lowers last
/// (te.create_prim_func), and its schedule.
struct TensorScript {
  Program program;
  ScheduleText schedule;
};
/// Is the file such a script? It speaks of te.placeholder, te.compute or the like. False for what cannot be read.
bool is_tensor_script(const std::string& path);
/// Runs the script. Failure: Input, with the place, for a mistake in it; Unsupported for what is not modelled.
TensorScript read_tensor_script(const std::string& path, const ReadOptions& options = {});

/// Rejected: every step was proved, and yet the result is wrong. A bug of hexproof.
struct Disagreement {
  std::string seen_by;  // "check", "equiv", "runs", "the run of the object"
  std::string witness;  // what shows it
  std::string report;   // all that it takes to see it again
};

struct ScheduleOptions {
  std::string function = {};  // transform this one alone, with what it calls linked into it; empty: the whole file
  bool trust_rules = false;   // do not judge the result a second time
  bool thorough = false;      // check the result with all limits, also with `trust_rules`: what a certificate wants
};

struct ScheduledDetail;
struct Scheduled {
  /// Proved; or what a check says of the program before (it is not transformed then) or after; or Rejected.
  Verdict verdict = Verdict::Undecided;
  std::string program;                                 // Proved: the transformed program, in TVMScript
  std::vector<std::string> says;                       // not proved: what a person should read
  Disagreement disagreement = {};                      // Rejected
  std::shared_ptr<const ScheduledDetail> detail = {};  // for hexproof's own commands
};

/// Checks the program, runs the schedule with every application of a rule proved, and judges the result by what knows
/// no rule: a check of its own, equivalence with the program, runs in the interpreter. `Proved`: for every input on
/// which the program meets no error, the result meets none and leaves the same in its arguments (under the layouts that
/// the schedule gave them).
/// Failure: Input for a mistake in the schedule, with its place; Unsupported for a primitive or a construct that is not
/// modelled; Refuted or Undecided, with the place, for a primitive one of whose conditions is not true or not proved.
Scheduled schedule(const Program& program, const ScheduleText& schedule, const ScheduleOptions& options,
                   Session& session);

}  // namespace hexproof::api
