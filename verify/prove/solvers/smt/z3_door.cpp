#include <z3++.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "ir/base/wide_text.h"
#include "ir/float_format.h"
#include "verify/prove/solvers/evaluate.h"
#include "verify/prove/solvers/smt/door.h"

namespace hexproof {
namespace {

z3::sort sort_of(z3::context& ctx, const Script& script, DType t) {
  if (t.is_bool()) return ctx.bool_sort();
  if (t.is_float()) {
    const FloatFormat format = float_format(t);
    return ctx.fpa_sort(static_cast<unsigned>(format.exponent), static_cast<unsigned>(format.significand));
  }
  if (script.reading == Reading::Mathematical) return ctx.int_sort();
  return ctx.bv_sort(script.reading == Reading::Machine ? t.bits : script.width);
}

std::optional<Wide> value_of(z3::context& ctx, const z3::model& model, const Script& script, const ScriptInput& input) {
  z3::expr constant = ctx.constant(input.name.c_str(), sort_of(ctx, script, input.type));
  z3::expr value = model.eval(constant, true);
  if (input.type.is_bool()) {
    if (value.is_true() || value.is_false()) return Wide{value.is_true()};
    return std::nullopt;
  }
  if (input.type.is_float()) {
    if (Z3_fpa_is_numeral_nan(ctx, value)) {
      return float_to_bits(input.type, std::numeric_limits<double>::quiet_NaN());
    }
    value = z3::expr(ctx, Z3_mk_fpa_to_ieee_bv(ctx, value)).simplify();
  }
  std::string digits;
  if (!value.is_numeral(digits)) return std::nullopt;
  std::optional<Wide> out = parse_wide(digits);
  int bits = input.type.is_float()                 ? 0
             : script.reading == Reading::Machine  ? (input.type.is_int() ? input.type.bits : 0)
             : script.reading == Reading::WideBits ? script.width
                                                   : 0;
  if (out && bits && *out >> (bits - 1) & 1) *out -= Wide{1} << bits;
  return out;
}

uint64_t resources(const z3::stats& stats) {
  for (unsigned i = 0; i < stats.size(); ++i) {
    if (stats.key(i) == "rlimit count" && stats.is_uint(i)) return stats.uint_value(i);
  }
  return 0;
}

}  // namespace

SolverAnswer ask_z3(const Script& script, Z3Tactic tactic, uint64_t rlimit) {
  SolverAnswer answer;
  z3::context ctx;
  try {
    z3::solver solver = tactic == Z3Tactic::Simple       ? z3::solver(ctx, z3::solver::simple())
                        : tactic == Z3Tactic::BitVectors ? z3::tactic(ctx, "qfbv").mk_solver()
                                                         : z3::tactic(ctx, "qffp").mk_solver();
    z3::params params(ctx);
    params.set("rlimit", static_cast<unsigned>(std::min<uint64_t>(rlimit, 4'000'000'000u)));
    params.set("ctrl_c", false);  // an interrupt is the caller's, whoever is asked when it comes
    solver.set(params);
    for (const z3::expr& assertion : ctx.parse_string(script.text.c_str())) solver.add(assertion);
    z3::check_result result = solver.check();
    answer.rlimit = resources(solver.statistics());
    if (result == z3::unsat) answer.satisfiable = Satisfiable::No;
    if (result == z3::unknown) answer.reason = solver.reason_unknown();
    if (result == z3::sat) {
      z3::model model = solver.get_model();
      answer.satisfiable = Satisfiable::Yes;
      for (const ScriptInput& input : script.inputs) {
        if (std::optional<Wide> value = value_of(ctx, model, script, input)) answer.values.emplace(input.name, *value);
      }
    }
  } catch (const z3::exception& error) {
    if (Z3_get_error_code(ctx) == Z3_MEMOUT_FAIL) throw std::bad_alloc();  // says nothing of the formula
    answer.satisfiable = Satisfiable::Unknown;
    answer.reason = std::string("z3: ") + error.msg();
  }
  return answer;
}

std::string z3_version() {
  unsigned major, minor, build, revision;
  Z3_get_version(&major, &minor, &build, &revision);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build) + "." +
         std::to_string(revision);
}

}  // namespace hexproof
