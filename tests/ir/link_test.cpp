// Calls between functions: read, printed, refused with their place, and linked into one function.
#include "ir/link/link.h"

#include <gtest/gtest.h>

#include "ir/interpreter/interpreter.h"
#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace link_test {

std::string indented(const std::string& text) {
  std::string out = "    ";
  for (char c : text) out += c == '\n' ? std::string("\n    ") : std::string(1, c);
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

/// A module of these functions, each given from its `def` on.
std::string module_text(const std::vector<std::string>& functions) {
  std::string out = "@I.ir_module\nclass Module:\n";
  for (const std::string& f : functions) out += "    @T.prim_func\n" + indented(f);
  return out;
}

const char* kProducer =
    "def producer(A: T.Buffer((16,), \"int32\")):\n"
    "    for i in range(16):\n"
    "        A[i] = 1000 + i\n";
const char* kConsumer =
    "def consumer(A: T.Buffer((16,), \"int32\"), B: T.Buffer((1,), \"int32\")):\n"
    "    B[0] = 0\n"
    "    for i in range(16):\n"
    "        B[0] = B[0] + A[i]\n";

std::string message(const std::string& text) {
  try {
    IRModule module = parse_module(text, "p.py");
    link(module, "main");
  } catch (const Error& error) {
    return error.what();
  } catch (const Unsupported& error) {
    return error.what();
  }
  return "";
}

/// Of a main that has C (16,) and D (1,) and this body, with producer and consumer.
std::string in_main(const std::string& body) {
  return message(
      module_text({"def main(C: T.Buffer((16,), \"int32\"), D: T.Buffer((1,), \"int32\"), x: T.float32):\n" + body,
                   kProducer, kConsumer}));
}

void expect_message(const std::string& text, const std::string& place, const std::string& part) {
  EXPECT_NE(text.find(place), std::string::npos) << text;
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

PrimFunc linked(const std::string& text, const std::string& entry = "main") {
  PrimFunc func = link(parse_module(text), entry).func;
  EXPECT_EQ(ill_formed(func), "");
  return func;
}

TEST(Calls, AreReadInEveryFormAndPrintedInOne) {
  std::string main =
      "def main(D: T.Buffer((1,), \"int32\")):\n"
      "    C = T.alloc_buffer((16,), \"int32\")\n";
  std::string pointers =
      module_text({main + "    Module.producer(C.data)\n    Module.consumer(C.data, D.data)\n", kProducer, kConsumer});
  std::string buffers =
      module_text({main + "    cls.producer(C)\n    T.evaluate(Module.consumer(C, D.data))\n", kProducer, kConsumer});
  std::string printed = print(parse_module(pointers));
  EXPECT_EQ(print(parse_module(buffers)), printed);
  EXPECT_NE(printed.find("        Module.producer(C.data)\n        Module.consumer(C.data, D.data)\n"),
            std::string::npos)
      << printed;
  IRModule again = parse_module(printed);
  EXPECT_EQ(print(again), printed);
  EXPECT_TRUE(same_program(link(again, "main").func, link(parse_module(pointers), "main").func));
}

TEST(Calls, ScalarsTakeTheTypeOfTheParameterOnlyAsConstants) {
  std::string callee =
      "def fill(A: T.Buffer((16,), \"float32\"), k: T.int64, v: T.float32):\n"
      "    A[k] = v\n";
  std::string main = "def main(A: T.Buffer((16,), \"float32\"), n: T.int32):\n    Module.fill(A.data, ";
  PrimFunc func = linked(module_text({main + "3, 2)\n", callee}));
  const Store* store = func.body.as<Store>();
  ASSERT_TRUE(store);
  EXPECT_EQ(store->indices[0], imm(kInt64, 3));
  EXPECT_EQ(store->value, fimm(kFloat32, 2));
  expect_message(message(module_text({main + "n, 2)\n", callee})), "p.py:5:9", "is of type int64, not int32");
  expect_message(message(module_text({main + "3, A.data)\n", callee})), "p.py:5:9", "is a scalar");
}

TEST(Calls, MistakesHaveTheirPlace) {
  expect_message(in_main("    Module.produce(C.data)\n"), "p.py:5:9: error", "did you mean 'producer'?");
  expect_message(in_main("    Module.producer(C.data, D.data)\n"), "p.py:5:9: error", "takes 1 argument, not 2");
  expect_message(in_main("    Module.producer()\n"), "p.py:5:9: error", "takes 1 argument, not 0");
  expect_message(in_main("    Module.producer(x)\n"), "p.py:5:9: error", "is a buffer, not an expression");
  expect_message(in_main("    Module.producer(A=C.data)\n"), "p.py:5:", "keyword");
  expect_message(in_main("    y = Module.producer(C.data)\n"), "p.py:5:13: error", "gives no value");
  expect_message(in_main("    C[0] = Module.producer(C.data)\n"), "p.py:5:", "is a statement");
  expect_message(in_main("    Module.producer\n"), "p.py:5:", "'('");
  expect_message(in_main("    Other.producer(C.data)\n"), "p.py:5:9: error", "not defined");
  expect_message(in_main("    Module.producer(\"C\")\n"), "p.py:5:", "not the string");
  expect_message(in_main("    V = T.decl_buffer((16,), \"int32\", data=C.data)\n    Module.producer(T.float32(1))\n"),
                 "p.py:6:9", "is a buffer");
  EXPECT_NE(message("def main(A: T.Buffer((1,), \"int32\")):\n    Module.main(A)\n").find("not defined"),
            std::string::npos);
}

TEST(Calls, AFunctionMayNotCallItself) {
  std::string even = "def main(A: T.Buffer((16,), \"int32\")):\n    Module.odd(A.data)\n";
  std::string odd = "def odd(A: T.Buffer((16,), \"int32\")):\n    Module.main(A.data)\n";
  expect_message(message(module_text({even, odd})), "p.py:8:9: error", "main -> odd -> main");
}

TEST(Calls, LayoutsThatDisagreeAreRefused) {
  auto with = [](const std::string& declaration) {
    return message(module_text(
        {"def main(n: T.int32):\n    C = T.alloc_buffer(" + declaration + ")\n    Module.producer(C.data)\n",
         kProducer}));
  };
  EXPECT_EQ(with("(16,), \"int32\""), "");
  EXPECT_EQ(with("(T.int64(16),), \"int32\""), "");
  expect_message(with("(17,), \"int32\""), "p.py:6:9: error: a call with disagreeing layouts: 'C' of 'main' has shape",
                 "(17,), parameter 'A' of 'producer' has shape (16,)");
  expect_message(with("(4, 4), \"int32\""), "p.py:6:9: error", "disagreeing layouts");
  expect_message(with("(n,), \"int32\""), "p.py:6:9: error", "disagreeing layouts");
  expect_message(with("(16,), \"float32\""), "p.py:6:9: error", "dtype");
  expect_message(with("(16,), \"int32\", scope=\"shared\""), "p.py:6:9: error", "scope");
  expect_message(with("(16,), \"int32\", axis_separators=[1]"), "p.py:6:9: error", "axis separators");
  expect_message(with("(16,), \"int32\", strides=(2,)"), "p.py:6:9: error", "strides");
}

TEST(Calls, OneBufferTwiceIsRefusedWhereItIsWritten) {
  std::string copy =
      "def copy(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\")):\n"
      "    for i in range(4):\n        B[i] = A[i]\n";
  std::string both = "def both(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\")):\n    Module.copy(A, B)\n";
  std::string add =
      "def add(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\"), C: T.Buffer((4,), \"int32\")):\n"
      "    for i in range(4):\n        C[i] = A[i] + B[i]\n";
  std::string main = "def main(X: T.Buffer((4,), \"int32\"), Y: T.Buffer((4,), \"int32\")):\n    Module.";
  expect_message(message(module_text({main + "copy(X, X)\n", copy})), "p.py:5:9: error", "is passed twice to 'copy'");
  // The callee writes it through a function of its own.
  expect_message(message(module_text({main + "both(X, X)\n", both, copy})), "error", "is passed twice to 'both'");
  EXPECT_EQ(message(module_text({main + "add(X, X, Y)\n", add})), "");
  expect_message(message(module_text({main + "add(X, Y, Y)\n", add})), "p.py:5:9: error", "passed twice");
}

TEST(Link, IsTheCalleesInPlaceOfTheirCalls) {
  PrimFunc func =
      linked(module_text({"def main(D: T.Buffer((1,), \"int32\")):\n"
                          "    C = T.alloc_buffer((16,), \"int32\")\n"
                          "    Module.producer(C.data)\n"
                          "    Module.consumer(C.data, D.data)\n",
                          kProducer, kConsumer}));
  PrimFunc wanted = parse_module(
                        "def main(D: T.Buffer((1,), \"int32\")):\n"
                        "    C = T.alloc_buffer((16,), \"int32\")\n"
                        "    for i in range(16):\n"
                        "        C[i] = 1000 + i\n"
                        "    D[0] = 0\n"
                        "    for i in range(16):\n"
                        "        D[0] = D[0] + C[i]\n")
                        .functions[0];
  EXPECT_TRUE(same_program(func, wanted)) << print(func);
}

// Where it is called may be a parallel loop.
TEST(Link, ACalleeHasNoGroupsAndNoWaits) {
  const std::string caller =
      "def main(A: T.Buffer((16,), \"int32\")):\n"
      "    Module.callee(A.data)\n";
  const std::string head = "def callee(A: T.Buffer((16,), \"int32\")):\n";
  const std::string group =
      "    with T.attr(0, \"async_commit_queue_scope\", 0):\n"
      "        A[0] = 1\n";
  const std::string wait =
      "    with T.attr(0, \"async_wait_queue_scope\", 0), T.attr(0, \"async_wait_inflight_count\", 0):\n"
      "        A[1] = 2\n";
  for (const std::string& body : {group, wait}) {
    IRModule module = parse_module(module_text({caller, head + body}));
    EXPECT_THROW(link(module, "main"), Unsupported);
    EXPECT_NO_THROW(link(module, "callee"));
  }
}

/// f0 calls f1, and so on; each call stands below so many branches.
std::string chain_text(int functions, int branches) {
  std::vector<std::string> all;
  for (int k = 0; k < functions; ++k) {
    std::string text = "def f" + std::to_string(k) + "(A: T.Buffer((4,), \"int32\"), n: T.int32):\n", in = "    ";
    for (int b = 0; b < branches; ++b) text += in + "if n > " + std::to_string(b) + ":\n", in += "    ";
    const bool last = k + 1 == functions;
    all.push_back(text + in + (last ? "A[0] = 1\n" : "Module.f" + std::to_string(k + 1) + "(A.data, n)\n"));
  }
  return module_text(all);
}

TEST(Link, CallsNestAsDeepAsMayBe) {
  EXPECT_NO_THROW(link(parse_module(chain_text(60, 2)), "f0"));
  EXPECT_THROW(parse_module(chain_text(6000, 0)), Unsupported);
  IRModule deep = parse_module(chain_text(60, 40));
  EXPECT_THROW(link(deep, "f0"), Unsupported);
}

TEST(Link, NamesApartOnEveryCall) {
  std::string stage =
      "def stage(A: T.Buffer((4,), \"int32\")):\n"
      "    L = T.alloc_buffer((4,), \"int32\")\n"
      "    for i in range(4):\n"
      "        with T.block(\"b\"):\n"
      "            vi = T.axis.spatial(4, i)\n"
      "            L[vi] = A[vi] + 1\n"
      "    for i in range(4):\n"
      "        A[i] = L[i]\n";
  std::string twice = "def twice(A: T.Buffer((4,), \"int32\")):\n    Module.stage(A)\n    Module.stage(A)\n";
  std::string main =
      "def main(A: T.Buffer((4,), \"int32\")):\n"
      "    for r in range(3):\n"
      "        Module.twice(A)\n"
      "    Module.stage(A)\n";
  PrimFunc func = linked(module_text({main, twice, stage}));
  std::set<std::string> blocks, buffers;
  int count = 0;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const Block* b = s.as<Block>()) ++count, blocks.insert(b->name);
    if (const AllocBuffer* a = s.as<AllocBuffer>()) buffers.insert(a->buffer->name);
    return true;
  });
  EXPECT_EQ(count, 3);
  EXPECT_EQ(blocks.size(), 3u);
  EXPECT_EQ(buffers.size(), 3u);
  std::vector<Tensor> tensors = {make_tensor(kInt32, {4})};
  EXPECT_FALSE(run(func, tensors).error);
  EXPECT_EQ(tensors[0].data[0], 7);
}

