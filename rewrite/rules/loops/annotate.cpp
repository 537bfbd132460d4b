// annotate {at: loop or block, key: text, value: text or integer}    the note is made, or its value replaced
// annotate {at: loop or block, key: text}                            the note goes
// Without `at`: a note on the whole function, which is an attribute of it.
//
//   for i: S                      ->      for i in T.serial(..., annotations={key: value}): S
//
// Side conditions
//  1. The key is a note, which computes nothing (checked here): none of those with a meaning of their own, such as
//     asynchronous copies, software pipelines and virtual threads, nor of hexproof's own marks, nor a function's
//     symbol.
//  2. "double_buffer_scope" asks for a second slot of what a block fills, which computes nothing where the block may
//     run one iteration ahead (double_buffer_defect: checked by the kernel, after every step).
#include "ir/notes/double_buffers.h"
#include "ir/notes/notes.h"
#include "ir/visit.h"
#include "rewrite/rules/args/statements.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

Rewrite annotate(const PrimFunc& func, const AnnotateArgs& args) {
  const std::string& key = args.key;
  const bool free = note_kind(key) == NoteKind::Free || key == kDoubleBuffer;
  if (!free || (!args.at && key == "global_symbol"))
    throw NotApplicable("\"" + key + "\" is no note: it changes what the program means");
  auto change = [&](Annotations annotations) {
    if (!args.value) {
      if (!annotations.erase(key)) throw NotApplicable("there is no note \"" + key + "\" here");
    } else if (const std::string* text = std::get_if<std::string>(&*args.value)) {
      annotations.insert_or_assign(key, *text);
    } else {
      annotations.insert_or_assign(key, imm(kInt32, std::get<int64_t>(*args.value)));
    }
    return annotations;
  };
  if (args.value) {
    const int64_t* number = std::get_if<int64_t>(&*args.value);
    if (number && !fits_type(kInt32, *number)) throw NotApplicable("the value of the note is no int32");
  }
  if (!args.at) {
    PrimFunc after = func;
    after.attrs = change(func.attrs);
    return {.after = after, .needs = {}};
  }
  const Path& at = *args.at;
  const Stmt stmt = checked_at(func, at);
  Stmt after;
  if (const For* loop = stmt.as<For>()) {
    For changed = *loop;
    changed.annotations = change(loop->annotations);
    after = make_stmt(std::move(changed), stmt->span);
  } else if (const Block* block = stmt.as<Block>()) {
    Block changed = *block;
    changed.annotations = change(block->annotations);
    after = make_stmt(std::move(changed), stmt->span);
  } else {
    throw NotApplicable("a note stands at a loop or a block");
  }
  return {.after = replace_at(func, at, after), .needs = {}};
}

}  // namespace

extern const Rule k_annotate{rule<annotate>("for i: S  ->  the same with a note, or without")};

}  // namespace hexproof
