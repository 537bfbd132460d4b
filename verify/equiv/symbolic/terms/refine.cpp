#include "verify/equiv/symbolic/terms/refine.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/text/text.h"
#include "verify/prove/effort.h"

namespace hexproof::symbolic {
namespace {

constexpr int kMaxConfirmed = 40;      // refutations of a solver that are tried on inputs
constexpr size_t kMaxLeftOpen = 2000;  // that the cheap stages leave open, before the dear ones are asked
constexpr int kMaxRounds = 4;          // questions asked again with the facts that an answer broke

Place place_of_function(const PrimFunc& func) { return {func.name, "", func.span}; }

/// Has `after` cells on entry that `before` has not? No promise about cells of `before` speaks of them.
bool has_cells_of_its_own(const ProgramPair& pair) {
  return std::any_of(pair.buffers.begin(), pair.buffers.end(), [](const BufferPair& buffer) {
    return std::any_of(buffer.layers.begin(), buffer.layers.end(),
                       [](const LayoutChange& layer) { return Padding::readable(layer.padding.kind); });
  });
}

FloatLaws laws_of(const ProgramPair& pair) {
  const PrimFunc& func = pair.before;
  return {.reassoc = func.granted("reassoc"),
          .nsz = func.granted("nsz") && zeros_are_neutral(pair.before) && zeros_are_neutral(pair.after),
          .contract = func.granted("contract"),
          .finite = func.granted("nnan") && func.granted("ninf") && !has_cells_of_its_own(pair)};
}

/// Terms are of both programs.
OpenRounding open_in(const ProgramPair& pair) {
  OpenRounding out = open_rounding_of(pair.before);
  const OpenRounding after = open_rounding_of(pair.after);
  out.one_format &= after.one_format, out.products_of_numbers &= after.products_of_numbers;
  return out;
}

}  // namespace

Refinement::Refinement(const ProgramPair& pair, const Instance& instance, Prover& prover, uint64_t max_terms,
                       EquivEffort effort)
    : pair_(pair),
      instance_(instance),
      prover_(prover),
      max_terms_(max_terms),
      terms_(max_terms, open_in(pair)),
      inputs_(pair, instance, terms_, max_terms),
      laws_(laws_of(pair)),
      normal_(terms_, laws_),
      facts_(terms_),
      bounds_(effort == EquivEffort::Full ? QuestionBounds{} : kSecondOpinion),
      questions_(terms_, prover_, place_of_function(pair.after), bounds_) {
  out_.method = "symbolic";
}

Refinement::Executed Refinement::execute(bool of_after) {
  const PrimFunc& func = of_after ? pair_.after : pair_.before;
  const std::vector<int64_t>& scalars = of_after ? instance_.after_scalars : instance_.before_scalars;
  const Arguments arguments =
      bind_arguments(func, of_after ? inputs_.after_tensors : inputs_.before_tensors, parameter_values(func, scalars));
  Executor executor(terms_, func, {max_terms_, max_terms_ * 20}, of_after ? 1 : 0, learnt_);
  for (const auto& [var, value] : arguments.scalars) executor.bind_scalar(var, value);
  std::vector<Memory*> memories;
  size_t next = 0;
  for (const Param& p : func.params) {
    if (!p.buffer) continue;
    const BoundBuffer& bound = arguments.buffers[next];
    memories.push_back(&executor.bind_buffer(p.buffer, p.var, View{nullptr, bound.shape, bound.strides, bound.offset},
                                             bound.elements));
    fill(*memories.back(), bound, (of_after ? inputs_.after : inputs_.before)[next++]);
  }
  Executed out{.cells = {}, .errors = {}, .ends = executor.run()};
  out.errors = executor.errors();
  if (!of_after) learnt_ = executor.learnt();
  for (size_t i = 0; i < memories.size(); ++i) out.cells.push_back(read_back(*memories[i], arguments.buffers[i]));
  return out;
}

void Refinement::observe(const std::vector<std::vector<Held>>& before, const std::vector<std::vector<Held>>& after) {
  for (size_t b = 0; b < pair_.buffers.size(); ++b) {
    const BufferPair& buffer = pair_.buffers[b];
    for (size_t i = 0; i < after[b].size(); ++i) {
      int64_t from = inputs_.origin(b, static_cast<int64_t>(i));
      const bool moved = from >= 0;
      Held wanted{kNoTerm, Terms::kTrue}, left = after[b][i];
      if (from < 0) {
        const PadCell& pad = instance_.pad(b, static_cast<int64_t>(i) / buffer.after->dtype.lanes);
        if (pad.kind != Padding::Kind::Value || buffer.logical_only) continue;
        from = pad.same_as;
        if (from < 0) wanted.value = terms_.constant(pad.value);
      }
      if (from >= 0) wanted = before[b][static_cast<size_t>(from)];
      ++observed_;
      // Padding: what holds nothing before may hold anything after; its input before and nothing after is what neither
      // program writes.
      if (wanted.filled == Terms::kFalse) continue;
      const bool kept = moved && wanted.value == inputs_.before[b][static_cast<size_t>(from)];
      if (left.filled == Terms::kFalse && kept) continue;
      if (left.filled != Terms::kTrue && left.filled != wanted.filled) {
        throw Error("before writes padding of " + buffer.after->name +
                    " that nobody filled, and after may leave it so");
      }
      if (wanted.value != left.value)
        cells_.push_back({b, static_cast<int64_t>(i), wanted.value, left.value, wanted.value});
    }
  }
}

std::string Refinement::place(const Cell& cell) const {
  const Tensor& tensor = inputs_.after_tensors[cell.buffer];
  return fmt::format("{}[{}]", pair_.buffers[cell.buffer].after->name,
                     fmt::join(index_of(cell.at, tensor.shape), ", "));
}

std::string Refinement::text(Term condition) const {
  auto* questions = const_cast<Questions*>(&questions_);
  if (questions->written_size(condition, 61) > 60) return "";
  std::unordered_map<Term, Expr> memo;
  auto leaf = [&](Term t) -> Expr {
    return Var::fresh(terms_.op(t) == Op::Undef ? "T.undef()" : inputs_.name(terms_.number(t)), terms_.type(t));
  };
  return print(to_expr(terms_, condition, leaf, memo));
}

void Refinement::note_exclusions() {
  struct Group {
    size_t count;
    const ErrorItem* first;
  };
  std::map<std::tuple<int, int, std::string_view>, Group> by_message;
  for (const ErrorItem& e : before_errors_) {
    ++by_message.try_emplace({e.span.line, e.span.column, e.message}, Group{0, &e}).first->second.count;
  }
  size_t listed = 0;
  for (const auto& [key, group] : by_message) {
    if (++listed > 5) {
      out_.notes.push_back(fmt::format("and inputs with {} other errors of before", by_message.size() - 5));
      return;
    }
    const ErrorItem& e = *group.first;
    std::string where = text(e.condition);
    std::string more = group.count > 1 ? fmt::format(" (and {} conditions like it)", group.count - 1) : "";
    out_.notes.push_back(fmt::format("inputs are excluded on which before reaches an error: {}{}{}{}",
                                     e.span ? e.span.str() + ": " : "", e.message,
                                     where.empty() ? "" : ", where " + where, more));
  }
}

/// What is settled without looking at a solver's answer about cells: nothing when something is open.
std::optional<Evidence> Refinement::decide() {
  auto with = [&](Finding finding, std::string says) {
    out_.finding = finding;
    out_.says = std::move(says);
    return out_;
  };
  if (search()) {
    out_.input = inputs_.arguments(*witness_);
    return with(Finding::Refuted, difference_);
  }
  if (!before_errors_.empty() && !fine_) {
    Found found = find_input();
    if (found == Found::None) {
      return with(Finding::Vacuous, "before reaches an error on every input: " + before_errors_[0].message);
    }
    if (found == Found::Unknown) {
      return with(Finding::Undecided,
                  "no input was found on which before reaches no error, and it was not shown that there is none: " +
                      before_errors_[0].message);
    }
    if (try_input(*fine_)) {
      out_.input = inputs_.arguments(*witness_);
      return with(Finding::Refuted, difference_);
    }
  }
  return std::nullopt;
}

Evidence Refinement::run() {
  Executed before = execute(false);
  before_errors_ = std::move(before.errors);
  if (!before.ends) {
    out_.finding = Finding::Vacuous;
    out_.says = "before reaches an error on every input: " + before_errors_.back().message;
    return out_;
  }
  std::unordered_set<Term> same_errors;
  for (const ErrorItem& e : before_errors_) {
    same_errors.insert(e.condition);
    if (terms_.has_undef(e.condition)) continue;
    facts_.add(terms_.lnot(e.condition));
    normal_.know(terms_.lnot(e.condition));
    ground(terms_.lnot(e.condition));
  }
  Executed after = execute(true);
  after_errors_ = std::move(after.errors);
  if (after.ends) observe(before.cells, after.cells);
  std::vector<std::vector<Held>>().swap(before.cells);
  std::vector<std::vector<Held>>().swap(after.cells);
  same_errors.merge(match_evaluations());
  match_undefs();
  std::erase_if(after_errors_, [&](const ErrorItem& e) {
    return !terms_.has_undef(e.condition) && same_errors.count(e.condition) != 0;
  });
  note_exclusions();
  const size_t open = cells_.size();
  prepare(cells_, after_errors_);
  if (!cells_.empty() || !after_errors_.empty() || !before_errors_.empty()) {
    if (auto settled = decide()) return *settled;
  }
  int confirmed = 0;
  std::string reason;
  auto settle = [&](auto ask, auto ask_with, const std::string& what) {
    Reply reply = ask();
    std::vector<Term> more;
    for (int round = 0; reply.verdict == Verdict::Refuted && confirmed < kMaxConfirmed; ++round) {
      ++confirmed;
      if (confirm(reply)) return Verdict::Refuted;
      // The values break something that was not asked; ask again with it.
      std::vector<Scalar> values = fine_ ? *fine_ : guess(0);
      for (const auto& [leaf, value] : reply.values) {
        if (terms_.op(leaf) == Op::Var) values[terms_.number(leaf)] = value;
      }
      evaluation_->run(values, 1);
      const size_t known = more.size();
      for (const ErrorItem& e : before_errors_) {
        if (more.size() < known + 16 && !terms_.has_undef(e.condition) && evaluation_->truth(e.condition)) {
          more.push_back(terms_.lnot(e.condition));
        }
      }
      if (more.size() == known || round == kMaxRounds) break;
      reply = ask_with(more);
    }
    if (reply.verdict != Verdict::Proved && reason.empty()) {
      reason = what + ": " + (reply.reason.empty() ? "a solver's values show no difference on a run" : reply.reason);
    }
    return reply.verdict == Verdict::Proved ? Verdict::Proved : Verdict::Unknown;
  };
  auto refuted = [&] {
    out_.finding = Finding::Refuted;
    out_.says = difference_;
    out_.input = inputs_.arguments(*witness_);
    return out_;
  };
  // All of them must hold: what little effort settles comes first, of all, and one that no effort settles ends it.
  std::vector<ErrorItem> errors = after_errors_;
  std::vector<Cell> cells = cells_;
  size_t unsettled = 0, asked = 0;
  for (Depth depth : {Depth::Cheap, Depth::Full}) {
    DepthScope scope(depth);
    Questions questions(terms_, prover_, place_of_function(pair_.after), bounds_);
    Equality equality(terms_, normal_, questions, facts_);
    const size_t most = depth == Depth::Full ? 1 : kMaxLeftOpen;
    std::vector<ErrorItem> open_errors;
    std::vector<Cell> open_cells;
    reason.clear();
    unsettled = 0;
    confirmed = 0;
    for (const ErrorItem& e : errors) {
      Verdict v = unsettled >= most
                      ? Verdict::Unknown
                      : settle([&] { return equality.never(e.condition); },
                               [&](const std::vector<Term>& more) { return equality.never_given(e.condition, more); },
                               "after may reach an error (" + e.message + ")");
      if (v == Verdict::Refuted) return refuted();
      if (v == Verdict::Unknown) open_errors.push_back(e);
      unsettled += v == Verdict::Unknown;
    }
    for (const Cell& c : cells) {
      Verdict v =
          unsettled >= most
              ? Verdict::Unknown
              : settle([&] { return equality.same(c.matched, c.after); },
                       [&](const std::vector<Term>& more) { return equality.same_given(c.matched, c.after, more); },
                       place(c) + " may differ");
      if (v == Verdict::Refuted) return refuted();
      if (v == Verdict::Unknown) open_cells.push_back(c);
      unsettled += v == Verdict::Unknown;
    }
    errors = std::move(open_errors);
    cells = std::move(open_cells);
    asked += questions.asked();
    if (unsettled == 0) break;
  }
  if (unsettled == 0 && after.ends) {
    out_.finding = Finding::Proved;
    out_.says = fmt::format("all {} cells hold the same values: {} are the same terms, {} by {} questions to solvers",
                            observed_, observed_ - open, open, asked);
    return out_;
  }
  out_.finding = Finding::Undecided;
  out_.says = reason.empty() ? "after reaches an error: " + after_errors_.back().message : reason;
  return out_;
}

}  // namespace hexproof::symbolic
