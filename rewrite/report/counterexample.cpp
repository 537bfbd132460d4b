#include "rewrite/report/counterexample.h"

#include <nlohmann/json.hpp>

#include "ir/interpreter/fault.h"
#include "ir/text/text.h"
#include "rewrite/kernel/shown_difference.h"
#include "verify/equiv/table.h"
#include "verify/prove/model_value.h"

namespace hexproof {
namespace {

constexpr size_t kListed = 256;  // cells of one list

const char* camel_name(ErrorKind kind) {
  switch (kind) {
#define ERROR_KIND(name, meaning) \
  case ErrorKind::name:           \
    return #name;
#include "ir/interpreter/error_kinds.def"
#undef ERROR_KIND
  }
  internal_error(__FILE__, __LINE__, "no such kind of error");
}

Json named(const std::string& name, const Json& value) { return {{"name", name}, {"value", value}}; }

Json cell(const std::string& buffer, const std::vector<int64_t>& index, const std::string& value) {
  return {{"buffer", buffer}, {"index", index}, {"value", value}};
}

/// What a cell of a model holds.
std::string value_of(const CellValue& one) {
  const DType type = one.buffer->dtype;
  return type.is_scalar() ? text_of_model(type, one.value) : to_string(one.value);
}

}  // namespace

std::string name_of(ErrorKind kind) {
  std::string out;
  for (char c : std::string(camel_name(kind))) {
    if (c >= 'A' && c <= 'Z') {
      if (!out.empty()) out += '-';
      c = static_cast<char>(c - 'A' + 'a');
    }
    out += c;
  }
  return out;
}

Code code_of(ErrorKind kind) {
  switch (kind) {
#define ERROR_KIND(name, meaning) \
  case ErrorKind::name:           \
    return Code::name;
#include "ir/interpreter/error_kinds.def"
#undef ERROR_KIND
  }
  internal_error(__FILE__, __LINE__, "no such kind of error");
}

Code code_of(const CheckReport& report) {
  switch (report.finding) {
    case Finding::Proved:
      break;
    case Finding::Refuted:
      return code_of(report.met->error.kind);
    case Finding::Undecided:
      return Code::CheckOpen;
    case Finding::Vacuous:
      return Code::Vacuous;
    case Finding::Unsupported:
      return Code::CheckUnsupported;
  }
  internal_error(__FILE__, __LINE__, "what is proved has no code");
}

Code code_of(const EquivReport& report) {
  if (!report.contradicted.empty()) return Code::Disagreement;
  switch (report.finding) {
    case Finding::Proved:
      break;
    case Finding::Refuted:
      return Code::Different;
    case Finding::Undecided:
      return Code::EquivOpen;
    case Finding::Vacuous:
      return Code::NoInput;
    case Finding::Unsupported:
      return Code::EquivUnsupported;
  }
  internal_error(__FILE__, __LINE__, "what is proved has no code");
}

Json place_json(const Span& span) {
  if (!span) return Json::object();
  return {{"file", span.file ? span.file->path : ""}, {"line", span.line}, {"column", span.column}};
}

Json to_json(const ErrorMet& met) {
  Json out = {{"kind", name_of(met.error.kind)},
              {"code", info(code_of(met.error.kind)).id},
              {"message", met.error.message},
              {"text", met.str()},
              {"statement", met.error.statement}};
  out.update(place_json(met.error.span));
  out["loops"] = Json::array();
  for (const auto& [name, value] : met.error.loops) out["loops"].push_back(named(name, value));
  out["scalars"] = Json::array();
  for (const auto& [name, value] : met.scalars) out["scalars"].push_back(named(name, value));
  out["cells"] = Json::array();
  for (const CellMet& one : met.cells) out["cells"].push_back(cell(one.buffer, one.indices, one.value));
  for (const Span& place : met.behind) out["behind"].push_back(place_json(place));
  if (!met.about.empty()) out["about"] = met.about;
  return out;
}

Json to_json(const ProgramPair& pair, const Counterexample& found) {
  Json out = {{"scalars", Json::array()}, {"cells", Json::array()}, {"differences", Json::array()}};
  const Instance& at = found.input.instance;
  std::vector<Var> vars = pair.before.scalars();
  for (size_t k = 0; k < vars.size(); ++k) {
    out["scalars"].push_back(named(vars[k].name(), to_string(scalar_value(vars[k], at.before_scalars.at(k)))));
  }
  size_t hidden = 0;
  for (size_t b = 0; b < pair.buffers.size(); ++b) {
    const Tensor& t = found.input.before[b];
    for (int64_t i = 0; i < t.size(); ++i) {
      if (element(t, i) == zero_scalar(t.dtype)) continue;
      if (out["cells"].size() == kListed) {
        ++hidden;
        continue;
      }
      out["cells"].push_back(cell(pair.buffers[b].before->name, index_of(i, t.shape), value_text(t, i)));
    }
  }
  if (hidden > 0) out["cells_left_out"] = hidden;
  if (found.after_error) out["error_after"] = found.after_error->str();
  for (const Difference& d : found.differences) {
    if (out["differences"].size() == kListed) break;
    const BufferPair& buffer = pair.buffers[d.buffer];
    Json one = {{"before_buffer", buffer.before->name}, {"before_index", d.before_index},
                {"before_value", d.before_value},       {"before_statement", d.before_writer.statement},
                {"after_buffer", buffer.after->name},   {"after_index", d.after_index},
                {"after_value", d.after_value},         {"after_statement", d.after_writer.statement}};
    if (d.before_writer.span) one["before_place"] = place_json(d.before_writer.span);
    if (d.after_writer.span) one["after_place"] = place_json(d.after_writer.span);
    out["differences"].push_back(one);
  }
  if (found.differences.size() > kListed) out["differences_left_out"] = found.differences.size() - kListed;
  return out;
}

std::optional<ErrorMet> error_of_after(const ProgramPair& pair, const Counterexample& found) {
  if (!found.after_error) return std::nullopt;
  const PairInput& input = found.input;
  return error_met(pair.after, *found.after_error, input.after,
                   parameter_values(pair.after, input.instance.after_scalars));
}

Json to_json(const Refused& refused) {
  const Obligation& o = refused.obligation;
  Json out = {{"rule", o.rule}, {"why", o.why}, {"function", o.where.function}, {"statement", o.where.statement}};
  out.update(place_json(o.where.span));
  out["goal"] = print(with_canonical_names(o).goal);
  out["verdict"] = to_text(refused.answer.verdict);
  if (!refused.answer.reason.empty()) out["reason"] = refused.answer.reason;
  out["values"] = Json::array();
  for (const auto& [var, value] : refused.answer.model)
    out["values"].push_back(named(var.name(), text_of_model(var.dtype(), value)));
  out["cells"] = Json::array();
  for (const CellValue& one : refused.answer.cells) {
    Json index = Json::array();
    for (const Wide& i : one.indices) index.push_back(to_string(i));
    out["cells"].push_back({{"buffer", one.buffer->name}, {"index", index}, {"value", value_of(one)}});
  }
  if (refused.step && refused.step->shown) {
    out["input"] = to_json(refused.step->shown->pair, refused.step->shown->found);
  }
  return out;
}

Json clashing_json(const CheckReport& report) {
  Json out = Json::array();
  for (const Place& one : report.clashing) {
    Json entry = place_json(one.span);
    entry["statement"] = one.statement;
    out.push_back(entry);
  }
  return out;
}

}  // namespace hexproof
