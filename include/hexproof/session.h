// What all functions of hexproof share: verdicts, failures, and how much work proofs may be.
#pragma once
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace hexproof {
class Prover;
enum class Code : uint8_t;
}  // namespace hexproof

namespace hexproof::api {

/// What was found out. Only `Proved` is a yes.
enum class Verdict : uint8_t {
  Proved,
  Refuted,      // with an input that shows it, which the interpreter has met
  Undecided,    // something stayed open: a limit was reached, or no method decides it
  Vacuous,      // the assumes contradict each other: nothing was shown
  Rejected,     // what was proved turned out to be wrong: a bug of hexproof, LLVM or QEMU
  Unsupported,  // a construct that hexproof does not model
};
/// "proved", "refuted", ...
const char* to_text(Verdict verdict);

/// What stands behind a Failure, for hexproof's own commands.
struct FailureDetail;

/// Why a function here has no result. `what()` is the text for a person: with the line, a caret and a hint where there
/// is a place.
class Failure : public std::runtime_error {
 public:
  enum class Kind : uint8_t {
    Input,        // does not parse, does not type-check, does not fit, or cannot be read or written
    Unsupported,  // a construct that hexproof does not model
    Refuted,      // a condition of a step of the schedule is false
    Undecided,    // a condition was not decided; the time is used up; an emulator broke down
    Internal,     // a bug of hexproof
  };
  /// With the code that stands for its kind.
  Failure(Kind kind, const std::string& what);
  Failure(Kind kind, Code code, const std::string& what);

  Kind kind;
  std::string file = {};  // where; line 0: no place
  int line = 0, column = 0;
  std::string code;  // "HX0101": `hexproof explain CODE` and docs/errors.md say more. There is always one
  std::shared_ptr<const FailureDetail> detail = {};
};

/// How much work the proofs of one function may be.
struct Limits {
  uint64_t rlimit = 20'000'000;  // for one proof, in Z3's resource units: the same on every run
  int jobs = 0;                  // threads; 0: one per core
  double seconds = 120;          // a backstop, for one function; past it: undecided. 0: no end
  std::string cache = {};        // a file that keeps proofs between runs; empty: none
};

/// The prover and its limits. One at a time in a process: the clock of `Limits::seconds` is the process's.
class Session {
 public:
  /// Failure (Input) when the cache cannot be opened.
  explicit Session(const Limits& limits = {});
  ~Session();
  Session(Session&&) noexcept;

  const Limits& limits() const;
  /// The clock starts anew, for the work on so many functions. Functions here do it themselves.
  void begin(size_t functions = 1);
  /// For hexproof's own commands.
  Prover& prover();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hexproof::api
