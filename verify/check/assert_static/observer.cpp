#include "verify/check/assert_static/observer.h"

#include <bit>

#include "ir/text/text.h"

namespace hexproof {

std::string FalseAssertion::str() const {
  std::string out = "a static statement is false in this run: " + what + " (" + kind + ")";
  if (!formula.empty()) out += "\n  " + formula;
  if (!values.empty()) out += "\n  with " + values;
  out += "\n  at " + where.statement;
  if (where.span) out += " (" + where.span.str() + ")";
  for (const auto& [name, value] : loops) {
    out += (&name == &loops[0].first ? "\n  in " : ", ") + name + " = " + std::to_string(value);
  }
  return out;
}

AssertedRun run_asserting(const StaticClaims& claims, std::vector<Tensor>& buffers, const ScalarArguments& scalars,
                          const AssertOptions& options) {
  asserting::Observer observer(claims, options);
  RunResult result = run_observed(claims.func, buffers, scalars, options.run, observer);
  AssertedRun out{.result = std::move(result), .failure = {}, .counts = {}};
  out.assume_is_false = out.result.error && observer.in_false_assume();
  out.failure = std::move(observer.failure);
  out.counts = observer.counts;
  return out;
}

namespace asserting {

Observer::Observer(const StaticClaims& claims, const AssertOptions& options) : claims_(claims), options_(options) {
  Path path;
  root_ = node_at(claims.func.body, path);
  std::function<void(Node&)> group = [&](Node& node) {
    if (node.place) node.given = node.place->facts.given();
    group_footprint(node);
    for (auto& part : node.parts) group(*part);
  };
  group(*root_);
}

std::unique_ptr<Node> Observer::node_at(const Stmt& stmt, Path& path) {
  auto node = std::make_unique<Node>();
  node->stmt = stmt;
  auto it = claims_.places.find(path);
  if (it != claims_.places.end()) node->place = &it->second;
  std::vector<Stmt> parts = children(stmt);
  for (size_t k = 0; k < parts.size(); ++k) {
    path.push_back(static_cast<int>(k));
    node->parts.push_back(node_at(parts[k], path));
    path.pop_back();
  }
  return node;
}

StateFormulas Observer::now() {
  return StateFormulas(*state_, prepared_, [this](const Expr& call, const std::vector<int64_t>& indices) {
    return may_hold_anything(call, indices);
  });
}

bool Observer::due(Node& node) {
  ++node.visits;
  if (failure || !node.place) return false;
  if (work_ < options_.evaluations / 2) return true;
  bool looks = work_ < options_.evaluations && std::has_single_bit(node.visits);
  counts.skipped += !looks;
  return looks;
}

bool Observer::passes(StateFormulas& f, const Expr& formula, uint64_t* count) {
  ++work_;
  ++*count;
  Truth truth = f.truth(formula);
  counts.unknown += truth == Truth::Unknown;
  return truth == Truth::True || truth == Truth::Unknown;
}

void Observer::fail(const char* kind, std::string what, const Expr& formula, StateFormulas& f, const Node& node,
                    std::string text) {
  if (failure) return;
  failure = FalseAssertion{.kind = kind,
                           .what = std::move(what),
                           .formula = text.empty() && formula ? print(formula) : std::move(text),
                           .values = formula ? f.values(formula) : "",
                           .where = place_of(claims_.func, node.stmt)};
  for (const Frame& frame : frames_) {
    const For* loop = frame.node->stmt.as<For>();
    std::optional<SeenValue> value = loop ? state_->value(loop->var) : std::nullopt;
    if (value) failure->loops.emplace_back(loop->var.name(), static_cast<int64_t>(wide_value(value->value)));
  }
}

void Observer::enter(const Stmt& stmt, int part) {
  Node* node = root_.get();
  if (!frames_.empty()) {
    if (frames_.back().node->stmt.as<Block>() && !frames_.back().bound) bind_block(frames_.back());
    node = frames_.back().node->parts.at(static_cast<size_t>(part)).get();
  }
  if (const AllocBuffer* a = stmt.as<AllocBuffer>()) ++allocations_[a->buffer->data.id()];
  if (const Allocate* a = stmt.as<Allocate>()) ++allocations_[a->data.id()];
  frames_.push_back({.node = node});
  if (const Assume* assume = stmt.as<Assume>()) assumed_ = now().truth(assume->condition);
  if (!due(*node)) return;
  frames_.back().looked_at = true;
  remember_loops(*node);
  assert_facts(*node);
  if (!failure) assert_cells(*node);
  if (!failure) assert_proved(*node);
}

bool Observer::in_false_assume() const {
  return !frames_.empty() && frames_.back().node->stmt.as<Assume>() &&
         (assumed_ == Truth::False || assumed_ == Truth::Unknown);
}

void Observer::leave(const Stmt&) {
  Frame& frame = frames_.back();
  if (frame.looked_at && !failure) assert_exact(frame);
  frames_.pop_back();
}

void Observer::access(const SeenAccess& access) {
  std::pair<uint32_t, int64_t> cell{access.buffer->data.id(), access.at};
  const Store* store = frames_.back().node->stmt.as<Store>();
  bool undef = access.kind == SeenAccess::Kind::Permission ||
               (access.kind == SeenAccess::Kind::Write && store && store->value->op == Op::Undef);
  if (undef) {
    holds_anything_.insert(cell);
  } else {
    holds_anything_.erase(cell);
  }
  if (failure) return;
  const Node& holder = *frames_.back().node;
  for (size_t k = frames_.size(); k-- > 0 && !failure;) {
    Frame& frame = frames_[k];
    if (frame.looked_at) {
      std::vector<std::pair<size_t, std::vector<Wide>>> found;
      assert_covered(access, frame, holder, &found);
      for (auto& [which, values] : found) frame.happened[which].insert(std::move(values));
    }
    if (!claims_.block_claims || !frame.bound || access.kind == SeenAccess::Kind::Permission) continue;
    assert_regions(frame, access);
    assert_independence(k, access);
  }
}

void Observer::assert_facts(const Node& node) {
  const Facts& facts = node.place->facts;
  StateFormulas f = now();
  for (const Expr& e : node.given) {
    if (!passes(f, e, &counts.facts)) {
      return fail("fact", "what is known where the statement starts does not hold", e, f, node);
    }
  }
  for (const auto& [var, value] : facts.inlined) {
    std::optional<Wide> is = f.number_of(var), said = f.number(value);
    ++work_;
    ++counts.facts;
    counts.unknown += !said;
    if (is && said && *is != *said) {
      return fail("value of a variable", "what stands for the variable " + var.name() + " is not its value",
                  uninterpreted(Op::Opaque, kBool, "same", {Expr(var), value}), f, node);
    }
  }
}

std::optional<bool> for_values(const std::vector<LoopRange>& loops, StateFormulas& formulas, uint64_t most,
                               const std::function<bool(const std::vector<Wide>&)>& f) {
  bool known = true, every = true, ended = false;
  uint64_t left = most;
  std::vector<Wide> values;
  std::function<void(size_t)> choose = [&](size_t k) {
    if (ended || !known) return;
    if (k == loops.size()) {
      if (left == 0) {
        every = false, ended = true;
        return;
      }
      --left;
      ended = !f(values);
      return;
    }
    std::optional<Wide> min = formulas.number(loops[k].min), extent = formulas.number(loops[k].extent);
    if (!min || !extent) {
      known = false;
      return;
    }
    for (Wide i = 0; i < *extent && !ended && known; ++i) {
      // Of a long range: both ends.
      if (i == 8 && *extent > 1024) {
        i = *extent - 8;
        every = false;
      }
      if (!fits_type(loops[k].var.dtype(), *min + i)) break;
      formulas.bind(loops[k].var, *min + i);
      values.push_back(*min + i);
      choose(k + 1);
      values.pop_back();
    }
    formulas.unbind(loops[k].var);
  };
  choose(0);
  if (!known) return std::nullopt;
  return every;
}

}  // namespace asserting
}  // namespace hexproof
