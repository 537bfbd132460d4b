// compute_inline: forward-store at every load, then the store that nobody reads any more goes.
#include <algorithm>
#include <set>

#include "rewrite/expr_rules/strategy.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/rules/args/statements.h"
#include "rewrite/rules/args/stores.h"
#include "rewrite/schedule/blocks/stages.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

/// A load of the buffer: its statement, and the position among its expressions, then operands on the way down.
struct LoadPlace {
  Path statement, expr;
};

/// The first load below `e`, which stands at `where`.
std::optional<Path> load_in(const Expr& e, const Buffer& buffer, const Path& where) {
  if (e->op == Op::Load && e->buffer() == buffer) return where;
  for (size_t k = 0; k < e->args.size(); ++k) {
    Path below = where;
    below.push_back(static_cast<int>(k));
    if (std::optional<Path> found = load_in(e->args[k], buffer, below)) return found;
  }
  return std::nullopt;
}

std::optional<LoadPlace> first_load(const PrimFunc& func, const Buffer& buffer) {
  for (const Path& at : find_all(func, [](const Stmt&) { return true; })) {
    const std::vector<Expr> roots = expressions(stmt_at(func, at));
    for (size_t root = 0; root < roots.size(); ++root) {
      if (!roots[root]) continue;
      if (auto where = load_in(roots[root], buffer, Path{static_cast<int>(root)})) return LoadPlace{at, *where};
    }
  }
  return std::nullopt;
}

int effects(const Stmt& stmt) {
  int found = 0;
  visit_stmt(stmt, [&](const Stmt& s) {
    found += s.as<Store>() || s.as<Assume>() || s.as<Evaluate>();
    return true;
  });
  return found;
}

/// The outermost statement that does nothing but the one at `at`.
Path all_there_is(const PrimFunc& func, Path at) {
  while (!at.empty() && !stmt_at(func, above(at)).as<Seq>() && !stmt_at(func, above(at)).as<AllocBuffer>() &&
         effects(stmt_at(func, above(at))) == 1) {
    at = above(at);
  }
  return at;
}

/// What the store at `from` stores takes the place of every load of its buffer; the store, what is left empty, and the
/// allocation go.
void forward_everywhere(Steps& steps, const Path& from) {
  constexpr int64_t kWitnesses = 8;
  const Buffer buffer = record_at<Store>(steps.func(), from, "a store").buffer;
  std::set<Path> changed;
  while (std::optional<LoadPlace> load = first_load(steps.func(), buffer)) {
    ForwardStoreArgs args{.at = load->statement, .expr = load->expr, .store = from};
    std::exception_ptr why;
    bool done = false;
    for (int64_t witness = 0; !done && witness < kWitnesses; ++witness) {
      args.witness = witness;
      try {
        steps.apply(args);
        done = true;
      } catch (const Refused&) {
        if (!why) why = std::current_exception();
      } catch (const NotApplicable&) {
        if (!why) why = std::current_exception();
        break;  // no other store is seen to write the cell
      }
    }
    if (!done) std::rethrow_exception(why);
    changed.insert(load->statement);
  }
  for (const Path& at : changed) steps.simplify(at);
  const Path whole = all_there_is(steps.func(), from);
  steps.apply(RemoveStoreArgs{.at = from, .kind = "dead"});
  if (whole != from) steps.apply(RemoveEmptyArgs{.at = whole});
  if (std::optional<Path> memory = find_allocation(steps.func(), buffer)) {
    steps.try_apply(RemoveEmptyArgs{.at = *memory, .kind = "unused"});
  }
}

