#include "verify/check/items/cells_read.h"

#include <algorithm>

#include "ir/evaluation.h"
#include "ir/interpreter/arguments.h"
#include "ir/interpreter/fault.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

class CellsRead {
 public:
  CellsRead(const PrimFunc& func, const std::map<Var, Scalar>& values, const std::vector<Tensor>& tensors)
      : func_(func), values_(values), tensors_(tensors), buffers_(func.buffer_params()) {
    visit_stmt(func.body, [&](const Stmt& s) {
      for_each_written(s, [&](const Buffer& buffer) { stored_.insert(buffer->data); });
      return true;
    });
  }

  std::vector<CellMet> of(const Path& path, const RunError& error) {
    facts_ = facts_at(func_, path);
    if (error.loops.size() != facts_.loops.size()) return {};
    for (size_t k = 0; k < facts_.loops.size(); ++k) {
      const Var& var = facts_.loops[k].var;
      if (error.loops[k].first != var.name()) return {};
      values_[var] = int_scalar(var.dtype(), error.loops[k].second);
    }
    Stmt at = func_.body;
    for (int step : path) {
      look_at_head(at);
      at = children(at)[static_cast<size_t>(step)];
    }
    if (children(at).empty()) {
      visit_all_exprs(at, [&](const Expr& e) { look(e); });
    } else {
      look_at_head(at);
    }
    return std::move(out_);
  }

 private:
  /// What decides whether, and how often, the statements in it run.
  void look_at_head(const Stmt& s) {
    if (const If* branch = s.as<If>()) look_in(branch->condition);
    if (const For* loop = s.as<For>()) look_in(loop->min), look_in(loop->extent);
    if (const LetStmt* let = s.as<LetStmt>()) look_in(let->value);
    if (const Block* block = s.as<Block>()) {
      if (block->predicate) look_in(block->predicate);
      for (const IterVar& iter : block->iters) look_in(iter.binding);
    }
  }
  void look_in(const Expr& e) {
    visit_expr(e, [&](const Expr& part) {
      look(part);
      return true;
    });
  }
  void look(const Expr& e) {
    if (e->op == Op::Load) cell(e);
  }

  /// The value of the cell that a load reads; noted.
  std::optional<Scalar> cell(const Expr& load) {
    auto at = std::find(buffers_.begin(), buffers_.end(), load->buffer());
    if (at == buffers_.end() || !load->dtype.is_scalar() || !(*at)->strides.empty()) return std::nullopt;
    if (stored_.count(load->buffer()->data)) return std::nullopt;
    const Tensor& tensor = tensors_[static_cast<size_t>(at - buffers_.begin())];
    CellMet out{load->buffer()->name, {}, ""};
    int64_t flat = 0;
    for (size_t d = 0; d < load->args.size(); ++d) {
      std::optional<Wide> value = index(facts_.resolve(load->args[d]));
      if (!value || *value < 0 || *value >= tensor.shape[d]) return std::nullopt;
      flat = flat * tensor.shape[d] + static_cast<int64_t>(*value);
      out.indices.push_back(static_cast<int64_t>(*value));
    }
    if (!tensor.initialised.empty() && tensor.initialised[static_cast<size_t>(flat)] != 1) return std::nullopt;
    Scalar value = load_scalar(tensor.dtype, tensor.data.data() + static_cast<size_t>(flat * tensor.dtype.bytes()));
    out.value = text_of(value);
    auto same = [&](const CellMet& one) { return one.buffer == out.buffer && one.indices == out.indices; };
    if (out_.size() < kCellsShown && std::none_of(out_.begin(), out_.end(), same)) out_.push_back(std::move(out));
    return value;
  }

  /// The value of an index, in which loads may stand.
  std::optional<Wide> index(const Expr& e) {
    bool known = true;
    Expr closed = rewrite_expr(e, [&](const Expr& part) -> Expr {
      if (part->op != Op::Load || !known) return part;
      std::optional<Scalar> value = part->dtype.is_integer() ? cell(part) : std::nullopt;
      known = value.has_value();
      return known ? imm(part->dtype, wide_value(*value)) : part;
    });
    const std::set<Var> free = free_vars(closed);
    known = known && std::all_of(free.begin(), free.end(), [&](const Var& v) { return values_.count(v) > 0; });
    if (!known) return std::nullopt;
    try {
      return wide_value(evaluate(closed, values_));
    } catch (const Fault&) {
      return std::nullopt;  // it has no value in this run
    } catch (const std::runtime_error&) {
      return std::nullopt;  // a call, or what was read of memory that has changed since: nothing that values tell
    }
  }

  static constexpr size_t kCellsShown = 24;
  const PrimFunc& func_;
  std::map<Var, Scalar> values_;
  const std::vector<Tensor>& tensors_;
  std::vector<Buffer> buffers_;
  std::set<Var> stored_;
  Facts facts_;
  std::vector<CellMet> out_;
};

}  // namespace

std::string CellMet::str() const {
  std::string index;
  for (int64_t i : indices) index += (index.empty() ? "" : ", ") + std::to_string(i);
  return buffer + "[" + index + "] = " + value;
}

std::vector<CellMet> cells_read(const PrimFunc& func, const std::map<Var, Scalar>& values,
                                const std::vector<Tensor>& tensors, const Path& path, const RunError& error) {
  return CellsRead(func, values, tensors).of(path, error);
}

}  // namespace hexproof
