// What changes nothing that is computed: notes, unit loops, scopes, the order of block variables, threads.

#include "ir/notes/notes.h"

#include "ir/notes/double_buffers.h"
#include "ir/visit.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/rules/args/statements.h"
#include "rewrite/schedule/bound.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/places.h"

namespace hexproof::calls {
namespace {

/// A loop, or a block.
Path place_of(PrimitiveCall& c, const Steps& steps, const std::string& parameter) {
  const BlockRef place = c.nest(parameter);
  return place.loop ? steps.path_of(LoopRef{place.loop}) : steps.path_of_block(place);
}

const std::string& note_of(PrimitiveCall& c) {
  const std::string& key = c.args.text("ann_key", "the key of a note");
  if (note_kind(key) != NoteKind::Free && key != kDoubleBuffer) {
    throw Unsupported(c.args.at("ann_key").span,
                      c.name() + ": \"" + key + "\" is no note: it changes what the program means",
                      "copies are made where they stand, and loops run in order");
  }
  return key;
}

/// The arguments of the rule: the key, and the place; the whole function has none.
AnnotateArgs note_at(PrimitiveCall& c, const Steps& steps) {
  AnnotateArgs out{.key = note_of(c)};
  const BlockRef place = c.nest("block_or_loop");
  const bool whole = !place.loop && !stmt_at(steps.func(), steps.path_of(place)).as<Block>();
  if (!whole) out.at = place_of(c, steps, "block_or_loop");
  return out;
}

/// The allocations of what a block writes go inwards as far as that is proved: slots of an iteration are allocated in
/// it.
void sink_what_is_written(Steps& steps, const Path& block) {
  std::vector<Buffer> written;
  visit_stmt(stmt_at(steps.func(), block), [&](const Stmt& s) {
    if (const Store* store = s.as<Store>()) written.push_back(store->buffer);
    return true;
  });
  for (const Buffer& buffer : written) steps.try_apply(SinkAllocArgs{.buffer = buffer});
}

}  // namespace

Value annotate(PrimitiveCall& c) {
  Steps steps(c.schedule());
  steps.all_or_nothing([&] {
    if (note_of(c) == kDoubleBuffer) sink_what_is_written(steps, place_of(c, steps, "block_or_loop"));
    AnnotateArgs args = note_at(c, steps);
    const Argument& value = c.args.at("ann_val");
    if (const std::string* text = value.value.as<std::string>()) {
      args.value = *text;
    } else if (const bool* flag = value.value.as<bool>()) {
      args.value = int64_t{*flag};
    } else if (const int64_t* number = value.value.as<int64_t>()) {
      args.value = *number;
    } else {
      throw Unsupported(value.span, "annotate: a value that is neither a text nor an integer");
    }
    steps.apply(args);
  });
  return {None{}};
}

Value unannotate(PrimitiveCall& c) {
  Steps steps(c.schedule());
  steps.all_or_nothing([&] { steps.apply(note_at(c, steps)); });
  return {None{}};
}

Value add_unit_loop(PrimitiveCall& c) {
  Steps steps(c.schedule());
  LoopRef out;
  steps.all_or_nothing([&] {
    const Path at = place_of(c, steps, "block_or_loop");
    steps.apply(AddUnitLoopArgs{.at = at, .name = "u"});
    out = {record_at<For>(steps.func(), at, "a loop").var};
  });
  return {out};
}

Value reorder_block_iter_var(PrimitiveCall& c) {
  Steps steps(c.schedule());
  const BlockRef block = c.block("block");
  Path order;
  for (const Argument& item : c.args.items("new_order", "a list of positions")) {
    const int64_t position = Bound::as<int64_t>(item, "an integer");
    if (position < 0 || position > 1000)
      throw Error(item.span, "there is no block variable " + std::to_string(position));
    order.push_back(static_cast<int>(position));
  }
  steps.all_or_nothing([&] { steps.apply(ReorderBlockVarsArgs{.at = steps.path_of_block(block), .order = order}); });
  return {None{}};
}

Value set_axis_separator(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  const BufferChoice choice = c.args.buffer("buffer");
  const Buffer buffer = c.schedule().buffer_of(block, choice);
  IndexMap map;
  for (size_t d = 0; d < buffer->ndim(); ++d) {
    map.inputs.push_back(Var::fresh("i" + std::to_string(d), kInt32));
    map.outputs.emplace_back(map.inputs.back());
  }
  for (const Argument& item : c.args.items("axis_separators", "a list of axes")) {
    const int64_t axis = Bound::as<int64_t>(item, "an integer");
    const bool later = map.axis_separators.empty() || axis > map.axis_separators.back();
    if (axis < 1 || axis >= static_cast<int64_t>(buffer->ndim()) || !later) {
      throw Error(item.span, "an axis separator stands between two axes of '" + buffer->name + "', in rising order");
    }
    map.axis_separators.push_back(static_cast<int>(axis));
  }
  c.schedule().transform_layout(block, choice, map);
  return {None{}};
}

Value bind(PrimitiveCall& c) {
  Steps steps(c.schedule());
  const LoopRef& loop = c.args.loop("loop");
  const std::string axis = c.args.text("thread_axis", "the name of an axis of threads");
  steps.all_or_nothing([&] { steps.apply(BindArgs{.at = steps.path_of(loop), .thread = axis}); });
  return {None{}};
}

}  // namespace hexproof::calls
