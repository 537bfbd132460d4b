// Which facts hold where: what each statement establishes, and how stores on the way weaken it.
#include <algorithm>
#include <functional>
#include <map>
#include <mutex>

#include "ir/text.h"
#include "verify/content.h"
#include "verify/content/quick.h"
#include "verify/footprint.h"

namespace hexproof {

namespace {

constexpr size_t kFacts = 200;  // known at one place; the oldest are forgotten first
constexpr size_t kHits = 16;    // of one fact; with more it is forgotten
constexpr size_t kSize = 300;   // nodes of a statement about cells

/// Lists of one place share most facts with those of the next one: a fact is copied when it changes.
using FactPtr = std::shared_ptr<const CellFact>;
using FactList = std::vector<FactPtr>;

CellFact& own(FactPtr& fact) {
  auto copy = std::make_shared<CellFact>(*fact);
  fact = copy;
  return *copy;
}
FactPtr make_fact(CellFact fact) { return std::make_shared<const CellFact>(std::move(fact)); }

bool holds_undef(const Expr& e) {
  bool found = false;
  visit_expr(e, [&](const Expr& node) { return !(found |= node->op == Op::Undef); });
  return found;
}

bool only_scalars(const Expr& e) {
  bool scalar = true;
  visit_expr(e, [&](const Expr& node) { return scalar &= node->dtype.is_scalar(); });
  return scalar;
}

bool small(const Expr& e) {
  size_t count = 0;
  visit_expr(e, [&](const Expr&) { return ++count <= kSize; });
  return count <= kSize;
}

void add_loads(const Expr& e, std::vector<Expr>* out) {
  visit_expr(e, [&](const Expr& node) {
    if (node->op == Op::Load && std::find(out->begin(), out->end(), node) == out->end()) out->push_back(node);
    return true;
  });
}

bool mentions(const CellFact& fact, const std::function<bool(const Buffer&)>& f) {
  return std::any_of(fact.cells.begin(), fact.cells.end(), [&](const Expr& e) { return f(e->buffer()); });
}

/// How the iteration of a store relates to that of the fact, at one loop around both.
struct Iteration {
  size_t depth;            // the loops from here on are other iterations
  std::vector<Expr> when;  // over `var`, the other iteration of the first of them
  Var var;
};

}  // namespace

CellFact renamed_apart(CellFact fact, VarMap names) {
  auto rename = [&](std::vector<Expr>& list) {
    for (Expr& e : list) e = substitute(e, names);
  };
  auto rename_loops = [&](std::vector<LoopRange>& loops) {
    for (LoopRange& loop : loops) {
      loop.min = substitute(loop.min, names);
      loop.extent = substitute(loop.extent, names);
      Var var = Var::fresh(loop.var.name(), loop.var.dtype());
      names.insert_or_assign(loop.var, Expr(var));
      loop.var = var;
    }
  };
  rename_loops(fact.loops);
  rename(fact.when), rename(fact.triggers), rename(fact.cells);
  fact.says = substitute(fact.says, names);
  for (Hit& h : fact.hits) {
    rename_loops(h.loops);
    rename(h.conditions);
  }
  return fact;
}

namespace {

/// A statement with its expressions resolved: lets and block variables put in.
struct Node {
  Stmt stmt;
  size_t loops = 0;         // around it
  std::vector<Expr> exprs;  // Store: indices, value. Assume, If: condition. Block: predicate, starts of reductions
  LoopRange range;          // For
  bool has_predicate = false;
  std::vector<Expr> known;  // conditions on no memory that hold when it runs
  std::vector<Node> parts;
  // Loads and stores below it are accesses[first_access] up to accesses[end_access].
  size_t first_access = 0, end_access = 0;
  FactList established;  // at its end, by itself
};

}  // namespace

struct Content::Impl {
  Node root;
  std::vector<Access> accesses;
  std::set<Buffer> varying;

