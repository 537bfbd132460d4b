// Scripts of tensor expressions: a program and its schedule in one file.
#include "hexproof/schedule.h"
#include "ir/base/file.h"
#include "ir/text/lexer.h"
#include "ir/text/text.h"
#include "rewrite/te/reader.h"
#include "tools/api/detail.h"

namespace hexproof::api {

bool is_tensor_script(const std::string& path) {
  if (path == "-") return false;  // it is read once
  try {
    return te::is_script(read_file(path));
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

}  // namespace hexproof::api
