// What TVM draws at random, with the decision that was taken: traces of MetaSchedule replay. Nothing is drawn here.
#include <algorithm>

#include "rewrite/schedule/blocks/stages.h"
#include "rewrite/schedule/bound.h"
#include "rewrite/schedule/relations.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/places.h"

namespace hexproof::calls {
namespace {

int64_t extent_of(PrimitiveCall& c) {
  Steps steps(c.schedule());
  const LoopRef& loop = c.args.loop("loop");
  int64_t out = 0;
  steps.all_or_nothing([&] {
    const int64_t* extent = as_int(record_at<For>(steps.func(), steps.path_of(loop), "a loop").extent);
    if (!extent || *extent < 1) steps.fail("the extent of the loop is no positive constant");
    out = *extent;
  });
  return out;
}

Value list_of_numbers(const std::vector<int64_t>& numbers) {
  Sequence out;
  for (int64_t n : numbers) out.items.push_back({n});
  return {out};
}

/// The decision: `n` factors whose product is the extent.
std::vector<int64_t> factors(PrimitiveCall& c, int64_t n, int64_t extent) {
  std::vector<int64_t> out;
  __int128 product = 1;
  for (const Argument& item : c.args.items("decision", "a list of factors")) {
    out.push_back(Bound::as<int64_t>(item, "an integer"));
    if (out.back() < 1 || out.back() > extent)
      throw Error(item.span, "a factor is between 1 and the extent of the loop");
    product *= out.back();
    if (product > extent) break;
  }
  const Span& span = c.args.at("decision").span;
  if (static_cast<int64_t>(out.size()) != n || product != extent) {
    throw Error(span, "a decision of " + c.name() + " is a list of " + std::to_string(n) +
                          " factors with the product " + std::to_string(extent));
  }
  return out;
}

int64_t count_of(PrimitiveCall& c) {
  const int64_t n = c.args.integer("n");
  if (n < 1 || n > 64) throw Error(c.args.at("n").span, "a tile has between 1 and 64 factors");
  return n;
}

}  // namespace

Value sample_perfect_tile(PrimitiveCall& c) {
  const int64_t n = count_of(c), extent = extent_of(c);
  const int64_t most = c.args.find("max_innermost_factor") ? c.args.integer("max_innermost_factor") : 16;
  if (c.args.find("decision")) return list_of_numbers(factors(c, n, extent));
  // The innermost factor as large as it may be, all else to the outermost.
  int64_t inner = 1;
  for (int64_t k = 1; k <= std::min(most, extent); ++k) {
    if (extent % k == 0) inner = k;
  }
  if (n == 1) return list_of_numbers({extent});
  std::vector<int64_t> out(static_cast<size_t>(n), 1);
  out.front() = extent / inner;
  out.back() = inner;
  return list_of_numbers(out);
}

Value sample_partitioned_tile(PrimitiveCall& c) {
  const int64_t n = count_of(c), extent = extent_of(c);
  if (!c.args.find("decision")) {
    throw Unsupported(c.span, c.name() + " without a decision: nothing is drawn at random",
                      "write decision=[...], a factor for each of the loops");
  }
  return list_of_numbers(factors(c, n, extent));
}

Value sample_categorical(PrimitiveCall& c) {
  const std::vector<Argument> candidates = c.args.items("candidates", "a list of integers");
  const std::vector<Argument> probabilities = c.args.items("probs", "a list of probabilities");
  if (candidates.empty() || candidates.size() != probabilities.size()) {
    throw Error(c.span, c.name() + " takes as many probabilities as candidates, and at least one");
  }
  auto probability = [&](size_t k) {
    if (const int64_t* whole = probabilities[k].value.as<int64_t>()) return static_cast<double>(*whole);
    return Bound::as<double>(probabilities[k], "a number");
  };
  size_t chosen = 0;  // without a decision the likeliest, the first one among equals
  for (size_t k = 0; k < candidates.size(); ++k) {
    Bound::as<int64_t>(candidates[k], "an integer");
    if (probability(k) > probability(chosen)) chosen = k;
  }
  if (c.args.find("decision")) {
    const int64_t decision = c.args.integer("decision");
    if (decision < 0 || decision >= static_cast<int64_t>(candidates.size())) {
      throw Error(c.args.at("decision").span, "there is no candidate " + std::to_string(decision));
    }
    chosen = static_cast<size_t>(decision);
  }
  return candidates[chosen].value;
}

Value sample_compute_location(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  const int64_t decision = c.args.find("decision") ? c.args.integer("decision") : -2;
  if (decision == -2) return {location_mark(Location::Root)};
  if (decision == -1) return {location_mark(Location::Inline)};
  Steps steps(c.schedule());
  LoopRef out;
  steps.all_or_nothing([&] {
    const std::vector<Path> consumers = consumer_blocks(steps.func(), steps.path_of_block(block));
    if (consumers.empty()) steps.fail("no block reads what '" + steps.name_of(block) + "' writes");
    // The loops around all of the consumers, outermost first.
    std::vector<Path> common = loops_around(steps.func(), consumers[0]);
    for (const Path& other : consumers) {
      std::erase_if(common, [&](const Path& loop) { return !is_within(other, loop); });
    }
    if (decision < -2 || decision >= static_cast<int64_t>(common.size())) {
      steps.fail("there is no loop " + std::to_string(decision) + " around what reads '" + steps.name_of(block) +
                     "', only " + std::to_string(common.size()),
                 "-1 is inlined, -2 stays where it is");
    }
    out = {record_at<For>(steps.func(), common[static_cast<size_t>(decision)], "a loop").var};
  });
  return {out};
}

Value enter_postproc(PrimitiveCall&) { return {None{}}; }

}  // namespace hexproof::calls
