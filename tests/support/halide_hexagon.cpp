#include "tests/support/halide_hexagon.h"

#include <cstdlib>

#include "ir/base/diagnostic.h"
#include "ir/base/file.h"
#include "tests/support/debian.h"

namespace hexproof::testing {
namespace {

/// Arguments: size of the filter, tile, blocks, times written out, width and height of the output, the object.
const char* const kGenerator = R"(
#include <cstdlib>
#include "Halide.h"
using namespace Halide;

int main(int, char** argv) {
  auto number = [&](int k) { return std::atoi(argv[k]); };
  const int size = number(1), tile = number(2), blocks = number(3), times = number(4), ow = number(5), oh = number(6);
  const int channels = 128, iw = ow + size - 1, ih = oh + size - 1;
  ImageParam data(UInt(8), 3, "data"), weight(UInt(8), 6, "weight");
  Var lane("lane"), block("block"), x("x"), y("y"), xo("xo"), xi("xi"), bo("bo"), bi("bi");
  RDom r(0, 4, 0, channels / 4, 0, size, 0, size);
  RVar outer("outer"), written("written");
  Func sum("sum"), out("out");
  auto wide = [](Expr e) { return cast<uint16_t>(e); };
  sum(lane, block, x, y) = cast<int32_t>(0);
  sum(lane, block, x, y) += cast<int32_t>(cast<uint32_t>(wide(data(r.y * 4 + r.x, x + r.z, y + r.w)) *
                                                          wide(weight(r.x, lane, r.y, r.z, r.w, block))));
  out(lane, block, x, y) = sum(lane, block, x, y);
  out.bound(lane, 0, 32).bound(block, 0, channels / 32).bound(x, 0, ow).bound(y, 0, oh);
  out.split(x, xo, xi, tile).split(block, bo, bi, blocks).reorder(lane, bi, xi, xo, y, bo);
  out.vectorize(lane).unroll(bi).unroll(xi);
  sum.compute_at(out, xo).vectorize(lane).unroll(block).unroll(x);
  sum.update().split(r.y, outer, written, times).reorder(r.x, lane, block, x, written, outer, r.z, r.w);
  sum.update().atomic().vectorize(r.x).vectorize(lane).unroll(block).unroll(x).unroll(written);
  auto dense = [](auto dimensions, std::vector<int> extents) {
    int stride = 1;
    for (size_t d = 0; d < extents.size(); ++d) {
      dimensions.dim(int(d)).set_bounds(0, extents[d]).set_stride(stride);
      stride *= extents[d];
    }
    dimensions.set_host_alignment(128);
  };
  dense(data, {channels, iw, ih});
  dense(weight, {4, 32, channels / 4, size, size, channels / 32});
  dense(out.output_buffer(), {32, channels / 32, ow, oh});
  out.compile_to_object(argv[7], {data, weight}, "halide_conv",
                        Target("hexagon-32-noos-hvx_128-hvx_v66-no_runtime-no_asserts-no_bounds_query"));
}
)";

/// From three pointers to Halide's buffers. What else it names is of an operating system, and does nothing here.
const char* const kDoor = R"(
typedef struct { int min, extent, stride; unsigned flags; } dimension;
typedef struct {
  unsigned long long device;
  const void* interface;
  unsigned char* host;
  unsigned long long flags;
  unsigned char code, bits;
  unsigned short lanes;
  int dimensions;
  dimension* dim;
  void* padding;
} buffer;
enum { S = SIZE, W = WIDTH, H = HEIGHT, IW = W + S - 1, IH = H + S - 1 };
int halide_conv(buffer*, buffer*, buffer*);
void conv(unsigned char* data, unsigned char* weight, int* output, unsigned char* workspace) {
  dimension d[] = {{0, 128, 1, 0}, {0, IW, 128, 0}, {0, IH, IW * 128, 0}};
  dimension w[] = {{0, 4, 1, 0}, {0, 32, 4, 0}, {0, 32, 128, 0}, {0, S, 4096, 0}, {0, S, 4096 * S, 0}, {0, 4, 4096 * S * S, 0}};
  dimension o[] = {{0, 32, 1, 0}, {0, 4, 32, 0}, {0, W, 128, 0}, {0, H, W * 128, 0}};
  buffer in = {0, 0, data, 0, 1, 8, 1, 3, d, 0}, packed = {0, 0, weight, 0, 1, 8, 1, 6, w, 0};
  buffer out = {0, 0, (unsigned char*)output, 0, 0, 32, 1, 4, o, 0};
  halide_conv(&in, &packed, &out);
}
int qurt_hvx_lock(int mode) { return 0; }
int qurt_hvx_unlock(void) { return 0; }
void* HAP_request_VTCM(unsigned size, unsigned single) { return 0; }
int HAP_release_VTCM(void* at) { return 0; }
void* malloc(unsigned size) { return 0; }
void free(void* at) {}
void halide_error(void* context, const char* text) {}
void halide_msan_annotate_memory_is_initialized(void* context, const void* at, unsigned long long size) {}
char* halide_string_to_string(char* to, char* end, const char* text) { return to; }
)";

