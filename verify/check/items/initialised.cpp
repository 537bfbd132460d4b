// Every read of allocated memory, and of padding of an argument that nobody filled, comes after a write of its cell.
//
// For a read, the writes that surely ran before are looked for: those that stand earlier, in the same iteration of the
// loops around both (their own loops run through, so the iteration that hits the cell may be chosen: the witness); and
// those of an earlier iteration of a serial loop around both, whose inner loops are then free. One of them may cover
// the read by itself; else what is missing of one becomes known for the next ("it was not the first branch").
#include <algorithm>

#include "ir/base/mutant.h"
#include "verify/access/footprint_witness.h"
#include "verify/check/check_item.h"
#include "verify/memory/argument_padding.h"

namespace hexproof {

namespace {

constexpr int kSplits = 4;          // how many writers may share the cells of one read
constexpr size_t kQuestions = 400;  // asked of the prover for one read

/// Sums and products are put into `given` only after they are shown to be free of errors.
class Reads {
 public:
  Reads(CheckContext& context, std::vector<CheckedObligation>* answered) : context_(context), answered_(answered) {}

  /// One of the candidates hits the cell: all of them in one question.
  Obligation ask_whole(const Access& read, const std::vector<Access>& writes, const MemoryInfo& memory,
                       std::vector<Expr> given, const Place& where) {
    where_ = where;
    why_ = "a read of " + read.buffer->name + " finds a cell that was written";
    asked_ = 0;
    for (Expr& e : domain_of(read)) given.push_back(std::move(e));
    candidates_.clear();
    for (const Access& write : writes) collect(write, read, memory, given);
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const auto& a, const auto& b) { return a.size() < b.size(); });
    Expr any;
    for (const auto& candidate : candidates_) any = any ? lor(any, all(candidate)) : all(candidate);
    if (!any) {
      why_ += "; no write of it stands before";
      any = boolean(false);
    }
    Obligation out{"check-initialised", why_, where, std::move(given), any};
    out.one_way = true;  // one of the writes that a search found, at the iteration that it found
    return out;
  }

  /// Nothing when the read is covered; else what stayed open, with a model under which no candidate works.
  std::optional<std::pair<CheckItem, Answer>> prove(const Access& read, const std::vector<Access>& writes,
                                                    const MemoryInfo& memory, std::vector<Expr> known,
                                                    const Place& where) {
    CheckItem whole{.obligation = ask_whole(read, writes, memory, std::move(known), where), .path = {}};
    const std::vector<Expr>& given = whole.obligation.given;
    std::vector<CheckedObligation> used;
    Answer answer;
    if (!candidates_.empty() && covered_by_one(given, &used)) {
      answered_->insert(answered_->end(), used.begin(), used.end());
      return std::nullopt;
    }
    answer = context_.prover.prove(whole.obligation);
    if (answer.verdict == Verdict::Proved) {
      answered_->push_back({std::move(whole.obligation), std::move(answer)});
      return std::nullopt;
    }
    if (answer.verdict == Verdict::Unknown &&
        covered(given, std::vector<bool>(candidates_.size(), false), kSplits, &used)) {
      answered_->insert(answered_->end(), used.begin(), used.end());
      return std::nullopt;
    }
    return std::pair{std::move(whole), std::move(answer)};
  }

 private:
  void collect(const Access& write, const Access& read, const MemoryInfo& memory, const std::vector<Expr>& given) {
    size_t common = 0;
    while (common < write.loops.size() && common < read.loops.size() &&
           write.loops[common].var == read.loops[common].var) {
      ++common;
    }
    if (write.order < read.order) candidate(write, read, given, common, false);
    for (size_t k = common; k-- > memory.loops;) {
      ForKind kind = write.loops[k].kind;
      if (kind == ForKind::Serial || kind == ForKind::Unrolled) candidate(write, read, given, k, true);
    }
  }

