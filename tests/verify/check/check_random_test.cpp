// Random small programs: what check proves, the interpreter runs without error; what check refutes, it does not.
#include <cstdlib>
#include <cstring>
#include <random>

#include "ir/interpreter/interpreter.h"
#include "tests/verify/programs.h"

namespace hexproof {
namespace check_random_test {

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  PrimFunc program() {
    n_ = Var::fresh("n", kInt32);
    bool sized = pick(5) == 0;
    size_ = sized ? Expr(n_) : i32(4 + pick(9));
    PrimFunc f;
    a_ = make_buffer("A", kInt32, {size_});
    b_ = make_buffer("B", kInt32, {i32(3), i32(4)});
    f.params = {{Var::fresh("a", kHandle), a_}, {Var::fresh("b", kHandle), b_}};
    if (!sized) f.params.push_back({n_, {}});
    t_ = make_buffer("T", kInt32, {pick(2) ? size_ : i32(8)});
    u_ = make_buffer("U", kInt32, {i32(3), i32(4)});
    flat_ = make_buffer("F", kInt32, {i32(12)}, {.data = u_->data});
    std::vector<Stmt> parts;
    if (pick(5)) parts.push_back(fill_row());
    if (pick(5)) parts.push_back(fill_square());
    for (int i = 0, count = 1 + pick(2); i < count; ++i) parts.push_back(statement(0));
    Stmt body = seq(parts);
    body = make_stmt(DeclBuffer{flat_, body});
    body = make_stmt(AllocBuffer{u_, body});
    f.body = make_stmt(AllocBuffer{t_, body});
    return f;
  }

 private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<uint64_t>(count)); }

  /// Writes all of T: in one loop, in two pieces, or piece by piece under a condition.
  Stmt fill_row() {
    Expr all = t_->shape[0];
    Var i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32);
    auto put = [&](const Expr& at) { return make_stmt(Store{t_, {at}, i32(pick(5))}); };
    switch (pick(4)) {
      case 0:
        return seq({put(i32(0)), make_stmt(For{.var = i, .min = i32(1), .extent = all - i32(1), .body = put(i)})});
      case 1: {
        Expr c = lt(Expr(i), i32(pick(7)));
        return make_stmt(For{.var = i, .min = i32(0), .extent = all, .body = make_stmt(If{c, put(i), put(i)})});
      }
      case 2: {
        Expr at = Expr(i) * i32(4) + Expr(j);
        Stmt body = make_stmt(If{lt(at, all), put(at), {}});
        body = make_stmt(For{.var = j, .min = i32(0), .extent = i32(4), .body = body});
        return make_stmt(For{.var = i, .min = i32(0), .extent = floordiv(all + i32(3), i32(4)), .body = body});
      }
      default:
        return make_stmt(For{.var = i, .min = i32(0), .extent = all, .body = put(i)});
    }
  }

  /// Writes all of U (as a square, or through its flat view), or a little less.
  Stmt fill_square() {
    Var i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32);
    if (pick(2)) {
      Stmt body = make_stmt(Store{flat_, {Expr(i)}, i32(pick(5))});
      return make_stmt(For{.var = i, .min = i32(0), .extent = i32(pick(5) ? 12 : 11), .body = body});
    }
    Stmt body = make_stmt(Store{u_, {Expr(i), Expr(j)}, i32(pick(5))});
    body = make_stmt(For{.var = j, .min = i32(0), .extent = i32(4), .body = body});
    return make_stmt(For{.var = i, .min = i32(0), .extent = i32(pick(5) ? 3 : 2), .body = body});
  }

  Stmt statement(int depth) {
    int kind = pick(depth >= 3 ? 3 : 10);
    if (kind < 3) return store();
    if (kind < 7 || depth == 0) {
      Var v = Var::fresh(std::string(1, "ijk"[depth % 3]), kInt32);
      bool matches = pick(3) > 0;  // a loop over a buffer, exactly
      Expr min = matches || pick(3) ? i32(0) : i32(pick(3) - 1);
      Expr extent = matches ? std::vector<Expr>{size_, i32(3), i32(4), i32(8), i32(12)}[static_cast<size_t>(pick(5))]
                            : i32(pick(6));
      if (!matches && !loops_.empty() && pick(4) == 0)
        extent = Expr(loops_[static_cast<size_t>(pick(static_cast<int>(loops_.size())))]) + i32(1);
      loops_.push_back(v);
      Stmt body = block_of(depth + 1);
      loops_.pop_back();
      ForKind loop = pick(20) == 0 ? ForKind::Parallel : ForKind::Serial;
      return make_stmt(For{.var = v, .min = min, .extent = extent, .kind = loop, .body = body});
    }
    if (kind < 9) {
      Stmt yes = block_of(depth + 1);
      return make_stmt(If{condition(), yes, pick(2) ? block_of(depth + 1) : Stmt{}});
    }
    Expr value = pick(2) ? index() : floormod(read(), i32(4));
    Var v = Var::fresh("x", kInt32, value->data);
    loops_.push_back(v);
    Stmt body = block_of(depth + 1);
    loops_.pop_back();
    return make_stmt(LetStmt{v, value, body});
  }

  Stmt block_of(int depth) {
    std::vector<Stmt> parts;
    for (int i = 0, count = 1 + pick(2); i < count; ++i) parts.push_back(statement(depth));
    return seq(parts);
  }

  Expr variable() {
    return loops_.empty() ? i32(pick(3)) : Expr(loops_[static_cast<size_t>(pick(static_cast<int>(loops_.size())))]);
  }

  Expr index() {
    Expr v = variable();
    switch (pick(9)) {
      case 0:
        return v + i32(pick(3) - 1);
      case 1:
        return v * i32(4) + variable();
      case 2:
        return floordiv(v, i32(2 + pick(3)));
      case 3:
        return floormod(v, i32(2 + pick(3)));
      case 4:
        return i32(pick(4));
      case 5:
        return size_ - i32(1) - v;
      default:
        return v;
    }
  }

  Expr condition() {
    Expr v = variable();
    switch (pick(7)) {
      case 0:
        return lt(v, i32(pick(8)));
      case 1:
        return ge(v, i32(pick(8)));
      case 2:
        return eq(v, i32(0));
      case 3:
        return land(ge(index(), i32(0)), lt(v, size_));
      case 4:
        return gt(read(), i32(0));
      case 5:
        return lt(v, Expr(n_));
      default:
        return lt(index(), size_);
    }
  }

  /// Mostly in bounds.
  Expr inside(const Expr& extent) {
    Expr e = index();
    switch (pick(8)) {
      case 0:
        return e;
      case 1:
      case 2:
        return max(min(e, extent - i32(1)), i32(0));
      default:
        return floormod(e, extent);
    }
  }
  std::pair<Buffer, std::vector<Expr>> cell() {
    switch (pick(6)) {
      case 0:
        return {a_, {inside(size_)}};
      case 1:
        return {b_, {inside(i32(3)), inside(i32(4))}};
      case 2:
        return {u_, {inside(i32(3)), inside(i32(4))}};
      case 3:
        return {flat_, {inside(i32(12))}};
      default:
        return {t_, {inside(t_->shape[0])}};
    }
  }
  Expr read() {
    auto [buffer, indices] = cell();
    Expr e = load(buffer, indices);
    if (pick(4)) return e;
    return if_then_else(lt(variable(), i32(pick(6))), e, i32(1));
  }
  Stmt store() {
    auto [buffer, indices] = cell();
    Expr value = pick(3) == 0 ? i32(pick(5)) : read();
    if (pick(4) == 0) value = value + load(buffer, indices);
    if (pick(30) == 0) value = floordiv(value, variable());
    return make_stmt(Store{buffer, indices, value});
  }

  std::mt19937_64 random_;
  Var n_;
  Expr size_;
  Buffer a_, b_, t_, u_, flat_;
  std::vector<Var> loops_;
};

