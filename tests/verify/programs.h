// Programs as text for the tests of facts, footprints and check.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "ir/text/text.h"
#include "verify/check/check.h"
#include "verify/check/finding_text.h"

namespace hexproof {

/// The only function of a TVMScript text.
inline PrimFunc parse(const std::string& text) { return pick_function(parse_module(text), ""); }

/// Everything that a failing test wants to show of a report.
inline std::string describe(const CheckReport& report) {
  std::string out = std::string(to_text(report.finding)) + "\n" + report.counterexample + "\n" + report.reason;
  for (const CheckedObligation& o : report.obligations) {
    if (o.answer.verdict != Verdict::Proved) out += "\nOPEN " + print(o.obligation) + "\n" + o.answer.reason;
  }
  return out;
}

}  // namespace hexproof
