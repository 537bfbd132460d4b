// How certificates are forged of right ones, with digests that fit, and what hexproof-check says of each.
#pragma once
#include <set>

#include "tests/tools/certificates/certificate_folder.h"

namespace hexproof {
namespace examples_test {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// How hexproof-check meets a change whose digests fit. `audit` rejects each.
enum class Seen : uint8_t {
  ByFiles,    // rejected without a solver
  ByFormula,  // a formula that it derives is not shown any more; or the step is of a kind that it says to believe
  NotStored,  // the change is in what is stored of a step: it derives that itself, or says that it believes it
  InVerdict,  // it says what it believes now
};

struct Change {
  const char* name;
  /// The rule of the step that it is about; "" where there is nothing to change.
  std::string (*make)(const std::string& path, Json& certificate);
  Seen seen;
};

/// Steps of these rules are derived from the programs before and after them, whatever is stored of them.
inline const std::set<std::string> kDerived = {"compute-at", "reorder", "set-scope", "split"};

inline bool replace_in(const std::string& file, const std::string& from, const std::string& to) {
  std::string text = read_file(file);
  const size_t at = text.rfind(from);
  if (at == text.npos) return false;
  write_file(file, text.replace(at, from.size(), to));
  return true;
}

inline Json* step_with(Json& certificate, const char* list) {
  for (Json& step : certificate["steps"]) {
    if (!step[list].empty()) return &step;
  }
  return nullptr;
}

/// What is asserted last, the negated goal, is false: a formula that everybody shows.
inline std::string weaken_a_formula(const std::string& path, Json& certificate) {
  Json* step = step_with(certificate, "obligations");
  if (!step) return "";
  const std::string name = (*step)["obligations"][0]["smtlib"], text = read_file(path + "/" + name);
  const size_t head = text.find("(set-logic"), goal = text.rfind("(assert ");
  const std::string body = text.substr(head, goal - head) + "(assert false)\n(check-sat)\n";
  const std::string weaker = "obligations/" + sha256(body).substr(0, 16) + ".smt2";
  write_file(path + "/" + weaker, text.substr(0, head) + body);
  fs::remove(path + "/" + name);
  auto renamed = [&](Json& obligations) {
    for (Json& o : obligations) {
      if (o["smtlib"] == name) o["smtlib"] = weaker;
    }
  };
  for (Json& one : certificate["steps"]) renamed(one["obligations"]);
  for (const char* check : {"source_check", "final_check"}) renamed(certificate[check]["obligations"]);
  certificate["files"].erase(name);
  certificate["files"][weaker] = "";
  return (*step)["rule"];
}

inline std::string leave_an_obligation_open(const std::string&, Json& certificate) {
  Json* step = step_with(certificate, "obligations");
  if (!step) return "";
  (*step)["obligations"].back()["verdict"] = "unknown";
  return (*step)["rule"];
}

/// And its formula, where nothing else is shown by it.
inline std::string leave_an_obligation_out(const std::string& path, Json& certificate) {
  Json* step = step_with(certificate, "obligations");
  if (!step) return "";
  const std::string name = (*step)["obligations"][0]["smtlib"];
  (*step)["obligations"].erase(0);
  if (certificate.dump().find("\"smtlib\":\"" + name) == std::string::npos) {
    certificate["files"].erase(name);
    fs::remove(path + "/" + name);
  }
  return (*step)["rule"];
}

inline std::string hide_a_change_of_the_interface(const std::string&, Json& certificate) {
  Json* step = step_with(certificate, "interface");
  if (!step) return "";
  (*step)["interface"] = Json::array();
  return (*step)["rule"];
}

/// Another sum, of what is loaded where there is one: an index plus 0 may be an index minus 0.
inline bool change_a_sum(const std::string& file) {
  return replace_in(file, "] + ", "] - ") || replace_in(file, " + ", " - ");
}

/// The last program stores a sum where the steps make another one.
inline std::string change_the_last_program(const std::string& path, Json& certificate) {
  const bool changed = change_a_sum(path + "/final.py") || replace_in(path + "/final.py", " * ", " + ");
  return changed ? certificate["steps"].back()["rule"] : Json("");
}

/// The program after a step, and all that is said to come of it.
inline std::string change_the_programs_of_steps(const std::string& path, Json& certificate) {
  std::string rule;
  const Json& steps = certificate["steps"];
  for (size_t k = steps.size() / 2; k < steps.size(); ++k) {
    const bool changed = change_a_sum(path + "/" + steps[k]["program"].get<std::string>());
    if (changed && rule.empty()) rule = steps[k]["rule"];
    if (!changed && !rule.empty()) return "";
  }
  return change_a_sum(path + "/final.py") ? rule : "";
}

inline std::string change_the_source(const std::string& path, Json& certificate) {
  const bool changed = change_a_sum(path + "/source.py") || replace_in(path + "/source.py", " * ", " + ");
  return changed ? certificate["steps"].front()["rule"] : Json("");
}

inline std::string leave_a_step_out(const std::string& path, Json& certificate) {
  if (certificate["steps"].size() < 2) return "";
  const std::string program = certificate["steps"][0]["program"];
  certificate["steps"].erase(0);
  certificate["files"].erase(program);
  fs::remove(path + "/" + program);
  return certificate["steps"][0]["rule"];
}

inline std::string say_that_nothing_holds(const std::string&, Json& certificate) {
  for (Json& one : certificate["given_models"]) {
    if (one.contains("none")) continue;
    one = {{"none", "it was late"}};
    return "of what is given";
  }
  return "";
}

inline const Change kChanges[] = {
    {"an obligation is open", leave_an_obligation_open, Seen::ByFiles},
    {"a formula is weaker", weaken_a_formula, Seen::NotStored},
    {"an obligation is left out", leave_an_obligation_out, Seen::NotStored},
    {"a change of the interface is hidden", hide_a_change_of_the_interface, Seen::ByFiles},
    {"the last program is another one", change_the_last_program, Seen::ByFiles},
    {"the programs of steps are others", change_the_programs_of_steps, Seen::ByFormula},
    {"the source is another one", change_the_source, Seen::ByFormula},
    {"a step is left out", leave_a_step_out, Seen::ByFormula},
    {"nothing is said to hold", say_that_nothing_holds, Seen::InVerdict},
};

}  // namespace examples_test
}  // namespace hexproof