  /// The loops of `write` from `first` on are chosen; with `earlier`, the first of them has a smaller value than at
  /// the read.
  void candidate(const Access& write, const Access& read, const std::vector<Expr>& given, size_t first, bool earlier) {
    Access chosen = write;
    chosen.loops.erase(chosen.loops.begin(), chosen.loops.begin() + static_cast<long>(first));
    std::vector<Var> names;
    for (const LoopRange& loop : chosen.loops) names.push_back(loop.var);
    chosen = rename_apart(chosen);
    std::vector<VarMap> hints(1);
    if (earlier) {
      for (size_t j = 1; j < chosen.loops.size(); ++j) {
        if (first + j < read.loops.size() && read.loops[first + j].var == names[j]) {
          hints[0].emplace(chosen.loops[j].var, Expr(names[j]));
        }
      }
      VarMap previous = hints[0];
      previous.emplace(chosen.loops[0].var, Expr(names[0]) - imm(names[0].dtype(), 1));
      hints.push_back(previous);
    }
    for (const VarMap& hint : hints) {
      for (Witness& w : witnesses(chosen, read, given, hint)) {
        if (earlier) w.conditions.push_back(lt(w.values.at(chosen.loops[0].var), Expr(names[0])));
        if (std::find(candidates_.begin(), candidates_.end(), w.conditions) == candidates_.end()) {
          candidates_.push_back(std::move(w.conditions));
        }
      }
    }
  }

  Answer ask(const std::vector<Expr>& given, const Expr& goal, std::vector<CheckedObligation>* used) {
    ++asked_;
    Obligation o{"check-initialised", why_, where_, given, goal};
    Answer answer = context_.prover.prove(o);
    if (answer.verdict == Verdict::Proved) used->push_back({std::move(o), answer});
    return answer;
  }

  bool covered_by_one(const std::vector<Expr>& given, std::vector<CheckedObligation>* used) {
    for (const auto& candidate : candidates_) {
      std::vector<CheckedObligation> mine;
      bool holds = true;
      for (const Expr& condition : candidate) {
        holds = HEXPROOF_MUTANT("check/initialised", ask(given, condition, &mine).verdict == Verdict::Proved, true);
        if (!holds) break;
      }
      if (!holds) continue;
      used->insert(used->end(), mine.begin(), mine.end());
      return true;
    }
    return false;
  }

  bool covered(const std::vector<Expr>& given, std::vector<bool> tried, int splits,
               std::vector<CheckedObligation>* used) {
    struct Partial {
      size_t index;
      std::vector<Expr> missing;
      std::vector<CheckedObligation> used;
    };
    std::vector<Partial> partial;
    for (size_t i = 0; i < candidates_.size(); ++i) {
      if (tried[i] || asked_ > kQuestions) continue;
      Partial p{i, {}, {}};
      for (const Expr& condition : candidates_[i]) {
        if (ask(given, condition, &p.used).verdict != Verdict::Proved) p.missing.push_back(condition);
      }
      if (p.missing.empty()) {
        used->insert(used->end(), p.used.begin(), p.used.end());
        return true;
      }
      partial.push_back(std::move(p));
    }
    if (splits == 0 || partial.size() < 2) return false;
    std::stable_sort(partial.begin(), partial.end(),
                     [](const Partial& a, const Partial& b) { return a.missing.size() < b.missing.size(); });
    size_t branches = std::min<size_t>(partial.size(), splits == kSplits ? 4 : 2);
    for (size_t k = 0; k < branches && asked_ <= kQuestions; ++k) {
      Partial& p = partial[k];
      if (!free_of_errors(given, p.missing, &p.used)) continue;
      std::vector<Expr> rest = given;
      for (Expr& e : conjuncts(all(p.missing), true)) rest.push_back(std::move(e));
      std::vector<bool> now = tried;
      now[p.index] = true;
      std::vector<CheckedObligation> more = p.used;
      if (!covered(rest, now, splits - 1, &more)) continue;
      used->insert(used->end(), more.begin(), more.end());
      return true;
    }
    return false;
  }

