// Expressions over cells.
#include <llvm/IR/Constants.h>

#include "backend/field/emitter.h"
#include "ir/interpreter/math.h"
#include "ir/text/text.h"

namespace hexproof::field {

void Emitter::unsupported(const std::string& message, const std::string& hint) const {
  throw Unsupported(where_, message, hint);
}

Cell Emitter::lift(const Value& v) {
  if (v.data) return v.words;
  if (v.type.is_handle()) unsupported("a handle as a value");
  llvm::Value* value = v.words[0];
  if (auto* i = llvm::dyn_cast<llvm::ConstantInt>(value)) {
    bool is_signed = v.type.is_int();
    return code_.constant({v.type, is_signed ? static_cast<uint64_t>(i->getSExtValue()) : i->getZExtValue()});
  }
  if (auto* f = llvm::dyn_cast<llvm::ConstantFP>(value)) {
    llvm::APFloat real = f->getValueAPF();
    bool lost = false;
    real.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &lost);
    return code_.constant(float_scalar(v.type, real.convertToDouble()));
  }
  return code_.number(v.type, value);
}

llvm::Value* Emitter::number(const Expr& e, const std::string& where) {
  Value v = scalar(e);
  if (v.data) {
    unsupported(where + " that depends on the content of a buffer: " + print(e),
                "a fingerprint has no values to steer by; T.Select of both values is supported");
  }
  return v.words[0];
}

llvm::Value* Emitter::index(const Expr& e, const std::string& where) {
  llvm::Value* value = number(e, where);
  llvm::Type* word = b_.getInt64Ty();
  return e->dtype.is_uint() ? b_.CreateZExt(value, word) : b_.CreateSExt(value, word);
}

Emitter::Value Emitter::binary(Op op, const Value& a, const Value& b) {
  DType type = is_comparison(op) ? kBool : a.type;
  if (a.data || b.data) return {type, true, operations_.binary(op, lift(a), lift(b), a.type)};
  return {type, false, {numbers_.binary(op, a.type, a.words[0], b.words[0], false)}};
}

Emitter::Value Emitter::select(const Value& c, const Value& yes, const Value& no) {
  DType type = yes.type;
  if (c.data) return {type, true, operations_.select(lift(c), lift(yes), lift(no), type)};
  if (!yes.data && !no.data) return {type, false, {b_.CreateSelect(c.words[0], yes.words[0], no.words[0])}};
  Cell a = lift(yes), b = lift(no);
  for (size_t i = 0; i < a.size(); ++i) a[i] = b_.CreateSelect(c.words[0], a[i], b[i]);
  return {type, true, a};
}

