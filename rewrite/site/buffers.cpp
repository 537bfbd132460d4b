#include "rewrite/site/buffers.h"

#include <algorithm>
#include <set>

#include "ir/evaluation.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/site/places.h"
#include "verify/access/footprint.h"

namespace hexproof {
namespace {

const Buffer* declared(const Stmt& s) {
  if (const AllocBuffer* a = s.as<AllocBuffer>()) return &a->buffer;
  if (const DeclBuffer* d = s.as<DeclBuffer>()) return &d->buffer;
  return nullptr;
}

template <class T>
const T& only(const std::vector<T>& found, const std::string& what) {
  if (found.empty()) throw NotApplicable("there is no " + what);
  if (found.size() > 1) throw NotApplicable("there is more than one " + what);
  return found.front();
}

}  // namespace

BufferSource buffer_arg(const PrimFunc& func, const BufferArg& given) {
  const Buffer* buffer = std::get_if<Buffer>(&given);
  const std::string* name = std::get_if<std::string>(&given);
  auto meant = [&](const Buffer& b) { return buffer ? b == *buffer : b->name == *name; };
  std::vector<BufferSource> found;
  for (size_t i = 0; i < func.params.size(); ++i) {
    const Buffer& b = func.params[i].buffer;
    if (b && meant(b)) found.push_back({b, i, std::nullopt});
  }
  auto allocates = [&](const Stmt& s) { return s.as<AllocBuffer>() && meant(s.as<AllocBuffer>()->buffer); };
  for (const Path& at : find_all(func, allocates)) {
    found.push_back({stmt_at(func, at).as<AllocBuffer>()->buffer, std::nullopt, at});
  }
  return only(found, "parameter or allocation '" + (buffer ? (*buffer)->name : *name) + "'");
}

Path scope_arg(const PrimFunc& func, const BlockArg& given) {
  const Path* at = std::get_if<Path>(&given);
  if (!at) return block_arg(func, given);
  checked_at(func, *at);
  return *at;
}

Path block_arg(const PrimFunc& func, const BlockArg& given) {
  if (const Path* at = std::get_if<Path>(&given)) {
    record_at<Block>(func, *at, "a block");
    return *at;
  }
  const std::string& name = std::get<std::string>(given);
  return only(find_blocks(func, name), "block '" + name + "'");
}

Path loop_arg(const PrimFunc& func, const LoopArg& given) {
  if (const Path* at = std::get_if<Path>(&given)) {
    record_at<For>(func, *at, "a loop");
    return *at;
  }
  const Var* var = std::get_if<Var>(&given);
  const std::string* name = std::get_if<std::string>(&given);
  auto meant = [&](const Stmt& s) {
    const For* loop = s.as<For>();
    return loop && (var ? loop->var == *var : loop->var.name() == *name);
  };
  return only(find_all(func, meant), "loop over '" + (var ? var->name() : *name) + "'");
}

void demand_own_memory(const PrimFunc& func, const Buffer& buffer) {
  if (!buffer->strides.empty() || (buffer->elem_offset && !is_int(buffer->elem_offset, 0))) {
    throw NotApplicable("buffer '" + buffer->name + "' has strides or an offset");
  }
  auto check = [&](const Buffer& other) {
    if (!(other == buffer) && may_alias(other, buffer)) {
      throw NotApplicable("buffer '" + other->name + "' is a view of the memory of '" + buffer->name + "'");
    }
  };
  for (const Buffer& param : func.buffer_params()) check(param);
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const Buffer* b = declared(s)) check(*b);
    const Store* store = s.as<Store>();
    if (store) check(store->buffer);
    return true;
  });
  visit_all_exprs(func.body, [&](const Expr& e) {
    if (e->op == Op::Load) check(e->buffer());
    if (e->op == Op::Var && e->var() == buffer->data) {
      throw NotApplicable("the memory of buffer '" + buffer->name + "' is handed to a call");
    }
  });
}

void demand_scalar_indices(const Stmt& stmt, const Buffer& buffer) {
  auto check = [&](const std::vector<Expr>& indices) {
    for (const Expr& index : indices) {
      if (!index->dtype.is_scalar()) throw NotApplicable("buffer '" + buffer->name + "' has a vector access");
    }
  };
  visit_stmt(stmt, [&](const Stmt& s) {
    if (const Store* store = s.as<Store>(); store && store->buffer == buffer) check(store->indices);
    return true;
  });
  visit_all_exprs(stmt, [&](const Expr& e) {
    if (e->op == Op::Load && e->buffer() == buffer) check(e->args);
  });
}

std::vector<Buffer> buffers_stored(const Stmt& stmt) {
  std::set<Buffer> found;
  visit_stmt(stmt, [&](const Stmt& s) {
    if (const Store* store = s.as<Store>()) found.insert(store->buffer);
    return true;
  });
  return {found.begin(), found.end()};
}

std::vector<Buffer> buffers_read(const Stmt& stmt) {
  std::set<Buffer> found;
  visit_all_exprs(stmt, [&](const Expr& e) {
    if (e->op == Op::Load) found.insert(e->buffer());
  });
  return {found.begin(), found.end()};
}

bool names_buffer(const Stmt& stmt, const std::function<bool(const Buffer&)>& f) {
  bool found = false;
  if (const Store* store = stmt.as<Store>()) found |= f(store->buffer);
  if (const DeclBuffer* view = stmt.as<DeclBuffer>()) found |= f(view->buffer);
  if (const Block* block = stmt.as<Block>()) {
    for (const auto* regions : {&block->reads, &block->writes}) {
      if (!*regions) continue;
      for (const BufferRegion& r : **regions) found |= f(r.buffer);
    }
  }
  for (const Expr& top : expressions(stmt)) {
    visit_expr(top, [&](const Expr& e) {
      found = found || (e->op == Op::Load && f(e->buffer()));
      return !found;
    });
  }
  return found;
}

