// The errors of one function, as runs meet them: one of each kind at a place.
#pragma once
#include "verify/check/replay.h"

namespace hexproof {

/// What is not proved, each with what the prover said of it.
using OpenItems = std::vector<std::pair<CheckItem, Answer>>;

class ErrorsMet {
 public:
  bool any() const { return !all_.empty(); }
  /// Replays the question, if no error of it is known yet: Refuted where a run met its error, and Unknown else,
  /// with a reason. Another error that a run meets is kept, and answers the first question that asks about it. `about`:
  /// ErrorMet::about.
  Answer replay(Replayer& replayer, const CheckContext& context, const CheckItem& question, Answer answer,
                const std::string& about = "");
  /// The same for each of them, which are answers of the report then.
  void replay_all(Replayer& replayer, const CheckContext& context, OpenItems& open, CheckReport* report);
  /// Is it known of the assume that it is false?
  bool is_false(const Stmt& assume) const;
  /// Those of a report on the same text, each after a change.
  void add(const CheckReport& other, const std::function<void(ErrorMet*)>& change);
  /// The report is a refutation, with these errors; its reason says what stayed open, and `unasked` why something was
  /// not asked, if it was not.
  void tell(CheckReport* report, const std::string& unasked = "");

 private:
  /// Is an error known, where the obligation stands, that it asks about?
  bool told(const Obligation& asked) const;
  bool add(const ErrorMet& error, bool answers);

  struct Known {
    ErrorMet error;
    bool answers = false;  // a question
  };
  std::vector<Known> all_;
  size_t replays_ = 0;
};

}  // namespace hexproof
