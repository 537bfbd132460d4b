// InferBound at work: stages from the outputs to the inputs, each with its ranges, requests and box.
#pragma once
#include <set>

#include "rewrite/te/bounds/bounds.h"
#include "rewrite/te/bounds/interval.h"

namespace hexproof::te {

class Inference {
 public:
  explicit Inference(const Schedule& schedule) : s_(schedule) {}
  Bounds run();

 private:
  struct Read {
    StageId stage;
    size_t dimension;
    StageId consumer;
    Expr index;
    std::vector<Expr> conditions;
  };

  // From the roots of a stage to its loops, and back (bounds_ranges.cpp)
  const IterRange& range_of(const Var& v) const { return rmap_.at(v); }
  /// PassUpDomain, of values: each axis and loop of the stage over its leaves.
  VarMap pass_up(const Stage& c) const;
  void set(StageBounds& b, const IterVar& iv, Expr min, Expr extent, std::optional<int64_t> most, bool root);
  /// PassDownDomain: from the roots to the loops that were made of them.
  void pass_down_domain(StageBounds& b);

  // What consumers ask for (bounds_requests.cpp)
  /// What a stage computes, with the inlined ones in it.
  std::vector<Expr> computed_by(const Operation& op) const;
  Expr with_inlined(const Expr& e) const;
  bool is_read_by(const Stage& producer, const Stage& consumer) const;
  void infer_root_bound(StageBounds& b);
  /// GatherBound: one box around all requests.
  void gather(StageBounds& b, const Intervals& sets, const std::vector<std::vector<Interval>>& asked,
              const std::vector<bool>& known);

  // The box around it (bounds_boxes.cpp)
  /// Where one iteration asks for the first and last cell of the box, it is the smallest; else a smaller one is looked
  /// for. Each request lies in it.
  void owe_cover(StageBounds& b, const std::set<Var>& fixed);
  /// What is known of the variables in `e`, and of those that their ranges speak of; and that the consumer computes.
  std::vector<Expr> domains(StageId consumer, const Expr& e) const;
  void make_smallest(StageBounds& b, size_t d, const std::set<Var>& fixed);

  void count(StageBounds& b);

  const Schedule& s_;
  Bounds out_;
  std::map<Var, IterRange> rmap_;
  std::vector<Read> reads_;
  std::map<std::pair<StageId, size_t>, std::vector<Expr>> bases_;  // of what is asked for along an axis
};

/// As a number, where it is one.
inline std::optional<int64_t> number(const Expr& e) {
  return e && as_int(e) ? std::optional(*as_int(e)) : std::nullopt;
}

}  // namespace hexproof::te
