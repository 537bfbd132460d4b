#include "tests/support/conv2d_int8.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "ir/interpreter/inputs/random_values.h"

namespace hexproof::testing {
namespace {

std::string str(int64_t n) { return std::to_string(n); }

/// `text` with each `{name}` replaced.
std::string filled(std::string text, const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, value] : values) {
    const std::string hole = "{" + name + "}";
    for (size_t at = 0; (at = text.find(hole, at)) != std::string::npos; at += value.size()) {
      text.replace(at, hole.size(), value);
    }
  }
  return text;
}

std::string times(int64_t factor, const std::string& what) { return factor == 1 ? what : str(factor) + " * " + what; }

}  // namespace

std::string ConvShape::text() const {
  std::string out = str(n) + "x" + str(h) + "x" + str(w) + "x" + str(c) + "->" + str(k) + " " + str(kh) + "x" +
                    str(kw) + " s" + str(stride) + " p" + str(pad);
  return dilation == 1 ? out : out + " d" + str(dilation);
}

std::optional<ConvShape> conv_shape(const std::string& text) {
  std::vector<int64_t> v;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) {
    if (part.empty() || part.size() > 6 || part.find_first_not_of("0123456789") != std::string::npos) return {};
    v.push_back(std::stoll(part));
  }
  if (v.size() != 9 && v.size() != 10) return {};
  ConvShape s{v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v.size() == 10 ? v[9] : 1};
  for (int64_t positive : {s.n, s.h, s.w, s.c, s.k, s.kh, s.kw, s.stride, s.dilation}) {
    if (positive < 1) return {};
  }
  if (s.h + 2 * s.pad <= s.dilation * (s.kh - 1) || s.w + 2 * s.pad <= s.dilation * (s.kw - 1)) return {};
  return s;
}

std::string conv_program(const ConvShape& s) {
  const std::string padded = R"(    padded = T.alloc_buffer(({n}, {ph}, {pw}, {c}), "uint8")
    for n, h, w, c in T.grid({n}, {ph}, {pw}, {c}):
        with T.block("pad"):
            vn, vh, vw, vc = T.axis.remap("SSSS", [n, h, w, c])
            padded[vn, vh, vw, vc] = T.if_then_else({p} <= vh and vh < {h} + {p} and {p} <= vw and vw < {w} + {p}, data[vn, vh - {p}, vw - {p}, vc], T.uint8(0))
)";
  const std::string text = R"(from tvm.script import tir as T


@T.prim_func
def conv2d(
    data: T.Buffer(({n}, {h}, {w}, {c}), "uint8"),
    weight: T.Buffer(({k}, {c}, {kh}, {kw}), "uint8"),
    output: T.Buffer(({n}, {oh}, {ow}, {k}), "int32"),
):
)" + (s.pad ? padded : "") +
                           R"(    for n, h, w, k, rc, rh, rw in T.grid({n}, {oh}, {ow}, {k}, {c}, {kh}, {kw}):
        with T.block("conv"):
            vn, vh, vw, vk, vc, vrh, vrw = T.axis.remap("SSSSRRR", [n, h, w, k, rc, rh, rw])
            with T.init():
                output[vn, vh, vw, vk] = 0
            output[vn, vh, vw, vk] = output[vn, vh, vw, vk] + T.Cast("int32", {source}[vn, {vh} + {vrh}, {vw} + {vrw}, vc]) * T.Cast(
                "int32", weight[vk, vc, vrh, vrw]
            )
)";
  return filled(text, {{"n", str(s.n)},
                       {"h", str(s.h)},
                       {"w", str(s.w)},
                       {"c", str(s.c)},
                       {"k", str(s.k)},
                       {"kh", str(s.kh)},
                       {"kw", str(s.kw)},
                       {"p", str(s.pad)},
                       {"ph", str(s.h + 2 * s.pad)},
                       {"pw", str(s.w + 2 * s.pad)},
                       {"oh", str(s.out_h())},
                       {"ow", str(s.out_w())},
                       {"source", s.pad ? "padded" : "data"},
                       {"vh", times(s.stride, "vh")},
                       {"vw", times(s.stride, "vw")},
                       {"vrh", times(s.dilation, "vrh")},
                       {"vrw", times(s.dilation, "vrw")}});
}

ConvTile conv_tile(const ConvShape& s) {
  // The tile divides the row, and its blocks divide the channels: 12 to 24 registers of sums where it may be, best 16.
  const int64_t all = (s.k + 31) / 32;
  ConvTile best{1, 1};
  auto distance = [](const ConvTile& t) { return std::abs(t.tile * t.blocks - 16); };
  for (int64_t blocks : {2, 1, 4, 3}) {
    for (int64_t tile = 1; tile <= std::min<int64_t>(26 / blocks, s.out_w()); ++tile) {
      ConvTile t{tile, blocks};
      if (all % blocks == 0 && s.out_w() % tile == 0 && distance(t) < distance(best)) best = t;
    }
  }
  return best;
}