/// The stores of a block that computes values at once, to buffers of the function's own that nothing else writes.
std::vector<Path> stores_in(const Steps& steps, const BlockRef& block) {
  const PrimFunc& func = steps.func();
  const Path at = steps.path_of_block(block);
  if (record_at<Block>(func, at, "a block").init) {
    steps.fail("the block accumulates: what it leaves in a cell is no value of one iteration");
  }
  const std::vector<Path> stores = find_all(func, [](const Stmt& s) { return s.as<Store>() != nullptr; });
  std::vector<Path> mine;
  for (const Path& store : stores) {
    if (is_within(store, at)) mine.push_back(store);
  }
  for (const Path& its : mine) {
    const Buffer& buffer = stmt_at(func, its).as<Store>()->buffer;
    if (!find_allocation(func, buffer)) {
      steps.fail("'" + buffer->name + "' is an argument: whoever calls the function reads it",
                 "only a buffer that the function allocates can go");
    }
    for (const Path& store : stores) {
      if (store != its && stmt_at(func, store).as<Store>()->buffer == buffer) {
        steps.fail("'" + buffer->name + "' is written elsewhere, too");
      }
    }
  }
  return mine;
}

Path only_store(const Steps& steps, const BlockRef& block) {
  const std::vector<Path> mine = stores_in(steps, block);
  if (mine.size() != 1) steps.fail("the block is not one store");
  return mine[0];
}

/// reverse-compute-at, with a guard where that is needed, for the first inversion of the bindings that is proved.
void move_into(Steps& steps, const Path& block, const Path& loop) {
  constexpr int64_t kWitnesses = 4;
  ReverseComputeAtArgs args{.block = block, .loop = loop};
  for (bool clip : {false, true}) {
    for (int64_t witness = 0; witness < kWitnesses; ++witness) {
      args.clip = clip, args.witness = witness;
      if (steps.try_apply(args)) return;
    }
  }
  steps.apply(ReverseComputeAtArgs{.block = block, .loop = loop});
}

/// The blocks that store to what the block reads, each once.
std::vector<Path> producers_of(const PrimFunc& func, const Path& block) {
  std::vector<Path> out;
  const std::vector<Buffer> read = buffers_read(stmt_at(func, block));
  for (const Path& store : find_all(func, [](const Stmt& s) { return s.as<Store>() != nullptr; })) {
    const Buffer& buffer = stmt_at(func, store).as<Store>()->buffer;
    if (is_within(store, block) || std::find(read.begin(), read.end(), buffer) == read.end()) continue;
    Path at = store;
    while (!at.empty() && !stmt_at(func, at).as<Block>()) at = above(at);
    if (std::find(out.begin(), out.end(), at) == out.end()) out.push_back(at);
  }
  return out;
}

}  // namespace

void reverse_compute_at(Schedule& schedule, const BlockRef& block, const LoopRef& loop) {
  Steps steps(schedule);
  steps.all_or_nothing([&] { move_into(steps, steps.path_of_block(block), steps.path_of(loop)); });
}

void reverse_compute_inline(Schedule& schedule, const BlockRef& block) {
  Steps steps(schedule);
  steps.all_or_nothing([&] {
    const Path at = steps.path_of_block(block);
    const std::vector<Path> producers = producers_of(steps.func(), at);
    if (producers.size() != 1) {
      steps.fail("the block reads what " + std::to_string(producers.size()) + " blocks compute, and not one",
                 "reverse_compute_inline puts a block into its only producer");
    }
    const Block* producer = stmt_at(steps.func(), producers[0]).as<Block>();
    if (!producer) steps.fail("what the block reads is not computed in a block");
    const std::string name = producer->name;
    only_store(steps, {name});
    Path loop = producers[0];
    while (!loop.empty() && !stmt_at(steps.func(), loop).as<For>()) loop = above(loop);
    if (!stmt_at(steps.func(), loop).as<For>()) steps.fail("the producer '" + name + "' stands in no loop");
    move_into(steps, at, loop);
    forward_everywhere(steps, only_store(steps, {name}));
  });
}

void Steps::simplify(const Path& at) {
  hexproof::simplify(schedule_.derivation_, schedule_.prover_, at, schedule_.primitive_, schedule_.span_);
}

void compute_inline(Schedule& schedule, const BlockRef& block) {
  Steps steps(schedule);
  steps.all_or_nothing([&] {
    // The last one first: it goes, and those before it stand where they stood.
    for (size_t left = stores_in(steps, block).size(); left > 1; --left) {
      forward_everywhere(steps, stores_in(steps, block).back());
    }
    forward_everywhere(steps, only_store(steps, block));
  });
}

}  // namespace hexproof
