// print and parse_module are inverse to one another.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "ir/arith_class.h"
#include "ir/float_format.h"
#include "ir/layout/index_map.h"
#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace printer_test {

const DType kTypes[] = {kBool,   kInt8,   kInt16,   kInt32,   kInt64,   kUInt8,   kUInt16,
                        kUInt32, kUInt64, kFloat16, kFloat32, kFloat64, kBFloat16};

/// A function that stores `value` to the only cell of a buffer, over the buffers and scalars given.
PrimFunc storing(Expr value, std::vector<Param> params = {}) {
  Buffer out = make_buffer("out", value->dtype.element(), {i32(value->dtype.lanes)});
  params.push_back({Var::fresh("h", kHandle), out});
  Expr index = value->dtype.lanes == 1 ? i32(0) : ramp(i32(0), i32(1), value->dtype.lanes);
  return PrimFunc{"main", std::move(params), {}, make_stmt(Store{out, {index}, std::move(value)})};
}

void round_trips(const PrimFunc& func) {
  ASSERT_EQ(ill_formed(func), "") << print(func);
  std::string text = print(func);
  PrimFunc back = parse_module(text).functions.at(0);
  EXPECT_TRUE(same_program(func, back)) << text << print(back);
  EXPECT_EQ(print(back), text);
}

TEST(Printer, EveryConstantRoundTrips) {
  for (DType type : kTypes) {
    std::vector<Expr> values;
    if (type.is_float()) {
      double tiny = least_float(type);
      for (double v :
           {0.0, -0.0, 1.0, -1.5, 0.1, 1e-3, 1.0 / 3, 65504.0, 1e15, 1e16, 123456789.0, tiny, 3.4028234663852886e38,
            static_cast<double>(INFINITY), -static_cast<double>(INFINITY), static_cast<double>(NAN)}) {
        values.push_back(fimm(type, v));
      }
    } else {
      for (Wide v : {min_value(type), max_value(type), Wide{0}, Wide{1}, Wide{-1}}) {
        if (fits_type(type, v)) values.push_back(imm(type, v));
      }
    }
    for (const Expr& e : values) {
      PrimFunc back = parse_module(print(storing(e))).functions.at(0);
      EXPECT_TRUE(back.body.as<Store>()->value == e) << print(e) << " of " << type.str();
    }
  }
}

TEST(Printer, RandomFloatsRoundTripToTheBit) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 3000; ++i) {
    float single = std::bit_cast<float>(static_cast<uint32_t>(random()));
    double both[] = {std::bit_cast<double>(random()), static_cast<double>(single)};
    for (DType type : {kFloat16, kBFloat16, kFloat32, kFloat64}) {
      for (double v : both) {
        Expr e = fimm(type, v);
        PrimFunc back = parse_module(print(storing(e))).functions.at(0);
        ASSERT_TRUE(back.body.as<Store>()->value == e) << print(e);
      }
    }
  }
}

