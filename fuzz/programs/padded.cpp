#include "fuzz/programs/padded.h"

#include <limits>

#include "fuzz/programs/values.h"

namespace hexproof {
namespace {

/// `count` elements in tiles, of which the first has position `offset`.
struct Geometry {
  int64_t tiles = 1, width = 1, offset = 0, count = 1;

  int64_t cells() const { return tiles * width; }
};

Stmt loop_over(const Var& v, int64_t extent, Stmt body) {
  return make_stmt(For{v, i32(0), i32(extent), ForKind::Serial, std::move(body)});
}

class PaddedBuilder {
 public:
  explicit PaddedBuilder(Choices& choices) : choices_(choices), values_(choices) {}

  PrimFunc build() {
    static const std::vector<DType> kTypes = {kInt32, kFloat32, kInt8, kFloat16, kUInt8, kInt16};
    type_ = choices_.pick(kTypes);
    geometry_ = geometry();
    input_ = parameter("A", {geometry_.tiles, geometry_.width});
    filter_ = parameter("F", {3});
    bool temporary = choices_.chance(25);
    std::vector<Expr> shape = {i32(geometry_.tiles), i32(geometry_.width)};
    out_ = temporary ? make_buffer("M", type_, shape) : parameter("B", {geometry_.tiles, geometry_.width});
    std::vector<Stmt> stages;
    if (choices_.chance(80)) stages.push_back(assumed());
    if (temporary || choices_.chance(20)) stages.push_back(filled());
    if (choices_.chance(25)) stages.push_back(padded());
    stages.push_back(computed());
    if (choices_.chance(60)) stages.push_back(padded());
    if (choices_.chance(15)) stages.push_back(computed());
    if (temporary || choices_.chance(40)) stages.push_back(read(temporary));
    for (Stmt& stage : stages) {
      if (choices_.chance(40)) stage = make_stmt(Block{.name = "b" + std::to_string(blocks_++), .body = stage});
    }
    func_.body = seq(stages);
    if (temporary) func_.body = make_stmt(AllocBuffer{out_, func_.body});
    return func_;
  }

 private:
  Geometry geometry() {
    static const std::vector<int64_t> kWidths = {4, 2, 3, 8};
    Geometry g;
    g.width = choices_.pick(kWidths), g.tiles = 1 + choices_.below(4);
    g.count = 1 + choices_.below(static_cast<uint32_t>(g.cells()));
    g.offset = choices_.chance(50) ? choices_.below(static_cast<uint32_t>(g.cells() - g.count + 1)) : 0;
    return g;
  }

  Buffer parameter(const std::string& name, const std::vector<int64_t>& shape) {
    std::vector<Expr> extents;
    for (int64_t extent : shape) extents.push_back(i32(extent));
    Buffer buffer = make_buffer(name, type_, extents);
    func_.params.push_back({Var::fresh(name, kHandle), buffer});
    return buffer;
  }

  Expr number(double v) const { return type_.is_float() ? fimm(type_, v) : imm(type_, static_cast<int64_t>(v)); }

  /// What padding may hold: neutral for one operator or another, or for none.
  Expr pad_value(const Var& io, const Var& ii) {
    switch (choices_.below(7)) {
      case 0:
      case 1:
        return number(0);
      case 2:
        return number(1);
      case 3:
        if (type_.is_float()) return fimm(type_, -std::numeric_limits<double>::infinity());
        return type_.is_int() ? imm(type_, -(Wide{1} << (type_.bits - 1))) : imm(type_, 0);
      case 4:
        return cast(type_, Expr(io) + Expr(ii));
      case 5:
        return values_.constant(type_);
      default:
        return undef(type_);
    }
  }

