#include "verify/check/module.h"

#include <fmt/format.h>

#include "ir/base/mutant.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "verify/check/check_item.h"
#include "verify/check/errors_met.h"
#include "verify/check/items/clashing.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace {

void disjuncts(const Expr& e, std::vector<Expr>* out) {
  if (e->op == Op::Likely) return disjuncts(e->args[0], out);
  if (e->op != Op::Or) return out->push_back(e);
  disjuncts(e->args[0], out);
  disjuncts(e->args[1], out);
}

void plain_conjuncts(const Expr& e, std::vector<Expr>* out) {
  if (e->op == Op::Likely) return plain_conjuncts(e->args[0], out);
  if (e->op != Op::And) return out->push_back(e);
  plain_conjuncts(e->args[0], out);
  plain_conjuncts(e->args[1], out);
}

/// What an assume of a callee asks of its caller.
struct Precondition {
  std::vector<Expr> holds;   // conditions
  std::vector<Stmt> probes;  // it is evaluated, and what may be read is read, where the permission is needed
  std::vector<Stmt> fills;   // the permissions, which are writes: they meet other accesses as a store does
  bool unknown = false;      // an undef in another form
};

Precondition precondition(const Expr& condition, const Span& span) {
  Precondition out;
  std::vector<Expr> parts;
  plain_conjuncts(condition, &parts);
  for (const Expr& part : parts) {
    if (!chooses(part, {})) {
      out.holds.push_back(part);
      continue;
    }
    out.fills.push_back(make_stmt(Assume{part}, span));
    std::vector<Expr> either, cells;
    Expr otherwise = boolean(false);
    disjuncts(part, &either);
    for (const Expr& e : either) {
      if (const Expr cell = permitted_cell(e)) {
        cells.push_back(cell);
      } else if (!cells.empty()) {
        out.unknown |= chooses(e, {});  // the permission is evaluated first, whether this holds or not
      } else {
        out.unknown |= chooses(e, {});
        otherwise = is_int(otherwise, 0) ? e : lor(otherwise, e);
      }
    }
    // Several permissions in one `or`: any one of them would do, but which one is not said.
    out.unknown |= cells.size() != 1;
    for (const Expr& cell : cells) {
      Stmt read = make_stmt(Evaluate{cell}, span);
      out.probes.push_back(is_int(otherwise, 0)
                               ? read
                               : make_stmt(If{lnot(HEXPROOF_MUTANT("check/assume-of-a-callee-is-strict",
                                                                   decided_in_order(otherwise), otherwise)),
                                              read,
                                              {}},
                                           span));
    }
  }
  const Expr evaluated =
      rewrite_expr(decided_in_order(condition), [](const Expr& e) { return permitted_cell(e) ? boolean(true) : e; });
  // As a condition, so that what is asked of conditions is asked of it.
  if (!as_int(evaluated) && !chooses(evaluated, {})) {
    out.probes.push_back(make_stmt(If{evaluated, make_stmt(Evaluate{boolean(true)}, span), {}}, span));
  }
  return out;
}

/// The function with other statements at the callees' assumes; paths into it stay the same for all but these.
PrimFunc with_assumes(const PrimFunc& func, const std::map<std::vector<int>, Stmt>& instead) {
  std::function<Stmt(const Stmt&, const Path&)> walk = [&](const Stmt& s, const Path& path) {
    if (auto it = instead.find(path); it != instead.end()) return it->second;
    std::vector<Stmt> parts = children(s);
    for (size_t k = 0; k < parts.size(); ++k) {
      Path below = path;
      below.push_back(static_cast<int>(k));
      parts[k] = walk(parts[k], below);
    }
    return parts.empty() ? s : with_children(s, parts);
  };
  PrimFunc out = func;
  out.body = walk(func.body, {});
  return out;
}

constexpr const char* kUnknownUndef = "an undef in an assume of a callee, but in the form P or A[i] == T.undef()";

