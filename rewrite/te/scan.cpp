#include "rewrite/te/scan.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "rewrite/te/loads.h"

namespace hexproof::te {
namespace {

[[noreturn]] void no_scan(const std::string& message) { throw std::invalid_argument(message); }

/// One init, update and state: of one shape, but for the rows of the init.
void demand_one_shape(const Tensor& init, const Tensor& update, const Tensor& state) {
  const Buffer &i = init.buffer(), &u = update.buffer(), &s = state.buffer();
  if (!state.op->is_placeholder()) no_scan("the state '" + s->name + "' of a scan is a te.placeholder");
  for (const Tensor& t : {init, update}) {
    if (t.op->is_placeholder() || t.op->scan)
      no_scan("'" + t.buffer()->name + "' of a scan is the result of a te.compute");
  }
  if (i->dtype != s->dtype || u->dtype != s->dtype) {
    no_scan("init, update and state of a scan have one dtype, not " + i->dtype.str() + ", " + u->dtype.str() + " and " +
            s->dtype.str());
  }
  if (u->shape != s->shape) no_scan("the update '" + u->name + "' has another shape than the state '" + s->name + "'");
  if (s->ndim() == 0 || i->ndim() != s->ndim() ||
      !std::equal(i->shape.begin() + 1, i->shape.end(), s->shape.begin() + 1)) {
    no_scan("the init '" + i->name + "' has another shape than the state '" + s->name +
            "': only the extents of their first axes, which are time, differ");
  }
  const int64_t *rows = as_int(i->shape[0]), *all = as_int(s->shape[0]);
  if (rows && all && *rows >= *all) no_scan("the init '" + i->name + "' holds all times: there is nothing to update");
}

/// A step reads of what is computed in it only the row of its own time.
void demand_own_time(const Scan& scan) {
  const std::vector<OperationRef> body = scan_body(scan);
  const Expr& times = scan.state[0].buffer()->shape[0];
  for (const OperationRef& op : body) {
    if (op->scan) no_scan("the scan '" + op->name + "' stands inside of another scan");
    if (op->axes.empty() || !(op->axes[0].dom.extent == times)) {
      no_scan("the first axis of '" + op->name +
              "', which is computed in a step of a scan, is not its time: it has not " + "the extent of the state");
    }
    for (const Expr& e : op->expressions()) {
      for (const Load& read : loads_in(e)) {
        const OperationRef from = operation_of(read.load->buffer());
        const Expr& time = read.load->args.at(0);
        const bool of_state = std::any_of(scan.state.begin(), scan.state.end(),
                                          [&](const Tensor& t) { return t.buffer() == read.load->buffer(); });
        if (of_state && is_data(time)) {
          no_scan("'" + op->name + "' reads the state '" + from->name + "' at a time that memory holds");
        }
        if (std::find(body.begin(), body.end(), from) == body.end()) continue;
        if (time->op == Op::Var && time->var() == op->axes[0].var) continue;
        no_scan("'" + op->name + "' reads '" + from->name +
                "' at another time than its own: only states are kept from " + "step to step");
      }
    }
  }
}

}  // namespace

std::vector<OperationRef> scan_body(const Scan& scan) {
  std::vector<OperationRef> ends, out;
  std::set<OperationRef> depends;
  for (const Tensor& t : scan.state) depends.insert(t.op);
  for (const Tensor& t : scan.update) ends.push_back(t.op);
  for (const OperationRef& op : in_order(ends)) {
    if (depends.count(op)) continue;
    const std::vector<Buffer> reads = op->reads();
    const bool inside =
        std::find(ends.begin(), ends.end(), op) != ends.end() ||
        std::any_of(reads.begin(), reads.end(), [&](const Buffer& b) { return depends.count(operation_of(b)) > 0; });
    if (!inside) continue;
    depends.insert(op);
    out.push_back(op);
  }
  return out;
}

std::vector<Obligation> scan_laws(const Scan& scan) {
  std::vector<Obligation> out;
  const Expr first = scan.init[0].buffer()->shape[0];
  for (const OperationRef& op : scan_body(scan)) {
    const Expr time = op->axes[0].var;
    std::vector<Expr> given{le(first, time)};
    for (const IterVar& iv : op->roots()) {
      given.push_back(le(iv.dom.min, Expr(iv.var)));
      given.push_back(lt(Expr(iv.var), is_int(iv.dom.min, 0) ? iv.dom.extent : iv.dom.min + iv.dom.extent));
    }
    for (const Expr& e : op->expressions()) {
      for (const Load& read : loads_in(e)) {
        const bool of_state = std::any_of(scan.state.begin(), scan.state.end(),
                                          [&](const Tensor& t) { return t.buffer() == read.load->buffer(); });
        if (!of_state) continue;
        const Expr& at = read.load->args.at(0);
        Obligation o{"scan",
                     "'" + op->name + "' reads the state '" + read.load->buffer()->name + "' at an earlier time",
                     {},
                     given,
                     land(le(zero(at->dtype), at), lt(at, time))};
        for (const Expr& condition : read.conditions) {
          if (!is_data(condition)) o.given.push_back(condition);
        }
        out.push_back(std::move(o));
      }
    }
  }
  return out;
}

std::vector<Tensor> scan(const std::string& name, const std::vector<Tensor>& init, const std::vector<Tensor>& update,
                         const std::vector<Tensor>& state) {
  if (state.empty() || init.size() != state.size() || update.size() != state.size()) {
    no_scan("a scan has an init and an update for each state");
  }
  std::set<Buffer> once;
  for (size_t k = 0; k < state.size(); ++k) {
    demand_one_shape(init[k], update[k], state[k]);
    for (const Tensor& t : {init[k], update[k], state[k]}) {
      if (!once.insert(t.buffer()).second) no_scan("'" + t.buffer()->name + "' stands twice in a scan");
    }
    if (!(init[k].buffer()->shape[0] == init[0].buffer()->shape[0]) ||
        !(state[k].buffer()->shape[0] == state[0].buffer()->shape[0])) {
      no_scan("the states of a scan start and end at one time");
    }
  }
  Operation op{
      .name = name, .axes = {}, .bodies = {}, .reduction = {}, .scan = Scan{init, update, state}, .outputs = {}};
  demand_own_time(*op.scan);
  for (const OperationRef& step : scan_body(*op.scan)) {
    for (const Tensor& t : init) {
      if (t.op == step) no_scan("the init '" + t.buffer()->name + "' depends on the state");
    }
  }
  const Expr first = init[0].buffer()->shape[0], all = state[0].buffer()->shape[0];
  const std::string time = update[0].op->axes[0].var.name();
  const Expr steps = as_int(first) && as_int(all) ? imm(all->dtype, *as_int(all) - *as_int(first)) : all - first;
  op.axes.push_back(make_axis(time, {first, steps}, IterKind::Opaque));
  for (size_t d = 1; d < state[0].buffer()->ndim(); ++d) {
    const Expr& extent = state[0].buffer()->shape[d];
    op.axes.push_back(make_axis("i" + std::to_string(d), {zero(extent->dtype), extent}, IterKind::Spatial));
  }
  for (size_t k = 0; k < state.size(); ++k) {
    const std::string suffix = state.size() > 1 ? ".v" + std::to_string(k) : "";
    op.outputs.push_back(make_buffer(name + suffix, state[k].buffer()->dtype, state[k].buffer()->shape));
  }
  const OperationRef made = register_operation(std::move(op));
  std::vector<Tensor> out;
  for (size_t k = 0; k < state.size(); ++k) out.push_back({made, k});
  return out;
}

}  // namespace hexproof::te