std::string conv_schedule(const ConvShape& s, const ConvTile& t) {
  int64_t unroll = 8;  // four input channels at a time
  while ((s.c + 3) / 4 % unroll != 0) --unroll;
  // Rows are copied into memory that is zero, or, where four channels are no word, pixels.
  const std::string copy = R"(n, h, w, c = sch.get_loops("pad")
sch.decompose_padding("pad", n)
)" + std::string(s.c % 4 == 0 ? "sch.fuse(*sch.get_loops(\"pad\")[-2:])\n" : "");
  const std::string text = R"(conv = sch.get_block("conv")
{copy}store = sch.cache_write(conv, 0, "local")
n, h, w, k = sch.get_loops(store)
wo, wi = sch.split(w, [None, {tile}])
ko, kb, lane = sch.split(k, [None, {blocks}, 32])
sch.reorder(ko, h, wo, wi, kb, lane)
sch.compute_at(conv, wo)
{loops} = sch.get_loops(conv)[-{count}:]
kb, lane = sch.split(k, [None, 32])
co, ci = sch.split(c, [None, 4])
sch.transform_layout(conv, "weight", lambda o, i, h, w: [o // 32, h, w, i // 4, o % 32, i % 4]{zero})
{channels}{w}kb, lane, co, ci{rest} = sch.get_loops(conv)[-{more}:]
co, cu = sch.split(co, [None, {unroll}])
sch.reorder({outer}co, cu, {w}kb, lane, ci)
init = sch.decompose_reduction(conv, {first})
sch.vectorize(sch.get_loops(init)[-1])
sch.vectorize(sch.get_loops(store)[-1])
sch.unroll(cu)
sch.compact_buffers()
sch.lower_blocks()
sch.remove_unit_loops()
sch.simplify()
sch.flatten_buffers()
sch.tensorize(lane, "dot_32x4_u8u8i32_vrmpy")
)";
  // Channels that do not fill their vectors are computed all the same: nobody sees what stands behind them, and weights
  // are zero there.
  std::string channels;
  if (s.k % 32 != 0) {
    channels += R"(blocks = lambda n, h, w, k: [n, h, w, k // 32, k % 32]
sch.transform_layout(store, ("write", 0), blocks, pad_value=T.undef())
sch.transform_layout(conv, ("write", 0), blocks)
)";
  }
  if (s.c % 4 != 0) {
    channels +=
        R"(sch.transform_layout(conv, "{source}", lambda n, h, w, c: [n, h, w, c // 4, c % 4], pad_value=T.undef())
)";
  }
  const bool sticks_out = !channels.empty();
  if (sticks_out) channels += "sch.remove_branching_through_overcompute(conv)\n";
  if (s.k % 32 != 0) channels += "sch.remove_branching_through_overcompute(store)\n";
  // compute_at leaves out loops of one iteration.
  const std::string w = t.tile > 1 ? "w, " : "";
  const std::string outer = std::string(s.kh > 1 ? "rh, " : "") + (s.kw > 1 ? "rw, " : "");
  const std::string rest = std::string(s.kh > 1 ? ", rh" : "") + (s.kw > 1 ? ", rw" : "");
  const int64_t count = 2 + (t.tile > 1) + (s.kh > 1) + (s.kw > 1);
  return filled(filled(text, {{"channels", channels}, {"copy", s.pad ? copy : ""}}),
                {{"source", s.pad ? "padded" : "data"},
                 {"zero", sticks_out ? ", pad_value=0" : ""},
                 {"tile", str(t.tile)},
                 {"blocks", str(t.blocks)},
                 {"unroll", str(unroll)},
                 {"loops", w + "k, c" + rest},
                 {"count", str(count)},
                 {"more", str(count + 2)},
                 {"outer", outer},
                 {"rest", rest},
                 {"w", w},
                 {"first", s.kh > 1   ? "rh"
                           : s.kw > 1 ? "rw"
                                      : "co"}});
}

ConvShape random_conv_shape(uint64_t* seed) {
  auto pick = [&](std::initializer_list<int64_t> from) {
    return from.begin()[(next_random(*seed) >> 16) % from.size()];
  };
  for (;;) {
    ConvShape s{
        pick({1, 1, 2}), 0, 0, pick({4, 6, 18, 32, 64, 64, 96, 128}), pick({32, 40, 48, 64, 64, 96, 128}), 0, 0};
    s.kh = pick({1, 3, 3, 5}), s.kw = pick({s.kh, s.kh, 1, 3});
    s.stride = pick({1, 1, 2}), s.pad = pick({0, 1}), s.dilation = pick({1, 1, 2});
    const int64_t out_h = pick({3, 5, 8}), out_w = pick({4, 7, 8, 13, 14, 15, 16, 21, 24, 28});
    // As much as these outputs take.
    s.h = (out_h - 1) * s.stride + s.dilation * (s.kh - 1) + 1 - 2 * s.pad;
    s.w = (out_w - 1) * s.stride + s.dilation * (s.kw - 1) + 1 - 2 * s.pad;
    if (s.h > 0 && s.w > 0) return s;
  }
}

bool fast_without_tuning(const ConvShape& s) {
  if (s.kh * s.kw == 1 && s.pad > 0) return false;
  return s.c % 32 == 0 && s.k % 32 == 0 && s.c >= 64 && s.k >= 64 && (s.out_w() % 7 == 0 || s.out_w() % 8 == 0);
}

}  // namespace hexproof::testing
