// Cells that remember how they were computed, so that an operation which granted flags leave open (docs/semantics.md,
// "Fast-math flags") can be given each of its values: the domain of fuzz/granted/outcomes.h. It is written from the
// page alone, and shares nothing with how rules and `equiv` see such operations.
#pragma once
#include <memory>
#include <vector>

#include "ir/base/early_exit.h"
#include "ir/function.h"
#include "ir/interpreter/concrete.h"

namespace hexproof {

struct Made;

/// A value, and how it came about where that can be seen through.
struct OpenCell {
  Scalar value;
  std::shared_ptr<const Made> made = {};
};

/// The operations that made a value.
struct Made {
  /// Products that it is, rounded: of these a sum may take one exactly (contract).
  std::vector<std::pair<Scalar, Scalar>> products = {};
  struct Part {
    OpenCell cell;
    bool negated = false;
  };
  /// As a sum or as a product: what it is made of, flat, a sum's terms with their signs (reassoc). Both, where one of
  /// its operations gives an operand as it is.
  enum Kind : uint8_t { Sum, Product };
  std::vector<Part> parts[2] = {};
  /// Of a value that was cast to a wider format: what it was before. Cast back, it is that.
  std::shared_ptr<const OpenCell> narrow = {};
};

/// Which value of several; each run answers in its own way.
class Chooser {
 public:
  /// A number in [0, n); n >= 1.
  size_t choose(size_t n);
  /// Goes on to the next row of answers; false when there is none.
  bool next();

 private:
  std::vector<std::pair<size_t, size_t>> taken_;  // the answer, of how many
  size_t at_ = 0;
};

/// Too much to enumerate.
struct TooManyValues : EarlyExit {
  TooManyValues() : EarlyExit("too many values to enumerate") {}
};

class OpenDomain {
 public:
  using Cell = OpenCell;
  /// The domain computes floats that depend on no buffer, too.
  static constexpr bool kComputesNumbers = true;
  OpenDomain(const PrimFunc& func, Chooser& chooser)
      : contract_(func.granted("contract")),
        reassoc_(func.granted("reassoc")),
        nsz_(func.granted("nsz")),
        chooser_(chooser) {}

  Cell constant(const Scalar& s) { return {s}; }
  Cell unary(Op op, const Cell& a, DType) { return {apply_unary(op, a.value)}; }
  Cell binary(Op op, const Cell& a, const Cell& b, DType type);
  Cell cast(DType to, const Cell& a, DType from);
  Cell select(const Cell& c, const Cell& yes, const Cell& no, DType) { return c.value.truth() ? yes : no; }
  Cell call(const std::string& name, DType type, const std::vector<Cell>& args);
  Cell undef(DType) { throw TooManyValues{}; }
  std::optional<Scalar> number(const Cell& a, DType, const std::string&) { return a.value; }
  void assume(const Cell&) {}

  /// Did an operation give a NaN or an infinity?
  bool special() const { return special_; }

 private:
  Cell sum(Op op, const Cell& a, const Cell& b);
  Cell product(const Cell& a, const Cell& b);
  Cell quotient(const Cell& a, Cell b);
  /// One of the values; the first is what IEEE gives.
  Scalar one_of(std::vector<Scalar> values);
  Cell either_zero(const Cell& a);

  bool contract_, reassoc_, nsz_;
  Chooser& chooser_;
  bool special_ = false;
};

}  // namespace hexproof
