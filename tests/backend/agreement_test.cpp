// One meaning: for every operator and every dtype, the interpreter, the host's code (as it is and optimised) and
// Hexagon's code under QEMU give the same bits (all NaNs being one value). All pairs of operands at 8 bits; edge values
// and random ones beyond. Operands come from buffers, so integers are data and wrap; pairs on which an operator is an
// error are left out by a guard.
#include <gtest/gtest.h>

#include <random>

#include "backend/hexagon.h"
#include "backend/host.h"
#include "ir/float_format.h"
#include "ir/reinterpret.h"
#include "tests/backend/programs.h"

namespace hexproof {
namespace agreement_test {

using namespace testing;

const std::vector<DType> kTypes = {kBool,   kInt8,   kInt16,   kInt32,   kInt64,   kUInt8,   kUInt16,
                                   kUInt32, kUInt64, kFloat16, kFloat32, kFloat64, kBFloat16};
const std::vector<Op> kBinary = {Op::Add,      Op::Sub,      Op::Mul,    Op::Div, Op::FloorDiv, Op::FloorMod,
                                 Op::TruncDiv, Op::TruncMod, Op::Min,    Op::Max, Op::EQ,       Op::NE,
                                 Op::LT,       Op::LE,       Op::GT,     Op::GE,  Op::And,      Op::Or,
                                 Op::BitAnd,   Op::BitOr,    Op::BitXor, Op::Shl, Op::Shr};
const std::vector<const char*> kWhole = {"T.fabs",  "T.sqrt",  "T.floor",     "T.ceil",
                                         "T.trunc", "T.round", "T.nearbyint", "T.rsqrt"};

bool is_defined(Op op, DType t) {
  if (op == Op::And || op == Op::Or) return t.is_bool();
  if (op == Op::EQ || op == Op::NE) return true;
  if (op == Op::Div) return t.is_float();
  if (is_division(op) || (op >= Op::BitAnd && op <= Op::Shr)) return t.is_integer();
  return !t.is_bool();
}

/// Values where things change, and random ones.
std::vector<Scalar> samples(DType t, size_t count) {
  std::vector<Scalar> out;
  if (t.bits <= 8) {
    for (int i = 0; i <= int(max_value(t) - min_value(t)); ++i) out.push_back(int_scalar(t, min_value(t) + i));
    return out;
  }
  if (t.is_float()) {
    const double least = least_float(t), most = largest_float(t);
    const double normal = std::ldexp(least, float_format(t).stored());
    for (double v : {0.0,
                     least,
                     least * 3,
                     normal - least,
                     normal,
                     0.5,
                     1.0,
                     1.0 + 0x1p-10,
                     1.5,
                     2.5,
                     3.0,
                     127.0,
                     128.0,
                     255.5,
                     32767.0,
                     32768.0,
                     65535.0,
                     0x1p31,
                     0x1p31 - 128,
                     0x1p32,
                     0x1p63,
                     0x1p64,
                     most,
                     most / 2,
                     double(INFINITY)}) {
      out.push_back(float_scalar(t, v)), out.push_back(float_scalar(t, -v));
    }
    out.push_back(float_scalar(t, NAN));
  } else {
    for (int shift = 0; shift < t.bits; shift += (shift < 8 || shift > t.bits - 4 ? 1 : 5)) {
      for (int near = -1; near <= 1; ++near) out.push_back(int_scalar(t, (Wide{1} << shift) + near));
    }
    for (Wide v :
         {min_value(t), min_value(t) + 1, max_value(t), max_value(t) - 1, Wide{-1}, Wide{-7}, Wide{7}, Wide{100}}) {
      out.push_back(int_scalar(t, v));
    }
  }
  for (uint64_t i = 0; out.size() < count; ++i) out.push_back(arbitrary_scalar(t, i * 77 + t.bits));
  return out;
}

/// One row of results: an operator, the expression of it over A[n] and B[n], and on which operands it has no error.
struct Row {
  std::string name;
  DType type;
  std::function<Expr(Expr, Expr)> build;
  std::function<bool(const Scalar&, const Scalar&)> defined;
};

std::vector<Row> rows_of(DType t) {
  std::vector<Row> rows;
  auto always = [](const Scalar&, const Scalar&) { return true; };
  for (Op op : kBinary) {
    if (!is_defined(op, t)) continue;
    rows.push_back({std::string(info(op).name), is_comparison(op) ? kBool : t,
                    [op](Expr a, Expr b) { return binary(op, a, b); },
                    [op](const Scalar& a, const Scalar& b) { return bool(apply_binary(op, a, b, Arith::Data)); }});
  }
  if (t.is_bool()) rows.push_back({"Not", t, [](Expr a, Expr) { return lnot(a); }, always});
  if (t.is_integer()) rows.push_back({"BitNot", t, [](Expr a, Expr) { return unary(Op::BitNot, a); }, always});
  for (DType to : kTypes) {
    rows.push_back({to.str().insert(0, "Cast to "), to, [to](Expr a, Expr) { return cast(to, a); },
                    [to](const Scalar& a, const Scalar&) { return bool(apply_cast(to, a)); }});
  }
  for (DType to : kTypes) {
    if (!same_width(t, to)) continue;
    rows.push_back(
        {to.str().insert(0, "reinterpret to "), to, [to](Expr a, Expr) { return reinterpret(to, a); }, always});
    if (!t.is_integer() || !to.is_float()) continue;
    // There and back: of NaNs, and infinities, of either sign.
    rows.push_back({to.str().insert(0, "bits of a NaN of "), t,
                    [t, to](Expr a, Expr b) {
                      const Expr ones = cast(t, imm(kUInt64, static_cast<int64_t>(float_format(to).infinity())));
                      return reinterpret(t, reinterpret(to, binary(Op::BitOr, binary(Op::BitXor, a, b), ones)));
                    },
                    always});
  }
  rows.push_back({"Select", t, [](Expr a, Expr b) { return select(ne(a, b), b, a); }, always});
  rows.push_back({"IfThenElse", t, [](Expr a, Expr b) { return if_then_else(eq(a, b), b, a); }, always});
  rows.push_back({"Let", t,
                  [](Expr a, Expr b) {
                    Var v = Var::fresh("v", a->dtype, a->data);
                    return let(v, a, select(eq(v, b), Expr(v), b));
                  },
                  always});
  rows.push_back({"Likely", t, [](Expr a, Expr b) { return select(likely(eq(a, b)), a, b); }, always});
  if (t.is_float()) {
    for (const char* name : kWhole) {
      rows.push_back({name, t, [name, t](Expr a, Expr) { return call(t, name, {a}); }, always});
    }
    rows.push_back({"copysign", t, [t](Expr a, Expr b) { return call(t, "T.copysign", {a, b}); }, always});
    // The sign of a NaN that is computed differs between machines.
    rows.push_back({"copysign of a difference", t,
                    [t](Expr a, Expr b) {
                      return call(t, "T.copysign", {a, b - b});
                    },
                    always});
    rows.push_back({"copysign of a negation", t,
                    [t](Expr a, Expr b) {
                      return call(t, "T.copysign", {a, (b - b) * fimm(t, -1.0)});
                    },
                    always});
    for (const char* name : {"T.isnan", "T.isinf", "T.isfinite"}) {
      rows.push_back({name, kBool, [name](Expr a, Expr) { return call(kBool, name, {a}); }, always});
    }
  }
  return rows;
}

/// for n: for each row: if defined[row, n]: result_row[n] = row(A[n], B[n]); then sums of four lanes at a time.
struct Program {
  PrimFunc func;
  std::vector<Row> rows;
  std::vector<Tensor> buffers;  // A, B, defined, lanes, a result per row
  size_t first_result = 4;
  size_t count = 0;
};

Program make_program(DType t, std::vector<Row> rows) {
  Program p;
  p.rows = std::move(rows);
  std::vector<Scalar> values = samples(t, 64), a, b;
  for (const Scalar& x : values) {
    for (const Scalar& y : values) a.push_back(x), b.push_back(y);
  }
  p.count = a.size();
  auto n = static_cast<int64_t>(a.size()), r = static_cast<int64_t>(p.rows.size());
  Buffer A = make_buffer("A", t, {i32(n)}), B = make_buffer("B", t, {i32(n)}),
         D = make_buffer("defined", kBool, {i32(r), i32(n)}), L = make_buffer("lanes", t, {i32(n)});
  auto zeros = [](DType type, std::vector<int64_t> shape) {
    size_t size = static_cast<size_t>(type.bytes());
    for (int64_t extent : shape) size *= static_cast<size_t>(extent);
    return Tensor{type, std::move(shape), std::vector<uint8_t>(size), {}};
  };
  Tensor ta = zeros(t, {n}), tb = zeros(t, {n}), td = zeros(kBool, {r, n});
  for (int64_t i = 0; i < n; ++i) {
    store_scalar(a[size_t(i)], &ta.data[size_t(i * t.bytes())]);
    store_scalar(b[size_t(i)], &tb.data[size_t(i * t.bytes())]);
    for (int64_t k = 0; k < r; ++k) td.data[size_t(k * n + i)] = p.rows[size_t(k)].defined(a[size_t(i)], b[size_t(i)]);
  }
  p.buffers = {ta, tb, td, zeros(t, {n})};
  p.func.name = t.str().insert(0, "agree_");
  p.func.params = {param(A), param(B), param(D), param(L)};
  Var i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32);
  std::vector<Stmt> body;
  for (int64_t k = 0; k < r; ++k) {
    const Row& row = p.rows[size_t(k)];
    Buffer R = make_buffer(std::to_string(k).insert(0, 1, 'R'), row.type, {i32(n)});
    p.func.params.push_back(param(R));
    p.buffers.push_back(zeros(row.type, {n}));
    Expr value = row.build(load(A, {i}), load(B, {i}));
    body.push_back(make_stmt(If{load(D, {i32(k), i}), testing::store(R, {i}, value), {}}));
  }
  Expr four = ramp(Expr(j) * i32(4), i32(1), 4);
  Expr x = load(A, {four}), y = load(B, {four});
  Expr sum = t.is_bool() ? lor(x, y) : select(lt(x, y), x + y, min(x, y) * broadcast(cast(t, i32(3)), 4));
  p.func.body = seq({for_loop(i, i32(n), seq(body)), for_loop(j, i32(n / 4), testing::store(L, {four}, sum))});
  return p;
}

/// Every result against the interpreter's.
void expect_same(const Program& p, const std::vector<Tensor>& want, const std::vector<Tensor>& got,
                 const std::string& who) {
  for (size_t k = 3; k < want.size(); ++k) {
    int64_t at = first_difference(want[k], got[k]);
    if (at < 0) continue;
    auto show = [&](const Tensor& t) {
      Scalar s = load_scalar(t.dtype, &t.data[size_t(at) * size_t(t.dtype.bytes())]);
      return s.type.is_float() ? ::testing::PrintToString(s.d()) : to_string(wide_value(s));
    };
    std::string row = k == 3 ? "lanes" : p.rows[k - p.first_result].name;
    ADD_FAILURE() << who << ", " << p.func.name << ", " << row << " of " << show(p.buffers[0]) << " and "
                  << show(p.buffers[1]) << ": " << show(got[k]) << ", the interpreter says " << show(want[k]);
  }
}

class Agreement : public ::testing::TestWithParam<DType> {};

/// Programs of so many operators. Twelve have as many pointers as registers hold.
std::vector<Program> programs_of(DType t, size_t operators = 12) {
  std::vector<Program> programs;
  std::vector<Row> rows = rows_of(t);
  for (size_t at = 0; at < rows.size(); at += operators) {
    size_t end = std::min(at + operators, rows.size());
    programs.push_back(make_program(t, {rows.begin() + long(at), rows.begin() + long(end)}));
  }
  return programs;
}

void compare(const Program& p, bool hexagon) {
  std::vector<Tensor> want = p.buffers;
  RunResult result = run(p.func, want);
  ASSERT_FALSE(result.error) << result.error->str();
  for (bool optimise : {false, true}) {
    HostBatch batch({.optimise = optimise});
    batch.add(p.func);
    batch.compile();
    std::vector<Tensor> got = p.buffers;
    batch.run(0, got);
    expect_same(p, want, got, optimise ? "host, optimised" : "host");
  }
  if (!hexagon) return;
  for (bool optimise : {false, true}) {
    std::vector<Tensor> got = p.buffers;
    Kernel kernel = emit(Derivation(p.func), {.target = Target::Hexagon, .optimise = optimise});
    run_hexagon(link_hexagon(kernel), got);
    expect_same(p, want, got, optimise ? "Hexagon, optimised" : "Hexagon");
  }
}

TEST_P(Agreement, InterpreterHostAndHexagon) {
  bool hexagon = have_qemu();
  for (const Program& p : programs_of(GetParam())) compare(p, hexagon);
  if (!hexagon) GTEST_SKIP() << "qemu-hexagon is not installed: only the host was compared";
}

// All operators in one function of up to fifty parameters: most arguments are on the stack, registers are scarce, and
// some must live on over calls of the runtime.
TEST(ManyParameters, Agree) {
  bool hexagon = have_qemu();
  for (DType t : {kInt16, kUInt64, kFloat32}) {
    for (const Program& p : programs_of(t, 100)) compare(p, hexagon);
  }
  if (!hexagon) GTEST_SKIP() << "qemu-hexagon is not installed: only the host was compared";
}

INSTANTIATE_TEST_SUITE_P(AllTypes, Agreement, ::testing::ValuesIn(kTypes),
                         [](const auto& info) { return info.param.str(); });

}  // namespace agreement_test
}  // namespace hexproof
