// The two convolutions of examples/conv2d_conv2d, small, through the whole chain of rules: every need proved, and the
// programs before and after agree bit for bit under the interface relation.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "rewrite/expr_rules/strategy.h"
#include "rewrite/layout/interface.h"
#include "rewrite/schedule/reader.h"
#include "tests/rewrite/support.h"
#include "tests/support/full_size.h"

namespace hexproof {
namespace conv2d_example_test {

struct Setting {
  int64_t height, width, channels;  // of the data and of both results
  int64_t tile_h, tile_w, tile_c;   // NHWC<h>h<w>w<c>c, OIHW<c/4>i<c>o4i
  int64_t h_split, k_split;
};

std::string program(const Setting& s) {
  return fmt::format(R"(
@T.prim_func
def conv2d_conv2d(data: T.Buffer((1, {0}, {1}, {2}), "float32"), filter1: T.Buffer(({2}, {2}, 1, 1), "float32"), filter2: T.Buffer(({2}, {2}, 1, 1), "float32"), output: T.Buffer((1, {0}, {1}, {2}), "float32")):
    temp = T.alloc_buffer((1, {0}, {1}, {2}), "float32")
    for n, h, w, k, rc, rh, rw in T.grid(1, {0}, {1}, {2}, {2}, 1, 1):
        with T.block("conv1"):
            vn, vh, vw, vk, vc, vrh, vrw = T.axis.remap("SSSSRRR", [n, h, w, k, rc, rh, rw])
            with T.init():
                temp[vn, vh, vw, vk] = T.float32(0)
            temp[vn, vh, vw, vk] = temp[vn, vh, vw, vk] + data[vn, vh + vrh, vw + vrw, vc] * filter1[vk, vc, vrh, vrw]
    for n, h, w, k, rc, rh, rw in T.grid(1, {0}, {1}, {2}, {2}, 1, 1):
        with T.block("conv2"):
            vn, vh, vw, vk, vc, vrh, vrw = T.axis.remap("SSSSRRR", [n, h, w, k, rc, rh, rw])
            with T.init():
                output[vn, vh, vw, vk] = T.float32(0)
            output[vn, vh, vw, vk] = output[vn, vh, vw, vk] + temp[vn, vh + vrh, vw + vrw, vc] * filter2[vk, vc, vrh, vrw]
)",
                     s.height, s.width, s.channels);
}

IndexMap activation_layout(const Setting& s) {
  IndexMap map;
  for (const char* name : {"n", "h", "w", "c"}) map.inputs.push_back(Var::fresh(name, kInt32));
  Expr n = map.inputs[0], h = map.inputs[1], w = map.inputs[2], c = map.inputs[3];
  map.outputs = {n,
                 floordiv(h, i32(s.tile_h)),
                 floordiv(w, i32(s.tile_w)),
                 floordiv(c, i32(s.tile_c)),
                 floormod(h, i32(s.tile_h)),
                 floormod(w, i32(s.tile_w)),
                 floormod(c, i32(s.tile_c))};
  return map;
}

IndexMap filter_layout(const Setting& s) {
  IndexMap map;
  for (const char* name : {"o", "i", "h", "w"}) map.inputs.push_back(Var::fresh(name, kInt32));
  Expr o = map.inputs[0], i = map.inputs[1], h = map.inputs[2], w = map.inputs[3];
  map.outputs = {
      floordiv(o, i32(s.tile_c)), floordiv(i, i32(s.tile_c)), h, w, floordiv(floormod(i, i32(s.tile_c)), i32(4)),
      floormod(o, i32(s.tile_c)), floormod(i, i32(4))};
  return map;
}

/// Schedule primitives, as far as this chain needs them: loops go by the name of their variable around a block.
class Chain {
 public:
  explicit Chain(PrimFunc func) : derivation(std::move(func)) {}

  Path block(const std::string& name) const {
    std::vector<Path> found = find_blocks(derivation.current(), name);
    HEXPROOF_CHECK(found.size() == 1, "no single block " + name);
    return found[0];
  }
  Path loop(const std::string& around, const std::string& name) const {
    std::vector<Path> loops = loops_around(derivation.current(), block(around));
    for (size_t k = loops.size(); k-- > 0;) {
      if (var_at(loops[k]).name() == name) return loops[k];
    }
    throw InternalError("no loop " + name + " around " + around);
  }
  Var var_at(const Path& at) const { return stmt_at(derivation.current(), at).as<For>()->var; }

  void apply(const std::string& rule, const Args& args) { derivation.apply(rule, args, test_prover()); }

