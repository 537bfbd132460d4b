#include "rewrite/schedule/schedule.h"

#include <algorithm>
#include <set>

#include "ir/base/codes.h"
#include "rewrite/kernel/engine_limit.h"
#include "rewrite/schedule/demonstrated.h"
#include "rewrite/site/places.h"

namespace hexproof {

namespace {

size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::vector<std::string> block_names(const PrimFunc& func) {
  std::set<std::string> names;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const Block* block = s.as<Block>()) names.insert(block->name);
    return true;
  });
  return {names.begin(), names.end()};
}

}  // namespace

std::string nearest_names(const std::string& name, const std::vector<std::string>& names) {
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const std::string& other : names) {
    if (other.size() > 200 || name.size() > 200) continue;
    ranked.emplace_back(edit_distance(name, other), other);
  }
  std::sort(ranked.begin(), ranked.end());
  std::string out;
  for (size_t k = 0; k < ranked.size() && k < 3; ++k) {
    if (k > 0 && ranked[k].first > ranked[0].first + 1) break;
    out += (k ? " or '" : "did you mean '") + ranked[k].second + "'";
  }
  return out.empty() ? out : out + "?";
}

PrimitiveRefused::PrimitiveRefused(const Span& span, const std::string& primitive, const Refused& refused,
                                   const std::string& hint)
    : Refused(as_demonstrated(refused)), span(span), message_(Refused::what()) {
  if (span) {
    message_ = render(span, "refused", message_, hint);
    return;
  }
  if (!primitive.empty()) message_ = primitive + ": " + message_;
  if (!hint.empty()) message_ += "\n  hint: " + hint;
}

void Schedule::fail(const std::string& message, const std::string& hint) const {
  if (span_) throw CodedError(Code::Step, span_, message, hint);
  throw CodedError(Code::Step,
                   (primitive_.empty() ? "" : primitive_ + ": ") + message + (hint.empty() ? "" : " (" + hint + ")"));
}

void Schedule::primitive(const std::function<void()>& f) {
  Derivation saved = derivation_;
  std::map<std::string, std::string> names = renamed_;
  const uint64_t undecided = undecided_refusals();
  ++depth_;
  auto put_back = [&] { derivation_ = saved, renamed_ = names, --depth_; };
  try {
    f();
    --depth_;
  } catch (const PrimitiveRefused&) {
    put_back();
    throw;
  } catch (const Refused& refused) {
    put_back();
    if (depth_ > 0) throw;  // the primitive around it says what it asks for as a whole
    if (refused.answer.verdict == Verdict::Refuted && undecided_refusals() > undecided) {
      Answer open;
      open.reason = "it is false of this form of the step, and another one that was tried was left open";
      throw PrimitiveRefused(span_, primitive_, Refused(refused.obligation, open), flags_asked_for(f));
    }
    throw PrimitiveRefused(span_, primitive_, refused, flags_asked_for(f));
  } catch (const EngineLimit& limit) {
    put_back();
    throw Unsupported(span_, (primitive_.empty() ? "" : primitive_ + ": ") + limit.what());
  } catch (const NotApplicable& error) {
    put_back();
    fail(error.what());
  } catch (...) {
    put_back();
    throw;
  }
}

bool Schedule::try_apply(const RuleCall& call) {
  try {
    apply(call);
    return true;
  } catch (const NotApplicable&) {
    return false;
  } catch (const Refused&) {
    return false;
  }
}

int Schedule::apply_everywhere_by(const std::function<RuleCall(const Path&)>& call,
                                  const std::function<bool(const Stmt&)>& f) {
  int count = 0;
  std::vector<Path> places = find_all(func(), f);
  // In reverse program order a change moves no place that is still to come.
  for (auto it = places.rbegin(); it != places.rend(); ++it) count += try_apply(call(*it));
  return count;
}

const std::string& Schedule::current_name(const BlockRef& block) const {
  if (block.loop) return block.loop.name();
  const std::string* name = &block.name;
  for (auto it = renamed_.find(*name); it != renamed_.end(); it = renamed_.find(*name)) name = &it->second;
  return *name;
}

Path Schedule::path_of(const BlockRef& block) const {
  if (block.loop) return path_of(LoopRef{block.loop});
  const std::string& name = current_name(block);
  std::vector<Path> found = find_blocks(func(), name);
  if (found.size() == 1) return found[0];
  if (found.empty() && name == kRootBlock) return body_below_allocations(func());
  if (found.empty())
    fail("there is no block '" + name + "' in '" + func().name + "'", nearest_names(name, block_names(func())));
  fail("there are " + std::to_string(found.size()) + " blocks named '" + name + "'",
       "the names of blocks must be unique");
}

Path Schedule::path_of_block(const BlockRef& block) const {
  Path at = path_of(block);
  if (!stmt_at(func(), at).as<Block>()) fail("this primitive needs a block, and \"root\" is the whole body");
  return at;
}

Path Schedule::path_of(const LoopRef& loop) const {
  if (auto path = find_loop(func(), loop.var)) return *path;
  fail("the loop '" + loop.var.name() + "' is gone: another primitive has replaced it");
}

BlockRef Schedule::get_block(const std::string& name) {
  BlockRef block{name};
  // A name that the program has wins over what a handle once meant.
  if (!find_blocks(func(), name).empty()) renamed_.erase(name);
  path_of(block);
  return block;
}

LoopRef Schedule::get_loop(const std::string& name, std::optional<int64_t> index) {
  std::vector<LoopRef> found;
  std::set<std::string> names;
  for (const Path& at : find_all(func(), [](const Stmt& s) { return s.as<For>() != nullptr; })) {
    const Var& var = stmt_at(func(), at).as<For>()->var;
    names.insert(var.name());
    if (var.name() == name) found.push_back({var});
  }
  if (found.empty()) {
    fail("there is no loop over '" + name + "' in '" + func().name + "'",
         nearest_names(name, {names.begin(), names.end()}));
  }
  if (!index && found.size() > 1) {
    fail("there are " + std::to_string(found.size()) + " loops over '" + name + "'",
         "say which, from 0 in program order: get_loop(\"" + name + "\", 0)");
  }
  int64_t k = index.value_or(0);
  if (k < 0 || k >= static_cast<int64_t>(found.size())) {
    fail("there is no loop number " + std::to_string(k) + " over '" + name + "', only " + std::to_string(found.size()));
  }
  return found[static_cast<size_t>(k)];
}

std::vector<LoopRef> Schedule::get_loops(const BlockRef& block) {
  Path at = path_of(block);
  std::vector<LoopRef> loops;
  Stmt here = func().body;
  for (int step : at) {
    if (const For* loop = here.as<For>()) loops.push_back({loop->var});
    if (here.as<Block>()) loops.clear();
    here = children(here)[static_cast<size_t>(step)];
  }
  return loops;
}

std::vector<LoopRef> Schedule::get_child_loops(const BlockRef& block) {
  std::vector<LoopRef> loops;
  primitive([&] {
    const Path at = path_of(block);
    std::optional<Path> last;
    for (const Path& loop : find_all(func(), [](const Stmt& s) { return s.as<For>() != nullptr; })) {
      if (!is_within(loop, at) || (block.loop && loop == at) || (last && is_within(loop, *last))) continue;
      last = loop;
      loops.push_back({stmt_at(func(), loop).as<For>()->var});
    }
  });
  return loops;
}

}  // namespace hexproof