  bool free_of_errors(const std::vector<Expr>& given, const std::vector<Expr>& conditions,
                      std::vector<CheckedObligation>* used) {
    for (const Expr& c : conditions) {
      bool works = false;
      visit_expr(c, [&](const Expr& e) {
        works |= !e->args.empty() && e->dtype.is_integer();
        return !works;
      });
      if (works && !is_data(c) && ask(given, fits(c), used).verdict != Verdict::Proved) return false;
    }
    return true;
  }

  CheckContext& context_;
  std::vector<CheckedObligation>* answered_;
  std::vector<std::vector<Expr>> candidates_;
  std::string why_;
  Place where_;
  size_t asked_ = 0;
};

/// Conditions (branches, assumes, sizes) at each statement with a read, by its position.
std::map<Path, std::vector<Expr>> known_at_statements(const PrimFunc& func) {
  std::map<Path, std::vector<Expr>> out;
  walk_with_facts(func, [&](const Stmt&, const Path& path, const Facts& facts) {
    out.emplace(path, facts.known());
    return true;
  });
  return out;
}

/// Which cells hold no value when their memory begins to live: all of what is allocated here, and of an argument the
/// padding that nobody promised to fill.
class Unwritten {
 public:
  explicit Unwritten(const CheckContext& context) : context_(context) {
    for (size_t k = 0; k < context.func.params.size(); ++k) {
      if (std::optional<ArgumentPadding> padding = argument_padding(context.func, k)) {
        arguments_.emplace(context.func.params[k].buffer->data, std::pair{context.func.params[k].buffer, *padding});
      }
    }
    any_ = !arguments_.empty();
    for (const Param& param : context.func.params) {
      if (!param.buffer || (param.buffer->strides.empty() && !param.buffer->elem_offset)) continue;
      spread_.emplace(param.buffer->data, param.buffer);
      any_ = true;
    }
    for (const auto& [data, memory] : context.memories) any_ |= !memory.param && !memory.constant;
  }

  bool any() const { return any_; }

  /// When the cell that is read was without a value; nothing when it never was.
  std::optional<Expr> when(const Access& read) const {
    auto memory = context_.memories.find(read.buffer->data);
    if (memory == context_.memories.end() || memory->second.constant) return std::nullopt;
    if (!memory->second.param) return boolean(true);
    auto argument = arguments_.find(read.buffer->data);
    if (argument == arguments_.end()) return gaps(read) ? std::optional<Expr>(boolean(true)) : std::nullopt;
    const auto& [buffer, padding] = argument->second;
    if (read.buffer == buffer) return padding.at(read.indices);
    return seen_through(*read.buffer, read.indices, *buffer, padding);
  }

  /// The elements of the argument that hold values from the start, as what something wrote before all else: all but
  /// padding. An argument with strides or an offset leaves cells of its memory between them.
  std::optional<Access> from_the_start(const Var& data) const {
    auto it = spread_.find(data);
    if (it == spread_.end()) return std::nullopt;
    Access out = access_of(it->second, {}, true);
    for (const Expr& extent : it->second->shape) {
      Var var = Var::fresh("e" + std::to_string(out.loops.size()), extent->dtype);
      out.loops.push_back({var, zero(extent->dtype), extent});
      out.indices.emplace_back(var);
    }
    if (auto argument = arguments_.find(data); argument != arguments_.end()) {
      out.guards.push_back(lnot(argument->second.second.at(out.indices)));
    }
    return out;
  }

 private:
  /// Does the read, through a view, reach memory between the elements of an argument?
  bool gaps(const Access& read) const {
    auto it = spread_.find(read.buffer->data);
    return it != spread_.end() && !(read.buffer == it->second);
  }

