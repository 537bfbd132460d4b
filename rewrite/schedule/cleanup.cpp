// Clean-up of the whole function: hexproof's own primitives. Each does what can be proved and leaves the rest.
#include "rewrite/expr_rules/strategy.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/rules/args/branches.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/rules/args/values.h"
#include "rewrite/schedule/schedule.h"
#include "rewrite/site/places.h"

namespace hexproof {

void Schedule::simplify() {
  primitive([&] { hexproof::simplify(derivation_, prover_, {}, primitive_, span_); });
}

void Schedule::remove_branches() {
  primitive([&] {
    auto branches = [](const Stmt& s) { return s.as<If>() || (s.as<Block>() && s.as<Block>()->predicate); };
    for (bool takes : {true, false}) apply_everywhere(EliminateBranchArgs{.at = {}, .takes = takes}, branches);
  });
}

void Schedule::remove_unit_loops() {
  primitive([&] {
    apply_everywhere(UnitLoopArgs{}, [](const Stmt& s) { return s.as<For>() && is_int(s.as<For>()->extent, 1); });
  });
}

void Schedule::inline_lets() {
  primitive([&] { apply_everywhere(InlineLetArgs{}, [](const Stmt& s) { return s.as<LetStmt>() != nullptr; }); });
}

void Schedule::lower_blocks() {
  primitive([&] { apply_everywhere(LowerBlockArgs{}, [](const Stmt& s) { return s.as<Block>() != nullptr; }); });
}

namespace {
std::vector<std::string> allocated(const PrimFunc& func) {
  std::vector<std::string> names;
  for (const Path& at : find_all(func, [](const Stmt& s) { return s.as<AllocBuffer>() != nullptr; })) {
    names.push_back(stmt_at(func, at).as<AllocBuffer>()->buffer->name);
  }
  return names;
}
}  // namespace

void Schedule::sink_allocations() {
  primitive([&] {
    for (const std::string& name : allocated(func())) try_apply(SinkAllocArgs{.buffer = name});
  });
}

void Schedule::compact_buffers() {
  primitive([&] {
    for (const std::string& name : allocated(func())) {
      try_apply(SinkAllocArgs{.buffer = name});
      if (try_apply(CompactBufferArgs{.buffer = name})) {
        hexproof::simplify(derivation_, prover_, {}, primitive_, span_);
      }
    }
  });
}

void Schedule::flatten_buffers() {
  primitive([&] {
    apply(FlattenArgs{});
    hexproof::simplify(derivation_, prover_, {}, primitive_, span_);
  });
}

}  // namespace hexproof
