// Where calls stand in the text of the user's, and what is written there.
#include <algorithm>
#include <map>

#include "tools/python/objects.h"

namespace hexproof::python {
namespace {

using Position = std::pair<int, int>;  // line from 1, column from 0, in bytes

struct File {
  std::shared_ptr<const SourceFile> source;                             // null: its text is not known
  std::map<Position, std::vector<std::pair<std::string, Span>>> calls;  // by where they end
  py::object lambdas;
};

/// By the names that code has for its file. Never destroyed: Python's objects in it outlive the interpreter.
std::map<std::string, File>& files() {
  static auto* all = new std::map<std::string, File>;
  return *all;
}

/// From here to there, or to the end of the line.
Span span_between(const std::shared_ptr<const SourceFile>& file, Position from, Position to) {
  const int length = from.first == to.first ? std::max(1, to.second - from.second) : 1 << 16;
  return {file, from.first, from.second + 1, length};
}

std::optional<size_t> offset(const std::string& text, Position at) {
  size_t start = 0;
  for (int line = 1; line < at.first; ++line) {
    start = text.find('\n', start);
    if (start == std::string::npos) return std::nullopt;
    ++start;
  }
  start += static_cast<size_t>(at.second);
  return start <= text.size() ? std::optional(start) : std::nullopt;
}

/// The text between two places, its white space as single blanks.
std::string text_between(const std::string& text, Position from, Position to) {
  const std::optional<size_t> begin = offset(text, from), end = offset(text, to);
  if (!begin || !end || *end < *begin) return "";
  std::string out;
  for (size_t k = *begin; k < *end; ++k) {
    const bool space = std::string_view(" \n\t\r").find(text[k]) != std::string_view::npos;
    if (!space || (!out.empty() && out.back() != ' ')) out += space ? ' ' : text[k];
  }
  return out;
}

py::object read_places(File& file, const std::string& path) {
  auto prepared = support().attr("prepare")(file.source->text, path).cast<py::tuple>();
  for (auto [end, arguments] : prepared[1].cast<py::dict>()) {
    auto& written = file.calls[{end[py::int_(0)].cast<int>(), end[py::int_(1)].cast<int>()}];
    for (py::handle one : arguments) {
      auto t = py::reinterpret_borrow<py::tuple>(one);
      written.emplace_back(t[0].cast<std::string>(), span_between(file.source, {t[1].cast<int>(), t[2].cast<int>()},
                                                                  {t[3].cast<int>(), t[4].cast<int>()}));
    }
  }
  file.lambdas = prepared[2];
  return prepared[0];
}

/// What is known of the file that code comes from.
const File& file_of(py::handle code) {
  const auto path = code.attr("co_filename").cast<std::string>();
  auto it = files().find(path);
  if (it != files().end()) return it->second;
  File& file = files()[path];
  py::object text = support().attr("source_of")(path);
  if (text.is_none()) return file;
  file.source = std::make_shared<const SourceFile>(SourceFile{path, text.cast<std::string>()});
  try {
    read_places(file, path);
  } catch (py::error_already_set& e) {
    if (!e.matches(PyExc_Exception)) {
      files().erase(path);
      throw;
    }
    file.calls.clear();  // cells of notebooks may hold what is no Python: then only lines are known
  }
  return file;
}

struct Location {
  Position from, to;
};
std::optional<Location> location_of(PyCodeObject* code, int instruction) {
  int line = 0, end_line = 0, column = 0, end_column = 0;
  if (!PyCode_Addr2Location(code, instruction, &line, &column, &end_line, &end_column) || line <= 0) {
    return std::nullopt;
  }
  if (column < 0 || end_line <= 0) return Location{{line, 0}, {line, 1}};
  return Location{{line, column}, {end_line, end_column}};
}

/// Does the package `hexproof` itself stand there? What it says on its way is not what the user wrote.
bool is_of_package(PyFrameObject* frame) {
  auto globals = py::reinterpret_steal<py::dict>(PyFrame_GetGlobals(frame));
  PyObject* name = PyDict_GetItemString(globals.ptr(), "__name__");
  if (!name || !PyUnicode_Check(name)) return false;
  const auto module = py::handle(name).cast<std::string>();
  return module == "hexproof" || module.starts_with("hexproof.");
}

}  // namespace

Span CallPlace::at(size_t position, size_t count) const {
  // A star takes what the written arguments on its sides leave.
  std::vector<const Written*> written;
  size_t star = arguments.size();
  for (const Written& one : arguments) {
    if (!one.keyword.empty() && one.keyword != "*") continue;
    if (one.keyword == "*" && star == arguments.size()) star = written.size();
    written.push_back(&one);
  }
  if (written.empty()) return span;
  // Without a star more may be given than is written: functools.partial(sch.fuse, i)(j).
  if (star >= written.size()) return position < written.size() ? written[position]->span : span;
  if (position < star) return position < written.size() ? written[position]->span : span;
  const size_t behind = written.size() - star - 1;
  if (position < count && count - position <= behind) return written[written.size() - (count - position)]->span;
  return written[star]->span;
}

Span CallPlace::at(const std::string& keyword) const {
  for (const char* name : {keyword.c_str(), "**"}) {
    for (const Written& one : arguments) {
      if (one.keyword == name) return one.span;
    }
  }
  return span;
}

CallPlace place_of_call() {
  PyFrameObject* frame = PyEval_GetFrame();
  auto here = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(frame));
  while (here) {
    frame = reinterpret_cast<PyFrameObject*>(here.ptr());
    auto code = py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
    const auto path = code.attr("co_filename").cast<std::string>();
    if (path.starts_with("<hexproof") || is_of_package(frame)) {  // of our own
      here = py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(PyFrame_GetBack(frame)));
      continue;
    }
    CallPlace out;
    const File& file = file_of(code);
    auto location = location_of(reinterpret_cast<PyCodeObject*>(code.ptr()), PyFrame_GetLasti(frame));
    if (!file.source || !location) return out;
    out.span = span_between(file.source, location->from, location->to);
    out.text = text_between(file.source->text, location->from, location->to);
    if (auto call = file.calls.find(location->to); call != file.calls.end()) {
      for (const auto& [keyword, span] : call->second) out.arguments.push_back({keyword, span});
    }
    return out;
  }
  return {};
}

std::string written_body(py::handle function) {
  py::object code = function.attr("__code__");
  const File& file = file_of(code);
  if (!file.source || !file.lambdas) return "";
  py::object body = support().attr("body_of")(code, file.lambdas);
  if (body.is_none()) return "";
  auto t = body.cast<py::tuple>();
  return text_between(file.source->text, {t[0].cast<int>(), t[1].cast<int>()}, {t[2].cast<int>(), t[3].cast<int>()});
}

py::object compile_file(const std::shared_ptr<const SourceFile>& file) {
  File& known = files()[file->path];
  known = {};
  known.source = file;
  return read_places(known, file->path);
}

Span span_of(PyCodeObject* code, int instruction, const std::shared_ptr<const SourceFile>& file) {
  auto location = location_of(code, instruction);
  return location ? span_between(file, location->from, location->to) : Span{};
}

}  // namespace hexproof::python