TEST(Link, ShapesOfCalleesAreTheExtentsOfTheCaller) {
  std::string callee =
      "def fill(a: T.handle, b: T.handle, v: T.int32):\n"
      "    n = T.int32()\n"
      "    A = T.match_buffer(a, (n, 2), \"int32\")\n"
      "    B = T.match_buffer(b, (n * 2,), \"int32\")\n"
      "    for i in range(n):\n"
      "        A[i, 1] = v\n"
      "        B[i] = v\n";
  auto main = [](const std::string& shapes, const std::string& value) {
    return "def main(a: T.handle):\n    m = T.int32()\n    X = T.match_buffer(a, (m, 2), \"int32\")\n    Y = "
           "T.alloc_buffer(" +
           shapes + ", \"int32\")\n    Module.fill(X, Y, " + value + ")\n";
  };
  std::string good = module_text({main("(m * 2,)", "X[0, 0] + 1"), callee});
  PrimFunc func = linked(good);
  EXPECT_NE(print(func).find("for i in range(m):"), std::string::npos) << print(func);
  // A scalar that reads memory is evaluated once, at the call.
  EXPECT_NE(print(func).find("v: T.int32 = X[0, 0] + 1"), std::string::npos) << print(func);
  expect_message(message(module_text({main("(m * 3,)", "1"), callee})), "p.py:8:9: error", "disagreeing layouts");
  // What is not the same expression is asked for.
  std::string other = module_text({main("(m + m,)", "1"), callee});
  expect_message(message(other), "p.py:8:9: error", "disagreeing layouts");
  int asked = 0;
  link(parse_module(other), "main", [&](const Expr&, const Expr&) { return ++asked > 0; });
  EXPECT_EQ(asked, 1);
}

