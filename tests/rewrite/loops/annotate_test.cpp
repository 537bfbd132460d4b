#include "ir/notes/notes.h"
#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace annotate_test {

constexpr const char* kText = R"(
def before(A: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("A"):
            v = T.axis.spatial(8, i)
            A[v] = A[v] + 1
)";

Args note(const Path& at, const std::string& key, std::optional<Arg> value = {}) {
  Args out{{"at", at}, {"key", key}};
  if (value) out["value"] = *value;
  return out;
}

TEST(Annotate, ANoteComesAndGoes) {
  PrimFunc func = parse(kText);
  for (const Path& at : {nth<For>(func), nth<Block>(func)}) {
    PrimFunc noted = applied(func, "annotate", note(at, "pragma_auto_unroll_max_step", int64_t{16}));
    EXPECT_NE(print(noted).find("\"pragma_auto_unroll_max_step\": 16"), std::string::npos) << print(noted);
    EXPECT_EQ(difference(func, noted), "");
    PrimFunc other = applied(noted, "annotate", note(at, "pragma_auto_unroll_max_step", std::string("many")));
    EXPECT_NE(print(other).find("\"many\""), std::string::npos) << print(other);
    EXPECT_EQ(print(parse(print(other))), print(other));
    EXPECT_EQ(print(applied(other, "annotate", note(at, "pragma_auto_unroll_max_step"))), print(func));
  }
}

TEST(Annotate, Condition1WhatIsNoNote) {
  PrimFunc func = parse(kText);
  for (const char* key : {"software_pipeline_stage", "async_scope", "double_buffer_write", "virtual_thread", "",
                          "hexproof.tensorize", "tir.anything"}) {
    EXPECT_NE(note_kind(key), NoteKind::Free) << key;
    expect_not_applicable(func, "annotate", note(nth<For>(func), key, int64_t{1}), "is no note");
    expect_not_applicable(func, "annotate", note(nth<For>(func), key), "is no note");
  }
  EXPECT_EQ(note_kind("meta_schedule.vectorize"), NoteKind::Free);
}

TEST(Annotate, TheWholeFunction) {
  PrimFunc func = parse(kText);
  Args args{{"key", std::string("meta_schedule.parallel")}, {"value", int64_t{64}}};
  PrimFunc noted = applied(func, "annotate", args);
  EXPECT_NE(print(noted).find("T.func_attr({\"meta_schedule.parallel\": 64})"), std::string::npos) << print(noted);
  args.erase("value");
  EXPECT_EQ(print(applied(noted, "annotate", args)), print(func));
  for (const char* key : {"hexproof.fp", "global_symbol"}) {
    expect_not_applicable(func, "annotate", {{"key", std::string(key)}, {"value", std::string("nsz")}}, "is no note");
  }
}

/// `%a` stands in front of the loop, `%b` in it, `%c` behind the use.
std::string filled_in_a_loop(std::string a, std::string b, std::string c) {
  std::string text = R"(
def before(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32")):
    %a
    for i in range(8):
        %b
        for j in range(4):
            with T.block("S"):
                v = T.axis.spatial(4, j)
                S[v] = A[i, v] + 1
        for j in range(4):
            B[i, j] = S[3 - j]
        %c
)";
  text.replace(text.find("%c"), 2, c);
  text.replace(text.find("%b"), 2, b);
  return text.replace(text.find("%a"), 2, a);
}