  /// The element at position `p` is one, and no padding; now and then wrong by one.
  Expr inside(const Expr& p) {
    int64_t first = geometry_.offset, last = geometry_.offset + geometry_.count;
    if (choices_.chance(5)) first += choices_.chance(50) ? 1 : -1;
    if (choices_.chance(5)) last += choices_.chance(50) ? 1 : -1;
    if (first <= 0 && choices_.chance(70)) return lt(p, i32(last));
    if (last >= geometry_.cells() && choices_.chance(70)) return le(i32(first), p);
    return land(le(i32(first), p), lt(p, i32(last)));
  }
  /// The same by tiles: the first one from some lane on, the last one up to some lane, all in between.
  Expr inside_by_tile(const Var& io, const Var& ii) {
    int64_t width = geometry_.width, first = geometry_.offset, last = geometry_.offset + geometry_.count;
    Expr begins =
        lor(gt(Expr(io), i32(first / width)), land(eq(Expr(io), i32(first / width)), le(i32(first % width), ii)));
    Expr ends =
        lor(lt(Expr(io), i32(last / width)), land(eq(Expr(io), i32(last / width)), lt(Expr(ii), i32(last % width))));
    return land(begins, ends);
  }
  Expr inside(const Var& io, const Var& ii) {
    return choices_.chance(25) ? inside_by_tile(io, ii) : inside(Expr(io) * i32(geometry_.width) + Expr(ii));
  }

  /// for io, ii: BODY, or for i: BODY at the cell of element i.
  struct Nest {
    std::vector<LoopVar> loops;
    std::vector<Expr> cell;
    Expr position;
    Expr guard;
    Var io = {}, ii = {};  // missing over elements
  };
  Nest over_cells() {
    Var io = Var::fresh("io", kInt32), ii = Var::fresh("ii", kInt32);
    return {.loops = {{io, geometry_.tiles}, {ii, geometry_.width}},
            .cell = {Expr(io), Expr(ii)},
            .position = Expr(io) * i32(geometry_.width) + Expr(ii),
            .guard = inside(io, ii),
            .io = io,
            .ii = ii};
  }
  Nest over_elements() {
    Var i = Var::fresh("i", kInt32);
    Expr p = Expr(i) + i32(geometry_.offset);
    return {.loops = {{i, geometry_.count}},
            .cell = {floordiv(p, i32(geometry_.width)), floormod(p, i32(geometry_.width))},
            .position = p,
            .guard = {}};
  }
  static Stmt nest(const Nest& n, Stmt body) {
    for (auto it = n.loops.rbegin(); it != n.loops.rend(); ++it) body = loop_over(it->var, it->extent, body);
    return body;
  }
  static Stmt guarded(const Expr& guard, Stmt then_case, Stmt else_case = {}) {
    return make_stmt(If{guard, std::move(then_case), std::move(else_case)});
  }
  Stmt put(const std::vector<Expr>& cell, Expr value) const { return make_stmt(Store{out_, cell, std::move(value)}); }

  Stmt assumed() {
    Nest n = over_cells();
    Expr holds = eq(load(input_, n.cell), pad_value(n.io, n.ii));
    Expr condition = choices_.chance(85) ? lor(n.guard, holds) : holds;
    return nest(n, make_stmt(Assume{condition}));
  }

  Stmt filled() {
    Nest n = over_cells();
    return nest(n, put(n.cell, pad_value(n.io, n.ii)));
  }

  Stmt padded() {
    Nest n = over_cells();
    return nest(n, guarded(lnot_of(n.guard), put(n.cell, pad_value(n.io, n.ii))));
  }
  /// The opposite, pushed inwards half of the time, as people write it.
  Expr lnot_of(const Expr& e) {
    if (choices_.chance(50)) return lnot(e);
    if (e->op == Op::And) return lor(lnot_of(e->args[0]), lnot_of(e->args[1]));
    if (e->op == Op::Or) return land(lnot_of(e->args[0]), lnot_of(e->args[1]));
    if (e->op == Op::LT) return ge(e->args[0], e->args[1]);
    if (e->op == Op::LE) return gt(e->args[0], e->args[1]);
    return lnot(e);
  }

