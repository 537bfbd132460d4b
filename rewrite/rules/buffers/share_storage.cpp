// share-storage {buffer: Buffer or name, with: Buffer or name}
//
//   A = alloc_buffer(...)              A = alloc_buffer(...)
//   B = alloc_buffer(...)        ->    B = decl_buffer(..., data=A.data)
//   S(A)                               S(A)
//   U(B)                               U(B)
//
// `buffer` (B) becomes a view of the memory of `with` (A), from its first element on. What is read of B before it is
// written was uninitialised, and is what A left there now; so nothing is asked of the contents, but that the two are
// never in use together. That is seen in the text: some sequence holds all that touches either memory, each statement
// of it touches one of them at most, and all that touch A stand on one side of all that touch B.
//
// Where A is allocated further inwards, in the scope of B, its allocation moves out to that of B: what one iteration
// leaves in it for the next was uninitialised there, too.
//
// Side conditions
//  1. B is allocated where A is in scope, or the other way round, in storage of the same scope, with elements of the
//     same type; both are compact, with one physical axis (checked).
//  2. Such a sequence there is, and no loop stands between it and the outer one of the allocations, which would bring
//     the one back after the other (checked).
//  3. B fits in the memory of A.
//  4. B is reached by its own loads and stores alone. A may have other views: what touches one of them touches A.
//  5. The memory of one of the two moves out to the other allocation: out of serial loops alone, and of no block, for
//     iterations that run at once, and instances, would share it (checked).
//  6. If the allocation of A moves, its extents are constants, of a memory that may exist anywhere (checked).
#include <algorithm>

#include "ir/visit.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"
#include "verify/facts/memory_size.h"

