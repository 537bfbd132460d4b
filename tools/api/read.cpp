#include "hexproof/read.h"

#include "ir/text/lexer.h"
#include "ir/text/text.h"
#include "tools/api/detail.h"

namespace hexproof::api {
namespace {

PrimFunc prepared(PrimFunc func, const std::string& fast_math) {
  std::string flags = coded(Code::Option, [&] { return join_flags(fast_math_flags(fast_math, "--fp")); });
  // In one spelling, whoever grants them. (An Error now for an attribute of the file that has an unknown flag.)
  if (flags.empty()) flags = join_flags(func.granted_flags());
  if (!flags.empty()) func.attrs[kFastMathAttribute] = flags;
  if (std::string why = ill_formed(func); !why.empty()) throw CodedError(Code::IllFormed, func.span, why);
  return func;
}

Program made(std::shared_ptr<const SourceFile> file, const ReadOptions& options) {
  return coded(Code::Program, [&] {
    auto out = std::make_shared<Program::Impl>(Program::Impl{file, parse_module(file), options.fast_math});
    for (PrimFunc& func : out->module.functions) func = prepared(func, options.fast_math);
    return Program(std::move(out));
  });
}

}  // namespace

Program read(const std::string& path, const ReadOptions& options) {
  return translated([&] { return made(read_source(path), options); });
}

Program read_text(const std::string& text, const std::string& name, const ReadOptions& options) {
  return translated([&] { return made(source_of(name, text), options); });
}

ScheduleText read_schedule(const std::string& path) {
  return translated([&] {
    const auto file = read_source(path);
    return ScheduleText{file->path, file->text};
  });
}

const std::string& Program::path() const { return impl_->file->path; }
const std::string& Program::text() const { return impl_->file->text; }
const std::string& Program::fast_math() const { return impl_->fast_math; }
const IRModule& Program::module() const { return impl_->module; }
std::string Program::print() const { return hexproof::print(impl_->module); }
std::vector<std::string> Program::functions() const {
  std::vector<std::string> out;
  for (const PrimFunc& func : impl_->module.functions) out.push_back(func.name);
  return out;
}

Linked linked_function(const Program& program, const std::string& function, Session& session) {
  const std::string name = coded(Code::Option, [&] { return pick_function(program.module(), function).name; });
  return linked(program.module(), name, session.prover());
}

Linked linked(const IRModule& module, const std::string& function, Prover& prover) {
  return coded(Code::Program, [&] { return link(module, function, prover); });
}

std::vector<Parameter> parameters(const Program& program, Session& session, const std::string& function) {
  return translated([&] {
    std::vector<Parameter> out;
    for (const Param& param : linked_function(program, function, session).func.params) {
      const Buffer& buffer = param.buffer;
      Parameter one{buffer ? buffer->name : param.var.name(),
                    (buffer ? buffer->dtype : param.var.dtype()).str(),
                    static_cast<bool>(buffer),
                    {}};
      if (buffer) {
        for (const Expr& extent : buffer->shape) one.shape.push_back(hexproof::print(extent));
      }
      out.push_back(std::move(one));
    }
    return out;
  });
}

}  // namespace hexproof::api