Emitter::Lanes Emitter::eval(const Expr& e) {
  const size_t lanes = e->dtype.lanes;
  const DType element = e->dtype.element();
  auto at = [](const Lanes& list, size_t i) -> const Value& { return list[list.size() == 1 ? 0 : i]; };
  auto each = [&](auto f) {
    Lanes out;
    for (size_t i = 0; i < lanes; ++i) out.push_back(f(i));
    return out;
  };
  switch (e->op) {
    case Op::Var: {
      auto it = vars_.find(e->var().id());
      if (it == vars_.end()) unsupported("the variable '" + e->var().name() + "', which has no value here");
      return it->second;
    }
    case Op::IntImm:
    case Op::FloatImm:
      return {{element, false, {numbers_.constant(e->dtype, e)}}};
    case Op::Undef:
      unsupported("T.undef", "a fingerprint compares one value of each cell, and undef has many; try `symbolic`");
    case HEXPROOF_CASES(Arithmetic):
    case HEXPROOF_CASES(Comparison):
    case Op::And:
    case Op::Or:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case HEXPROOF_CASES(Shift): {
      Lanes a = eval(e->args[0]), b = eval(e->args[1]);
      return each([&](size_t i) {
        const Value &x = at(a, i), &y = at(b, i);
        // Over the field nothing overflows.
        if (may_wrap(e->op, e->dtype) && !e->wraps && (x.data || y.data)) unsupported("T.nowrap on a buffer's content");
        return binary(e->op, x, y);
      });
    }
    case Op::Not:
    case Op::BitNot: {
      Lanes a = eval(e->args[0]);
      return each([&](size_t i) -> Value {
        const Value& v = at(a, i);
        if (v.data) return {element, true, operations_.unary(e->op, v.words, element)};
        return {element, false, {b_.CreateNot(v.words[0])}};
      });
    }
    case Op::Select: {
      Lanes c = eval(e->args[0]), yes = eval(e->args[1]), no = eval(e->args[2]);
      return each([&](size_t i) { return select(at(c, i), at(yes, i), at(no, i)); });
    }
    case Op::IfThenElse:
      return choice(e);
    case Op::Cast: {
      Lanes a = eval(e->args[0]);
      return each([&](size_t i) -> Value {
        const Value& v = at(a, i);
        if (v.data) return {element, true, operations_.cast(element, v.words, v.type)};
        return {element, false, {numbers_.cast(element, v.type, v.words[0])}};
      });
    }
    case Op::Let:
      vars_[e->args[0]->var().id()] = eval(e->args[1]);
      return eval(e->args[2]);
    case Op::Load:
      return load(e);
    case Op::Ramp: {
      Value base = scalar(e->args[0]), stride = scalar(e->args[1]);
      return each([&](size_t i) {
        Value lane{element, false, {llvm::ConstantInt::get(numbers_.type(element), i)}};
        return binary(Op::Add, base, binary(Op::Mul, stride, lane));
      });
    }
    case Op::Broadcast: {
      Lanes a = eval(e->args[0]);
      return each([&](size_t i) { return a[i % a.size()]; });
    }
    case Op::Likely:
      return eval(e->args[0]);
    case Op::Call:
      return call(e);
    case Op::StringImm:
    case HEXPROOF_CASES(ProofOnly):
      break;
  }
  unsupported("a value of the kind " + std::string(info(e->op).name));
}

Emitter::Lanes Emitter::choice(const Expr& e) {
  return either(
      number(e->args[0], "the condition of T.if_then_else"), [&] { return eval(e->args[1]); },
      [&] { return eval(e->args[2]); });
}

Emitter::Lanes Emitter::either(llvm::Value* condition, const std::function<Lanes()>& yes,
                               const std::function<Lanes()>& no) {
  llvm::LLVMContext& context = module_.getContext();
  auto* yes_block = llvm::BasicBlock::Create(context, "yes", function_);
  auto* no_block = llvm::BasicBlock::Create(context, "no", function_);
  auto* end = llvm::BasicBlock::Create(context, "chosen", function_);
  b_.CreateCondBr(condition, yes_block, no_block);
  b_.SetInsertPoint(yes_block);
  Lanes a = yes();
  llvm::BasicBlock* yes_end = b_.GetInsertBlock();
  b_.SetInsertPoint(no_block);
  Lanes b = no();
  llvm::BasicBlock* no_end = b_.GetInsertBlock();
  auto leave = [&](llvm::BasicBlock* from, Lanes& mine, const Lanes& others) {
    b_.SetInsertPoint(from);
    for (size_t i = 0; i < mine.size(); ++i) {
      if (others[i].data && !mine[i].data) mine[i] = {mine[i].type, true, lift(mine[i])};
    }
    b_.CreateBr(end);
  };
  leave(yes_end, a, b), leave(no_end, b, a);
  b_.SetInsertPoint(end);
  Lanes out;
  for (size_t i = 0; i < a.size(); ++i) {
    Value v{a[i].type, a[i].data, {}};
    for (size_t k = 0; k < a[i].words.size(); ++k) {
      llvm::PHINode* phi = b_.CreatePHI(a[i].words[k]->getType(), 2);
      phi->addIncoming(a[i].words[k], yes_end), phi->addIncoming(b[i].words[k], no_end);
      v.words.push_back(phi);
    }
    out.push_back(v);
  }
  return out;
}

