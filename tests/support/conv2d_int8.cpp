#include "tests/support/conv2d_int8.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <vector>

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
  // The tile divides the row: 14 to 16 registers of sums where it may be, or else as many as there are.
  const int64_t blocks = s.k % 64 == 0 ? 2 : 1;
  ConvTile best{1, blocks};
  auto registers = [](const ConvTile& t) { return t.tile * t.blocks; };
  for (int64_t b = blocks; b >= 1; --b) {
    for (int64_t tile = 1; tile <= std::min<int64_t>(26 / b, s.out_w()); ++tile) {
      ConvTile t{tile, b};
      if (s.out_w() % tile == 0 && std::abs(registers(t) - 16) < std::abs(registers(best) - 16)) best = t;
    }
  }
  return best;
}

std::string conv_schedule(const ConvShape& s, const ConvTile& t) {
  int64_t unroll = 8;  // four input channels at a time
  while (s.c / 4 % unroll != 0) unroll /= 2;
  const std::string text = R"(conv = sch.get_block("conv")
sch.transform_layout(conv, "weight", lambda o, i, h, w: [o // 32, h, w, i // 4, o % 32, i % 4])
store = sch.cache_write(conv, 0, "local")
n, h, w, k = sch.get_loops(store)
wo, wi = sch.split(w, [None, {tile}])
ko, kb, lane = sch.split(k, [None, {blocks}, 32])
sch.reorder(ko, h, wo, wi, kb, lane)
sch.compute_at(conv, wo)
sch.vectorize(lane)
{loops} = sch.get_loops(conv)[-{count}:]
kb, lane = sch.split(k, [None, 32])
co, cu, ci = sch.split(c, [None, {unroll}, 4])
sch.reorder({outer}co, cu, {w}kb, lane, ci)
init = sch.decompose_reduction(conv, {first})
sch.vectorize(sch.get_loops(init)[-1])
sch.unroll(cu)
{pad}sch.compact_buffers()
sch.lower_blocks()
sch.remove_unit_loops()
sch.simplify()
sch.flatten_buffers()
sch.tensorize(lane, "dot_32x4_u8u8i32_vrmpy")
)";
  // compute_at leaves out loops of one iteration.
  const std::string w = t.tile > 1 ? "w, " : "";
  const std::string outer = std::string(s.kh > 1 ? "rh, " : "") + (s.kw > 1 ? "rw, " : "");
  const int64_t count = 2 + (t.tile > 1) + (s.kh > 1) + (s.kw > 1);
  std::string loops = w + "k, c, " + outer;
  loops.resize(loops.size() - 2);
  return filled(text, {{"tile", str(t.tile)},
                       {"blocks", str(t.blocks)},
                       {"unroll", str(unroll)},
                       {"loops", loops},
                       {"count", str(count)},
                       {"outer", outer},
                       {"w", w},
                       {"first", s.kh > 1   ? "rh"
                                 : s.kw > 1 ? "rw"
                                            : "co"},
                       {"pad", s.pad && s.c % 128 == 0 ? "po, pi = sch.split(sch.get_loops(\"pad\")[-1], [None, 128])\n"
                                                         "sch.vectorize(pi)\n"
                                                       : ""}});
}

}  // namespace hexproof::testing
