// Scripts of tensor expressions: a program and its schedule in one file.
#include <algorithm>

#include "hexproof/schedule.h"
#include "ir/text/lexer.h"
#include "ir/text/text.h"
#include "rewrite/te/reader.h"
#include "tools/api/detail.h"
#include "verify/check/error_met.h"

namespace hexproof::api {

bool is_tensor_script(const std::string& path) {
  if (path == "-") return false;  // it is read once
  try {
    return te::is_script(read_source(path)->text);
  } catch (const Error&) {
    return false;
  }
}

TensorScript read_tensor_script(const std::string& path, const ReadOptions& options) {
  return translated([&] {
    const auto file = read_source(path);
    auto script = coded(Code::Schedule, Code::UnsupportedPrimitive,
                        [&] { return std::make_shared<const te::Script>(te::run_script(file)); });
    return TensorScript{read_text(print(script->naive.func), path + " (naive)", options), {path, file->text, script}};
  });
}

namespace {

int last_line(const Stmt& stmt) {
  int out = stmt->span.line;
  for (const Stmt& part : children(stmt)) out = std::max(out, last_line(part));
  return out;
}

void add_blocks(const Stmt& stmt, const std::map<std::string, Span>& written, ScriptLines* out) {
  if (const Block* block = stmt.as<Block>()) {
    if (const auto found = written.find(block->name); found != written.end())
      out->emplace_back(last_line(stmt), found->second.line);
  }
  for (const Stmt& part : children(stmt)) add_blocks(part, written, out);
}

}  // namespace

ScriptLines script_lines(const TensorScript& script) {
  ScriptLines out;
  for (const PrimFunc& func : script.program.module().functions)
    add_blocks(func.body, script.schedule.recorded->naive.written, &out);
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> line_of_script(const TensorScript& script, const CheckReport& report) {
  if (!report.met) return {};
  for (const auto& [to, line] : script_lines(script)) {
    if (report.met->error.span.line > to) continue;
    return {"  " + script.schedule.name + ":" + std::to_string(line) + ": here the script says what is computed there"};
  }
  return {};
}

}  // namespace hexproof::api
