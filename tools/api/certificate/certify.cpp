// certify(): the main job, from a program to a certified kernel.
#include "tools/api/certificate/certify.h"

#include <fmt/format.h>

#include <future>
#include <optional>

#include "backend/hexagon.h"
#include "backend/hexagon/inner_loops.h"
#include "backend/row_code.h"
#include "backend/row_tables.h"
#include "ir/base/codes.h"
#include "ir/base/digest.h"
#include "ir/base/file.h"
#include "ir/text/text.h"
#include "rewrite/intrinsics/intrinsic.h"
#include "rewrite/kernel/lowering.h"
#include "rewrite/layout/interface.h"
#include "rewrite/report/certificate.h"
#include "tools/api/certificate/audit_files.h"
#include "tools/api/certificate/lower_vectorized.h"
#include "tools/api/certificate/run_record.h"
#include "tools/api/detail.h"
#include "tools/api/second_line.h"
#include "tools/api/version.h"
#include "verify/prove/effort.h"

namespace hexproof::api {
namespace {

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

Json texts_of(const std::vector<Expr>& extents) {
  Json out = Json::array();
  for (const Expr& extent : extents) out.push_back(print(extent));
  return out;
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
  for (const Buffer& b : kernel.func.buffer_params()) {
    if (!is_row_table(b)) continue;
    const RowAxes axes = row_axes(b);
    out.json["row_tables"].push_back(
        {{"argument", b->name}, {"table", texts_of(axes.table)}, {"row", texts_of(axes.row)}});
    out.lines.push_back(fmt::format("the argument '{}' is {}", b->name, text_of_table(b)));
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

RunRecord run_on_hexagon(const Executable& executable, const Derivation& derivation, const Expected& want,
                         uint64_t seed) {
  std::vector<hexproof::Tensor> tensors = pack_all(derivation, want.inputs);
  const HexagonRun ran = run_hexagon(executable, tensors);
  return {true, seed, compare(derivation, want, tensors), ran, {}};
}

RunRecord run_on_host(const Kernel& kernel, const Derivation& derivation, const Expected& want, uint64_t seed) {
  std::vector<hexproof::Tensor> tensors = pack_all(derivation, want.inputs);
  HexagonRun ran;
  try {
    run_host(kernel, tensors);
  } catch (const KernelFailure& failure) {
    return {false, seed, {.agrees = false, .lines = {failure.what()}}, ran, {}};
  }
  return {false, seed, compare(derivation, want, tensors), ran, {}};
}

}  // namespace

std::string sums_of(const std::map<std::string, CertificateFile>& files) {
  CertificateBytes bytes;
  for (const auto& [name, file] : files) bytes[name] = file.bytes;
  return hexproof::sums_of(bytes);
}

Certificate certified(const Program& program, const ScheduleText& schedule, const CertifyOptions& o, Session& session,
                      const Derive& derive, const ClaimedRun* claimed) {
  auto stage = [&](const char* what) { o.stage ? o.stage(what) : void(); };
  if (o.target != Target::Host && !o.cpu.empty())
    throw CodedError(Code::Option, "a processor is chosen for the target host only (--cpu)");
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
  if (std::string why = why_no_run(derivation.source()); (o.run || claimed) && !why.empty())
    throw Unsupported(derivation.source().span, why, "--no-run certifies it without a run, and says so");
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
  std::optional<TimeBudget::Pause> own_limits;  // of code generation and runs
  own_limits.emplace();
  stage("generating code");
  hexproof::Target target = o.target == Target::Host ? hexproof::Target::Host : hexproof::Target::Hexagon;
  EmitOptions how{.target = target,
                  .cpu = cpu,
                  .grants = grants_for(derivation, final_check, prover),
                  .assembly = target == hexproof::Target::Hexagon};
  // Which addresses suit a tile, nobody knows before it runs.
  const bool two_ways = target == hexproof::Target::Hexagon && count_marks(derivation.current().body) > 0;
  std::optional<RunRecord> record;
  if (claimed) {
    record = record_of(*claimed, derivation, target == hexproof::Target::Hexagon, two_ways, o.seed);
    if (two_ways) how.addressing = record->addresses->kept();
  }
  Kernel& kernel = detail->kernel = emit(derivation, how);
  std::optional<Executable> executable;
  if (target == hexproof::Target::Hexagon) {
    executable = link_hexagon(kernel);
    if (o.run) {
      stage("running the interpreter and QEMU");
      const Expected want = expected.get();
      record = run_on_hexagon(*executable, derivation, want, o.seed);
      if (two_ways && record->result.agrees) {
        how.addressing = Addressing::Offsets;
        Kernel other = emit(derivation, how);
        Executable linked = link_hexagon(other);
        RunRecord run = run_on_hexagon(linked, derivation, want, o.seed);
        const RunRecord::Addresses addresses{record->figures.packets, run.figures.packets};
        if (addresses.kept() == Addressing::Offsets || !run.result.agrees) {
          record = run, kernel = other, executable = linked;
        }
        record->addresses = addresses;
      }
    }
  } else if (o.run) {
    stage("running the interpreter and the object");
    record = run_on_host(kernel, derivation, expected.get(), o.seed);
  }
  Emitted made = emitted(kernel);
  if (executable) {
    made.json["executable"] = add_file(made, "kernel.elf", {executable->elf.begin(), executable->elf.end()});
    made.files["kernel.elf"].executable = true;
  }
  if (record) add_json(*record, &made.json);
  const std::vector<std::string> tested = record ? lines_of(*record) : std::vector<std::string>{"not run (--no-run)"};
  if (record && !record->result.agrees) {
    out.verdict = Verdict::Rejected;
    out.says = tested;
    out.disagreement.seen_by = "the run of the object";
    return out;
  }
  own_limits.reset();
  stage("writing the certificate");
  detail->models = given_models(derivation, detail->transformed.source_check(), final_check, prover);
  Json origin = {{"command", "certify"},         {"target", o.target == Target::Host ? "host" : "hexagon"},
                 {"run", record.has_value()},    {"seed", o.seed},
                 {"trust_rules", o.trust_rules}, {"rlimit", session.limits().rlimit}};
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
                     .tested_lines = tested,
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