/// Random expressions of every operator and dtype.
class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {
    for (DType type : kTypes) {
      scalars_.push_back({Var::fresh("s", type), {}});
      buffers_.push_back({Var::fresh("h", kHandle), make_buffer("A", type, {i32(4), i32(4)})});
    }
  }

  std::vector<Param> params() const {
    std::vector<Param> out = scalars_;
    out.insert(out.end(), buffers_.begin(), buffers_.end());
    return out;
  }

  size_t pick(size_t n) { return random_() % n; }
  DType type() { return kTypes[pick(std::size(kTypes))]; }
  DType integer() {
    DType t = type();
    return t.is_integer() ? t : kInt32;
  }

  Expr leaf(DType type) {
    size_t at = static_cast<size_t>(std::find(std::begin(kTypes), std::end(kTypes), type) - std::begin(kTypes));
    switch (pick(4)) {
      case 0:
        return scalars_[at].var;
      case 1:
        return load(buffers_[at].buffer, {i32(static_cast<int>(pick(4))), index(1)});
      case 2:
        return allow_undef_ && pick(4) == 0 ? undef(type) : Expr(scalars_[at].var);
      default:
        break;
    }
    if (type.is_float()) return fimm(type, static_cast<double>(static_cast<int>(pick(9)) - 4) / 4);
    if (type.is_bool()) return boolean(pick(2));
    return imm(type, type.is_int() ? static_cast<int>(pick(9)) - 4 : static_cast<int>(pick(9)));
  }

  /// An expression without undef, for an index.
  Expr index(int depth) {
    bool outer = std::exchange(allow_undef_, false);
    Expr e = make(kInt32, depth);
    allow_undef_ = outer;
    return e;
  }

  Expr make(DType type, int depth) {
    if (depth <= 0) return leaf(type);
    --depth;
    switch (pick(8)) {
      case 0:
        return leaf(type);
      case 1:
        return select(make(kBool, depth), make(type, depth), make(type, depth));
      case 2:
        return if_then_else(make(kBool, depth), make(type, depth), make(type, depth));
      case 3:
        return cast(type, make(this->type(), depth));
      case 4: {
        DType of = this->type();
        Expr value = make(of, depth), body = make(type, depth);
        Var var = Var::fresh("x", of, value->data);
        return let(var, value, type == var.dtype() && pick(2) ? select(make(kBool, 0), body, var) : body);
      }
      case 5:
        return call(type, pick(2) ? "exp" : "gelu", {make(pick(2) ? type : this->type(), depth)});
      default:
        break;
    }
    if (type.is_bool()) {
      if (pick(4) == 0) return lnot(make(kBool, depth));
      if (pick(6) == 0) return likely(make(kBool, depth));
      if (pick(3) == 0) return binary(pick(2) ? Op::And : Op::Or, make(kBool, depth), make(kBool, depth));
      DType of = this->type();
      Op op = static_cast<Op>(static_cast<int>(Op::EQ) + static_cast<int>(pick(of.is_bool() ? 2 : 6)));
      return binary(op, make(of, depth), make(of, depth));
    }
    if (type.is_float()) {
      static const Op kOps[] = {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Min, Op::Max};
      return binary(kOps[pick(6)], make(type, depth), make(type, depth));
    }
    static const Op kOps[] = {Op::Add,      Op::Sub,      Op::Mul, Op::FloorDiv, Op::FloorMod,
                              Op::TruncDiv, Op::TruncMod, Op::Min, Op::Max,      Op::BitAnd,
                              Op::BitOr,    Op::BitXor,   Op::Shl, Op::Shr,      Op::BitNot};
    Op op = kOps[pick(std::size(kOps))];
    if (op == Op::BitNot) return unary(op, make(type, depth));
    Expr e = binary(op, make(type, depth), make(type, depth));
    return may_wrap(op, type) && pick(6) == 0 ? with_class(e, !e->wraps) : e;
  }

 private:
  std::mt19937 random_;
  std::vector<Param> scalars_, buffers_;
  bool allow_undef_ = true;
};