/// The read of a cell as the write of what it holds. Its place is evaluated once.
Stmt as_write(const Stmt& probe) {
  return rewrite_stmt(
      probe, [](const Expr& e) { return e; },
      [](const Stmt& s) {
        const Evaluate* read = s.as<Evaluate>();
        if (!read) return s;
        std::vector<Expr> place = read->value->args;
        std::vector<std::pair<Var, Expr>> bound;
        for (Expr& index : place) {
          if (!chooses(index, {.contract = true, .reassoc = true, .nsz = true})) continue;
          bound.emplace_back(Var::fresh("at", index->dtype, is_data(index)), index);
          index = Expr(bound.back().first);
        }
        const Buffer& buffer = read->value->buffer();
        Stmt write = make_stmt(Store{buffer, place, load(buffer, place)}, s->span);
        for (const auto& [var, index] : bound) write = make_stmt(LetStmt{var, index, write}, s->span);
        return write;
      });
}

/// An assume of a callee as the caller meets it.
Stmt as_asked(const Expr& condition, const Span& span) {
  std::vector<Expr> parts;
  plain_conjuncts(condition, &parts);
  std::vector<Stmt> out;
  for (const Expr& part : parts) {
    const Precondition one = precondition(part, span);
    if (one.unknown) throw Unsupported(span, kUnknownUndef);
    out.push_back(one.fills.empty() ? make_stmt(Assume{part}, span) : as_write(one.probes.front()));
  }
  return seq(std::move(out));
}

/// "assume of 'f' at its call at ...": in the words of every obligation on it.
std::string name_of(const CalleeAssume& callee) {
  return "assume of '" + callee.callee + "' at its call" + (callee.call ? " at " + callee.call.str() : "");
}

/// The assume whose permission an error is about; empty when it is about something else.
std::string probed_by(const Linked& linked, const std::vector<Precondition>& wanted, const RunError& error) {
  for (size_t k = 0; k < wanted.size(); ++k) {
    for (const Stmt& probe : wanted[k].probes) {
      const If* guard = probe.as<If>();
      Stmt read = guard && !as_int(guard->then_case.as<Evaluate>()->value) ? guard->then_case : probe;
      const Place place = place_of(linked.func, read);
      if (error.statement == place.statement && same_place(error.span, error.statement, place.span, place.statement))
        return name_of(linked.assumes[k]) + ": what it permits to be read holds no value";
    }
  }
  return "";
}

/// The runs that showed the error do not ask the assumes of callees. Where one is false on that input, the error is met
/// behind it.
void behind_false_assume(const Linked& linked, ErrorMet* error) {
  if (error->arguments.empty()) return;
  std::vector<Tensor> buffers;
  for (const auto& [name, tensor] : error->arguments) buffers.push_back(tensor);
  constexpr uint64_t kSteps = 1'500'000;
  try {
    std::vector<ScalarArgument> scalars;
    for (const Param& p : linked.func.params) {
      if (p.buffer) continue;
      for (const auto& [name, value] : error->scalars) {
        if (name == p.var.name()) scalars.push_back(read_scalar_argument(value));
      }
    }
    const RunResult result = run(linked.func, buffers, ScalarArguments(scalars), {.max_steps = kSteps});
    const bool is_false = result.error && result.error->kind == ErrorKind::FalseAssume;
    if (is_false && !same_place(result.error->span, result.error->statement, error->error.span, error->error.statement))
      error->behind.insert(error->behind.begin(), result.error->span);
  } catch (const std::exception&) {
    return;  // it has no such run
  }
}

}  // namespace

Linked link(const IRModule& module, const std::string& entry, Prover& prover) {
  return link(module, entry, [&](const Expr& a, const Expr& b) {
    Place where{entry, print(a) + " == " + print(b), {}};
    return prover.prove({"link", "the extents of argument and parameter agree", where, {}, eq(a, b)}).verdict ==
           Verdict::Proved;
  });
}

PrimFunc as_program(const Linked& linked) {
  std::map<std::vector<int>, Stmt> asked;
  for (const CalleeAssume& callee : linked.assumes) {
    const Stmt s = stmt_at(linked.func, callee.path);
    asked.emplace(callee.path, as_asked(s.as<Assume>()->condition, s->span));
  }
  return asked.empty() ? linked.func : with_assumes(linked.func, asked);
}

