#include "tools/checker/certificate.h"

#include <algorithm>

#include "ir/base/digest.h"
#include "ir/base/formula_file.h"
#include "ir/base/plain_script.h"
#include "ir/base/read_json.h"
#include "ir/interpreter/fault.h"
#include "ir/link/link.h"
#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof::checker {
namespace {

/// Does the obligation say that an assume can hold, and does that assume stand in one of the programs that were
/// checked?
bool is_assume(const Json& obligation, const std::vector<const PrimFunc*>& checked) {
  if (obligation.at("rule") != "check-assume") return false;
  bool found = false;
  for (const PrimFunc* func : checked) {
    visit_stmt(func->body, [&](const Stmt& s) {
      found |= s.as<Assume>() && one_line(s) == obligation.at("statement");
      return true;
    });
  }
  return found;
}

struct Collector {
  const Files& files;
  Formulas out = {};
  std::set<std::string> programs = {};

  /// `checked`: the programs of which an assume may be said to hold.
  void add(const Json& list, const std::string& of, const std::vector<const PrimFunc*>& checked) {
    for (const Json& o : list) {
      ++out.obligations;
      if (o.at("verdict") != "proved")
        throw Bad("certificate.json: " + of, "an obligation is not proved: " + o.at("why").get<std::string>());
      const std::string name = o.at("smtlib"), &formula = files.text(name);
      // The name is the digest of the formula; the lines in front of it are for people.
      const size_t first = formula.find('\n'), second = formula.find('\n', first + 1);
      if (second == formula.npos || formula.front() != ';') throw Bad(name, "has no head");
      const std::string body = formula.substr(second + 1);
      if (name != formula_file(sha256(body))) throw Bad(name, "is not named by its digest");
      if (std::string why = not_plain(body); !why.empty()) throw Bad(name, "holds " + why);
      Need& need = out.needs.try_emplace(name, Need{name, body, "sat"}).first->second;
      if (!is_assume(o, checked)) need.shown = "unsat";
    }
  }
  void add_check(const Json& check, const std::string& of, const std::vector<const PrimFunc*>& checked) {
    if (check.at("finding") != "proved") throw Bad("certificate.json", of + " is not proved");
    add(check.at("obligations"), of, checked);
  }
  void add_steps(const Json& steps) {
    size_t number = 0;
    for (const Json& step : steps) {
      add(step.at("obligations"), "step " + std::to_string(++number), {});
      programs.insert(step.value("program", ""));
    }
  }
};

}  // namespace

Files::Files(FolderFiles folder) : bytes_(std::move(folder.bytes)) {
  if (!folder.others.empty()) throw Bad(folder.others[0], "is no regular file");
  const std::string sums = text("SHA256SUMS"), made = sums_of(bytes_);
  const auto same = std::mismatch(sums.begin(), sums.end(), made.begin(), made.end()).first;
  const auto line = 1 + std::count(sums.begin(), same, '\n');
  if (sums != made) throw Bad("SHA256SUMS:" + std::to_string(line), "does not fit the files");
  json_ = read_json(text("certificate.json"));
  const bool as_written = json_.is_object() && json_.dump(2) + "\n" == text("certificate.json");
  if (!as_written) throw Bad("certificate.json", "is no JSON object, or written in another way than hexproof does");
  if (json_.value("verdict", Json()) != "proved") throw Bad("certificate.json", "does not say proved");
  std::set<std::string> named{"SHA256SUMS", "certificate.json", "summary.txt", "kernel.s"};
  auto has_digest = [&](const std::string& name, const Json& digest) {
    if (digest != sha256(text(name))) throw Bad("certificate.json", "lists another digest of " + name);
    named.insert(name);
  };
  for (const auto& [name, digest] : json_.at("files").items()) has_digest(name, digest);
  for (const Json kernel = json_.value("kernel", Json::object()); const auto& [part, of] : kernel.items()) {
    if (of.is_object() && of.contains("file")) has_digest(of.at("file"), of.at("sha256"));
  }
  for (const auto& [name, bytes] : bytes_)
    if (!named.count(name)) throw Bad(name, "is not listed in certificate.json");
}

const std::string& Files::text(const std::string& name) const {
  auto found = bytes_.find(name);
  if (found == bytes_.end()) throw Bad(name, "is missing");
  return found->second;
}

IRModule Files::module(const std::string& name, bool calls) const {
  const std::string& bytes = text(name);
  IRModule module;
  try {
    module = parse_module(bytes, name);
  } catch (const Error& e) {
    throw Bad(name, e.what());
  }
  for (const PrimFunc& func : module.functions) {
    if (std::string why = ill_formed(func); !why.empty()) throw Bad(name, why);
    if (!calls && has_calls(func)) throw Bad(name, "calls a function");
    std::set<std::string> names;
    for (const Var& scalar : func.scalars())
      if (!names.insert(scalar.name()).second) throw Bad(name, "has two scalars of one name");
  }
  return module;
}

PrimFunc Files::program(const std::string& name) const {
  IRModule out = module(name, false);
  if (out.functions.size() != 1) throw Bad(name, "holds more than one function");
  return out.functions[0];
}

Formulas formulas(const Files& files, const std::vector<Chain>& chains) {
  const Json& json = files.json();
  Collector all{files};
  if (!json.contains("module")) {
    all.add_check(json.at("source_check"), "source_check", {&chains.at(0).source});
    all.add_check(json.at("final_check"), "final_check", {&chains.at(0).before_lowering});
    all.add_steps(json.at("steps"));
  } else {
    std::vector<const PrimFunc*> first, last;
    for (const Chain& chain : chains) first.push_back(&chain.source), last.push_back(&chain.last);
    for (const Json& check : json.at("source_checks")) all.add_check(check, "source_checks", first);
    for (const Json& of : json.at("functions")) all.add_steps(of.at("steps"));
    for (const Json& entry : json.at("linked")) all.add_check(entry.at("check"), "linked", last);
    for (const Json& step : json.at("joint_steps")) {
      for (const Json& proof : step.at("proofs")) all.add_check(proof.at("check"), "joint_steps", {});
      if (step.contains("around_calls")) all.add_steps(step.at("around_calls"));
    }
  }
  for (const auto& [name, bytes] : files.all()) {
    const bool belongs = name.find('/') == name.npos || all.out.needs.count(name) || all.programs.count(name);
    if (!belongs) throw Bad(name, "belongs to no step and no obligation");
  }
  return std::move(all.out);
}

}  // namespace hexproof::checker