namespace hexproof {
namespace {

constexpr const char* kShareStorage = "share-storage";

/// The statements that touch the memory: they load or store a buffer of it, or list it as a region. (A declaration
/// touches nothing: its extents read no memory.)
std::vector<Path> uses_of(const PrimFunc& func, const Var& memory) {
  return find_all(func, [&](const Stmt& s) {
    return !s.as<DeclBuffer>() && names_buffer(s, [&](const Buffer& b) { return b->data == memory; });
  });
}

/// Condition 2: the sequence around all uses, in which those of the one memory stand before those of the other.
void demand_apart(const PrimFunc& func, const Path& alloc, const Buffer& a, const Buffer& b) {
  const std::vector<Path> first = uses_of(func, a->data), second = uses_of(func, b->data);
  if (first.empty() || second.empty()) throw NotApplicable("one of the two is not used");
  Path around = first.front();
  for (const std::vector<Path>* list : {&first, &second}) {
    for (const Path& at : *list) {
      around.erase(std::mismatch(around.begin(), around.end(), at.begin(), at.end()).first, around.end());
    }
  }
  if (!stmt_at(func, around).as<Seq>()) {
    throw NotApplicable("'" + a->name + "' and '" + b->name + "' are used in one statement");
  }
  for (Path at = around; at.size() > alloc.size(); at = above(at)) {
    const For* loop = stmt_at(func, at).as<For>();
    if (loop)
      throw NotApplicable("'" + a->name + "' is used again in the next iteration of '" + loop->var.name() + "'");
  }
  auto part = [&](const Path& at) { return at[around.size()]; };
  auto [low_a, high_a] = std::minmax_element(first.begin(), first.end());
  auto [low_b, high_b] = std::minmax_element(second.begin(), second.end());
  if (part(*high_a) >= part(*low_b) && part(*high_b) >= part(*low_a)) {
    throw NotApplicable("'" + a->name + "' and '" + b->name + "' are in use together");
  }
}

/// Condition 5: of the memory allocated at `from`, which is that of an allocation around it, at `to`, from now on.
void demand_movable(const PrimFunc& func, const Buffer& buffer, const Path& from, const Path& to) {
  for (Path at = above(from); at.size() > to.size(); at = above(at)) {
    const Stmt here = stmt_at(func, at);
    const For* loop = here.as<For>();
    const bool in_order = !loop || loop->kind == ForKind::Serial || loop->kind == ForKind::Unrolled;
    if (!in_order) {
      throw NotApplicable("the iterations of '" + loop->var.name() + "' would share '" + buffer->name + "'");
    }
    if (here.as<Block>()) throw NotApplicable("an allocation does not move out of a block");
  }
}

/// Condition 6.
void demand_anywhere(const Buffer& a) {
  const bool constant =
      std::all_of(a->shape.begin(), a->shape.end(), [](const Expr& e) { return as_int(e) != nullptr; });
  if (!constant || !size_goals(layout_of_memory(a, [](const Expr& e) { return e; }), a->name).empty()) {
    throw NotApplicable("the extents of '" + a->name + "' are not seen to be those of a memory further outwards");
  }
}

Rewrite share_storage(const PrimFunc& func, const ShareStorageArgs& args) {
  const BufferSource mine = buffer_arg(func, args.buffer), other = buffer_arg(func, args.with);
  const Buffer &b = mine.buffer, &a = other.buffer;
  for (const BufferSource* one : {&mine, &other}) {
    const Buffer& buffer = one->buffer;
    if (one->param) throw NotApplicable("'" + buffer->name + "' is an argument, not an allocation");
    if (!buffer->strides.empty() || buffer->elem_offset) throw NotApplicable("'" + buffer->name + "' is not compact");
    if (!buffer->axis_separators.empty()) throw NotApplicable("'" + buffer->name + "' has more than one physical axis");
  }
  demand_own_memory(func, b);
  const Path &at = *mine.alloc, &from = *other.alloc;
  const bool moves = is_within(from, below(at, 0));
  if (a == b || (!moves && !is_within(at, below(from, 0)))) {
    throw NotApplicable("neither of '" + b->name + "' and '" + a->name + "' is allocated in the scope of the other");
  }
  if (b->dtype != a->dtype || b->scope != a->scope) {
    throw NotApplicable("'" + b->name + "' and '" + a->name + "' have elements of two types, or storage of two scopes");
  }
  visit_all_exprs(func.body, [&](const Expr& e) {
    if (e->op == Op::Var && e->var() == a->data) {
      throw NotApplicable("the memory of buffer '" + a->name + "' is handed to a call");
    }
  });
  demand_apart(func, moves ? at : from, a, b);
  demand_movable(func, moves ? a : b, moves ? from : at, moves ? at : from);
  if (moves) demand_anywhere(a);
  for (const Buffer& buffer : {a, b}) {
    for (const Expr& extent : buffer->shape) require_index(func, extent, "an extent of '" + buffer->name + "'");
  }

  const Buffer view = make_buffer(b->name, b->dtype, b->shape, {.scope = b->scope, .data = a->data});
  const Stmt alloc = stmt_at(func, at);
  const PrimFunc bare = moves ? replace_at(func, from, children(stmt_at(func, from)).front()) : func;
  Stmt body = rename_buffer(children(stmt_at(bare, at)).front(), b, view);
  body = make_stmt(DeclBuffer{view, std::move(body)}, alloc->span);
  if (moves) body = make_stmt(AllocBuffer{a, std::move(body)}, stmt_at(func, from)->span);
  Rewrite out{.after = replace_at(bare, at, std::move(body)), .needs = {}};
  const Facts facts = facts_at(func, at);
  auto resolve = [&](const Expr& e) { return facts.resolve(e); };
  out.needs.push_back(
      need(kShareStorage, "the buffer fits in the memory that it shares", func, alloc, facts.given(),
           le(memory_elements(layout_of_memory(b, resolve)), memory_elements(layout_of_memory(a, resolve)))));
  return out;
}

}  // namespace

extern const Rule k_share_storage{
    rule<share_storage>("an allocation  ->  a view of one that is not in use at the same time")};

}  // namespace hexproof
