// Each row alone, under QEMU or on this machine: the instruction against its description, and against every wrong
// description next to it.
#include "tests/backend/hexagon/intrinsic_rows.h"

#include <cstring>

#include "backend/row_code.h"
#include "ir/visit.h"
#include "tests/backend/emitted.h"
#include "verify/prove/prover.h"

namespace hexproof {

extern const std::vector<Intrinsic> k_hexagon_mean;  // of the page

namespace intrinsic_rows_test {

using namespace testing;

/// Half of all elements are edge values of their type: 0, 1, -1, the least, the greatest, powers of two and their
/// neighbours.
std::vector<Tensor> edge_heavy(const PrimFunc& func, uint64_t seed) {
  std::vector<Tensor> out = any_inputs(func, seed);
  for (Tensor& t : out) {
    size_t width = size_t(t.dtype.bytes());
    for (size_t at = 0; at < t.data.size(); at += width) {
      uint64_t r = next_random(seed) >> 8;
      if (r & 1) continue;
      int bits = int(width) * 8;
      const uint64_t top = uint64_t{1} << (bits - 1);
      const uint64_t power = uint64_t{1} << (r >> 8) % size_t(bits);
      const uint64_t edges[] = {0,   1,      ~uint64_t{0}, top,       top - 1,   top + 1,   ~uint64_t{0} - 1,
                                2,   ~power, power,        power - 1, power + 1, 0 - power, 255,
                                254, 256};
      uint64_t value = edges[(r >> 1) % 16];
      std::memcpy(&t.data[at], &value, width);
    }
  }
  return out;
}

/// Where the row is an instruction.
Target target_of(const Intrinsic& row) { return row.code.at(0).target == "host" ? Target::Host : Target::Hexagon; }

/// Why it cannot run here; empty: it can.
std::string cannot_run(const Intrinsic& row) {
  if (target_of(row) == Target::Hexagon) return have_qemu() ? "" : "qemu-hexagon is not installed: nothing was run";
  return code_for(row, Target::Host, host_cpu("native")) ? "" : "this machine has no " + row.code[0].needs;
}

/// What the machine computes on these operands.
std::vector<Tensor> machine(const Intrinsic& row, int64_t count, const std::vector<Tensor>& input) {
  PrimFunc func = over_many(description_of(row), count, row.name);
  Prover prover;
  CheckReport report = check(func, prover);
  EXPECT_EQ(report.finding, Finding::Proved) << row.name;
  Derivation derivation(func);
  const bool host = target_of(row) == Target::Host;
  Kernel kernel = emit(derivation, {.target = target_of(row),
                                    .cpu = host ? host_cpu("native") : HostCpu{},
                                    .grants = grants_for(derivation, report, prover)});
  EXPECT_TRUE(rows_without_code(kernel).empty()) << row.name;
  // LLVM may know a shift in other words.
  for (const Intrinsic::Call& call : row.code.at(0).calls) {
    const bool is_shift = call.llvm.find("x86.avx512.ps") != std::string::npos;
    EXPECT_TRUE(is_shift || has(kernel.llvm_ir, call.llvm)) << row.name;
  }
  expect_only_rows(kernel.llvm_ir, &row);
  std::vector<Tensor> out = input;
  if (host) {
    run_host(kernel, out);
  } else {
    run_hexagon(link_hexagon(kernel), out);
  }
  return out;
}

/// The store in a description, and its value with every load as a variable of its own, by operand and indices.
struct Meaning {
  std::string cell;
  Expr value;
  std::vector<std::string> loads;
};
Meaning meaning_of(const PrimFunc& func, std::map<std::string, Var>* variables) {
  Meaning out;
  auto text = [](const Buffer& buffer, const std::vector<Expr>& indices) {
    std::string cell = buffer->name;
    for (const Expr& index : indices) cell += " " + print(index);
    return cell;
  };
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const For* loop = s.as<For>()) out.loads.push_back(loop->var.name() + print(loop->extent));
    const Store* store = s.as<Store>();
    if (!store) return true;
    out.cell = text(store->buffer, store->indices);
    out.value = rewrite_expr(store->value, [&](const Expr& e) {
      if (e->op != Op::Load) return e;
      std::string cell = text(e->buffer(), e->args);
      out.loads.push_back(cell);
      const Var& bits = variables->try_emplace(cell, Var::fresh(cell, e->dtype)).first->second;
      return bits.dtype() == e->dtype ? Expr(bits) : cast(e->dtype, Expr(bits));
    });
    return true;
  });
  return out;
}