TEST(Annotate, Condition2ASlotOfAnIteration) {
  const char* alloc = "S = T.alloc_buffer((4,), \"int32\")";
  auto at_block = [](const PrimFunc& func, int64_t which) {
    return note(nth<Block>(func), "double_buffer_scope", which);
  };
  PrimFunc good = parse(filled_in_a_loop("pass", alloc, "pass"));
  PrimFunc noted = applied(good, "annotate", at_block(good, 0));
  EXPECT_EQ(print(parse(print(noted))), print(noted));
  EXPECT_EQ(difference(good, noted), "");
  auto refused = [&](const PrimFunc& func, const Args& args, const std::string& why) {
    Prover prover;
    Derivation derivation(func);
    try {
      derivation.apply("annotate", args, prover);
      ADD_FAILURE() << print(derivation.current());
    } catch (const NotApplicable& no) {
      EXPECT_NE(std::string(no.what()).find(why), std::string::npos) << no.what();
    }
  };
  PrimFunc outside = parse(filled_in_a_loop(alloc, "pass", "pass"));
  refused(outside, at_block(outside, 0), "not allocated in a loop");
  // Filled ahead, the slot would hold what A was before the store: (A[7 - i, 0] is read one iteration too early.)
  PrimFunc written = parse(filled_in_a_loop("pass", alloc, "A[7 - i, 0] = B[i, 0]"));
  refused(written, at_block(written, 0), "filled from 'A', which its loop writes");
  PrimFunc permits = parse(filled_in_a_loop("pass", alloc, "T.assume(A[7 - i, 0] == T.undef())"));
  refused(permits, at_block(permits, 0), "filled from 'A', which its loop writes");
  // An iteration ahead, the block would run in front of the wait for what it reads.
  PrimFunc waits = parse(filled_in_a_loop("pass", alloc,
                                          "with T.attr(0, \"async_wait_queue_scope\", 0), "
                                          "T.attr(0, \"async_wait_inflight_count\", 0):\n"
                                          "            B[i, 0] = B[i, 0]"));
  refused(waits, at_block(waits, 0), "starts asynchronous copies or waits for them");
  // What the block stores besides has one slot: run ahead, D[0] is that of the next iteration where it is read.
  std::string besides = filled_in_a_loop("D = T.alloc_buffer((1,), \"int32\")", alloc, "B[i, 0] = B[i, 0] + D[0]");
  besides.insert(besides.find("                S[v]"), "                D[0] = i\n");
  refused(parse(besides), at_block(parse(besides), 1), "whose block writes 'D', too");
  // Run ahead, the block would be overwritten by what used to come in front of it.
  PrimFunc cleared = parse(
      filled_in_a_loop("pass", std::string(alloc) + "\n        for j in range(4):\n            S[j] = 0", "pass"));
  refused(cleared, at_block(cleared, 0), "writes outside of the block 'S', too");
  PrimFunc turns = parse(R"(
def before(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32")):
    for i in range(8):
        S = T.alloc_buffer((1,), "int32")
        for j in range(4):
            with T.block("S"):
                v = T.axis.spatial(4, j)
                S[0] = A[i, v] + 1
            B[i, j] = S[0]
)");
  refused(turns, at_block(turns, 0), "filled and read in turns, by the loop over 'j'");
  refused(good, at_block(good, 1), "that is no buffer");
  refused(good, note(nth<For>(good), "double_buffer_scope", int64_t{0}), "of a loop");
  refused(good, {{"key", std::string("double_buffer_scope")}, {"value", int64_t{0}}}, "of a function");
}

TEST(Annotate, ADoubleBufferInAText) {
  std::string text = filled_in_a_loop("S = T.alloc_buffer((4,), \"int32\")", "pass", "pass");
  text.insert(text.find("                S[v]"), "                T.block_attr({\"double_buffer_scope\": 0})\n");
  EXPECT_THROW(parse(text), Unsupported);
}

TEST(Annotate, DoesNotApply) {
  PrimFunc func = parse(kText);
  EXPECT_TRUE(not_applicable(func, "annotate", note(nth<Store>(func), "note", int64_t{1})));
  EXPECT_TRUE(not_applicable(func, "annotate", note(nth<For>(func), "note")));
  EXPECT_TRUE(not_applicable(func, "annotate", note(nth<For>(func), "note", int64_t{1} << 40)));
}

}  // namespace annotate_test
}  // namespace hexproof
