// insert-store {at: branch without else, like: store, value: constant or integer}: in its else, to the cell of `like`
// insert-store {..., by: later store, witness: which inversion of its index map (default 0)}
//
//   if c: s            ->      if c: s
//                              else: A[i] = e
//
// Something may be written where nobody looks: what a later step needs in order to compute there without asking.
//
// Side conditions
//  1. The new store is free of errors where it runs: indices in bounds, no overflow, no race, its operands hold values.
//  2. Nobody sees it. Without `by`: the memory is allocated in the function, and nothing that may run after the store
//     reads a cell that it writes. With `by`: the later store, in the same sequence or in a later part of it, writes
//     each of these cells again (an undef too: it says that any value will do), and nothing between reads one; these
//     are the conditions under which remove-store (`overwritten`) takes the store away again.
//  3. What the blocks around claim holds of the new store, too (claims.h).
//  4. The value is a constant of the buffer's type that the granted `nnan` and `ninf` allow a cell to hold, the store
//     is a scalar one, and what its indices name is in scope at the branch (checked here).
#include <cmath>

#include "ir/text/text.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/rules/args/stores.h"
#include "rewrite/site/buffers.h"
#include "verify/check/check.h"

namespace hexproof {
namespace {

constexpr const char* kInsertStore = "insert-store";

/// The body of the allocation of that memory; nothing when the function does not allocate it there.
std::optional<Path> scope_of(const PrimFunc& func, const Path& at, const Var& memory) {
  for (Path around = at; !around.empty();) {
    around = above(around);
    const AllocBuffer* buffer = stmt_at(func, around).as<AllocBuffer>();
    if (buffer && buffer->buffer->data == memory) return below(around, 0);
  }
  return std::nullopt;
}

/// Condition 2 without `by`: nothing reads a cell of the store afterwards.
void owe_unread(const PrimFunc& after, const Path& at, const Buffer& buffer, std::vector<Obligation>* needs) {
  std::optional<Path> scope = scope_of(after, at, buffer->data);
  if (!scope) throw NotApplicable("'" + buffer->name + "' is not allocated in the function: its content is seen");
  const Stmt stmt = stmt_at(after, at);
  const Period period(after, *scope);
  std::vector<Access> all = period.accesses(*scope), mine, later;
  for (const Access& access : all) {
    if (access.write && access.stmt.get() == stmt.get()) mine.push_back(access);
  }
  if (mine.empty()) throw NotApplicable("the accesses of the store are not seen");
  // Reads of the statement itself come before its write; in a later turn of its loops they come after it.
  for (const Access& read : reads_of(all)) {
    bool shares = !read.loops.empty() && !mine[0].loops.empty() && read.loops[0].var == mine[0].loops[0].var;
    if (shares || read.order > mine[0].order) later.push_back(read);
  }
  owe_no_conflict(kInsertStore, "nothing reads the cell afterwards", after, stmt, period.given(), mine,
                  renamed(later, {}), Sums::Fixed, needs);
}

Expr value_arg(const NumberArg& given, DType type) {
  if (!type.is_scalar()) throw NotApplicable("the elements of the buffer are vectors");
  const int64_t* number = std::get_if<int64_t>(&given);
  if (number && type.is_float()) return fimm(type, static_cast<double>(*number));
  if (number && fits_type(type, *number)) return imm(type, *number);
  const Expr value = number ? i32(0) : std::get<Expr>(given);
  bool constant = value->op == Op::IntImm || value->op == Op::FloatImm;
  if (number || !constant || value->dtype != type) throw NotApplicable("the value is no constant of the buffer's type");
  return value;
}

Rewrite insert_store(const PrimFunc& func, const InsertStoreArgs& args) {
  const Path& at = args.at;
  const If& branch = record_at<If>(func, at, "a branch");
  if (branch.else_case) throw NotApplicable("the branch has an else");
  const Store& like = record_at<Store>(func, args.like, "a store");
  const Buffer& buffer = like.buffer;
  demand_own_memory(func, buffer);
  demand_scalar_indices(func.body, buffer);
  const Expr value = value_arg(args.value, buffer->dtype);
  if (value->op == Op::FloatImm && ((func.granted("nnan") && std::isnan(value->float_value())) ||
                                    (func.granted("ninf") && std::isinf(value->float_value())))) {
    throw NotApplicable("`nnan` and `ninf` promise that no cell holds this value");
  }
  Span span = stmt_at(func, at)->span;
  Stmt store = make_stmt(Store{buffer, like.indices, value}, span);
  Rewrite out{.after = replace_at(func, at, make_stmt(If{branch.condition, branch.then_case, store}, span)),
              .needs = {}};
  if (std::string broken = ill_formed(out.after); !broken.empty()) throw NotApplicable(broken);
  const Path place = below(at, 1);
  for (Obligation& o : free_of_errors(out.after, place)) {
    o.rule = kInsertStore;
    out.needs.push_back(std::move(o));
  }
  if (!args.by) {
    owe_unread(out.after, place, buffer, &out.needs);
    return out;
  }
  const RuleCall removal = RemoveStoreArgs{.at = place, .kind = "overwritten", .by = args.by, .witness = args.witness};
  for (Obligation& o : rule_by_name(removal.rule).apply(out.after, removal.args).needs) {
    o.rule = kInsertStore;
    out.needs.push_back(std::move(o));
  }
  return out;
}

}  // namespace

extern const Rule k_insert_store{rule<insert_store>("if c: s  ->  if c: s else: A[i] = e, where nobody sees it")};

}  // namespace hexproof
