// hexproof certify FILE [SCHEDULE]: the main job, from a program to a certified kernel.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>

#include "backend/hexagon.h"
#include "backend/hexagon/inner_loops.h"
#include "backend/host.h"
#include "backend/kernel.h"
#include "fuzz/program.h"
#include "ir/base/digest.h"
#include "rewrite/kernel/lowering.h"
#include "rewrite/layout/interface.h"
#include "rewrite/report/certificate.h"
#include "tools/progress.h"
#include "tools/second_line.h"
#include "tools/session.h"
#include "tools/verdict.h"
#include "tools/version.h"
#include "verify/prove/effort.h"

namespace hexproof::tools {
namespace {

struct CertifyOptions : Judged {
  std::string file, schedule, function, output, target = "hexagon";
  uint64_t seed = 1;
  bool no_run = false;
};

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// What the first program computes on random inputs, by the interpreter, on a thread of its own.
struct Expected {
  std::vector<Tensor> inputs, outputs;
  double seconds = 0;
};
Expected interpret(const PrimFunc& func, uint64_t seed) {
  auto start = Clock::now();
  Expected out{random_inputs(func, seed, Values::Ordinary), {}, 0};
  out.outputs = out.inputs;
  RunResult result = run(func, out.outputs);
  if (result.error && result.error->kind == ErrorKind::FalseAssume) {
    throw Unsupported(result.error->span, "no input was found that satisfies this assume",
                      "--no-run certifies the program without a run, and says so");
  }
  HEXPROOF_CHECK(!result.error,
                 "the interpreter met an error in a program proved free of errors: " + result.error->str());
  out.seconds = seconds_since(start);
  return out;
}

/// One line per argument that the run may have changed, and whether all bits agree.
struct Comparison {
  bool equal = true;
  std::vector<std::string> lines;
};
Comparison compare(const PrimFunc& func, const std::vector<Tensor>& want, const std::vector<Tensor>& got) {
  Comparison out;
  std::vector<Buffer> buffers = func.buffer_params();
  for (size_t b = 0; b < buffers.size(); ++b) {
    int64_t equal = 0, first = first_difference(want[b], got[b], &equal);
    out.lines.push_back(fmt::format("{}: {} of {} elements bit-equal to the interpreter's{}", buffers[b]->name, equal,
                                    want[b].size(),
                                    first < 0 ? "" : fmt::format(", the first difference at {}", first)));
    out.equal = out.equal && first < 0;
  }
  return out;
}

/// As the program before sees it, and the padding that the interface promises.
Comparison compare(const Derivation& derivation, const Expected& want, const std::vector<Tensor>& packed) {
  Comparison out = compare(derivation.source(), want.outputs, unpack_all(derivation, packed));
  std::vector<Tensor> promised = pack_all(derivation, want.outputs, Moment::End);
  std::vector<Buffer> buffers = derivation.source().buffer_params();
  for (const InterfaceChange& change : derivation.interface()) {
    bool padded = std::any_of(change.layers.begin(), change.layers.end(),
                              [](const LayoutChange& layer) { return layer.padding.kind == Padding::Kind::Value; });
    for (size_t b = 0; b < buffers.size() && padded; ++b) {
      if (!(buffers[b] == change.before())) continue;
      int64_t first = first_difference(promised[b], packed[b]);
      out.lines.push_back(fmt::format("{}: the padding {}", buffers[b]->name,
                                      first < 0 ? "holds its value" : fmt::format("differs at {}", first)));
      out.equal = out.equal && first < 0;
    }
  }
  return out;
}

Json grants_json(const Grants& grants) {
  Json out = Json::array();
  for (const Grants::Basis& basis : grants.basis()) {
    out.push_back(
        {{"grant", basis.grant}, {"flags", basis.flags}, {"reason", basis.reason}, {"obligations", basis.obligations}});
    // Those that are no part of the check.
    if (basis.obligations.empty() && !basis.sentences.empty()) out.back()["proved"] = basis.sentences;
  }
  return out;
}

int certify(const CertifyOptions& o) {
  OutputFolder folder(o.output);
  Progress progress(o.quiet);
  progress.stage("proving");
  std::unique_ptr<Prover> prover = o.prover();
  int code = kProved;
  std::optional<Transformed> done = transform(o, o.file, o.schedule, o.function, *prover, &code);
  if (!done) return code;
  const Derivation& derivation = done->derivation;
  if (!o.no_run && !derivation.source().scalars().empty()) {
    throw Unsupported(derivation.source().span,
                      "a run on random input needs a function without scalar parameters and symbolic shapes",
                      "--no-run certifies it without a run, and says so");
  }
  std::future<Expected> expected;
  if (!o.no_run) expected = std::async(std::launch::async, [&] { return interpret(derivation.source(), o.seed); });
  progress.stage("judging the result");
  // The code generator builds on a check of the result in any case.
  const Validation validation = second_line(derivation, *prover, !o.trust_rules, true);
  if (!validation.disagrees.empty()) {
    return rejected(o, validation,
                    {"certify", o.file, done->source_text, o.schedule, done->schedule_text, derivation.source(),
                     before_lowering(derivation)});
  }
  const CheckReport& final_check = *validation.check;
  if (final_check.finding == Finding::Vacuous || final_check.finding == Finding::Unsupported) {
    say_check(o, "the transformed program", final_check);
    return exit_code(final_check.finding);
  }
  // What was there for the proofs alone has no code.
  lower_hints(done->derivation, *prover, "lowering");
  TimeBudget::stop();  // code generation and runs have limits of their own
  progress.stage("generating code");
  Target target = o.target == "host" ? Target::Host : Target::Hexagon;
  Kernel kernel = emit(derivation, {.target = target,
                                    .grants = grants_for(derivation, final_check, *prover),
                                    .assembly = target == Target::Hexagon});
  std::string object(kernel.object.begin(), kernel.object.end());
  folder.write("kernel.ll", kernel.llvm_ir);
  folder.write("kernel.o", object);
  folder.write("kernel.h", c_header(kernel));
  Json report = {{"target", o.target},
                 {"symbol", kernel.symbol},
                 {"llvm_ir", {{"file", "kernel.ll"}, {"sha256", sha256(kernel.llvm_ir)}}},
                 {"object", {{"file", "kernel.o"}, {"sha256", sha256(object)}}},
                 {"header", {{"file", "kernel.h"}, {"sha256", sha256(c_header(kernel))}}},
                 {"grants", grants_json(kernel.grants)}};
  std::vector<std::string> kernel_lines = {
      fmt::format("object: kernel.o ({} bytes), function {}", object.size(), kernel.symbol)};
  if (target == Target::Hexagon) {
    folder.write("kernel.s", kernel.assembly);
    Json loops = Json::array();
    int64_t spills = 0, pairs = 0, products = 0;
    for (const InnerLoop& loop : inner_loops(kernel.assembly)) {
      spills += loop.stack_accesses, pairs += loop.pairs, products += loop.multiplies;
      loops.push_back({{"packets", loop.packets.size()},
                       {"stack_accesses", loop.stack_accesses},
                       {"packets_with_a_product", loop.multiplies},
                       {"packets_with_two_products", loop.pairs}});
    }
    kernel_lines.push_back(
        fmt::format("inner loops: {}, with {} accesses through the stack pointer", loops.size(), spills));
    if (products > 0) kernel_lines.back() += fmt::format("; {} of {} packets with a vrmpy have two", pairs, products);
    report["inner_loops"] = loops;
  }
  std::vector<std::string> lines;
  bool agrees = true;
  if (target == Target::Hexagon) {
    Executable executable = link_hexagon(kernel);
    std::string image(executable.elf.begin(), executable.elf.end());
    folder.write("kernel.elf", image, true);
    report["executable"] = {{"file", "kernel.elf"}, {"sha256", sha256(image)}};
    if (!o.no_run) {
      progress.stage("running the interpreter and QEMU");
      Expected want = expected.get();
      std::vector<Tensor> tensors = pack_all(derivation, want.inputs);
      HexagonRun ran = run_hexagon(executable, tensors);
      Comparison result = compare(derivation, want, tensors);
      agrees = result.equal;
      lines.push_back(fmt::format("run under QEMU on random input (seed {}) at full size:", o.seed));
      for (const std::string& line : result.lines) lines.push_back("  " + line);
      lines.push_back(fmt::format("packets {}, instructions {}, HVX instructions {}{}", ran.packets, ran.instructions,
                                  ran.hvx, ran.may_have_wrapped ? " (the counters wrap at 2^32)" : ""));
      lines.push_back(fmt::format("seconds {:.2f} under QEMU, {:.2f} in the interpreter", ran.seconds, want.seconds));
      report["run"] = {{"seed", o.seed},
                       {"bit_equal", agrees},
                       {"results", result.lines},
                       {"packets", ran.packets},
                       {"instructions", ran.instructions},
                       {"hvx_instructions", ran.hvx}};
    }
  } else if (!o.no_run) {
    progress.stage("running the interpreter and the object");
    Expected want = expected.get();
    std::vector<Tensor> tensors = pack_all(derivation, want.inputs);
    auto start = Clock::now();
    run_host(kernel, tensors);
    double seconds = seconds_since(start);
    Comparison result = compare(derivation, want, tensors);
    agrees = result.equal;
    lines.push_back(fmt::format("run on this machine on random input (seed {}) at full size:", o.seed));
    for (const std::string& line : result.lines) lines.push_back("  " + line);
    lines.push_back(fmt::format("seconds {:.3f}, {:.2f} in the interpreter", seconds, want.seconds));
    report["run"] = {{"seed", o.seed}, {"bit_equal", agrees}, {"results", result.lines}};
  }
  if (o.no_run) lines.push_back("not run (--no-run)");
  if (!agrees) {
    for (const std::string& line : lines) o.say(line);
    o.say(
        "rejected: the object and the interpreter disagree; this is a bug of hexproof, LLVM or QEMU. Nothing was "
        "written");
    return kRejected;
  }
  progress.stage("writing the certificate");
  std::string summary = write_certificate(folder, {.derivation = derivation,
                                                   .source_check = done->source_check,
                                                   .final_check = final_check,
                                                   .source_path = o.file,
                                                   .source_text = done->source_text,
                                                   .schedule_path = o.schedule,
                                                   .schedule_text = done->schedule_text,
                                                   .versions = version_json(),
                                                   .kernel = report,
                                                   .summary_lines = kernel_lines,
                                                   .tested_lines = lines,
                                                   .validation = o.trust_rules ? nullptr : &validation});
  folder.commit();
  if (!o.json.empty()) write_file(o.json, read_file(o.output + "/certificate.json"));
  o.say(summary);
  o.say("certificate: " + o.output);
  return kProved;
}

}  // namespace

void add_certify(CLI::App& app, Run& run) {
  auto o = std::make_shared<CertifyOptions>();
  CLI::App* command = app.add_subcommand("certify", "a certified kernel: object, proof and measurements in one folder");
  command->add_option("FILE", o->file, "the program, in TVMScript")->required();
  command->add_option("SCHEDULE", o->schedule, "the schedule, in Python with TVM's names");
  command->add_option("--target", o->target, "hexagon or host")->check(CLI::IsMember({"hexagon", "host"}));
  command->add_option("-o,--output", o->output, "the certificate folder")->required();
  command->add_option("--function", o->function, "the function to certify, when the file has several");
  command->add_option("--seed", o->seed, "which random input the object runs on");
  command->add_flag("--no-run", o->no_run, "do not run the object; the summary says so");
  o->add_to(*command);
  o->add_trust_rules(*command);
  command->callback([o, &run] { run = [o] { return certify(*o); }; });
}

}  // namespace hexproof::tools
