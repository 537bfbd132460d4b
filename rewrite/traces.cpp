#include "rewrite/traces.h"

#include <limits>

#include "ir/visit.h"
#include "rewrite/data.h"
#include "rewrite/exchange.h"
#include "rewrite/find.h"
#include "verify/content.h"

namespace hexproof {

std::string print(const std::vector<Trace>& traces) {
  std::string out;
  for (const Trace& t : traces) {
    if (!out.empty()) out += "; ";
    switch (t.kind) {
      case Trace::Kind::Same:
        out += "same";
        break;
      case Trace::Kind::Unread:
        out += "unread";
        break;
      case Trace::Kind::Overwritten:
        out += "by ";
        for (size_t k = 0; k < t.by.size(); ++k) out += (k ? "." : "") + std::to_string(t.by[k]);
        out += "#" + std::to_string(t.witness);
        break;
    }
  }
  return out;
}

std::vector<Trace> parse_traces(const std::string& text) {
  std::vector<Trace> out;
  size_t at = 0;
  auto number = [&]() -> int64_t {
    size_t start = at;
    int64_t value = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9' && at - start < 6)
      value = value * 10 + text[at++] - '0';
    if (at == start) throw NotApplicable("the list of traces does not parse");
    return value;
  };
  while (at < text.size()) {
    Trace trace;
    if (text.compare(at, 4, "same") == 0) {
      at += 4;
    } else if (text.compare(at, 6, "unread") == 0) {
      trace.kind = Trace::Kind::Unread;
      at += 6;
    } else if (text.compare(at, 3, "by ") == 0) {
      trace.kind = Trace::Kind::Overwritten;
      at += 3;
      trace.by.push_back(static_cast<int>(number()));
      while (at < text.size() && text[at] == '.') ++at, trace.by.push_back(static_cast<int>(number()));
      if (at < text.size() && text[at] == '#') ++at, trace.witness = number();
    } else {
      throw NotApplicable("the list of traces does not parse");
    }
    out.push_back(std::move(trace));
    if (text.compare(at, 2, "; ") == 0) {
      at += 2;
    } else if (at < text.size()) {
      throw NotApplicable("the list of traces does not parse");
    }
  }
  return out;
}

std::vector<Path> lasting_stores(const PrimFunc& func, const Path& copy) {
  Stmt stmt = stmt_at(func, copy);
  std::set<Var> own;
  visit_stmt(stmt, [&](const Stmt& s) {
    if (const AllocBuffer* a = s.as<AllocBuffer>()) own.insert(a->buffer->data);
    if (const Allocate* a = s.as<Allocate>()) own.insert(a->data);
    return true;
  });
  std::vector<Path> found;
  for (const Path& at : find_all(func, [](const Stmt& s) { return s.as<Store>() != nullptr; })) {
    if (is_within(at, copy) && !own.count(stmt_at(func, at).as<Store>()->buffer->data)) found.push_back(at);
  }
  return found;
}

namespace {

/// Where the access stands, relative to the statement whose footprint it is of.
Path place_in(const Access& access) {
  Path path(access.order.begin(), access.order.end() - 1);
  for (int& step : path) step -= kOrderParts;
  return path;
}

Path joined(const Path& a, const Path& b) {
  Path out = a;
  out.insert(out.end(), b.begin(), b.end());
  return out;
}

/// What the function's flags promise of the data: `nnan` that no cell holds a NaN, `ninf` that none holds an infinity.
/// Not of results: an operation that is new makes no promise for itself, so infinity times zero stays a question.
std::vector<Expr> granted_finite(const PrimFunc& func, const Expr& value, std::string* used) {
  std::vector<Expr> out;
  bool nnan = func.granted("nnan"), ninf = func.granted("ninf");
  if (!nnan && !ninf) return out;
  visit_expr(value, [&](const Expr& e) {
    if (e->op != Op::Load || !e->dtype.is_float() || !e->dtype.is_scalar()) return true;
    double infinity = std::numeric_limits<double>::infinity();
    if (nnan) out.push_back(eq(e, e));
    if (ninf) out.push_back(land(ne(e, fimm(e->dtype, infinity)), ne(e, fimm(e->dtype, -infinity))));
    return true;
  });
  if (!out.empty()) *used += std::string(nnan ? " `nnan`" : "") + (ninf ? " `ninf`" : "");
  return out;
}

/// Under what is known at `at`, two values are one: to the bit, or as far as the function's flags allow.
Obligation same_value(const std::string& rule, const std::string& why, const PrimFunc& func, const Path& at,
                      const Facts& facts, const Expr& before, const Expr& after) {
  Expr a = facts.resolve(before), b = facts.resolve(after);
  Expr goal = same_bits(a, b);
  std::string flags;
  std::vector<Expr> given = join(facts.given(), granted_finite(func, b, &flags));
  if (a->dtype.is_float() && func.granted("nsz")) goal = lor(goal, eq(a, b)), flags += " `nsz`";
  given = with_content(func, at, std::move(given), {a, b});
  return need(rule, why + (flags.empty() ? "" : " (granted:" + flags + ")"), func, stmt_at(func, at), std::move(given),
              goal);
}

std::vector<Obligation> same(const std::string& rule, const PrimFunc& func, const Path& at) {
  const Store& store = *stmt_at(func, at).as<Store>();
  if (!store.value->dtype.is_scalar()) throw NotApplicable("a vector store");
  if (holds_undef(store.value)) throw NotApplicable("the value of a store holds an undef");
  Facts facts = facts_at(func, at);
  return {same_value(rule, "the store leaves the bits that the cell holds", func, at, facts,
                     load(store.buffer, store.indices), store.value)};
}

/// The accesses of the store at `store` in the footprint of the statement at `whole`, and all reads outside of `copy`.
struct Split {
  std::vector<Access> mine, reads;
};
Split split_accesses(const std::vector<Access>& all, const Path& whole, const Path& copy, const Path& store) {
  Split out;
  for (const Access& access : all) {
    Path at = joined(whole, place_in(access));
    if (access.write && at == store) out.mine.push_back(access);
    if (!access.write && !is_within(at, copy)) out.reads.push_back(access);
  }
  return out;
}

std::vector<Obligation> overwritten(const std::string& rule, const PrimFunc& func, const Path& copy, const Path& store,
                                    const Trace& trace) {
  const Path& by = trace.by;
  record_at<Store>(func, by, "a later store");
  Path branch = above(copy);
  if (is_within(by, branch)) throw NotApplicable("the later store stands inside of the branch");
  size_t common = 0;
  while (common < store.size() && common < by.size() && store[common] == by[common]) ++common;
  const Path around(store.begin(), store.begin() + static_cast<std::ptrdiff_t>(common));
  const Seq& list = record_at<Seq>(func, around, "a sequence around both stores");
  size_t k = static_cast<size_t>(store[common]), m = static_cast<size_t>(by[common]);
  if (k > m) throw NotApplicable("the other store comes first");

  Facts facts = facts_at(func, around);
  std::vector<Stmt> involved(list.stmts.begin() + static_cast<std::ptrdiff_t>(k),
                             list.stmts.begin() + static_cast<std::ptrdiff_t>(m) + 1);
  std::set<Var> unstable = unstable_memory(involved);
  std::vector<Obligation> needs;
  std::vector<Access> mine, writes;
  const Stmt stmt = stmt_at(func, store);
  for (size_t part = k; part <= m; ++part) {
    Path path = below(around, static_cast<int>(part));
    std::vector<Access> all = effects(func, list.stmts[part], facts_at(func, path), unstable);
    Split split = split_accesses(all, path, copy, store);
    if (part == k) mine = split.mine;
    if (mine.empty()) throw NotApplicable("the store writes memory that its own statement allocates");
    owe_no_conflict(rule, "nothing else reads the cell before it is overwritten", func, stmt, facts.given(), mine,
                    renamed(split.reads, {}), Sums::Fixed, &needs);
    if (part != m) continue;
    for (const Access& access : all) {
      if (access.write && access.exact && joined(path, place_in(access)) == by) writes.push_back(access);
    }
  }
  for (const Access& access : mine) {
    auto ways = covers(rule, "the cell is written again", place_of(func, stmt), facts.given(), writes, access);
    if (static_cast<size_t>(trace.witness) >= ways.size()) {
      throw NotApplicable("the later store is not seen to write the cell again");
    }
    for (Obligation& o : ways[static_cast<size_t>(trace.witness)]) needs.push_back(std::move(o));
  }
  return needs;
}

std::vector<Obligation> unread(const std::string& rule, const PrimFunc& func, const Path& copy, const Path& store) {
  Var memory = stmt_at(func, store).as<Store>()->buffer->data;
  std::optional<Path> scope;
  for (Path around = copy; !around.empty() && !scope;) {
    around = above(around);
    Stmt s = stmt_at(func, around);
    const AllocBuffer* buffer = s.as<AllocBuffer>();
    const Allocate* raw = s.as<Allocate>();
    if ((buffer && buffer->buffer->data == memory) || (raw && raw->data == memory)) scope = below(around, 0);
  }
  if (!scope) throw NotApplicable("the memory is not allocated in the function");
  bool escapes = false;
  visit_all_exprs(func.body, [&](const Expr& e) { escapes |= e->op == Op::Var && e->var() == memory; });
  if (escapes) throw NotApplicable("the address of the memory is taken");
  const Stmt whole = stmt_at(func, *scope), stmt = stmt_at(func, store);
  Facts facts = facts_at(func, *scope);
  Split split = split_accesses(effects(func, whole, facts, unstable_memory({whole})), *scope, copy, store);
  if (split.mine.empty()) throw NotApplicable("the store is not found in the scope of its memory");
  std::vector<Obligation> needs;
  owe_no_conflict(rule, "nothing else ever reads the cell", func, stmt, facts.given(), split.mine,
                  renamed(split.reads, {}), Sums::Fixed, &needs);
  return needs;
}

}  // namespace

std::vector<Obligation> leaves_no_trace(const std::string& rule, const PrimFunc& func, const Path& copy,
                                        const Path& store, const Trace& trace) {
  switch (trace.kind) {
    case Trace::Kind::Same:
      return same(rule, func, store);
    case Trace::Kind::Overwritten:
      return overwritten(rule, func, copy, store, trace);
    case Trace::Kind::Unread:
      return unread(rule, func, copy, store);
  }
  return {};
}

std::vector<Obligation> leaves_no_trace(const std::string& rule, const PrimFunc& func, const Path& copy,
                                        const std::vector<Trace>& traces) {
  std::vector<Obligation> needs;
  std::vector<Path> stores = lasting_stores(func, copy);
  if (traces.size() > stores.size()) throw NotApplicable("there are fewer stores than traces");
  for (size_t k = 0; k < stores.size(); ++k) {
    Trace trace = k < traces.size() ? traces[k] : Trace{};
    for (Obligation& o : leaves_no_trace(rule, func, copy, stores[k], trace)) needs.push_back(std::move(o));
  }
  return needs;
}

namespace {

class Comparison {
 public:
  Comparison(const std::string& rule, const PrimFunc& func) : rule_(rule), func_(func) {}