  explicit Impl(const PrimFunc& func) {
    resolve(func);
    collect_accesses(func);
    establish(root);
  }

  std::vector<CellFact> at(const Path& path) {
    std::lock_guard lock(mutex);
    std::vector<CellFact> out;
    for (const FactPtr& fact : known_at(path)) out.push_back(*fact);
    return out;
  }

 private:
  std::mutex mutex;
  std::map<Path, FactList> places;  // at the places that were asked for, and on the way there

  const Node& node_at(const Path& path) const {
    const Node* node = &root;
    for (int step : path) {
      HEXPROOF_CHECK(step >= 0 && static_cast<size_t>(step) < node->parts.size(), "Content: no such place");
      node = &node->parts[static_cast<size_t>(step)];
    }
    return *node;
  }

  const FactList& known_at(const Path& path) {
    if (auto it = places.find(path); it != places.end()) return it->second;
    FactList facts;
    if (!path.empty()) {
      Path before(path.begin(), path.end() - 1);
      const Node& around = node_at(before);
      int step = path.back();
      node_at(path);
      if (around.stmt.as<Seq>() && step > 0) {
        before.push_back(step - 1);
        facts = known_at(before);
        run(around.parts[static_cast<size_t>(step - 1)], &facts);
      } else {
        facts = known_at(before);
        enter(around, static_cast<size_t>(step), &facts);
      }
    }
    return places.emplace(path, std::move(facts)).first->second;
  }

  // ---- the program, resolved

  void resolve(const PrimFunc& func) {
    std::set<Var> fixed;
    for (const Var& v : func.scalars()) fixed.insert(v);
    walk_with_facts(func, [&](const Stmt& s, const Path& path, const Facts& facts) {
      Node* node = &root;
      for (size_t k = 0; k < path.size(); ++k) {
        Node* part = &node->parts[static_cast<size_t>(path[k])];
        if (k + 1 == path.size()) from_inside(*node, static_cast<size_t>(path[k]), facts);
        node = part;
      }
      node->stmt = s;
      node->loops = facts.loops.size();
      for (const Expr& e : facts.conditions) {
        if (!is_data(e)) node->known.push_back(e);
      }
      node->parts.resize(children(s).size());
      auto add = [&](const Expr& e) { node->exprs.push_back(inline_lets(facts.resolve(e), facts.loops)); };
      if (const Store* store = s.as<Store>()) {
        for (const Expr& index : store->indices) add(index);
        add(store->value);
      } else if (const Assume* assume = s.as<Assume>()) {
        add(assume->condition);
      } else if (const If* branch = s.as<If>()) {
        add(branch->condition);
      } else if (const DeclBuffer* view = s.as<DeclBuffer>()) {
        bool moves = false;
        auto look = [&](const Expr& e) {
          if (!e) return;
          for (const Var& v : free_vars(e)) moves |= !fixed.count(v);
        };
        for (const Expr& e : view->buffer->shape) look(e);
        for (const Expr& e : view->buffer->strides) look(e);
        look(view->buffer->elem_offset);
        if (moves) varying.insert(view->buffer);
      }
      return true;
    });
  }

  /// What of a statement is resolved with the facts inside of it.
  static void from_inside(Node& node, size_t part, const Facts& facts) {
    if (node.stmt.as<For>()) node.range = facts.loops.back();
    const Block* block = node.stmt.as<Block>();
    if (!block || part != 0) return;
    auto add = [&](const Expr& e) { node.exprs.push_back(inline_lets(facts.resolve(e), facts.loops)); };
    node.has_predicate = static_cast<bool>(block->predicate);
    if (block->predicate) add(block->predicate);
    for (const IterVar& iter : block->iters) {
      if (iter.kind == IterKind::Reduce) add(eq(Expr(iter.var), iter.dom.min));
    }
  }

