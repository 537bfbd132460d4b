// create_prim_func: the naive program of a graph of operations.
#include <algorithm>
#include <set>
#include <stdexcept>

#include "rewrite/te/scan.h"

namespace hexproof::te {
namespace {

class Naive {
 public:
  explicit Naive(const std::vector<Tensor>& args) : args_(args) {
    std::vector<OperationRef> ends;
    for (const Tensor& t : args) ends.push_back(t.op);
    order_ = in_order(ends);
  }

  NaiveProgram program(const std::string& name) {
    out_.func.name = name;
    out_.func.attrs["tir.noalias"] = boolean(true);
    for (const Tensor& t : args_) {
      if (!out_.buffers.emplace(t.buffer(), "").second) {
        throw std::invalid_argument("'" + t.buffer()->name + "' stands twice among the arguments");
      }
      const Buffer buffer = renamed(t.buffer());
      out_.func.params.push_back({Var::fresh(buffer->name + "_handle", kHandle), buffer});
    }
    std::vector<Buffer> inside;
    auto allocate = [&](const Buffer& buffer) {
      if (!out_.buffers.count(buffer)) inside.push_back(renamed(buffer));
    };
    for (const OperationRef& op : order_) {
      if (op->scan) take_scan(op, allocate);
    }
    demand_steps_apart();
    std::vector<Stmt> nests;
    for (const OperationRef& op : order_) {
      for (const Buffer& buffer : op->outputs) {
        if (op->is_placeholder() && !out_.buffers.count(buffer)) {
          throw std::invalid_argument("the placeholder '" + buffer->name + "' is read, and is no argument");
        }
        allocate(buffer);
      }
      if (op->scan) {
        add_loop_over_time(op, &nests);
      } else if (!op->is_placeholder() && !steps_.count(op)) {
        add_nests(*op, nullptr, &nests);
      }
    }
    Stmt body = seq(std::move(nests));
    for (size_t k = inside.size(); k-- > 0;) body = make_stmt(AllocBuffer{inside[k], body});
    out_.func.body = body;
    add_scalars();
    return std::move(out_);
  }

 private:
  std::string unique(const std::string& wanted, std::set<std::string>* taken) {
    std::string name = identifier(wanted);
    for (int k = 1; !taken->insert(name).second; ++k) name = identifier(wanted) + "_" + std::to_string(k);
    return name;
  }

  Buffer renamed(const Buffer& buffer) {
    const std::string name = unique(buffer->name, &names_);
    const Buffer made = make_buffer(name, buffer->dtype, buffer->shape);
    out_.buffers[buffer] = name;
    buffers_[buffer] = made;
    return made;
  }

  /// The expression in a block, over its own variables.
  Expr inside(const Expr& e) const { return with_buffers(substitute(e, vars_), buffers_); }

  /// Init, update and state of a scan are its memory.
  void take_scan(const OperationRef& op, const std::function<void(const Buffer&)>& allocate) {
    for (size_t k = 0; k < op->outputs.size(); ++k) {
      allocate(op->outputs[k]);
      for (const Tensor& t : {op->scan->init[k], op->scan->update[k], op->scan->state[k]}) {
        if (!out_.buffers.emplace(t.buffer(), out_.buffers.at(op->outputs[k])).second) {
          throw std::invalid_argument("'" + t.buffer()->name + "' is a part of the scan '" + op->name +
                                      "': it is no argument, and of no other scan");
        }
        buffers_[t.buffer()] = buffers_.at(op->outputs[k]);
      }
    }
    for (const OperationRef& step : scan_body(*op->scan)) {
      if (!steps_.emplace(step, op).second) {
        throw std::invalid_argument("'" + step->name + "' is computed in the steps of two scans");
      }
      for (const Buffer& buffer : step->outputs) {
        for (const Tensor& t : args_) {
          if (t.buffer() == buffer) {
            throw std::invalid_argument("'" + buffer->name + "' is computed in the steps of the scan '" + op->name +
                                        "': it is no argument");
          }
        }
      }
    }
    for (const Tensor& t : op->scan->state) states_.emplace(t.op, op);
  }

