#include "tools/python/package/reports.h"

#include <pybind11/stl.h>

#include "hexproof/equiv.h"
#include "verify/check/error_met.h"
#include "verify/equiv/equiv.h"

namespace hexproof::python {
namespace py = pybind11;
namespace {

/// A tensor as arrays.py takes it: dtype, shape, bytes.
py::tuple plain(const Tensor& t) {
  return py::make_tuple(t.dtype.str(), t.shape, py::bytes(reinterpret_cast<const char*>(t.data.data()), t.data.size()));
}

constexpr size_t kShownDifferences = 1000;

const char* word(Verdict verdict) {
  switch (verdict) {
    case Verdict::Proved:
      return "proved";
    case Verdict::Refuted:
      return "refuted";
    case Verdict::Unknown:
      break;
  }
  return "open";
}

/// The obligations, and the input that shows a refutation: tensors and scalars by name.
void add_detail(const CheckReport& report, py::dict* out) {
  py::list asked;
  for (const CheckedObligation& one : report.obligations) {
    py::dict row;
    row["rule"] = one.obligation.rule, row["why"] = one.obligation.why, row["verdict"] = word(one.answer.verdict);
    row["statement"] = one.obligation.where.statement;
    row["line"] = one.obligation.where.span.line, row["column"] = one.obligation.where.span.column;
    asked.append(row);
  }
  py::dict tensors, scalars;
  if (report.met) {
    for (const auto& [name, tensor] : report.met->arguments) tensors[py::str(name)] = plain(tensor);
    for (const auto& [name, value] : report.met->scalars) scalars[py::str(name)] = value;
  }
  (*out)["_asked"] = asked, (*out)["_tensors"] = tensors, (*out)["_scalars"] = scalars;
}

void add_detail(const EquivReport& report, py::dict* out) {
  py::dict tensors, scalars;
  py::list differences;
  if (report.counterexample) {
    const PairInput& input = report.counterexample->input;
    const std::vector<Buffer> buffers = report.pair.before.buffer_params();
    const std::vector<Var> names = report.pair.before.scalars();
    for (size_t k = 0; k < std::min(buffers.size(), input.before.size()); ++k) {
      tensors[py::str(buffers[k]->name)] = plain(input.before[k]);
    }
    for (size_t k = 0; k < std::min(names.size(), input.instance.before_scalars.size()); ++k) {
      scalars[py::str(names[k].name())] = to_string(scalar_value(names[k], input.instance.before_scalars[k]));
    }
    for (const Difference& d : report.counterexample->differences) {
      if (differences.size() == kShownDifferences) break;
      py::dict row;
      row["buffer"] = d.buffer < buffers.size() ? buffers[d.buffer]->name : "";
      row["index"] = d.after_index, row["before"] = d.before_value, row["after"] = d.after_value;
      differences.append(row);
    }
  }
  (*out)["_tensors"] = tensors, (*out)["_scalars"] = scalars, (*out)["differences"] = differences;
}

}  // namespace

py::dict report_of_check(const CheckReport& report) {
  py::dict out;
  out["verdict"] = api::to_text(api::verdict_of(report.finding)), out["obligations"] = tally(report).str();
  out["counterexample"] = report.counterexample, out["reason"] = report.reason;
  add_detail(report, &out);
  return out;
}

py::dict dict_of(const api::Checked& c) {
  py::dict out;
  out["function"] = c.function, out["verdict"] = api::to_text(c.verdict), out["obligations"] = c.obligations;
  out["counterexample"] = c.counterexample, out["reason"] = c.reason;
  out["warnings"] = c.warnings;
  if (c.detail) add_detail(*c.detail, &out);
  return out;
}

py::dict dict_of(const api::Compared& c) {
  py::dict out;
  out["before"] = c.before, out["after"] = c.after, out["verdict"] = api::to_text(c.verdict);
  out["method"] = c.method, out["reason"] = c.reason, out["counterexample"] = c.counterexample;
  out["evidence"] = c.evidence, out["accepted"] = c.accepted;
  if (c.detail) add_detail(*c.detail, &out);
  return out;
}

}  // namespace hexproof::python