  void collect_accesses(const PrimFunc& func) {
    accesses = footprint(func.body, entry_facts(func), true);
    std::function<void(Node&, Path&)> number = [&](Node& node, Path& at) {
      auto below = [&](const Access& a) {
        return a.order.size() > at.size() && std::equal(at.begin(), at.end(), a.order.begin());
      };
      auto first = std::find_if(accesses.begin(), accesses.end(), below);
      auto last = std::find_if_not(first, accesses.end(), below);
      node.first_access = static_cast<size_t>(first - accesses.begin());
      node.end_access = static_cast<size_t>(last - accesses.begin());
      for (size_t k = 0; k < node.parts.size(); ++k) {
        at.push_back(kOrderParts + static_cast<int>(k));
        number(node.parts[k], at);
        at.pop_back();
      }
    };
    Path at;
    number(root, at);
  }

  // ---- stores that weaken facts

  /// May `write` have hit the cell of `read`, a load? Nothing when it surely has not.
  std::optional<Hit> hit(const Node& node, const Access& write, const Expr& read, const std::vector<Expr>& when,
                         const Iteration& iteration) const {
    if (!may_alias(write.buffer, read->buffer())) return std::nullopt;
    if (write.buffer == read->buffer() && write.buffer->strides.empty()) {
      for (size_t d = 0; d < write.indices.size(); ++d) {
        const Expr &a = write.indices[d], &b = read->args[d];
        if (as_int(a) && as_int(b) && int_value(a) != int_value(b)) return std::nullopt;
      }
    }
    Hit out;
    VarMap map;
    std::vector<Expr> known = when;
    known.insert(known.end(), node.known.begin(), node.known.end());
    for (size_t k = 0; k < write.loops.size(); ++k) {
      LoopRange loop = write.loops[k];
      if (k < iteration.depth) {
        for (Expr& e : range_of(loop)) known.push_back(std::move(e));
        continue;
      }
      Var var = Var::fresh(loop.var.name() + "_store", loop.var.dtype());
      loop.min = substitute(loop.min, map);
      loop.extent = substitute(loop.extent, map);
      map.insert_or_assign(loop.var, Expr(var));
      if (k == iteration.depth) {
        for (const Expr& e : iteration.when) out.conditions.push_back(substitute(e, {{iteration.var, Expr(var)}}));
      }
      loop.var = var;
      for (Expr& e : range_of(loop)) {
        if (!is_data(e)) out.conditions.push_back(std::move(e));
      }
      out.loops.push_back(std::move(loop));
    }
    for (const Expr& guard : write.guards) {
      Expr e = substitute(guard, map);
      bool holds = std::find(node.known.begin(), node.known.end(), e) != node.known.end();
      if (!is_data(e) && !holds) out.conditions.push_back(std::move(e));
    }
    Access cell{.buffer = read->buffer(),
                .indices = read->args,
                .write = false,
                .loops = {},
                .guards = {},
                .exact = true,
                .stmt = {},
                .order = {}};
    Access there = write;
    there.layout_varies |= varying.count(read->buffer()) > 0;
    bool data = false;
    for (Expr& index : there.indices) {
      data |= is_data(index);
      index = substitute(index, map);
    }
    if (data && (write.buffer != read->buffer() || !write.buffer->strides.empty())) there.layout_varies = true;
    if (data && !there.layout_varies) {
      // An index that is data may be anything.
      for (size_t d = there.indices.size(); d-- > 0;) {
        if (!is_data(there.indices[d])) continue;
        there.indices[d] = cell.indices[d];
      }
    }
    for (const Expr& e : conjuncts(same_cell(there, cell))) {
      bool trivial = e->op == Op::EQ && e->args[0] == e->args[1];
      if (!trivial && !is_int(e, 1)) out.conditions.push_back(e);
    }
    known.insert(known.end(), out.conditions.begin(), out.conditions.end());
    if (Quick(known).impossible()) return std::nullopt;
    return out;
  }

