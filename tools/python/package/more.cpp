// Of the package: layouts, and certificates judged anew.
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include "ir/base/file.h"
#include "ir/text/text.h"
#include "rewrite/schedule/reader.h"
#include "tools/api/certificate/audit.h"
#include "tools/api/detail.h"
#include "tools/api/layout.h"
#include "tools/python/package/module.h"
#include "tools/python/working.h"

namespace hexproof::python {
namespace {

/// A text, or any function of Python's.
IndexMap index_map_of(const py::object& given, std::optional<size_t> ndim) {
  if (PyUnicode_Check(given.ptr())) {
    return read_index_map(std::make_shared<SourceFile>(SourceFile{"<map>", given.cast<std::string>()}));
  }
  const calls::Value value = to_value(given, {});
  return while_others_run([&] { return calls::index_map(value, {}, ndim); });
}

py::dict layout(const py::object& given, const std::string& shape_text, api::Session& session) {
  const std::vector<Expr> shape = api::read_shape(shape_text);
  const IndexMap map = index_map_of(given, shape.size());
  const api::LayoutFound found = while_others_run([&] {
    session.begin();
    return api::layout(map, shape, session, {});
  });
  py::dict out;
  out["verdict"] = found.derivation ? "proved" : "refuted";
  out["map"] = print(map), out["shape"] = api::shape_text(shape);
  out["collision"] = found.collision;
  out["transformed_shape"] = found.derivation ? api::shape_text(found.new_shape) : "";
  out["padding"] = found.padding ? py::object(py::str(*found.padding)) : py::none();
  out["obligations"] = found.derivation ? found.derivation->steps()[0].obligations.size() : 0;
  std::string picture;
  for (const CellGrid& grid : found.grids) picture += (picture.empty() ? "" : "\n") + draw_text(grid);
  out["picture"] = picture;
  out["svg"] = found.drawing.empty() ? "" : draw_svg(found.drawing);
  return out;
}

py::dict audit(const std::string& folder, bool run, const std::string& solver, const api::Session& session) {
  if (solver != "" && solver != "z3" && solver != "cvc5")
    throw Misuse("a solver is \"z3\", \"cvc5\" or both: \"\", not \"" + solver + "\"");
  const api::AuditOptions options{.run = run, .z3 = solver != "cvc5", .cvc5 = solver != "z3", .stage = {}};
  const api::Audited done = while_others_run([&] { return api::audit(folder, options, session.limits()); });
  py::dict out;
  out["verdict"] = api::to_text(done.verdict), out["function"] = done.function, out["steps"] = done.steps;
  out["formulas"] = done.obligations, out["certificate_files"] = done.files, out["notes"] = done.notes;
  out["reason"] = done.reason;
  py::dict solvers;
  for (const auto& [name, counts] : done.solvers) {
    py::dict row;
    row["unsat"] = counts.unsat, row["sat"] = counts.sat, row["unknown"] = counts.unknown;
    solvers[py::str(name)] = row;
  }
  out["solvers"] = solvers;
  py::list rejections;
  for (const api::AuditFinding& one : done.findings) {
    py::dict row;
    row["file"] = one.file, row["line"] = one.line, row["column"] = one.column, row["why"] = one.why;
    rejections.append(row);
  }
  out["rejections"] = rejections;
  return out;
}

}  // namespace

void define_more(py::module_& m) {
  m.def("layout", &layout);
  m.def("index_map", [](const py::object& given) { return print(index_map_of(given, {})); });
  m.def("audit", &audit);
  m.def("write_file", [](const std::string& path, const std::string& text) { write_file(path, text); });
  m.def("demand_folder", [](const std::string& path) { OutputFolder::demand(path); });
}

}  // namespace hexproof::python