  /// What the steps of a scan compute, and its states, are read in its steps alone.
  void demand_steps_apart() const {
    for (const OperationRef& op : order_) {
      const auto own = steps_.find(op);
      if (op->scan) continue;
      for (const Buffer& buffer : op->reads()) {
        const OperationRef from = operation_of(buffer);
        for (const auto* parts : {&steps_, &states_}) {
          const auto found = parts->find(from);
          if (found == parts->end() || (own != steps_.end() && own->second == found->second)) continue;
          throw std::invalid_argument("'" + op->name + "' reads '" + buffer->name + "', a part of the scan '" +
                                      found->second->name + "', outside of its steps: what it leaves is in '" +
                                      found->second->name + "'");
        }
      }
    }
  }

  void add_loop_over_time(const OperationRef& op, std::vector<Stmt>* nests) {
    const IterVar& time = op->axes[0];
    const IterVar loop{Var::fresh(time.var.name(), time.var.dtype()), time.dom, IterKind::Spatial};
    // An update reads what other instances of its block wrote, of whatever cell: it claims nothing of them.
    const IterVar ordered{loop.var, loop.dom, IterKind::Opaque};
    std::vector<Stmt> steps;
    for (const OperationRef& step : scan_body(*op->scan)) {
      const auto& updates = op->scan->update;
      const bool update = std::any_of(updates.begin(), updates.end(), [&](const Tensor& t) { return t.op == step; });
      add_nests(*step, update ? &ordered : &loop, &steps);
    }
    for (const Buffer& buffer : op->outputs) out_.blocks[buffer] = out_.blocks.at(op->scan->update[0].buffer());
    nests->push_back(make_stmt(For{loop.var, loop.dom.min, loop.dom.extent, ForKind::Serial, seq(std::move(steps))}));
  }

  /// In a step of a scan, whose loop over time is given, the first axis is time, and axes that are not reduced over are
  /// of its kind.
  void add_nests(const Operation& op, const IterVar* time, std::vector<Stmt>* nests) {
    Block block{.name = unique(op.name, &blocks_)};
    std::vector<IterVar> loops;
    vars_.clear();
    for (const IterVar& iv : op.roots()) {
      if (time && block.iters.empty()) {
        const Var own = Var::fresh("v_" + time->var.name(), time->var.dtype());
        vars_.emplace(iv.var, Expr(own));
        block.iters.push_back({own, time->dom, time->kind, Expr(time->var)});
        continue;
      }
      IterVar loop{Var::fresh(iv.var.name(), iv.var.dtype()), iv.dom, iv.kind};
      hexproof::IterVar own{Var::fresh("v_" + iv.var.name(), iv.var.dtype()), iv.dom, iv.kind, Expr(loop.var)};
      if (time && iv.kind == IterKind::Spatial) own.kind = time->kind;
      vars_.emplace(iv.var, Expr(own.var));
      block.iters.push_back(own);
      loops.push_back(loop);
    }
    std::vector<Expr> cell;
    for (const IterVar& iv : op.axes) cell.push_back(vars_.at(iv.var));
    if (op.reduction) {
      reduce(op, cell, &block);
    } else {
      std::vector<Stmt> stores;
      for (size_t k = 0; k < op.outputs.size(); ++k) {
        stores.push_back(make_stmt(Store{buffers_.at(op.outputs[k]), cell, inside(op.bodies[k])}));
      }
      block.body = seq(std::move(stores));
    }
    for (const Buffer& buffer : op.outputs) out_.blocks[buffer] = block.name;
    if (op.written) out_.written[block.name] = op.written;
    Stmt nest = make_stmt(std::move(block));
    for (size_t d = loops.size(); d-- > 0;) {
      nest = make_stmt(For{loops[d].var, loops[d].dom.min, loops[d].dom.extent, ForKind::Serial, nest});
    }
    nests->push_back(nest);
  }

