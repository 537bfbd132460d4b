// Marked nests become one instruction, do what the interpreter says, and are refused where they are something else.
#include <numeric>

#include "ir/visit.h"
#include "rewrite/intrinsics/intrinsic.h"
#include "tests/backend/emitted.h"
#include "tests/backend/hexagon/intrinsic_rows.h"

namespace hexproof {
namespace instruction_test {

using namespace testing;

const char* kNest = R"(
def f(A: T.Buffer((3, 32), "uint8"), B: T.Buffer((8, 32, 4), "uint8"), C: T.Buffer((3, 64), "int32")):
    for p in range(3):
        acc = T.decl_buffer((32,), "int32", scope="local")
        for i in T.vectorized(32):
            acc[i] = C[p, i + 32]
        for c in range(8):
            for i in T.serial(32, annotations={"hexproof.tensorize": "dot_32x4_u8u8i32_vrmpy"}):
                for k in range(4):
                    acc[i] = acc[i] + T.Cast("int32", A[p, c * 4 + k]) * T.Cast("int32", B[c, i, k])
        for i in T.vectorized(32):
            C[p, i + 32] = acc[i]
)";

TEST(Instruction, TakesThePlaceOfTheNest) {
  Kernel kernel = emitted(kNest, Target::Hexagon).kernel;
  EXPECT_TRUE(has(kernel.llvm_ir, "@llvm.hexagon.V6.vrmpyub.acc.128B("));
  EXPECT_FALSE(has(kernel.llvm_ir, "alloca"));
  HexagonRun ran = expect_interpreted(kernel, 11);
  if (have_qemu()) {
    EXPECT_LT(ran.packets, 400u);
  }
}

TEST(Instruction, TheHostRunsTheNestAsItStands) { expect_interpreted(emitted(kNest, Target::Host).kernel, 12); }

TEST(Instruction, OperandsInMemoryAtAnyAlignment) {
  for (auto [a, c] :
       {std::pair{"(3, 32)", "i + 32"}, {"(3, 33)", "i + 32"}, {"(3, 34)", "i + 31"}, {"(3, 36)", "i + 1"}}) {
    std::string text = R"(
def f(A: T.Buffer(SHAPE, "uint8"), B: T.Buffer((1060,), "uint8"), C: T.Buffer((3, 64), "int32")):
    for p, c in T.grid(3, 8):
        for i in T.serial(32, annotations={"hexproof.tensorize": "dot_32x4_u8u8i32_vrmpy"}):
            for k in range(4):
                C[p, LANE] = C[p, LANE] + T.Cast("int32", A[p, c * 4 + k]) * T.Cast("int32", B[c * 131 + i * 4 + k])
)";
    text = replaced(replaced(replaced(text, "SHAPE", a), "LANE", c), "LANE", c);
    Kernel kernel = emitted(text, Target::Hexagon).kernel;
    EXPECT_TRUE(has(kernel.llvm_ir, "vrmpyub.acc"));
    expect_interpreted(kernel, 13);
  }
}

TEST(Instruction, OnlyThoseOfTheRows) { expect_only_rows(emitted(kNest, Target::Hexagon).kernel.llvm_ir); }

std::string without_marks(std::string text) {
  const std::string mark = ", annotations={";
  for (size_t at; (at = text.find(mark)) != text.npos;) text.erase(at, text.find('}', at) + 1 - at);
  return text;
}

bool emits(const std::string& text) {
  try {
    Prover prover;
    Derivation derivation(pick_function(parse_module(text), ""));
    CheckReport report = check(derivation.current(), prover);
    emit(derivation, {.target = Target::Hexagon, .grants = grants_for(derivation, report, prover)});
    return true;
  } catch (const Unsupported&) {
    return false;
  }
}

/// Marked nests of which one token is changed.
struct Changed {
  int refused = 0, run = 0, no_program = 0;
};

