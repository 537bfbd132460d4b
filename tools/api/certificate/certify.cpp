// certify(): the main job, from a program to a certified kernel.
#include "tools/api/certificate/certify.h"

#include <fmt/format.h>

#include <chrono>
#include <future>
#include <optional>

#include "backend/hexagon.h"
#include "backend/hexagon/inner_loops.h"
#include "backend/row_code.h"
#include "ir/base/digest.h"
#include "ir/base/file.h"
#include "rewrite/intrinsics/intrinsic.h"
#include "rewrite/kernel/lowering.h"
#include "rewrite/layout/interface.h"
#include "rewrite/report/certificate.h"
#include "tools/api/certificate/audit_files.h"
#include "tools/api/certificate/lower_vectorized.h"
#include "tools/api/detail.h"
#include "tools/api/second_line.h"
#include "tools/api/version.h"
#include "verify/prove/effort.h"

namespace hexproof::api {
namespace {

using Clock = std::chrono::steady_clock;

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

/// The kernel as files, as JSON, and as lines of the summary.
struct Emitted {
  std::map<std::string, CertificateFile> files;
  Json json;
  std::vector<std::string> lines;
};

Json add_file(Emitted& out, const std::string& name, const std::string& bytes) {
  out.files[name] = {bytes};
  return {{"file", name}, {"sha256", sha256(bytes)}};
}

Emitted emitted(const Kernel& kernel) {
  Emitted out;
  std::string object(kernel.object.begin(), kernel.object.end());
  out.json = {{"target", kernel.target == hexproof::Target::Host ? "host" : "hexagon"},
              {"symbol", kernel.symbol},
              {"llvm_ir", add_file(out, "kernel.ll", kernel.llvm_ir)},
              {"object", add_file(out, "kernel.o", object)},
              {"header", add_file(out, "kernel.h", c_header(kernel))},
              {"grants", grants_json(kernel.grants)}};
  out.lines = {fmt::format("object: kernel.o ({} bytes), function {}", object.size(), kernel.symbol)};
  if (kernel.target == hexproof::Target::Host) {
    out.json["cpu"] = kernel.cpu.name();
    out.lines[0] += fmt::format(", for {}", kernel.cpu.name());
  }
  for (const std::string& row : rows_of(kernel)) {
    const Intrinsic::Code* code = code_for(*intrinsic_by_name(row), kernel.target, kernel.cpu);
    const std::string lemma = code ? lemma_of(*code) : "";
    out.json["rows"].push_back({{"row", row}, {"instruction", code != nullptr}});
    if (!lemma.empty()) out.json["rows"].back()["lemma"] = lemma;
    if (!code) out.lines.push_back(fmt::format("'{}' is no instruction there: its nests run as they stand", row));
    if (!lemma.empty()) out.lines.push_back(fmt::format("'{}' by the lemma {}", row, lemma));
  }
  Json vectorized = Json::array();
  for (const VectorizedLoop& loop : kernel.vectorized) {
    using Code = VectorizedLoop::Code;
    vectorized.push_back({{"loop", loop.var.name()},
                          {"code", loop.code == Code::Vector   ? "vector"
                                   : loop.code == Code::Scalar ? "scalar"
                                                               : "gone"}});
    if (loop.code != Code::Scalar) continue;
    vectorized.back()["why"] = loop.why;
    out.lines.push_back(fmt::format("the vectorized loop '{}' became scalar code: {}", loop.var.name(), loop.why));
  }
  out.json["vectorized_loops"] = vectorized;
  if (kernel.target == hexproof::Target::Host) return out;
  out.files["kernel.s"] = {kernel.assembly};
  Json loops = Json::array();
  int64_t spills = 0, pairs = 0, products = 0;
  for (const InnerLoop& loop : inner_loops(kernel.assembly)) {
    spills += loop.stack_accesses, pairs += loop.pairs, products += loop.multiplies;
    loops.push_back({{"packets", loop.packets.size()},
                     {"stack_accesses", loop.stack_accesses},
                     {"packets_with_a_product", loop.multiplies},
                     {"packets_with_two_products", loop.pairs}});
  }
  out.lines.push_back(fmt::format("inner loops: {}, with {} accesses through the stack pointer", loops.size(), spills));
  if (products > 0) out.lines.back() += fmt::format("; {} of {} packets with a vrmpy have two", pairs, products);
  out.json["inner_loops"] = loops;
  return out;
}

/// What the run on random input showed.
struct Tested {
  bool agrees = true;
  std::vector<std::string> lines;
};

Tested run_on_hexagon(const Executable& executable, const Derivation& derivation, const Expected& want, uint64_t seed,
                      Json* json, uint64_t* packets) {
  std::vector<hexproof::Tensor> tensors = pack_all(derivation, want.inputs);
  HexagonRun ran = run_hexagon(executable, tensors);
  *packets = ran.packets;
  Comparison result = compare(derivation, want, tensors);
  Tested out{result.agrees, {fmt::format("run under QEMU on random input (seed {}) at full size:", seed)}};
  for (const std::string& line : result.lines) out.lines.push_back("  " + line);
  out.lines.push_back(fmt::format("packets {}, instructions {}, HVX instructions {}{}", ran.packets, ran.instructions,
                                  ran.hvx, ran.may_have_wrapped ? " (the counters wrap at 2^32)" : ""));
  out.lines.push_back(fmt::format("seconds {:.2f} under QEMU, {:.2f} in the interpreter", ran.seconds, want.seconds));
  *json = {{"seed", seed},           {"bit_equal", result.bit_equal},    {"results", result.lines},
           {"packets", ran.packets}, {"instructions", ran.instructions}, {"hvx_instructions", ran.hvx}};
  return out;
}

Tested run_on_host(const Kernel& kernel, const Derivation& derivation, const Expected& want, uint64_t seed,
                   Json* json) {
  std::vector<hexproof::Tensor> tensors = pack_all(derivation, want.inputs);
  auto start = Clock::now();
  run_host(kernel, tensors);
  double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  Comparison result = compare(derivation, want, tensors);
  Tested out{result.agrees, {fmt::format("run on this machine on random input (seed {}) at full size:", seed)}};
  for (const std::string& line : result.lines) out.lines.push_back("  " + line);
  out.lines.push_back(fmt::format("seconds {:.3f}, {:.2f} in the interpreter", seconds, want.seconds));
  *json = {{"seed", seed}, {"bit_equal", result.bit_equal}, {"results", result.lines}};
  return out;
}

}  // namespace

std::string sums_of(const std::map<std::string, CertificateFile>& files) {
  CertificateBytes bytes;
  for (const auto& [name, file] : files) bytes[name] = file.bytes;
  return sums_of(bytes);
}

Certificate certified(const Program& program, const ScheduleText& schedule, const CertifyOptions& o, Session& session,
                      const Derive& derive, Addressing addressed) {
  auto stage = [&](const char* what) { o.stage ? o.stage(what) : void(); };
  if (o.target != Target::Host && !o.cpu.empty()) throw Error("a processor is chosen for the target host only (--cpu)");
  const HostCpu cpu = o.cpu.empty() ? HostCpu{} : host_cpu(o.cpu);
  if (o.target == Target::Host && o.run) demand_runs_here(cpu);  // before anything is proved
  Prover& prover = session.prover();
  Certificate out;
  stage("proving");
  session.begin();
  auto detail = std::make_shared<CertificateDetail>(CertificateDetail{derive(&out.says), {}, {}, {}});
  out.detail = detail;
  out.verdict = detail->transformed.verdict;
  if (out.verdict != Verdict::Proved) return out;
  Derivation& derivation = detail->transformed.function();
  if (o.run && !derivation.source().scalars().empty()) {
    throw Unsupported(derivation.source().span,
                      "a run on random input needs a function without scalar parameters and symbolic shapes",
                      "--no-run certifies it without a run, and says so");
  }
  std::future<Expected> expected;
  if (o.run) expected = std::async(std::launch::async, [&] { return interpret(derivation.source(), o.seed); });
  if (o.target == Target::Hexagon) lower_vectorized(derivation, prover);
  stage("judging the result");
  // The code generator builds on a check of the result in any case.
  const Validation& validation = detail->validation = second_line(derivation.source(), before_lowering(derivation),
                                                                  derivation.interface(), prover, !o.trust_rules, true);
  if (!validation.disagrees.empty()) {
    out.verdict = Verdict::Rejected;
    out.disagreement =
        disagreement(validation, {"certify", program, schedule, derivation.source(), before_lowering(derivation)});
    return out;
  }
  const CheckReport& final_check = *validation.check;
  if (final_check.finding == Finding::Vacuous || final_check.finding == Finding::Unsupported) {
    out.verdict = verdict_of(final_check.finding);
    out.says = check_lines("the transformed program", final_check);
    return out;
  }
  // What was there for the proofs alone has no code.
  lower_hints(derivation, prover, "lowering");
  TimeBudget::stop();  // code generation and runs have limits of their own
  stage("generating code");
  hexproof::Target target = o.target == Target::Host ? hexproof::Target::Host : hexproof::Target::Hexagon;
  EmitOptions how{.target = target,
                  .cpu = cpu,
                  .grants = grants_for(derivation, final_check, prover),
                  .assembly = target == hexproof::Target::Hexagon,
                  .addressing = addressed};
  Kernel& kernel = detail->kernel = emit(derivation, how);
  Tested tested;
  Json run_json;
  std::optional<Executable> executable;
  Json addressing;
  if (target == hexproof::Target::Hexagon) {
    executable = link_hexagon(kernel);
    if (o.run) {
      stage("running the interpreter and QEMU");
      const Expected want = expected.get();
      uint64_t packets = 0;
      tested = run_on_hexagon(*executable, derivation, want, o.seed, &run_json, &packets);
      // Which addresses suit a tile, nobody knows before it runs.
      if (tested.agrees && count_marks(derivation.current().body) > 0) {
        how.addressing = Addressing::Offsets;
        Kernel other = emit(derivation, how);
        Executable linked = link_hexagon(other);
        uint64_t fewer = 0;
        Json json;
        Tested run = run_on_hexagon(linked, derivation, want, o.seed, &json, &fewer);
        addressing = {{"post-increment", packets}, {"offsets", fewer}};
        if (fewer < packets || !run.agrees) tested = run, run_json = json, kernel = other, executable = linked;
        addressing["kept"] = fewer < packets ? "offsets" : "post-increment";
        tested.lines.push_back(
            fmt::format("addresses by post-increment {} packets, by offsets {}: the better is kept", packets, fewer));
      }
    }
  } else if (o.run) {
    stage("running the interpreter and the object");
    tested = run_on_host(kernel, derivation, expected.get(), o.seed, &run_json);
  }
  Emitted made = emitted(kernel);
  if (executable) {
    made.json["executable"] = add_file(made, "kernel.elf", {executable->elf.begin(), executable->elf.end()});
    made.files["kernel.elf"].executable = true;
  }
  if (!addressing.is_null()) made.json["addressing"] = addressing;
  if (o.run) made.json["run"] = run_json;
  if (!o.run) tested.lines.push_back("not run (--no-run)");
  if (!tested.agrees) {
    out.verdict = Verdict::Rejected;
    out.says = tested.lines;
    out.disagreement.seen_by = "the run of the object";
    return out;
  }
  stage("writing the certificate");
  detail->models = given_models(derivation, detail->transformed.source_check(), final_check, prover);
  Json origin = {{"command", "certify"},
                 {"target", o.target == Target::Host ? "host" : "hexagon"},
                 {"run", o.run},
                 {"seed", o.seed},
                 {"trust_rules", o.trust_rules}};
  if (o.target == Target::Host) origin["cpu"] = cpu.name();
  out.files = std::move(made.files);
  write_certificate([&](const std::string& name, const std::string& bytes) { out.files[name] = {bytes}; },
                    {.derivation = derivation,
                     .source_check = detail->transformed.source_check(),
                     .final_check = final_check,
                     .models = detail->models,
                     .source_path = program.path(),
                     .source_text = program.text(),
                     .schedule_path = schedule.name,
                     .schedule_text = schedule.text,
                     .versions = version_json(),
                     .kernel = made.json,
                     .summary_lines = made.lines,
                     .tested_lines = tested.lines,
                     .validation = o.trust_rules ? nullptr : &validation,
                     .made = origin});
  out.files[kSums] = {sums_of(out.files)};
  return out;
}

Certificate certify(const Program& program, const ScheduleText& schedule, const CertifyOptions& options,
                    Session& session) {
  return translated([&] {
    return certified(program, schedule, options, session, [&](std::vector<std::string>* says) {
      return transform(program, schedule, options.function, false, session, says);
    });
  });
}

Certificate certify_transformed(const Transformed& transformed, const Program& program, const ScheduleText& schedule,
                                const CertifyOptions& options, Session& session) {
  return translated([&] {
    return certified(program, schedule, options, session, [&](std::vector<std::string>*) { return transformed; });
  });
}

void Certificate::save(const std::string& folder) const {
  translated([&] {
    if (verdict != Verdict::Proved)
      throw Error("there is no certificate: the verdict is " + std::string(to_text(verdict)));
    OutputFolder out(folder);
    for (const auto& [name, file] : files) out.write(name, file.bytes, file.executable);
    out.commit();
  });
}

}  // namespace hexproof::api
