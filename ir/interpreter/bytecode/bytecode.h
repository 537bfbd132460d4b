// The compact form that the fast way of running executes: one typed instruction per operation on 64-bit registers.
// Every value has a register of its own, so that the values of all variables can be read where a fault happens.
#pragma once
#include <memory>

#include "ir/interpreter/arguments.h"
#include "ir/interpreter/in_flight.h"
#include "ir/interpreter/race.h"

namespace hexproof::fast {

// clang-format off
// INSTR(Name): regs are r[]; `at(i)` below is r[i.a] * imm + r[i.b], the place of an access in its memory.
#define HEXPROOF_INSTRUCTIONS(INSTR)                                                                                  \
  /* control: offsets are relative to the instruction itself */                                                       \
  INSTR(Halt)                                                                                                         \
  INSTR(Fault)                                                                                                        \
  INSTR(Jump)                                                                                                         \
  INSTR(BranchZero)                                                                                                   \
  INSTR(Steps)                                                                                                        \
  INSTR(ForBegin) /* r[dst] = r[a], r[c] = r[b]; jump by imm when r[b] <= 0 */                                        \
  INSTR(ForNext)  /* steps += imm2; while --r[c] > 0: ++r[dst], jump by imm */                                        \
  INSTR(ParallelEnter)                                                                                                \
  INSTR(ParallelIteration)                                                                                            \
  INSTR(ParallelLeave)                                                                                                \
  INSTR(Touch) INSTR(Reset) INSTR(GroupEnter) /* of queue imm, at the site c */                                       \
      INSTR(GroupLeave) INSTR(GroupWait)      /* until r[a] groups of queue imm are in flight */                      \
      INSTR(FlightTouch)                      /* as Touch, of groups in flight */                                     \
      INSTR(FlightEnd)                        /* checks: fault at the site c */                                       \
      INSTR(InRange) /* imm <= r[a] <= imm2 */ INSTR(Holds)                                                           \
          INSTR(LoopFits) /* r[a] + r[b] - 1 <= imm when r[b] > 0 */ /* integers and bools */                         \
      INSTR(Move) INSTR(Linear1) /* r[a] * imm + imm2 */ INSTR(Linear2) /* r[a] * imm + r[b] */ INSTR(Add) INSTR(Sub) \
          INSTR(Mul) INSTR(SignExtend) INSTR(ZeroExtend) INSTR(ShiftRight) INSTR(Mask) INSTR(FloorDivBy)              \
              INSTR(FloorModBy) INSTR(Less) INSTR(LessEqual) INSTR(Equal) INSTR(NotEqual) INSTR(And) INSTR(Or)        \
                  INSTR(Xor) INSTR(Not) INSTR(Min) INSTR(Max) INSTR(Choose) INSTR(ToFloat32)                          \
                      INSTR(ToFloat64) /* floats */                                                                   \
      INSTR(AddF32) INSTR(SubF32) INSTR(MulF32) INSTR(DivF32) INSTR(MinF32) INSTR(MaxF32) INSTR(LessF32)              \
          INSTR(LessEqualF32) INSTR(AddF64) INSTR(SubF64) INSTR(MulF64) INSTR(DivF64) INSTR(MinF64) INSTR(MaxF64)     \
              INSTR(LessF64) INSTR(LessEqualF64)                     /* everything else, by scalar_ops.h */           \
      INSTR(AnyUnary) INSTR(AnyBinary) INSTR(AnyCast) INSTR(AnyCall) /* memory */                                     \
      INSTR(LoadBool) INSTR(LoadI8) INSTR(LoadI16) INSTR(LoadI32) INSTR(LoadI64) INSTR(LoadU8) INSTR(LoadU16)         \
          INSTR(LoadU32) INSTR(LoadF16) INSTR(LoadBF16) INSTR(LoadF32) INSTR(LoadF64) INSTR(Store8) INSTR(Store16)    \
              INSTR(Store32) INSTR(Store64) INSTR(StoreF16) INSTR(StoreBF16) INSTR(StoreF32) INSTR(StoreF64)

// clang-format on
enum class Code : uint16_t {
#define INSTR(name) name,
  HEXPROOF_INSTRUCTIONS(INSTR)
#undef INSTR
};

struct Instr {
  Code code = Code::Halt;
  uint16_t memory = 0;
  int32_t dst = 0, a = 0, b = 0, c = 0;
  int64_t imm = 0, imm2 = 0;
};

/// Integers and bools as in Scalar, float32 in `f`, float16 and float64 in `d`.
union Register {
  int64_t i;
  uint64_t u;
  double d;
  float f;
};

inline Scalar to_scalar(Register r, DType type) {
  if (type.is_float()) return float_scalar(type, type.bits == 32 ? static_cast<double>(r.f) : r.d);
  return {type, r.u};
}
inline Register from_scalar(const Scalar& s) {
  Register r;
  r.u = 0;
  if (s.type.is_float() && s.type.bits == 32)
    r.f = static_cast<float>(s.d());
  else
    r.u = s.bits;
  return r;
}

/// An operation that scalar_ops.h computes.
struct AnyOperation {
  Op op = Op::Add;
  DType type, from;  // of the result (unary, cast, call) or of the operands (binary); a cast's source
  Arith mode = Arith::Data;
  std::string name;  // of a call
  std::vector<std::pair<int, DType>> args;
};

/// A value as the compiler knows it: a constant, a register, or a sum of registers times constants.
struct Value {
  DType type;
  enum Kind : uint8_t { Constant, InRegister, Linear } kind = Constant;
  Scalar constant = {};
  int reg = 0;
  std::vector<std::pair<int, int64_t>> terms = {};  // Linear: register and factor, by register; no factor is zero
  int64_t offset = 0;
  Wide lo = 0, hi = 0;  // integers and bools: the value lies in [lo, hi]
};

/// A register holds the value as it is.
inline bool within_64(const Value& v) { return v.lo >= min_value(kInt64) && v.hi <= max_value(kInt64); }

struct ViewInfo {
  uint16_t memory = 0;
  std::vector<int64_t> shape, strides;
  int64_t offset = 0;
};

/// What is bound at a place: variables, loops, buffers, handles; innermost first.
struct Scope {
  Var var;  // a variable, or the handle of a memory
  Value value;
  bool loop = false;
  Buffer buffer;  // when set, a view; when neither, a handle
  ViewInfo view;
  std::shared_ptr<const Scope> parent;
};

/// Where an instruction that can fault comes from.
struct Site {
  Stmt stmt;
  std::shared_ptr<const Scope> scope;
  Buffer buffer;  // of an access that is watched for conflicts
  std::vector<Expr> indices;
  bool write = false;
  std::string gone = {};  // of memory that goes away: in words
};

struct MemoryInfo {
  DType type;
  int64_t size = 0;
  int argument = -1;             // which parameter, or -1
  std::vector<Scalar> constant;  // of T.allocate_const
  bool read_only = false;
};

struct Bytecode {
  std::vector<Instr> code;
  std::vector<Register> registers;  // at the start: constants are in place
  std::vector<Site> sites;
  std::vector<MemoryInfo> memories;
  std::vector<AnyOperation> operations;
  std::vector<std::string> loop_names;
};

struct MemoryState {
  uint8_t* data = nullptr;
  uint8_t* filled = nullptr;  // one byte per element: 0 or 1
  int64_t size = 0;
  bool fresh = true;  // no cell was ever filled, of what is no argument
  RaceShadow shadow;
  FlightShadow flight;
};

struct Outcome {
  enum Kind : uint8_t { Done, OutOfSteps, Fault, Race, InFlight } kind = Done;
  int site = -1;
  std::optional<RaceShadow::Conflict> conflict;
  std::optional<FlightShadow::Conflict> met;
  uint64_t steps = 0;
};

/// The compact form of a function on arguments of these shapes; nothing when it has a construct that only the
/// general walk runs (vectors, T.undef, layouts that are computed while running).
std::optional<Bytecode> compile(const PrimFunc& func, const Arguments& arguments, const RunOptions& options);

Outcome execute(const Bytecode& program, std::vector<Register>& registers, std::vector<MemoryState>& memories,
                const RunOptions& options);

}  // namespace hexproof::fast
