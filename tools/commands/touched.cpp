// hexproof touched FILE --buffer A: which cells of a buffer a function reads and writes.
#include "hexproof/check.h"
#include "ir/text/lexer.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "tools/api/detail.h"
#include "tools/command.h"
#include "tools/reports/report.h"
#include "tools/verdict.h"
#include "verify/access/domain_touched.h"
#include "verify/check/items/region_claims.h"
#include "verify/prove/open_rounding.h"

namespace hexproof::tools {
namespace {

struct TouchedOptions : Common {
  std::string file, function, buffer;
};

/// A buffer of a function, and the statement that it lives in: the body for a parameter.
struct Lives {
  Buffer buffer;
  Path at;
};

void declared(const Stmt& stmt, const Path& at, std::vector<Lives>* out) {
  std::vector<Stmt> parts = children(stmt);
  for (size_t k = 0; k < parts.size(); ++k) {
    Path below = at;
    below.push_back(static_cast<int>(k));
    if (const AllocBuffer* memory = stmt.as<AllocBuffer>()) out->push_back({memory->buffer, below});
    if (const DeclBuffer* view = stmt.as<DeclBuffer>()) out->push_back({view->buffer, below});
    declared(parts[k], below, out);
  }
}

Lives find_buffer(const PrimFunc& func, const std::string& name) {
  std::vector<Lives> all;
  for (const Buffer& buffer : func.buffer_params()) all.push_back({buffer, {}});
  declared(func.body, {}, &all);
  std::vector<std::string> names;
  std::optional<Lives> found;
  for (const Lives& one : all) {
    names.push_back(one.buffer->name);
    if (one.buffer->name != name) continue;
    if (found) throw Error(func.span, "'" + func.name + "' has several buffers '" + name + "'");
    found = one;
  }
  if (found) return *found;
  std::string near = nearest_name(name, names);
  throw Error(func.span, "'" + func.name + "' has no buffer '" + name + "'",
              near.empty() ? "" : "did you mean '" + near + "'?");
}

/// The statement with both branches of every condition, and every block whatever its predicate.
Stmt without_conditions(const Stmt& stmt) {
  return rewrite_stmt(stmt, {}, [](const Stmt& s) {
    if (const If* branch = s.as<If>()) {
      return branch->else_case ? seq({branch->then_case, branch->else_case}) : branch->then_case;
    }
    const Block* block = s.as<Block>();
    if (!block || !block->predicate) return s;
    Block always = *block;
    always.predicate = {};
    return make_stmt(std::move(always), s->span);
  });
}

std::string over(const std::vector<Var>& cell, const std::vector<Expr>& values) {
  return print(IndexMap{cell, values, {}});
}

std::string box_text(const DomainTouched& touched) {
  std::string out;
  for (size_t d = 0; d < touched.box.size(); ++d) {
    const TouchedRange& side = touched.box[d];
    out += (d == 0 ? "" : ", ") + touched.cell[d].name() + " from " + print(side.first) + ", " + print(side.extent) +
           " of them";
  }
  return out;
}

bool exact(const DomainTouched& touched, bool write) {
  return std::all_of(touched.accesses.begin(), touched.accesses.end(),
                     [&](const TouchedByAccess& a) { return a.access.write != write || a.exact; });
}

Json accesses_json(const DomainTouched& touched) {
  Json out = Json::array();
  for (const TouchedByAccess& a : touched.accesses) {
    const Span& span = a.access.stmt ? a.access.stmt->span : Span{};
    Json one = {{"access", a.access.write ? "write" : "read"},
                {"statement", a.access.stmt ? print(a.access.stmt) : ""},
                {"predicate", over(touched.cell, {a.when})},
                {"exact", a.exact}};
    if (span) one["line"] = span.line;
    out.push_back(std::move(one));
  }
  return out;
}

int touched(const TouchedOptions& o) {
  o.begin({.inputs = {{"FILE", o.file}}});
  api::Session session = o.session();
  const api::Program program = o.program(o.file);
  const Linked linked = api::linked_function(program, o.function, session);
  find_buffer(linked.func, o.buffer);
  // The cells are those of a program that meets no error. A region that is false changes no value, and no cell.
  const api::Checked checked = api::check(program, linked.func.name, session);
  const PrimFunc func = checked.warnings.empty() ? linked.func : without_regions(linked.func);
  const Lives lives = find_buffer(func, o.buffer);
  for (const std::string& warning : checked.warnings) o.say(kRefuted, warning);
  Json report = {{"source_check", to_json(*checked.detail)}};
  if (!checked.warnings.empty()) report["warnings"] = checked.warnings;
  int code = exit_code(checked.verdict);
  if (code != kProved) {
    for (const std::string& line : api::check_lines(func.name, *checked.detail)) o.say(code, line);
    o.say(code, "what a program with errors touches is not said");
    write_report(report, code);
    return code;
  }
  const OpenRoundingScope open(open_rounding_of(func));
  const Stmt stmt = stmt_at(func, lives.at);
  const Facts facts = facts_at(func, lives.at);
  const DomainTouched with = domain_touched(stmt, lives.buffer, facts, session.prover());
  const DomainTouched without = domain_touched(without_conditions(stmt), lives.buffer, facts, session.prover());
  report["function"] = func.name;
  report["buffer"] = lives.buffer->name;
  report["shape"] = Json::array();
  for (const Expr& extent : lives.buffer->shape) report["shape"].push_back(print(extent));
  o.say("buffer  " + lives.buffer->name + " of " + func.name);
  for (bool write : {false, true}) {
    const char* word = write ? "writes" : "reads";
    Expr when = write ? with.written_when() : with.read_when();
    Expr loops = write ? without.written_when() : without.read_when();
    bool none = is_int(when, 0);
    bool precise = exact(with, write);
    std::string predicate = none ? "nothing" : over(with.cell, {when});
    std::string unconditional = over(without.cell, {loops});
    std::string head = std::string(word) + std::string(8 - std::string(word).size(), ' ');
    o.say(head + predicate + (none || precise ? "" : "  (at most these)"));
    if (!none && unconditional != predicate) {
      o.say("        conditions left out: " + unconditional + (exact(without, write) ? "" : "  (at most these)"));
    }
    report[word] = {{"predicate", over(with.cell, {when})},
                    {"exact", precise},
                    {"conditions_left_out", {{"predicate", unconditional}, {"exact", exact(without, write)}}}};
  }
  report["box"] = Json::array();
  for (const TouchedRange& side : with.box) {
    report["box"].push_back({{"first", print(side.first)}, {"extent", print(side.extent)}});
  }
  report["box_exact"] = with.box_exact;
  report["accesses"] = accesses_json(with);
  if (!with.box.empty()) o.say("box     " + box_text(with) + (with.box_exact ? "" : "  (may be larger than needed)"));
  write_report(report, kProved);
  return kProved;
}

}  // namespace

void add_touched(CLI::App& app, Run& run) {
  auto o = std::make_shared<TouchedOptions>();
  CLI::App* command = app.add_subcommand("touched", "show which cells of a buffer a function reads and writes");
  command->add_option("FILE", o->file, "the program, in TVMScript")->required();
  command->add_option("--buffer", o->buffer, "the buffer, by its name")->required();
  command->add_option("--function", o->function, "the function, when the file has several");
  o->add_to(*command);
  command->callback([o, &run] { run = [o] { return coded(Code::Option, [&] { return touched(*o); }); }; });
}

}  // namespace hexproof::tools
