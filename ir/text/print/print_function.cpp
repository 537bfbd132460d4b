#include "ir/text/print/printer.h"
#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace text {
namespace {
constexpr const char* kHeader = "# from tvm.script import tir as T\n";
}

void Printer::function(const PrimFunc& func) {
  used_ = {module_name_, "cls"}, var_names_.clear(), buffer_names_.clear(), data_names_.clear(), loops_.clear();
  other_class_.clear(), as_data_.clear();
  std::set<Var> known;
  std::vector<Buffer> matched;
  std::vector<std::string> handles;
  std::string signature;
  for (const Param& param : func.params) {
    if (!signature.empty()) signature += ", ";
    bool closed = true;
    for (const Expr& part : param.buffer ? layout_exprs(param.buffer) : std::vector<Expr>()) {
      for (const Var& var : free_vars(part)) closed = closed && known.count(var) != 0;
    }
    signature += apart([&] {
      if (!param.buffer) {
        text = define(param.var) + ": T." + param.var.dtype().str();
        known.insert(param.var);
      } else if (closed) {
        text = define(param.buffer) + ": T.Buffer(";
        buffer_arguments(param.buffer, false);
        text += ")";
      } else {
        handles.push_back(define(param.var));
        matched.push_back(param.buffer);
        text = handles.back() + ": T.handle";
      }
    });
  }
  line("@T.prim_func");
  start_line();
  text += "def " + func.name + "(" + signature + ")";
  suite([&] {
    if (!func.attrs.empty()) {
      start_line();
      text += "T.func_attr(";
      annotations(func.attrs);
      text += ")\n";
    }
    for (const Var& var : func.scalars()) {
      if (!known.count(var)) line(define(var) + " = T." + var.dtype().str() + "()");
    }
    for (size_t i = 0; i < matched.size(); ++i) {
      start_line();
      std::string value = apart([&] { buffer_arguments(matched[i], false); });
      text += define(matched[i]) + " = T.match_buffer(" + handles[i] + ", " + value + ")\n";
    }
    for (const Buffer& buffer : func.buffer_params()) data_names_[buffer->data] = name(buffer) + ".data";
    stmt(func.body, true, true);
  });
}

void Printer::name_free_buffers(const Stmt& stmt) {
  std::set<Buffer> declared;
  std::vector<Buffer> seen;
  visit_stmt(stmt, [&](const Stmt& s) {
    if (const AllocBuffer* alloc = s.as<AllocBuffer>()) declared.insert(alloc->buffer);
    if (const DeclBuffer* decl = s.as<DeclBuffer>()) declared.insert(decl->buffer);
    if (const Store* store = s.as<Store>()) seen.push_back(store->buffer);
    return true;
  });
  visit_all_exprs(stmt, [&](const Expr& e) {
    if (e->op == Op::Load) seen.push_back(e->buffer());
  });
  for (const Buffer& buffer : seen) {
    if (!declared.count(buffer) && !data_names_.count(buffer->data)) data_names_[buffer->data] = name(buffer) + ".data";
  }
}

void Printer::module(const IRModule& module) {
  module_name_ = module.name;
  text = "# from tvm.script import ir as I\n" + std::string(kHeader) + "\n@I.ir_module\nclass " + module.name + ":\n";
  ++indent_;
  for (size_t i = 0; i < module.functions.size(); ++i) {
    if (i) text += "\n";
    function(module.functions[i]);
  }
  --indent_;
}

}  // namespace text

std::string print(const IRModule& module) {
  text::Printer printer;
  printer.module(module);
  return std::move(printer.text);
}

std::string print(const PrimFunc& func) {
  text::Printer printer;
  printer.text = text::kHeader + std::string("\n");
  printer.function(func);
  return std::move(printer.text);
}

std::string print(const Stmt& stmt) {
  text::Printer printer;
  printer.name_free_buffers(stmt);
  printer.stmt(stmt, true, true);
  return std::move(printer.text);
}

std::string print(const Expr& e) {
  text::Printer printer;
  printer.expr(e);
  return std::move(printer.text);
}

}  // namespace hexproof