  void split(const std::string& around, const std::string& name, int64_t factor, const std::string& outer,
             const std::string& inner) {
    apply("split", {{"at", loop(around, name)}, {"factor", factor}, {"outer", outer}, {"inner", inner}});
  }
  /// The named loops, outermost first, in the places that these loops have.
  void reorder(const std::string& around, const std::vector<std::string>& names) {
    std::vector<Path> loops = loops_around(derivation.current(), block(around));
    std::vector<size_t> slots, wanted;
    for (const std::string& name : names) {
      Path at = loop(around, name);
      wanted.push_back(static_cast<size_t>(std::find(loops.begin(), loops.end(), at) - loops.begin()));
    }
    slots = wanted;
    std::sort(slots.begin(), slots.end());
    Path order;
    for (size_t k = slots.front(); k <= slots.back(); ++k) order.push_back(static_cast<int>(k - slots.front()));
    for (size_t k = 0; k < slots.size(); ++k) {
      order[slots[k] - slots.front()] = static_cast<int>(wanted[k] - slots.front());
    }
    if (!std::is_sorted(order.begin(), order.end())) apply("reorder", {{"at", loops[slots.front()]}, {"order", order}});
  }
  void compute_at(const std::string& name, const Var& target) {
    apply("compute-at", {{"block", name}, {"loop", target}});
  }
  void layout(const std::string& buffer, const IndexMap& map) {
    apply("transform-layout", {{"buffer", buffer}, {"map", map}});
  }