/// The first error over a range of sizes and contents.
std::optional<std::string> any_error(const PrimFunc& func, uint64_t seed, int rounds) {
  bool sized = !as_int(func.params[0].buffer->shape[0]);
  for (int64_t n = sized ? 0 : -3; n < 24; ++n) {
    for (int round = 0; round < rounds; ++round) {
      std::mt19937_64 random(seed * 31 + static_cast<uint64_t>(round));
      std::vector<Tensor> tensors;
      for (const Buffer& b : func.buffer_params()) {
        std::vector<int64_t> shape;
        for (const Expr& e : b->shape) shape.push_back(as_int(e) ? *as_int(e) : n);
        Tensor t = make_tensor(b->dtype, shape);
        for (int64_t i = 0; i < t.size(); ++i) {
          int32_t value = static_cast<int32_t>(random() % 9) - 3;
          if (round % 4 == 3) value = random() % 4 ? static_cast<int32_t>(random()) : INT32_MIN;
          if (round == 0) value = 0;
          std::memcpy(t.data.data() + 4 * i, &value, 4);
        }
        tensors.push_back(std::move(t));
      }
      std::vector<int64_t> scalars;
      if (!sized) scalars.push_back(n);
      RunResult result = run(func, tensors, scalars);
      if (result.error) return "n = " + std::to_string(n) + ": " + result.error->str();
    }
  }
  return std::nullopt;
}

TEST(CheckRandom, AgreesWithTheInterpreter) {
  // HEXPROOF_CHECK_RUNS and HEXPROOF_CHECK_SEED make longer runs.
  const char* runs_text = std::getenv("HEXPROOF_CHECK_RUNS");
  const char* seed_text = std::getenv("HEXPROOF_CHECK_SEED");
  int runs = runs_text ? std::atoi(runs_text) : 100;
  uint64_t first = seed_text ? std::strtoull(seed_text, nullptr, 10) : 1;
  Prover prover;
  int proved = 0, refuted = 0, undecided = 0;
  for (int i = 0; i < runs; ++i) {
    uint64_t seed = first + static_cast<uint64_t>(i);
    PrimFunc func = Generator(seed).program();
    CheckReport report = check(func, prover);
    std::optional<std::string> error = any_error(func, seed, report.finding == Finding::Refuted ? 60 : 5);
    if (report.finding == Finding::Proved) {
      ++proved;
      EXPECT_FALSE(error) << "seed " << seed << ": proved, yet " << *error << "\n" << print(func);
    } else if (report.finding == Finding::Refuted) {
      ++refuted;
      EXPECT_TRUE(error) << "seed " << seed << ": no error where check tells of " << report.counterexample << "\n"
                         << print(func);
    } else {
      ++undecided;
      EXPECT_EQ(report.finding, Finding::Undecided) << describe(report);
      if (std::getenv("HEXPROOF_CHECK_SHOW"))
        printf("seed %lu: %s\n%s\n%s\n", seed, error ? error->c_str() : "no error", report.reason.c_str(),
               print(func).c_str());
    }
  }
  RecordProperty("proved", proved);
  RecordProperty("refuted", refuted);
  RecordProperty("undecided", undecided);
  if (runs_text) printf("%d proved, %d refuted, %d undecided\n", proved, refuted, undecided);
  EXPECT_GT(proved, runs / 10);
  EXPECT_GT(refuted, runs / 10);
  EXPECT_LT(undecided, runs / 5);
}

}  // namespace check_random_test
}  // namespace hexproof
