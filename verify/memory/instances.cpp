// Facts about all cells, put in for the cells that a question reads.
#include <algorithm>
#include <utility>

#include "verify/access/footprint_witness.h"
#include "verify/memory/content.h"
#include "verify/memory/kept.h"
#include "verify/memory/quick.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {

namespace {

constexpr int kRounds = 3;         // what an instance reads is looked up, too
constexpr size_t kInstances = 60;  // of one question

std::vector<Expr> loads_in(const std::vector<Expr>& list) {
  std::vector<Expr> out;
  for (const Expr& e : list) {
    visit_nodes(e, [&](const Expr& node) {
      bool cell = node->op == Op::Load && node->dtype.is_scalar();
      if (cell && std::find(out.begin(), out.end(), node) == out.end()) out.push_back(node);
      return true;
    });
  }
  return out;
}

/// A float computation by its form, whatever the indices of its loads. Zero for all else.
uint64_t float_form(const Expr& e) {
  bool computes = e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul || e->op == Op::Div || e->op == Op::Cast ||
                  e->op == Op::Call;
  if (!computes || !e->dtype.is_float()) return 0;
  uint64_t form = static_cast<uint64_t>(e->op) * 0x9e3779b97f4a7c15ull + e->dtype.bits;
  for (const Expr& arg : e->args) {
    uint64_t part = float_form(arg);
    if (part == 0) part = arg->op == Op::Load ? arg->buffer()->id : arg->args.empty() ? arg->hash : 7;
    form = (form ^ part) * 0xbf58476d1ce4e5b9ull + (form >> 31);
  }
  return form | 1;
}
/// All float computations in `e`.
void float_forms(const Expr& e, std::set<uint64_t>* out) {
  if (uint64_t form = float_form(e)) out->insert(form);
  for (const Expr& arg : e->args) float_forms(arg, out);
}

/// Different constants as indices: surely another cell.
bool may_meet(const Expr& a, const Expr& b) {
  for (size_t d = 0; d < a->args.size(); ++d) {
    if (as_int(a->args[d]) && as_int(b->args[d]) && int_value(a->args[d]) != int_value(b->args[d])) return false;
  }
  return true;
}

/// A fact with values for its loops: says, unless one of `otherwise` holds.
struct FactInstance {
  Expr says;
  std::vector<Expr> otherwise;
  bool never = false;  // its conditions do not hold here

  Expr formula() const {
    Expr out;
    for (const Expr& e : otherwise) out = out ? lor(out, e) : e;
    return out ? lor(out, says) : says;
  }
};

class Instantiation {
 public:
  Instantiation(const std::vector<MemoryFact>& facts, const std::vector<Expr>& given)
      : facts_(facts), given_(given), quick_(given) {}

  /// The fact for the cell that `load` reads, where its trigger is that cell.
  std::vector<FactInstance> at_load(const MemoryFact& general, const Expr& trigger_of, const Expr& load) const {
    std::vector<FactInstance> out;
    if (general.loops.empty()) return out;
    MemoryFact fact = renamed_apart(general);
    size_t which = static_cast<size_t>(std::find(general.triggers.begin(), general.triggers.end(), trigger_of) -
                                       general.triggers.begin());
    const Expr trigger = fact.triggers[which];
    Access write = access_of(trigger->buffer(), trigger->args, true);
    write.loops = fact.loops;
    for (const Expr& e : fact.when) {
      if (e->op == Op::EQ && !is_data(e)) write.guards.push_back(e);
    }
    const Access read = access_of(load->buffer(), load->args);
    std::vector<VarMap> seen;
    for (const Witness& witness : witnesses(write, read, given_)) {
      bool twice = false;
      for (const VarMap& other : seen) {
        twice |= std::equal(other.begin(), other.end(), witness.values.begin(), witness.values.end(),
                            [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; });
      }
      if (twice) continue;
      seen.push_back(witness.values);
      out.push_back(put_in(fact, witness.values, trigger, load));
    }
    return out;
  }

  FactInstance put_in(const MemoryFact& general, const VarMap& values, const Expr& trigger, const Expr& load) const {
    MemoryFact fact = renamed_apart(general);  // the hits' variables are this instance's own
    VarMap map;
    for (size_t k = 0; k < general.loops.size(); ++k) {
      map.emplace(fact.loops[k].var,
                  values.count(general.loops[k].var) ? values.at(general.loops[k].var) : general.loops[k].min);
    }
    FactInstance out;
    auto require = [&](const Expr& condition) {
      if (out.never || quick_.implies(condition)) return;
      out.never = quick_.impossible({condition});
      out.otherwise.push_back(lnot(condition));
    };
    for (const Expr& e : fact.when) require(substitute(e, map));
    out.says = substitute(fact.says, map);
    if (load) {
      Expr cell = substitute(trigger, values);
      for (size_t d = 0; d < cell->args.size(); ++d) {
        Expr here = cell->args[d], there = load->args[d];
        if (here == there && !chooses(here, OpenRounding::here())) continue;  // two evaluations may be two values
        if (here->dtype != there->dtype) here = cast(kInt64, here), there = cast(kInt64, there);
        require(eq(here, there));
      }
      out.says = fact.permission ? may_hold_anything(load)
                                 : rewrite_expr(out.says, [&](const Expr& node) { return node == cell ? load : node; });
    }
    for (const Clobber& hit : fact.hits) {
      if (out.never) break;
      std::vector<Expr> conditions;
      for (const Expr& e : hit.conditions) conditions.push_back(substitute(e, map));
      if (!quick_.impossible(conditions)) out.otherwise.push_back(all(conditions));
    }
    return out;
  }

