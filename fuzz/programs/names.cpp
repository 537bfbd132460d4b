#include "fuzz/programs/names.h"

#include <set>

#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

constexpr uint32_t kRarely = 6;  // per cent

const std::vector<std::string>& awkward() {
  static const std::vector<std::string> kNames = {"max",   "max_", "T",    "i",    "min", "range", "max__1", "T_",
                                                  "float", "i_1",  "min_", "pass", "tir", "A",     "lambda", "_"};
  return kNames;
}

std::string unlike(std::set<std::string>& taken, const std::string& wanted) {
  std::string out = wanted;
  for (int k = 1; !taken.insert(out).second; ++k) out = wanted + "_" + std::to_string(k);
  return out;
}

}  // namespace

std::vector<std::string> index_names(Choices& choices, const std::string& letter, size_t count) {
  std::vector<std::string> out;
  const bool other = choices.chance(kRarely);
  const size_t first = other ? choices.below(static_cast<uint32_t>(awkward().size())) : 0;
  std::set<std::string> taken = {"lambda", "pass", "T"};  // keywords, and what maps call
  for (size_t k = 0; k < count; ++k) {
    out.push_back(other ? unlike(taken, awkward()[(first + k) % awkward().size()]) : letter + std::to_string(k));
  }
  return out;
}

PrimFunc under_other_names(const PrimFunc& func, Choices& choices) {
  if (!choices.chance(kRarely)) return func;
  size_t next = choices.below(static_cast<uint32_t>(awkward().size()));
  const size_t step = 1 + choices.below(3) * 2;  // odd: all of them in turn
  auto name = [&] { return awkward()[(next += step) % awkward().size()]; };
  std::set<std::string> taken;
  auto printed = [&] { return unlike(taken, text::identifier(name())); };

  PrimFunc out = func;
  VarMap scalars;
  for (const Var& v : func.scalars()) scalars.emplace(v, Expr(Var::fresh(printed(), v.dtype(), v.is_data())));
  auto over_scalars = [&](std::vector<Expr> list) {
    for (Expr& e : list) e = substitute(e, scalars);
    return list;
  };
  BufferMap buffers;
  auto rename = [&](const Buffer& b) {
    const Expr offset = b->elem_offset ? substitute(b->elem_offset, scalars) : Expr();
    BufferOptions layout{over_scalars(b->strides), offset, b->axis_separators, b->scope, b->data};
    buffers.emplace(b, make_buffer(printed(), b->dtype, over_scalars(b->shape), std::move(layout)));
  };
  for (const Buffer& b : func.buffer_params()) rename(b);
  out.body = refresh(func.body, [&](const Var& v) { return v.dtype().is_handle() ? v.name() : name(); });
  out.body = substitute(out.body, scalars);
  visit_stmt(out.body, [&](const Stmt& s) {
    if (const AllocBuffer* a = s.as<AllocBuffer>()) rename(a->buffer);
    if (const DeclBuffer* d = s.as<DeclBuffer>()) rename(d->buffer);
    return true;
  });
  out.body = substitute(out.body, buffers);
  for (Param& p : out.params) {
    if (p.buffer) p.buffer = buffers.at(p.buffer);
    if (auto it = scalars.find(p.var); it != scalars.end()) p.var = it->second->var();
  }
  return out;
}

}  // namespace hexproof
