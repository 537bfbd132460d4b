// Residues modulo p = 2^61 - 1. A word in a register or in memory is below 2^61 + 8 (a "loose" residue); it is made
// canonical only where it is looked at.
#include <llvm/IR/Module.h>

#include "backend/field/cells.h"

namespace hexproof::field {
namespace {

using fingerprint::Algebra;
using fingerprint::Label;

/// What compiled code calls.
void call_random(const Algebra* algebra, uint64_t label0, uint64_t label1, uint64_t swap_words, uint64_t* in,
                 uint64_t count, uint64_t* out, uint64_t words) {
  if (swap_words != 0) {  // two operands in any order: the smaller one first
    for (uint64_t i = 0; i < count; ++i) in[i] = field_canonical(in[i]);
    if (std::lexicographical_compare(in + swap_words, in + count, in, in + swap_words)) {
      std::swap_ranges(in, in + swap_words, in + swap_words);
    }
  }
  algebra->random({label0, label1}, in, count, out, words);
}
/// `bits` as Scalar has them, but that a NaN may have any payload.
void call_constant(const Algebra* algebra, uint64_t code, uint64_t bits, uint64_t type_bits, uint64_t* out) {
  Scalar value{{static_cast<TypeCode>(code), static_cast<uint8_t>(type_bits), 1}, bits};
  if (value.type.is_float()) value = float_scalar(value.type, value.d());
  algebra->constant(value, out);
}

class ResidueCode : public CellCode {
 public:
  using CellCode::CellCode;

  size_t words(DType type) const override { return algebra_.words(type); }
  llvm::Type* word_type() const override { return b_.getInt64Ty(); }
  std::vector<uint64_t> constant_words(const Scalar& value) const override {
    std::vector<uint64_t> out(words(value.type));
    algebra_.constant(value, out.data());
    return out;
  }

  Cell constant(const Scalar& value) override {
    Cell out;
    for (uint64_t word : constant_words(value)) out.push_back(b_.getInt64(word));
    return out;
  }

  Cell number(DType type, llvm::Value* value) override {
    llvm::Value* bits = nullptr;
    if (type.is_float()) {
      bits = b_.CreateBitCast(type.bits == 64 ? value : b_.CreateFPExt(value, b_.getDoubleTy()), b_.getInt64Ty());
    } else {
      bits = type.is_int() ? b_.CreateSExt(value, b_.getInt64Ty()) : b_.CreateZExt(value, b_.getInt64Ty());
    }
    size_t count = words(type);
    llvm::Value* out = scratch(count);
    pure(call(reinterpret_cast<uintptr_t>(&call_constant),
              {pointer(&algebra_), b_.getInt64(static_cast<uint64_t>(type.code)), bits, b_.getInt64(type.bits), out}));
    return read(out, count);
  }

  Cell ring(Op op, const Cell& a, const Cell& b) override {
    return each(a, b, [&](llvm::Value* x, llvm::Value* y) {
      if (op == Op::Add) return fold(b_.CreateAdd(x, y));
      if (op == Op::Mul) return fold(fold_product(x, y));
      return fold(b_.CreateSub(b_.CreateAdd(x, b_.getInt64(2 * kFieldPrime)), y));
    });
  }

  Cell tree(const Label& label, bool commutative, const Cell& a, const Cell& b) override {
    Cell out;
    for (size_t i = 0; i < a.size(); ++i) {
      Algebra::Coefficients c = algebra_.coefficients(label, static_cast<int>(i));
      out.push_back(bilinear(a[i], c.left, b_.CreateAdd(b[i], b_.getInt64(commutative ? c.left : c.right)), c.plus));
    }
    return out;
  }
  Cell tree(const Label& label, const Cell& a) override {
    Cell out;
    for (size_t i = 0; i < a.size(); ++i) {
      Algebra::Coefficients c = algebra_.coefficients(label, static_cast<int>(i));
      out.push_back(bilinear(a[i], c.left, b_.getInt64(c.right), c.plus));
    }
    return out;
  }

  Cell sum(const Cell& a, const Cell& b) override {
    Cell summand = ring(Op::Add, half(a, 0), half(b, 0));
    return join(summand, apply(algebra_.label("sum"), 0, summand, summand.size()));
  }
  Cell product(const Cell& a, const Cell& b) override {
    Cell factor = ring(Op::Mul, half(a, 1), half(b, 1));
    return join(apply(algebra_.label("product"), 0, factor, factor.size()), factor);
  }

