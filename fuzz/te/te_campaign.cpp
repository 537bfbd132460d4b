#include "fuzz/te/te_campaign.h"

#include <cstdio>
#include <map>
#include <sstream>

#include "fuzz/programs/tensor_case.h"
#include "fuzz/te/te_exact.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/layout/interface.h"
#include "verify/equiv/validate.h"

namespace hexproof {
namespace {

TensorCase case_of(const StepRequest& step) {
  std::vector<uint32_t> choices;
  std::istringstream in(step.args.at("choices").get<std::string>());
  for (std::string one; std::getline(in, one, ',');) choices.push_back(static_cast<uint32_t>(std::stoul(one)));
  return random_tensor_case(Choices(choices));
}

/// Larger than what any iteration asks for; smaller is an error.
void compare(const te::Schedule& schedule, const te::Bounds& bounds, const te::StageBounds& b, TensorTally* tally,
             std::string* finding) {
  const std::optional<std::vector<int64_t>> exact = exact_box(schedule, bounds, b.stage);
  if (!exact) {
    tally->not_enumerated += b.box.size();
    return;
  }
  for (size_t d = 0; d < b.box.size(); ++d) {
    const int64_t* extent = as_int(b.box[d].extent);
    if (!extent || (*exact)[d] == 0) {
      ++tally->not_enumerated;
      continue;
    }
    ++tally->sides;
    tally->larger += *extent > (*exact)[d] ? 1 : 0;
    const bool all_of_it = b.box[d].whole && *extent == (*exact)[d];
    tally->without_witness += b.box[d].witness || all_of_it ? 0 : 1;
    const std::string where = "the box of '" + schedule.stage(b.stage).name + "' along axis " + std::to_string(d);
    if (*extent < (*exact)[d]) *finding = where + " is smaller than what an iteration asks for";
    if (*extent > (*exact)[d] && b.box[d].witness) *finding = where + " is called the smallest, and is not";
  }
}

std::optional<int64_t> cells(const std::vector<Expr>& extents) {
  int64_t out = 1;
  for (const Expr& e : extents) {
    const int64_t* k = as_int(e);
    if (!k) return std::nullopt;
    out *= *k;
  }
  return out;
}

/// How many buffers of the lowered program hold more than the box that InferBound found.
void compare_buffers(const te::Schedule& schedule, const te::Bounds& bounds, const PrimFunc& lowered,
                     TensorTally* tally) {
  std::map<std::string, Buffer> made;
  visit_stmt(lowered.body, [&](const Stmt& s) {
    if (const AllocBuffer* a = s.as<AllocBuffer>()) made[a->buffer->name] = a->buffer;
    return true;
  });
  for (const te::StageBounds& b : bounds.stages) {
    const auto it = made.find(te::identifier(schedule.stage(b.stage).op->outputs[0]->name));
    const std::vector<te::Note>& notes = schedule.stage(b.stage).notes;
    // One that rolls keeps earlier boxes, and aligned rows are longer.
    const bool wider = std::any_of(notes.begin(), notes.end(), [](const te::Note& n) {
      return n.kind == te::Note::Kind::RollingBuffer || n.kind == te::Note::Kind::StorageAlign;
    });
    if (b.path.empty() || it == made.end() || wider) continue;
    std::vector<Expr> extents;
    for (const te::Face& f : b.box) extents.push_back(f.extent);
    const auto box = cells(extents), held = cells(it->second->shape);
    if (!box || !held) continue;
    ++tally->buffers;
    tally->roomy += *held > *box ? 1 : 0;
  }
}

}  // namespace

StepRequest tensor_step(const std::vector<uint32_t>& choices) {
  std::string text;
  for (uint32_t k : choices) text += (text.empty() ? "" : ",") + std::to_string(k);
  return {kTensorStep, {{"choices", text}}};
}

void apply_tensor_step(Derivation& derivation, const StepRequest& step, Prover& prover) {
  const TensorCase one = case_of(step);
  if (!derivation.steps().empty() || print(derivation.current()) != print(one.script.naive.func)) {
    throw NotApplicable("the program is not the naive one of these choices");
  }
  auto stopped = [&](const std::string& why) {
    if (derivation.steps().empty()) throw NotApplicable("nothing was lowered: " + why);
  };
  try {
    te::lower(one.script, derivation, prover);
  } catch (const Refused&) {
    if (derivation.steps().empty()) throw;
  } catch (const Error& e) {
    stopped(e.what());
  } catch (const Unsupported& e) {
    stopped(e.what());
  }
}

void TensorTally::add(const TensorTally& o) {
  cases += o.cases, lowered += o.lowered, compared += o.compared, attached += o.attached, bounds += o.bounds;
  open_bounds += o.open_bounds;
  sides += o.sides, larger += o.larger, without_witness += o.without_witness, not_enumerated += o.not_enumerated;
  buffers += o.buffers, roomy += o.roomy;
}

std::string TensorTally::text() const {
  char out[500];
  auto n = [](uint64_t k) { return static_cast<unsigned long long>(k); };
  std::snprintf(
      out, sizeof out,
      "%llu schedules of tensor expressions: %llu lowered, %llu proved equal; %llu stages at loops, %llu bounds "
      "proved, %llu open; of %llu sides of boxes %llu are not the smallest (%.2f %%), %llu without a witness, %llu not "
      "enumerated; of %llu buffers %llu hold more than their box",
      n(cases), n(lowered), n(compared), n(attached), n(bounds), n(open_bounds), n(sides), n(larger),
      sides ? 100.0 * static_cast<double>(larger) / static_cast<double>(sides) : 0.0, n(without_witness),
      n(not_enumerated), n(buffers), n(roomy));
  return out;
}

TensorTally judge_tensor(Trial& trial, Prover& prover) {
  TensorTally tally;
  if (trial.fuzz_case.steps.empty() || trial.fuzz_case.steps[0].rule != kTensorStep) return tally;
  const TensorCase one = case_of(trial.fuzz_case.steps[0]);
  if (print(trial.fuzz_case.program) != print(one.script.naive.func)) return tally;
  tally.cases = 1;
  const te::Schedule& schedule = *one.script.schedule;
  auto fail = [&](const std::string& finding) {
    trial.outcome = Outcome::Unsound;
    trial.finding = finding + "\n" + one.text;
  };
  const te::Bounds bounds = te::infer_bound(schedule);
  std::string finding;
  for (const te::StageBounds& b : bounds.stages) {
    for (const Obligation& o : b.covers) {
      const Verdict verdict = prover.prove(o).verdict;
      if (verdict == Verdict::Refuted) finding = "a bound is false: " + print(o);
      ++(verdict == Verdict::Proved ? tally.bounds : tally.open_bounds);
    }
    if (b.path.empty() || schedule.stage(b.stage).update) continue;  // an update is all of a time
    ++tally.attached;
    compare(schedule, bounds, b, &tally, &finding);
  }
  for (const std::string& rule : trial.applied) tally.lowered += rule == "lower-block" ? 1 : 0;
  tally.lowered = tally.lowered > 0 ? 1 : 0;
  if (tally.lowered > 0 && trial.after) compare_buffers(schedule, bounds, *trial.after, &tally);
  if (trial.outcome == Outcome::Unsound) return tally;
  if (!finding.empty()) {
    fail(finding);
    return tally;
  }
  if (!trial.after || trial.accepted.empty()) return tally;
  const Validation v = validate(trial.fuzz_case.program, *trial.after,
                                relation_request(trial.interface, &trial.fuzz_case.program), prover);
  if (!v.disagrees.empty()) fail("'" + v.disagrees + "' disagrees with a schedule of tensor expressions: " + v.witness);
  tally.compared = v.unchanged || (v.equiv && v.equiv->finding == Finding::Proved) ? 1 : 0;
  return tally;
}

}  // namespace hexproof
