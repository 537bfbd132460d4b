#include "rewrite/layout/needs.h"

#include "ir/text/text.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

class Needs {
 public:
  explicit Needs(const LayoutQuestion& q) : q_(q) {}

  std::vector<Obligation> all() {
    const auto [logical, in_box] = cell_of_box(q_.shape, "i", q_.given);
    std::vector<Expr> image = q_.map.apply(logical);
    for (const Expr& e : image) owe("the new index fits its type", in_box, fits(e));
    if (!q_.layout.inverse) countable(in_box, logical, image);
    owe_in_box("every logical index has its image in the new box", in_box, image, q_.layout.shape);
    minimal();
    if (q_.layout.inverse) invertible(in_box, logical, image);
    return std::move(needs_);
  }

 private:
  void owe(const std::string& why, const std::vector<Expr>& given, const Expr& goal) {
    needs_.push_back({q_.rule, why, q_.where, given, goal});
  }
  /// Of the new box or the inverse, which a search proposed: where it is false, another one may do.
  void owe_of_proposed(const std::string& why, const std::vector<Expr>& given, const Expr& goal) {
    owe(why, given, goal);
    needs_.back().one_way = q_.fault.empty();
  }

  /// 0 <= index < extent, one goal each.
  void owe_in_box(const std::string& why, const std::vector<Expr>& given, const std::vector<Expr>& index,
                  const std::vector<Expr>& shape) {
    for (size_t d = 0; d < index.size(); ++d) {
      owe_of_proposed(why, given, le(zero(index[d]->dtype), index[d]));
      owe_of_proposed(why, given, lt(index[d], shape[d]));
    }
  }

  /// Some logical index has the last index of the box as its image, and some has 0.
  void minimal() {
    auto reached = [&](const std::string& why, const Attained& at, size_t d, const Expr& value) {
      if (at.index.empty()) return;
      std::vector<Expr> given = join(q_.given, at.given);
      owe_in_box(why, given, at.index, q_.shape);
      owe_of_proposed(why, given, eq(q_.map.apply(at.index)[d], value));
    };
    for (size_t d = 0; d < q_.layout.shape.size(); ++d) {
      std::string output = print(q_.map.outputs[d]);
      reached("the box is minimal: " + output + " reaches its last index", q_.layout.greatest[d], d,
              q_.layout.shape[d] - i32(1));
      reached("the box is minimal: " + output + " reaches 0", q_.layout.least[d], d, i32(0));
    }
  }

  void invertible(const std::vector<Expr>& in_box, const std::vector<Expr>& logical, const std::vector<Expr>& image) {
    const IndexMap& inverse = *q_.layout.inverse;
    std::string injective = with_fault("no two logical indices go to one cell");
    std::vector<Expr> back = inverse.apply(image);
    for (size_t d = 0; d < q_.shape.size(); ++d) owe_of_proposed(injective, in_box, eq(back[d], logical[d]));
    auto [cell, in_new_box] = cell_of_box(q_.layout.shape, "p", q_.given);
    auto at = [&](const std::vector<Expr>& values) {
      VarMap map;
      for (size_t d = 0; d < values.size(); ++d) map.emplace(inverse.inputs[d], values[d]);
      return substitute(q_.layout.in_image, map);
    };
    bool onto = is_int(q_.layout.in_image, 1);
    if (!onto) {
      owe_of_proposed("the padding predicate is no error in the new box", in_new_box, fits(at(cell)));
      for (const Expr& c : conjuncts(at(image))) owe_of_proposed("no logical index maps to padding", in_box, c);
      in_new_box.push_back(at(cell));
    }
    std::string why = onto ? "every cell of the new box holds a logical element: there is no padding"
                           : "every cell that is no padding holds a logical element";
    std::vector<Expr> source = inverse.apply(cell);
    owe_in_box(why, in_new_box, source, q_.shape);
    std::vector<Expr> again = q_.map.apply(source);
    for (size_t d = 0; d < cell.size(); ++d) owe_of_proposed(why, in_new_box, eq(again[d], cell[d]));
  }

  void countable(const std::vector<Expr>& in_box, const std::vector<Expr>& logical, const std::vector<Expr>& image) {
    auto [other, both] = cell_of_box(q_.shape, "j", in_box);
    std::vector<Expr> other_image = q_.map.apply(other);
    for (size_t d = 0; d < image.size(); ++d) both.push_back(eq(image[d], other_image[d]));
    for (size_t d = 0; d < q_.shape.size(); ++d) {
      owe(with_fault("no two logical indices go to one cell"), both, eq(logical[d], other[d]));
    }
    Expr cells = imm(kInt64, 1), new_cells = imm(kInt64, 1);
    for (const Expr& n : q_.shape) cells = cells * cast(kInt64, n);
    for (const Expr& n : q_.layout.shape) new_cells = new_cells * cast(kInt64, n);
    owe_of_proposed(with_fault("there is no padding (with padding, the inverse of the map must be found or given)"),
                    q_.given, eq(cells, new_cells));
    needs_.back().one_way = true;  // another way is an inverse, which was not found
  }

  std::string with_fault(const std::string& why) const { return q_.fault.empty() ? why : why + " (" + q_.fault + ")"; }

  const LayoutQuestion& q_;
  std::vector<Obligation> needs_;
};

}  // namespace

std::vector<Obligation> layout_needs(const LayoutQuestion& question) { return Needs(question).all(); }

}  // namespace hexproof