bool reads_buffer(const Stmt& stmt, const Buffer& buffer) {
  std::vector<Buffer> read = buffers_read(stmt);
  return std::any_of(read.begin(), read.end(), [&](const Buffer& b) { return may_alias(b, buffer); });
}

bool stores_to_buffer(const Stmt& stmt, const Buffer& buffer) {
  std::vector<Buffer> written = buffers_stored(stmt);
  return std::any_of(written.begin(), written.end(), [&](const Buffer& b) { return may_alias(b, buffer); });
}

Stmt reindex_buffer(const Stmt& stmt, const Buffer& from, const Buffer& to, const Reindex& indices) {
  auto names_from = [&](const std::optional<std::vector<BufferRegion>>& regions) {
    return regions &&
           std::any_of(regions->begin(), regions->end(), [&](const BufferRegion& r) { return r.buffer == from; });
  };
  return rewrite_stmt(
      stmt,
      [&](const Expr& top) {
        return rewrite_expr(top, [&](const Expr& e) {
          return e->op == Op::Load && e->buffer() == from ? load(to, indices(e->args)) : e;
        });
      },
      [&](const Stmt& s) {
        if (const Store* store = s.as<Store>(); store && store->buffer == from) {
          return make_stmt(Store{to, indices(store->indices), store->value}, s->span);
        }
        const Block* block = s.as<Block>();
        if (!block || (!names_from(block->reads) && !names_from(block->writes))) return s;
        Block after = *block;
        if (names_from(block->reads)) after.reads.reset();
        if (names_from(block->writes)) after.writes.reset();
        return make_stmt(std::move(after), s->span);
      });
}

Stmt rename_buffer(const Stmt& stmt, const Buffer& from, const Buffer& to) {
  return substitute(stmt, BufferMap{{from, to}});
}

Stmt rename_loads(const Stmt& stmt, const Buffer& from, const Buffer& to) {
  return rewrite_stmt(
      stmt,
      [&](const Expr& top) {
        return rewrite_expr(top, [&](const Expr& e) {
          if (e->op == Op::Load && e->buffer() == from) return load(to, e->args);
          if (e->op != Op::EQ) return e;
          const Expr cell = permitted_cell(e);  // a write, which stays where it was
          return cell && cell->buffer() == to ? eq(load(from, cell->args), undef(cell->dtype)) : e;
        });
      },
      [&](const Stmt& s) {
        const Block* block = s.as<Block>();
        if (!block || !block->reads) return s;
        Block after = *block;
        for (BufferRegion& r : *after.reads) {
          if (r.buffer == from) r.buffer = to;
        }
        return make_stmt(std::move(after), s->span);
      });
}

Expr retype_index(const Expr& e, DType type, const std::map<Var, Expr>& values) {
  visit_expr(e, [&](const Expr& node) {
    if (node->wraps && type != kInt32)
      throw NotApplicable("what wraps in int32 is another value in " + type.str() + ": " + print(node));
    return true;
  });
  return rewrite_expr(e, [&](const Expr& node) -> Expr {
    if (node->op == Op::Var) {
      auto it = values.find(node->var());
      if (it != values.end()) return it->second;
      return node->dtype == kInt32 && type != kInt32 ? cast(type, node) : node;
    }
    return node->op == Op::IntImm && node->dtype == kInt32 ? imm(type, int_value(node)) : node;
  });
}

std::vector<Expr> apply_map(const IndexMap& map, const std::vector<Expr>& indices) {
  DType type = kInt32;
  for (const Expr& index : indices) {
    bool narrow = index->dtype == kInt32 || index->dtype.bits < 32;
    if (!narrow) type = kInt64;
  }
  std::map<Var, Expr> values;
  for (size_t i = 0; i < map.inputs.size(); ++i) {
    const Expr& index = indices.at(i);
    const int64_t* constant = as_int(index);
    Expr value = index->dtype == type ? index : constant ? imm(type, int_value(index)) : cast(type, index);
    values.emplace(map.inputs[i], value);
  }
  std::vector<Expr> out;
  for (const Expr& e : map.outputs) out.push_back(retype_index(e, type, values));
  return out;
}

std::vector<std::vector<Expr>> touched_cells(const Block& block, const Buffer& buffer) {
  std::vector<std::vector<Expr>> out;
  auto take = [&](const std::vector<Expr>& indices) {
    if (std::find(out.begin(), out.end(), indices) == out.end()) out.push_back(indices);
  };
  for (const Stmt& part : {block.init, block.body}) {
    if (!part) continue;
    visit_stmt(part, [&](const Stmt& s) {
      if (const Store* store = s.as<Store>(); store && store->buffer == buffer) take(store->indices);
      return true;
    });
    visit_all_exprs(part, [&](const Expr& e) {
      if (e->op == Op::Load && e->buffer() == buffer) take(e->args);
    });
  }
  return out;
}

BoxIndices cell_of_box(const std::vector<Expr>& shape, const std::string& prefix, std::vector<Expr> given) {
  BoxIndices out{.indices = {}, .given = std::move(given)};
  for (size_t d = 0; d < shape.size(); ++d) {
    Expr v(Var::fresh(prefix + std::to_string(d), shape[d]->dtype));
    out.given.push_back(le(zero(v->dtype), v));
    out.given.push_back(lt(v, shape[d]));
    out.indices.push_back(v);
  }
  return out;
}

std::vector<Expr> exprs(const std::vector<Var>& vars) { return {vars.begin(), vars.end()}; }

}  // namespace hexproof
