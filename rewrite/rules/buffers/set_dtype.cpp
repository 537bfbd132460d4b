// set-dtype {buffer: Buffer or name, dtype: text, flip: optional constant}
//
//   A = alloc_buffer(n, "int32")             A = alloc_buffer(n, "int8")
//   A[i] = e                          ->     A[i] = cast("int8", e)
//   ... A[j] ...                             ... cast("int32", A[j]) ...
//
// With `flip`, the bits of this constant are flipped in what is stored, and flipped back in what is loaded: int8 as
// uint8 with flip 128 holds v + 128.
//
// Side conditions
//  1. The buffer is an allocation, which no other one is declared over: the type of a parameter is the caller's. No
//     assume speaks of it, and integers stay integers, floats floats (checked here).
//  2. Every value that is stored comes back from the new type to the bit. (An undef is one of the new type: each of its
//     values is one of the old type.)
//  3. The buffer fits in memory.
#include "ir/base/mutant.h"
#include "ir/visit.h"
#include "rewrite/memory/memory_needs.h"
#include "rewrite/memory/same_value.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/data_vars.h"
#include "rewrite/site/places.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace {

constexpr const char* kSetDtype = "set-dtype";

Rewrite set_dtype(const PrimFunc& func, const SetDtypeArgs& args) {
  const BufferSource source = buffer_arg(func, args.buffer);
  const Buffer& before = source.buffer;
  if (source.param) throw NotApplicable("'" + before->name + "' is an argument, not an allocation");
  demand_own_memory(func, before);
  demand_scalar_indices(func.body, before);
  const std::optional<DType> type = parse_dtype(args.dtype);
  if (!type || !type->is_scalar() || !before->dtype.is_scalar())
    throw NotApplicable("'" + args.dtype + "' is no type of a cell");
  if (*type == before->dtype) throw NotApplicable("'" + before->name + "' has that type already");
  visit_stmt(func.body, [&](const Stmt& s) {
    if (s.as<Assume>() && reads_buffer(s, before)) throw NotApplicable("an assume speaks of '" + before->name + "'");
    return true;
  });
  const bool integers = type->is_integer() && before->dtype.is_integer();
  if (!integers && !(type->is_float() && before->dtype.is_float())) {
    throw NotApplicable("integers stay integers, and floats stay floats");
  }
  Rewrite out{.after = func, .needs = {}};
  if (args.flip && !integers) throw NotApplicable("bits of floats are not flipped");
  if (args.flip && !fits_type(*type, *args.flip)) {
    throw NotApplicable(std::to_string(*args.flip) + " is no '" + args.dtype + "'");
  }
  const auto flipped = [&](const Expr& e) { return args.flip ? binary(Op::BitXor, e, imm(*type, *args.flip)) : e; };
  const auto stored = [&](const Expr& e) { return flipped(cast(*type, e)); };
  const auto loaded = [&](const Expr& e) { return cast(before->dtype, flipped(e)); };
  const OpenRounding open = open_rounding_of(func);
  const auto stores = [&](const Stmt& s) { return s.as<Store>() && s.as<Store>()->buffer == before; };
  for (const Path& at : find_all(func, stores)) {
    const Expr& value = stmt_at(func, at).as<Store>()->value;
    if (value->op == Op::Undef) {
      // An undef of a wider type has values that come back as an infinity, which the old cell never held.
      if (type->is_float() && type->bits > before->dtype.bits && (func.granted("nnan") || func.granted("ninf"))) {
        throw NotApplicable("an undef would have values of which `nnan` and `ninf` promise nothing");
      }
      continue;
    }
    if (holds_undef(value) || chooses(value, open)) {
      throw NotApplicable("a value that is stored holds " +
                          (holds_undef(value) ? "an undef" : what_chooses(value, open)));
    }
    out.needs.push_back(same_value(kSetDtype, "the value comes back from '" + args.dtype + "' as it was", func, at,
                                   facts_at(func, at), value, loaded(stored(value))));
  }
  const Path& alloc = *source.alloc;
  const Stmt stmt = stmt_at(func, alloc);
  const Buffer after = make_buffer(before->name, *type, before->shape,
                                   {.axis_separators = before->axis_separators, .scope = before->scope});
  owe_memory(kSetDtype, func, stmt, facts_at(func, alloc), after, before, &out.needs);
  auto claims = [&](const std::optional<std::vector<BufferRegion>>& regions) {
    return regions && std::any_of(regions->begin(), regions->end(),
                                  [&](const BufferRegion& region) { return region.buffer == before; });
  };
  const Stmt body = rewrite_stmt(
      stmt_at(func, below(alloc, 0)),
      [&](const Expr& top) {
        return rewrite_expr(top, [&](const Expr& e) {
          return e->op == Op::Load && e->buffer() == before ? loaded(load(after, e->args)) : e;
        });
      },
      [&](const Stmt& s) {
        if (const Store* store = s.as<Store>(); store && store->buffer == before) {
          const Expr value = store->value->op == Op::Undef ? undef(*type) : stored(store->value);
          return make_stmt(Store{after, store->indices, value}, s->span);
        }
        const Block* block = s.as<Block>();
        const bool named = block && (claims(block->reads) || claims(block->writes));
        if (!block ||
            !(touches_buffer(s, after) || HEXPROOF_MUTANT("set-dtype/claims-name-the-old-buffer", named, false)))
          return s;
        Block own = *block;  // its regions are what its body touches
        own.reads.reset(), own.writes.reset();
        return make_stmt(std::move(own), s->span);
      });
  out.after = replace_at(func, alloc, make_stmt(AllocBuffer{after, body}, stmt->span));
  return out;
}

}  // namespace

extern const Rule k_set_dtype{
    rule<set_dtype>("an allocation  ->  the same cells in another type, which holds all values")};

}  // namespace hexproof
