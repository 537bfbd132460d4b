// Statements on one line, for messages.
#include <fmt/format.h>

#include "ir/interpreter/fault.h"
#include "ir/text/text.h"

namespace hexproof {
namespace {

std::string joined(const std::vector<Expr>& list) {
  std::string out;
  for (const Expr& e : list) out += fmt::format("{}{}", out.empty() ? "" : ", ", print(e));
  return out;
}

}  // namespace

std::string one_line(const Stmt& stmt) {
  return std::visit(
      match{
          [](const Store& s) { return fmt::format("{}[{}] = {}", s.buffer->name, joined(s.indices), print(s.value)); },
          [](const For& s) {
            return fmt::format("for {} in range({}, {} + {}):", s.var.name(), print(s.min), print(s.min),
                               print(s.extent));
          },
          [](const If& s) { return fmt::format("if {}:", print(s.condition)); },
          [](const LetStmt& s) { return fmt::format("{} = {}", s.var.name(), print(s.value)); },
          [](const Seq&) { return std::string("pass"); },
          [](const Evaluate& s) { return fmt::format("T.evaluate({})", print(s.value)); },
          [](const Assume& s) { return fmt::format("T.assume({})", print(s.condition)); },
          [](const AllocBuffer& s) {
            return fmt::format("{} = T.alloc_buffer(({}), \"{}\")", s.buffer->name, joined(s.buffer->shape),
                               s.buffer->dtype.str());
          },
          [](const Allocate& s) {
            return fmt::format("{} = T.allocate([{}], \"{}\")", s.data.name(), joined(s.extents), s.dtype.str());
          },
          [](const DeclBuffer& s) {
            return fmt::format("{} = T.Buffer(({}), \"{}\", data={})", s.buffer->name, joined(s.buffer->shape),
                               s.buffer->dtype.str(), s.buffer->data.name());
          },
          [](const Block& s) {
            std::string out = fmt::format("with T.block(\"{}\"):", s.name);
            for (const IterVar& iter : s.iters) out += fmt::format(" {} = {};", iter.var.name(), print(iter.binding));
            if (s.predicate) out += fmt::format(" T.where({})", print(s.predicate));
            return out;
          },
          [](const AttrStmt& s) { return fmt::format("T.attr(\"{}\")", s.key); },
          [](const AsyncCommit& s) { return fmt::format("T.attr(0, \"async_commit_queue_scope\", {})", s.queue); },
          [](const AsyncWait& s) {
            return fmt::format("T.attr(0, \"async_wait_queue_scope\", {}), \"async_wait_inflight_count\", {}", s.queue,
                               print(s.inflight));
          }},
      stmt->record);
}

}  // namespace hexproof
