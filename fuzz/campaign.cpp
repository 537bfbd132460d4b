#include "fuzz/campaign.h"

#include <rapidcheck.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <thread>

#include "fuzz/padded.h"
#include "fuzz/program.h"
#include "fuzz/steps.h"
#include "ir/digest.h"
#include "ir/file.h"
#include "ir/text.h"

namespace hexproof {
namespace {

using ChoiceLists = std::pair<std::vector<uint32_t>, std::vector<uint32_t>>;
using Clock = std::chrono::steady_clock;

constexpr size_t kBatch = 64;
constexpr int kShrinkTries = 600;

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
Trial with_case(const ChoiceLists& lists, uint32_t padded_percent, F f) {
  Choices program(lists.first), steps(lists.second);
  bool padded = program.chance(padded_percent);
  PrimFunc func = padded ? random_padded_program(program) : random_program(program);
  uint64_t input_seed = steps.below(1u << 31);
  // Passes cost the most: elsewhere they have a part in some of the cases only.
  bool passes = padded || steps.chance(2);
  return f(func, input_seed, RandomSteps(steps, passes));
}

Trial judge_choices(const ChoiceLists& lists, uint32_t padded_percent, Prover& prover) {
  return with_case(lists, padded_percent, [&](const PrimFunc& func, uint64_t seed, const StepSource& next) {
    return judge(func, seed, next, prover);
  });
}

/// Follows the smallest shrinks that still fail, then drops steps that the failure does not need.
Trial shrink(const rc::Shrinkable<ChoiceLists>& start, Trial worst, uint32_t padded_percent, Prover& prover) {
  rc::Shrinkable<ChoiceLists> current = start;
  int tries = kShrinkTries;
  for (bool found = true; found && tries > 0;) {
    found = false;
    rc::Seq<rc::Shrinkable<ChoiceLists>> smaller = current.shrinks();
    while (tries-- > 0) {
      rc::Maybe<rc::Shrinkable<ChoiceLists>> next = smaller.next();
      if (!next) break;
      Trial trial = judge_choices(next->value(), padded_percent, prover);
      if (trial.outcome != Outcome::Unsound) continue;
      worst = std::move(trial);
      current = std::move(*next);
      found = true;
      break;
    }
  }
  for (size_t drop = worst.accepted.size(); drop-- > 0;) {
    FuzzCase fewer = worst.fuzz_case;
    fewer.steps = worst.accepted;
    fewer.steps.erase(fewer.steps.begin() + static_cast<std::ptrdiff_t>(drop));
    Trial trial = judge(fewer, prover);
    if (trial.outcome == Outcome::Unsound) worst = std::move(trial);
  }
  worst.fuzz_case.steps = worst.accepted;
  return worst;
}

/// What the threads of a campaign share.
struct Shared {
  const CampaignOptions& options;
  const std::function<void(const CampaignReport&)>& progress;
  Clock::time_point start = Clock::now();
  std::atomic<uint64_t> next{0};
  std::mutex mutex = {};
  CampaignReport report = {};
  std::exception_ptr failure = nullptr;

  bool out_of_time() const {
    return options.seconds > 0 && std::chrono::duration<double>(Clock::now() - start).count() >= options.seconds;
  }
};

void record(Shared& shared, const Trial& trial) {
  CampaignReport& r = shared.report;
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
    if (step.rule == "pass" || step.rule == "primitive") ++r.accepted_by_rule[step.args.at("name")];
  }
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
void work(Shared& shared, Prover& prover) {
  const CampaignOptions& o = shared.options;
  while (!shared.out_of_time()) {
    std::vector<Trial> trials;
    std::vector<uint64_t> indices;
    HostBatch batch;
    while (trials.size() < kBatch) {
      uint64_t index = shared.next++;
      if (o.runs > 0 && index >= o.runs) break;
      if (index % o.shards != o.shard) continue;
      trials.push_back(with_case(choices_of(o.seed, index).value(), o.padded,
                                 [&](const PrimFunc& func, uint64_t seed, const StepSource& next) {
                                   return try_in_interpreter(func, seed, next, prover);
                                 }));
      indices.push_back(index);
      add_to_batch(trials.back(), batch);
    }
    if (trials.empty()) return;
    batch.compile();
    for (size_t i = 0; i < trials.size(); ++i) {
      judge_on_host(trials[i], batch);
      bool unsound = trials[i].outcome == Outcome::Unsound;
      if (unsound) trials[i] = shrink(choices_of(o.seed, indices[i]), std::move(trials[i]), o.padded, prover);
      std::lock_guard lock(shared.mutex);
      record(shared, trials[i]);
      if (unsound) save(shared, trials[i]);
    }
    std::lock_guard lock(shared.mutex);
    shared.report.seconds = std::chrono::duration<double>(Clock::now() - shared.start).count();
    if (shared.progress) shared.progress(shared.report);
  }
}

}  // namespace

CampaignReport run_campaign(const CampaignOptions& options,
                            const std::function<void(const CampaignReport&)>& progress) {
  Shared shared{.options = options, .progress = progress};
  Prover prover({.cache_path = "", .rlimit = options.rlimit, .jobs = 1});
  int jobs = options.jobs > 0 ? options.jobs : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (int t = 0; t < jobs; ++t) {
    threads.emplace_back([&] {
      try {
        work(shared, prover);
      } catch (...) {
        std::lock_guard lock(shared.mutex);
        shared.failure = std::current_exception();
      }
    });
  }
  for (std::thread& t : threads) t.join();
  if (shared.failure) std::rethrow_exception(shared.failure);
  shared.report.seconds = std::chrono::duration<double>(Clock::now() - shared.start).count();
  return shared.report;
}

}  // namespace hexproof
