// Random programs: whatever a rule does because of what cells are known to hold, the interpreter must not see it.
#include <fmt/format.h>

#include <random>

#include "rewrite/expr_rules/strategy.h"
#include "tests/rewrite/support.h"

namespace hexproof {
namespace content_random_test {

/// Loops of extent three over buffers of eight cells; values are few, so that much is known by chance.
class Programs {
 public:
  explicit Programs(uint64_t seed) : random_(seed) {}

  std::string text() {
    type_ = pick({"int8", "int32", "float16"});
    std::string out = "def f(A: T.Buffer((8,), \"" + type_ + "\"), B: T.Buffer((8,), \"" + type_ +
                      "\"), C: T.Buffer((8,), \"int32\"), n: T.int32):\n    T.assume(n >= 0 and n < 4)\n";
    int count = 2 + below(4);
    for (int k = 0; k < count; ++k) out += statement("    ", 0);
    return out;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  std::string pick(std::vector<std::string> list) {
    return list[static_cast<size_t>(below(static_cast<int>(list.size())))];
  }

  std::string index() {
    if (loops_.empty() || below(5) == 0) return pick({"0", "1", "2", "n", "n + 1", "7"});
    std::string i = pick(loops_);
    return pick({i, i, i, i + " + 1", "2 * " + i, "7 - " + i, i + " + n", i + " // 2", "(" + i + " + 2) % 3"});
  }
  std::string cell() { return pick({"A", "B"}) + "[" + index() + "]"; }
  std::string constant() { return "T." + type_ + "(" + pick({"0", "1", "1"}) + ")"; }
  std::string value() {
    switch (below(9)) {
      case 8:
        return fmt::format("T.if_then_else({}, {}, {})", condition(), cell(), constant());
      case 0:
        return cell();
      case 1:
        return cell() + " + " + constant();
      case 2:
        return loops_.empty() ? constant() : "T.Cast(\"" + type_ + "\", " + pick(loops_) + ")";
      default:
        return constant();
    }
  }
  std::string condition() {
    switch (below(loops_.empty() ? 3 : 5)) {
      case 0:
      case 1:
        return cell() + pick({" == ", " == ", " != ", " < "}) + constant();
      case 2:
        return "n < " + std::to_string(1 + below(3));
      default:
        return pick(loops_) + pick({" < ", " == ", " > "}) + std::to_string(below(3));
    }
  }
  std::string block(const std::string& indent, int depth) {
    std::string out;
    int count = 1 + below(3);
    for (int k = 0; k < count; ++k) out += statement(indent, depth + 1);
    return out;
  }
  std::string statement(const std::string& indent, int depth) {
    int kind = depth >= 3 ? 3 + below(4) : below(9);
    if (kind < 3) {
      std::string var = "i" + std::to_string(next_++);
      std::string out = indent + "for " + var + " in range(" + pick({"3", "3", "n", "1, 4"}) + "):\n";
      loops_.push_back(var);
      out += block(indent + "    ", depth);
      loops_.pop_back();
      return out;
    }
    if (kind == 3 || kind == 7) {
      return indent + "if " + condition() + ":\n" + indent + "    C[" + index() + "] = " + std::to_string(next_++) +
             "\n";
    }
    if (kind == 8) {
      std::string out = indent + "if " + condition() + ":\n" + block(indent + "    ", depth);
      if (below(2)) out += indent + "else:\n" + block(indent + "    ", depth);
      return out;
    }
    return indent + cell() + " = " + value() + "\n";
  }

  std::mt19937_64 random_;
  std::string type_;
  std::vector<std::string> loops_;
  int next_ = 0;
};

class Attempts {
 public:
  int applied = 0;

  void all(const PrimFunc& func) {
    for (const Path& at : find_all(func, [](const Stmt& s) { return s.as<If>() != nullptr; })) {
      for (int64_t takes : {0, 1}) one(func, "eliminate-branch", {{"at", at}, {"takes", takes}});
    }
    for (const Path& at : find_all(func, [](const Stmt& s) { return s.as<Store>() != nullptr; })) {
      one(func, "remove-store", {{"at", at}, {"kind", std::string("already-there")}});
    }
    one(func, "simplify", {});
  }

 private:
  void one(const PrimFunc& func, const std::string& rule, const Args& args) {
    Derivation derivation(func);
    try {
      if (rule == "simplify") {
        simplify(derivation, prover_);
      } else {
        derivation.apply(rule, args, prover_);
      }
    } catch (const Refused&) {
      return;
    } catch (const NotApplicable&) {
      return;
    }
    if (derivation.steps().empty()) return;
    ++applied;
    for (int64_t n = 0; n < 4; ++n) {
      ASSERT_EQ(difference(func, derivation.current(), {{"n", n}}, 10), "")
          << rule << "\n"
          << print(func) << print(derivation.current());
    }
  }

  Prover prover_{{.rlimit = 300'000}};
};

TEST(ContentRules, RandomPrograms) {
  int runs = std::getenv("HEXPROOF_TEST_RUNS") ? std::atoi(std::getenv("HEXPROOF_TEST_RUNS")) : 12;
  uint64_t first =
      std::getenv("HEXPROOF_TEST_SEED") ? std::strtoull(std::getenv("HEXPROOF_TEST_SEED"), nullptr, 10) : 0;
  Attempts attempts;
  for (int run = 0; run < runs && !testing::Test::HasFailure(); ++run) {
    attempts.all(parse(Programs(first + static_cast<uint64_t>(run)).text()));
  }
  EXPECT_GT(attempts.applied, runs / 3);
}

}  // namespace content_random_test
}  // namespace hexproof
