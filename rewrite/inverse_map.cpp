#include "rewrite/inverse_map.h"

#include <algorithm>
#include <map>

#include "ir/text.h"
#include "ir/visit.h"
#include "rewrite/region.h"

namespace hexproof {
namespace {

/// scale * (input // lower % extent); the extent is 0 for a whole input of symbolic size.
struct Digit {
  size_t input;
  int64_t lower, extent, scale;
};
using Digits = std::vector<Digit>;

constexpr int64_t kLargest = int64_t(1) << 40;

/// The largest value of a sum of digits.
std::optional<int64_t> most(const Digits& digits) {
  Wide sum = 0;
  for (const Digit& d : digits) {
    if (d.extent == 0) return std::nullopt;
    sum += Wide(d.scale) * (d.extent - 1);
  }
  if (sum > kLargest) return std::nullopt;
  return static_cast<int64_t>(sum);
}

class Reader {
 public:
  Reader(const IndexMap& map, const std::vector<Expr>& shape) : map_(map), shape_(shape) {}

  std::optional<Digits> read(const Expr& e) const {
    if (e->op == Op::IntImm) return e->int_value() == 0 ? std::optional<Digits>(Digits{}) : std::nullopt;
    if (e->op == Op::Var) return whole(e->var());
    if (e->op == Op::Add) {
      std::optional<Digits> a = read(e->args[0]), b = read(e->args[1]);
      if (!a || !b) return std::nullopt;
      a->insert(a->end(), b->begin(), b->end());
      std::stable_sort(a->begin(), a->end(), [](const Digit& x, const Digit& y) { return x.scale > y.scale; });
      return a;
    }
    if (e->op == Op::Mul) {
      bool left = as_int(e->args[0]);
      const int64_t* c = as_int(e->args[left ? 0 : 1]);
      if (!c || *c <= 0 || *c > kLargest) return std::nullopt;
      std::optional<Digits> a = read(e->args[left ? 1 : 0]);
      if (a) {
        for (Digit& d : *a) {
          if (d.extent == 0 || d.scale > kLargest / *c) return std::nullopt;
          d.scale *= *c;
        }
      }
      return a;
    }
    if (e->op == Op::FloorDiv || e->op == Op::FloorMod) {
      const int64_t* c = as_int(e->args[1]);
      std::optional<Digits> a = read(e->args[0]);
      if (!a || !c || *c <= 0) return std::nullopt;
      return cut(*a, *c, e->op == Op::FloorDiv);
    }
    return std::nullopt;
  }

 private:
  std::optional<Digits> whole(const Var& v) const {
    for (size_t k = 0; k < map_.inputs.size(); ++k) {
      if (!(map_.inputs[k] == v)) continue;
      const int64_t* extent = as_int(shape_[k]);
      if (extent && (*extent <= 0 || *extent > kLargest)) return std::nullopt;
      if (extent && *extent == 1) return Digits{};
      return Digits{{k, 1, extent ? *extent : 0, 1}};
    }
    return std::nullopt;
  }

  /// The digits of sum // c, or of sum % c. What stays below a digit must not carry into it.
  static std::optional<Digits> cut(const Digits& sum, int64_t c, bool quotient) {
    Digits out, low;
    for (size_t k = 0; k < sum.size(); ++k) {
      const Digit& d = sum[k];
      if (d.extent == 0) return std::nullopt;
      std::optional<int64_t> below = most(Digits(sum.begin() + static_cast<long>(k) + 1, sum.end()));
      if (!below) return std::nullopt;
      if (d.scale % c == 0) {
        if (quotient) out.push_back({d.input, d.lower, d.extent, d.scale / c});
      } else if (c % d.scale == 0) {
        int64_t part = c / d.scale;
        if (d.extent > part) {
          if (*below >= d.scale) return std::nullopt;
          if (quotient) out.push_back({d.input, d.lower * part, (d.extent + part - 1) / part, 1});
          low.push_back({d.input, d.lower, part, d.scale});
        } else {
          low.push_back(d);
        }
      } else {
        return std::nullopt;
      }
    }
    std::optional<int64_t> rest = most(low);
    if (!rest || *rest >= c) return std::nullopt;
    return quotient ? out : low;
  }

