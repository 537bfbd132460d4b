#include "fuzz/steps/probe_rule.h"

#include <map>

#include "fuzz/programs/program.h"
#include "ir/text/text.h"
#include "rewrite/expr_rules/site.h"
#include "rewrite/layout/interface.h"
#include "rewrite/rules/args/values.h"

namespace hexproof {

namespace {

constexpr int64_t kRows = 4;  // values of each cell that is read
constexpr uint64_t kInputs = 3;

/// A program that stores the left side of a rule, with something put in for each hole.
struct Subject {
  PrimFunc func;
  Path store;
  size_t root = 0;  // of the value among the store's expressions
};

class Builder {
 public:
  explicit Builder(uint64_t seed)
      : seed_(seed), data_(below(3) == 0), edges_(below(3) != 0), iterations_(below(2) ? 1 : 4) {}

  std::optional<Subject> build(const RuleInstance& instance) {
    const Expr& lhs = instance.rewrite.lhs;
    if (!lhs->dtype.is_scalar()) return std::nullopt;
    rows_ = Var::fresh("row", kInt32);
    VarMap map;
    for (const Var& hole : free_vars(lhs)) map.emplace(hole, fill(hole));
    Expr value = rewrite_expr(substitute(lhs, map), [](const Expr& e) {
      bool constants = e->args.size() == 2 && as_int(e->args[0]) && as_int(e->args[1]);
      return constants ? fold(e) : e;
    });
    std::vector<Expr> indices = {Expr(rows_)}, shape = {i32(kRows)};
    for (const LoopRange& loop : loops_) {
      indices.push_back(cast(kInt32, Expr(loop.var) - loop.min));
      shape.push_back(i32(iterations_));
    }
    Buffer out = make_buffer("O", value->dtype, shape);
    Stmt body = make_stmt(Store{out, indices, value});
    for (size_t k = loops_.size(); k-- > 0;) {
      body = make_stmt(For{.var = loops_[k].var, .min = loops_[k].min, .extent = loops_[k].extent, .body = body});
    }
    body = make_stmt(For{.var = rows_, .min = i32(0), .extent = i32(kRows), .body = body});
    Subject subject;
    for (const Buffer& b : inputs_) subject.func.params.push_back({Var::fresh(b->name + "_handle", kHandle), b});
    subject.func.params.push_back({Var::fresh("O_handle", kHandle), out});
    subject.func.body = body;
    subject.store.assign(loops_.size() + 1, 0);
    subject.root = indices.size();
    return subject;
  }

 private:
  uint64_t below(uint64_t n) { return next_random(seed_) % n; }

  Expr constant(DType type) {
    if (type.is_float()) return fimm(type, static_cast<double>(below(5)) - 2);
    Wide value = static_cast<Wide>(below(9)) - 3;
    if (edges_ && type.is_integer()) {
      // So few that sums of them come close to the ends of the type without passing them.
      const Wide least = min_value(type), most = max_value(type);
      const Wide edges[] = {least, most, most / 2, least / 2, most / 2 + 1, 1, 2, 3, -1, -2};
      value = edges[below(10)];
    }
    return imm(type, fits_type(type, value) ? value : 1);
  }

  /// A cell of an argument, or a loop variable.
  Expr leaf(const std::string& name, DType type) {
    if (data_ || !type.is_integer()) {
      Buffer buffer = make_buffer(name, type, {i32(kRows)});
      inputs_.push_back(buffer);
      return load(buffer, {Expr(rows_)});
    }
    Var var = Var::fresh(name, type);
    Expr min = constant(type);
    // With one iteration all holes can be at their edges at once; with more, some iteration is in the way.
    Wide last = int_value(min) + iterations_ - 1;
    if (!fits_type(type, last)) min = imm(type, max_value(type) - iterations_ + 1);
    loops_.push_back({var, min, imm(type, iterations_), ForKind::Serial});
    return Expr(var);
  }

  Expr fill(const Var& hole) {
    if (is_literal_hole(Expr(hole))) return constant(hole.dtype());
    if (hole.dtype().is_bool()) {
      Expr x = leaf(hole.name(), kInt8);
      return below(2) ? lt(x, constant(kInt8)) : ge(x, constant(kInt8));
    }
    return leaf(hole.name(), hole.dtype());
  }

  uint64_t seed_;
  bool data_, edges_;
  int64_t iterations_;  // of each loop
  Var rows_;
  std::vector<Buffer> inputs_;
  std::vector<LoopRange> loops_;
};

/// Where the results of the two differ, on inputs on which the first one reaches no error.
std::string difference(const PrimFunc& before, const PrimFunc& after, uint64_t seed) {
  for (uint64_t k = 0; k < kInputs; ++k) {
    std::vector<Tensor> want = random_inputs(before, seed + k), got;
    if (k == 0) {  // small numbers
      for (Tensor& t : want) {
        for (int64_t i = 0; i < t.size() && t.dtype.is_integer(); ++i) {
          uint8_t* cell = t.data.data() + i * t.dtype.bytes();
          store_scalar(int_scalar(t.dtype, static_cast<Wide>(next_random(seed) % 9) - (t.dtype.is_int() ? 4 : 0)),
                       cell);
        }
      }
    }
    got = want;
    if (run(before, want).error) continue;
    RunResult ran = run(after, got);
    if (ran.error) return "the second one reaches an error: " + ran.error->str();
    if (int64_t at = first_difference(want.back(), got.back()); at >= 0) {
      return "they differ at element " + std::to_string(at);
    }
  }
  return "";
}

/// Of a rule that has conditions, the one named or each as often as any other, whatever its types.
const RuleInstance& some_instance(const std::string& name, uint64_t& seed) {
  static const std::map<std::string, std::vector<const RuleInstance*>> by_rule = [] {
    std::map<std::string, std::vector<const RuleInstance*>> out;
    for (const RuleInstance& instance : rule_instances()) {
      if (instance.rewrite.when || instance.rewrite.when_index) out[instance.rule->name].push_back(&instance);
    }
    return out;
  }();
  auto rule = by_rule.find(name);
  if (rule == by_rule.end()) {
    rule = by_rule.begin();
    std::advance(rule, static_cast<std::ptrdiff_t>(next_random(seed) % by_rule.size()));
  }
  return *rule->second[next_random(seed) % rule->second.size()];
}

}  // namespace

std::string probe_expression_rule(uint64_t seed, Prover& prover, const std::string& rule) {
  const RuleInstance& instance = some_instance(rule, seed);
  std::optional<Subject> subject = Builder(next_random(seed)).build(instance);
  if (!subject || !ill_formed(subject->func).empty()) return "";
  Path at{static_cast<int>(subject->root)};
  ExprSite site(subject->func, subject->store);
  for (const Candidate& candidate : site.candidates(at, instance.rule->name)) {
    Derivation derivation(subject->func);
    const SimplifyArgs args{.at = subject->store,
                            .applications = {{instance.rule->name, candidate.ordinal, subject->store, at}}};
    try {
      derivation.apply(args, prover);
    } catch (const NotApplicable&) {
      continue;
    } catch (const Refused&) {
      continue;
    }
    std::string differs = difference(subject->func, derivation.current(), next_random(seed));
    if (differs.empty()) continue;
    return "simplify by " + instance.rule->name + " made another program: " + differs + "\n" + print(subject->func) +
           "\n# and\n" + print(derivation.current());
  }
  return "";
}

}  // namespace hexproof
