// Integer division by shift and subtract, and memory routines.
#include "backend/hexagon/bits.h"
#include "backend/hexagon/runtime.h"

namespace hexproof::hexagon {

llvm::Function* begin(llvm::Module& module, llvm::IRBuilder<>& b, const std::string& name, llvm::Type* result,
                      const std::vector<llvm::Type*>& arguments) {
  auto* type = llvm::FunctionType::get(result, arguments, false);
  auto* f = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  f->addFnAttr(llvm::Attribute::NoUnwind);
  f->addFnAttr("no-builtins");  // a loop of memset is not to become a call of memset
  b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", f));
  return f;
}

namespace {

struct Division {
  Bits quotient, remainder;
};

Division divide_unsigned(Bits x, Bits y) {
  // The divisor moves up to the dividend's highest bit, then down to its own place; a quotient bit at each place.
  Bits above = y.leading_zeros() - x.leading_zeros();
  Bits places = choose(x < y, x.of(0), above + 1);
  std::vector<Bits> end = repeat(places, {x.of(0), x}, [&](const std::vector<Bits>& s, Bits place) {
    Bits shifted = y << place;
    Bits fits = s[1] >= shifted;
    return std::vector<Bits>{(s[0] << 1) | flag(fits, s[0]), s[1] - choose(fits, shifted, x.of(0))};
  });
  return {end[0], end[1]};
}

Bits negate_if(Bits condition, Bits x) { return choose(condition, x.of(0) - x, x); }

void add_division(llvm::Module& module, const std::string& name, unsigned width, bool with_sign, bool remainder) {
  llvm::IRBuilder<> b(module.getContext());
  llvm::Type* type = b.getIntNTy(width);
  llvm::Function* f = begin(module, b, name, type, {type, type});
  Bits x{&b, f->getArg(0)}, y{&b, f->getArg(1)};
  Bits x_negative = x.is_negative(), y_negative = y.is_negative();
  if (with_sign) x = negate_if(x_negative, x), y = negate_if(y_negative, y);
  Division d = divide_unsigned(x, y);
  Bits result = remainder ? d.remainder : d.quotient;
  if (with_sign) result = negate_if(remainder ? x_negative : x_negative ^ y_negative, result);
  b.CreateRet(result.v);
}

/// void* memset(void* to, int value, size_t n); memcpy and memmove are alike. By vectors of 128 bytes, eight at a time
/// as long as there are so many; what is left eight bytes at a time where everything is a multiple of eight, else byte
/// by byte. A move goes from the end where the ranges may overlap that way.
enum class Memory : uint8_t { Set, Copy, Move };

class MemoryRoutine {
 public:
  MemoryRoutine(llvm::Module& module, const std::string& name, Memory kind) : b_(module.getContext()), kind_(kind) {
    llvm::Type *i32 = b_.getInt32Ty(), *pointer = b_.getPtrTy();
    f_ = begin(module, b_, name, pointer, {pointer, kind == Memory::Set ? i32 : pointer, i32});
    to_ = f_->getArg(0), from_ = f_->getArg(1), n_ = {&b_, f_->getArg(2)};
    if (kind != Memory::Move) {
      all(true);
    } else {
      branch(
          b_.CreateICmpULT(to_, from_), [&] { all(true); }, [&] { all(false); });
    }
  }

 private:
  void branch(llvm::Value* condition, const std::function<void()>& yes, const std::function<void()>& no) {
    auto* a = llvm::BasicBlock::Create(b_.getContext(), "yes", f_);
    auto* z = llvm::BasicBlock::Create(b_.getContext(), "no", f_);
    b_.CreateCondBr(condition, a, z);
    b_.SetInsertPoint(a);
    yes();
    b_.SetInsertPoint(z);
    no();
  }

