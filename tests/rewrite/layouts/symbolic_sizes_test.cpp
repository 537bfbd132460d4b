// Padding for all sizes: the padded sum, the elementwise operator and convolutions of n elements, from the layout to
// the loop without branches, judged again by the parametric method; and what does not hold for all n names an n.
#include "rewrite/schedule/padding/suggest_pad_value.h"
#include "tests/rewrite/layouts/layouts.h"
#include "verify/equiv/equiv.h"

namespace hexproof {
namespace symbolic_sizes_test {

Derivation scheduled(const std::string& program, const std::string& schedule) {
  Derivation derivation(parse(program));
  run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  for (int64_t n : {0, 1, 2, 3, 4, 5, 8, 13, 14, 17}) expect_related(derivation, {{"n", n}}, 2);
  return derivation;
}

size_t branches(const PrimFunc& func) {
  size_t count = 0;
  for (const Path& at : find_all(func, [](const Stmt& s) { return s.as<If>() != nullptr; })) {
    bool pads = false;
    for (int step = static_cast<int>(at.size()); step >= 0 && !pads; --step) {
      const Block* block = stmt_at(func, Path(at.begin(), at.begin() + step)).as<Block>();
      pads = block && block->name.ends_with("_padding");
    }
    count += !pads;
  }
  return count;
}

void expect_proved_for_all_sizes(const Derivation& d, const RelationRequest& request) {
  Evidence e = equiv_parametric(pair_programs(d.source(), d.current(), request), test_prover());
  EXPECT_EQ(e.finding, Finding::Proved) << e.says << print(d.current());
}

std::string refused(const std::string& program, const std::string& schedule) {
  Derivation derivation(parse(program));
  try {
    run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  } catch (const PrimitiveRefused& e) {
    return e.what();
  }
  ADD_FAILURE() << "not refused\n" << print(derivation.current());
  return "";
}

std::string sum_of(const std::string& type) {
  return R"(
def main(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), ")" +
         type + R"(")
    B = T.match_buffer(b, (1,), ")" +
         type + R"(")
    with T.block("compute"):
        B[0] = T.)" +
         type + R"((0)
        for i in T.serial(n):
            B[0] = B[0] + A[i]
)";
}

constexpr const char* kSum = R"(
sch.transform_layout("compute", "A", lambda i: [i // 4, i % 4], pad_value=0)
sch.sequential_buffer_access("compute", "A")
sch.remove_branching_through_overcompute("compute")
)";

TEST(SymbolicSizes, PaddedSum) {
  for (const char* type : {"int8", "int32"}) {
    Derivation d = scheduled(sum_of(type), kSum);
    EXPECT_EQ(branches(d.current()), 0u);
    expect_proved_for_all_sizes(
        d, {.layouts = {{"A", index_map("lambda i: [i // 4, i % 4]")}}, .pads = {{"A", "0"}}, .logical_only = {}});
  }
  // Another pad value is refused, for a size at which it would count.
  std::string schedule = kSum;
  std::string why = refused(sum_of("int32"), schedule.replace(schedule.find("pad_value=0"), 11, "pad_value=1"));
  EXPECT_NE(why.find("n = "), std::string::npos) << why;
}

constexpr const char* kDouble = R"(
def main(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "TYPE")
    B = T.match_buffer(b, (n,), "TYPE")
    with T.block("compute"):
        for i in T.serial(n):
            B[i] = A[i] * T.TYPE(2)
)";

std::string typed(std::string text, const std::string& type) {
  for (size_t at = 0; (at = text.find("TYPE", at)) != std::string::npos;) text.replace(at, 4, type);
  return text;
}

