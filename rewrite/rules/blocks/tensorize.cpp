// tensorize {at: loop, intrinsic: name, unaligned: names of operands (optional), description: text (optional)}
//
//   for i: for k: S     ->     for i in T.serial(..., annotations={"hexproof.tensorize": name}): for k: S
//
// The nest stays as it is; its loop is marked as one that the instruction `name` (rewrite/intrinsics) does. A mark is a
// note: nothing that is known of the program follows from it, and a code generator compares the nest with the
// description once more before it writes the instruction.
// With `description`, a function in TVMScript, the nest is that, and gets the note "tensor_intrin": name; no
// instruction stands for it.
//
// Side conditions
//  1. The nest is the description of the intrinsic by its form: loops, expression, memory of operands (match_nest,
//     checked here).
//  2. Each operand lies in memory as the description says: for all values of the loops, the address differs from that
//     of the first cell by the address in the description's operand.
//  3. Each operand starts at a multiple of its size, or of 128 bytes, from the start of its memory; one that is named
//     in `unaligned`, at a multiple of 4 bytes: the instruction is as right then, and its loads are slower. (Not asked
//     of a description that is given: nothing is loaded as a vector for it.)
//  4. A description that is given is free of errors: its operands are as large as what it touches.
#include <algorithm>
#include <set>
#include <sstream>

#include "ir/base/mutant.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/intrinsics/intrinsic.h"
#include "rewrite/intrinsics/user_description.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"
#include "verify/access/footprint.h"
#include "verify/check/check.h"

namespace hexproof {
namespace {

constexpr const char* kRule = "tensorize";
constexpr int64_t kVector = 128, kWord = 4;

std::string names() {
  std::string out;
  for (const Intrinsic* row : all_intrinsics()) out += (out.empty() ? "" : ", ") + row->name;
  return out;
}

std::vector<Expr> resolved(const Facts& facts, const std::vector<Expr>& indices) {
  std::vector<Expr> out;
  for (const Expr& index : indices) out.push_back(facts.resolve(index));
  return out;
}

PrimFunc given_description(const std::string& text) {
  const std::variant<PrimFunc, std::string> found = user_description(text);
  if (const std::string* why = std::get_if<std::string>(&found)) throw NotApplicable("no description: " + *why);
  return std::get<PrimFunc>(found);
}

Rewrite tensorize(const PrimFunc& func, const TensorizeArgs& args) {
  Path at = loop_arg(func, args.at);
  For loop = record_at<For>(func, at, "a loop");
  const Stmt stmt = checked_at(func, at);
  const std::string& name = args.intrinsic;
  const bool described = args.description.has_value();
  const Intrinsic* intrinsic = described ? nullptr : intrinsic_by_name(name);
  if (!intrinsic && !described) throw NotApplicable("there is no intrinsic '" + name + "'; there are " + names());
  if (mark_of(loop)) throw NotApplicable("the loop '" + loop.var.name() + "' is marked already");
  const PrimFunc description = described ? given_description(*args.description) : description_of(*intrinsic);
  std::variant<NestMatch, std::string> matched = match_nest(loop, description);
  if (const std::string* why = std::get_if<std::string>(&matched)) {
    throw NotApplicable("the nest is not '" + name + "': " + *why);
  }
  const NestMatch& match = std::get<NestMatch>(matched);
  Facts facts = facts_at(func, at);
  std::vector<Expr> inside = facts.given();
  for (const For& l : match.loops) inside = join(inside, range_of(Expr(l.var), l.min, l.extent));

  std::set<std::string> unaligned;
  if (args.unaligned) {
    std::istringstream list(*args.unaligned);
    for (std::string operand; list >> operand;) {
      auto named = [&](const NestOperand& o) { return o.formal->name == operand; };
      if (std::none_of(match.operands.begin(), match.operands.end(), named)) {
        throw NotApplicable("'" + name + "' has no operand '" + operand + "'");
      }
      unaligned.insert(operand);
    }
  }

  if (described && name.empty()) throw NotApplicable("the description has no name");
  loop.annotations[described ? "tensor_intrin" : kTensorize] = name;
  Rewrite result{.after = replace_at(func, at, make_stmt(loop, stmt->span)), .needs = {}};
  for (const NestOperand& o : match.operands) {
    std::string operand = "the operand '" + o.formal->name + "' in '" + o.buffer->name + "'";
    const BufferLayout layout = facts.layout(o.buffer), formal_layout = layout_of(o.formal);
    const std::vector<Expr> at_first = resolved(facts, o.first), at_cell = resolved(facts, o.indices);
    DType type = address_type(layout, at_cell);
    if (address_type(layout, at_first) != type || address_type(formal_layout, o.formal_indices) != type) type = kInt64;
    const Expr first = byte_address(layout, at_first, o.buffer->dtype.bytes(), type);
    const Expr cell = byte_address(layout, at_cell, o.buffer->dtype.bytes(), type);
    const Expr formal = byte_address(formal_layout, o.formal_indices, o.formal->dtype.bytes(), type);
    result.needs.push_back(need(kRule, operand + " lies in memory as the instruction takes it", func, stmt, inside,
                                eq(cell, first + formal)));
    if (described) continue;
    int64_t multiple = std::min(o.bytes, unaligned.count(o.formal->name) ? kWord : kVector);
    result.needs.push_back(need(kRule, operand + " starts at a multiple of " + std::to_string(multiple) + " bytes",
                                func, stmt, facts.given(),
                                eq(floormod(first, imm(first->dtype, multiple)), zero(first->dtype))));
  }
  if (HEXPROOF_MUTANT("tensorize/description-in-error", described, false)) {
    for (Obligation& o : free_of_errors(description, {})) result.needs.push_back(std::move(o));
  }
  return result;
}

}  // namespace

extern const Rule k_tensorize{rule<tensorize>("for i: S  ->  the same, marked as one instruction of the machine")};

}  // namespace hexproof