/// The same loops, cells and operands, and a value of which all bits are proved to be the same.
bool says_the_same(const PrimFunc& right, const PrimFunc& wrong) {
  std::map<std::string, Var> variables;
  Meaning a = meaning_of(right, &variables), b = meaning_of(wrong, &variables);
  if (a.cell != b.cell || a.loads != b.loads) return false;
  DType type = right.buffer_params().at(0)->dtype;
  Expr goal = eq(a.value, b.value->dtype == type ? b.value : cast(type, b.value));
  Prover prover;
  return prover.prove({"row", "both values are the same", {}, {}, goal}).verdict == Verdict::Proved;
}

void expect_the_machine_does_what_is_said(const Intrinsic& row) {
  constexpr int64_t kVectors = 100'000;
  PrimFunc func = over_many(description_of(row), kVectors, "");
  std::vector<Tensor> want = edge_heavy(func, 17);
  std::vector<Tensor> got = machine(row, kVectors, want);
  ASSERT_FALSE(run(func, want).error);
  for (size_t b = 0; b < want.size(); ++b) EXPECT_EQ(first_difference(want[b], got[b]), -1) << row.name;
}

void expect_a_wrong_description_is_seen(const Intrinsic& row) {
  constexpr int64_t kVectors = 500;
  const PrimFunc& right = description_of(row);
  std::vector<Tensor> input = edge_heavy(over_many(right, kVectors, ""), 23);
  const std::vector<Tensor> got = machine(row, kVectors, input);
  int killed = 0, all = 0, same = 0;
  for (const Mutant& mutant : one_token_mutants(row.description)) {
    PrimFunc func;
    try {
      PrimFunc wrong = pick_function(parse_module(mutant.text), "");
      if (!wrong.body || !wrong.body.as<For>() || wrong.buffer_params().size() != input.size()) continue;
      func = over_many(wrong, kVectors, "");
    } catch (const std::exception&) {
      continue;  // no program
    }
    ++all;
    std::vector<Buffer> params = func.buffer_params();
    std::vector<Tensor> want = input;
    bool fits = true;
    for (size_t b = 0; b < want.size(); ++b) {
      const std::optional<std::vector<int64_t>> shape = constant_shape(params[b]);
      Tensor as_declared = shape ? make_tensor(params[b]->dtype, *shape) : Tensor{};
      fits &= as_declared.data.size() == want[b].data.size();
      as_declared.data = want[b].data, want[b] = as_declared;
    }
    bool differs = !fits || run(func, want).error.has_value();  // the machine has no errors
    for (size_t b = 0; b < want.size() && !differs; ++b) differs = want[b].data != got[b].data;
    if (differs) {
      ++killed;
      continue;
    }
    // It says the same in other words, and that is proved.
    PrimFunc wrong = pick_function(parse_module(mutant.text), "");
    bool proved = says_the_same(right, wrong);
    EXPECT_TRUE(proved) << row.name << ": " << mutant.change << " is not told apart\n" << mutant.text;
    same += proved;
  }
  std::cout << row.name << ": killed " << killed << " of " << all << ", " << same << " are proved to mean the same\n";
  EXPECT_EQ(killed + same, all);
  EXPECT_GT(killed, 20);
}

class IntrinsicRows : public ::testing::TestWithParam<const Intrinsic*> {};

TEST_P(IntrinsicRows, TheMachineDoesWhatTheDescriptionSays) {
  if (std::string why = cannot_run(*GetParam()); !why.empty()) GTEST_SKIP() << why;
  expect_the_machine_does_what_is_said(*GetParam());
}

TEST_P(IntrinsicRows, AWrongDescriptionIsSeen) {
  if (std::string why = cannot_run(*GetParam()); !why.empty()) GTEST_SKIP() << why;
  expect_a_wrong_description_is_seen(*GetParam());
}

/// The row that docs/hexagon.md adds, from the page's own text.
TEST(RowOfThePage, IsARow) {
  if (!have_qemu()) GTEST_SKIP() << "qemu-hexagon is not installed: nothing was run";
  ASSERT_EQ(k_hexagon_mean.size(), 1u);
  const Intrinsic& row = k_hexagon_mean[0];
  ASSERT_EQ(intrinsic_by_name(row.name), nullptr);
  try_out(row);
  ASSERT_EQ(intrinsic_by_name(row.name), &row);
  EXPECT_THROW(try_out(row), InternalError);
  expect_the_machine_does_what_is_said(row);
  expect_a_wrong_description_is_seen(row);
}

INSTANTIATE_TEST_SUITE_P(All, IntrinsicRows, ::testing::ValuesIn(all_intrinsics()),
                         [](const auto& info) { return info.param->name; });

}  // namespace intrinsic_rows_test
}  // namespace hexproof
