#include "fuzz/programs/program.h"

#include <algorithm>
#include <optional>

#include "fuzz/programs/values.h"

namespace hexproof {
namespace {

/// Builds one program; `values_` makes the expressions.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(Choices& choices) : choices_(choices), values_(choices) {}

  PrimFunc build() {
    values_.index_type = choices_.chance(10) ? kInt64 : kInt32;
    uint32_t inputs = 1 + choices_.below(2);
    for (uint32_t i = 0; i < inputs; ++i) {
      values_.readable.push_back(parameter(std::string(1, static_cast<char>('A' + i)), random_type(), random_shape()));
    }
    uint32_t stages = 1 + choices_.below(3);
    std::vector<Stmt> body;
    std::vector<Buffer> temporaries;
    for (uint32_t s = 0; s < stages; ++s) {
      bool last = s + 1 == stages;
      bool temporary = !last && choices_.chance(60);
      std::string name = temporary ? "T" + std::to_string(s) : "O" + std::to_string(s);
      DType type = random_type();
      std::vector<int64_t> shape = random_shape();
      Buffer out = temporary ? make_buffer(name, type, extents(shape)) : parameter(name, type, shape);
      if (temporary) temporaries.push_back(out);
      body.push_back(stage("b" + std::to_string(s), out, shape, temporary));
      values_.readable.push_back(out);
    }
    func_.body = seq(body);
    for (auto it = temporaries.rbegin(); it != temporaries.rend(); ++it) {
      func_.body = make_stmt(AllocBuffer{*it, func_.body});
    }
    return func_;
  }

 private:
  DType random_type() {
    static const std::vector<DType> kTypes = {kInt32,  kFloat32, kInt8,  kUInt8, kInt16,
                                              kUInt16, kUInt32,  kInt64, kUInt64};
    return choices_.pick(kTypes);
  }

  std::vector<int64_t> random_shape() {
    static const std::vector<int64_t> kExtents = {2, 4, 3, 1, 6, 8, 5};
    std::vector<int64_t> shape;
    uint32_t dims = 1 + choices_.below(3);
    int64_t size = 1;
    for (uint32_t d = 0; d < dims; ++d) {
      int64_t extent = choices_.pick(kExtents);
      if (size * extent > 96) extent = 1;
      size *= extent;
      shape.push_back(extent);
    }
    return shape;
  }

  std::vector<Expr> extents(const std::vector<int64_t>& shape) const {
    std::vector<Expr> out;
    for (int64_t extent : shape) out.push_back(imm(values_.index_type, extent));
    return out;
  }

  Buffer parameter(const std::string& name, DType type, const std::vector<int64_t>& shape) {
    Buffer buffer = make_buffer(name, type, extents(shape));
    func_.params.push_back({Var::fresh(name, kHandle), buffer});
    return buffer;
  }

  /// A nest that writes `out`: every cell when it is a temporary, else perhaps under a guard.
  Stmt stage(const std::string& name, const Buffer& out, const std::vector<int64_t>& shape, bool whole) {
    values_.loops.clear();
    std::vector<LoopVar> spatial;
    for (size_t d = 0; d < shape.size(); ++d) spatial.push_back(values_.loop("i" + std::to_string(d), shape[d]));
    std::optional<LoopVar> reduce;
    bool in_block = choices_.chance(50);
    if (choices_.chance(40)) {
      static const std::vector<int64_t> kExtents = {3, 2, 4, 1};
      reduce = values_.loop("k", choices_.pick(kExtents));
      if (!in_block) values_.loops.pop_back();  // in scope only inside its own loop
    }
    Stmt body = in_block ? block(name, out, spatial, reduce) : plain(out, spatial, reduce, whole);
    std::vector<LoopVar> order = spatial;
    if (reduce && in_block) order.push_back(*reduce);
    if (choices_.chance(20)) std::swap(order.front(), order.back());
    for (auto it = order.rbegin(); it != order.rend(); ++it) body = loop(*it, body);
    return body;
  }

  Stmt loop(const LoopVar& l, Stmt body) const {
    Expr least = zero(l.var.dtype());
    return make_stmt(For{l.var, least, imm(l.var.dtype(), l.extent), ForKind::Serial, std::move(body)});
  }

  static std::vector<Expr> cell(const std::vector<LoopVar>& spatial) {
    std::vector<Expr> out;
    for (const LoopVar& l : spatial) out.emplace_back(l.var);
    return out;
  }

  Expr combine(DType type, Expr total, Expr value) {
    switch (choices_.below(type.is_float() ? 3 : 4)) {
      case 0:
        return total + value;
      case 1:
        return max(total, value);
      case 2:
        return total * value;
      default:
        return binary(Op::BitXor, total, value);
    }
  }

  /// Loops without a block: an optional let, an optional guard with or without an else, an accumulation.
  Stmt plain(const Buffer& out, const std::vector<LoopVar>& spatial, const std::optional<LoopVar>& reduce, bool whole) {
    std::vector<Expr> at = cell(spatial);
    std::optional<Var> bound;
    Expr bound_value;
    if (choices_.chance(25)) {
      bound_value = values_.index(8);
      bound = Var::fresh("v", values_.index_type);
      values_.loops.push_back({*bound, 8});
    }
    Stmt store = make_stmt(Store{out, at, values_.value(out->dtype, 3)});
    if (reduce) {
      values_.loops.push_back(*reduce);
      Expr sum = combine(out->dtype, load(out, at), values_.value(out->dtype, 2));
      values_.loops.pop_back();
      store = seq({store, loop(*reduce, make_stmt(Store{out, at, sum}))});
    }
    if (choices_.chance(30)) {
      bool with_else = whole || choices_.chance(50);
      Stmt other = with_else ? make_stmt(Store{out, at, values_.value(out->dtype, 1)}) : Stmt{};
      store = make_stmt(If{values_.condition(), store, other});
    }
    if (choices_.chance(15)) store = seq({store, make_stmt(Store{out, at, values_.value(out->dtype, 2)})});
    return bound ? make_stmt(LetStmt{*bound, bound_value, store}) : store;
  }

  /// A block with one spatial variable per dimension, a reduction with its init when there is one.
  Stmt block(const std::string& name, const Buffer& out, const std::vector<LoopVar>& spatial,
             const std::optional<LoopVar>& reduce) {
    Block block{.name = name};
    VarMap to_block;
    auto iter = [&](const LoopVar& l, IterKind kind) {
      Var v = Var::fresh("v" + l.var.name(), l.var.dtype());
      block.iters.push_back({v, {zero(l.var.dtype()), imm(l.var.dtype(), l.extent)}, kind, Expr(l.var)});
      to_block.emplace(l.var, Expr(v));
    };
    for (const LoopVar& l : spatial) iter(l, IterKind::Spatial);
    if (reduce) iter(*reduce, IterKind::Reduce);
    std::vector<Expr> at = cell(spatial);
    Expr value = values_.value(out->dtype, 3);
    if (reduce) {
      block.init = substitute(make_stmt(Store{out, at, values_.constant(out->dtype)}), to_block);
      value = combine(out->dtype, load(out, at), value);
    }
    block.body = substitute(make_stmt(Store{out, at, value}), to_block);
    return make_stmt(std::move(block));
  }

  Choices& choices_;
  ValueBuilder values_;
  PrimFunc func_;
};

}  // namespace

PrimFunc random_program(Choices& choices) { return ProgramBuilder(choices).build(); }

}  // namespace hexproof