  /// Floating-point arithmetic is slow to reason about: what a cell is computed as counts only where the same is
  /// computed in the question.
  static bool wanted(const MemoryFact& fact, const std::set<uint64_t>& forms) {
    std::set<uint64_t> mine;
    float_forms(fact.says, &mine);
    return mine.empty() || std::any_of(mine.begin(), mine.end(), [&](uint64_t form) { return forms.count(form) > 0; });
  }

  std::vector<FactInstance> of(const std::vector<Expr>& about) const {
    std::vector<FactInstance> out;
    std::vector<bool> used(facts_.size(), false);
    std::vector<Expr> loads = loads_in(about), all_loads = loads;
    std::set<uint64_t> about_forms;
    for (const Expr& e : about) float_forms(e, &about_forms);
    for (int round = 0; round < kRounds && !loads.empty(); ++round) {
      std::vector<FactInstance> now;
      for (const Expr& load : loads) {
        for (size_t k = facts_.size(); k-- > 0;) {  // the latest first
          const MemoryFact& fact = facts_[k];
          for (const Expr& trigger : fact.triggers) {
            if (trigger->buffer() != load->buffer() || !may_meet(trigger, load)) continue;
            if (!wanted(fact, about_forms) || out.size() + now.size() >= kInstances) continue;
            if (fact.loops.empty()) {
              if (!used[k]) now.push_back(put_in(fact, {}, {}, {}));
              used[k] = true;
              continue;
            }
            for (FactInstance& instance : at_load(fact, trigger, load)) now.push_back(std::move(instance));
          }
        }
      }
      std::erase_if(now, [](const FactInstance& i) { return i.never; });
      std::vector<Expr> said;
      for (const FactInstance& i : now) {
        said.push_back(i.says);
        float_forms(i.says, &about_forms);
      }
      loads = loads_in(said);
      std::erase_if(loads,
                    [&](const Expr& e) { return std::find(all_loads.begin(), all_loads.end(), e) != all_loads.end(); });
      all_loads.insert(all_loads.end(), loads.begin(), loads.end());
      out.insert(out.end(), now.begin(), now.end());
    }
    return out;
  }

 private:
  const std::vector<MemoryFact>& facts_;
  const std::vector<Expr>& given_;
  Quick quick_;
};

bool reads_memory(const std::vector<Expr>& list) { return !loads_in(list).empty(); }

}  // namespace

std::vector<Expr> instances(const std::vector<MemoryFact>& facts, const std::vector<Expr>& given,
                            const std::vector<Expr>& about) {
  std::vector<Expr> out;
  if (facts.empty() || !reads_memory(about)) return out;
  for (const FactInstance& i : Instantiation(facts, given).of(about)) {
    Expr e = i.formula();
    bool known = std::find(given.begin(), given.end(), e) != given.end();
    if (!known && std::find(out.begin(), out.end(), e) == out.end()) out.push_back(std::move(e));
  }
  return out;
}

std::vector<Expr> with_content(const std::vector<MemoryFact>& facts, std::vector<Expr> given,
                               const std::vector<Expr>& about) {
  std::vector<Expr> all = about;
  for (const Expr& e : given) {
    if (is_data(e)) all.push_back(e);
  }
  std::vector<Expr> more = instances(facts, given, all);
  given.insert(given.end(), more.begin(), more.end());
  return given;
}

std::vector<Expr> with_content(const PrimFunc& func, const Path& path, std::vector<Expr> given,
                               const std::vector<Expr>& about) {
  if (!reads_memory(about)) return given;
  std::set<Var> memory;
  for (const std::vector<Expr>* list : {&about, &std::as_const(given)}) {
    for (const Expr& e : *list) memory.merge(data_read(e));
  }
  return with_content(content_of(func, std::nullopt, memory)->at(path), std::move(given), about);
}

namespace {

/// What `says` gives for the value of `load`: of a disjunction, the parts that are equations.
void equations(const Expr& says, const Expr& load, std::vector<Expr>* out) {
  if (says->op == Op::Or || says->op == Op::And) {
    for (const Expr& part : says->args) equations(part, load, out);
    return;
  }
  bool equal = says->op == Op::EQ || says->op == Op::SameBits;
  if (!equal) return;
  for (int side : {0, 1}) {
    const Expr& value = says->args[static_cast<size_t>(1 - side)];
    if (!(says->args[static_cast<size_t>(side)] == load) || is_data(value)) continue;
    if (std::find(out->begin(), out->end(), value) == out->end()) out->push_back(value);
  }
}

}  // namespace

std::vector<Expr> known_values(const std::vector<MemoryFact>& facts, const std::vector<Expr>& given, const Expr& load) {
  std::vector<Expr> out;
  std::set<Var> scope = free_vars(load);
  for (const Expr& e : given) scope.merge(free_vars(e));
  for (const FactInstance& i : Instantiation(facts, given).of({load})) {
    std::vector<Expr> found;
    equations(i.says, load, &found);
    for (const Expr& e : found) {
      bool here = true;
      for (const Var& v : free_vars(e)) here &= scope.count(v) > 0;
      if (here && std::find(out.begin(), out.end(), e) == out.end()) out.push_back(e);
    }
  }
  return out;
}

}  // namespace hexproof