  /// Every store below `node` may have run (for a permission, every load, too). A fact that one of them surely hits is
  /// forgotten.
  void weaken(const Node& node, const Iteration& iteration, FactList* facts) const {
    std::erase_if(*facts, [&](FactPtr& fact) {
      std::vector<Hit> hits;
      for (const Expr& cell : fact->cells) {
        for (size_t k = node.first_access; k < node.end_access; ++k) {
          if (!accesses[k].write && !fact->permission) continue;
          std::optional<Hit> found = hit(node, accesses[k], cell, fact->when, iteration);
          if (!found) continue;
          if (found->conditions.empty() || fact->hits.size() + hits.size() >= kHits) return true;
          hits.push_back(std::move(*found));
        }
      }
      if (hits.empty()) return false;
      CellFact& weaker = own(fact);
      weaker.hits.insert(weaker.hits.end(), hits.begin(), hits.end());
      return false;
    });
  }
  void weaken(const Node& node, FactList* facts) const { weaken(node, {node.loops, {}, {}}, facts); }

  static void append(FactList* facts, const FactList& more) {
    facts->insert(facts->end(), more.begin(), more.end());
    if (facts->size() > kFacts) facts->erase(facts->begin(), facts->end() - static_cast<long>(kFacts));
  }

  /// `facts` hold only where `condition` does (was true before the statements of `ran` ran).
  void guard(const Expr& condition, bool negated, const std::vector<const Node*>& ran, FactList* facts) const {
    if (facts->empty()) return;
    if (holds_undef(condition) || !only_scalars(condition) || !small(condition)) return facts->clear();
    std::vector<Expr> parts = conjuncts(condition, negated);
    CellFact reading;
    add_loads(condition, &reading.cells);
    FactList reads{make_fact(std::move(reading))};
    for (const Node* node : ran) weaken(*node, &reads);
    if (reads.empty()) return facts->clear();
    for (FactPtr& shared : *facts) {
      CellFact& fact = own(shared);
      fact.when.insert(fact.when.begin(), parts.begin(), parts.end());
      for (const Expr& load : reads[0]->cells) add_loads(load, &fact.cells);
      fact.hits.insert(fact.hits.end(), reads[0]->hits.begin(), reads[0]->hits.end());
    }
  }

  /// What `condition` says of memory, as facts of the place.
  void learn(const Expr& condition, bool negated, FactList* facts) const {
    for (const Expr& e : conjuncts(condition, negated)) {
      CellFact fact;
      add_loads(e, &fact.cells);
      if (fact.cells.empty() || !only_scalars(e) || !small(e)) continue;
      if (mentions(fact, [&](const Buffer& b) { return varying.count(b) > 0; })) continue;
      fact.says = e;
      fact.triggers = fact.cells;
      facts->push_back(make_fact(std::move(fact)));
    }
  }

  // ---- what a statement establishes

  void establish(Node& node) {
    for (Node& part : node.parts) establish(part);
    FactList& out = node.established;
    std::visit(
        match{[&](const Store& s) { stored(node, s); }, [&](const Assume&) { learn(node.exprs[0], false, &out); },
              [](const Evaluate&) {},
              [&](const Seq&) {
                for (const Node& part : node.parts) run(part, &out);
              },
              [&](const For& s) {
                out = node.parts[0].established;
                finished(node, s, &out);
              },
              [&](const If& s) {
                for (size_t k = 0; k < node.parts.size(); ++k) {
                  FactList facts = node.parts[k].established;
                  guard(node.exprs[0], k == 1 || !s.then_case, {&node.parts[k]}, &facts);
                  append(&out, facts);
                }
              },
              [&](const Block& s) {
                for (size_t k = 0; k < node.parts.size(); ++k) {
                  bool init = s.init && k == 0;
                  if (s.init && k == 1) weaken(node.parts[k], &out);
                  FactList facts = node.parts[k].established;
                  if (init) {
                    for (size_t e = node.has_predicate; e < node.exprs.size(); ++e) {
                      guard(node.exprs[e], false, {&node.parts[0]}, &facts);
                    }
                  }
                  append(&out, facts);
                }
                if (node.has_predicate) {
                  std::vector<const Node*> ran;
                  for (const Node& part : node.parts) ran.push_back(&part);
                  guard(node.exprs[0], false, ran, &out);
                }
              },
              [&](const AllocBuffer& s) { leave(node, [&](const Buffer& b) { return b->data == s.buffer->data; }); },
              [&](const Allocate& s) { leave(node, [&](const Buffer& b) { return b->data == s.data; }); },
              [&](const DeclBuffer& s) { leave(node, [&](const Buffer& b) { return b == s.buffer; }); },
              [&](const LetStmt&) { out = node.parts[0].established; },
              [&](const AttrStmt&) { out = node.parts[0].established; }},
        node.stmt->record);
  }

