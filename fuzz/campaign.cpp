#include "fuzz/campaign.h"

#include <rapidcheck.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>

#include "fuzz/granted/granted.h"
#include "fuzz/programs/tensor_case.h"
#include "fuzz/recipe.h"
#include "fuzz/reduce.h"
#include "fuzz/seeds/seed_case.h"
#include "fuzz/steps/module_steps.h"
#include "fuzz/steps/pipeline.h"
#include "fuzz/steps/primitive_steps.h"
#include "fuzz/steps/steps.h"
#include "fuzz/verdicts.h"
#include "ir/base/digest.h"
#include "ir/base/file.h"
#include "ir/base/parallel_for.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/text/text.h"

namespace hexproof {
namespace {

using ChoiceLists = std::pair<std::vector<uint32_t>, std::vector<uint32_t>>;
using Clock = std::chrono::steady_clock;

constexpr size_t kBatch = 64;
constexpr int kShrinkTries = 600, kTensorTries = 40;  // (one of these lowers a whole schedule)
constexpr int kRounds = 24;
constexpr int kKept = 4;

/// The choices of case `index`, as a tree that RapidCheck can shrink: first those of the program, then those of
/// the steps.
rc::Shrinkable<ChoiceLists> choices_of(uint64_t seed, uint64_t index) {
  static const rc::Gen<ChoiceLists> generator =
      rc::gen::pair(rc::gen::container<std::vector<uint32_t>>(150, rc::gen::arbitrary<uint32_t>()),
                    rc::gen::container<std::vector<uint32_t>>(40, rc::gen::arbitrary<uint32_t>()));
  uint64_t state = seed * 0x9e3779b97f4a7c15ull + index;
  return generator(rc::Random(next_random(state)), rc::kNominalSize);
}

/// Calls `f` with the program, the seed of its inputs and the source of steps that the choices make.
template <class F>
Trial with_case(const ChoiceLists& lists, const Recipe& recipe, std::vector<int>* rows, F f) {
  Choices program(lists.first), steps(lists.second);
  Source source = program_of(recipe, program);
  if (rows) *rows = source.rows;
  uint64_t input_seed = steps.below(1u << 31);
  if (recipe.module) return f(source.func, input_seed, RandomModuleSteps(steps, recipe.step));
  if (recipe.kind == Recipe::Kind::Schedules) return f(source.func, input_seed, RandomPrimitives(steps, recipe.step));
  if (recipe.kind == Recipe::Kind::Tensor) {
    bool done = false;
    return f(source.func, input_seed, [&, done](const PrimFunc&) mutable -> std::optional<StepRequest> {
      return std::exchange(done, true) ? std::nullopt : std::optional(tensor_step(lists.first));
    });
  }
  if (source.step) return f(source.func, input_seed, SeedSteps(steps, *source.step, recipe.passes, recipe.step));
  std::string step = recipe.step;
  if (recipe.kind == Recipe::Kind::Granted && input_seed % 2 == 0) step = random_moving_rule(program);
  return f(source.func, input_seed, RandomSteps(steps, recipe.passes, step));
}

Trial judge_choices(const ChoiceLists& lists, const Recipe& recipe, Prover& prover) {
  return with_case(lists, recipe, nullptr, [&](const PrimFunc& func, uint64_t seed, const StepSource& next) {
    Trial trial = judge(func, seed, next, prover, recipe.oracle);
    judge_tensor(trial, prover);
    if (recipe.verdicts) judge_verdicts(trial, seed, prover);
    return trial;
  });
}

/// Follows the smallest shrinks that still fail, then drops steps that the failure does not need.
Trial shrink(const rc::Shrinkable<ChoiceLists>& start, Trial worst, const Recipe& recipe, Prover& prover) {
  rc::Shrinkable<ChoiceLists> current = start;
  int tries = recipe.verdicts ? kShrinkTries / 4 : kShrinkTries;
  if (recipe.kind == Recipe::Kind::Tensor) tries = kTensorTries;
  for (bool found = true; found && tries > 0;) {
    found = false;
    rc::Seq<rc::Shrinkable<ChoiceLists>> smaller = current.shrinks();
    while (tries-- > 0) {
      rc::Maybe<rc::Shrinkable<ChoiceLists>> next = smaller.next();
      if (!next) break;
      Trial trial = judge_choices(next->value(), recipe, prover);
      if (trial.outcome != Outcome::Unsound) continue;
      worst = std::move(trial);
      current = std::move(*next);
      found = true;
      break;
    }
  }
  // Its program is made with its only step.
  if (recipe.kind == Recipe::Kind::Tensor) return worst;
  bool mutant = !worst.accepted.empty() && worst.accepted.back().rule == "mutant";
  for (size_t drop = mutant ? 0 : worst.accepted.size(); drop-- > 0;) {
    FuzzCase fewer = worst.fuzz_case;
    fewer.steps = worst.accepted;
    fewer.steps.erase(fewer.steps.begin() + static_cast<std::ptrdiff_t>(drop));
    Trial trial = judge_with_verdicts(fewer, prover);
    if (trial.outcome == Outcome::Unsound) worst = std::move(trial);
  }
  worst.fuzz_case.steps = worst.accepted;
  return reduce(std::move(worst), prover);
}

/// What the threads of a campaign share.
struct Shared {
  const CampaignOptions& options;
  const std::function<void(const CampaignReport&)>& progress;
  Clock::time_point start = Clock::now();
  std::atomic<uint64_t> next{0};
  std::mutex mutex = {};
  CampaignReport report = {};
  std::map<std::string, int> kinds = {};  // of findings