  /// A view that is compact, as the buffer is, and of constant shape: the flat address gives the cell back.
  static Expr seen_through(const BufferNode& view, const std::vector<Expr>& indices, const BufferNode& buffer,
                           const ArgumentPadding& padding) {
    bool plain = view.dtype == buffer.dtype && view.strides.empty() && !view.elem_offset && buffer.strides.empty() &&
                 !buffer.elem_offset;
    for (const BufferNode* b : {&view, &buffer}) {
      for (const Expr& n : b->shape) plain = plain && as_int(n) && int_value(n) <= max_value(kInt32);
    }
    for (const Expr& index : indices) plain = plain && index->dtype == kInt32;
    if (!plain) return boolean(true);
    Expr flat = i32(0);
    for (size_t d = 0; d < indices.size(); ++d) {  // an address never wraps
      Expr row = binary(Op::Mul, flat, i32(*as_int(view.shape[d])), false);
      flat = d ? binary(Op::Add, row, indices[d], false) : indices[d];
    }
    std::vector<Expr> cell(buffer.shape.size());
    Wide inner = 1;
    for (size_t d = cell.size(); d-- > 0;) {
      if (inner > max_value(kInt32)) return boolean(true);
      Expr part = inner == 1 ? flat : floordiv(flat, i32(static_cast<int64_t>(inner)));
      cell[d] = d ? floormod(part, i32(*as_int(buffer.shape[d]))) : part;
      inner *= int_value(buffer.shape[d]);
    }
    return padding.at(cell);
  }

  const CheckContext& context_;
  std::map<Var, std::pair<Buffer, ArgumentPadding>> arguments_;
  std::map<Var, Buffer> spread_;  // arguments with strides or an offset, by their memory
  bool any_ = false;
};

Path path_of(const Access& access) {
  Path path(access.order.begin(), access.order.end() - 1);
  for (int& step : path) step -= kOrderParts;
  return path;
}

/// Each read of a cell that may be without a value, with what is known there and the writes to its memory.
template <class F>
void for_each_doubtful_read(CheckContext& context, const F& f) {
  Unwritten unwritten(context);
  if (!unwritten.any()) return;
  std::vector<Access> accesses = footprint(context.func.body, entry_facts(context.func), true);
  auto known = known_at_statements(context.func);
  std::map<Var, std::vector<Access>> writes;
  for (const Access& a : accesses) {
    if (a.write) writes[a.buffer->data].push_back(a);
  }
  for (const Access& read : accesses) {
    if (read.write) continue;
    std::optional<Expr> when = unwritten.when(read);
    if (!when) continue;
    Path path = path_of(read);
    // A condition on memory that changes is not what it was when an earlier write was guarded by it: only the opaque
    // values of the footprint speak of both.
    std::vector<Expr> given = known[path];
    if (!is_int(*when, 1)) given.push_back(*when);
    std::vector<Access> before = writes[read.buffer->data];
    if (std::optional<Access> start = unwritten.from_the_start(read.buffer->data)) before.push_back(std::move(*start));
    f(read, path, std::move(given), before, context.memories.at(read.buffer->data));
  }
}

}  // namespace

std::vector<Obligation> initialised_at(CheckContext& context, const Path& at) {
  std::vector<Obligation> out;
  Reads reads(context, nullptr);
  for_each_doubtful_read(context, [&](const Access& read, const Path& path, std::vector<Expr> given,
                                      const std::vector<Access>& writes, const MemoryInfo& memory) {
    if (path.size() < at.size() || !std::equal(at.begin(), at.end(), path.begin())) return;
    out.push_back(reads.ask_whole(read, writes, memory, std::move(given), place_of(context.func, read.stmt)));
  });
  return out;
}

void prove_initialised(CheckContext& context, std::vector<CheckedObligation>* answered,
                       std::vector<std::pair<CheckItem, Answer>>* open) {
  Reads reads(context, answered);
  for_each_doubtful_read(context, [&](const Access& read, const Path& path, std::vector<Expr> given,
                                      const std::vector<Access>& writes, const MemoryInfo& memory) {
    auto q = reads.prove(read, writes, memory, std::move(given), place_of(context.func, read.stmt));
    if (!q) return;
    q->first.path = path;
    if (q->second.reason.empty()) q->second.reason = "no write was shown to run before";
    open->push_back(std::move(*q));
  });
}

}  // namespace hexproof
