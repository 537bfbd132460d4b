// Symbolic runs against the interpreter: on random programs whose control depends on data, and on mutants of them.
#include "tests/verify/equiv/symbolic/equiv_symbolic_random.h"

#include "tests/verify/equiv/symbolic/equiv_symbolic.h"
#include "verify/equiv/symbolic/evaluate.h"
#include "verify/equiv/symbolic/inputs.h"

namespace hexproof {
namespace equiv_symbolic_random_test {

using namespace symbolic;

/// Values for a cell: small numbers, so that guards are met and indices lie inside, and some edges.
Scalar value_for(DType type, uint64_t x) {
  if (type.is_float()) {
    const double edges[] = {0.0, -0.0, 1.0, -1.0, 2.5, std::nan(""), HUGE_VAL, 130.0, -129.5, 1e-30};
    return float_scalar(type, edges[x % std::size(edges)]);
  }
  return int_scalar(type, x % 4 == 0 ? static_cast<int64_t>(x >> 8) : static_cast<int64_t>((x >> 8) % 7) - 1);
}

uint64_t mixed(uint64_t x) {
  x = (x + 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

int count(int usual) {
  const char* set = std::getenv("HEXPROOF_RANDOM_PROGRAMS");
  return set != nullptr ? std::atoi(set) : usual;
}

TEST(EquivSymbolicRandom, ARunOnTermsIsTheInterpretersRun) {
  int ran = 0, ended = 0, failed = 0, refused = 0;
  for (int seed = 0, n = count(400); seed < n; ++seed) {
    const std::string text = DataPrograms(static_cast<uint64_t>(seed)).program();
    ProgramPair pair = pair_programs(parse(text), parse(text));
    Instance instance = *instantiate(pair, {});
    Terms terms(1'000'000);
    symbolic::Inputs inputs(pair, instance, terms, 1000);
    Arguments arguments = bind_arguments(pair.before, inputs.before_tensors, {});
    Executor executor(terms, pair.before, {1000, 100000}, 0, {});
    std::vector<Memory*> memories;
    for (size_t b = 0; b < 4; ++b) {
      const BoundBuffer& bound = arguments.buffers[b];
      memories.push_back(&executor.bind_buffer(bound.buffer, pair.before.params[b].var,
                                               {nullptr, bound.shape, bound.strides, bound.offset}, bound.elements));
      fill(*memories[b], bound, inputs.before[b]);
    }
    try {
      executor.run();
    } catch (const Unsupported&) {
      ++refused;
      continue;
    }
    std::vector<Term> roots;
    auto add = [&](Term t) { roots.push_back(t), roots.push_back(terms.depends_on_undef(t)); };
    for (const ErrorItem& e : executor.errors()) add(e.condition);
    std::vector<std::vector<Term>> last;
    for (size_t b = 0; b < 4; ++b) {
      last.emplace_back();
      for (const Held& held : read_back(*memories[b], arguments.buffers[b])) last.back().push_back(held.value);
      for (Term t : last.back()) add(t);
    }
    symbolic::Evaluation evaluation(terms, roots);
    for (uint64_t trial = 0; trial < 40; ++trial) {
      std::vector<Scalar> values;
      for (size_t i = 0; i < inputs.cells().size(); ++i) {
        values.push_back(
            value_for(inputs.cells()[i].type, mixed(trial * 1000 + i + static_cast<uint64_t>(seed) * 77777)));
      }
      evaluation.run(values, trial);
      const ErrorItem* error = nullptr;
      bool depends = false;
      for (const ErrorItem& e : executor.errors()) {
        if (evaluation.truth(e.condition) && error == nullptr) error = &e;
        depends |= evaluation.truth(terms.depends_on_undef(e.condition));
      }
      std::vector<Tensor> tensors = inputs.arguments(values).before;
      RunResult result = run(pair.before, tensors);
      ++ran;
      if (depends) continue;  // another choice of undef decides
      ASSERT_EQ(result.error.has_value(), error != nullptr) << text << "seed " << seed << " trial " << trial << "\n"
                                                            << (result.error ? result.error->str() : "no error") << "\n"
                                                            << (error ? error->message : "");
      if (error != nullptr) {
        ++failed;
        continue;
      }
      ++ended;
      for (size_t b = 0; b < 4; ++b) {
        for (size_t i = 0; i < last[b].size(); ++i) {
          const bool undef = evaluation.truth(terms.depends_on_undef(last[b][i]));
          const Tensor& t = tensors[b];
          ASSERT_EQ(undef, !t.initialised.empty() && t.initialised[i] == 2) << text << seed;
          if (undef) continue;
          Scalar met = load_scalar(t.dtype, &t.data[i * static_cast<size_t>(t.dtype.bytes())]);
          ASSERT_TRUE(met == evaluation.value(last[b][i]))
              << text << "seed " << seed << " trial " << trial << " buffer " << b << " cell " << i << ": "
              << text_of(met) << ", " << text_of(evaluation.value(last[b][i]));
        }
      }
    }
  }
  EXPECT_GT(ended, ran / 5);
  EXPECT_GT(failed, ran / 20);
  EXPECT_LT(refused, ran / 100);
}

TEST(EquivSymbolicRandom, NoMutantThatChangesAResultIsProved) {
  int proved = 0, refuted = 0, open = 0, vacuous = 0;
  for (int seed = 0, n = count(60); seed < n; ++seed) {
    DataPrograms programs(static_cast<uint64_t>(seed) + 100000);
    const std::string before = programs.program(), after = programs.mutant(before);
    Compared c = compare(before, after);
    const Finding found = c.evidence.finding;
    proved += found == Finding::Proved;
    refuted += found == Finding::Refuted;
    vacuous += found == Finding::Vacuous;
    open += found == Finding::Undecided;
    if (std::getenv("HEXPROOF_SHOW_OPEN") != nullptr && found == Finding::Undecided) {
      std::printf("%s%s%s\n", before.c_str(), after.c_str(), describe(c.evidence).c_str());
    }
    if (found == Finding::Refuted) {
      EXPECT_TRUE(c.shown) << before << after << describe(c.evidence);
    }
    if (found != Finding::Proved && found != Finding::Vacuous) continue;
    for (uint64_t trial = 0; trial < 200; ++trial) {
      PairInput input{*instantiate(c.pair, {}), {}, {}};
      uint64_t next = trial * 4096 + static_cast<uint64_t>(seed) * 99991;
      for (const Buffer& b : c.pair.before.buffer_params()) {
        Tensor t = make_tensor(b->dtype, {b->shape[0]->int_value()});
        for (int64_t i = 0; i < t.size(); ++i) {
          store_scalar(value_for(t.dtype, mixed(next++)), &t.data[static_cast<size_t>(i * t.dtype.bytes())]);
        }
        input.before.push_back(std::move(t));
      }
      input.after = input.before;
      ASSERT_FALSE(shows(c.pair, input, trial)) << before << after << describe(c.evidence);
    }
  }
  std::printf("%d proved, %d refuted, %d undecided, %d vacuous\n", proved, refuted, open, vacuous);
  EXPECT_GT(proved, 5);
  EXPECT_GT(refuted, 10);
}

}  // namespace equiv_symbolic_random_test
}  // namespace hexproof