  Derivation derivation;
};

/// The chain of schedule_k1_h1.py and schedule_k2_h2.py.
void run_chain(Chain& s, const Setting& z) {
  for (const char* name : {"data", "filter1"}) {
    s.apply("cache-read", {{"block", std::string("conv1")}, {"buffer", std::string(name)}});
  }
  s.apply("cache-read", {{"block", std::string("conv2")}, {"index", int64_t{1}}});
  s.apply("cache-write", {{"block", std::string("conv2")}, {"index", int64_t{0}}});

  const std::string out = "output_global";
  s.split(out, "ax1", z.tile_h, "ho", "hi");
  s.split(out, "ax2", z.tile_w, "wo", "wi");
  s.split(out, "ax3", z.tile_c, "ko", "ki");
  if (z.h_split > 1) s.split(out, "ho", z.h_split, "ho", "hoi");
  if (z.k_split > 1) s.split(out, "ko", z.k_split, "ko", "koi");
  std::vector<std::string> order = {"ko", "ho"};
  if (z.k_split > 1) order.push_back("koi");
  if (z.h_split > 1) order.push_back("hoi");
  for (const char* name : {"wo", "hi", "wi", "ki"}) order.push_back(name);
  s.reorder(out, order);
  Var ho = s.var_at(s.loop(out, "ho"));
  s.compute_at("conv2", ho);
  s.compute_at("conv1", ho);

  for (const std::string conv : {"conv2", "conv1"}) {
    bool first = conv == "conv1";
    s.split(conv, "ax0", z.tile_h, "hoi", "hi");
    s.split(conv, "ax1", z.tile_w, "wo", "wi");
    s.split(conv, "ax2", z.tile_c, "koi", "ki");
    s.split(conv, "ax3", z.tile_c, "rco", "rci");
    if (first) s.split(conv, "koi", z.k_split, "ko_1", "koi");
    std::vector<std::string> names = {"koi", "hoi", "wo", "rco", "hi", "wi", "ki", "rci"};
    if (first) names.insert(names.begin(), "ko_1");
    s.reorder(conv, names);
  }
  s.compute_at("filter1_global", s.var_at(s.loop("conv1", "ko_1")));
  s.compute_at("filter2_global", ho);
  s.compute_at("data_global", ho);

  s.split("data_global", "ax0", z.tile_h, "hoi", "hi");
  s.split("data_global", "ax1", z.tile_w, "wo", "wi");
  s.split("data_global", "ax2", z.tile_c, "co", "ci");
  s.reorder("data_global", {"hoi", "wo", "co", "hi", "wi", "ci"});
  for (const std::string cache : {"filter1_global", "filter2_global"}) {
    s.split(cache, "ax0", z.tile_c, "koi", "ki");
    s.split(cache, "ax1", 4, "cio", "cii");
    s.split(cache, "cio", z.tile_c / 4, "co", "cio");
    s.reorder(cache, {"koi", "co", "cio", "ki", "cii"});
  }

  for (const char* name : {"data_global", "temp", "output_global", "output"}) s.layout(name, activation_layout(z));
  for (const char* name : {"filter1", "filter1_global", "filter2", "filter2_global"}) s.layout(name, filter_layout(z));

  for (const std::string conv : {"conv1", "conv2"}) {
    s.apply("decompose-reduction", {{"at", s.block(conv)}, {"loop", s.loop(conv, "rco")}});
  }
  Schedule(s.derivation, test_prover()).compact_buffers();
}

void lower(Chain& s) {
  for (;;) {
    std::vector<Path> blocks = find_all(s.derivation.current(), [](const Stmt& x) { return x.as<Block>() != nullptr; });
    if (blocks.empty()) break;
    s.apply("lower-block", {{"at", blocks.front()}});
  }
  for (;;) {
    std::vector<Path> unit =
        find_all(s.derivation.current(), [](const Stmt& x) { return x.as<For>() && is_int(x.as<For>()->extent, 1); });
    if (unit.empty()) break;
    s.apply("unit-loop", {{"at", unit.front()}});
  }
  simplify(s.derivation, test_prover());
  s.apply("flatten", {});
  simplify(s.derivation, test_prover());
}

int64_t elements(const PrimFunc& func, const std::string& name) {
  for (const Path& at : find_all(func, [](const Stmt& s) { return s.as<AllocBuffer>() != nullptr; })) {
    const Buffer& buffer = stmt_at(func, at).as<AllocBuffer>()->buffer;
    if (buffer->name != name) continue;
    std::vector<int64_t> shape = constant_shape(buffer).value();
    int64_t count = 1;
    for (int64_t n : shape) count *= n;
    return count;
  }
  ADD_FAILURE() << "no allocation " << name;
  return 0;
}

void expect_agreement(const Chain& s) {
  const Derivation& d = s.derivation;
  for (uint64_t seed = 0; seed < 2; ++seed) {
    std::vector<Tensor> before = random_inputs(d.source(), seed), after = pack_all(d, before);
    RunResult a = run(d.source(), before), b = run(d.current(), after);
    ASSERT_FALSE(a.error) << a.error->str();
    ASSERT_FALSE(b.error) << b.error->str();
    std::vector<Tensor> unpacked = unpack_all(d, after);
    for (size_t k = 0; k < before.size(); ++k) EXPECT_EQ(first_difference(before[k], unpacked[k]), -1) << k;
  }
}

void expect_sizes(const PrimFunc& func, const Setting& z) {
  int64_t row = z.h_split * z.tile_h * z.width;
  EXPECT_EQ(elements(func, "data_global"), row * z.channels);
  EXPECT_EQ(elements(func, "temp"), row * z.channels);
  EXPECT_EQ(elements(func, "output_global"), row * z.k_split * z.tile_c);
  EXPECT_EQ(elements(func, "filter1_global"), z.k_split * z.tile_c * z.channels);
  EXPECT_EQ(elements(func, "filter2_global"), z.k_split * z.tile_c * z.channels);
}

/// The kernel of that name among the seed documents computes the same bits, on packed arguments.
void expect_same_as_seed(const PrimFunc& func, const std::string& name) {
  std::string path = std::string(HEXPROOF_SOURCE_DIR) + "/../shared/seeds/kernels/" + name;
  if (!std::ifstream(path)) {
    std::cout << "not compared with " << name << ": the seed documents are not there\n";
    return;
  }
  PrimFunc seed = pick_function(parse_file(path), "");
  std::vector<Tensor> ours = random_inputs(func, 7), theirs = ours;
  RunResult a = run(func, ours), b = run(seed, theirs);
  ASSERT_FALSE(a.error) << a.error->str();
  ASSERT_FALSE(b.error) << b.error->str();
  EXPECT_EQ(first_difference(ours.back(), theirs.back()), -1);
}

void run_all(const Setting& z) {
  Chain s(parse(program(z)));
  try {
    run_chain(s, z);
    expect_agreement(s);
    expect_sizes(s.derivation.current(), z);
    lower(s);
    expect_agreement(s);
    expect_sizes(s.derivation.current(), z);
  } catch (const std::exception& e) {
    FAIL() << e.what() << "\nat step " << s.derivation.steps().size() << "\n" << print(s.derivation.current());
  }
  EXPECT_EQ(ill_formed(s.derivation.current()), "");
}

/// The example's files at full size: program and schedule as text.
void run_files(const std::string& schedule, const Setting& z, const std::string& seed) {
  const std::string folder = std::string(HEXPROOF_SOURCE_DIR) + "/examples/conv2d_conv2d/";
  Derivation d(pick_function(parse_file(folder + "conv2d_conv2d.py"), ""));
  std::ifstream in(folder + schedule);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  ASSERT_FALSE(text.empty());
  try {
    run_schedule(d, test_prover(), std::make_shared<const SourceFile>(SourceFile{schedule, text}));
  } catch (const std::exception& e) {
    FAIL() << e.what() << "\nat step " << d.steps().size() << "\n" << print(d.current());
  }
  expect_sizes(d.current(), z);
  auto left = [](const Stmt& x) { return x.as<Block>() || x.as<If>(); };
  EXPECT_TRUE(find_all(d.current(), left).empty()) << print(d.current());
  expect_same_as_seed(d.current(), seed);
}

TEST(Conv2dExample, SmallBaseline) { run_all({8, 8, 16, 4, 4, 8, 1, 1}); }
TEST(Conv2dExample, SmallSplit) { run_all({16, 8, 32, 4, 4, 8, 2, 2}); }
TEST(Conv2dExample, FullBaseline) {
  SKIP_FULL_SIZE_UNDER_SANITIZERS();
  run_files("schedule_k1_h1.py", {64, 64, 128, 8, 8, 32, 1, 1}, "conv2d_conv2d_1x1_k1_h1.py");
}
TEST(Conv2dExample, FullSplit) {
  SKIP_FULL_SIZE_UNDER_SANITIZERS();
  run_files("schedule_k2_h2.py", {64, 64, 128, 8, 8, 32, 2, 2}, "conv2d_conv2d_1x1_k2_h2.py");
}

}  // namespace conv2d_example_test
}  // namespace hexproof
