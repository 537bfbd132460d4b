#include "verify/check/error_met.h"

#include "ir/interpreter/arguments.h"
#include "ir/interpreter/fault.h"
#include "verify/check/items/cells_read.h"

namespace hexproof {
namespace {

/// Adds the path of each statement that may be the one of the error: of its text, at its place.
void find_statement(const Stmt& stmt, const RunError& error, Path* path, std::vector<Path>* found) {
  const Span& at = stmt->span;
  if (at.line == error.span.line && at.column == error.span.column && one_line(stmt) == error.statement)
    found->push_back(*path);
  int step = 0;
  for (const Stmt& part : children(stmt)) {
    path->push_back(step++);
    find_statement(part, error, path, found);
    path->pop_back();
  }
}

}  // namespace

ErrorMet error_met(const PrimFunc& func, RunError error, const std::vector<Tensor>& arguments,
                   const ScalarArguments& scalars) {
  const std::map<Var, Scalar> values = bind_arguments(func, arguments, scalars).scalars;
  ErrorMet out{.error = std::move(error), .scalars = {}, .cells = {}};
  for (const Var& var : func.scalars()) {
    if (auto known = values.find(var); known != values.end())
      out.scalars.emplace_back(var.name(), text_of(known->second));
  }
  std::vector<Path> found;
  Path path;
  if (func.body) find_statement(func.body, out.error, &path, &found);
  // (A function that is linked into another one twice stands there twice.)
  if (found.size() == 1) out.cells = cells_read(func, values, arguments, found.front(), out.error);
  return out;
}

std::string ErrorMet::str() const {
  std::string out = (about.empty() ? "" : about + "\n") + error.str(), input;
  for (const auto& [name, value] : scalars) input += (input.empty() ? "" : ", ") + name + " = " + value;
  for (const CellMet& cell : cells) input += (input.empty() ? "" : ", ") + cell.str();
  if (!input.empty()) out += "\n  input: " + input;
  if (behind.empty()) return out;
  constexpr size_t kNamed = 3;
  out += behind.size() == 1 ? "\n  behind the error at " : "\n  behind the errors at ";
  for (size_t k = 0; k < std::min(behind.size(), kNamed); ++k) out += (k ? ", " : "") + behind[k].str();
  if (behind.size() > kNamed) out += ", ... (" + std::to_string(behind.size()) + ")";
  return out + ", which the run passes over";
}

bool same_place(const Span& a, const std::string& statement_a, const Span& b, const std::string& statement_b) {
  if (!a || !b) return !a && !b && statement_a == statement_b;
  return a.line == b.line && a.column == b.column;
}

}  // namespace hexproof
