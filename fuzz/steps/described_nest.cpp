#include "fuzz/steps/described_nest.h"

#include <algorithm>
#include <numeric>

#include "ir/base/digest.h"
#include "ir/interpreter/inputs/random_inputs.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/interpreter/interpreter.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/intrinsics/linear_step.h"
#include "rewrite/intrinsics/user_description.h"
#include "rewrite/layout/interface.h"
#include "rewrite/schedule/blocks/tiles.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr int kRuns = 4;
constexpr uint64_t kSeed = 12345;
constexpr size_t kMaxLoops = 4;

/// One operand: what the nest has there, and what the description has.
struct NestPart {
  Buffer buffer;
  std::vector<Expr> indices;
  Buffer formal;
  std::vector<Expr> formal_indices;
};

class Describer {
 public:
  explicit Describer(std::vector<For> loops) : loops_(std::move(loops)) {}

  /// The load or store there over an operand of the description; nothing where it does not move by constant steps.
  const NestPart* operand(const Buffer& buffer, const std::vector<Expr>& indices) {
    for (const NestPart& known : operands_) {
      if (known.buffer == buffer && known.indices == indices) return &known;
    }
    NestPart made{buffer, indices, {}, {}};
    std::vector<Expr> shape;
    for (const Expr& index : indices) {
      int64_t extent = 1;
      Expr formal = i32(0);
      for (const For& loop : loops_) {
        const std::optional<Wide> step = linear_step(index, loop.var);
        if (!step || *step < 0 || *step > 64) return nullptr;
        if (*step == 0) continue;
        const int64_t by = static_cast<int64_t>(*step);
        extent += by * (*as_int(loop.extent) - 1);
        const Expr term = by == 1 ? Expr(loop.var) : Expr(loop.var) * i32(by);
        formal = is_int(formal, 0) ? term : formal + term;
      }
      shape.push_back(i32(extent));
      made.formal_indices.push_back(formal);
    }
    made.formal = make_buffer("op" + std::to_string(operands_.size()), buffer->dtype, shape);
    operands_.push_back(std::move(made));
    return &operands_.back();
  }

  const std::vector<NestPart>& operands() const { return operands_; }

 private:
  std::vector<For> loops_;
  std::vector<NestPart> operands_;
};

/// Whether parameter `order[k]` of the first is a tensor like parameter `k` of the second.
bool of_same_shapes(const PrimFunc& own, const PrimFunc& other, const std::vector<size_t>& order) {
  for (size_t k = 0; k < order.size(); ++k) {
    const Buffer &a = own.params[order[k]].buffer, &b = other.params[k].buffer;
    if (a->dtype != b->dtype || a->shape != b->shape) return false;
  }
  return true;
}

/// Where the second, run on the operands of the first in that order, stores something else; empty: not seen.
std::string difference_of(const PrimFunc& own, const PrimFunc& other, const std::vector<size_t>& order) {
  uint64_t seed = kSeed;
  for (int k = 0; k < kRuns; ++k) {
    const RunArguments arguments = random_arguments(own, next_random(seed), Values::Ordinary);
    std::vector<Tensor> want = arguments.buffers, got;
    for (size_t at : order) got.push_back(arguments.buffers[at]);
    const RunResult first = run(own, want, arguments.scalars, {}), second = run(other, got, arguments.scalars, {});
    if (first.error) continue;
    if (second.error) return "an error: " + second.error->str();
    const int64_t cell = first_difference(want.front(), got.front());
    if (cell >= 0) return "element " + std::to_string(cell) + " of " + print(other);
  }
  return "";
}

}  // namespace

