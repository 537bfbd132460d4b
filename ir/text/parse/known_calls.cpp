#include "ir/text/parse/known_calls.h"

#include "ir/text/parse/parser.h"

namespace hexproof::text {

const std::map<std::string, Op>& binary_calls() {
  static const std::map<std::string, Op> kCalls = {{"T.max", Op::Max},
                                                   {"T.min", Op::Min},
                                                   {"max", Op::Max},
                                                   {"min", Op::Min},
                                                   {"T.Max", Op::Max},
                                                   {"T.Min", Op::Min},
                                                   {"T.floordiv", Op::FloorDiv},
                                                   {"T.floormod", Op::FloorMod},
                                                   {"T.FloorDiv", Op::FloorDiv},
                                                   {"T.FloorMod", Op::FloorMod},
                                                   {"T.indexdiv", Op::FloorDiv},
                                                   {"T.indexmod", Op::FloorMod},
                                                   {"T.truncdiv", Op::TruncDiv},
                                                   {"T.truncmod", Op::TruncMod},
                                                   {"T.Mod", Op::TruncMod},
                                                   {"T.Add", Op::Add},
                                                   {"T.Sub", Op::Sub},
                                                   {"T.Mul", Op::Mul},
                                                   {"T.EQ", Op::EQ},
                                                   {"T.NE", Op::NE},
                                                   {"T.LT", Op::LT},
                                                   {"T.LE", Op::LE},
                                                   {"T.GT", Op::GT},
                                                   {"T.GE", Op::GE},
                                                   {"T.And", Op::And},
                                                   {"T.Or", Op::Or},
                                                   {"T.bitwise_and", Op::BitAnd},
                                                   {"T.bitwise_or", Op::BitOr},
                                                   {"T.bitwise_xor", Op::BitXor},
                                                   {"T.shift_left", Op::Shl},
                                                   {"T.shift_right", Op::Shr}};
  return kCalls;
}

const std::map<std::string, size_t>& math_calls() {
  static const std::map<std::string, size_t> kCalls = {
      {"exp", 1},      {"exp2", 1},      {"exp10", 1}, {"log", 1},   {"log2", 1},  {"log10", 1}, {"log1p", 1},
      {"sqrt", 1},     {"rsqrt", 1},     {"sin", 1},   {"cos", 1},   {"tan", 1},   {"asin", 1},  {"acos", 1},
      {"atan", 1},     {"sinh", 1},      {"cosh", 1},  {"tanh", 1},  {"asinh", 1}, {"acosh", 1}, {"atanh", 1},
      {"sigmoid", 1},  {"erf", 1},       {"floor", 1}, {"ceil", 1},  {"trunc", 1}, {"round", 1}, {"nearbyint", 1},
      {"abs", 1},      {"popcount", 1},  {"pow", 2},   {"power", 2}, {"fmod", 2},  {"atan2", 2}, {"hypot", 2},
      {"copysign", 2}, {"nextafter", 2}, {"ldexp", 2}, {"fma", 3}};
  return kCalls;
}

bool is_statement_call(const std::string& name) {
  static const std::set<std::string> kCalls = {"range",
                                               "T.grid",
                                               "T.serial",
                                               "T.parallel",
                                               "T.vectorized",
                                               "T.unroll",
                                               "T.thread_binding",
                                               "T.block",
                                               "T.sblock",
                                               "T.init",
                                               "T.where",
                                               "T.reads",
                                               "T.writes",
                                               "T.block_attr",
                                               "T.sblock_attr",
                                               "T.func_attr",
                                               "T.alloc_buffer",
                                               "T.sblock_alloc_buffer",
                                               "T.match_buffer",
                                               "T.Buffer",
                                               "T.buffer_decl",
                                               "T.decl_buffer",
                                               "T.allocate",
                                               "T.allocate_const",
                                               "T.attr",
                                               "T.LetStmt",
                                               "T.launch_thread",
                                               "T.assume",
                                               "T.evaluate",
                                               "T.axis.spatial",
                                               "T.axis.S",
                                               "T.axis.reduce",
                                               "T.axis.R",
                                               "T.axis.opaque",
                                               "T.axis.remap",
                                               "T.var",
                                               "T.handle",
                                               "T.meta_var",
                                               "T.target",
                                               "T.ptr",
                                               "T.buffer_store",
                                               "I.module_attrs",
                                               "T.func_name"};
  return kCalls.count(name) != 0;
}

bool is_unsupported_call(const std::string& name) {
  static const std::set<std::string> kCalls = {"T.call_extern",
                                               "T.call_packed",
                                               "T.call_llvm_intrin",
                                               "T.call_intrin",
                                               "T.tvm_access_ptr",
                                               "T.address_of",
                                               "T.tvm_storage_sync",
                                               "T.ptx_ldmatrix",
                                               "T.mma_store",
                                               "T.mma_fill",
                                               "T.ret",
                                               "T.lookup_param",
                                               "T.While",
                                               "T.Assert",
                                               "T.realize",
                                               "T.tvm_struct_get",
                                               "T.tvm_struct_set",
                                               "T.tvm_call_packed",
                                               "T.type_annotation",
                                               "T.tvm_load_matrix_sync",
                                               "T.tvm_store_matrix_sync",
                                               "T.tvm_mma_sync",
                                               "T.tvm_fill_fragment",
                                               "T.iter_var",
                                               "T.Range",
                                               "T.comm_reducer",
                                               "T.index_map",
                                               "T.vectorlow",
                                               "T.vectorhigh",
                                               "T.vectorcombine",
                                               "T.shuffle",
                                               "T.Shuffle",
                                               "T.CallEffectKind",
                                               "T.start_profile_intrinsic",
                                               "T.end_profile_intrinsic",
                                               "T.call_cpacked",
                                               "T.tvm_thread_allreduce",
                                               "T.tvm_warp_shuffle",
                                               "T.anylist_getitem",
                                               "T.dma_copy",
                                               "T.dma_wait",
                                               "T.preflattened_buffer",
                                               "T.prefetch",
                                               "T.isnullptr",
                                               "T.large_uint_imm",
                                               "T.q_multiply_shift",
                                               "T.ptx_mma",
                                               "T.ptx_cp_async",
                                               "T.assert_",
                                               "T.ptx_commit_group",
                                               "T.ptx_wait_group",
                                               "T.tvm_stack_alloca",
                                               "T.tvm_throw_last_error",
                                               "T.call_tir"};
  return kCalls.count(name) != 0;
}

std::vector<std::string> known_calls() {
  std::vector<std::string> out = {
      "T.if_then_else",   "T.Select",       "T.cast",         "T.Cast",          "T.ramp",        "T.Ramp",
      "T.broadcast",      "T.Broadcast",    "T.likely",       "T.undef",         "T.min_value",   "T.max_value",
      "T.grid",           "T.serial",       "T.parallel",     "T.vectorized",    "T.unroll",      "T.thread_binding",
      "T.block",          "T.init",         "T.where",        "T.reads",         "T.writes",      "T.block_attr",
      "T.func_attr",      "T.alloc_buffer", "T.match_buffer", "T.Buffer",        "T.decl_buffer", "T.allocate",
      "T.allocate_const", "T.attr",         "T.LetStmt",      "T.launch_thread", "T.env_thread",  "T.assume",
      "T.wrap",           "T.nowrap",       "T.evaluate",     "T.axis.spatial",  "T.axis.reduce", "T.axis.opaque",
      "T.axis.remap",     "T.Let",          "T.float32",      "T.int32",         "T.reinterpret"};
  for (const auto& [name, op] : binary_calls()) out.push_back(name);
  for (const auto& [name, arity] : math_calls()) out.push_back("T." + name);
  return out;
}

bool is_math_call(const std::string& name, size_t operands) {
  if (name == "isnan" || name == "isinf" || name == "isfinite") return operands == 1;
  auto it = math_calls().find(name);
  return it != math_calls().end() && it->second == operands;
}

}  // namespace hexproof::text
