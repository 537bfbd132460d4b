#include "hexproof/run.h"

#include "backend/arguments.h"
#include "backend/hexagon.h"
#include "backend/host.h"
#include "rewrite/kernel/lowering.h"
#include "rewrite/layout/interface.h"
#include "tools/api/detail.h"
#include "verify/check/assert_static/assert_static.h"
#include "verify/check/error_met.h"
#include "verify/equiv/satisfiable.h"
#include "verify/prove/effort.h"

namespace hexproof::api {
namespace {

/// The program is read: what does not fit is what it is to run on, or how.
template <class F>
auto with_options(F&& work) {
  return translated([&] { return coded(Code::Option, std::forward<F>(work)); });
}

hexproof::Tensor inner(Tensor tensor) {
  std::optional<DType> type = parse_dtype(tensor.dtype);
  if (!type) throw Error("'" + tensor.dtype + "' is no dtype");
  return {*type, std::move(tensor.shape), std::move(tensor.data), std::move(tensor.initialised)};
}
Tensor outer(hexproof::Tensor tensor) {
  return {tensor.dtype.str(), std::move(tensor.shape), std::move(tensor.data), std::move(tensor.initialised)};
}

/// The first tensors are given; the rest, which the program is to write, start as zeros.
std::vector<hexproof::Tensor> arguments(const PrimFunc& func, std::vector<Tensor>& given) {
  std::vector<Buffer> buffers = func.buffer_params();
  if (given.size() > buffers.size()) {
    throw Error("'" + func.name + "' has " + std::to_string(buffers.size()) + " buffers: too many tensors");
  }
  std::vector<hexproof::Tensor> out;
  for (Tensor& tensor : given) {
    out.push_back(inner(tensor));
    auto size = static_cast<size_t>(out.back().size());
    const hexproof::Tensor& t = out.back();
    bool whole = t.data.size() == size * static_cast<size_t>(t.dtype.bytes());
    if (!whole || (!t.initialised.empty() && t.initialised.size() != size)) {
      throw Error("the data of a tensor is not of its shape's size");
    }
  }
  for (size_t b = given.size(); b < buffers.size(); ++b) {
    const std::optional<std::vector<int64_t>> shape = constant_shape(buffers[b]);
    if (!shape) {
      throw Error("'" + buffers[b]->name + "' has a symbolic shape: give a tensor for it with --input");
    }
    out.push_back(make_argument(func, buffers[b], *shape));
  }
  return out;
}

void put_back(std::vector<hexproof::Tensor> ran, std::vector<Tensor>& tensors) {
  tensors.clear();
  for (hexproof::Tensor& tensor : ran) tensors.push_back(outer(std::move(tensor)));
}

/// Runs in the interpreter with everything asserted that `check` concluded: what is false is a bug of ours.
RunResult run_asserted(const PrimFunc& func, std::vector<hexproof::Tensor>& tensors, const RunOptions& o,
                       Prover& prover, std::vector<std::string>* counts) {
  StaticClaims claims = static_claims(func);
  CheckReport checked = hexproof::check(func, prover);
  add_proved(&claims, checked);
  TimeBudget::stop();  // a program may run as long as it likes
  AssertedRun ran = run_asserting(claims, tensors, o.scalars);
  if (ran.failure) throw InternalError(ran.failure->str());
  if (ran.result.error && !ran.assume_is_false && checked.finding == Finding::Proved) {
    throw InternalError("check proved the program free of errors, and it reaches one: " + ran.result.error->str());
  }
  const AssertCounts& n = ran.counts;
  *counts = {"asserted: " + std::to_string(n.facts) + " facts, " + std::to_string(n.cells) + " contents of cells, " +
             std::to_string(n.accesses) + " accesses in footprints, " + std::to_string(n.exact) + " exact accesses, " +
             std::to_string(n.obligations) + " obligations, " + std::to_string(n.claims) +
             " claims of blocks; none false"};
  if (n.unknown > 0)
    counts->push_back(std::to_string(n.unknown) + " formulas held opaque values: nothing is known of them");
  if (n.skipped > 0)
    counts->push_back(std::to_string(n.skipped) + " executions of statements were not looked at, for time");
  return ran.result;
}

Ran run_linked(const Linked& linked, std::vector<hexproof::Tensor>& tensors, const RunOptions& o, Prover& prover) {
  const PrimFunc& func = linked.func;
  Ran out;
  out.verdict = Verdict::Proved;
  // (The cells that are told of are of arguments that the run left as they were.)
  auto interpret = [&](std::vector<hexproof::Tensor>& arguments) {
    const PrimFunc program = as_program(linked);
    if (!o.assert_static) TimeBudget::stop();
    RunResult result = o.assert_static ? run_asserted(program, arguments, o, prover, &out.counts)
                                       : hexproof::run(program, arguments, o.scalars);
    if (!result.error) return true;
    out.met = std::make_shared<const ErrorMet>(error_met(program, *result.error, arguments, o.scalars));
    out.verdict = Verdict::Refuted, out.error = out.met->str();
    return false;
  };
  if (o.target == RunTarget::Interpreter) {
    interpret(tensors);
    return out;
  }
  // Native code checks nothing, so only a program that is proved free of errors may run.
  auto checked = std::make_shared<const CheckReport>(check_program(linked, prover));
  out.verdict = verdict_of(checked->finding);
  out.checked = {func.name, out.verdict, tally(*checked).str(), checked->counterexample, checked->reason, checked};
  if (out.verdict != Verdict::Proved && !o.of_certificate) return out;
  if (out.verdict != Verdict::Proved) {
    out.verdict = Verdict::Proved, out.checked = {};
    std::vector<hexproof::Tensor> rehearsal = tensors;
    if (!interpret(rehearsal)) return out;
    out.counts.emplace_back(
        "the final program rests on what the first one assumes: its run in the interpreter met no error");
  }
  if (o.target == RunTarget::Host && o.cpu.empty()) {
    TimeBudget::stop();
    HostBatch batch({.optimise = true});
    size_t index = batch.add(func);
    batch.compile();
    batch.run(index, tensors, o.scalars);
    return out;
  }
  Derivation derivation(func);
  lower_hints(derivation, prover, "lowering");
  const Grants grants = grants_for(derivation, *checked, prover);
  TimeBudget::stop();
  if (o.target == RunTarget::Host) {
    run_host(emit(derivation, {.target = hexproof::Target::Host, .cpu = host_cpu(o.cpu), .grants = grants}), tensors,
             o.scalars);
    return out;
  }
  Kernel kernel = emit(derivation, {.target = hexproof::Target::Hexagon, .grants = grants});
  HexagonRun ran = run_hexagon(link_hexagon(kernel), tensors, o.scalars);
  out.counts = {"packets " + std::to_string(ran.packets) + ", instructions " + std::to_string(ran.instructions)};
  return out;
}

}  // namespace

int64_t Tensor::size() const {
  int64_t out = 1;
  for (int64_t n : shape) out *= n;
  return out;
}

Tensor make_tensor(const std::string& dtype, const std::vector<int64_t>& shape) {
  return with_options([&] {
    for (int64_t n : shape) {
      if (n < 0) throw Error("an extent is negative");
    }
    return outer(hexproof::make_tensor(inner({dtype}).dtype, shape));
  });
}
Tensor read_npy(const std::string& path) {
  return with_options([&] { return outer(hexproof::read_npy(path)); });
}
void write_npy(const std::string& path, const Tensor& tensor) {
  with_options([&] { hexproof::write_npy(path, inner(tensor)); });
}

ScalarArgument read_scalar_argument(const std::string& text) {
  return with_options([&] { return hexproof::read_scalar_argument(text); });
}

Ran run(const Program& program, std::vector<Tensor>& tensors, const RunOptions& options, Session& session) {
  return with_options([&] {
    if (options.assert_static && options.target != RunTarget::Interpreter) {
      throw Error("--assert-static goes with the interpreter only");
    }
    if (!options.cpu.empty()) {
      if (options.target != RunTarget::Host) throw Error("a processor is chosen for the target host only (--cpu)");
      demand_runs_here(host_cpu(options.cpu));
    }
    const Linked linked = linked_function(program, options.function, session);
    std::vector<hexproof::Tensor> all = arguments(linked.func, tensors);
    Ran out = run_linked(linked, all, options, session.prover());
    put_back(std::move(all), tensors);
    return out;
  });
}

void run(const Certificate& certificate, std::vector<Tensor>& tensors, const std::vector<int64_t>& scalars) {
  with_options([&] {
    if (certificate.verdict != Verdict::Proved || certificate.detail->kernel.target != hexproof::Target::Host) {
      throw Error("this is no certificate of a kernel for the host");
    }
    const Derivation& derivation = certificate.detail->transformed.function();
    std::vector<hexproof::Tensor> logical = arguments(derivation.source(), tensors);
    bind_scalars(derivation.source(), logical, scalars);  // an Error where types or shapes do not match
    std::vector<hexproof::Tensor> packed = pack_all(derivation, logical, Moment::Start, scalars);
    run_host(certificate.detail->kernel, packed, scalars);
    put_back(unpack_all(derivation, packed, scalars), tensors);
  });
}

}  // namespace hexproof::api
