// hexproof run FILE: runs a program on tensors from .npy files.
#include "backend/hexagon.h"
#include "backend/host.h"
#include "ir/base/file.h"
#include "ir/interpreter/interpreter.h"
#include "rewrite/kernel/lowering.h"
#include "tools/command.h"
#include "tools/verdict.h"
#include "verify/check/assert_static/assert_static.h"
#include "verify/prove/effort.h"

namespace hexproof::tools {
namespace {

struct RunOptions : Common {
  std::string path, function, target = "interp";
  std::vector<std::string> inputs, outputs;
  std::vector<int64_t> scalars;
  bool assert_static = false;
};

/// Runs in the interpreter with everything asserted that `check` concluded: what is false is a bug of ours.
RunResult run_asserted(const RunOptions& o, const PrimFunc& func, std::vector<Tensor>& tensors, Prover& prover) {
  StaticClaims claims = static_claims(func);
  CheckReport checked = check(func, prover);
  add_proved(&claims, checked);
  AssertedRun ran = run_asserting(claims, tensors, o.scalars);
  if (ran.failure) throw InternalError(ran.failure->str());
  if (ran.result.error && !ran.assume_is_false && checked.finding == Finding::Proved) {
    throw InternalError("check proved the program free of errors, and it reaches one: " + ran.result.error->str());
  }
  const AssertCounts& n = ran.counts;
  o.say("asserted: " + std::to_string(n.facts) + " facts, " + std::to_string(n.cells) + " contents of cells, " +
        std::to_string(n.accesses) + " accesses in footprints, " + std::to_string(n.exact) + " exact accesses, " +
        std::to_string(n.obligations) + " obligations, " + std::to_string(n.claims) + " claims of blocks; none false");
  if (n.unknown > 0) o.say(std::to_string(n.unknown) + " formulas held opaque values: nothing is known of them");
  if (n.skipped > 0) o.say(std::to_string(n.skipped) + " executions of statements were not looked at, for time");
  return ran.result;
}

int run_program(const RunOptions& o) {
  if (o.assert_static && o.target != "interp") throw Error("--assert-static goes with the interpreter only");
  std::unique_ptr<Prover> prover = o.prover();
  const Linked linked = o.program(o.path, o.function, *prover);
  TimeBudget::stop();  // a program may run as long as it likes
  const PrimFunc& func = linked.func;
  std::vector<Buffer> buffers = func.buffer_params();
  // Inputs go to the first parameters; the rest, which the program is to write, start as zeros.
  if (o.inputs.size() > buffers.size() || o.outputs.size() > buffers.size()) {
    throw Error("'" + func.name + "' has " + std::to_string(buffers.size()) + " buffers: too many files");
  }
  std::vector<Tensor> tensors;
  for (size_t b = 0; b < buffers.size(); ++b) {
    std::vector<int64_t> shape;
    if (b < o.inputs.size()) {
      tensors.push_back(read_npy(o.inputs[b]));
    } else if (constant_shape(buffers[b], &shape)) {
      tensors.push_back(make_tensor(buffers[b]->dtype, shape));
    } else {
      throw Error("'" + buffers[b]->name + "' has a symbolic shape: give a tensor for it with --input");
    }
  }
  if (o.target == "interp") {
    RunResult result = o.assert_static ? run_asserted(o, func, tensors, *prover) : run(func, tensors, o.scalars);
    if (result.error) {
      o.say("the program reaches an error: " + result.error->str());
      return kRefuted;
    }
  } else {
    // Native code checks nothing, so only a program that is proved free of errors may run.
    CheckReport checked = check(linked, *prover);
    if (checked.finding != Finding::Proved) {
      say_check(o, func.name, checked);
      return exit_code(checked.finding);
    }
    if (o.target == "host") {
      HostBatch batch({.optimise = true});
      size_t index = batch.add(func);
      batch.compile();
      batch.run(index, tensors, o.scalars);
    } else {
      Derivation derivation(func);
      lower_hints(derivation, *prover, "lowering");
      Kernel kernel = emit(derivation, {.target = Target::Hexagon, .grants = grants_for(derivation, checked, *prover)});
      HexagonRun ran = run_hexagon(link_hexagon(kernel), tensors, o.scalars);
      o.say("packets " + std::to_string(ran.packets) + ", instructions " + std::to_string(ran.instructions));
    }
  }
  // Outputs are the last parameters.
  for (size_t i = 0; i < o.outputs.size(); ++i) write_npy(o.outputs[i], tensors[buffers.size() - o.outputs.size() + i]);
  return kProved;
}

}  // namespace

void add_run(CLI::App& app, Run& run) {
  auto o = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "run a program on tensors");
  command->add_option("PROGRAM", o->path, "a program in TVMScript, or a certificate folder: its final program")
      ->required();
  command->add_option("--input", o->inputs, ".npy files for the first buffers, in order");
  command->add_option("--output", o->outputs, ".npy files that receive the last buffers, in order");
  command->add_option("--scalar", o->scalars, "values of the scalar parameters, in order");
  command->add_option("--function", o->function, "the function to run, when the file has several");
  command->add_option("--target", o->target, "interp, host or hexagon")
      ->check(CLI::IsMember({"interp", "host", "hexagon"}));
  command->add_flag("--assert-static", o->assert_static,
                    "assert on the way every fact, footprint, obligation and claim that check has of the program");
  o->add_to(*command);
  command->callback([o, &run] {
    run = [o] {
      RunOptions options = *o;
      std::error_code error;
      if (std::filesystem::is_directory(options.path, error)) options.path += "/final.py";
      return run_program(options);
    };
  });
}

}  // namespace hexproof::tools
