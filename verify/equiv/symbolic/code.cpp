#include "verify/equiv/symbolic/code.h"

namespace hexproof::symbolic {

Program::Program(const PrimFunc& func) : func_(func) {
  for (const Param& p : func_.params) {
    if (p.buffer) buffer_slot(p.buffer), handle_slot(p.buffer->data), handle_slot(p.var);
  }
  body_ = action(func_.body);
}

const Code* Program::code(const Expr& e) {
  if (!e) return nullptr;
  if (auto it = memo_.find(e.get()); it != memo_.end()) return it->second;
  Code out{e->op, e->dtype};
  out.source = e.get();
  out.data = e->op == Op::Load || e->op == Op::Call || e->op == Op::Undef;
  switch (e->op) {
    case Op::Var: {
      out.slot = var_slot(e->var());
      auto known = data_vars_.find(e->var().id());
      out.data = known != data_vars_.end() && known->second;
      break;
    }
    case Op::IntImm:
      out.value = Scalar{e->dtype.element(), static_cast<uint64_t>(e->int_value())};
      break;
    case Op::FloatImm:
      out.value = float_scalar(e->dtype.element(), e->float_value());
      break;
    case Op::Let:
      out.slot = var_slot(e->args[0]->var());
      out.args = {nullptr, code(e->args[1]), nullptr};
      data_vars_[e->args[0]->var().id()] = out.args[1]->data;
      out.args[2] = code(e->args[2]);
      out.data = out.args[2]->data;
      break;
    case Op::Load:
      out.slot = buffer_slot(e->buffer());
      [[fallthrough]];
    case Op::Undef:
    case HEXPROOF_CASES(Arithmetic):
    case HEXPROOF_CASES(Comparison):
    case HEXPROOF_CASES(Boolean):
    case HEXPROOF_CASES(Bits):
    case HEXPROOF_CASES(Choice):
    case Op::Cast:
    case HEXPROOF_CASES(Vector):
    case Op::Likely:
    case Op::Call:
      for (const Expr& arg : e->args) {
        if (arg->dtype.is_handle()) {
          throw Unsupported(span_, "the call of " + (e->op == Op::Call ? e->text() : std::string("a handle")),
                            "only functions of numbers are compared: write what it does to memory as loads and stores");
        }
        out.args.push_back(code(arg));
        out.data |= out.args.back()->data;
      }
      break;
    case Op::StringImm:
    case HEXPROOF_CASES(ProofOnly):
      throw Unsupported(span_, "a value of the kind " + std::string(info(e->op).name));
  }
  codes_.push_back(std::move(out));
  return memo_[e.get()] = &codes_.back();
}

std::vector<const Code*> Program::code(const std::vector<Expr>& list) {
  std::vector<const Code*> out;
  for (const Expr& e : list) out.push_back(code(e));
  return out;
}

void Program::layout(const Buffer& buffer, Action* out) {
  out->slot = buffer_slot(buffer);
  out->handle = handle_slot(buffer->data);
  out->shape = code(buffer->shape);
  out->strides = code(buffer->strides);
  out->offset = code(buffer->elem_offset);
}

const Action* Program::action(const Stmt& stmt) {
  if (!stmt) return nullptr;
  span_ = stmt->span;
  Action out{Action::Seq, stmt};
  auto body = [&](const Stmt& s) { out.parts.push_back(action(s)); };
  std::visit(match{[&](const Store& s) {
                     out.kind = Action::Store;
                     out.slot = buffer_slot(s.buffer);
                     out.value = code(s.value);
                     out.codes = code(s.indices);
                   },
                   [&](const For& s) {
                     out.kind = Action::For;
                     out.slot = var_slot(s.var);
                     out.min = code(s.min);
                     out.value = code(s.extent);
                     body(s.body);
                   },
                   [&](const If& s) {
                     out.kind = Action::If;
                     out.value = code(s.condition);
                     body(s.then_case);
                     body(s.else_case);
                   },
                   [&](const LetStmt& s) {
                     out.kind = Action::Let;
                     out.slot = var_slot(s.var);
                     out.value = code(s.value);
                     data_vars_[s.var.id()] = out.data = out.value->data;
                     body(s.body);
                   },
                   [&](const Seq& s) {
                     for (const Stmt& part : s.stmts) body(part);
                   },
                   [&](const Evaluate& s) { out.kind = Action::Evaluate, out.value = code(s.value); },
                   [&](const Assume& s) { out.kind = Action::Assume, out.value = code(s.condition); },
                   [&](const AllocBuffer& s) {
                     out.kind = Action::Alloc;
                     layout(s.buffer, &out);
                     body(s.body);
                   },
                   [&](const Allocate& s) {
                     out.kind = Action::Allocate;
                     out.handle = handle_slot(s.data);
                     out.shape = code(s.extents);
                     out.codes = code(s.constant);
                     body(s.body);
                   },
                   [&](const DeclBuffer& s) {
                     out.kind = Action::Decl;
                     layout(s.buffer, &out);
                     body(s.body);
                   },
                   [&](const Block& s) {
                     out.kind = Action::Block;
                     for (const IterVar& iter : s.iters) {
                       const Code* binding = code(iter.binding);
                       data_vars_[iter.var.id()] = binding->data;
                       out.iters.push_back({var_slot(iter.var), binding->data, iter.kind, binding, code(iter.dom.min)});
                     }
                     out.value = code(s.predicate);
                     body(s.init);
                     body(s.body);
                   },
                   [&](const AttrStmt& s) { out.kind = Action::Body, body(s.body); },
                   [&](const AsyncCommit& s) { out.kind = Action::Body, body(s.body); },
                   [&](const AsyncWait& s) {
                     body(make_stmt(Evaluate{s.inflight}, stmt->span));
                     body(s.body);
                   }},
             stmt->record);
  actions_.push_back(std::move(out));
  return &actions_.back();
}

}  // namespace hexproof::symbolic