  Cell random(const Label& label, bool commutative, const std::vector<Operand>& args, DType result) override {
    Cell all;
    for (const Operand& a : args) all.insert(all.end(), a.cell.begin(), a.cell.end());
    return apply(label, commutative ? args[0].cell.size() : 0, all, words(result));
  }

  llvm::Value* equal(const Cell& a, const Cell& b) override {
    auto canonical = [&](llvm::Value* x) {
      llvm::Value* prime = b_.getInt64(kFieldPrime);
      return b_.CreateSelect(b_.CreateICmpUGE(x, prime), b_.CreateSub(x, prime), x);
    };
    llvm::Value* out = b_.getTrue();
    for (size_t i = 0; i < a.size(); ++i) out = b_.CreateAnd(out, b_.CreateICmpEQ(canonical(a[i]), canonical(b[i])));
    return out;
  }

 private:
  template <class F>
  static Cell each(const Cell& a, const Cell& b, F f) {
    Cell out;
    for (size_t i = 0; i < a.size(); ++i) out.push_back(f(a[i], b[i]));
    return out;
  }
  static Cell half(const Cell& cell, size_t which) {
    auto middle = cell.begin() + static_cast<std::ptrdiff_t>(cell.size() / 2);
    return which == 0 ? Cell(cell.begin(), middle) : Cell(middle, cell.end());
  }
  static Cell join(Cell a, const Cell& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  /// Any word to a loose residue.
  llvm::Value* fold(llvm::Value* x) { return b_.CreateAdd(b_.CreateAnd(x, kFieldPrime), b_.CreateLShr(x, 61)); }
  /// A word, equal to x * y modulo p, below 2^63 + 2^61 + 2^7: the factors are below 2^62 + 2^5.
  llvm::Value* fold_product(llvm::Value* x, llvm::Value* y) {
    llvm::Type *word = b_.getInt64Ty(), *wide = b_.getInt128Ty();
    llvm::Value* product = b_.CreateMul(b_.CreateZExt(x, wide), b_.CreateZExt(y, wide), "", /*HasNUW=*/true);
    llvm::Value* low = b_.CreateAnd(b_.CreateTrunc(product, word), kFieldPrime);
    return b_.CreateAdd(low, b_.CreateTrunc(b_.CreateLShr(product, 61), word));
  }
  /// (a + p) * right + q, with `right` below 2^62 + 2^5.
  llvm::Value* bilinear(llvm::Value* a, uint64_t p, llvm::Value* right, uint64_t q) {
    return fold(b_.CreateAdd(fold_product(b_.CreateAdd(a, b_.getInt64(p)), right), b_.getInt64(q)));
  }

  Cell apply(const Label& label, size_t swap_words, const Cell& args, size_t count) {
    llvm::Value *in = scratch(args), *out = scratch(count);
    pure(call(reinterpret_cast<uintptr_t>(&call_random),
              {pointer(&algebra_), b_.getInt64(label[0]), b_.getInt64(label[1]), b_.getInt64(swap_words), in,
               b_.getInt64(args.size()), out, b_.getInt64(count)}));
    return read(out, count);
  }

  /// The program's memory is neither read nor written: cells stay in registers across the call.
  void pure(llvm::CallInst* result) {
    result->addFnAttr(llvm::Attribute::WillReturn);
    result->addFnAttr(llvm::Attribute::getWithMemoryEffects(b_.getContext(), llvm::MemoryEffects::argMemOnly()));
  }
  Cell read(llvm::Value* words, size_t count) {
    Cell out;
    for (size_t i = 0; i < count; ++i) {
      out.push_back(b_.CreateLoad(b_.getInt64Ty(), b_.CreateConstGEP1_64(b_.getInt64Ty(), words, i)));
    }
    return out;
  }
};

}  // namespace

std::unique_ptr<CellCode> residue_code(llvm::IRBuilder<>& builder, const fingerprint::Algebra& algebra) {
  return std::make_unique<ResidueCode>(builder, algebra);
}

}  // namespace hexproof::field
