// Buffers: their layout, their padding, copies of them, and the order in which they are walked.
#include "rewrite/rules/args/buffers.h"

#include "rewrite/schedule/bound.h"
#include "rewrite/schedule/padding/suggest_pad_value.h"
#include "rewrite/schedule/steps.h"

namespace hexproof::calls {
namespace {

Buffer chosen_buffer(PrimitiveCall& c, const BlockRef& block, const BufferChoice& choice) {
  Schedule& s = c.schedule();
  return c.target.module ? c.target.module->buffer_of(block, choice) : s.buffer_of(block, choice);
}

/// The argument "index_map", on the indices of the buffer.
IndexMap map_of(PrimitiveCall& c, const BlockRef& block, const BufferChoice& choice) {
  const Argument& map = c.args.at("index_map");
  const Callable* f = map.value.callable();
  std::optional<size_t> ndim;
  if (f && f->rest) ndim = chosen_buffer(c, block, choice)->shape.size();
  return index_map(map.value, map.span, ndim);
}

}  // namespace

Value transform_layout(PrimitiveCall& c) {
  c.args.flag("assume_injective_transform", false);  // it is proved in any case
  const BlockRef block = c.block("block");
  const BufferChoice choice = c.args.buffer("buffer");
  const IndexMap map = map_of(c, block, choice);
  std::optional<PadArg> pad;
  if (const Argument* value = c.args.find("pad_value")) {
    pad = pad_value(value->value, chosen_buffer(c, block, choice), map.outputs.size(), value->span);
  }
  Schedule& s = c.schedule();
  c.target.module ? c.target.module->transform_layout(block, choice, map, pad)
                  : s.transform_layout(block, choice, map, pad);
  return {None{}};
}

Value suggest_pad_value(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  const BufferChoice choice = c.args.buffer("buffer");
  const PadSuggestions found = c.schedule().suggest_pad_value(block, choice, map_of(c, block, choice));
  Sequence values;
  for (const std::optional<Expr>& value : found.usable()) {
    const bool undefined = value && (*value)->op == Op::Undef;
    values.items.push_back(!value ? Value{None{}} : undefined ? Value{Undefined{(*value)->dtype}} : Value{*value});
  }
  return {values};
}

Value elide_padding(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  std::optional<LayoutChange> logical;
  if (c.args.find("shape") || c.args.find("index_map")) {
    std::vector<Expr> shape;
    for (const Argument& item : c.args.items("shape", "a list of extents")) {
      const int64_t extent = Bound::as<int64_t>(item, "an integer");
      if (!fits_type(kInt32, extent)) throw Error(item.span, "an extent is an int32");
      shape.push_back(i32(extent));
    }
    const Argument& map = c.args.at("index_map");
    logical.emplace();
    logical->map = index_map(map.value, map.span, shape.size());
    logical->before = make_buffer("logical", kInt32, std::move(shape));
  }
  c.schedule().elide_padding(block, c.args.buffer("buffer"), logical);
  return {None{}};
}

namespace {

/// "consumer_blocks" names the block itself, if any.
void only_consumer(PrimitiveCall& c, const BlockRef& block) {
  if (!c.args.find("consumer_blocks")) return;
  for (const Argument& item : c.args.items("consumer_blocks", "a list of blocks")) {
    const std::string* name = item.value.as<std::string>();
    const BlockRef other = name ? c.schedule().get_block(*name) : Bound::as<BlockRef>(item, "a block");
    if (other.name == block.name) continue;
    throw Unsupported(item.span, c.name() + ": of the consumers, only the block itself goes through the copy",
                      "one call for each block");
  }
}

}  // namespace

Value cache_read(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  only_consumer(c, block);
  const std::string& scope = c.args.text("storage_scope", "the name of a scope");
  return {c.schedule().cache_read(block, c.args.buffer("read_buffer_index"), scope)};
}

Value cache_write(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  only_consumer(c, block);
  const std::string& scope = c.args.text("storage_scope", "the name of a scope");
  return {c.schedule().cache_write(block, c.args.buffer("write_buffer_index"), scope)};
}

Value set_scope(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  const std::string& scope = c.args.text("storage_scope", "the name of a scope");
  c.schedule().set_scope(block, c.args.buffer("buffer_index"), scope);
  return {None{}};
}

Value share_storage(PrimitiveCall& c) {
  Steps steps(c.schedule());
  const char* what = "the name of an allocation";
  const ShareStorageArgs args{.buffer = c.args.text("buffer", what), .with = c.args.text("memory_of", what)};
  steps.all_or_nothing([&] { steps.apply(args); });
  return {None{}};
}

Value sequential_buffer_access(PrimitiveCall& c) {
  return list_of(c.schedule().sequential_buffer_access(c.nest("block"), c.args.buffer("buffer")));
}

Value fill_branch(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  const std::string& buffer = c.args.text("buffer", "the name of a buffer");
  const Argument& value = c.args.at("value");
  Schedule& s = c.schedule();
  const std::optional<PadArg> filled = pad_value(value.value, s.buffer_of(block, {.name = buffer}), 0, value.span);
  if (!filled) throw Error(value.span, "a branch is filled with a constant, not None");
  s.fill_branch(block, buffer, *filled);
  return {None{}};
}

}  // namespace hexproof::calls