Emitter::Lanes Emitter::call(const Expr& e) {
  std::vector<Lanes> args;
  for (const Expr& arg : e->args) {
    if (arg->dtype.is_handle() || arg->op == Op::StringImm) unsupported("the call of " + e->text());
    args.push_back(eval(arg));
  }
  if (e->dtype.is_handle() || !acts_on_each_lane(*e)) unsupported("the call of " + e->text());
  Lanes out;
  for (size_t i = 0; i < e->dtype.lanes; ++i) {
    std::vector<CellCode::Operand> cells;
    for (const Lanes& a : args) {
      const Value& v = a[a.size() == 1 ? 0 : i];
      cells.push_back({lift(v), v.type});
    }
    out.push_back({e->dtype.element(), true, operations_.call(e->text(), cells, e->dtype.element())});
  }
  return out;
}

const Emitter::Memory& Emitter::memory(const Buffer& buffer) {
  auto it = memory_.find(buffer->data.id());
  if (it == memory_.end()) unsupported("the buffer '" + buffer->name + "', whose memory does not exist here");
  if (it->second.element != buffer->dtype.element()) {
    unsupported("memory of " + it->second.element.str() + " seen as " + buffer->dtype.element().str());
  }
  return it->second;
}

std::vector<llvm::Value*> Emitter::addresses(const Buffer& buffer, const std::vector<Expr>& indices) {
  const Memory& held = memory(buffer);
  std::vector<Lanes> parts;
  size_t count = 1;
  for (const Expr& e : indices) {
    parts.push_back(eval(e));
    count = std::max(count, parts.back().size());
  }
  llvm::Type* word = b_.getInt64Ty();
  auto wide = [&](const Value& v) {
    return v.type.is_uint() ? b_.CreateZExt(v.words[0], word) : b_.CreateSExt(v.words[0], word);
  };
  std::vector<llvm::Value*> sizes;  // strides, or extents of a compact buffer
  for (const Expr& e : buffer->strides.empty() ? buffer->shape : buffer->strides) sizes.push_back(index(e, "a layout"));
  llvm::Value* offset = buffer->elem_offset ? index(buffer->elem_offset, "an offset") : nullptr;
  std::vector<llvm::Value*> out;
  const size_t width = code_.words(held.element);
  for (size_t k = 0; k < count; ++k) {
    llvm::Value* flat = nullptr;
    for (size_t i = 0; i < indices.size(); ++i) {
      const Value& v = parts[i][parts[i].size() == 1 ? 0 : k];
      if (v.data) {
        unsupported("an index that depends on the content of a buffer: " + print(indices[i]),
                    "only indices over loop variables and constants are supported");
      }
      if (!buffer->strides.empty()) {
        llvm::Value* term = b_.CreateMul(wide(v), sizes[i]);
        flat = flat ? b_.CreateAdd(flat, term) : term;
      } else {
        flat = flat ? b_.CreateAdd(b_.CreateMul(flat, sizes[i]), wide(v)) : wide(v);
      }
    }
    if (!flat) flat = b_.getInt64(0);
    if (offset) flat = b_.CreateAdd(flat, offset);
    const int lanes = buffer->dtype.lanes;
    for (int lane = 0; lane < lanes; ++lane) {
      llvm::Value* cell = lanes == 1 ? flat
                                     : b_.CreateAdd(b_.CreateMul(flat, b_.getInt64(static_cast<uint64_t>(lanes))),
                                                    b_.getInt64(static_cast<uint64_t>(lane)));
      out.push_back(b_.CreateGEP(code_.word_type(), held.base, b_.CreateMul(cell, b_.getInt64(width))));
    }
  }
  return out;
}

Emitter::Lanes Emitter::load(const Expr& e) {
  const Memory held = memory(e->buffer());
  Lanes out;
  for (llvm::Value* address : addresses(e->buffer(), e->args)) {
    Value v{held.element, true, {}};
    for (size_t i = 0; i < code_.words(held.element); ++i) {
      v.words.push_back(b_.CreateLoad(code_.word_type(), b_.CreateConstGEP1_64(code_.word_type(), address, i)));
    }
    if (held.watched) code_.watch(v.words, flag_);
    out.push_back(v);
  }
  return out;
}

}  // namespace hexproof::field
