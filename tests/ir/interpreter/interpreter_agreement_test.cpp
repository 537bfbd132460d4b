// The two ways of running a program against each other, on random programs: results, errors with their places, steps.
#include <gtest/gtest.h>

#include <random>

#include "ir/arith_class.h"
#include "ir/interpreter/fault.h"
#include "ir/interpreter/interpreter.h"
#include "ir/interpreter/paths.h"

namespace hexproof {
namespace interpreter_agreement_test {

const DType kTypes[] = {kInt8,   kUInt8,   kInt16,    kUInt16,  kInt32,   kInt32,   kUInt32, kInt64,
                        kUInt64, kFloat16, kBFloat16, kFloat32, kFloat32, kFloat64, kBool};

/// Small programs with every statement and scalar operator; about half of them meet an error.
class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  PrimFunc function() {
    PrimFunc func;
    for (int i = 0, n = 2 + pick(2); i < n; ++i) {
      std::vector<Expr> shape;
      for (int k = 0, axes = pick(3); k < axes; ++k) shape.push_back(i32(1 + pick(6)));
      BufferOptions options;
      if (pick(8) == 0 && !shape.empty()) {
        options.strides.assign(shape.size(), i32(1));
        int stride = 1;
        for (size_t k = shape.size(); k-- > 0;) {
          options.strides[k] = i32(stride);
          stride *= static_cast<int>(*as_int(shape[k])) + pick(2);
        }
        if (pick(2)) options.elem_offset = i32(pick(3));
      }
      Buffer b = make_buffer(std::string("P") += std::to_string(i), kTypes[pick(std::size(kTypes))], shape, options);
      buffers_.push_back(b);
      func.params.push_back({b->data, b});
    }
    Var n = Var::fresh("n", kInt32);
    func.params.push_back({n, {}});
    vars_.push_back(n);
    func.body = statement(4 + pick(3));
    return func;
  }

  std::vector<Tensor> arguments(const PrimFunc& func) {
    std::vector<Tensor> out;
    for (const Buffer& b : func.buffer_params()) {
      std::vector<int64_t> shape = constant_shape(b).value();
      Tensor t = make_tensor(b->dtype, shape);
      bool holes = pick(6) == 0;
      if (holes) t.initialised.assign(static_cast<size_t>(t.size()), 1);
      for (int64_t i = 0; i < t.size(); ++i) {
        store_scalar(arbitrary_scalar(b->dtype, random_()), &t.data[static_cast<size_t>(i * b->dtype.bytes())]);
        if (holes && pick(5) == 0) t.initialised[static_cast<size_t>(i)] = 0;
      }
      out.push_back(std::move(t));
    }
    return out;
  }

  int pick(size_t n) { return static_cast<int>(random_() % n); }

 private:
  Expr leaf(DType type) {
    std::vector<Expr> candidates;
    for (const Var& v : vars_) {
      if (v.dtype() == type) candidates.push_back(v);
    }
    if (!candidates.empty() && pick(3)) return candidates[static_cast<size_t>(pick(candidates.size()))];
    if (type.is_float()) return fimm(type, pick(4) ? pick(9) - 4 : arbitrary_scalar(type, random_()).d());
    if (type.is_bool() || pick(8)) return imm(type, type.is_bool() ? pick(2) : type.is_int() ? pick(10) - 2 : pick(8));
    return imm(type, wide_value(arbitrary_scalar(type, random_())));
  }

  Expr condition(int depth) {
    DType type = pick(3) ? kInt32 : kTypes[pick(std::size(kTypes))];
    if (type.is_bool()) return pick(2) ? lnot(expr(kBool, depth - 1)) : likely(expr(kBool, depth - 1));
    static const Op ops[] = {Op::EQ, Op::NE, Op::LT, Op::LE, Op::GT, Op::GE};
    return binary(ops[pick(6)], expr(type, depth - 1), expr(type, depth - 1));
  }

  Expr index(int depth, int64_t extent) {
    if (pick(12) == 0) return expr(pick(4) ? kInt32 : kInt64, depth);
    Expr e = depth > 0 && pick(3) == 0 ? expr(kInt32, 1) : leaf(kInt32);
    return pick(10) ? floormod(e, i32(std::max<int64_t>(1, extent))) : e;
  }

  std::vector<Expr> indices(const Buffer& b, int depth) {
    std::vector<Expr> out;
    for (const Expr& extent : b->shape) out.push_back(index(depth, as_int(extent) ? *as_int(extent) : 3));
    return out;
  }