  /// `count` times `units` neighbours of `type`, from byte `first` on; upwards or downwards. All of a group are loaded
  /// before one is stored.
  void run(llvm::Type* type, unsigned units, uint64_t align, Bits first, Bits count, bool up) {
    uint64_t bytes = type->getPrimitiveSizeInBits().getFixedValue() / 8;
    Bits value{&b_, nullptr};
    if (kind_ == Memory::Set) {
      unsigned width = type->getScalarSizeInBits();
      value = Bits{&b_, from_}.resize(8).resize(width);
      value = value * value.of(~uint64_t{0} / 255 >> (64 - width));
      if (type->isVectorTy()) value.v = b_.CreateVectorSplat(32, value.v);
    }
    // `repeat` counts down.
    repeat(count, {}, [&](const std::vector<Bits>&, Bits place) {
      Bits at = first + (up ? count - 1 - place : place) * first.of(bytes * units);
      auto address = [&](llvm::Value* base, unsigned k) {
        return b_.CreateGEP(b_.getInt8Ty(), base, (at + bytes * k).v);
      };
      std::vector<llvm::Value*> cells(units, value.v);
      for (unsigned k = 0; k < units && kind_ != Memory::Set; ++k) {
        cells[k] = b_.CreateAlignedLoad(type, address(from_, k), llvm::Align(align));
      }
      for (unsigned k = 0; k < units; ++k) b_.CreateAlignedStore(cells[k], address(to_, k), llvm::Align(align));
      return std::vector<Bits>{};
    });
  }

  void all(bool up) {
    Bits low{&b_, b_.CreatePtrToInt(to_, b_.getInt32Ty())};
    if (kind_ != Memory::Set) low = low | Bits{&b_, b_.CreatePtrToInt(from_, b_.getInt32Ty())};
    auto* vector = llvm::FixedVectorType::get(b_.getInt32Ty(), 32);
    constexpr unsigned kGroup = 8;
    Bits grouped = (n_ >> 10) << 10, in_vectors = (n_ >> 7) << 7;
    auto vectors = [&](uint64_t align) {
      auto groups = [&] { run(vector, kGroup, align, n_.of(0), n_ >> 10, up); };
      auto single = [&] { run(vector, 1, align, grouped, (n_ >> 7) & 7, up); };
      up ? (groups(), single()) : (single(), groups());
    };
    auto rest = [&](const std::function<void()>& then) {
      auto left = [&](unsigned bytes) {
        run(b_.getIntNTy(bytes * 8), 1, bytes, in_vectors, (n_ & 127) >> (bytes == 8 ? 3 : 0), up), then();
      };
      branch((((low | n_) & 7) == 0).v, [&] { left(8); }, [&] { left(1); });
    };
    auto both = [&](const std::function<void()>& then) {
      branch(((low & 127) == 0).v, [&] { vectors(128), then(); }, [&] { vectors(1), then(); });
    };
    auto done = [&] { b_.CreateRet(to_); };
    up ? both([&] { rest(done); }) : rest([&] { both(done); });
  }

  llvm::IRBuilder<> b_;
  llvm::Function* f_ = nullptr;
  Memory kind_;
  llvm::Value *to_ = nullptr, *from_ = nullptr;
  Bits n_;
};

}  // namespace

void add_integer_division(llvm::Module& module) {
  for (unsigned width : {32u, 64u}) {
    std::string suffix = width == 32 ? "si3" : "di3";
    add_division(module, "__hexagon_div" + suffix, width, true, false);
    add_division(module, "__hexagon_mod" + suffix, width, true, true);
    add_division(module, "__hexagon_udiv" + suffix, width, false, false);
    add_division(module, "__hexagon_umod" + suffix, width, false, true);
  }
}

void add_memory_routines(llvm::Module& module) {
  MemoryRoutine(module, "memset", Memory::Set);
  MemoryRoutine(module, "memcpy", Memory::Copy);
  MemoryRoutine(module, "memmove", Memory::Move);
  MemoryRoutine(module, "__hexagon_memcpy_likely_aligned_min32bytes_mult8bytes", Memory::Copy);
}

}  // namespace hexproof::hexagon
