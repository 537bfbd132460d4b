// Tensor expressions: chains of 5, 10, 20 and 30 stages, each computed at the next one, at concrete and symbolic size;
// and the 3x3 convolutions of the Hexagon document: InferBound alone, and the whole lowering, cold and warm.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>

#include "rewrite/te/bounds/bounds.h"
#include "rewrite/te/reader.h"

using namespace hexproof;

namespace {

/// Processor time, in milliseconds.
double cost(const std::function<void()>& f) {
  const std::clock_t start = std::clock();
  f();
  return 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// S0[i] = A[i] * 2, S1[i] = S0[i] * 2, ...; the last one in tiles of 16.
te::Script chain(int stages, const Expr& n) {
  const te::Tensor input = te::placeholder({n}, kInt32, "A");
  std::vector<te::Tensor> made{input};
  for (int k = 0; k < stages; ++k) {
    const te::IterVar i = te::make_axis("i", {i32(0), n}, IterKind::Spatial);
    made.push_back(
        te::compute("S" + std::to_string(k), {i}, std::vector<Expr>{load(made.back().buffer(), {i.var}) * i32(2)})[0]);
  }
  te::Schedule s({made.back().op});
  te::StageId next = s.stage_of(made.back().op);
  te::IterVar loop = s.split(next, s.stage(next).leaves[0], 16, {}, {}).first;
  for (size_t k = made.size() - 1; k-- > 1;) {
    const te::StageId id = s.stage_of(made[k].op);
    s.compute_at(id, next, loop, {});
    next = id, loop = s.stage(id).leaves[0];
  }
  te::Script out;
  out.naive = te::create_prim_func({input, made.back()});
  out.schedule = s;
  return out;
}

struct Costs {
  double bounds, lowering;
};
Costs costs_of(const te::Script& script, Prover& prover) {
  Costs out{};
  out.bounds = cost([&] { te::infer_bound(*script.schedule); });
  Derivation derivation(script.naive.func);
  out.lowering = cost([&] { te::lower(script, derivation, prover); });
  return out;
}

void chains() {
  const Var n = Var::fresh("n", kInt32);
  std::printf("%-8s %28s %28s %8s\n", "", "concrete: bounds, all (ms)", "symbolic: bounds, all (ms)", "ratio");
  for (int stages : {5, 10, 20, 30}) {
    Prover cold, other;
    const Costs concrete = costs_of(chain(stages, i32(4096)), cold), symbolic = costs_of(chain(stages, n), other);
    std::printf("%-8d %16.1f %11.0f %16.1f %11.0f %8.2f\n", stages, concrete.bounds, concrete.lowering, symbolic.bounds,
                symbolic.lowering, symbolic.lowering / std::max(1.0, concrete.lowering));
    std::fflush(stdout);
  }
}

void convolutions() {
  const std::string path = std::string(HEXPROOF_SOURCE_DIR) + "/tests/te/conv2d/k2_h2_3x3.py";
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const te::Script script = te::run_script(std::make_shared<const SourceFile>(SourceFile{path, text}));
  Prover prover;
  const Costs cold = costs_of(script, prover), warm = costs_of(script, prover);
  std::printf(
      "3x3, split on channels and height: InferBound %.1f ms; lowered and proved cold in %.0f ms, warm in %.0f ms\n",
      cold.bounds, cold.lowering, warm.lowering);
}

}  // namespace

int main() {
  convolutions();
  chains();
}
