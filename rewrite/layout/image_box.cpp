#include "rewrite/layout/image_box.h"

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/layout/box.h"

namespace hexproof {
namespace {

/// Stands for a symbolic extent where indices are tried out.
constexpr int64_t kSample = int64_t(1) << 22;

/// Finds the end of one output, and where it is reached.
class Box {
 public:
  Box(const IndexMap& map, const std::vector<Expr>& shape, const MapDigits& digits) : map_(map), shape_(shape) {
    for (const Expr& e : shape) {
      symbolic_.push_back(!as_int(e));
      sample_.push_back(as_int(e) ? *as_int(e) : kSample);
    }
    digits_ = &digits;
  }

  /// Adds a dimension; or why there is no box.
  std::string add(size_t d, Layout* layout) const {
    const Expr& e = map_.outputs[d];
    const std::optional<DigitSum>& sum = digits_->outputs[d];
    std::optional<Bound> end = sum ? digits_->end_of(*sum) : std::nullopt;
    bool grows = end && !end->constant();
    bool depends = false;
    for (size_t k = 0; k < shape_.size(); ++k) depends = depends || (symbolic_[k] && uses_var(e, map_.inputs[k]));
    if (depends && !end) {
      return "the extent of " + print(e) + " is not known";
    }
    // What the unbounded digit is made of stands at its last index, whatever the size; the rest is tried out.
    std::vector<bool> at_end(shape_.size(), false), none = at_end;
    if (grows) mark_inputs(sum->digits.front().atom, &at_end);
    std::optional<Attained> top = attained(e, true, at_end), low = attained(e, false, none);
    if (!top || !low) {
      return print(e) + " is no index everywhere in the box";
    }
    int64_t least = *as_int(low->value);
    bool remainder = e->op == Op::FloorMod;  // its box starts at 0 by convention
    if (least < 0 || (least > 0 && !remainder)) {
      return "the box starts at 0, but " + print(e) + " starts at " + std::to_string(least);
    }
    layout->least.push_back(least == 0 ? *low : Attained{});
    if (grows) {
      layout->shape.push_back(end->expr());
      layout->greatest.push_back(*top);
      return "";
    }
    int64_t last = *as_int(top->value);
    if (last >= max_value(kInt32)) {
      return "the extent of " + print(e) + " is no int32";
    }
    layout->shape.push_back(i32(last + 1));
    layout->greatest.push_back(*top);
    return "";
  }

 private:
  void mark_inputs(size_t atom, std::vector<bool>* marked) const {
    const Atom& a = digits_->atoms[atom];
    if (a.input) {
      (*marked)[*a.input] = symbolic_[*a.input];
    } else if (!a.sum.digits.empty() && a.sum.digits.front().extent == 0) {
      mark_inputs(a.sum.digits.front().atom, marked);
    }
  }

  std::optional<Attained> attained(const Expr& e, bool greatest, const std::vector<bool>& at_the_end) const {
    std::vector<int64_t> extents = sample_;
    for (size_t k = 0; k < shape_.size(); ++k) {
      // Far from the end, which is another one in each run.
      if (symbolic_[k] && !at_the_end[k]) extents[k] = kSample / 4;
    }
    std::optional<std::vector<int64_t>> at = extreme_index(e, map_.inputs, extents, greatest, at_the_end);
    if (!at) return std::nullopt;
    Attained out;
    for (size_t k = 0; k < shape_.size(); ++k) {
      bool last = at_the_end[k];
      out.index.push_back(last ? shape_[k] - i32(1) : i32((*at)[k]));
      if (symbolic_[k]) out.given.push_back(gt(shape_[k], last ? i32(0) : i32((*at)[k])));
    }
    std::optional<int64_t> value = value_of(e, map_.inputs, *at);
    if (!value || !fits_type(kInt32, *value)) return std::nullopt;
    out.value = i32(*value);
    return out;
  }

  const IndexMap& map_;
  const std::vector<Expr>& shape_;
  const MapDigits* digits_;
  std::vector<bool> symbolic_;
  std::vector<int64_t> sample_;
};

}  // namespace

std::string add_image_box(const IndexMap& map, const std::vector<Expr>& shape, const MapDigits& digits,
                          Layout* layout) {
  const Box box(map, shape, digits);
  for (size_t d = 0; d < map.outputs.size(); ++d) {
    if (std::string fault = box.add(d, layout); !fault.empty()) return fault;
  }
  return "";
}

}  // namespace hexproof
