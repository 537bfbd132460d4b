#include "verify/equiv/sizes.h"

#include <algorithm>
#include <set>

#include "ir/interpreter/arguments.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/visit.h"
#include "verify/equiv/unfilled_padding.h"

namespace hexproof {
namespace {

/// Elements of all arguments of a size that is looked at for its own sake.
constexpr int64_t kMostElements = 1 << 20;

int64_t elements(const Instance& at) {
  int64_t out = 0;
  for (const auto* side : {&at.before_shapes, &at.after_shapes}) {
    for (const std::vector<int64_t>& shape : *side) {
      int64_t product = 1;
      for (int64_t extent : shape) product = std::min(product * extent, kMostElements + 1);
      out = std::min(out + product, kMostElements + 1);
    }
  }
  return out;
}

bool is_leaf(const Stmt& s) { return s.as<Store>() || s.as<Evaluate>() || s.as<Assume>(); }

/// A program that marks each statement which it reaches, in one more argument.
class Marked {
 public:
  explicit Marked(const PrimFunc& func) : func_(func) {
    visit_stmt(func.body, [&](const Stmt& s) { return count_ += is_leaf(s) ? 1 : 0, true; });
    Buffer marks = make_buffer("reached", kInt8, {i32(static_cast<int64_t>(count_))});
    func_.params.push_back({Var::fresh("reached", kHandle), marks});
    size_t next = 0;
    func_.body = rewrite_stmt(
        func.body, [](const Expr& e) { return e; },
        [&](const Stmt& s) {
          if (!is_leaf(s)) return s;
          Expr at = i32(static_cast<int64_t>(next++));
          return seq({make_stmt(Store{marks, {at}, imm(kInt8, 1)}, s->span), s});
        });
  }

  size_t count() const { return count_; }

  /// Adds what a run reaches to `reached`; false when the run is longer than `max_steps`.
  bool run_on(std::vector<Tensor> arguments, const std::vector<int64_t>& scalars, uint64_t max_steps,
              std::vector<bool>* reached, size_t from) const {
    Tensor marks = make_tensor(kInt8, {static_cast<int64_t>(count_)});
    std::fill(marks.data.begin(), marks.data.end(), uint8_t{0});
    arguments.push_back(std::move(marks));
    RunResult ran = run(func_, arguments, scalars, {.max_steps = max_steps, .check_races = false});
    for (size_t k = 0; k < count_; ++k) {
      if (arguments.back().data[k] != 0) (*reached)[from + k] = true;
    }
    return !ran.out_of_steps;
  }

 private:
  PrimFunc func_;
  size_t count_ = 0;
};

class Reach {
 public:
  Reach(const ProgramPair& pair, uint64_t max_steps, const SatisfyAssumes& satisfy)
      : pair_(pair), satisfy_(satisfy), max_steps_(max_steps), before_(pair.before), after_(pair.after) {}

  size_t statements() const { return before_.count() + after_.count(); }

  /// The statements that runs at this size reach; nothing when they are too long.
  std::optional<std::vector<bool>> at(const Instance& at) {
    constexpr int kRuns = 4;
    std::vector<bool> reached(statements(), false);
    const std::vector<int64_t> before = parameter_values(pair_.before, at.before_scalars);
    const std::vector<int64_t> after = parameter_values(pair_.after, at.after_scalars);
    const FilledCells filled = filled_cells(pair_, at);
    bool ends = true;
    try {
      for (int k = 0; k < kRuns && ends; ++k) {
        PairInput input = test_input(pair_, at, filled, k, satisfy_, state_);
        ends = before_.run_on(std::move(input.before), before, max_steps_, &reached, 0) && ends;
        ends = after_.run_on(std::move(input.after), after, max_steps_, &reached, before_.count()) && ends;
      }
    } catch (const Unsupported&) {
      // What the interpreter cannot run may still be a term: the smallest size will do.
      reached.assign(statements(), false);
    }
    if (!ends) return std::nullopt;
    return reached;
  }