  void stmts(const Path& at, const Stmt& other) {
    Stmt mine = stmt_at(func_, at);
    if (mine.as<Seq>() || other.as<Seq>()) return sequences(at, mine, other);
    if (!one(at, mine, other)) throw NotApplicable("the branches are of different shapes");
  }

  std::vector<Obligation> needs;

 private:
  void sequences(const Path& at, const Stmt& mine, const Stmt& other) {
    std::vector<Stmt> theirs = other.as<Seq>() ? other.as<Seq>()->stmts : std::vector<Stmt>{other};
    const Seq* list = mine.as<Seq>();
    size_t count = list ? list->stmts.size() : 1, next = 0;
    for (size_t k = 0; k < count; ++k) {
      Path here = list ? below(at, static_cast<int>(k)) : at;
      Stmt part = stmt_at(func_, here);
      // As many parts of this one's kind as are still needed may not be left out.
      if (next < theirs.size() && like(part, theirs[next]) && one(here, part, theirs[next])) {
        ++next;
        continue;
      }
      for (const Path& store : lasting_stores(func_, at)) {
        if (!is_within(store, here)) continue;
        for (Obligation& o : same(rule_, func_, store)) needs.push_back(std::move(o));
      }
    }
    if (next < theirs.size()) throw NotApplicable("the branches are of different shapes");
  }

