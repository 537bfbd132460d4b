// Paths: running both ways of a condition, and errors under conditions.
#include <algorithm>

#include "verify/equiv/symbolic/executor.h"

namespace hexproof::symbolic {

void Executor::record(Term condition, const std::string& message) {
  if (!recorded_.insert(condition).second) return;
  errors_.push_back({condition, message, current_ ? current_->stmt->span : Span{}});
}

void Executor::error_unless_known(Term condition, const std::function<std::string()>& message) {
  std::optional<bool> known = known_.decide(condition);
  if (known && !*known) return;
  if (known) throw Fault{ErrorKind::Operation, message()};
  record(t_.land(path_, condition), message());
  Term fine = t_.lnot(condition);
  known_.add(fine);
  if (forks_ == 0) learnt_.push_back(fine);
}

void Executor::write(Memory& memory, size_t at, Term cell, Term filled) {
  if (forks_ > 0) log_.push_back({&memory, static_cast<uint32_t>(at), memory.cells[at], memory.filled[at]});
  memory.cells[at] = cell;
  memory.filled[at] = filled;
}

/// Undoes the writes since `mark`; what the cells held before is given back, in the order of the cells.
std::vector<Executor::Change> Executor::take_back(size_t mark) {
  std::vector<Change> out;
  for (; log_.size() > mark; log_.pop_back()) {
    const Logged& l = log_.back();
    out.push_back({l.memory, l.at, l.memory->cells[l.at], l.memory->filled[l.at]});
    l.memory->cells[l.at] = l.cell;
    l.memory->filled[l.at] = l.filled;
  }
  // The first one of each cell is what it held last.
  auto key = [](const Change& c) { return std::pair(c.memory->id, c.at); };
  std::stable_sort(out.begin(), out.end(), [&](const Change& a, const Change& b) { return key(a) < key(b); });
  auto end = std::unique(out.begin(), out.end(), [&](const Change& a, const Change& b) { return key(a) == key(b); });
  out.erase(end, out.end());
  return out;
}

std::optional<std::vector<Executor::Change>> Executor::way(Term condition, const std::function<void()>& run) {
  const Term path = path_;
  const size_t log = log_.size(), known = known_.mark(), depth = parallel_depth_;
  const bool in_assume = in_assume_;
  const Action* current = current_;
  path_ = t_.land(path, condition);
  ++forks_;
  bool alive = true;
  try {
    if (path_ == Terms::kFalse) throw Fault{ErrorKind::Operation, ""};
    known_.add(condition);
    run();
  } catch (const Fault& fault) {
    alive = false;
    if (!fault.message.empty()) record(t_.land(path, condition), fault.message);
    for (; parallel_depth_ > depth; --parallel_depth_) parallel_.leave();
  }
  std::vector<Change> changes = take_back(log);
  --forks_;
  known_.forget(known);
  path_ = path;
  in_assume_ = in_assume;
  current_ = current;
  if (!alive) return std::nullopt;
  return changes;
}

Executor::Ways Executor::fork(Term condition, const std::function<void()>& first, const std::function<void()>& second) {
  if (std::optional<bool> known = known_.decide(condition)) {
    (*known ? first : second)();
    return *known ? Ways::First : Ways::Second;
  }
  const Term negated = t_.lnot(condition);
  const auto first_way = way(condition, first), second_way = way(negated, second);
  const bool first_alive = first_way.has_value(), second_alive = second_way.has_value();
  const std::vector<Change> none, &yes = first_alive ? *first_way : none, &no = second_alive ? *second_way : none;
  if (!first_alive && !second_alive) throw Fault{ErrorKind::Operation, ""};  // both are recorded
  if (!first_alive || !second_alive) {
    for (const Change& c : first_alive ? yes : no) write(*c.memory, c.at, c.cell, c.filled);
    Term fine = first_alive ? condition : negated;
    known_.add(fine);
    if (forks_ == 0) learnt_.push_back(fine);
  } else {
    auto key = [](const Change& c) { return std::pair(c.memory->id, c.at); };
    for (size_t i = 0, k = 0; i < yes.size() || k < no.size();) {
      bool has_yes = i < yes.size() && (k == no.size() || key(yes[i]) <= key(no[k]));
      bool has_no = k < no.size() && (i == yes.size() || key(no[k]) <= key(yes[i]));
      Memory& memory = *(has_yes ? yes[i] : no[k]).memory;
      const size_t at = has_yes ? yes[i].at : no[k].at;
      const Change old{&memory, static_cast<uint32_t>(at), memory.cells[at], memory.filled[at]};
      const Change &a = has_yes ? yes[i] : old, &b = has_no ? no[k] : old;
      // A cell that one way leaves uninitialised holds nothing there.
      Term cell = a.filled == Terms::kFalse   ? b.cell
                  : b.filled == Terms::kFalse ? a.cell
                                              : t_.select(condition, a.cell, b.cell);
      write(memory, at, cell, t_.select(condition, a.filled, b.filled));
      i += has_yes;
      k += has_no;
    }
  }
  if (forks_ == 0) retired_.clear();
  return first_alive && second_alive ? Ways::Both : first_alive ? Ways::First : Ways::Second;
}

}  // namespace hexproof::symbolic
