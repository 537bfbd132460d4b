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

/// void* memset(void* to, int value, size_t n), eight bytes at a time where everything is a multiple of eight.
/// memcpy and memmove are alike; `backwards` copies from the end where the ranges may overlap that way.
enum class Memory : uint8_t { Set, Copy, Move };

void add_memory(llvm::Module& module, const std::string& name, Memory kind) {
  llvm::IRBuilder<> b(module.getContext());
  llvm::Type *i32 = b.getInt32Ty(), *pointer = b.getPtrTy();
  llvm::Function* f = begin(module, b, name, pointer, {pointer, kind == Memory::Set ? i32 : pointer, i32});
  llvm::Value *to = f->getArg(0), *from = f->getArg(1);
  Bits n{&b, f->getArg(2)};
  Bits low = Bits{&b, b.CreatePtrToInt(to, i32)} | n;
  if (kind != Memory::Set) low = low | Bits{&b, b.CreatePtrToInt(from, i32)};
  // `repeat` counts down, so cells go from the last to the first; a move needs that order when it goes up.
  auto run = [&](unsigned bytes, bool up) {
    llvm::Type* unit = b.getIntNTy(bytes * 8);
    Bits count = n >> (bytes == 8 ? 3 : 0);
    Bits value{&b, nullptr};
    if (kind == Memory::Set) {
      value.v = b.CreateZExtOrTrunc(b.CreateAnd(from, 255), unit);
      if (bytes == 8) value = value * value.of(0x0101010101010101u);
    }
    repeat(count, {}, [&](const std::vector<Bits>&, Bits place) {
      Bits at = up ? count - 1 - place : place;
      llvm::Value* cell =
          kind == Memory::Set ? value.v : b.CreateAlignedLoad(unit, b.CreateGEP(unit, from, at.v), llvm::Align(bytes));
      b.CreateAlignedStore(cell, b.CreateGEP(unit, to, at.v), llvm::Align(bytes));
      return std::vector<Bits>{};
    });
    b.CreateRet(to);
  };
  auto branch = [&](llvm::Value* condition, const std::function<void()>& yes, const std::function<void()>& no) {
    auto* a = llvm::BasicBlock::Create(module.getContext(), "yes", f);
    auto* z = llvm::BasicBlock::Create(module.getContext(), "no", f);
    b.CreateCondBr(condition, a, z);
    b.SetInsertPoint(a);
    yes();
    b.SetInsertPoint(z);
    no();
  };
  auto both_widths = [&](bool up) { branch(((low & 7) == 0).v, [&] { run(8, up); }, [&] { run(1, up); }); };
  if (kind != Memory::Move) return both_widths(true);
  branch(
      b.CreateICmpULT(to, from), [&] { both_widths(true); }, [&] { both_widths(false); });
}

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
  add_memory(module, "memset", Memory::Set);
  add_memory(module, "memcpy", Memory::Copy);
  add_memory(module, "memmove", Memory::Move);
  add_memory(module, "__hexagon_memcpy_likely_aligned_min32bytes_mult8bytes", Memory::Copy);
}

}  // namespace hexproof::hexagon
