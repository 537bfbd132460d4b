#include "rewrite/expr_rules/site.h"

#include <algorithm>
#include <optional>

#include "ir/text/text.h"
#include "verify/memory/kept.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {

ExprSite::ExprSite(const PrimFunc& func, Path at) : ExprSite(func, at, facts_at(func, at)) {}

ExprSite::ExprSite(const PrimFunc& func, Path at, Facts facts, std::shared_ptr<const Content> content)
    : func_(func),
      at_(std::move(at)),
      stmt_(stmt_at(func, at_)),
      facts_(std::move(facts)),
      content_(std::move(content)),
      place_(place_of(func, stmt_)),
      roots_(expressions(stmt_)) {
  find_roles();
}

void ExprSite::find_roles() {
  roles_.assign(roots_.size(), Role::Plain);
  auto fix_last = [&](const Annotations& annotations) {
    size_t k = roots_.size();
    for (const auto& [key, value] : annotations) {
      if (std::holds_alternative<Expr>(value) && std::get<Expr>(value)) roles_[--k] = Role::Fixed;
    }
  };
  if (stmt_.as<Assume>()) roles_.assign(roots_.size(), Role::Assume);
  // A note is no expression of the program; the sizes of memory are part of its identity.
  if (stmt_.as<AttrStmt>() || stmt_.as<Allocate>()) roles_.assign(roots_.size(), Role::Fixed);
  if (const For* s = stmt_.as<For>()) fix_last(s->annotations);
  const Block* block = stmt_.as<Block>();
  if (!block) return;
  size_t k = 0;
  for (size_t iter = 0; iter < block->iters.size(); ++iter) {
    roles_[k++] = Role::Domain;
    roles_[k++] = Role::Domain;
    roles_[k++] = Role::Plain;
  }
  if (block->predicate) roles_[k++] = Role::Predicate;
  for (; k < roles_.size(); ++k) roles_[k] = Role::Region;
  fix_last(block->annotations);
  Path body = at_;
  body.push_back(block->init ? 1 : 0);
  inside_ = facts_at(func_, body);
}

const Expr& ExprSite::expr(const Path& where) const {
  const Expr* e = &roots_.at(static_cast<size_t>(where.at(0)));
  for (size_t k = 1; k < where.size(); ++k) e = &(*e)->args.at(static_cast<size_t>(where[k]));
  return *e;
}

std::vector<Candidate> ExprSite::candidates(const Path& where) const {
  std::vector<Candidate> out = owed(where, match_all(expr(where)));
  std::vector<Candidate> known = owed(where, std::nullopt);
  out.insert(out.end(), std::make_move_iterator(known.begin()), std::make_move_iterator(known.end()));
  return out;
}

std::vector<Candidate> ExprSite::candidates(const Path& where, const std::string& rule) const {
  if (rule == kKnownValue) return owed(where, std::nullopt);
  return owed(where, match_rule(rule, expr(where)));
}

const std::vector<MemoryFact>& ExprSite::cells() const {
  if (!cells_) {
    if (!content_) content_ = content_of(func_);
    cells_ = content_->at(at_);
  }
  return *cells_;
}

bool ExprSite::turns_a_variable(const Path& where, const Expr& after) const {
  Expr replaced = after;
  for (size_t depth = where.size(); depth-- > 1;) {
    const Expr& was = expr(Path(where.begin(), where.begin() + static_cast<std::ptrdiff_t>(depth + 1)));
    if (was->data == replaced->data) return false;
    const Expr& around = expr(Path(where.begin(), where.begin() + static_cast<std::ptrdiff_t>(depth)));
    if (around->op == Op::Let && where[depth] == 1) return true;
    std::vector<Expr> args = around->args;
    args.at(static_cast<size_t>(where[depth])) = replaced;
    replaced = with_args(around, std::move(args));
  }
  bool binds = stmt_.as<LetStmt>() || (stmt_.as<Block>() && roles_[static_cast<size_t>(where[0])] == Role::Plain);
  return binds && roots_[static_cast<size_t>(where[0])]->data != replaced->data;
}