bool works(const std::string& line) { return std::system(line.c_str()) == 0; }

}  // namespace

std::string HalideTile::text() const {
  return std::to_string(tile) + "x" + std::to_string(blocks) + ", " + std::to_string(unroll) + " times";
}

const std::vector<HalideTile>& Halide::tiles() {
  static const std::vector<HalideTile> all = {{8, 2, 8}, {8, 2, 16}, {4, 4, 8}, {16, 1, 8}, {8, 2, 4}};
  return all;
}

std::optional<Halide> Halide::fetched(const std::string& folder, const std::string& clang) {
  std::optional<std::string> usr = unpacked(folder + "/halide", {"libhalide14-0", "libhalide14-0-dev", "libllvm14"});
  if (!usr) return {};
  Halide out;
  out.folder_ = folder, out.clang_ = clang, out.libraries_ = *usr + "/lib/x86_64-linux-gnu";
  write_file(folder + "/generator.cpp", kGenerator);
  const std::string line = "g++ -std=c++17 -I" + *usr + "/include/halide14 -o " + folder + "/generator " + folder +
                           "/generator.cpp -L" + out.libraries_ + " -lHalide14 -Wl,--allow-shlib-undefined";
  if (!works(line)) return {};
  return out;
}

Kernel Halide::kernel(const ConvShape& shape, const HalideTile& tile, const PrimFunc& func) const {
  const std::string made = folder_ + "/halide.o", door = folder_ + "/door", both = folder_ + "/both.o";
  std::string generate = "LD_LIBRARY_PATH=" + libraries_ + " " + folder_ + "/generator";
  for (int64_t n :
       {shape.kh, int64_t{tile.tile}, int64_t{tile.blocks}, int64_t{tile.unroll}, shape.out_w(), shape.out_h()}) {
    generate += " " + std::to_string(n);
  }
  write_file(door + ".c", kDoor);
  auto define = [](const char* name, int64_t value) { return std::string(" -D") + name + "=" + std::to_string(value); };
  const std::string compile = clang_ +
                              " --target=hexagon-unknown-linux-musl -mcpu=hexagonv66 -O2 -w -ffreestanding -G0" +
                              define("SIZE", shape.kh) + define("WIDTH", shape.out_w()) +
                              define("HEIGHT", shape.out_h()) + " -c -o " + door + ".o " + door + ".c";
  if (!works(generate + " " + made) || !works(compile) ||
      !works("ld.lld-19 -r -o " + both + " " + door + ".o " + made)) {
    throw Error("Halide's kernel with the tile " + tile.text() + " cannot be built");
  }
  const std::string object = read_file(both);
  Kernel out;
  out.symbol = "conv";
  out.target = Target::Hexagon;
  out.func = func;
  out.object.assign(object.begin(), object.end());
  return out;
}

}  // namespace hexproof::testing