 private:
  const ProgramPair& pair_;
  const SatisfyAssumes& satisfy_;
  uint64_t max_steps_, state_ = 1;
  Marked before_, after_;
};

size_t count(const std::vector<bool>& list) { return static_cast<size_t>(std::count(list.begin(), list.end(), true)); }

}  // namespace

std::string sizes_text(const ProgramPair& pair, const Instance& at) {
  std::string out;
  std::vector<Var> vars = pair.before.scalars();
  for (size_t k = 0; k < vars.size(); ++k) {
    out += (out.empty() ? "" : ", ") + vars[k].name() + " = " + to_string(scalar_value(vars[k], at.before_scalars[k]));
  }
  return out;
}

ReachingSizes reaching_sizes(const ProgramPair& pair, uint64_t max_steps, const SatisfyAssumes& satisfy) {
  constexpr int kTried = 24;
  constexpr size_t kMost = 3;
  ReachingSizes out;
  Reach reach(pair, max_steps, satisfy);
  out.statements = reach.statements();
  struct Size {
    Instance at;
    std::vector<bool> reached;
    int64_t elements;
  };
  std::vector<Size> tried;
  std::vector<bool> all(reach.statements(), false), have = all;
  const bool hopeless = most_statements(pair.before).value_or(0) / 4 > max_steps ||
                        most_statements(pair.after).value_or(0) / 4 > max_steps;
  for (const std::vector<int64_t>& sizes : small_sizes(pair, kTried)) {
    std::optional<Instance> at = instantiate(pair, sizes);
    // (Loops of constant extents need no run to be seen too long.)
    if (!at || elements(*at) > static_cast<int64_t>(max_steps) || hopeless) {
      out.too_long = out.too_long || at.has_value();
      continue;
    }
    std::optional<std::vector<bool>> reached = reach.at(*at);
    if (!reached) {
      out.too_long = true;
      continue;
    }
    Size size{std::move(*at), std::move(*reached), 0};
    size.elements = elements(size.at);
    for (size_t k = 0; k < all.size(); ++k) all[k] = all[k] || size.reached[k];
    tried.push_back(std::move(size));
  }
  std::stable_sort(tried.begin(), tried.end(), [](const Size& a, const Size& b) { return a.elements < b.elements; });
  // Of those that add most, the smallest; a size of which nothing is reached still has its cells.
  while (out.sizes.size() < kMost && !tried.empty()) {
    const Size* best = nullptr;
    size_t most = 0;
    for (const Size& size : tried) {
      size_t adds = 0;
      for (size_t k = 0; k < have.size(); ++k) adds += size.reached[k] && !have[k] ? 1 : 0;
      if (!best || adds > most) best = &size, most = adds;
    }
    if (most == 0 && !out.sizes.empty()) break;
    for (size_t k = 0; k < have.size(); ++k) have[k] = have[k] || best->reached[k];
    out.sizes.push_back(best->at);
  }
  // What happens in one iteration only has its place at a larger size.
  if (!tried.empty() && pair.before.scalars() != std::vector<Var>{}) {
    auto last = std::find_if(tried.rbegin(), tried.rend(), [](const Size& size) { return size.elements <= 256; });
    bool known = last == tried.rend() || std::any_of(out.sizes.begin(), out.sizes.end(), [&](const Instance& at) {
                   return at.before_scalars == last->at.before_scalars;
                 });
    if (!known) out.sizes.push_back(last->at);
  }
  out.reached = count(have);
  out.too_long = out.too_long && out.sizes.empty();
  return out;
}

std::optional<uint64_t> most_statements(const PrimFunc& func) {
  constexpr uint64_t kMany = uint64_t{1} << 40;
  std::function<std::optional<uint64_t>(const Stmt&)> most = [&](const Stmt& s) -> std::optional<uint64_t> {
    uint64_t out = 1;
    for (const Stmt& part : children(s)) {
      std::optional<uint64_t> inside = most(part);
      if (!inside) return std::nullopt;
      out = std::min(out + *inside, kMany);
    }
    if (const For* loop = s.as<For>()) {
      if (!as_int(loop->extent)) return std::nullopt;
      Wide all = Wide{std::max<int64_t>(*as_int(loop->extent), 0)} * Wide{static_cast<int64_t>(out)};
      out = static_cast<uint64_t>(std::min(all, Wide{static_cast<int64_t>(kMany)}));
    }
    return out;
  };
  return most(func.body);
}

namespace {

/// Does the program allocate more cells than a quick run should, and not so many that it is an error? (As far as the
/// sizes alone tell.)
bool allocates_much(const PrimFunc& func, const std::vector<int64_t>& scalars) {
  constexpr Wide kMuch = 1 << 24, kError = Wide{1} << 31;
  std::map<Var, Scalar> values;
  const std::vector<Var> vars = func.scalars();
  for (size_t k = 0; k < vars.size(); ++k) values.emplace(vars[k], int_scalar(vars[k].dtype(), scalars.at(k)));
  bool much = false;
  visit_stmt(func.body, [&](const Stmt& s) {
    const AllocBuffer* buffer = s.as<AllocBuffer>();
    const Allocate* raw = s.as<Allocate>();
    if (!buffer && !raw) return true;
    Wide cells = 1;
    try {
      for (const Expr& e : buffer ? buffer->buffer->shape : raw->extents) {
        cells = std::min(cells * wide_value(evaluate(e, values)), kError);
      }
    } catch (const std::exception&) {
      return true;  // it depends on more than the sizes, or is in error, under a guard perhaps
    }
    much = much || (cells > kMuch && cells < kError);
    return true;
  });
  return much;
}

/// Integers that the programs are written with: at these, and beside them, something may end.
std::vector<int64_t> numbers_of(const ProgramPair& pair) {
  std::set<int64_t> out;
  for (const PrimFunc* func : {&pair.before, &pair.after}) {
    visit_all_exprs(func->body, [&](const Expr& e) {
      if (const int64_t* value = as_int(e); value && (*value > 8 || *value < -8)) out.insert(*value);
    });
  }
  return {out.begin(), out.end()};
}

/// A number for a scalar parameter: beside one of the programs', or from the edges of its type.
int64_t edge_number(DType type, const std::vector<int64_t>& known, uint64_t& state) {
  uint64_t random = next_random(state);
  if (!known.empty() && random % 2 == 0) {
    Wide near = Wide{known[random / 8 % known.size()]} + static_cast<int64_t>(random / 2 % 3) - 1;
    if (fits_type(type, near)) return static_cast<int64_t>(near);
  }
  // Odd numbers are from the edges.
  uint64_t bits = random_value(type, next_random(state) | 1);
  return static_cast<int64_t>(wide_value(load_scalar(type, reinterpret_cast<const uint8_t*>(&bits))));
}

}  // namespace

std::vector<Instance> sizes_to_run(const ProgramPair& pair, uint64_t seed) {
  constexpr size_t kSmall = 8, kEdges = 8;
  std::vector<Instance> out;
  size_t parameters = 0;
  for (const Param& p : pair.before.params) parameters += p.buffer ? 0 : 1;
  const std::vector<Var> vars = pair.before.scalars();
  for (const Var& v : vars) parameters = v.dtype().is_integer() ? parameters : 0;
  for (const std::vector<int64_t>& sizes : small_sizes(pair, 64)) {
    if (out.size() >= kSmall) break;
    std::optional<Instance> at = instantiate(pair, sizes);
    if (at) out.push_back(std::move(*at));
  }
  if (parameters == 0) return out;
  const std::vector<int64_t> known = numbers_of(pair);
  const size_t most = out.size() + kEdges;
  for (int k = 0; k < 64 && out.size() < most; ++k) {
    std::vector<int64_t> sizes;
    for (size_t v = 0; v < vars.size(); ++v) {
      sizes.push_back(v < parameters ? edge_number(vars[v].dtype(), known, seed) : k % 4);
    }
    std::optional<Instance> at = instantiate(pair, sizes);
    if (!at || elements(*at) > kMostElements) continue;
    if (allocates_much(pair.before, at->before_scalars) || allocates_much(pair.after, at->after_scalars)) continue;
    out.push_back(std::move(*at));
  }
  return out;
}

SizedRuns equiv_runs(const ProgramPair& pair, const TestInputs& inputs) {
  const std::vector<Instance> sizes = sizes_to_run(pair, inputs.seed);
  SizedRuns out{.evidence = {.method = "tests", .says = ""}, .at = ""};
  Evidence& all = out.evidence;
  if (sizes.empty()) all.says = "no size could be looked at";
  const int parts = static_cast<int>(sizes.size());
  for (int k = 0; k < parts && !all.input; ++k) {
    TestInputs part = inputs;
    part.first = inputs.first + inputs.count * k / parts;
    part.count = inputs.first + inputs.count * (k + 1) / parts - part.first;
    part.max_work = inputs.max_work / static_cast<uint64_t>(parts);
    const Instance& size = sizes[static_cast<size_t>(k)];
    Evidence some = equiv_tests(pair, size, part);
    all.inputs += some.inputs;
    all.milliseconds += some.milliseconds;
    if (all.says.empty() || some.input) all.says = some.says;
    if (std::string text = sizes_text(pair, size); some.inputs > 0 && !text.empty()) {
      out.at += (out.at.empty() ? "" : "; ") + text;
    }
    all.finding = some.finding;
    all.input = std::move(some.input);
  }
  all.equal_so_far = all.inputs > 0 && !all.input;
  if (all.equal_so_far) all.says = "the results agree on " + std::to_string(all.inputs) + " random inputs";
  return out;
}

}  // namespace hexproof