  static bool like(const Stmt& a, const Stmt& b) {
    if (a->record.index() != b->record.index()) return false;
    const Store *x = a.as<Store>(), *y = b.as<Store>();
    return !x || x->buffer == y->buffer;
  }

  bool one(const Path& at, const Stmt& mine, const Stmt& other) {
    if (!like(mine, other)) return false;
    Facts facts = facts_at(func_, at);
    if (const Store* store = mine.as<Store>()) {
      const Store& theirs = *other.as<Store>();
      if (!store->value->dtype.is_scalar()) return false;
      if (holds_undef(store->value) || holds_undef(theirs.value)) {
        throw NotApplicable("the value of a store holds an undef");
      }
      for (size_t d = 0; d < store->indices.size(); ++d) {
        needs.push_back(same_value(rule_, "both branches store to one cell", func_, at, facts,
                                   substitute(theirs.indices[d], names_), store->indices[d]));
      }
      needs.push_back(same_value(rule_, "both branches store the same bits", func_, at, facts,
                                 substitute(theirs.value, names_), store->value));
      return true;
    }
    if (const For* loop = mine.as<For>()) {
      const For& theirs = *other.as<For>();
      if (loop->kind != theirs.kind || loop->var.dtype() != theirs.var.dtype()) return false;
      if (!(substitute(theirs.min, names_) == loop->min) || !(substitute(theirs.extent, names_) == loop->extent)) {
        return false;
      }
      names_[theirs.var] = Expr(loop->var);
      stmts(below(at, 0), theirs.body);
      return true;
    }
    if (const If* branch = mine.as<If>()) {
      const If& theirs = *other.as<If>();
      if (!(substitute(theirs.condition, names_) == branch->condition) || theirs.else_case || branch->else_case) {
        return false;
      }
      stmts(below(at, 0), theirs.then_case);
      return true;
    }
    return false;
  }

