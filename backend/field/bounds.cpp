// Degrees and norms, as doubles.
#include "verify/equiv/fingerprint/bounds.h"

#include <limits>

#include "backend/field/cells.h"

namespace hexproof::field {
namespace {

using fingerprint::CellBounds;
using fingerprint::Label;

class BoundCode : public CellCode {
 public:
  BoundCode(llvm::IRBuilder<>& builder, const fingerprint::Algebra& algebra, bool degrees_only)
      : CellCode(builder, algebra), degrees_only_(degrees_only) {}

  size_t words(DType) const override { return degrees_only_ ? 1 : fingerprint::kBoundWords; }
  llvm::Type* word_type() const override { return b_.getDoubleTy(); }
  std::vector<uint64_t> constant_words(const Scalar& value) const override {
    CellBounds c = bounds_of(value);
    std::vector<uint64_t> out;
    for (double d : {c.degree, c.norm, c.applications, c.most_degree, c.most_norm}) {
      out.push_back(std::bit_cast<uint64_t>(d));
    }
    out.resize(words(value.type));
    return out;
  }

  Cell constant(const Scalar& value) override {
    Cell out;
    for (uint64_t word : constant_words(value)) out.push_back(real(std::bit_cast<double>(word)));
    return out;
  }
  Cell number(DType type, llvm::Value* value) override {
    Cell out = constant(zero_scalar(type));
    if (algebra_.world(type) != fingerprint::World::Ring || degrees_only_) return out;
    llvm::Value* magnitude =
        type.is_int() ? b_.CreateSIToFP(value, b_.getDoubleTy()) : b_.CreateUIToFP(value, b_.getDoubleTy());
    // What is no number is a variable, of norm 1; an unsigned number may be centred to a smaller one.
    llvm::Value *limit = real(algebra_.largest_constant()),
                *norm = larger(up(b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, magnitude)), real(1));
    out[0] = real(1);
    out[1] = b_.CreateSelect(b_.CreateFCmpOGT(norm, limit), limit, norm);
    return out;
  }

  Cell ring(Op op, const Cell& a, const Cell& b) override {
    beyond_trees("an operation on integers");
    Cell out = both(a, b);
    out[0] = op == Op::Mul ? up(b_.CreateFAdd(a[0], b[0])) : larger(a[0], b[0]);
    out[1] = up(op == Op::Mul ? b_.CreateFMul(a[1], b[1]) : b_.CreateFAdd(a[1], b[1]));
    return out;
  }
  Cell sum(const Cell& a, const Cell& b) override {
    beyond_trees("a sum that may be reassociated");
    Cell out = after_function(both(a, b), {a, b});
    out[1] = up(b_.CreateFAdd(a[1], b[1]));
    out[4] = larger(out[4], out[1]);
    return out;
  }
  Cell product(const Cell& a, const Cell& b) override {
    beyond_trees("a product that may be reassociated");
    Cell out = after_function(both(a, b), {a, b});
    out[0] = up(b_.CreateFAdd(a[0], b[0]));
    out[3] = larger(out[3], out[0]);
    return out;
  }
  Cell tree(const Label&, bool, const Cell& a, const Cell& b) override {
    if (degrees_only_) return {b_.CreateFAdd(a[0], b[0])};
    Cell out = both(a, b);
    out[0] = up(b_.CreateFAdd(a[0], b[0]));
    return out;
  }
  Cell tree(const Label&, const Cell& a) override {
    Cell out = a;
    out[0] = degrees_only_ ? b_.CreateFAdd(a[0], real(1)) : up(b_.CreateFAdd(a[0], real(1)));
    return out;
  }
  Cell random(const Label&, bool, const std::vector<Operand>& args, DType) override {
    beyond_trees("a random function");
    Cell out{real(1), real(1), real(0), real(0), real(0)};
    std::vector<Cell> cells;
    for (const Operand& a : args) out = both(out, a.cell), cells.push_back(a.cell);
    return after_function(out, cells);
  }
  void watch(const Cell& loaded, llvm::Value* flag) override {
    llvm::Value* raised = b_.CreateFCmpOEQ(loaded[0], real(std::numeric_limits<double>::infinity()));
    llvm::Value* before = b_.CreateLoad(b_.getInt64Ty(), flag);
    b_.CreateStore(b_.CreateOr(before, b_.CreateZExt(raised, b_.getInt64Ty())), flag);
  }

 private:
  CellBounds bounds_of(const Scalar& value) const {
    if (algebra_.world(value.type) != fingerprint::World::Ring || !algebra_.is_number(value)) return {};
    Wide number = fingerprint::centred(value), magnitude = number < 0 ? -number : number;
    // At least 1: an infinite norm times zero would be a NaN, and lost.
    return {.degree = 0, .norm = std::max(1.0, static_cast<double>(magnitude) * fingerprint::kRoundUp)};
  }
  void beyond_trees(const char* what) const {
    HEXPROOF_CHECK(!degrees_only_, std::string(what) + " where only degrees are counted");
  }

  llvm::Value* real(double value) { return llvm::ConstantFP::get(b_.getDoubleTy(), value); }
  /// An upper bound of what was rounded to nearest once.
  llvm::Value* up(llvm::Value* value) { return b_.CreateFMul(value, real(fingerprint::kRoundUp)); }
  llvm::Value* larger(llvm::Value* x, llvm::Value* y) { return b_.CreateSelect(b_.CreateFCmpOGT(x, y), x, y); }

  /// Degree and norm 1, the rest as an operation on a and b has it.
  Cell both(const Cell& a, const Cell& b) {
    return {real(1), real(1), up(b_.CreateFAdd(a[2], b[2])), larger(a[3], b[3]), larger(a[4], b[4])};
  }
  /// One more application of a random function, to these.
  Cell after_function(Cell out, const std::vector<Cell>& args) {
    out[2] = up(b_.CreateFAdd(out[2], real(1)));
    for (const Cell& a : args) out[3] = larger(out[3], a[0]), out[4] = larger(out[4], a[1]);
    return out;
  }

  bool degrees_only_;
};

}  // namespace

std::unique_ptr<CellCode> bound_code(llvm::IRBuilder<>& builder, const fingerprint::Algebra& algebra,
                                     bool degrees_only) {
  return std::make_unique<BoundCode>(builder, algebra, degrees_only);
}

}  // namespace hexproof::field
