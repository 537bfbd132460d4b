// What a primitive in a file of its own may do with a schedule: find places, apply rules, all or nothing.
#pragma once
#include <functional>
#include <string>

#include "rewrite/schedule/schedule.h"

namespace hexproof {

class Steps {
 public:
  explicit Steps(Schedule& schedule) : schedule_(schedule) {}

  const PrimFunc& func() const { return schedule_.func(); }
  Prover& prover() const { return schedule_.prover_; }
  const Derivation& derivation() const { return schedule_.derivation_; }
  Path path_of(const LoopRef& loop) const { return schedule_.path_of(loop); }
  /// A block, or the whole body.
  Path path_of(const BlockRef& block) const { return schedule_.path_of(block); }
  Path path_of_block(const BlockRef& block) const { return schedule_.path_of_block(block); }
  const std::string& name_of(const BlockRef& block) const { return schedule_.current_name(block); }
  /// The block now goes by another name: handles to the old one follow.
  void rename(const std::string& from, const std::string& to) { schedule_.rename(from, to); }
  /// A block that is new: no handle to an older block of that name means it.
  BlockRef fresh(const std::string& name) { return schedule_.renamed_.erase(name), BlockRef{name}; }

  /// What blocks are called since primitives gave them other names, as in the other schedule.
  void take_names(const Schedule& other) { schedule_.renamed_ = other.renamed_; }

  void apply(const RuleCall& call) { schedule_.apply(call); }
  bool try_apply(const RuleCall& call) { return schedule_.try_apply(call); }
  /// Simplifies what stands at and below `at`.
  void simplify(const Path& at);
  /// Runs `f`; on any error the derivation is put back, and the error gets the place in the schedule.
  void all_or_nothing(const std::function<void()>& f) { schedule_.primitive(f); }
  [[noreturn]] void fail(const std::string& message, const std::string& hint = "") const {
    schedule_.fail(message, hint);
  }

 private:
  Schedule& schedule_;
};

}  // namespace hexproof
