// InferBound: what each loop runs over, and how much of each buffer is computed where it is attached. Every box comes
// with obligations (it covers each request), and where it is called smallest, with a witness for each face.
#pragma once
#include "rewrite/te/schedule.h"
#include "verify/prove/prover.h"

namespace hexproof::te {

/// What a loop or an axis runs over. Of an imperfect split the inner extent depends on the outer loop.
struct IterRange {
  IterVar iv;
  Expr min, extent;
  std::optional<int64_t> most;  // the greatest extent, where it is a number
  bool root = false, leaf = false;
};

/// The values of an axis or loop in a request, from `min` to `max`.
struct IterSet {
  IterVar iv;
  Expr min, max;  // missing: not known
};

/// What one consumer asks for.
struct Request {
  StageId consumer = 0;
  std::vector<IterSet> phase1;               // its leaves
  std::vector<IterSet> phase2;               // all of its axes and loops, up to the roots
  std::vector<std::vector<IterSet>> phase3;  // of each load: a set per dimension; the axis is the producer's
};

struct Face {
  Expr base;
  Expr extent;
  bool whole = false;                  // all of the dimension
  std::optional<std::string> witness;  // one iteration that asks for the first and for the last cell
};

struct StageBounds {
  StageId stage = 0;
  std::vector<std::pair<StageId, IterVar>> path;  // the attach path, innermost first
  std::vector<Request> requests;
  std::vector<IterRange> ranges;  // roots first, then as they were made
  std::vector<Face> box;          // of its outputs, one per dimension
  std::vector<Obligation> covers;
  std::optional<int64_t> computed, needed;  // cells in the boxes of all iterations, and in the buffer
};

struct Bounds {
  std::vector<StageBounds> stages;  // from the outputs to the inputs, as they are visited
  const StageBounds* of(StageId id) const;
};

Bounds infer_bound(const Schedule& schedule);

/// As the document draws it. `answers`: what the prover said of each stage's `covers`; none: not asked.
std::string print(const Schedule& schedule, const Bounds& bounds, const std::vector<std::vector<Answer>>& answers = {});
std::string draw(const Schedule& schedule, const Bounds& bounds);

}  // namespace hexproof::te
