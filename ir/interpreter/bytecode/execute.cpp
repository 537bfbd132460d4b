// The dispatch loop of the fast way of running.
#include <algorithm>
#include <limits>

#include "ir/float_format.h"
#include "ir/interpreter/bytecode/bytecode.h"
#include "ir/interpreter/math.h"

namespace hexproof::fast {
namespace {

/// Unary, binary, cast and call by scalar_ops.h; false on a fault.
bool any(const Bytecode& program, const Instr& i, std::vector<Register>& r) {
  const AnyOperation& op = program.operations[static_cast<size_t>(i.imm)];
  ScalarResult result;
  if (i.code == Code::AnyUnary) {
    result.value = apply_unary(op.op, to_scalar(r[i.a], op.type));
  } else if (i.code == Code::AnyBinary) {
    result = apply_binary(op.op, to_scalar(r[i.a], op.type), to_scalar(r[i.b], op.type), op.mode);
  } else if (i.code == Code::AnyCast) {
    result = apply_cast(op.type, to_scalar(r[i.a], op.from));
  } else {
    std::vector<Scalar> args;
    for (const auto& [reg, type] : op.args) args.push_back(to_scalar(r[reg], type));
    std::optional<Scalar> value = apply_call(op.name, op.type, args);
    if (!value) return false;
    result.value = *value;
  }
  if (result) r[i.dst] = from_scalar(result.value);
  return bool(result);
}

template <class T>
T read(const MemoryState& m, int64_t at) {
  T value;
  std::memcpy(&value, m.data + at * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}
template <class T>
void write(MemoryState& m, int64_t at, T value) {
  std::memcpy(m.data + at * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
  m.filled[at] = 1;
}

}  // namespace

Outcome execute(const Bytecode& program, std::vector<Register>& registers, std::vector<MemoryState>& memories,
                const RunOptions& options) {
  static const void* const kLabels[] = {
#define INSTR(name) &&label_##name,
      HEXPROOF_INSTRUCTIONS(INSTR)
#undef INSTR
  };
  ParallelStack parallel;
  FlightQueues flights;
  Outcome out;
  uint64_t steps = 0;
  const uint64_t limit = options.max_steps ? options.max_steps : std::numeric_limits<uint64_t>::max();
  Register* const r = registers.data();
  MemoryState* const m = memories.data();
  const Instr* i = program.code.data();

#define GO goto* kLabels[static_cast<size_t>(i->code)]
#define NEXT \
  do {       \
    ++i;     \
    GO;      \
  } while (0)
#define RULE(name, body)   \
  label_##name : { body; } \
  NEXT;
#define AT static_cast<int64_t>(r[i->a].u * static_cast<uint64_t>(i->imm) + r[i->b].u)
#define LOAD(name, field, type)               \
  label_##name : {                            \
    const MemoryState& memory = m[i->memory]; \
    const int64_t at = AT;                    \
    if (!memory.filled[at]) goto fault;       \
    r[i->dst].field = read<type>(memory, at); \
  }                                           \
  NEXT;
#define STORE(name, value) RULE(name, write(m[i->memory], AT, value))

  GO;
label_Halt:
  out.kind = steps > limit ? Outcome::OutOfSteps : Outcome::Done;
  out.steps = steps;
  return out;
label_Fault:
fault:
  out.kind = Outcome::Fault;
  out.site = i->c;
  out.steps = steps;
  return out;
label_Jump:
  i += i->imm;
  GO;
label_BranchZero:
  i += r[i->a].u == 0 ? i->imm : 1;
  GO;
  RULE(Steps, steps += static_cast<uint64_t>(i->imm2))
label_ForBegin:
  r[i->c].i = r[i->b].i;
  r[i->dst].i = r[i->a].i;
  i += r[i->b].i <= 0 ? i->imm : 1;
  GO;
label_ForNext:
  steps += static_cast<uint64_t>(i->imm2);
  if (steps > limit) {
    out.kind = Outcome::OutOfSteps;
    out.steps = steps;
    return out;
  }
  if (--r[i->c].i > 0) {
    ++r[i->dst].i;
    i += i->imm;
    GO;
  }
  NEXT;
  RULE(ParallelEnter, parallel.enter(program.loop_names[static_cast<size_t>(i->imm)]))
  RULE(ParallelIteration, parallel.iteration(r[i->a].i - r[i->b].i))
  RULE(ParallelLeave, parallel.leave())
label_Touch : {
  MemoryState& memory = m[i->memory];
  out.conflict = memory.shadow.touch(AT, memory.size, i->imm2 != 0, parallel);
  if (out.conflict) {
    out.kind = Outcome::Race;
    out.site = i->c;
    out.steps = steps;
    return out;
  }
}
  NEXT;
label_GroupEnter : {
  const Site& site = program.sites[static_cast<size_t>(i->c)];
  StartedGroup group{site.stmt, {}};
  for (const Scope* s = site.scope.get(); s; s = s->parent.get()) {
    if (!s->loop) continue;
    const bool known = s->value.kind == Value::Constant;
    group.loops.emplace_back(s->var.name(), known ? s->value.constant.i() : r[s->value.reg].i);
  }
  std::reverse(group.loops.begin(), group.loops.end());
  flights.enter(i->imm, std::move(group));
}
  NEXT;
  RULE(GroupLeave, flights.leave())
  RULE(GroupWait, flights.wait(i->imm, r[i->a].i))
label_FlightTouch:
  if (flights.any()) {
    MemoryState& memory = m[i->memory];
    out.met = memory.flight.touch(AT, memory.size, i->imm2 != 0, flights);
    if (out.met) goto in_flight;
  }
  NEXT;
label_FlightEnd:
  out.met = m[i->memory].flight.end(flights);
  if (out.met) goto in_flight;
  NEXT;
in_flight:
  out.kind = Outcome::InFlight;
  out.site = i->c;
  out.steps = steps;
  return out;
label_Reset : {
  MemoryState& memory = m[i->memory];
  memory.flight = FlightShadow{};
  if (!memory.fresh || i->imm) std::memset(memory.filled, static_cast<int>(i->imm), static_cast<size_t>(memory.size));
  memory.fresh = false;
  memory.shadow = RaceShadow{};
}
  NEXT;
label_InRange:
  if (r[i->a].i < i->imm || r[i->a].i > i->imm2) goto fault;
  NEXT;
label_Holds:
  if (r[i->a].u == 0) goto fault;
  NEXT;
label_LoopFits:
  if (r[i->b].i > 0 && Wide{r[i->a].i} + r[i->b].i - 1 > i->imm) goto fault;
  NEXT;

  RULE(Move, r[i->dst] = r[i->a])
  RULE(Linear1, r[i->dst].u = r[i->a].u * static_cast<uint64_t>(i->imm) + static_cast<uint64_t>(i->imm2))
  RULE(Linear2, r[i->dst].u = r[i->a].u * static_cast<uint64_t>(i->imm) + r[i->b].u)
  RULE(Add, r[i->dst].u = r[i->a].u + r[i->b].u)
  RULE(Sub, r[i->dst].u = r[i->a].u - r[i->b].u)
  RULE(Mul, r[i->dst].u = r[i->a].u * r[i->b].u)
  RULE(SignExtend, r[i->dst].i = static_cast<int64_t>(r[i->a].u << i->imm) >> i->imm)
  RULE(ZeroExtend, r[i->dst].u = r[i->a].u << i->imm >> i->imm)
  RULE(ShiftRight, r[i->dst].i = r[i->a].i >> i->imm)
  RULE(Mask, r[i->dst].i = r[i->a].i & i->imm)
label_FloorDivBy : {
  int64_t q = r[i->a].i / i->imm;
  r[i->dst].i = q - (r[i->a].i - q * i->imm < 0);
}
  NEXT;
label_FloorModBy : {
  int64_t rest = r[i->a].i % i->imm;
  r[i->dst].i = rest + (rest < 0 ? i->imm : 0);
}
  NEXT;
  RULE(Less, r[i->dst].i = r[i->a].i < r[i->b].i)
  RULE(LessEqual, r[i->dst].i = r[i->a].i <= r[i->b].i)
  RULE(Equal, r[i->dst].i = r[i->a].i == r[i->b].i)
  RULE(NotEqual, r[i->dst].i = r[i->a].i != r[i->b].i)
  RULE(And, r[i->dst].u = r[i->a].u & r[i->b].u)
  RULE(Or, r[i->dst].u = r[i->a].u | r[i->b].u)
  RULE(Xor, r[i->dst].u = r[i->a].u ^ r[i->b].u)
  RULE(Not, r[i->dst].u = r[i->a].u ^ 1)
  RULE(Min, r[i->dst].i = r[i->a].i < r[i->b].i ? r[i->a].i : r[i->b].i)
  RULE(Max, r[i->dst].i = r[i->a].i > r[i->b].i ? r[i->a].i : r[i->b].i)
  RULE(Choose, r[i->dst] = r[i->a].u ? r[i->b] : r[i->c])
  RULE(ToFloat32, r[i->dst].f = static_cast<float>(r[i->a].i))
  RULE(ToFloat64, r[i->dst].d = static_cast<double>(r[i->a].i))

#define FLOATS(suffix, field)                                                                        \
  RULE(Add##suffix, r[i->dst].field = r[i->a].field + r[i->b].field)                                 \
  RULE(Sub##suffix, r[i->dst].field = r[i->a].field - r[i->b].field)                                 \
  RULE(Mul##suffix, r[i->dst].field = r[i->a].field * r[i->b].field)                                 \
  RULE(Div##suffix, r[i->dst].field = r[i->a].field / r[i->b].field)                                 \
  RULE(Min##suffix, r[i->dst].field = r[i->a].field < r[i->b].field ? r[i->a].field : r[i->b].field) \
  RULE(Max##suffix, r[i->dst].field = r[i->a].field > r[i->b].field ? r[i->a].field : r[i->b].field) \
  RULE(Less##suffix, r[i->dst].i = r[i->a].field < r[i->b].field)                                    \
  RULE(LessEqual##suffix, r[i->dst].i = r[i->a].field <= r[i->b].field)
  FLOATS(F32, f)
  FLOATS(F64, d)

label_AnyUnary:
label_AnyBinary:
label_AnyCast:
label_AnyCall:
  if (!any(program, *i, registers)) goto fault;
  NEXT;

label_LoadBool : {
  const MemoryState& memory = m[i->memory];
  const int64_t at = AT;
  if (!memory.filled[at]) goto fault;
  r[i->dst].i = memory.data[at] != 0;
}
  NEXT;
  LOAD(LoadI8, i, int8_t)
  LOAD(LoadI16, i, int16_t)
  LOAD(LoadI32, i, int32_t)
  LOAD(LoadI64, i, int64_t)
  LOAD(LoadU8, i, uint8_t)
  LOAD(LoadU16, i, uint16_t)
  LOAD(LoadU32, i, uint32_t)
  LOAD(LoadF32, f, float)
  LOAD(LoadF64, d, double)
label_LoadF16 : {
  const MemoryState& memory = m[i->memory];
  const int64_t at = AT;
  if (!memory.filled[at]) goto fault;
  r[i->dst].d = raw_to_float(kFloat16, read<uint16_t>(memory, at));
}
  NEXT;
label_LoadBF16 : {
  const MemoryState& memory = m[i->memory];
  const int64_t at = AT;
  if (!memory.filled[at]) goto fault;
  r[i->dst].d = raw_to_float(kBFloat16, read<uint16_t>(memory, at));
}
  NEXT;
  STORE(Store8, static_cast<uint8_t>(r[i->dst].u))
  STORE(Store16, static_cast<uint16_t>(r[i->dst].u))
  STORE(Store32, static_cast<uint32_t>(r[i->dst].u))
  STORE(Store64, r[i->dst].u)
  STORE(StoreF16, static_cast<uint16_t>(float_to_raw(kFloat16, r[i->dst].d)))
  STORE(StoreBF16, static_cast<uint16_t>(float_to_raw(kBFloat16, r[i->dst].d)))
label_StoreF32 : {
  float value = r[i->dst].f;
  if (value != value) value = std::numeric_limits<float>::quiet_NaN();
  write(m[i->memory], AT, value);
}
  NEXT;
label_StoreF64 : {
  double value = r[i->dst].d;
  if (value != value) value = std::numeric_limits<double>::quiet_NaN();
  write(m[i->memory], AT, value);
}
  NEXT;
}

}  // namespace hexproof::fast
