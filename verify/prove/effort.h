// How much work proofs may cost. Three bounds, each for what is asked below it on the same thread (Prover::prove_all
// hands them to its threads):
//
// - `DepthScope`: which stages of the portfolio are asked. Who has several questions asks the cheap stages of all of
// them
//   before the dear ones of any.
// - `Allowance`: resource units for all questions of one place of a pass together. Past it the answer is `unknown`; the
//   same on every run, since units are counted, whether an answer was cached or not.
// - `TimeBudget`: seconds for a command's work on one function, a backstop. Past it `OutOfTime` is thrown: no pass goes
//   on with fewer answers, so what a derivation looks like never depends on a clock.
#pragma once
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace hexproof {

struct Obligation;

/// Cheap: normal form, bounds, caches, and the first solver with a small limit. Full: all stages.
enum class Depth : uint8_t { Cheap, Full };

class Allowance;

/// The bounds that hold on this thread.
struct Effort {
  Depth depth = Depth::Full;
  Allowance* allowance = nullptr;
  static Effort& here();
};

/// What is granted instead, as long as this stands.
class EffortScope {
 public:
  explicit EffortScope(const Effort& effort) : before_(Effort::here()) { Effort::here() = effort; }
  ~EffortScope() { Effort::here() = before_; }
  EffortScope(const EffortScope&) = delete;

 private:
  Effort before_;
};

class DepthScope {
 public:
  /// Never deeper than the scope around it.
  explicit DepthScope(Depth depth) : before_(Effort::here().depth) {
    if (depth < before_) Effort::here().depth = depth;
  }
  ~DepthScope() { Effort::here().depth = before_; }
  DepthScope(const DepthScope&) = delete;

 private:
  Depth before_;
};

class Allowance {
 public:
  /// What a question costs before any solver is asked.
  static constexpr uint64_t kQuestion = 5'000;
  /// What a question to the first stage alone costs (Quick, in facts about content).
  static constexpr uint64_t kQuick = 1'000;

  explicit Allowance(uint64_t units) : units_(units), around_(Effort::here().allowance) {
    Effort::here().allowance = this;
  }
  ~Allowance() { Effort::here().allowance = around_; }
  Allowance(const Allowance&) = delete;

  /// Of this one, or one around it.
  bool used_up() const { return used_ >= units_ || (around_ && around_->used_up()); }
  void charge(uint64_t units) {
    used_ += units;
    if (around_) around_->charge(units);
  }
  static void charge_here(uint64_t units) {
    if (Allowance* here = Effort::here().allowance) here->charge(units);
  }

 private:
  uint64_t units_, used_ = 0;
  Allowance* around_;
};

/// The time budget is used up; the message says what was being asked.
class OutOfTime : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// For the whole process; no budget runs until one is started. Time is that of the clock or of the processor (with that
/// of children that have ended), whichever is less: a machine that is busy with other work changes no verdict.
class TimeBudget {
 public:
  /// From now on, so many seconds; 0: without end.
  static void start(double seconds);
  static void stop() { start(0); }
  static double seconds();
  static bool used_up();
  /// Far past it: something that asks no questions takes the time. Whoever watches ends the process.
  static bool overrun();
  /// What is left, at most `most`, at least a little.
  static int milliseconds_left(int most);
  /// What is being asked at the moment, a line each; for the message of who ends the process.
  static std::string asking();
  /// While it lives, work has limits of its own, and none of the budget is used.
  class Pause {
   public:
    Pause();
    ~Pause();
    Pause(const Pause&) = delete;

   private:
    double clock_, processor_;
  };
};

/// While it lives, TimeBudget::asking() names the obligation. Throws OutOfTime when no time is left.
class Asking {
 public:
  explicit Asking(const Obligation& obligation);
  ~Asking();
  Asking(const Asking&) = delete;

 private:
  const Obligation* obligation_;
};

}  // namespace hexproof
