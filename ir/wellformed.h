// What is wrong with a program, and where (ir/text/text.h has the short form, ill_formed).
#pragma once
#include <optional>
#include <string>

#include "ir/function.h"

namespace hexproof {

/// A rule of well-formedness that a function breaks, in words that name the culprit, and the statement.
struct Defect {
  std::string message;
  Span span;
};

/// The first defect in the order of the program, or nothing; see ill_formed.
std::optional<Defect> find_defect(const PrimFunc& func);

}  // namespace hexproof