TEST(Link, KeepsTheFlagsThatAllGrant) {
  auto text = [](const std::string& main, const std::string& callee) {
    return module_text({"def main(A: T.Buffer((4,), \"float32\")):\n    T.func_attr({\"hexproof.fp\": \"" + main +
                            "\"})\n    Module.stage(A)\n",
                        "def stage(A: T.Buffer((4,), \"float32\")):\n    T.func_attr({\"hexproof.fp\": \"" + callee +
                            "\"})\n    A[0] = T.float32(1)\n"});
  };
  EXPECT_EQ(join_flags(linked(text("nsz nnan", "reassoc nsz")).granted_flags()), "nsz");
  EXPECT_EQ(join_flags(linked(text("nsz", "")).granted_flags()), "");
  EXPECT_EQ(join_flags(linked(text("", "nsz")).granted_flags()), "");
}

TEST(Link, KnowsTheAssumesOfCallees) {
  std::string main =
      "def main(A: T.Buffer((4,), \"int32\"), n: T.int32):\n"
      "    T.assume(n > 0)\n"
      "    for r in range(2):\n"
      "        Module.stage(A, n)\n";
  std::string stage =
      "def stage(A: T.Buffer((4,), \"int32\"), k: T.int32):\n"
      "    for i in range(4):\n"
      "        T.assume(A[i] < k)\n"
      "    A[0] = 0\n";
  Linked all = link(parse_module(module_text({main, stage}), "p.py"), "main");
  ASSERT_EQ(all.assumes.size(), 1u);
  EXPECT_EQ(all.assumes[0].callee, "stage");
  EXPECT_EQ(all.assumes[0].call.line, 7);
  Stmt at = all.func.body;
  for (int step : all.assumes[0].path) at = children(at).at(static_cast<size_t>(step));
  ASSERT_TRUE(at.as<Assume>());
  EXPECT_EQ(print(at.as<Assume>()->condition), "A[i] < n");
  // Of the entry alone nothing is owed.
  EXPECT_TRUE(link(parse_module(module_text({main, stage})), "stage").assumes.empty());
}

TEST(Link, TheEntryIsMainOrTheOnlyOneThatIsNotCalled) {
  auto entry = [](const std::vector<std::string>& functions) {
    try {
      return pick_function(parse_module(module_text(functions)), "").name;
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  std::string main = "def main(A: T.Buffer((16,), \"int32\")):\n    Module.producer(A)\n";
  std::string top = "def top(A: T.Buffer((16,), \"int32\")):\n    Module.producer(A)\n";
  EXPECT_EQ(entry({kProducer, main}), "main");
  EXPECT_EQ(entry({top, kProducer}), "top");
  EXPECT_EQ(entry({top, kProducer, main}), "main");
  EXPECT_NE(entry({kProducer, kConsumer}).find("several functions"), std::string::npos);
  EXPECT_NE(entry({top, kProducer, kConsumer}).find("several functions"), std::string::npos);
}

}  // namespace link_test
}  // namespace hexproof