std::optional<Facts> ExprSite::known_at(const Path& where) const {
  const Role role = roles_.at(static_cast<size_t>(where.at(0)));
  if (role == Role::Fixed) return std::nullopt;
  Facts facts = role == Role::Region ? inside_ : facts_;
  if (role == Role::Predicate) facts.inlined = inside_.inlined;
  const Expr* e = &roots_[static_cast<size_t>(where[0])];
  for (size_t k = 1; k < where.size(); ++k) {
    const Expr& node = *e;
    int step = where[k];
    if (node->op == Op::IfThenElse && step > 0) {
      for (const Expr& c : conjuncts(inline_lets(facts.resolve(node->args[0]), facts.loops), step == 2))
        facts.conditions.push_back(c);
    }
    if (node->op == Op::Let) {
      if (step == 0) return std::nullopt;
      const Var& var = node->args[0]->var();
      bool chooses = false;
      visit_expr(node->args[1], [&](const Expr& part) { return !(chooses |= part->op == Op::Undef); });
      if (step == 2 && !chooses) facts.inlined.insert_or_assign(var, facts.resolve(node->args[1]));
    }
    e = &node->args[static_cast<size_t>(step)];
  }
  return facts;
}

/// Is it computed from floats, where the granted flags see how? In the place of a cell of equal bits it is another
/// value.
static bool may_be_regrouped(const Expr& value) {
  const OpenRounding& open = OpenRounding::here();
  bool found = false;
  visit_expr(value, [&](const Expr& e) {
    found |= e->dtype.is_float() && !e->args.empty() && e->op != Op::Load;
    return !found;
  });
  return found && (open.contract || open.reassoc);
}

std::vector<Candidate> ExprSite::owed(const Path& where, std::optional<std::vector<Match>> matches) const {
  Role role = roles_.at(static_cast<size_t>(where.at(0)));
  if (role == Role::Fixed || (matches && matches->empty())) return {};
  if (!matches) {
    const Expr& e = expr(where);
    if (e->op != Op::Load || !e->dtype.is_scalar() || (role != Role::Plain && role != Role::Predicate)) return {};
  }
  const std::optional<Facts> known = known_at(where);
  if (!known) return {};
  const Facts& facts = *known;
  const Expr& matched = expr(where);
  bool not_run = role == Role::Assume || role == Role::Domain || role == Role::Region;
  std::vector<Expr> given = facts.given();
  if (!matches) {
    matches.emplace();
    Expr load = inline_lets(facts.resolve(matched), facts.loops);
    for (const Expr& value : known_values(cells(), given, load)) {
      if (may_be_regrouped(value)) continue;
      matches->push_back({kKnownValue, value, {same_bits(matched, value), fits(value)}});
    }
  }
  std::vector<Candidate> out;
  std::map<std::string, int> ordinals;
  for (Match& match : *matches) {
    Candidate candidate{.match = std::move(match), .ordinal = 0, .needs = {}};
    const Match& m = candidate.match;
    candidate.ordinal = ordinals[m.rule]++;
    if (role == Role::Assume && (m.after->op == Op::IntImm || m.rule == kFoldConstants) && matched->dtype.is_bool()) {
      continue;
    }
    // Nor is a read that an operand decides about moved out of it: what would be evaluated then is owed by nobody.
    const bool decides = matched->op == Op::And || matched->op == Op::Or || matched->op == Op::Select;
    if (role == Role::Assume && decides && reads_memory(m.after)) continue;
    bool open = false;  // a condition on the value of a variable that data gave, and that cannot be put in
    auto owe = [&](const std::string& why, const Expr& goal) {
      Expr resolved = inline_lets(facts.resolve(goal), facts.loops);
      for (const Var& v : free_vars(resolved)) open |= v.is_data();
      bool memory = is_data(resolved) && !not_run;
      candidate.needs.push_back(
          {m.rule, why, place_, memory ? with_content(cells(), given, {resolved}) : given, resolved});
    };
    for (const Expr& condition : m.conditions) {
      if (is_int(condition, 1) || (condition->op == Op::Fits && condition->args[0]->args.empty())) continue;
      owe(condition->op == Op::Fits ? "the new index arithmetic fits its type"
          : m.rule == kKnownValue   ? "the cell holds the bits of the value"
                                    : "the rule's condition holds",
          condition);
    }
    if (not_run) owe("what the rule replaces here is free of errors", fits(matched));
    if (turns_a_variable(where, m.after)) continue;
    if (!open) out.push_back(std::move(candidate));
  }
  return out;
}

namespace {
Expr replace_below(const Expr& e, const Path& where, size_t depth, const Expr& after) {
  if (depth == where.size()) return after;
  std::vector<Expr> args = e->args;
  Expr& arg = args.at(static_cast<size_t>(where[depth]));
  arg = replace_below(arg, where, depth + 1, after);
  return with_args(e, std::move(args));
}
}  // namespace

void ExprSite::replace(const Path& where, const Expr& after) {
  Expr& root = roots_.at(static_cast<size_t>(where.at(0)));
  root = replace_below(root, where, 1, after);
  changed_ = true;
}

}  // namespace hexproof