CheckReport check(const Linked& linked, Prover& prover) {
  if (linked.assumes.empty()) return check(linked.func, prover);
  OpenRoundingScope rounding(open_rounding_of(linked.func));
  CheckReport report;
  report.program = linked.func;
  std::map<std::vector<int>, Stmt> nothing, probes, accesses;
  bool fills = false;
  std::vector<Precondition> wanted;
  for (const CalleeAssume& callee : linked.assumes) {
    Stmt s = stmt_at(linked.func, callee.path);
    wanted.push_back(precondition(s.as<Assume>()->condition, s->span));
    nothing.emplace(callee.path, make_stmt(Assume{boolean(true)}, s->span));
    const Precondition& one = wanted.back();
    std::vector<Stmt> all = one.probes;
    probes.emplace(callee.path, all.empty() ? nothing.at(callee.path) : seq(all));
    all.insert(all.end(), one.fills.begin(), one.fills.end());
    accesses.emplace(callee.path, all.empty() ? nothing.at(callee.path) : seq(all));
    fills |= HEXPROOF_MUTANT("check/permission-of-a-callee-meets-nothing", !one.fills.empty(), false);
  }
  PrimFunc bare = with_assumes(linked.func, nothing);
  Content content(bare);
  std::vector<Obligation> obligations;
  std::vector<size_t> of;
  for (size_t k = 0; k < wanted.size(); ++k) {
    const CalleeAssume& callee = linked.assumes[k];
    Place where = place_of(linked.func, stmt_at(linked.func, callee.path));
    where.function = callee.callee;
    Facts facts = facts_at(bare, callee.path);
    for (const Expr& condition : wanted[k].holds) {
      Expr goal = inline_lets(facts.resolve(condition), facts.loops);
      std::vector<Expr> given = with_content(content.at(callee.path), facts.given(), {goal});
      obligations.push_back({"check-callee-assume", name_of(callee), where, given, goal, ObligationKind::CalleeAssume});
      of.push_back(k);
    }
  }
  std::vector<Answer> answers = prover.prove_all(obligations);
  // A permission fills no cell here, for each is shown to hold a value: no undef comes of it. But it is a write.
  const PrimFunc probed = with_assumes(linked.func, probes);
  CheckReport rest = fills ? check(probed, with_assumes(linked.func, accesses), prover) : check(probed, prover);
  ErrorsMet errors;
  errors.add(rest, [&](ErrorMet* error) {
    error->about = probed_by(linked, wanted, error->error);
    behind_false_assume(linked, error);
  });
  const CheckContext context = survey(linked.func, prover);
  Replayer replayer(context);
  for (const Stmt& assume : assumes_of(linked.func)) {
    if (errors.is_false(assume)) replayer.pass_over(assume);
  }
  std::string open;
  for (size_t k = 0; k < answers.size(); ++k) {
    if (answers[k].verdict != Verdict::Proved) {
      const Path& path = linked.assumes[of[k]].path;
      replayer.pass_over(stmt_at(linked.func, path));
      answers[k] = errors.replay(replayer, context, {.obligation = obligations[k], .path = path}, std::move(answers[k]),
                                 obligations[k].why + ": not true");
      if (open.empty()) open = print(obligations[k]) + "\n" + answers[k].reason;
    }
    report.obligations.push_back({obligations[k], answers[k]});
  }
  report.finding = rest.finding;
  report.reason = rest.reason;
  report.clashing = rest.clashing;
  report.always_clashing = rest.always_clashing;
  report.obligations.insert(report.obligations.end(), rest.obligations.begin(), rest.obligations.end());
  if (errors.any()) errors.tell(&report, rest.finding == Finding::Refuted ? "" : rest.reason);
  if (report.finding != Finding::Proved) return report;
  for (size_t k = 0; k < wanted.size(); ++k) {
    if (!wanted[k].unknown) continue;
    report.finding = Finding::Unsupported;
    report.reason = render(stmt_at(linked.func, linked.assumes[k].path)->span, "unsupported", kUnknownUndef);
    return report;
  }
  if (!open.empty()) {
    report.finding = Finding::Undecided;
    report.reason = open;
  }
  return report;
}

}  // namespace hexproof