  static void leave(Node& node, const std::function<bool(const Buffer&)>& gone) {
    node.established = node.parts[0].established;
    std::erase_if(node.established, [&](const FactPtr& fact) { return mentions(*fact, gone); });
  }

  void run(const Node& node, FactList* facts) const {
    weaken(node, facts);
    append(facts, node.established);
  }

  void stored(Node& node, const Store& s) {
    const Expr& value = node.exprs.back();
    std::vector<Expr> indices(node.exprs.begin(), node.exprs.end() - 1);
    if (varying.count(s.buffer) || !s.buffer->dtype.is_scalar()) return;
    bool permits = value->op == Op::Undef;
    for (const Expr& e : node.exprs) {
      if (!only_scalars(e) || !small(e) || (holds_undef(e) && !permits)) return;
    }
    Expr cell = load(s.buffer, indices);
    CellFact fact;
    for (const Expr& e : node.exprs) add_loads(e, &fact.cells);
    bool own = std::find(fact.cells.begin(), fact.cells.end(), cell) != fact.cells.end();
    if (own || mentions(fact, [&](const Buffer& b) { return varying.count(b) > 0; })) return;
    // What the value and the index read may be the cell itself.
    FactList facts{make_fact(std::move(fact))};
    weaken(node, &facts);
    if (facts.empty()) return;
    fact = *facts[0];
    fact.permission = permits;
    fact.triggers = {cell};
    fact.cells.push_back(cell);
    if (permits) {
      fact.says = may_hold_anything(cell);
      node.established.push_back(make_fact(std::move(fact)));
    } else {
      cases(cell, value, fact, 3, &node.established);
    }
  }

  /// A value that a condition chooses makes one fact for each choice.
  static void cases(const Expr& cell, const Expr& value, const CellFact& fact, int depth, FactList* out) {
    if (depth == 0 || (value->op != Op::IfThenElse && value->op != Op::Select)) {
      CellFact one = fact;
      one.says = same_bits(cell, value);
      out->push_back(make_fact(std::move(one)));
      return;
    }
    for (size_t side : {1, 2}) {
      CellFact one = fact;
      for (Expr& e : conjuncts(value->args[0], side == 2)) one.when.push_back(std::move(e));
      cases(cell, value->args[side], one, depth - 1, out);
    }
  }

  /// The loop has run: what each iteration established holds for all of them, unless a later one stored there.
  void finished(const Node& node, const For& s, FactList* facts) const {
    Expr here(s.var);
    bool in_order = s.kind == ForKind::Serial || s.kind == ForKind::Unrolled;
    Iteration other = another(node, in_order ? Op::LT : Op::NE);
    std::vector<Expr> range = range_of(node.range);
    for (FactPtr& fact : *facts) {
      CellFact& ranged = own(fact);
      ranged.when.insert(ranged.when.begin(), range.begin(), range.end());
    }
    weaken(node.parts[0], other, facts);
    for (FactPtr& shared : *facts) {
      CellFact& fact = own(shared);
      fact.loops.insert(fact.loops.begin(), node.range);
      for (const Expr& e : range) add_loads(e, &fact.cells);
    }
  }

