// The cases of the rule book in which it counts what stores, assumes and undefs left in the cells of a buffer.
#include "tests/rewrite/traps/traps.h"

namespace hexproof {
namespace traps_content_test {

TEST(Trap, 02_zero_padding_times_a_value) {
  // A term of a sum whose factor lies in padding: gone for integers, and for floats only under flags or bounds.
  const std::string text = R"(
def f(F: T.Buffer((3,), "TYPE"), A: T.Buffer((4, 4), "TYPE"), B: T.Buffer((4, 4), "TYPE")):
    for io, ii in T.grid(4, 4):
        if 4 * io + ii >= 14:
            A[io, ii] = T.TYPE(0)
    for io, ii in T.grid(4, 4):
        if 4 * io + ii >= LIMIT:
            for k in range(3):
                B[io, ii] = B[io, ii] + F[k] * A[io, ii]
)";
  for (const char* type : {"int8", "uint8", "int32"}) {
    PrimFunc padding = parse(put(put(text, "TYPE", type), "LIMIT", "14"));
    PrimFunc more = parse(put(put(text, "TYPE", type), "LIMIT", "13"));
    expect_sound(padding, "remove-store", drop_store(padding, 1));
    expect_refused_rightly(more, "remove-store", drop_store(more, 1), "bits of the value");
  }
  for (const char* type : {"float16", "float32"}) {
    PrimFunc single = parse(put(put(text, "TYPE", type), "LIMIT", "14"));
    expect_refused_rightly(single, "remove-store", drop_store(single, 1), "bits of the value");
    single.attrs["hexproof.fp"] = std::string("nnan ninf");
    EXPECT_TRUE(refusal(single, "remove-store", drop_store(single, 1))) << "B may hold -0.0";
  }
}

TEST(Trap, 03_already_zero_in_all_cells) {
  const std::string text = R"(
def f(A: T.Buffer((4, 4), "TYPE"), B: T.Buffer((4, 4), "TYPE")):
    for io, ii in T.grid(4, 4):
        T.assume(4 * io + ii < 14 or A[io, ii] == T.TYPE(0))
    for io, ii in T.grid(4, 4):
        if 4 * io + ii >= 14:
            A[io, ii] = T.TYPE(0)
)";
  for (const char* type : {"float16", "float32"}) {
    PrimFunc func = parse(put(text, "TYPE", type)), gone = proposed(func, "remove-store", drop_store(func));
    EXPECT_TRUE(refusal(func, "remove-store", drop_store(func)));
    std::vector<Tensor> before = random_inputs(func, 1);
    size_t width = before[0].data.size() / 16;
    for (size_t k = 14 * width; k < 16 * width; ++k) before[0].data[k] = k % width == width - 1 ? 0x80 : 0;
    std::vector<Tensor> after = before;
    ASSERT_FALSE(run(func, before).error);
    ASSERT_FALSE(run(gone, after).error);
    EXPECT_NE(before[0].data, after[0].data) << "the zeros were negative ones";
    func.attrs["hexproof.fp"] = std::string("nsz");
    applied(func, "remove-store", drop_store(func));
  }
  for (const char* type : {"int8", "int32"}) {
    PrimFunc func = parse(put(text, "TYPE", type));
    applied(func, "remove-store", drop_store(func));
  }
}

TEST(Trap, 12_a_fact_that_a_store_spares) {
  const std::string text = R"(
def f(A: T.Buffer((4,), "TYPE"), B: T.Buffer((4,), "TYPE")):
    for i in range(4):
        B[i] = T.TYPE(5)
    STORE
    if B[0] == T.TYPE(5):
        A[0] = T.TYPE(1)
)";
  for (const char* type : {"int8", "int32", "float16", "float32"}) {
    std::string typed = put(text, "TYPE", type);
    PrimFunc spared = parse(put(typed, "STORE", "for k in range(3):\n        B[3 - k] = A[k]"));
    PrimFunc hit = parse(put(typed, "STORE", "for k in range(4):\n        B[3 - k] = A[k]"));
    expect_sound(spared, "eliminate-branch", take_branch(spared));
    expect_refused_rightly(hit, "eliminate-branch", take_branch(hit), "always holds");
  }
}

TEST(Trap, 12_what_is_read_is_what_was_stored) {
  // B holds what A held, until A changes.
  const std::string text = R"(
def f(A: T.Buffer((8,), "TYPE"), B: T.Buffer((8,), "TYPE")):
    for i in range(8):
        B[i] = A[i]
        A[i] = VALUE
    for i in range(8):
        B[i] = A[i]
)";
  for (const char* type : {"int8", "int32", "float16", "float32"}) {
    PrimFunc changed = parse(put(put(text, "VALUE", "T.TYPE(1)"), "TYPE", type));
    PrimFunc kept = parse(put(put(text, "VALUE", "A[i]"), "TYPE", type));
    PrimFunc copied = parse(put(put(text, "VALUE", "B[i]"), "TYPE", type));
    expect_refused_rightly(changed, "remove-store", drop_store(changed, 2), "bits of the value");
    expect_sound(kept, "remove-store", drop_store(kept, 1));
    expect_sound(copied, "remove-store", drop_store(copied, 1));
    expect_sound(copied, "remove-store", drop_store(copied, 2));
  }
}

TEST(Trap, 13_what_an_undef_leaves) {
  // Two cells that were given undefs hold two values; the cell itself holds one.
  const std::string text = R"(
def f(A: T.Buffer((4,), "TYPE"), B: T.Buffer((4,), "TYPE")):
    for i in range(4):
        A[i] = T.undef(dtype="TYPE")
    B[0] = A[WHICH] - A[1]
)";
  const std::string zero = R"(
def f(A: T.Buffer((4,), "TYPE"), B: T.Buffer((4,), "TYPE")):
    for i in range(4):
        A[i] = T.undef(dtype="TYPE")
    B[0] = T.TYPE(0)
)";
  for (const char* type : kTrapTypes) {
    PrimFunc two = simplified(parse(put(put(text, "WHICH", "0"), "TYPE", type)));
    EXPECT_NE(print(two), print(parse(put(zero, "TYPE", type))));
  }
  // A permission to read says nothing of the value.
  for (const char* type : kTrapTypes) {
    PrimFunc permitted = parse(put(R"(
def f(A: T.Buffer((4,), "TYPE"), B: T.Buffer((4,), "TYPE")):
    for i in range(4):
        T.assume(i < 2 or A[i] == T.undef(dtype="TYPE"))
    if A[2] == A[3]:
        B[0] = T.TYPE(1)
)",
                                   "TYPE", type));
    expect_refused_rightly(permitted, "eliminate-branch", take_branch(permitted), "always holds");
  }
}

}  // namespace traps_content_test
}  // namespace hexproof
