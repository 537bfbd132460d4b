// Two executions of one statement: iterations of a loop whose iterations have no order, instances of a block.
#include <utility>

#include "ir/interpreter/fault.h"
#include "tools/checker/walk.h"

namespace hexproof::checker {

/// Of one compact layout the indices tell, since each is in its axis; else the addresses.
std::string same_cell(const Touch& a, const Touch& b) {
  if (!(a.buffer->dtype == b.buffer->dtype)) return "true";
  if (a.layout == b.layout && a.layout.strides.empty()) return all_equal(a.at, b.at);
  return a.address.empty() || b.address.empty() ? "true" : "(= " + a.address + " " + b.address + ")";
}

/// The loads and stores of one execution, in which others may store to what `beside` stores to.
std::vector<Touch> Walk::touches(int execution, const Stmt& beside, const std::function<void()>& execute) {
  std::vector<Touch> out;
  const Terms::Mark mark = terms_.mark();
  const Stmt block = std::exchange(block_, {});
  const std::vector<std::string> loops = std::exchange(loops_, {});
  allocated_.clear();
  began_ = mark;
  touches_ = &out;
  terms_.execution = execution;
  unstably(beside, execute);
  terms_.back_to(mark);  // but for what is declared
  terms_.execution = 0;
  touches_ = nullptr;
  block_ = block, loops_ = loops;
  return out;
}

void Walk::touch(const Buffer& buffer, const std::vector<Expr>& indices, bool write) {
  Touch one;
  one.stmt = at_, one.buffer = buffer, one.write = write;
  one.loops = loops_, one.block = block_, one.spatial = spatial_;
  one.at = terms_.terms(indices);
  one.given = terms_.known_since(began_);
  one.given.insert(one.given.end(), guards_.begin(), guards_.end());
  auto layout = layouts_.find(buffer.operator->());
  if (layout != layouts_.end()) {
    one.layout = layout->second;
    if (one.layout.separators.empty()) one.address = address(buffer, one.at);
  } else {
    one.layout.strides = {"unknown"};
  }
  touches_->push_back(std::move(one));
}

std::vector<std::string> Walk::meeting(const Touch& a, const Touch& b, const std::string& differs) const {
  std::vector<std::string> meet = {differs};
  // Memory that is allocated in an iteration is its own.
  auto memory = allocated_.find(a.buffer->data.id());
  for (size_t k = 0; memory != allocated_.end() && k < memory->second; ++k) {
    meet.push_back("(= " + a.loops.at(k) + " " + b.loops.at(k) + ")");
  }
  for (const Touch* touch : {&a, &b}) meet.insert(meet.end(), touch->given.begin(), touch->given.end());
  meet.push_back(same_cell(a, b));
  return meet;
}

void Walk::never(const std::vector<std::string>& meeting, const Touch& a, const Touch& b, const std::string& what) {
  claim_here("(not " + conjunction(meeting) + ")", what + " share no cell of " + a.buffer->name + ": '" +
                                                       one_line(a.stmt) + "' and '" + one_line(b.stmt) + "'");
}

/// One formula for each two touches of two executions that may meet, of which one writes.
void Walk::apart(const Stmt& beside, const std::function<void()>& execute, const Differ& differ,
                 const std::string& what) {
  const Terms::Mark mark = terms_.mark();
  const std::vector<Touch> one = touches(1, beside, execute), other = touches(2, beside, execute);
  // Touches of one cell under one condition are asked once.
  std::map<std::string, size_t> seen;
  std::vector<std::pair<size_t, bool>> kept;  // does one of them write?
  for (size_t k = 0; k < one.size(); ++k) {
    std::string key =
        std::to_string(one[k].buffer->id) + " of " + std::to_string(reinterpret_cast<uintptr_t>(one[k].block.get()));
    for (const auto* part : {&one[k].at, &one[k].given, &one[k].spatial}) {
      for (const std::string& text : *part) key += " " + text;
      key += ";";
    }
    auto [found, is_new] = seen.emplace(key + one[k].layout.text() + one[k].address, kept.size());
    if (is_new) kept.emplace_back(k, false);
    kept[found->second].second |= one[k].write;
  }
  for (size_t x = 0; x < kept.size(); ++x) {
    for (size_t y = x; y < kept.size(); ++y) {
      const Touch &a = one[kept[x].first], &b = other[kept[y].first];
      if (!(kept[x].second || kept[y].second) || !(a.buffer->data == b.buffer->data)) continue;
      const std::string differs = differ(a, b);
      if (differs.empty()) continue;
      never(meeting(a, b, differs), a, b, what);
    }
  }
  terms_.back_to(mark);
}

/// Two iterations of a loop that has no order.
void Walk::races(const For& s, const std::string& min, const std::string& last) {
  if (touches_ || quiet_) return;
  apart(
      s.body, [&] { iterations(s, min, last); },
      [](const Touch& a, const Touch& b) { return "(not (= " + a.loops.at(0) + " " + b.loops.at(0) + "))"; },
      "two iterations of " + s.var.name());
}

/// Two instances of each block in the scope, at any two moments of it: they are independent where a spatial value
/// differs.
void Walk::instances(const Stmt& scope) {
  if (touches_ || quiet_ || !holds<Block>({scope})) return;
  const Stmt around = at_;
  // Each formula is told at its block.
  apart(
      scope, [&] { stmt(scope); },
      [&](const Touch& a, const Touch& b) -> std::string {
        if (!a.block || a.block.get() != b.block.get() || a.spatial.empty() || a.loops.empty()) return "";
        at_ = a.block;
        return "(not " + all_equal(a.spatial, b.spatial) + ")";
      },
      "instances with different spatial values");
  at_ = around;
}

}  // namespace hexproof::checker
