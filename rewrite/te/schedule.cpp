#include "rewrite/te/schedule.h"

#include <algorithm>
#include <set>

namespace hexproof::te {
namespace {

const int64_t* extent_of(const IterVar& iv) { return iv.dom.extent ? as_int(iv.dom.extent) : nullptr; }

bool same(const IterVar& a, const IterVar& b) { return a.var == b.var; }

/// The extent of a new loop fits the type that its variable will have.
void demand_fits(const std::string& what, Wide extent, DType type) {
  if (fits_type(type, extent)) return;
  throw ScheduleMistake(what + " " + to_string(extent) + " does not fit " + type.str() + ", the type of the loop",
                        "at most " + to_string(max_value(type)));
}

IterVar loop_named(const std::string& name, const IterVar& like, std::optional<int64_t> extent) {
  const DType type = like.var.dtype();
  return make_axis(name, {imm(type, 0), extent ? imm(type, *extent) : Expr()}, like.kind);
}

}  // namespace

Schedule::Schedule(const std::vector<OperationRef>& outputs) {
  for (const OperationRef& op : in_order(outputs)) {
    Stage s{.name = op->name, .op = op, .origin = op, .leaves = {}, .used = {}, .loops = {}, .notes = {}};
    if (!op->is_placeholder()) s.leaves = op->roots();
    for (const IterVar& iv : op->roots()) {
      if (iv.var.dtype() == kInt32) continue;
      throw ScheduleMistake("the axis '" + iv.var.name() + "' of '" + op->name + "' is " + iv.var.dtype().str() +
                                ": bounds of loops are inferred in int32",
                            "sizes of int32, as te.var(\"n\") makes them", true);
    }
    s.output = std::find(outputs.begin(), outputs.end(), op) != outputs.end();
    order_.push_back(stages_.size());
    stages_.push_back(std::move(s));
    if (op->scan) take_scan(order_.back());
  }
}

StageId Schedule::stage_of(const OperationRef& op) const {
  for (StageId id = 0; id < stages_.size(); ++id) {
    if (stages_[id].origin == op || stages_[id].op == op) return id;
  }
  return stage_of(op->outputs.at(0));
}

StageId Schedule::stage_of(const Buffer& buffer) const {
  for (StageId id = 0; id < stages_.size(); ++id) {
    const auto& outputs = stages_[id].op->outputs;
    if (std::find(outputs.begin(), outputs.end(), buffer) != outputs.end()) return id;
  }
  throw ScheduleMistake("'" + buffer->name + "' is no tensor of this schedule",
                        "te.create_schedule is given the operation at whose end it stands");
}

std::vector<StageId> Schedule::consumers(StageId id) const {
  std::vector<StageId> out;
  for (StageId other : order_) {
    const std::vector<Buffer> reads = stages_[other].op->reads();
    const bool any = std::any_of(reads.begin(), reads.end(), [&](const Buffer& b) {
      const auto& outputs = stages_[id].op->outputs;
      return std::find(outputs.begin(), outputs.end(), b) != outputs.end();
    });
    if (any && other != id) out.push_back(other);
  }
  return out;
}

std::vector<StageId> Schedule::readers_of(StageId id) const {
  std::vector<StageId> out;
  for (StageId consumer : consumers(id)) {
    if (stages_[consumer].attach != Attach::Inline) {
      out.push_back(consumer);
      continue;
    }
    for (StageId reader : readers_of(consumer)) out.push_back(reader);
  }
  return out;
}

size_t Schedule::leaf(const Stage& s, const IterVar& iv) const {
  for (size_t k = 0; k < s.leaves.size(); ++k) {
    if (same(s.leaves[k], iv)) return k;
  }
  if (s.part == ScanPart::Step && same(s.op->axes[0], iv)) {
    throw ScheduleMistake("'" + iv.var.name() + "' is the time of the scan '" + stages_[s.scan_stage].name +
                              "': each step of '" + s.name + "' is of one time",
                          "s[X].op.scan_axis of the scan is the loop over time");
  }
  const bool was = std::any_of(s.used.begin(), s.used.end(), [&](const IterVar& u) { return same(u, iv); });
  std::string names;
  for (const IterVar& l : s.leaves) names += (names.empty() ? "" : ", ") + l.var.name();
  if (was) {
    throw ScheduleMistake("the axis '" + iv.var.name() + "' of '" + s.name + "' was split, fused or replaced before",
                          "the loops are now: " + names);
  }
  throw ScheduleMistake("'" + iv.var.name() + "' is no axis of '" + s.name + "'",
                        names.empty() ? "a placeholder has no loops" : "its loops are: " + names);
}

std::pair<IterVar, IterVar> Schedule::split(StageId id, const IterVar& parent, std::optional<int64_t> factor,
                                            std::optional<int64_t> nparts, const Written& written) {
  Stage& s = stages_.at(id);
  const size_t at = leaf(s, parent);
  if (s.op->scan) {
    throw ScheduleMistake("the time of the scan '" + s.name + "' runs in one loop, which is not split",
                          "the other axes are split, of its steps", true);
  }
  const IterVar whole = s.leaves[at];
  if (factor.has_value() == nparts.has_value()) {
    throw ScheduleMistake("split takes either a factor or nparts", "s[X].split(axis, factor=8)");
  }
  const int64_t given = factor ? *factor : *nparts;
  const int64_t* extent = extent_of(whole);
  if (given <= 0) throw ScheduleMistake("the factor " + std::to_string(given) + " is not positive");
  if (extent && given > *extent) {
    throw ScheduleMistake("the factor " + std::to_string(given) + " is larger than the extent " +
                              std::to_string(*extent) + " of '" + whole.var.name() + "'",
                          "a factor from 1 to " + std::to_string(*extent));
  }
  demand_fits("the factor", given, whole.var.dtype());
  std::optional<int64_t> other;
  if (extent) other = (*extent + given - 1) / given;
  const std::string name = whole.var.name();
  const IterVar outer = loop_named(name + ".outer", whole, factor ? other : nparts);
  const IterVar inner = loop_named(name + ".inner", whole, factor ? factor : other);
  s.leaves[at] = outer;
  s.leaves.insert(s.leaves.begin() + static_cast<std::ptrdiff_t>(at) + 1, inner);
  s.used.push_back(whole);
  s.loops.push_back({LoopAction::Kind::Split, {whole}, {outer, inner}, factor, nparts, written});
  return {outer, inner};
}

IterVar Schedule::fuse(StageId id, const std::vector<IterVar>& loops, const Written& written) {
  Stage& s = stages_.at(id);
  if (loops.empty()) throw ScheduleMistake("fuse takes at least one axis");
  const size_t first = leaf(s, loops[0]);
  std::string name;
  std::optional<int64_t> extent = 1;
  for (size_t k = 0; k < loops.size(); ++k) {
    const size_t at = leaf(s, loops[k]);
    if (at != first + k) {
      throw ScheduleMistake("'" + loops[k].var.name() + "' does not follow '" + loops[k == 0 ? 0 : k - 1].var.name() +
                                "' in '" + s.name + "'",
                            "reorder brings loops next to each other");
    }
    if (s.leaves[at].kind != s.leaves[first].kind) {
      throw ScheduleMistake("an axis of a reduction and one that is none cannot be fused");
    }
    const int64_t* e = extent_of(s.leaves[at]);
    const std::optional<Wide> cells = e && extent ? std::optional(Wide{*extent} * *e) : std::nullopt;
    if (cells) demand_fits("the extent", *cells, s.leaves[at].var.dtype());
    extent = cells ? std::optional(static_cast<int64_t>(*cells)) : std::nullopt;
    name += (name.empty() ? "" : ".") + s.leaves[at].var.name();
  }
  if (loops.size() == 1) return s.leaves[first];
  const IterVar fused = loop_named(name + ".fused", s.leaves[first], extent);
  std::vector<IterVar> parts(s.leaves.begin() + static_cast<std::ptrdiff_t>(first),
                             s.leaves.begin() + static_cast<std::ptrdiff_t>(first + loops.size()));
  s.leaves.erase(s.leaves.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                 s.leaves.begin() + static_cast<std::ptrdiff_t>(first + loops.size()));
  s.leaves[first] = fused;
  s.used.insert(s.used.end(), parts.begin(), parts.end());
  s.loops.push_back({LoopAction::Kind::Fuse, parts, {fused}, {}, {}, written});
  return fused;
}

void Schedule::reorder(StageId id, const std::vector<IterVar>& order, const Written& written) {
  Stage& s = stages_.at(id);
  std::vector<size_t> places;
  std::vector<IterVar> moved;
  for (const IterVar& iv : order) {
    const size_t at = leaf(s, iv);
    if (std::find(places.begin(), places.end(), at) != places.end()) {
      throw ScheduleMistake("the axis '" + iv.var.name() + "' stands twice in reorder", "each axis once");
    }
    places.push_back(at);
    moved.push_back(s.leaves[at]);
  }
  std::vector<size_t> sorted = places;
  std::sort(sorted.begin(), sorted.end());
  for (size_t k = 0; k < sorted.size(); ++k) s.leaves[sorted[k]] = moved[k];
  if (moved.size() > 1) s.loops.push_back({LoopAction::Kind::Reorder, moved, {}, {}, {}, written});
}

void Schedule::note(StageId id, Note note) {
  Stage& s = stages_.at(id);
  if (s.op->is_placeholder()) throw ScheduleMistake("'" + s.name + "' is a placeholder: it is not computed");
  if (note.of_loop()) leaf(s, note.at);
  if (!note.of_loop() && (s.part == ScanPart::Init || s.update)) {
    throw ScheduleMistake("'" + s.name + "' is computed in the memory of the scan '" + stages_[s.scan_stage].name + "'",
                          "of memory, the stage of the scan says what is asked for");
  }
  if (note.kind == Note::Kind::RollingBuffer && s.output) {
    throw ScheduleMistake("'" + s.name + "' is an output: nothing of it slides",
                          "rolling_buffer is of a stage that is computed at a loop");
  }
  if (note.kind == Note::Kind::DoubleBuffer && s.output) {
    throw ScheduleMistake("'" + s.name + "' is an output: the caller gives it memory, once",
                          "double_buffer is of a stage that is computed at a loop");
  }
  if (note.kind == Note::Kind::StorageAlign) demand_aligned(id, note);
  if (note.kind == Note::Kind::SetScope && s.output) {
    throw ScheduleMistake("'" + s.name + "' is an output: where it lives, the caller says",
                          "s.cache_write gives a copy of it in another scope");
  }
  s.notes.push_back(std::move(note));
}

void Schedule::demand_aligned(StageId id, const Note& note) const {
  const Stage& s = stage(id);
  if (s.output) {
    throw ScheduleMistake("'" + s.name + "' is an output: how far apart its rows lie, the caller says",
                          "s.cache_write gives a copy of it, whose rows are the schedule's");
  }
  if (storage_axis(id, note.at)) return;
  leaf(s, note.at);
  throw ScheduleMistake("'" + note.at.var.name() + "' is no axis of the tensor '" + s.name + "'",
                        "storage_align takes an axis of s[X].op.axis, or of what transform_layout gave");
}

std::optional<size_t> Schedule::storage_axis(StageId id, const IterVar& iv) const {
  const std::vector<IterVar>* axes = &stage(id).op->axes;
  for (const Edit& edit : edits_) {
    if (edit.kind == Edit::Kind::Transform && edit.stage == id) axes = &edit.axes;
  }
  for (size_t d = 0; d < axes->size(); ++d) {
    if (same((*axes)[d], iv)) return d;
  }
  return std::nullopt;
}

void Schedule::compute_at(StageId id, StageId at, const IterVar& loop, const Written& written) {
  Stage& s = stages_.at(id);
  if (s.op->is_placeholder()) throw ScheduleMistake("'" + s.name + "' is a placeholder: it is not computed");
  if (s.output) throw ScheduleMistake("'" + s.name + "' is an output: nothing after it reads it");
  if (id == at) throw ScheduleMistake("'" + s.name + "' cannot be computed at a loop of its own");
  if (s.part != ScanPart::Step || s.update) demand_no_part(s, "computed elsewhere");
  s.attach = Attach::Scope, s.attach_at = loop, s.attach_stage = at, s.attach_written = written;
  const Stage& where = stages_.at(at);
  const bool was = std::any_of(where.used.begin(), where.used.end(), [&](const IterVar& u) { return same(u, loop); });
  if (!was) leaf(where, loop);  // one that was split is told at the end, when all is known
}

void Schedule::compute_inline(StageId id, const Written& written) {
  Stage& s = stages_.at(id);
  if (s.op->is_placeholder()) throw ScheduleMistake("'" + s.name + "' is a placeholder: it is not computed");
  if (s.output) throw ScheduleMistake("'" + s.name + "' is an output: nothing after it reads it");
  if (s.part != ScanPart::Step || s.update) demand_no_part(s, "inlined");
  if (s.op->reduction) {
    throw ScheduleMistake("'" + s.name + "' is a reduction: it cannot be computed inside of an expression",
                          "compute_at puts it into a loop");
  }
  s.attach = Attach::Inline, s.attach_written = written;
}

void Schedule::compute_root(StageId id) { stages_.at(id).attach = Attach::Root; }

std::vector<std::pair<StageId, IterVar>> Schedule::attach_path(StageId id) const {
  std::vector<std::pair<StageId, IterVar>> out;
  std::set<StageId> seen{id};
  for (;;) {
    const Stage& s = stages_.at(id);
    const IterVar* time = s.attach == Attach::Root ? time_of(s) : nullptr;
    if (s.attach != Attach::Scope && !time) return out;
    const StageId next = time ? s.scan_stage : s.attach_stage;
    const IterVar& at = time ? *time : s.attach_at;
    const Stage& where = stages_.at(next);
    bool inside = false;
    for (size_t k = where.leaves.size(); k-- > 0;) {
      inside = inside || same(where.leaves[k], at);
      if (inside) out.emplace_back(next, where.leaves[k]);
    }
    id = next;
    if (!seen.insert(id).second) {
      throw Error(s.attach_written.span, "'" + s.name + "' would be computed inside of itself",
                  "an attach path ends at a stage that is computed at the root");
    }
  }
}

void Schedule::demand_attached() const {
  for (StageId id : order_) {
    const Stage& s = stages_[id];
    if (s.attach != Attach::Scope) continue;
    const Stage& where = stages_.at(s.attach_stage);
    const Span& span = s.attach_written.span;
    const bool is_leaf =
        std::any_of(where.leaves.begin(), where.leaves.end(), [&](const IterVar& l) { return same(l, s.attach_at); });
    if (!is_leaf) {
      std::string names;
      for (const IterVar& l : where.leaves) names += (names.empty() ? "" : ", ") + l.var.name();
      throw Error(span, "'" + s.attach_at.var.name() + "' of '" + where.name + "' was split or fused: it is no loop",
                  "its loops are: " + names);
    }
    if (where.attach == Attach::Inline) throw Error(span, "'" + where.name + "' is inlined: it has no loops");
    attach_path(id);
    const auto position = [&](StageId x) { return std::find(order_.begin(), order_.end(), x); };
    const std::vector<StageId> readers = readers_of(id);
    if (readers.empty() || position(s.attach_stage) < position(id)) {
      throw Error(span, "'" + where.name + "' does not read what '" + s.name + "' computes",
                  "a stage is computed at a loop of a stage that needs it");
    }
    for (StageId reader : readers) {
      bool inside = reader == s.attach_stage;
      for (const auto& [stage, loop] : attach_path(reader)) inside = inside || same(loop, s.attach_at);
      if (!inside) {
        throw Error(span, "'" + s.name + "' is also read by '" + stages_[reader].name + "', outside of that loop",
                    "s[" + stages_[reader].name + "].compute_at(...) puts the reader into it");
      }
    }
  }
}

}  // namespace hexproof::te