/// Each is refused, with its place, or means what the interpreter says. Changed is what stands from `begin` on.
Changed with_one_token_changed(const std::string& text, size_t begin) {
  Changed out;
  for (const Mutant& mutant : one_token_mutants(text.substr(begin))) {
    std::string changed = text.substr(0, begin) + mutant.text;
    SCOPED_TRACE(mutant.change);
    try {
      PrimFunc func = pick_function(parse_module(changed), "");
      if (count_marks(func.body) == 0) continue;
      std::vector<Tensor> input = any_inputs(func, 5);
      if (hexproof::run(func, input).error) {
        ++out.no_program;
        continue;
      }
      Prover prover;
      CheckReport report = check(func, prover);
      Derivation derivation(func);
      Kernel kernel = emit(derivation, {.target = Target::Hexagon, .grants = grants_for(derivation, report, prover)});
      ++out.run;
      expect_interpreted(kernel, 5);
    } catch (const Unsupported&) {
      out.refused += emits(without_marks(changed));  // else it is not the mark that is refused
    } catch (const Error&) {
      ++out.no_program;
    }
  }
  std::cout << out.refused << " refused, " << out.run << " run and agree, " << out.no_program << " no programs\n";
  return out;
}

TEST(Instruction, AMarkCannotLie) {
  // Memory is large enough for most mistakes.
  const std::string text = R"(
def f(A: T.Buffer((3000,), "uint8"), B: T.Buffer((9000,), "uint8"), C: T.Buffer((3000,), "int32")):
    for p, c in T.grid(3, 8):
        for i in T.serial(32, annotations={"hexproof.tensorize": "dot_32x4_u8u8i32_vrmpy"}):
            for k in T.serial(0, 4):
                C[p * 64 + (32 + i)] = C[p * 64 + (32 + i)] + T.Cast("int32", A[p * 32 + (c * 4 + k)]) * T.Cast("int32", B[c * 128 + (i * 4 + k)])
)";
  EXPECT_GE(with_one_token_changed(text, text.find("        for i in T.serial(32")).refused, 50);
}

/// The row's nest, marked, in flat memory that is large enough for most mistakes.
std::string nest_of(const Intrinsic& row) {
  const PrimFunc& description = description_of(row);
  const Var p = Var::fresh("p", kInt32);
  BufferMap flat;
  PrimFunc out;
  out.name = "f";
  for (const Buffer& b : description.buffer_params()) {
    const std::vector<int64_t> shape = constant_shape(b).value();
    const int64_t size = std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
    flat.emplace(b, make_buffer(b->name, b->dtype, {i32(size * 12)}));
    out.params.push_back({flat.at(b)->data, flat.at(b)});
  }
  auto at = [&](const Buffer& b, const std::vector<Expr>& indices) {
    const std::vector<int64_t> shape = constant_shape(b).value();
    Expr place;
    int64_t size = 1;
    for (size_t d = shape.size(); d-- > 0; size *= shape[d]) {
      const Expr here = size == 1 ? indices[d] : indices[d] * i32(size);
      place = place ? here + place : here;
    }
    return std::vector<Expr>{Expr(p) * i32(size) + (place + i32(3 * size))};
  };
  Stmt body = rewrite_stmt(
      description.body,
      [&](const Expr& e) {
        return rewrite_expr(e, [&](const Expr& x) {
          return x->op == Op::Load ? load(flat.at(x->buffer()), at(x->buffer(), x->args)) : x;
        });
      },
      [&](const Stmt& s) {
        const Store* store = s.as<Store>();
        return store ? make_stmt(Store{flat.at(store->buffer), at(store->buffer, store->indices), store->value}) : s;
      });
  For nest = *body.as<For>();
  nest.annotations[kTensorize] = row.name;
  out.body = make_stmt(For{p, i32(0), i32(3), ForKind::Serial, make_stmt(nest)});
  return print(out);
}

std::vector<const Intrinsic*> rows_of_hexagon() {
  std::vector<const Intrinsic*> out;
  for (const Intrinsic* row : all_intrinsics()) {
    if (row->code.at(0).target == "hexagon") out.push_back(row);
  }
  return out;
}

class MarkOfARow : public ::testing::TestWithParam<const Intrinsic*> {};

TEST_P(MarkOfARow, CannotLie) {
  const Intrinsic& row = *GetParam();
  const std::string text = nest_of(row);
  ASSERT_TRUE(emits(text)) << text;
  const size_t begin = text.rfind('\n', text.find("annotations"));
  const Changed changed = with_one_token_changed(text, begin);
  EXPECT_GE(changed.refused, 20) << text;
  EXPECT_GE(changed.refused + changed.run, 40) << text;
}
INSTANTIATE_TEST_SUITE_P(All, MarkOfARow, ::testing::ValuesIn(rows_of_hexagon()),
                         [](const auto& info) { return info.param->name; });

}  // namespace instruction_test
}  // namespace hexproof