TEST(SymbolicSizes, Elementwise) {
  for (const char* type : {"int8", "int32", "float16", "float32"}) {
    Derivation d = scheduled(typed(kDouble, type), R"(
sch.transform_layout("compute", "A", lambda i: [(i + 2) // 8, (i + 2) % 8], pad_value=T.undef())
sch.transform_layout("compute", "B", lambda i: [(i + 2) // 8, (i + 2) % 8], pad_value=T.undef())
sch.sequential_buffer_access("compute", "B")
sch.remove_branching_through_overcompute("compute")
)");
    EXPECT_EQ(branches(d.current()), 0u);
    IndexMap map = index_map("lambda i: [(i + 2) // 8, (i + 2) % 8]");
    expect_proved_for_all_sizes(d, {.layouts = {{"A", map}, {"B", index_map("lambda i: [(i + 2) // 8, (i + 2) % 8]")}},
                                    .pads = {{"A", "undef"}, {"B", "undef"}},
                                    .logical_only = {}});
  }
  // Without the permission to read the input's padding the branch has to stay, and some n shows it.
  std::string why = refused(typed(kDouble, "int32"), R"(
sch.transform_layout("compute", "A", lambda i: [i // 4, i % 4])
sch.transform_layout("compute", "B", lambda i: [i // 4, i % 4], pad_value=T.undef())
sch.sequential_buffer_access("compute", "B")
sch.remove_branching_through_overcompute("compute", clamp=False)
)");
  EXPECT_NE(why.find("n = "), std::string::npos) << why;
}

constexpr const char* kValid = R"(
def main(a: T.handle, F: T.Buffer((3,), "int32"), b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n + 2,), "int32")
    B = T.match_buffer(b, (n,), "int32")
    with T.block("compute"):
        for i in T.serial(n):
            B[i] = 0
            for f in T.serial(3):
                B[i] = B[i] + F[f] * A[i + f]
)";

TEST(SymbolicSizes, Convolution) {
  Derivation d = scheduled(kValid, R"(
sch.transform_layout("compute", "A", lambda i: [i // 4, i % 4], pad_value=0)
sch.transform_layout("compute", "B", lambda i: [i // 4, i % 4], pad_value=0)
sch.sequential_buffer_access("compute", "B")
sch.remove_branching_through_overcompute("compute")
)");
  EXPECT_EQ(branches(d.current()), 0u);
  expect_proved_for_all_sizes(
      d, {.layouts = {{"A", index_map("lambda i: [i // 4, i % 4]")}, {"B", index_map("lambda i: [i // 4, i % 4]")}},
          .pads = {{"A", "0"}, {"B", "0"}},
          .logical_only = {}});
  // Unclamped, the window leaves the input's box for some n (RFC 77 prints it so for n = 14).
  std::string why = refused(kValid, R"(
sch.transform_layout("compute", "A", lambda i: [i // 4, i % 4], pad_value=0)
sch.transform_layout("compute", "B", lambda i: [i // 4, i % 4], pad_value=0)
sch.sequential_buffer_access("compute", "B")
sch.remove_branching_through_overcompute("compute", clamp=False)
)");
  EXPECT_NE(why.find("n = "), std::string::npos) << why;
}

// The window reaches beyond both ends of the input. Clamped, what would leave the last tile wraps to the padding in
// front of the first one, which is zero: two rows too few for some n, and still right for all.
TEST(SymbolicSizes, ConvolutionThatWrapsIntoThePadding) {
  Derivation d = scheduled(R"(
def main(a: T.handle, F: T.Buffer((3,), "int32"), b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n + 2,), "int32")
    with T.block("compute"):
        for i in range(n + 2):
            B[i] = 0
            for f in range(3):
                if 0 <= i - f and i - f < n:
                    B[i] = B[i] + F[f] * A[i - f]
)",
                           R"(
sch.transform_layout("compute", "A", lambda i: [(i + 2) // 8, (i + 2) % 8], pad_value=0)
sch.remove_branching_through_overcompute("compute")
)");
  EXPECT_EQ(branches(d.current()), 0u);
  expect_proved_for_all_sizes(d, {.layouts = {{"A", index_map("lambda i: [(i + 2) // 8, (i + 2) % 8]")}},
                                  .pads = {{"A", "0"}},
                                  .logical_only = {}});
}

// A layout that is one for small sizes only.
TEST(SymbolicSizes, LayoutsThatCollide) {
  for (auto [map, example] : {std::pair{"lambda i: [i % 8]", "with n = 9"},
                              {"lambda i: [i // 4 * 3 + i % 4]", "with n = 5"},
                              {"lambda i: [i // 2]", "with n = 2"}}) {
    PrimFunc func = parse(sum_of("int32"));
    try {
      Derivation(func).apply("transform-layout", layout("A", map), test_prover());
      ADD_FAILURE() << map;
    } catch (const NotApplicable& e) {
      EXPECT_NE(std::string(e.what()).find(example), std::string::npos) << e.what();
    }
  }
}

}  // namespace symbolic_sizes_test
}  // namespace hexproof
