// Iterations of a parallel, vectorized or thread-bound loop touch no common cell that one of them writes.
#include "ir/base/mutant.h"
#include "verify/check/check_item.h"

namespace hexproof {

void ask_races(CheckContext& context) {
  walk_with_facts(context.func, [&](const Stmt& stmt, const Path& path, const Facts& facts) {
    const For* loop = stmt.as<For>();
    if (!loop || loop->kind == ForKind::Serial || loop->kind == ForKind::Unrolled) return true;
    std::vector<Access> whole = footprint(stmt, facts);
    if (whole.empty()) return true;
    Place where = place_of(context.func, stmt);
    // The loop itself is the first one of every access in its body; its bounds are read before it starts.
    for (size_t a = 0; a < whole.size(); ++a) {
      for (size_t b = a; b < whole.size(); ++b) {
        const Access &x = whole[a], &y = whole[b];
        if (HEXPROOF_MUTANT("check/races", !(x.write || y.write), !(x.write && y.write)) ||
            !may_alias(x.buffer, y.buffer))
          continue;
        if (x.loops.empty() || y.loops.empty() || !(x.loops[0].var == loop->var) || !(y.loops[0].var == loop->var))
          continue;
        Access one = rename_apart(x), other = rename_apart(y);
        std::vector<Expr> given;
        // What is known before the loop of memory that the loop changes is not known in its iterations.
        std::set<Var> written = data_written(stmt);
        for (const Expr& c : facts.given()) {
          bool dead = false;
          for (const Var& v : data_read(c)) dead |= written.count(v) > 0;
          if (!dead) given.push_back(c);
        }
        given.push_back(ne(Expr(one.loops[0].var), Expr(other.loops[0].var)));
        std::string kind = x.write && y.write ? "write" : "write and read";
        for (Obligation& o :
             disjoint("check-race",
                      "two iterations of " + loop->var.name() + " never " + kind + " one cell of " + x.buffer->name,
                      where, given, one, other)) {
          context.questions.push_back({.obligation = std::move(o), .path = path});
        }
      }
    }
    return true;
  });
}

}  // namespace hexproof