TEST(Printer, RandomExpressionsRoundTrip) {
  for (uint32_t seed = 0; seed < 1500; ++seed) {
    Generator generator(seed);
    round_trips(storing(generator.make(generator.type(), 4), generator.params()));
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Printer, NamesComeFromHintsAndDoNotDependOnIds) {
  auto build = [] {
    Buffer a = make_buffer("A", kInt32, {i32(4)});
    Var outer = Var::fresh("i", kInt32), inner = Var::fresh("i", kInt32), odd = Var::fresh("ax0.outer", kInt32),
        word = Var::fresh("for", kInt32), empty = Var::fresh("", kInt32);
    Stmt body = make_stmt(Store{a, {outer}, inner + odd + word + empty});
    for (const Var& v : {empty, word, odd, inner, outer})
      body = make_stmt(For{v, i32(0), Expr(i32(2)), ForKind::Unrolled, body});
    return PrimFunc{"main", {{Var::fresh("A_handle", kHandle), a}}, {}, body};
  };
  std::string text = print(build());
  EXPECT_EQ(text, print(build()));
  EXPECT_NE(text.find("for i in T.unroll(2):"), std::string::npos) << text;
  EXPECT_NE(text.find("for i_1 in T.unroll(2):"), std::string::npos) << text;
  EXPECT_NE(text.find("A[i] = i_1 + ax0_outer + for_ + v"), std::string::npos) << text;
  round_trips(build());
}

TEST(Printer, ScopesThatEndBeforeTheirSuiteAreWrittenWithWith) {
  Buffer a = make_buffer("A", kInt32, {i32(4)}), b = make_buffer("B", kInt32, {i32(4)}),
         c = make_buffer("C", kInt32, {i32(4)});
  Var x = Var::fresh("x", kInt32), p = Var::fresh("P", kHandle);
  auto put = [&](const Buffer& to, Expr v) { return make_stmt(Store{to, {i32(0)}, std::move(v)}); };
  Buffer view = make_buffer("V", kInt32, {i32(2)}, {.data = p});
  Stmt body = seq({make_stmt(LetStmt{x, i32(5), put(a, x)}), make_stmt(AllocBuffer{b, put(b, i32(1))}),
                   make_stmt(Allocate{p, kInt32, {i32(2)}, "global", make_stmt(DeclBuffer{view, put(view, i32(3))})}),
                   make_stmt(AttrStmt{std::string("n"), "key", boolean(true), put(a, i32(2))}),
                   make_stmt(For{Var::fresh("i", kInt32), i32(0), i32(2), ForKind::Serial,
                                 make_stmt(AllocBuffer{c, put(c, i32(0))})}),
                   make_stmt(If{eq(load(a, {i32(0)}), i32(1)), empty_stmt(), empty_stmt()}), put(a, i32(9))});
  PrimFunc func{"main", {{Var::fresh("h", kHandle), a}}, {}, body};
  round_trips(func);
  EXPECT_EQ(print(func.body),
            "with T.LetStmt(5) as x:\n    A[0] = x\n"
            "with T.decl_buffer((4,), \"int32\") as B:\n    B[0] = 1\n"
            "with T.allocate([2], \"int32\", \"global\") as P:\n    V = T.decl_buffer((2,), \"int32\", data=P)\n    "
            "V[0] = 3\n"
            "with T.attr(\"n\", \"key\", T.bool(True)):\n    A[0] = 2\n"
            "for i in range(2):\n    C = T.decl_buffer((4,), \"int32\")\n    C[0] = 0\n"
            "if A[0] == 1:\n    T.evaluate(0)\nelse:\n    T.evaluate(0)\nA[0] = 9\n");
}

TEST(Printer, RangesKeepTheirExtent) {
  Buffer a = make_buffer("A", kInt64, {i32(4)});
  for (DType type : {kInt32, kInt64}) {
    Var n = Var::fresh("n", type), m = Var::fresh("m", type);
    auto c = [&](int64_t v) { return imm(type, v); };
    for (auto [min, extent] : std::vector<std::pair<Expr, Expr>>{{c(0), n},
                                                                 {c(2), n},
                                                                 {n, c(4)},
                                                                 {n, m},
                                                                 {n, Expr(m) - n},
                                                                 {n, (Expr(n) + m) - n},
                                                                 {n, Expr(n) - n},
                                                                 {n, c(0)},
                                                                 {c(3), Expr(n) - c(3)},
                                                                 {c(2), c(5)},
                                                                 {c(2), c(5) - c(2)},
                                                                 {Expr(n) + m, Expr(m) * c(2)},
                                                                 {c(-3), c(0)},
                                                                 {imm(type, max_value(type)), c(5)},
                                                                 {c(0), c(-1)},
                                                                 {Expr(n), c(-1)}}) {
      for (ForKind kind : {ForKind::Serial, ForKind::Parallel}) {
        Stmt body = make_stmt(Store{a, {i32(0)}, imm(kInt64, 1)});
        round_trips({"main",
                     {{n, {}}, {m, {}}, {Var::fresh("h", kHandle), a}},
                     {},
                     make_stmt(For{Var::fresh("i", type), min, extent, kind, body})});
      }
      Block block{.name = "b", .body = make_stmt(Store{a, {i32(0)}, imm(kInt64, 1)})};
      block.iters = {{Var::fresh("v", type), {min, extent}, IterKind::Spatial, min}};
      Buffer wide = make_buffer("W", kInt8, {i32(4), i32(4)});
      block.reads = {{wide, {{min, extent}, {Expr(m), c(1)}}}};
      round_trips({"main",
                   {{n, {}}, {m, {}}, {Var::fresh("h", kHandle), a}, {Var::fresh("h", kHandle), wide}},
                   {},
                   make_stmt(block)});
    }
  }
}

TEST(Printer, AFunctionOfShapeVariablesHasHandles) {
  Var n = Var::fresh("n", kInt32), m = Var::fresh("m", kInt64);
  Buffer a =
      make_buffer("A", kFloat32, {n, i32(4)},
                  {.strides = {i32(4), i32(1)}, .elem_offset = i32(0), .axis_separators = {1}, .scope = "local"});
  Buffer b = make_buffer("B", kFloat32, {m});
  PrimFunc func{"f",
                {{Var::fresh("a", kHandle), a}, {Var::fresh("b", kHandle), b}, {n, {}}},
                {{"tir.noalias", boolean(true)}, {"text", std::string("a \"b\"\n\\")}},
                make_stmt(Store{b, {imm(kInt64, 0)}, load(a, {i32(0), Expr(n) - i32(1)})})};
  round_trips(func);
  EXPECT_EQ(print(func),
            "# from tvm.script import tir as T\n\n@T.prim_func\ndef f(a: T.handle, b: T.handle, n: T.int32):\n"
            "    T.func_attr({\"text\": \"a \\\"b\\\"\\n\\\\\", \"tir.noalias\": T.bool(True)})\n    m = T.int64()\n"
            "    A = T.match_buffer(a, (n, 4), \"float32\", strides=(4, 1), elem_offset=0, scope=\"local\", "
            "axis_separators=[1])\n"
            "    B = T.match_buffer(b, (m,), \"float32\")\n    B[T.int64(0)] = A[0, n - 1]\n");
}

// What a map says is its outputs over its inputs, whatever these are called.
TEST(Printer, NamesInAMapAreToldApart) {
  const Var i = Var::fresh("i", kInt32), other = Var::fresh("i", kInt32), max = Var::fresh("max", kInt32),
            max_ = Var::fresh("max_", kInt32), text = Var::fresh("x: [x]  #", kInt32),
            axis = Var::fresh("AXIS_SEPARATOR", kInt32);
  EXPECT_EQ(print(IndexMap{{i, other}, {Expr(other), Expr(i)}, {}}), "lambda i, i_1: [i_1, i]");
  EXPECT_EQ(print(IndexMap{{max, max_}, {Expr(max), Expr(max_)}, {1}}),
            "lambda max_, max__1: [max_, AXIS_SEPARATOR, max__1]");
  EXPECT_EQ(print(IndexMap{{text, axis}, {Expr(text), Expr(axis)}, {}}),
            "lambda x___x____, AXIS_SEPARATOR_: [x___x____, AXIS_SEPARATOR_]");
}

// A scalar has one name, in the program and in what is said of it.
TEST(Printer, ScalarsAreNamedAsTheyArePrinted) {
  const PrimFunc func = parse_module(R"(
def f(a: T.handle, max_: T.int32):
    max = T.int32()
    A = T.match_buffer(a, (max,), "int32")
    T.assume(max <= 16 and max_ == 3)
    A[0] = max
)")
                            .functions.at(0);
  round_trips(func);
  for (const Var& v : func.scalars()) EXPECT_EQ(print(Expr(v)), v.name());
  ASSERT_EQ(func.scalars().size(), 2u);
  EXPECT_EQ(func.scalars()[0].name(), "max_");  // as its program calls it
  EXPECT_EQ(func.scalars()[1].name(), "max__1");
}

TEST(Printer, VectorsRoundTrip) {
  Buffer a = make_buffer("A", kFloat32, {i32(64)});
  Expr lanes = ramp(i32(0), i32(2), 8);
  round_trips(storing(load(a, {lanes}) + broadcast(fimm(kFloat32, 0.5), 8), {{Var::fresh("h", kHandle), a}}));
  round_trips(
      storing(select(lt(lanes, broadcast(i32(3), 8)), undef(kFloat32.with_lanes(8)), undef(kFloat32.with_lanes(8)))));
  round_trips(storing(cast(kInt64.with_lanes(8), lanes)));
}

}  // namespace printer_test
}  // namespace hexproof