  const IndexMap& map_;
  const std::vector<Expr>& shape_;
};

/// The digit as it is found in the new index `p`, given the digit above it there.
Expr extract(const Expr& p, const Digit& d, const Digit* above) {
  Expr e = above ? floormod(p, imm(p->dtype, above->scale)) : p;
  return d.scale == 1 ? e : floordiv(e, imm(p->dtype, d.scale));
}

std::optional<IndexMap> invert(const std::vector<Digits>& outputs, const std::vector<Expr>& shape) {
  IndexMap inverse;
  std::vector<std::vector<std::pair<Digit, Expr>>> parts(shape.size());
  for (size_t d = 0; d < outputs.size(); ++d) {
    inverse.inputs.push_back(Var::fresh("p" + std::to_string(d), kInt32));
    for (size_t k = 0; k < outputs[d].size(); ++k) {
      const Digit& digit = outputs[d][k];
      parts[digit.input].emplace_back(digit, extract(inverse.inputs[d], digit, k ? &outputs[d][k - 1] : nullptr));
    }
  }
  for (size_t i = 0; i < shape.size(); ++i) {
    std::sort(parts[i].begin(), parts[i].end(),
              [](const auto& a, const auto& b) { return a.first.lower > b.first.lower; });
    Expr sum;
    int64_t upper = 0;  // the digits must follow each other without a gap, down to 1
    for (const auto& [digit, e] : parts[i]) {
      if (upper && digit.lower * digit.extent != upper) return std::nullopt;
      upper = digit.lower;
      Expr term = digit.lower == 1 ? e : e * i32(digit.lower);
      sum = sum ? sum + term : term;
    }
    if (parts[i].empty() ? !is_int(shape[i], 1) : upper != 1) return std::nullopt;
    inverse.outputs.push_back(sum ? sum : i32(0));
  }
  return inverse;
}

std::optional<int64_t> value_of(const Expr& e, const std::map<Var, int64_t>& values) {
  if (const int64_t* c = as_int(e)) return *c;
  if (e->op == Op::Var) {
    auto it = values.find(e->var());
    return it == values.end() ? std::nullopt : std::optional(it->second);
  }
  if (e->args.size() != 2) return std::nullopt;
  std::optional<int64_t> a = value_of(e->args[0], values), b = value_of(e->args[1], values);
  if (!a || !b || std::abs(*a) > kLargest || std::abs(*b) > kLargest) return std::nullopt;
  if (e->op == Op::Add) return *a + *b;
  if (e->op == Op::Sub) return *a - *b;
  if (e->op == Op::Mul) {
    Wide product = Wide(*a) * *b;
    if (product > kLargest || product < -kLargest) return std::nullopt;
    return static_cast<int64_t>(product);
  }
  if (e->op == Op::Min) return std::min(*a, *b);
  if (e->op == Op::Max) return std::max(*a, *b);
  if (*b <= 0) return std::nullopt;
  int64_t r = (*a % *b + *b) % *b;
  if (e->op == Op::FloorMod) return r;
  if (e->op == Op::FloorDiv) return (*a - r) / *b;
  return std::nullopt;
}

std::string cell(const std::vector<int64_t>& index) {
  std::string out;
  for (int64_t i : index) out += (out.empty() ? "[" : ", ") + std::to_string(i);
  return out + "]";
}

/// The next cell of the box, row-major; false after the last one.
bool advance(std::vector<int64_t>& index, const std::vector<int64_t>& shape) {
  for (size_t d = index.size(); d-- > 0;) {
    if (++index[d] < shape[d]) return true;
    index[d] = 0;
  }
  return false;
}

}  // namespace

std::optional<Layout> layout_of(const IndexMap& map, const std::vector<Expr>& shape) {
  Layout layout;
  std::vector<Digits> outputs;
  std::vector<LoopRange> box;
  for (size_t k = 0; k < shape.size(); ++k) {
    box.push_back({map.inputs[k], i32(0), shape[k], ForKind::Serial});
  }
  bool digits = true;
  for (const Expr& e : map.outputs) {
    std::optional<Digits> read = Reader(map, shape).read(e);
    if (read && read->size() == 1 && read->front().extent == 0) {
      layout.shape.push_back(shape[read->front().input]);
    } else if (std::optional<int64_t> last = read ? most(*read) : std::nullopt; last && *last < (1LL << 31) - 1) {
      layout.shape.push_back(i32(*last + 1));
    } else {
      digits = false;
      std::optional<IndexRange> range = range_over(e, box);
      if (!range || !range->base.terms.empty()) return std::nullopt;
      Wide extent = range->base.constant + range->extent;
      if (extent <= 0 || extent > max_value(kInt32)) return std::nullopt;
      layout.shape.push_back(i32(extent));
    }
    outputs.push_back(read ? *read : Digits{});
  }
  // A digit below must not carry into the one above it, or the inverse reads the wrong ones.
  if (digits) layout.inverse = invert(outputs, shape);
  return layout;
}

std::string layout_fault(const IndexMap& map, const std::vector<int64_t>& shape,
                         const std::vector<int64_t>& new_shape) {
  constexpr Wide kCells = 1 << 20;
  Wide cells = 1, new_cells = 1;
  for (int64_t n : shape) cells *= std::clamp<int64_t>(n, 0, kCells);
  for (int64_t n : new_shape) new_cells *= std::clamp<int64_t>(n, 0, kCells);
  if (cells <= 0 || cells > kCells || new_cells <= 0 || new_cells > kCells) return "";
  std::map<std::vector<int64_t>, std::vector<int64_t>> source;
  std::vector<int64_t> index(shape.size(), 0);
  std::map<Var, int64_t> values;
  do {
    for (size_t k = 0; k < index.size(); ++k) values[map.inputs[k]] = index[k];
    std::vector<int64_t> image;
    for (const Expr& e : map.outputs) {
      std::optional<int64_t> v = value_of(e, values);
      if (!v) return "";
      image.push_back(*v);
    }
    auto [it, fresh] = source.emplace(image, index);
    if (!fresh) return "the cells " + cell(it->second) + " and " + cell(index) + " both go to " + cell(image);
  } while (advance(index, shape));
  std::vector<int64_t> at(new_shape.size(), 0);
  do {
    if (!source.count(at)) return "the first padded cell is " + cell(at);
  } while (advance(at, new_shape));
  return "";
}

}  // namespace hexproof