  Expr expr(DType type, int depth) {
    if (depth <= 0) return leaf(type);
    switch (pick(12)) {
      case 0:
      case 1: {
        std::vector<Buffer> candidates;
        for (const Buffer& b : buffers_) {
          if (b->dtype == type) candidates.push_back(b);
        }
        if (candidates.empty()) return cast(type, expr(kTypes[pick(std::size(kTypes))], depth - 1));
        Buffer b = candidates[static_cast<size_t>(pick(candidates.size()))];
        return load(b, indices(b, depth - 1));
      }
      case 2:
        return select(condition(depth - 1), expr(type, depth - 1), expr(type, depth - 1));
      case 3:
        return if_then_else(condition(depth - 1), expr(type, depth - 1), expr(type, depth - 1));
      case 4:
        return cast(type, expr(kTypes[pick(std::size(kTypes))], depth - 1));
      case 5: {
        DType inner = kTypes[pick(std::size(kTypes))];
        Expr value = expr(inner, depth - 1);
        Var v = Var::fresh("t", inner, value->data);
        vars_.push_back(v);
        Expr body = expr(type, depth - 1);
        vars_.pop_back();
        return let(v, value, body);
      }
      case 6:
        if (type.is_float()) return call(type, pick(2) ? "T.sqrt" : "fabs", {expr(type, depth - 1)});
        if (type.is_int()) return call(type, "T.abs", {expr(type, depth - 1)});
        break;
      case 7:
        return leaf(type);
      default:
        break;
    }
    if (type.is_bool()) {
      if (pick(2)) return condition(depth);
      return binary(pick(2) ? Op::And : Op::Or, condition(depth - 1), condition(depth - 1));
    }
    Expr a = expr(type, depth - 1), b = expr(type, depth - 1);
    if (type.is_float()) {
      static const Op ops[] = {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Min, Op::Max};
      return binary(ops[pick(6)], a, b);
    }
    static const Op common[] = {Op::Add, Op::Sub, Op::Mul, Op::Add, Op::Sub, Op::Mul, Op::Min, Op::Max};
    static const Op rare[] = {Op::FloorDiv, Op::FloorMod, Op::TruncDiv, Op::TruncMod, Op::BitAnd,
                              Op::BitOr,    Op::BitXor,   Op::Shl,      Op::Shr};
    if (pick(3)) {
      Expr e = binary(common[pick(8)], a, b);
      return may_wrap(e->op, type) && pick(10) == 0 ? with_class(e, !e->wraps) : e;
    }
    Op op = rare[pick(9)];
    if (is_division(op) && pick(4)) b = imm(type, 1 + pick(7));
    if ((op == Op::Shl || op == Op::Shr) && pick(4)) b = imm(type, pick(8));
    if (pick(8) == 0) return unary(Op::BitNot, a);
    return binary(op, a, b);
  }

  Stmt store() {
    Buffer b = buffers_[static_cast<size_t>(pick(buffers_.size()))];
    Expr value = expr(b->dtype, 3);
    return make_stmt(Store{b, indices(b, 2), value});
  }

  /// A group on one of two queues, what runs meanwhile, and mostly a wait.
  Stmt flight(int depth) {
    in_group_ = true;
    std::vector<Stmt> parts{make_stmt(AsyncCommit{pick(2), statement(depth - 1)})};
    in_group_ = false;
    if (pick(2)) parts.push_back(statement(depth - 1));
    if (pick(8)) parts.push_back(make_stmt(AsyncWait{pick(2), pick(5) ? i32(0) : expr(kInt32, 1), store()}));
    for (int queue = 0; pick(3) && queue < 2; ++queue) parts.push_back(make_stmt(AsyncWait{queue, i32(0), store()}));
    return make_stmt(Seq{std::move(parts)});
  }

  Stmt statement(int depth) {
    if (depth <= 0) return store();
    if (!in_group_ && pick(16) == 0) return flight(depth);
    switch (pick(11)) {
      case 0:
      case 1:
      case 2: {
        Var v = Var::fresh("i", pick(6) ? kInt32 : kInt64);
        static const ForKind kinds[] = {ForKind::Serial, ForKind::Serial, ForKind::Unrolled, ForKind::Parallel,
                                        ForKind::ThreadBinding};
        Expr start = pick(3) ? zero(v.dtype()) : pick(2) ? imm(v.dtype(), pick(5) - 2) : expr(v.dtype(), 1);
        Expr extent = pick(5) ? imm(v.dtype(), pick(7)) : min(expr(v.dtype(), 1), imm(v.dtype(), 9));
        vars_.push_back(v);
        Stmt body = statement(depth - 1);
        vars_.pop_back();
        return make_stmt(For{.var = v, .min = start, .extent = extent, .kind = kinds[pick(5)], .body = body});
      }
      case 3:
        return make_stmt(If{condition(2), statement(depth - 1), pick(2) ? statement(depth - 1) : Stmt{}});
      case 4: {
        DType type = kTypes[pick(std::size(kTypes))];
        Expr value = expr(type, 2);
        Var v = Var::fresh("x", type, value->data);
        vars_.push_back(v);
        Stmt body = statement(depth - 1);
        vars_.pop_back();
        return make_stmt(LetStmt{v, value, body});
      }
      case 5:
        return block(depth);
      case 6: {
        Buffer b = make_buffer("L", kTypes[pick(std::size(kTypes))], {i32(1 + pick(5))});
        buffers_.push_back(b);
        Stmt body = seq({pick(4) ? fill(b) : Stmt{}, statement(depth - 1), statement(depth - 2)});
        buffers_.pop_back();
        return make_stmt(AllocBuffer{b, body});
      }
      case 7: {
        Allocate a{.data = Var::fresh("raw", kHandle), .dtype = kInt32, .extents = {i32(pick(4)), i32(3)}, .body = {}};
        if (pick(3) == 0) {
          for (int64_t i = 0; i < *as_int(a.extents[0]) * 3; ++i) a.constant.push_back(i32(i * 7 - 3));
        }
        BufferOptions options;
        options.data = a.data;
        if (pick(4) == 0) options.elem_offset = i32(pick(3));
        if (pick(4) == 0) options.strides = {i32(2)};
        Buffer b = make_buffer("V", kInt32, {i32(3 + pick(8))}, options);
        buffers_.push_back(b);
        a.body = make_stmt(DeclBuffer{b, seq({pick(2) ? fill(b) : Stmt{}, statement(depth - 1)})});
        buffers_.pop_back();
        return make_stmt(a);
      }
      case 8:
        return make_stmt(pick(2) ? StmtNode{Evaluate{expr(kInt32, 3)}, {}}.record
                                 : StmtNode{Assume{assumption(3)}, {}}.record);
      default:
        return seq({statement(depth - 1), statement(depth - 1)});
    }
  }

