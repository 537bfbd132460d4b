// hexproof bounds SCRIPT: what InferBound finds for a schedule of tensor expressions, every bound proved, of a program
// that is proved free of errors.
#include "rewrite/te/bounds/bounds.h"

#include <cstdio>

#include "hexproof/check.h"
#include "ir/text/text.h"
#include "rewrite/te/lower/lower.h"
#include "tools/api/detail.h"
#include "tools/command.h"
#include "tools/reports/report.h"
#include "tools/verdict.h"

namespace hexproof::tools {
namespace {

struct BoundsArguments : Common {
  std::string file, svg;
};

Json to_json(const te::Schedule& s, const te::StageBounds& b, const std::vector<Answer>& answers) {
  Json out{
      {"stage", s.stage(b.stage).name}, {"ranges", Json::array()}, {"box", Json::array()}, {"covers", Json::array()}};
  for (const auto& r : b.ranges) {
    out["ranges"].push_back({{"name", r.iv.var.name()}, {"min", print(r.min)}, {"extent", print(r.extent)}});
  }
  for (const te::Face& f : b.box) {
    Json face{{"base", print(f.base)}, {"extent", print(f.extent)}};
    if (f.witness) face["smallest"] = *f.witness;
    out["box"].push_back(face);
  }
  for (size_t k = 0; k < answers.size(); ++k) {
    const Verdict v = answers[k].verdict;
    out["covers"].push_back({{"why", b.covers[k].why},
                             {"verdict", v == Verdict::Proved    ? "proved"
                                         : v == Verdict::Refuted ? "refuted"
                                                                 : "undecided"}});
  }
  return out;
}

int bounds(const BoundsArguments& o) {
  o.begin({.inputs = {{"SCRIPT", o.file}}, .outputs = {{"--svg", o.svg}}});
  api::Session session = o.session();
  const api::TensorScript script = o.tensor_script(o.file);
  if (!script.schedule.recorded->schedule)
    throw CodedError(Code::Schedule, "'" + o.file + "' has no schedule: te.create_schedule makes one");
  const te::Schedule& schedule = *script.schedule.recorded->schedule;
  const std::string function = script.program.functions().at(0);
  const api::Checked checked = api::check(script.program, function, session);
  if (checked.verdict != api::Verdict::Proved) {
    for (const std::string& line : api::check_lines(function, *checked.detail)) o.say(exit_code(checked.verdict), line);
    for (const std::string& line : api::line_of_script(script, *checked.detail))
      o.say(exit_code(checked.verdict), line);
    o.say(exit_code(checked.verdict), "no bounds are inferred: what a program with errors reads is not what it needs");
    write_report({{"naive", to_json(*checked.detail)}}, exit_code(checked.verdict));
    return exit_code(checked.verdict);
  }
  const te::Bounds found = te::infer_bound(schedule);
  std::vector<std::vector<Answer>> answers;
  Json json = Json::array();
  int code = kProved;
  for (const te::StageBounds& b : found.stages) {
    answers.push_back(session.prover().prove_all(b.covers));
    for (const Answer& a : answers.back()) {
      if (a.verdict == Verdict::Refuted) code = kRefuted;
      if (a.verdict == Verdict::Unknown && code == kProved) code = kUndecided;
    }
    json.push_back(to_json(schedule, b, answers.back()));
  }
  if (!o.svg.empty()) write_output({"--svg", o.svg}, te::draw(schedule, found));
  write_report({{"stages", json}}, code);
  o.say(code, te::print(schedule, found, answers));
  return code;
}

}  // namespace

void add_bounds(CLI::App& app, Run& run) {
  auto o = std::make_shared<BoundsArguments>();
  CLI::App* command = app.add_subcommand("bounds", "the bounds of loops and buffers of a script of tensor expressions");
  command->add_option("SCRIPT", o->file, "the script, in Python with TVM's names")->required();
  command->add_option("--svg", o->svg, "draw the tables here");
  o->add_to(*command);
  command->callback([o, &run] { run = [o] { return bounds(*o); }; });
}

}  // namespace hexproof::tools
