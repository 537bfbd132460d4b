// Statements and expressions on one line, for messages.
#include <fmt/format.h>

#include "ir/interpreter/fault.h"

namespace hexproof {
namespace {

std::string text(const Expr& e);

std::string joined(const std::vector<Expr>& list) {
  std::string out;
  for (const Expr& e : list) out += fmt::format("{}{}", out.empty() ? "" : ", ", text(e));
  return out;
}

std::string text(const Expr& e) {
  const std::string name(info(e->op).text);
  switch (e->op) {
    case Op::Var: return e->var().name();
    case Op::IntImm: return text_of({e->dtype, static_cast<uint64_t>(e->int_value())});
    case Op::FloatImm: return fmt::format("T.{}({})", e->dtype.str(), e->float_value());
    case Op::StringImm: return fmt::format("\"{}\"", e->text());
    case Op::Undef: return "T.undef()";
    case Op::Load: return fmt::format("{}[{}]", e->buffer()->name, joined(e->args));
    case Op::Call: return fmt::format("{}({})", e->text(), joined(e->args));
    case Op::Cast: return fmt::format("T.Cast(\"{}\", {})", e->dtype.str(), joined(e->args));
    case Op::Not: return fmt::format("not {}", text(e->args[0]));
    case Op::BitNot: return fmt::format("~{}", text(e->args[0]));
    case Op::Ramp: case Op::Broadcast: return fmt::format("{}({}, {})", name, joined(e->args), e->dtype.lanes);
    case Op::Min: case Op::Max: case Op::TruncDiv: case Op::TruncMod: case Op::Select: case Op::IfThenElse:
    case Op::Let: case Op::Likely: case Op::Fits:
      return fmt::format("{}({})", name, joined(e->args));
    case Op::Add: case Op::Sub: case Op::Mul: case Op::Div: case Op::FloorDiv: case Op::FloorMod: case Op::EQ:
    case Op::NE: case Op::LT: case Op::LE: case Op::GT: case Op::GE: case Op::And: case Op::Or: case Op::BitAnd:
    case Op::BitOr: case Op::BitXor: case Op::Shl: case Op::Shr: {
      auto side = [](const Expr& part) { return is_infix(part->op) ? fmt::format("({})", text(part)) : text(part); };
      return fmt::format("{} {} {}", side(e->args[0]), name, side(e->args[1]));
    }
  }
  internal_error(__FILE__, __LINE__, "no such operator");
}

}  // namespace

std::string one_line(const Stmt& stmt) {
  return std::visit(
      match{[](const Store& s) {
              return fmt::format("{}[{}] = {}", s.buffer->name, joined(s.indices), text(s.value));
            },
            [](const For& s) {
              return fmt::format("for {} in range({}, {} + {}):", s.var.name(), text(s.min), text(s.min), text(s.extent));
            },
            [](const If& s) { return fmt::format("if {}:", text(s.condition)); },
            [](const LetStmt& s) { return fmt::format("{} = {}", s.var.name(), text(s.value)); },
            [](const Seq&) { return std::string("pass"); },
            [](const Evaluate& s) { return fmt::format("T.evaluate({})", text(s.value)); },
            [](const Assume& s) { return fmt::format("T.assume({})", text(s.condition)); },
            [](const AllocBuffer& s) { return fmt::format("{} = T.alloc_buffer(({}), \"{}\")", s.buffer->name, joined(s.buffer->shape),
                                 s.buffer->dtype.str()); },
            [](const Allocate& s) {
              return fmt::format("{} = T.allocate([{}], \"{}\")", s.data.name(), joined(s.extents), s.dtype.str());
            },
            [](const DeclBuffer& s) { return fmt::format("{} = T.Buffer(({}), \"{}\", data={})", s.buffer->name, joined(s.buffer->shape),
                                 s.buffer->dtype.str(), s.buffer->data.name()); },
            [](const Block& s) {
              std::string out = fmt::format("with T.block(\"{}\"):", s.name);
              for (const IterVar& iter : s.iters) out += fmt::format(" {} = {};", iter.var.name(), text(iter.binding));
              if (s.predicate) out += fmt::format(" T.where({})", text(s.predicate));
              return out;
            },
            [](const AttrStmt& s) { return fmt::format("T.attr(\"{}\")", s.key); }},
      stmt->record);
}

}  // namespace hexproof
