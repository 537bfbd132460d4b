#include "fuzz/programs/called.h"

#include "ir/interpreter/inputs/random_values.h"
#include "ir/link/link.h"
#include "ir/visit.h"
#include "ir/wellformed.h"
#include "rewrite/module/changes.h"

namespace hexproof {
namespace {

/// Where statements stand one after another, or one alone below a loop, a block or a branch.
std::vector<Path> places_of(const PrimFunc& program) {
  std::vector<Path> out;
  const std::function<void(const Stmt&, const Path&, bool)> walk = [&](const Stmt& s, const Path& path, bool in_list) {
    if (!in_list || s.as<Seq>()) out.push_back(path);
    const std::vector<Stmt> parts = children(s);
    for (size_t k = 0; k < parts.size(); ++k) {
      Path below = path;
      below.push_back(static_cast<int>(k));
      walk(parts[k], below, s.as<Seq>() != nullptr);
    }
  };
  walk(program.body, {}, false);
  return out;
}

}  // namespace

std::optional<IRModule> with_callee(const PrimFunc& program, uint64_t number) {
  const std::vector<Path> places = places_of(program);
  HoistStageArgs args{places[next_random(number) % places.size()], {}, "stage"};
  const Stmt at = stmt_at(program, args.seq);
  const size_t stages = at.as<Seq>() ? at.as<Seq>()->stmts.size() : 1;
  if (stages == 0) return std::nullopt;
  const size_t first = next_random(number) % stages;
  const size_t count = 1 + next_random(number) % (stages - first);
  for (size_t k = first; k < first + count; ++k) args.parts.push_back(static_cast<int>(k));
  IRModule module{"Module", {program}};
  try {
    const ModuleDerivation derivation(module);
    module.functions = hoist_stage(derivation, program.name, args).replaced;
    resolve_calls(&module);
  } catch (const NotApplicable&) {
    return std::nullopt;
  } catch (const Unsupported&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
  return module;
}

}  // namespace hexproof
