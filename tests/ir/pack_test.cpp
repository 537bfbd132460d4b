// Tensors under changes of layout: where cells go, and what padding holds.
#include "ir/layout/pack.h"

#include <gtest/gtest.h>

namespace hexproof {
namespace pack_test {

/// i -> i // 4, i % 4: six elements in two rows of four, the last two of which are padding.
LayoutChange in_rows(Padding::Kind kind,
                     const std::function<Expr(const Buffer&, const std::vector<Var>&)>& value = {}) {
  LayoutChange out;
  out.before = make_buffer("A", kInt32, {imm(kInt32, 6)});
  out.after = make_buffer("A", kInt32, {imm(kInt32, 2), imm(kInt32, 4)});
  Var i = Var::fresh("i", kInt32);
  out.map = {{i}, {floordiv(Expr(i), imm(kInt32, 4)), floormod(Expr(i), imm(kInt32, 4))}, {}};
  out.padding.kind = kind;
  out.padding.indices = {Var::fresh("io", kInt32), Var::fresh("ii", kInt32)};
  if (value) out.padding.value = value(out.after, out.padding.indices);
  return out;
}

PackedCells cells_of(const std::vector<LayoutChange>& layers, const std::vector<std::vector<int64_t>>& boxes) {
  return packed_cells("A", layers, boxes, {});
}

Tensor six() {
  Tensor out = make_tensor(kInt32, {6});
  for (int64_t i = 0; i < 6; ++i) store_scalar(int_scalar(kInt32, 10 + i), &out.data[static_cast<size_t>(i * 4)]);
  return out;
}

std::vector<int64_t> values(const Tensor& t) {
  std::vector<int64_t> out;
  for (int64_t i = 0; i < t.size(); ++i) {
    out.push_back(static_cast<int64_t>(wide_value(load_scalar(t.dtype, &t.data[static_cast<size_t>(i * 4)]))));
  }
  return out;
}

/// Padding in which any value may stand gets 99.
PackOptions options(bool written, Moment moment = Moment::Start, Unpromised unpromised = Unpromised::Uninitialised) {
  return {.written = written, .moment = moment, .unpromised = unpromised, .any_value = [](DType type) {
            return int_scalar(type, 99);
          }};
}

TEST(Pack, MovesCellsAndBack) {
  PackedCells cells = cells_of({in_rows(Padding::Kind::Unreadable)}, {{6}, {2, 4}});
  EXPECT_EQ(cells.origin, (std::vector<int64_t>{0, 1, 2, 3, 4, 5, -1, -1}));
  Tensor packed = pack(cells, six(), options(false));
  EXPECT_EQ(packed.shape, (std::vector<int64_t>{2, 4}));
  EXPECT_EQ(values(packed), (std::vector<int64_t>{10, 11, 12, 13, 14, 15, 99, 99}));
  EXPECT_EQ(packed.initialised, (std::vector<uint8_t>{1, 1, 1, 1, 1, 1, 0, 0}));
  EXPECT_EQ(unpack(cells, packed).data, six().data);
  Tensor holes = six();
  holes.initialised = {1, 0, 1, 1, 2, 1};
  EXPECT_EQ(pack(cells, holes, options(false)).initialised, (std::vector<uint8_t>{1, 0, 1, 1, 2, 1, 0, 0}));
}

TEST(Pack, AValueStandsWhereItIsPromised) {
  PackedCells cells =
      cells_of({in_rows(Padding::Kind::Value, [](const Buffer&, const std::vector<Var>&) { return imm(kInt32, 7); })},
               {{6}, {2, 4}});
  const std::vector<int64_t> held{10, 11, 12, 13, 14, 15, 7, 7}, open{10, 11, 12, 13, 14, 15, 99, 99};
  EXPECT_EQ(values(pack(cells, six(), options(false))), held);
  EXPECT_EQ(values(pack(cells, six(), options(true, Moment::End))), held);
  // What the function writes holds it at the end only.
  Tensor start = pack(cells, six(), options(true));
  EXPECT_EQ(values(start), open);
  EXPECT_EQ(start.initialised[6], 0);
  EXPECT_EQ(pack(cells, six(), options(true, Moment::Start, Unpromised::AnyValue)).initialised[6], 1);
}

TEST(Pack, UndefinedPaddingIsSomeValueUnlessTheFunctionWrites) {
  PackedCells cells = cells_of({in_rows(Padding::Kind::Undefined)}, {{6}, {2, 4}});
  EXPECT_EQ(pack(cells, six(), options(false)).initialised[7], 1);
  EXPECT_EQ(pack(cells, six(), options(true)).initialised[7], 0);
  EXPECT_EQ(pack(cells, six(), options(true, Moment::End)).initialised[7], 0);
  EXPECT_EQ(pack(cells, six(), options(true, Moment::Start, Unpromised::AnyValue)).initialised[7], 1);
}

TEST(Pack, ValuesThatDependOnTheIndexAndOnCells) {
  auto packed = [](const std::function<Expr(const Buffer&, const std::vector<Var>&)>& value) {
    PackedCells cells = cells_of({in_rows(Padding::Kind::Value, value)}, {{6}, {2, 4}});
    std::vector<int64_t> all = values(pack(cells, six(), options(false)));
    return std::vector<int64_t>(all.begin() + 6, all.end());
  };
  const Expr one = imm(kInt32, 1);
  EXPECT_EQ(packed([](const Buffer&, const std::vector<Var>& at) { return Expr(at[1]); }),
            (std::vector<int64_t>{2, 3}));
  // The last logical element, then with what stands two further on top of it.
  EXPECT_EQ(packed([&](const Buffer& b, const std::vector<Var>&) {
              return load(b, {one, one});
            }),
            (std::vector<int64_t>{15, 15}));
  EXPECT_EQ(packed([&](const Buffer& b, const std::vector<Var>& at) {
              return load(b, {one, one}) + load(b, {imm(kInt32, 0), Expr(at[1])});
            }),
            (std::vector<int64_t>{15 + 12, 15 + 13}));
  EXPECT_THROW(packed([&](const Buffer& b, const std::vector<Var>&) { return load(b, {one, imm(kInt32, 4)}); }), Error);
  EXPECT_THROW(packed([&](const Buffer& b, const std::vector<Var>& at) { return load(b, {one, Expr(at[1])}); }), Error);
}

// The padding of one change is content to the next.
TEST(Pack, ChangesAfterEachOther) {
  LayoutChange first =
      in_rows(Padding::Kind::Value, [](const Buffer&, const std::vector<Var>&) { return imm(kInt32, 7); });
  LayoutChange second;
  second.before = first.after;
  second.after = make_buffer("A", kInt32, {imm(kInt32, 10)});
  Var i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32), p = Var::fresh("p", kInt32);
  second.map = {{i, j}, {Expr(i) * imm(kInt32, 4) + Expr(j)}, {}};
  // Cell 8 holds what cell 7 does, which is padding of the first change; cell 9 what cell 0 does.
  second.padding = {.kind = Padding::Kind::Value,
                    .indices = {p},
                    .value = if_then_else(eq(Expr(p), imm(kInt32, 8)), load(second.after, {imm(kInt32, 7)}),
                                          load(second.after, {imm(kInt32, 0)}))};
  PackedCells cells = cells_of({first, second}, {{6}, {2, 4}, {10}});
  EXPECT_EQ(cells.origin, (std::vector<int64_t>{0, 1, 2, 3, 4, 5, -1, -1, -2, -2}));
  Tensor packed = pack(cells, six(), options(false));
  EXPECT_EQ(values(packed), (std::vector<int64_t>{10, 11, 12, 13, 14, 15, 7, 7, 7, 10}));
  EXPECT_EQ(unpack(cells, packed).data, six().data);
}

}  // namespace pack_test
}  // namespace hexproof
