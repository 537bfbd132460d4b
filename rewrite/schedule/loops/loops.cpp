// unroll, vectorize, parallel, tensorize; merge and distribute: one rule each.
#include "rewrite/rules/args/loops.h"

#include "rewrite/rules/args/buffers.h"
#include "rewrite/schedule/schedule.h"
#include "rewrite/site/places.h"

namespace hexproof {

void Schedule::parallel(const LoopRef& loop) {
  primitive([&] {
    if (!try_apply(ParallelizeArgs{.at = path_of(loop)})) {
      // Memory that stands around the loop and is used in it alone: each iteration gets its own.
      std::vector<Buffer> around;
      for (const Path& at : find_all(func(), [](const Stmt& s) { return s.as<AllocBuffer>() != nullptr; })) {
        if (is_within(path_of(loop), at)) around.push_back(stmt_at(func(), at).as<AllocBuffer>()->buffer);
      }
      for (const Buffer& buffer : around) try_apply(SinkAllocArgs{.buffer = buffer, .loop = path_of(loop)});
      apply(ParallelizeArgs{.at = path_of(loop)});
    }
  });
}

void Schedule::vectorize(const LoopRef& loop) {
  primitive([&] { apply(VectorizeArgs{.at = path_of(loop)}); });
}

void Schedule::unroll(const LoopRef& loop) {
  primitive([&] { apply(UnrollArgs{.at = path_of(loop)}); });
}

void Schedule::tensorize(const LoopRef& loop, const std::string& intrinsic, const std::vector<std::string>& unaligned) {
  primitive([&] {
    TensorizeArgs args{.at = path_of(loop), .intrinsic = intrinsic};
    std::string names;
    for (const std::string& operand : unaligned) names += (names.empty() ? "" : " ") + operand;
    if (!names.empty()) args.unaligned = names;
    apply(args);
  });
}

LoopRef Schedule::merge(const LoopRef& first, const LoopRef& second) {
  LoopRef out;
  primitive([&] {
    Path at = path_of(first), next = path_of(second);
    bool adjacent = !at.empty() && at.size() == next.size() && at.back() + 1 == next.back() &&
                    std::equal(at.begin(), at.end() - 1, next.begin());
    if (!adjacent) fail("the loop '" + second.var.name() + "' does not follow '" + first.var.name() + "'");
    // When nothing else is left in the sequence, the merged loop may take its place.
    Path around = above(at);
    apply(MergeLoopsArgs{.at = at});
    Stmt there = checked_at(func(), around);
    if (const For* loop = there.as<For>()) {
      out = {loop->var};
    } else {
      out = {record_at<For>(func(), at, "a loop").var};
    }
  });
  return out;
}

std::vector<LoopRef> Schedule::distribute(const LoopRef& loop, int64_t count) {
  std::vector<LoopRef> out;
  primitive([&] {
    Path at = path_of(loop);
    apply(DistributeLoopArgs{.at = at, .count = count});
    // Both loops stand where the one stood: in its sequence, or in a new one.
    bool in_seq = !at.empty() && checked_at(func(), above(at)).as<Seq>();
    Path first = in_seq ? at : below(at, 0), second = first;
    ++second.back();
    out = {{record_at<For>(func(), first, "a loop").var}, {record_at<For>(func(), second, "a loop").var}};
  });
  return out;
}

}  // namespace hexproof