  const std::string& rule_;
  const PrimFunc& func_;
  VarMap names_;
};

}  // namespace

std::vector<Obligation> does_the_same(const std::string& rule, const PrimFunc& func, const Path& copy,
                                      const Stmt& other) {
  Comparison comparison(rule, func);
  comparison.stmts(copy, other);
  return std::move(comparison.needs);
}

BothSides both_sides(const PrimFunc& func, const Path& at, bool takes) {
  const Stmt stmt = checked_at(func, at);
  if (const Block* block = stmt.as<Block>(); block && block->predicate) {
    if (!takes) throw NotApplicable("a block has no else");
    VarMap bindings;
    for (const IterVar& iter : block->iters) {
      require_index(func, iter.binding, "a binding of the block");
      bindings.emplace(iter.var, iter.binding);
    }
    Expr condition = substitute(block->predicate, bindings);
    Block open = *block;
    open.predicate = {};
    Stmt kept = make_stmt(std::move(open), stmt->span);
    if (holds_undef(condition)) throw NotApplicable("the condition holds an undef");
    return {replace_at(func, at, make_stmt(If{condition, kept, refresh(kept)}, stmt->span)), below(at, 1), kept, {}};
  }
  const If& branch = record_at<If>(func, at, "an if, or a block with a predicate");
  if (holds_undef(branch.condition)) throw NotApplicable("the condition holds an undef");
  if (takes) {
    If both{branch.condition, branch.then_case, refresh(branch.then_case)};
    return {replace_at(func, at, make_stmt(both, stmt->span)), below(at, 1), branch.then_case, branch.else_case};
  }
  if (!branch.else_case) throw NotApplicable("the if has no else");
  If both{branch.condition, refresh(branch.else_case), branch.else_case};
  return {replace_at(func, at, make_stmt(both, stmt->span)), below(at, 0), branch.else_case, branch.then_case};
}

}  // namespace hexproof
