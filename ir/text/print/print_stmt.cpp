#include <utility>

#include "ir/link/link.h"
#include "ir/notes/async_queues.h"
#include "ir/text/print/printer.h"
#include "ir/visit.h"

namespace hexproof::text {

void Printer::start_line() { text.append(static_cast<size_t>(indent_) * 4, ' '); }

void Printer::line(const std::string& content) {
  start_line();
  text += content + "\n";
}

std::string Printer::apart(const std::function<void()>& content) {
  std::string whole = std::exchange(text, "");
  content();
  return std::exchange(text, std::move(whole));
}

void Printer::suite(const std::function<void()>& body) {
  text += ":\n";
  ++indent_;
  body();
  --indent_;
}

void Printer::annotation_node(const Expr& e) {
  if (e->op != Op::Call) return expr(e);
  const std::string& kind = e->text();
  if (kind == "None") {
    text += "None";
  } else if (kind == "list" || kind == "T.target") {
    text += kind == "list" ? "[" : "T.target(";
    for (size_t i = 0; i < e->args.size(); ++i) {
      if (i) text += ", ";
      annotation_node(e->args[i]);
    }
    text += kind == "list" ? "]" : ")";
  } else if (kind == "dict") {
    text += "{";
    for (size_t i = 0; i + 1 < e->args.size(); i += 2) {
      if (i) text += ", ";
      annotation_node(e->args[i]);
      text += ": ";
      annotation_node(e->args[i + 1]);
    }
    text += "}";
  } else {
    expr(e);
  }
}

void Printer::annotation(const Annotation& value) {
  if (const std::string* words = std::get_if<std::string>(&value)) return quoted(*words);
  annotation_node(std::get<Expr>(value));
}

void Printer::annotations(const Annotations& values) {
  text += "{";
  bool first = true;
  for (const auto& [key, value] : values) {
    if (!first) text += ", ";
    first = false;
    quoted(key);
    text += ": ";
    annotation(value);
  }
  text += "}";
}

std::vector<Var> Printer::declare_lets(const std::vector<Expr>& exprs) {
  std::vector<Var> out;
  for (const Expr& top : exprs) {
    if (!top) continue;
    bind_lets(top);
    visit_expr(top, [&](const Expr& e) {
      if (e->op == Op::Let && !var_names_.count(e->args[0]->var())) {
        const Var& var = e->args[0]->var();
        out.push_back(var);
        line(define(var) + " = T." + var.dtype().str() + "()");
      }
      return true;
    });
  }
  return out;
}

void Printer::stmt(const Stmt& s, bool tail, bool root) {
  std::vector<Expr> exprs;
  if (!s.as<Seq>() && !s.as<For>()) exprs = expressions(s);
  for (const Buffer& b : {s.as<AllocBuffer>() ? s.as<AllocBuffer>()->buffer : Buffer(),
                          s.as<DeclBuffer>() ? s.as<DeclBuffer>()->buffer : Buffer()}) {
    if (!b) continue;
    const std::vector<Expr> layout = layout_exprs(b);
    exprs.insert(exprs.end(), layout.begin(), layout.end());
  }
  std::vector<Var> lets = declare_lets(exprs);
  std::visit(
      match{[&](const Store& x) { store(x); }, [&](const For& x) { loop(x); }, [&](const If& x) { branch(x, "if"); },
            [&](const LetStmt& x) { let(x, tail, root); },
            [&](const Seq& x) {
              if (x.stmts.empty()) line("T.evaluate(0)");
              for (size_t i = 0; i < x.stmts.size(); ++i) stmt(x.stmts[i], tail && i + 1 == x.stmts.size(), root);
            },
            [&](const Evaluate& x) {
              start_line();
              if (std::optional<FunctionCall> call = hexproof::function_call(s)) {
                text += module_name_ + "." + call->callee + "(";
                list(call->args);
                text += ")\n";
                return;
              }
              text += "T.evaluate(";
              expr(x.value);
              text += ")\n";
            },
            [&](const Assume& x) {
              start_line();
              text += "T.assume(";
              expr(x.condition);
              text += ")\n";
            },
            [&](const AllocBuffer& x) { allocation(x, tail, root); }, [&](const Allocate& x) { memory(x, tail, root); },
            [&](const DeclBuffer& x) { view(x, tail, root); }, [&](const Block& x) { block(x); },
            [&](const AttrStmt& x) { attribute(x, tail, root); }, [&](const AsyncCommit& x) { commit(x, tail, root); },
            [&](const AsyncWait& x) { wait(x, tail, root); }},
      s->record);
  for (const Var& var : lets) release(var);
}

void Printer::store(const Store& s) {
  start_line();
  access(s.buffer, s.indices);
  text += " = ";
  expr(s.value, 0, true);
  text += "\n";
}

void Printer::loop(const For& s) {
  auto plain = [](const For& f) { return f.kind == ForKind::Serial && f.annotations.empty() && is_int(f.min, 0); };
  std::vector<const For*> nest = {&s};
  if (plain(s)) {
    for (const For* inner = s.body.as<For>(); inner && plain(*inner); inner = inner->body.as<For>()) {
      bool free = true;
      for (const For* outer : nest) free = free && !uses_var(inner->extent, outer->var);
      if (!free) break;
      nest.push_back(inner);
    }
  }
  std::vector<Expr> exprs;
  for (const For* f : nest) exprs.push_back(f->min), exprs.push_back(f->extent);
  std::vector<Var> lets = declare_lets(exprs);
  std::string head;
  std::string range = apart([&] {
    if (nest.size() > 1) {
      text = "T.grid(";
      for (size_t i = 0; i < nest.size(); ++i) {
        if (i) text += ", ";
        expr(nest[i]->extent);
      }
    } else {
      switch (s.kind) {
        case ForKind::Serial:
          text = s.annotations.empty() ? "range(" : "T.serial(";
          break;
        case ForKind::Parallel:
          text = "T.parallel(";
          break;
        case ForKind::Vectorized:
          text = "T.vectorized(";
          break;
        case ForKind::Unrolled:
          text = "T.unroll(";
          break;
        case ForKind::ThreadBinding:
          text = "T.thread_binding(";
          break;
      }
      if (!is_int(s.min, 0)) expr(s.min), text += ", ";
      stop({s.min, s.extent});
      if (s.kind == ForKind::ThreadBinding) text += ", thread=", quoted(s.thread_tag);
      if (!s.annotations.empty()) text += ", annotations=", annotations(s.annotations);
    }
    text += ")";
  });
  for (const For* f : nest) {
    bind_class(f->var, false);
    head += (head.empty() ? "" : ", ") + define(f->var);
    loops_[f->var] = {f->min, f->extent};
  }
  start_line();
  text += "for " + head + " in " + range;
  suite([&] { stmt(nest.back()->body, true, false); });
  for (const For* f : nest) release(f->var);
  for (const Var& var : lets) release(var);
}

void Printer::branch(const If& s, const char* word) {
  start_line();
  text += std::string(word) + " ";
  expr(s.condition);
  suite([&] { stmt(s.then_case, true, false); });
  if (!s.else_case) return;
  if (const If* more = s.else_case.as<If>()) {
    bool has_let = false;
    visit_expr(more->condition, [&](const Expr& e) { return has_let |= e->op == Op::Let, !has_let; });
    if (!has_let) return branch(*more, "elif");
  }
  start_line();
  text += "else";
  suite([&] { stmt(s.else_case, true, false); });
}

void Printer::let(const LetStmt& s, bool tail, bool root) {
  std::string value = apart([&] { expr(s.value, 0, tail); });
  bind_class(s.var, reads_as_data(s.value));
  std::string bound = define(s.var);
  if (tail) {
    line(bound + ": T." + s.var.dtype().str() + " = " + value);
    stmt(s.body, true, root);
  } else {
    start_line();
    text += "with T.LetStmt(" + value + ") as " + bound;
    suite([&] { stmt(s.body, true, false); });
  }
  release(s.var);
}

void Printer::shape(const std::vector<Expr>& exprs) {
  text += "(";
  list(exprs);
  text += exprs.size() == 1 ? ",)" : ")";
}

void Printer::buffer_arguments(const Buffer& b, bool with_data) {
  shape(b->shape);
  text += ", ";
  quoted(b->dtype.str());
  if (with_data) text += ", data=" + name(b->data);
  if (!b->strides.empty()) text += ", strides=", shape(b->strides);
  if (b->elem_offset) text += ", elem_offset=", expr(b->elem_offset);
  if (b->scope != "global") text += ", scope=", quoted(b->scope);
  if (!b->axis_separators.empty()) {
    text += ", axis_separators=[";
    for (size_t i = 0; i < b->axis_separators.size(); ++i) {
      text += (i ? ", " : "") + std::to_string(b->axis_separators[i]);
    }
    text += "]";
  }
}

void Printer::bound_to(const std::string& name, const std::string& value, const Stmt& body, bool tail, bool root) {
  if (tail) {
    line(name + " = " + value);
    stmt(body, true, root);
  } else {
    start_line();
    text += "with " + value + " as " + name;
    suite([&] { stmt(body, true, false); });
  }
}

void Printer::allocation(const AllocBuffer& s, bool tail, bool root) {
  std::string value = apart([&] {
    text = tail && root ? "T.alloc_buffer(" : "T.decl_buffer(";
    buffer_arguments(s.buffer, false);
    text += ")";
  });
  std::string bound = define(s.buffer);
  data_names_[s.buffer->data] = bound + ".data";
  bound_to(bound, value, s.body, tail, root);
  release(s.buffer);
}

void Printer::view(const DeclBuffer& s, bool tail, bool root) {
  std::string value = apart([&] {
    text = "T.decl_buffer(";
    buffer_arguments(s.buffer, true);
    text += ")";
  });
  std::string bound = define(s.buffer);
  bound_to(bound, value, s.body, tail, root);
  release(s.buffer);
}

void Printer::memory(const Allocate& s, bool tail, bool root) {
  std::string value = apart([&] {
    if (s.constant.empty()) {
      text = "T.allocate([";
      list(s.extents);
      text += "], ";
      quoted(s.dtype.str());
      text += ", ";
      quoted(s.scope);
    } else {
      text = "T.allocate_const([";
      for (size_t i = 0; i < s.constant.size(); ++i) {
        if (i) text += ", ";
        expr(s.constant[i]);
      }
      text += "], ";
      quoted(s.dtype.str());
      text += ", [";
      list(s.extents);
      text += "]";
    }
    if (!s.annotations.empty()) text += ", annotations=", annotations(s.annotations);
    text += ")";
  });
  std::string bound = define(s.data);
  bound_to(bound, value, s.body, tail, root);
  release(s.data);
}

void Printer::attribute(const AttrStmt& s, bool tail, bool root) {
  start_line();
  if (!tail) text += "with ";
  text += "T.attr(";
  annotation(s.node);
  text += ", ";
  quoted(s.key);
  text += ", ";
  annotation(s.value);
  text += ")";
  if (tail) {
    text += "\n";
    stmt(s.body, true, root);
  } else {
    suite([&] { stmt(s.body, true, false); });
  }
}

// TVM's form of a group: the commit scope, and in it the scope that says which part is the copy: all of it.
void Printer::commit(const AsyncCommit& s, bool tail, bool root) {
  const Stmt copy = make_stmt(AttrStmt{i32(0), kAsyncScope, i32(1), s.body});
  attribute({i32(0), kAsyncCommit, imm(kInt32, s.queue), copy}, tail, root);
}

void Printer::wait(const AsyncWait& s, bool tail, bool root) {
  const Stmt count = make_stmt(AttrStmt{i32(0), kAsyncInflight, s.inflight, s.body});
  attribute({i32(0), kAsyncWait, imm(kInt32, s.queue), count}, tail, root);
}

}  // namespace hexproof::text