std::optional<PrimFunc> description_of_nest(const PrimFunc& func, const Path& at) {
  std::vector<For> loops;
  Stmt here = stmt_at(func, at);
  for (const For* f = here.as<For>(); f && loops.size() < kMaxLoops; f = here.as<For>()) {
    const int64_t* extent = as_int(f->extent);
    if (!extent || *extent < 1 || !is_int(f->min, 0) || f->kind != ForKind::Serial || f->var.dtype() != kInt32)
      return std::nullopt;
    loops.push_back(*f);
    here = Stmt(f->body);
  }
  VarMap bound;
  if (const Block* block = here.as<Block>()) {
    if (block->init || block->predicate) return std::nullopt;
    for (const IterVar& iter : block->iters) bound.emplace(iter.var, iter.binding);
    here = Stmt(block->body);
  }
  const Store* store = here.as<Store>();
  if (loops.empty() || !store || !store->value->dtype.is_scalar()) return std::nullopt;
  Describer describer(loops);
  std::vector<Expr> written;
  for (const Expr& index : store->indices) written.push_back(substitute(index, bound));
  if (!describer.operand(store->buffer, written)) return std::nullopt;
  bool fits = true;
  const Expr value = rewrite_expr(substitute(store->value, bound), [&](const Expr& e) {
    if (e->op != Op::Load) return e;
    const NestPart* operand = describer.operand(e->buffer(), e->args);
    fits &= operand != nullptr;
    return operand ? load(operand->formal, operand->formal_indices) : e;
  });
  if (!fits) return std::nullopt;
  const NestPart target = describer.operands().front();
  Stmt body = make_stmt(Store{target.formal, target.formal_indices, value});
  for (size_t k = loops.size(); k-- > 0;) {
    For loop = loops[k];
    loop.annotations = {};
    loop.body = body;
    body = make_stmt(loop);
  }
  PrimFunc out;
  out.name = "description";
  for (const NestPart& operand : describer.operands()) {
    Param param;
    param.buffer = operand.formal;
    out.params.push_back(param);
  }
  out.body = body;
  // As its text reads: with variables of its own, and what is left of the function is refused there.
  const std::variant<PrimFunc, std::string> read = user_description(print(out));
  const PrimFunc* made = std::get_if<PrimFunc>(&read);
  return made ? std::optional(*made) : std::nullopt;
}

std::string registered_description(const std::string& text) {
  const std::string name = "described_" + sha256(text).substr(0, 12);
  register_intrinsic(name, text, true);
  return name;
}

std::string difference_from_nest(const PrimFunc& func, const Path& at, const std::string& description) {
  const std::variant<PrimFunc, std::string> read = user_description(description);
  const PrimFunc* other = std::get_if<PrimFunc>(&read);
  const std::optional<PrimFunc> own = description_of_nest(func, at);
  if (!own || !other || own->params.size() != other->params.size()) return "";
  // Which operand of the description is which of the nest's is for the match to say: the first is what both store.
  std::vector<size_t> order(own->params.size());
  std::iota(order.begin(), order.end(), 0);
  std::string difference;
  do {
    if (!of_same_shapes(*own, *other, order)) continue;
    difference = difference_of(*own, *other, order);
    if (difference.empty()) return "";
  } while (std::next_permutation(order.begin() + 1, order.end()));
  return difference;
}

std::optional<PrimFunc> with_smaller_operand(const PrimFunc& description, uint32_t number) {
  std::vector<std::pair<size_t, size_t>> places;
  for (size_t p = 0; p < description.params.size(); ++p) {
    const Buffer& buffer = description.params[p].buffer;
    for (size_t d = 0; buffer && d < buffer->ndim(); ++d) {
      if (const int64_t* extent = as_int(buffer->shape[d]); extent && *extent > 1) places.emplace_back(p, d);
    }
  }
  if (places.empty()) return std::nullopt;
  const auto [param, dimension] = places[number % places.size()];
  PrimFunc out = description;
  const Buffer before = out.params[param].buffer;
  std::vector<Expr> shape = before->shape;
  shape[dimension] = i32(*as_int(shape[dimension]) - 1);
  out.params[param].buffer = make_buffer(before->name, before->dtype, shape);
  out.body = substitute(out.body, BufferMap{{before, out.params[param].buffer}});
  return out;
}

std::string error_of_description(const std::string& description) {
  const std::variant<PrimFunc, std::string> read = user_description(description);
  const PrimFunc* func = std::get_if<PrimFunc>(&read);
  uint64_t seed = kSeed;
  for (int k = 0; func && k < kRuns; ++k) {
    RunArguments arguments = random_arguments(*func, next_random(seed), Values::Ordinary);
    const RunResult ran = run(*func, arguments.buffers, arguments.scalars, {});
    if (ran.error) return ran.error->str();
  }
  return "";
}

}  // namespace hexproof