  static Stmt make_stmt(decltype(StmtNode::record) record) {
    return Stmt(std::make_shared<const StmtNode>(StmtNode{std::move(record), {}}));
  }

  Expr assumption(int depth) {
    if (pick(4)) return lor(ge(expr(kInt32, depth), i32(pick(3))), condition(depth));
    return land(condition(depth), select(condition(1), condition(2), condition(2)));
  }

  Stmt fill(const Buffer& b) {
    Var v = Var::fresh("f", kInt32);
    return make_stmt(
        For{.var = v, .min = i32(0), .extent = b->shape[0], .body = make_stmt(Store{b, {v}, cast(b->dtype, v)})});
  }

  Stmt block(int depth) {
    Block b{.name = "B"};
    std::vector<Var> before = vars_;
    for (int k = 0, n = 1 + pick(2); k < n; ++k) {
      Expr binding = pick(2) ? leaf(kInt32) : expr(kInt32, 1);
      Var v = Var::fresh("v", kInt32, binding->data);
      b.iters.push_back({v, {i32(pick(3)), i32(6)}, pick(2) ? IterKind::Reduce : IterKind::Spatial, binding});
    }
    for (const IterVar& iter : b.iters) vars_.push_back(iter.var);
    if (pick(3) == 0) b.predicate = condition(2);
    if (pick(2)) b.init = store();
    b.body = statement(depth - 1);
    vars_ = before;
    return make_stmt(b);
  }

  bool in_group_ = false;
  std::mt19937_64 random_;
  std::vector<Buffer> buffers_;
  std::vector<Var> vars_;
};

TEST(InterpreterAgreement, BytecodeAndWalkOnRandomPrograms) {
  int compiled = 0, errors = 0, clean = 0, in_flight = 0;
  std::map<std::string, int> kinds;
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    Generator generator(seed);
    PrimFunc func = generator.function();
    std::vector<Tensor> walked = generator.arguments(func), fast = walked;
    RunOptions options{.max_steps = 100000};
    std::vector<int64_t> scalars{generator.pick(9) - 2};
    Arguments arguments = bind_arguments(func, walked, scalars);
    std::optional<RunResult> b = run_by_bytecode(func, fast, arguments, options);
    if (!b) continue;
    ++compiled;
    RunResult a = run_by_walk(func, walked, arguments, options);
    ASSERT_EQ(a.error.has_value(), b->error.has_value())
        << "seed " << seed << ": " << (a.error ? a.error->str() : "") << " / " << (b->error ? b->error->str() : "");
    ASSERT_EQ(a.out_of_steps, b->out_of_steps) << seed;
    if (a.error) {
      ++errors;
      in_flight += a.error->kind == ErrorKind::InFlight;
      ++kinds[a.error->message.substr(0, a.error->message.find_first_of(":0123456789"))];
      ASSERT_EQ(a.error->str(), b->error->str()) << "seed " << seed;
    } else {
      ++clean;
      ASSERT_EQ(a.steps, b->steps) << "seed " << seed;
    }
    for (size_t i = 0; i < walked.size(); ++i) {
      ASSERT_EQ(walked[i].initialised, fast[i].initialised) << "seed " << seed << " buffer " << i;
      ASSERT_EQ(walked[i].data, fast[i].data) << "seed " << seed << " buffer " << i;
    }
  }
  // The programs meet every kind of error.
  EXPECT_GT(in_flight, 100);
  EXPECT_GT(errors, 3000);
  EXPECT_GE(kinds.size(), 15u);
  EXPECT_GT(compiled, 15000);
  EXPECT_GT(clean, 3000);
}

}  // namespace interpreter_agreement_test
}  // namespace hexproof
