#include "ir/notes.h"
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
  for (const char* key : {"software_pipeline_stage", "async_scope", "double_buffer_scope", "virtual_thread", "",
                          "hexproof.tensorize", "tir.anything"}) {
    EXPECT_NE(note_kind(key), NoteKind::Free) << key;
    expect_not_applicable(func, "annotate", note(nth<For>(func), key, int64_t{1}), "is no note");
    expect_not_applicable(func, "annotate", note(nth<For>(func), key), "is no note");
  }
  EXPECT_EQ(note_kind("meta_schedule.vectorize"), NoteKind::Free);
}

TEST(Annotate, DoesNotApply) {
  PrimFunc func = parse(kText);
  EXPECT_TRUE(not_applicable(func, "annotate", note(nth<Store>(func), "note", int64_t{1})));
  EXPECT_TRUE(not_applicable(func, "annotate", note(nth<For>(func), "note")));
  EXPECT_TRUE(not_applicable(func, "annotate", note(nth<For>(func), "note", int64_t{1} << 40)));
}

}  // namespace
}  // namespace hexproof