  bool out_of_time() {
    if (!options.shrink) {
      std::lock_guard lock(mutex);
      if (report.unsound > 0) return true;
    }
    return options.seconds > 0 && std::chrono::duration<double>(Clock::now() - start).count() >= options.seconds;
  }
};

void record(Shared& shared, const Trial& trial, const std::vector<int>& rows) {
  CampaignReport& r = shared.report;
  r.coverage.program(rows, trial.outcome == Outcome::Erroneous);
  for (const StepRequest& step : trial.fuzz_case.steps) r.coverage.tried(rows, step_name(step));
  for (const StepRequest& step : trial.refused_steps) r.coverage.refused(rows, step_name(step));
  for (const std::string& rule : trial.applied) r.coverage.fired(rows, rule);
  for (const StepRequest& step : trial.accepted) {
    if (step.rule == "pass" || step.rule == "primitive") r.coverage.fired(rows, step_name(step));
  }
  ++r.runs;
  switch (trial.outcome) {
    case Outcome::Sound:
      ++r.sound;
      break;
    case Outcome::NoStep:
      ++r.no_step;
      break;
    case Outcome::Erroneous:
      ++r.erroneous;
      break;
    case Outcome::Unsound:
      ++r.unsound;
      break;
  }
  r.accepted += trial.accepted.size();
  r.refused += trial.refused;
  r.not_applicable += trial.not_applicable;
  for (const std::string& rule : trial.applied) ++r.accepted_by_rule[rule];
  for (const StepRequest& step : trial.accepted) {
    if (step.rule == "pass") ++r.accepted_by_rule[step.args.at("name")];
  }
  auto count = [&](const std::vector<StepRequest>& steps, uint64_t Coverage::Cell::*what) {
    for (const StepRequest& step : steps) {
      if (step.rule == "primitive" || step.rule == kModuleStep) ++(r.primitives[step_name(step)].*what);
    }
  };
  count(trial.fuzz_case.steps, &Coverage::Cell::tried);
  count(trial.accepted, &Coverage::Cell::fired);
  count(trial.refused_steps, &Coverage::Cell::refused);
}

/// What a finding is like: a few of each kind are enough to shrink and keep.
std::string kind_of(const Trial& trial) {
  std::string step = trial.accepted.empty() ? "" : step_name(trial.accepted.back());
  return step + " " + trial.finding.substr(0, trial.finding.find(':'));
}

bool is_one_of_many(Shared& shared, const Trial& trial) {
  std::lock_guard lock(shared.mutex);
  return ++shared.kinds[kind_of(trial)] > kKept;
}

void save(Shared& shared, const Trial& trial) {
  std::string text = to_text(trial.fuzz_case);
  if (!shared.options.corpus.empty()) {
    std::filesystem::create_directories(shared.options.corpus);
    write_file(shared.options.corpus + "/unsound-" + sha256(text).substr(0, 12) + ".py", text);
  }
  shared.report.findings.push_back(trial.finding + "\n" + text);
}

/// Batches of cases until none is left: interpreter first, then the host's code of all of them at once.
void work(Shared& shared, Prover& quick, Prover& patient) {
  const CampaignOptions& o = shared.options;
  while (!shared.out_of_time()) {
    std::vector<Trial> trials;
    std::vector<uint64_t> indices;
    std::vector<std::vector<int>> rows;
    HostBatch batch;
    while (trials.size() < kBatch) {
      uint64_t index = shared.next++;
      if (o.runs > 0 && index >= o.runs) break;
      if (index % o.shards != o.shard) continue;
      Recipe recipe = recipe_of(o, index);
      Prover& prover = recipe.kind == Recipe::Kind::Schedules ? patient : quick;
      trials.push_back(with_case(choices_of(o.seed, index).value(), recipe, &rows.emplace_back(),
                                 [&](const PrimFunc& func, uint64_t seed, const StepSource& next) {
                                   return try_in_interpreter(func, seed, next, prover, recipe.oracle);
                                 }));
      indices.push_back(index);
      add_to_batch(trials.back(), batch);
    }
    if (trials.empty()) return;
    batch.compile();
    for (size_t i = 0; i < trials.size(); ++i) {
      judge_on_host(trials[i], batch);
      Recipe recipe = recipe_of(o, indices[i]);
      Prover& prover = recipe.kind == Recipe::Kind::Schedules ? patient : quick;
      if (recipe.verdicts) judge_verdicts(trials[i], trials[i].fuzz_case.input_seed, prover);
      const TensorTally te = judge_tensor(trials[i], prover);
      bool unsound = trials[i].outcome == Outcome::Unsound;
      bool keep = unsound && !is_one_of_many(shared, trials[i]);
      if (keep && o.shrink) trials[i] = shrink(choices_of(o.seed, indices[i]), std::move(trials[i]), recipe, prover);
      std::lock_guard lock(shared.mutex);
      record(shared, trials[i], rows[i]);
      shared.report.te.add(te);
      if (keep) save(shared, trials[i]);
    }
    std::lock_guard lock(shared.mutex);
    shared.report.seconds = std::chrono::duration<double>(Clock::now() - shared.start).count();
    if (shared.progress) shared.progress(shared.report);
  }
}

}  // namespace

void with_campaign_case(const CampaignOptions& options, uint64_t index,
                        const std::function<void(const PrimFunc&, uint64_t input_seed, const StepSource&)>& f) {
  with_case(choices_of(options.seed, index).value(), recipe_of(options, index), nullptr,
            [&](const PrimFunc& func, uint64_t seed, const StepSource& next) {
              f(func, seed, next);
              return Trial{};
            });
}

CampaignReport run_covering_campaign(const CampaignOptions& options,
                                     const std::function<void(const CampaignReport&)>& progress) {
  CampaignReport total = run_campaign(options, progress);
  for (int round = 0; round < kRounds; ++round) {
    CampaignOptions directed = options;
    directed.seed = options.seed * 100 + static_cast<uint64_t>(round) + 1;
    directed.cells = total.coverage.empty_cells();
    if (directed.cells.empty()) break;
    directed.runs = directed.cells.size();
    total.add(run_campaign(directed, progress));
  }
  return total;
}

void CampaignReport::add(const CampaignReport& other) {
  runs += other.runs, sound += other.sound, no_step += other.no_step, erroneous += other.erroneous;
  unsound += other.unsound, accepted += other.accepted, refused += other.refused;
  not_applicable += other.not_applicable, seconds += other.seconds;
  for (const auto& [rule, count] : other.accepted_by_rule) accepted_by_rule[rule] += count;
  coverage.add(other.coverage);
  for (const auto& [name, cell] : other.primitives) {
    Coverage::Cell& sum = primitives[name];
    sum.tried += cell.tried, sum.fired += cell.fired, sum.refused += cell.refused;
  }
  te.add(other.te);
  findings.insert(findings.end(), other.findings.begin(), other.findings.end());
}

CampaignReport run_campaign(const CampaignOptions& options,
                            const std::function<void(const CampaignReport&)>& progress) {
  Shared shared{.options = options, .progress = progress};
  Prover quick({.cache_path = "", .rlimit = options.rlimit, .jobs = 1});
  Prover patient({.cache_path = "", .rlimit = options.rlimit * kPatience, .jobs = 1});
  const size_t jobs = threads_for(options.jobs);
  parallel_for(jobs, static_cast<int>(jobs), [&](size_t) { work(shared, quick, patient); });
  shared.report.seconds = std::chrono::duration<double>(Clock::now() - shared.start).count();
  return shared.report;
}

}  // namespace hexproof