  /// The iterations i' of the loop at `node` with `i op i'`.
  static Iteration another(const Node& node, Op op) {
    Var there = Var::fresh(node.range.var.name(), node.range.var.dtype());
    return {node.loops, {binary(op, Expr(node.range.var), Expr(there))}, there};
  }

  // ---- on the way down

  /// From just before `node` to just before its part `step`.
  void enter(const Node& node, size_t step, FactList* known) const {
    if (node.stmt.as<Seq>()) {
      for (size_t k = 0; k < step; ++k) run(node.parts[k], known);
    } else if (const For* s = node.stmt.as<For>()) {
      into_loop(node, *s, known);
    } else if (const If* s = node.stmt.as<If>()) {
      learn(node.exprs[0], step == 1 || !s->then_case, known);
    } else if (const Block* s = node.stmt.as<Block>()) {
      if (node.has_predicate) learn(node.exprs[0], false, known);
      if (s->init && step == 1) {
        weaken(node.parts[0], known);
        FactList facts = node.parts[0].established;
        for (size_t e = node.has_predicate; e < node.exprs.size(); ++e) {
          guard(node.exprs[e], false, {&node.parts[0]}, &facts);
        }
        append(known, facts);
      }
    }
  }

  void into_loop(const Node& node, const For& s, FactList* known) const {
    const Node& body = node.parts[0];
    bool in_order = s.kind == ForKind::Serial || s.kind == ForKind::Unrolled;
    weaken(body, another(node, in_order ? Op::GT : Op::NE), known);
    if (!in_order || is_data(node.range.min)) return;
    // The iterations before this one: `now` for this one, and the loop's variable for the earlier one until the end.
    Var now = Var::fresh(s.var.name(), s.var.dtype()), earlier = Var::fresh(s.var.name() + "_before", s.var.dtype());
    Iteration between = another(node, Op::LT);
    between.when.push_back(lt(Expr(between.var), Expr(now)));
    FactList facts = body.established;
    std::vector<Expr> range = {le(node.range.min, Expr(s.var)), lt(Expr(s.var), Expr(now))};
    for (FactPtr& fact : facts) {
      CellFact& ranged = own(fact);
      ranged.when.insert(ranged.when.begin(), range.begin(), range.end());
    }
    weaken(body, between, &facts);
    for (FactPtr& shared : facts) {
      // The place may lie in the loops that the fact ranges over.
      CellFact fact = renamed_apart(*shared, {{s.var, Expr(earlier)}, {now, Expr(s.var)}});
      fact.loops.insert(fact.loops.begin(),
                        LoopRange{earlier, node.range.min, fold(Expr(s.var) - node.range.min), node.range.kind});
      shared = make_fact(std::move(fact));
    }
    append(known, facts);
  }
};

Expr may_hold_anything(const Expr& load) {
  // A predicate of the cell, and not of its value: two cells may hold the same.
  std::vector<Expr> args{load};
  args.insert(args.end(), load->args.begin(), load->args.end());
  return call(kBool, "may_hold_anything#" + std::to_string(load->buffer()->id), std::move(args));
}

Content::Content(const PrimFunc& func) : impl_(std::make_unique<Impl>(func)) {}
Content::~Content() = default;
std::vector<CellFact> Content::at(const Path& path) const { return impl_->at(path); }

std::string CellFact::str() const {
  std::string out;
  for (const LoopRange& loop : loops) out += (out.empty() ? "for all " : ", ") + loop.var.name();
  for (const Expr& e : when) out += (out.empty() ? "" : &e == &when[0] ? ": " : " and ") + print(e);
  return out + (out.empty() ? "" : " : ") + print(says);
}

}  // namespace hexproof
