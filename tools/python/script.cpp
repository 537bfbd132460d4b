// run_script: a script of tensor expressions is a program of the user's, which Python runs.
#include "ir/text/lexer.h"
#include "rewrite/te/reader.h"
#include "tools/python/interpreter.h"
#include "tools/python/tensors.h"

namespace hexproof::te {

Script run_script(std::shared_ptr<const SourceFile> file) {
  require_text(file);
  python::start_python();
  pybind11::gil_scoped_acquire lock;
  try {
    pybind11::object code = python::compile_file(file);
    pybind11::object made = python::support().attr("run_script")(code, file->path);
    return *made.cast<std::shared_ptr<Script>>();
  } catch (pybind11::error_already_set& e) {
    python::throw_as_ours(e, file);
  }
}

}  // namespace hexproof::te