  void reduce(const Operation& op, const std::vector<Expr>& cell, Block* block) {
    const Reduction& r = *op.reduction;
    const Reducer& reducer = *r.reducer;
    VarMap values;
    std::vector<Stmt> init, update;
    std::vector<std::pair<Var, Expr>> lets;
    const bool several = op.outputs.size() > 1;
    for (size_t k = 0; k < op.outputs.size(); ++k) {
      const Buffer& buffer = buffers_.at(op.outputs[k]);
      init.push_back(make_stmt(Store{buffer, cell, inside(r.init[k])}));
      values[reducer.lhs[k]] = load(buffer, cell);
      values[reducer.rhs[k]] = inside(r.sources[k]);
    }
    std::vector<Expr> results;
    for (size_t k = 0; k < op.outputs.size(); ++k) {
      Expr result = rebuilt(substitute(reducer.results[k], values));
      if (r.condition) result = if_then_else(inside(r.condition), result, load(buffers_.at(op.outputs[k]), cell));
      results.push_back(result);
    }
    for (size_t k = 0; k < results.size(); ++k) {
      Expr value = results[k];
      if (several) {  // every value is of what there was
        const Var var = Var::fresh("v_" + op.outputs[k]->name, value->dtype, true);
        lets.emplace_back(var, value);
        value = var;
      }
      update.push_back(make_stmt(Store{buffers_.at(op.outputs[k]), cell, value}));
    }
    block->init = seq(std::move(init));
    block->body = seq(std::move(update));
    for (size_t k = lets.size(); k-- > 0;) block->body = make_stmt(LetStmt{lets[k].first, lets[k].second, block->body});
  }

  /// Arithmetic on what is now data is data arithmetic.
  static Expr rebuilt(const Expr& e) {
    return rewrite_expr(e, [](const Expr& node) {
      return may_wrap(node->op, node->dtype) && node->args.size() == 2 ? binary(node->op, node->args[0], node->args[1])
                                                                       : node;
    });
  }

  /// What no shape defines is a parameter.
  void add_scalars() {
    std::set<Var> defined, used;
    for (const Param& p : out_.func.params) {
      for (const Expr& extent : p.buffer->shape) {
        if (extent->op == Op::Var) defined.insert(extent->var());
      }
    }
    auto use = [&](const Expr& e) {
      for (const Var& v : free_vars(e)) used.insert(v);
    };
    for (const Param& p : out_.func.params) {
      for (const Expr& extent : p.buffer->shape) use(extent);
    }
    for (const OperationRef& op : order_) {
      std::set<Var> own;
      for (const IterVar& iv : op->roots()) own.insert(iv.var), use(iv.dom.extent), use(iv.dom.min);
      for (const Expr& e : op->expressions()) {
        for (const Var& v : free_vars(e)) {
          if (!own.count(v)) used.insert(v);
        }
      }
    }
    for (const Var& v : used) {
      if (!defined.count(v)) out_.func.params.push_back({v, {}});
    }
  }

  const std::vector<Tensor>& args_;
  std::vector<OperationRef> order_;
  NaiveProgram out_;
  std::set<std::string> names_, blocks_;
  std::map<Buffer, Buffer> buffers_;
  std::map<OperationRef, OperationRef> steps_, states_;  // of which scan
  VarMap vars_;
};

}  // namespace

NaiveProgram create_prim_func(const std::vector<Tensor>& args, const std::string& name) {
  if (std::all_of(args.begin(), args.end(), [](const Tensor& t) { return t.op->is_placeholder(); })) {
    throw std::invalid_argument("nothing is computed: no argument is the result of a te.compute");
  }
  return Naive(args).program(name);
}

}  // namespace hexproof::te
