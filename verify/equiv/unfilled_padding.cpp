#include "verify/equiv/unfilled_padding.h"

#include <algorithm>
#include <set>

#include "ir/arith_class.h"
#include "ir/base/mutant.h"
#include "ir/layout/cells.h"
#include "ir/visit.h"
#include "verify/access/footprint.h"
#include "verify/memory/argument_padding.h"

namespace hexproof {
namespace {

/// Are the cells of `after` that hold what is padding before among those that `after` says are padding?
bool goes_to_padding(const BufferPair& pair, const ArgumentPadding& before, const ArgumentPadding& after,
                     const VarMap& scalars, Prover& prover) {
  Obligation o{.rule = "equiv", .why = "padding goes to padding", .where = {}, .given = {}, .goal = {}};
  for (size_t d = 0; d < pair.map.inputs.size(); ++d) {
    const Var& index = pair.map.inputs[d];
    const Expr extent = substitute(pair.before->shape[d], scalars);
    const bool holds = as_int(extent) ? fits_type(index.dtype(), int_value(extent)) : extent->dtype == index.dtype();
    if (!holds) return false;
    o.given.push_back(ge(Expr(index), zero(index.dtype())));
    o.given.push_back(lt(as_type(kInt64, Expr(index)), as_type(kInt64, extent)));
  }
  std::vector<Expr> from, to = pair.map.outputs;
  for (size_t d = 0; d < before.indices.size(); ++d) {
    from.push_back(as_type(before.indices[d].dtype(), Expr(pair.map.inputs[d])));
  }
  for (size_t d = 0; d < after.indices.size(); ++d) to[d] = as_type(after.indices[d].dtype(), to[d]);
  o.given.push_back(substitute(before.at(from), scalars));
  o.goal = after.at(to);
  return prover.prove(o).verdict == Verdict::Proved;
}

/// Is it of the loops and of what has a name in `after` alone, so that it may be evaluated when that program ends?
bool stands_at_the_end(const Expr& e, const Access& write, const VarMap& scalars) {
  if (reads_memory(e)) return false;
  for (const Var& var : free_vars(e)) {
    const bool loop =
        std::any_of(write.loops.begin(), write.loops.end(), [&](const LoopRange& range) { return range.var == var; });
    if (!loop && !scalars.count(var)) return false;
  }
  return true;
}

/// A read, at the end of `after`, of each cell that this write of `before` gives a value: of more where the write
/// depends on data. Nothing where which cells it writes could not be said there.
std::optional<Stmt> read_of_written(const Access& write, const BufferPair& buffer, const VarMap& scalars) {
  if (!(write.buffer == buffer.before) || write.anywhere || !write.evaluated) return std::nullopt;
  auto stands = [&](const Expr& e) { return stands_at_the_end(e, write, scalars); };
  if (!std::all_of(write.indices.begin(), write.indices.end(), stands)) return std::nullopt;
  std::vector<Expr> indices = write.indices;
  if (!buffer.identity) {
    VarMap at;
    for (size_t d = 0; d < indices.size(); ++d) {
      const Var& input = buffer.map.inputs[d];
      at.emplace(input, as_type(input.dtype(), indices[d]));
    }
    indices.clear();
    for (const Expr& output : buffer.map.outputs) indices.push_back(substitute(output, at));
  }
  Stmt out = make_stmt(Evaluate{load(buffer.after, indices)});
  for (const Expr& guard : write.guards) {
    if (stands(guard)) out = make_stmt(If{guard, out, {}});
  }
  for (size_t k = write.loops.size(); k-- > 0;) {
    const LoopRange& range = write.loops[k];
    if (!stands(range.min) || !stands(range.extent)) return std::nullopt;
    out = make_stmt(For{range.var, range.min, range.extent, ForKind::Serial, out});
  }
  return refresh(substitute(out, scalars));
}

/// A read of every cell.
Stmt read_of_all(const Buffer& buffer) {
  std::vector<Expr> indices;
  std::vector<Var> vars;
  for (const Expr& extent : buffer->shape) {
    vars.push_back(Var::fresh("i", extent->dtype));
    indices.emplace_back(vars.back());
  }
  Stmt out = make_stmt(Evaluate{load(buffer, indices)});
  for (size_t d = vars.size(); d-- > 0;) {
    out = make_stmt(For{vars[d], zero(vars[d].dtype()), buffer->shape[d], ForKind::Serial, out});
  }
  return out;
}

/// `after`, at whose end everything is read that `before` writes of arguments with padding, and padding of a layout
/// that is promised to hold its value: there a cell holds one behind `before`. The reason where that could not be said.
std::string read_at_the_end(const ProgramPair& pair, const VarMap& scalars, PrimFunc* after) {
  std::vector<Stmt> parts = {after->body};
  const std::vector<Access> writes = writes_of(footprint(pair.before.body));
  size_t next = 0;
  for (size_t k = 0; k < pair.before.params.size(); ++k) {
    if (!pair.before.params[k].buffer) continue;
    const BufferPair& buffer = pair.buffers.at(next++);
    const bool unfilled_before = argument_padding(pair.before, k).has_value();
    const bool unfilled_after = argument_padding(pair.after, k).has_value();
    if (!unfilled_before && !unfilled_after) continue;
    if (unfilled_after && buffer.pads_with_value() && !buffer.logical_only) {
      if (unfilled_before)
        return "which padding of argument " + std::to_string(k + 1) + " nobody fills could not be said";
      parts.push_back(read_of_all(buffer.after));
      continue;
    }
    for (const Access& write : writes) {
      if (write.buffer->data != buffer.before->data) continue;
      const std::optional<Stmt> read = read_of_written(write, buffer, scalars);
      if (!read) return "which cells of argument " + std::to_string(k + 1) + " before writes could not be said";
      parts.push_back(*read);
    }
  }
  if (parts.size() > 1) after->body = seq(std::move(parts));
  return "";
}

int64_t elements_of(const std::vector<int64_t>& shape) {
  int64_t out = 1;
  for (int64_t extent : shape) out *= extent;
  return out;
}

/// Calls `f` with the number of the buffer, of the element, and whether it is known to be padding, for each element
/// that may be padding which nobody fills (argument_padding.h).
template <class F>
void each_unfilled(const PrimFunc& func, const std::vector<int64_t>& scalars,
                   const std::vector<std::vector<int64_t>>& shapes, F f) {
  Valuation values;
  const std::vector<Var> names = func.scalars();
  for (size_t k = 0; k < names.size(); ++k) values.vars.emplace(names[k], scalar_value(names[k], scalars.at(k)));
  size_t buffer = 0;
  for (size_t p = 0; p < func.params.size(); ++p) {
    if (!func.params[p].buffer) continue;
    const size_t number = buffer++;
    const std::optional<ArgumentPadding> padding = argument_padding(func, p);
    if (!padding) continue;
    for (int64_t k = 0; k < elements_of(shapes[number]); ++k) {
      const std::optional<bool> is = padding->holds(values, index_of(k, shapes[number]));
      if (is.value_or(true)) f(number, k, is.has_value());
    }
  }
}

}  // namespace

std::string reads_unfilled_padding(const ProgramPair& pair, Prover& prover) {
  VarMap scalars;
  for (const auto& [mine, theirs] : pair.scalars) scalars.emplace(mine, Expr(theirs));
  for (const auto& [theirs, value] : pair.after_scalars) {
    if (value->op == Op::Var) scalars.emplace(value->var(), Expr(theirs));
  }
  PrimFunc after = pair.after;
  bool any = false;
  size_t next = 0;
  for (size_t k = 0; k < pair.before.params.size(); ++k) {
    if (!pair.before.params[k].buffer) continue;
    const BufferPair& buffer = pair.buffers.at(next++);
    std::optional<ArgumentPadding> padding = argument_padding(pair.before, k);
    if (!padding) {
      any |= argument_padding(pair.after, k).has_value();  // filled, and not to be read all the same
      continue;
    }
    any = true;
    std::optional<ArgumentPadding> theirs = argument_padding(pair.after, k);
    bool said = false;
    if (buffer.identity) {
      Expr predicate = substitute(padding->predicate, scalars);
      if (theirs) {  // what is padding after alone is filled, and not to be read all the same
        predicate = lor(theirs->at({padding->indices.begin(), padding->indices.end()}), predicate);
      }
      auto named = with_argument_padding(after, k, padding->indices, predicate);
      said = named.has_value();
      if (named) after = std::move(*named);
    } else {
      said = theirs && goes_to_padding(buffer, *padding, *theirs, scalars, prover);
    }
    if (!said) {
      return "which cells of argument " + std::to_string(k + 1) + " are padding could not be said of the program after";
    }
  }
  if (!any) return "";
  if (std::string why = HEXPROOF_MUTANT("equiv/padding-is-left", read_at_the_end(pair, scalars, &after), std::string());
      !why.empty())
    return why;
  CheckReport report = check(after, prover);
  bool read = report.finding != Finding::Proved && report.finding != Finding::Undecided;
  for (const CheckedObligation& o : report.obligations) {
    read = read || (o.obligation.rule == "check-initialised" && o.answer.verdict != Verdict::Proved);
  }
  return read ? "the program after may read padding of an argument that nobody filled, or leave some that before fills"
              : "";
}

FilledCells filled_cells(const ProgramPair& pair, const Instance& instance) {
  FilledCells out;
  out.before.resize(pair.buffers.size()), out.after.resize(pair.buffers.size());
  auto empty = [](std::vector<uint8_t>& filled, const std::vector<int64_t>& shape, int64_t lanes, int64_t element) {
    if (filled.empty()) filled.assign(static_cast<size_t>(elements_of(shape) * lanes), 1);
    std::fill_n(filled.begin() + element * lanes, lanes, uint8_t{0});
  };
  std::vector<std::set<int64_t>> open(pair.buffers.size());
  each_unfilled(pair.before, instance.before_scalars, instance.before_shapes,
                [&](size_t b, int64_t element, bool is_known) {
                  out.known &= is_known;
                  open[b].insert(element);
                  const int64_t lanes = pair.buffers[b].before->dtype.lanes;
                  if (is_known) empty(out.before[b], instance.before_shapes[b], lanes, element);
                });
  auto empty_after = [&](size_t b, int64_t element) {
    empty(out.after[b], instance.after_shapes[b], pair.buffers[b].after->dtype.lanes, element);
  };
  for (size_t b = 0; b < open.size(); ++b) {
    const BufferPair& buffer = pair.buffers[b];
    for (int64_t i = 0; !open[b].empty() && i < elements_of(instance.after_shapes[b]); ++i) {
      const int64_t from = buffer.identity ? i : instance.cells[b].origin[static_cast<size_t>(i)];
      if (from >= 0 && open[b].count(from)) empty_after(b, i);
    }
  }
  each_unfilled(pair.after, instance.after_scalars, instance.after_shapes,
                [&](size_t b, int64_t element, bool is_known) {
                  out.known &= is_known;
                  empty_after(b, element);
                });
  return out;
}

void mark_filled(const std::vector<std::vector<uint8_t>>& filled, std::vector<Tensor>* tensors) {
  for (size_t b = 0; b < filled.size(); ++b) {
    if (!filled[b].empty()) (*tensors)[b].initialised = filled[b];
  }
}

}  // namespace hexproof