  Expr combined(const Expr& total, const Expr& value) {
    switch (choices_.below(type_.is_float() ? 5 : 6)) {
      case 0:
      case 1:
        return total + value;
      case 2:
        return max(total, value);
      case 3:
        return max(value, total);
      case 4:
        return total * value;
      default:
        return binary(Op::BitXor, total, value);
    }
  }
  Expr element(const std::vector<Expr>& cell) {
    Expr a = load(input_, cell);
    switch (choices_.below(8)) {
      case 0:
      case 1:
        return a;
      case 2:
        return a * number(2);
      case 3:
        return a * load(filter_, {i32(choices_.below(3))});
      case 4:
        return max(a, values_.constant(type_));
      case 5:
        return a + a;
      case 6:
        return a * number(0);
      default:
        return select(gt(a, number(1)), a, number(3));
    }
  }

  Stmt computed() {
    bool cells = choices_.chance(70);
    Nest n = cells ? over_cells() : over_elements();
    Stmt body;
    switch (choices_.below(4)) {
      case 0:
      case 1:
        body = put(n.cell, element(n.cell));
        break;
      case 2:
        body = put(n.cell, combined(load(out_, n.cell), element(n.cell)));
        break;
      default:
        body = window(n);
    }
    if (!n.guard) return nest(n, body);
    switch (choices_.below(6)) {
      case 0:  // everywhere
        return nest(n, body);
      case 1:
        return nest(n, guarded(n.guard, body, put(n.cell, pad_value(n.io, n.ii))));
      case 2:  // the outer loop's part of the condition in front
        return nest(n, guarded(lt(Expr(n.io), i32(1 + choices_.below(static_cast<uint32_t>(geometry_.tiles)))),
                               guarded(n.guard, body)));
      case 3:  // two neighbours with opposite conditions
        return nest(n, seq({guarded(n.guard, body), guarded(lnot_of(n.guard), put(n.cell, pad_value(n.io, n.ii)))}));
      default:
        return nest(n, guarded(n.guard, body));
    }
  }
  /// B = 0; for k: if the element is there: B = B + F[k] * A[... + k - 1]
  Stmt window(const Nest& n) {
    Var k = Var::fresh("k", kInt32);
    Expr p = n.position + Expr(k);
    // One to the left or one to the right: with the offset at hand one end is padding or leaves the buffer.
    int64_t shift = choices_.below(3);
    Expr at = shift ? p - i32(shift) : p;
    std::vector<Expr> cell = {floordiv(at, i32(geometry_.width)), floormod(at, i32(geometry_.width))};
    Expr there = land(le(i32(geometry_.offset), at), lt(at, i32(geometry_.offset + geometry_.count)));
    Expr product = choices_.chance(60) ? load(filter_, {Expr(k)}) * load(input_, cell) : load(input_, cell);
    Stmt update = guarded(there, put(n.cell, combined(load(out_, n.cell), product)));
    return seq({put(n.cell, number(0)), loop_over(k, 3, update)});
  }

  /// A stage that reads the results: element by element, cell by cell, or one sum per tile.
  Stmt read(bool safely) {
    if (safely || choices_.chance(40)) {
      Buffer to = parameter("O", {geometry_.count});
      Nest n = over_elements();
      return nest(n, make_stmt(Store{to, {Expr(n.loops[0].var)}, load(out_, n.cell) + number(1)}));
    }
    Nest n = over_cells();
    if (choices_.chance(50)) {
      Buffer to = parameter("O", {geometry_.tiles, geometry_.width});
      return nest(n, guarded(n.guard, make_stmt(Store{to, n.cell, load(out_, n.cell)})));
    }
    Buffer to = parameter("O", {geometry_.tiles});
    Stmt update = make_stmt(Store{to, {Expr(n.io)}, combined(load(to, {Expr(n.io)}), load(out_, n.cell))});
    if (choices_.chance(70)) update = guarded(n.guard, update);
    Stmt row = loop_over(n.ii, geometry_.width, update);
    return loop_over(n.io, geometry_.tiles, seq({make_stmt(Store{to, {Expr(n.io)}, number(0)}), row}));
  }

  Choices& choices_;
  ValueBuilder values_;
  DType type_;
  Geometry geometry_;
  Buffer input_, filter_, out_;
  PrimFunc func_;
  int blocks_ = 0;
};

}  // namespace

PrimFunc random_padded_program(Choices& choices) { return PaddedBuilder(choices).build(); }

}  // namespace hexproof
