// hexproof-check DIR [--solver COMMAND] [--seconds N]: a certificate looked at by a small program that has no rule and
// no solver in it. It reads the programs, follows the chain of files and digests, derives from the first and the last
// program what their bounds need, and asks a solver of the user's choice for that and for each stored formula.
// docs/audit.md says what that shows and what it does not.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "ir/base/digest.h"
#include "ir/base/file.h"
#include "ir/interpreter/fault.h"
#include "ir/link.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "tools/checker/needs.h"
#include "tools/checker/solver.h"

namespace hexproof::checker {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kAccepted = 0, kUsage = 1, kBadInput = 2, kOpen = 5, kRejected = 12;

/// The certificate does not check.
class Bad : public std::runtime_error {
 public:
  Bad(const std::string& place, const std::string& why) : std::runtime_error(place + ": " + why) {}
};

struct Request {
  std::string folder, solver;
  int seconds = 20;
};

class Checker {
 public:
  explicit Checker(Request request) : request_(std::move(request)) {}

  int run() {
    digests();
    json_ = Json::parse(text("certificate.json"), nullptr, false);
    if (!json_.is_object()) throw Bad("certificate.json", "is no JSON object");
    if (json_.value("verdict", Json()) != "proved") throw Bad("certificate.json", "does not say proved");
    if (json_.contains("module")) throw Bad("certificate.json", "is that of a module of several functions");
    for (const auto& [name, digest] : json_.at("files").items()) {
      if (digest != sha256(text(name))) throw Bad("certificate.json", "lists another digest of " + name);
    }
    chain();
    for (const char* check : {"source_check", "final_check"}) {
      if (json_.at(check).at("finding") != "proved")
        throw Bad("certificate.json", std::string(check) + " is not proved");
      obligations(json_.at(check).at("obligations"), check);
    }
    size_t number = 0;
    for (const Json& step : json_.at("steps")) obligations(step.at("obligations"), "step " + std::to_string(++number));
    for (const auto& [name, bytes] : files_) {
      if (name.starts_with("obligations/") && !formulas_.count(name)) throw Bad(name, "belongs to no obligation");
    }
    derive();
    std::printf("%zu files, %zu steps, %zu obligations with %zu formulas: digests, chain and formulas fit\n",
                files_.size(), number, obligations_, formulas_.size());
    std::printf("%zu formulas on bounds derived from source.py, %s and final.py\n", needs_.size(),
                before_file_.c_str());
    if (!request_.solver.empty()) return solve();
    std::printf("no --solver: neither these bounds nor the stored formulas were asked\n");
    return kAccepted;
  }

 private:
  const std::string& text(const std::string& name) const {
    auto found = files_.find(name);
    if (found == files_.end()) throw Bad(name, "is missing");
    return found->second;
  }

  void digests() {
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(request_.folder)) {
      if (entry.is_directory(error) && !entry.is_symlink(error)) continue;
      const std::string name = fs::relative(entry.path(), request_.folder).generic_string();
      if (entry.is_symlink(error) || !entry.is_regular_file(error)) throw Bad(name, "is no regular file");
      files_[name] = read_file(entry.path().string());
    }
    std::string sums;
    for (const auto& [name, bytes] : files_) {
      if (name != "SHA256SUMS") sums += sha256(bytes) + "  " + name + "\n";
    }
    if (text("SHA256SUMS") == sums) return;
    std::istringstream stored(text("SHA256SUMS")), made(sums);
    int line = 0;
    for (std::string a, b; ++line, std::getline(made, b);) {
      if (!std::getline(stored, a) || a != b) {
        throw Bad("SHA256SUMS:" + std::to_string(line), "does not fit " + b.substr(std::min<size_t>(66, b.size())));
      }
    }
    throw Bad("SHA256SUMS:" + std::to_string(line), "lists what is not there");
  }

  PrimFunc program(const std::string& name) const {
    try {
      IRModule module = parse_module(text(name), name);
      if (module.functions.size() != 1) throw Bad(name, "holds more than one function");
      if (std::string why = ill_formed(module.functions[0]); !why.empty()) throw Bad(name, why);
      if (has_calls(module.functions[0])) throw Bad(name, "calls a function");
      return module.functions[0];
    } catch (const Error& e) {
      throw Bad(name, e.what());
    } catch (const Unsupported& e) {
      throw Bad(name, e.what());
    }
  }

  /// The function that was certified is in the source; each step has a program of its own that reads; the last one is
  /// final.py; no parameter comes or goes on the way.
  void chain() {
    const std::string name = json_.at("function");
    IRModule module = parse_module(text("source.py"), "source.py");
    const PrimFunc* found = nullptr;
    for (const PrimFunc& func : module.functions) {
      if (func.name == name) found = &func;
    }
    if (!found) throw Bad("source.py", "has no function '" + name + "'");
    source_ = *found;
    if (source_.attrs.count("hexproof.lowered")) throw Bad("source.py", "says that it is lowered");
    PrimFunc last = source_;
    before_lowering_ = source_;
    before_file_ = "source.py";
    for (const Json& step : json_.at("steps")) {
      const std::string file = step.at("program");
      PrimFunc next = program(file);
      if (next.params.size() != last.params.size()) throw Bad(file, "has other parameters than the step before");
      for (size_t k = 0; k < next.params.size(); ++k) {
        const Buffer &a = last.params[k].buffer, &b = next.params[k].buffer;
        bool changed = static_cast<bool>(a) != static_cast<bool>(b);
        if (!a && !b) changed = !(last.params[k].var.dtype() == next.params[k].var.dtype());
        if (a && b) changed = !(a->dtype == b->dtype) || (print_shape(a) != print_shape(b) && !says_so(step, k));
        if (changed) throw Bad(file, "changes parameter " + std::to_string(k) + ", and the step does not say so");
      }
      last = std::move(next);
      if (!last.attrs.count("hexproof.lowered")) before_lowering_ = last, before_file_ = file;
    }
    given_ = premises(source_);
    // A function with calls is certified with what it calls put in. What a callee assumes is no user's assume.
    linked_ = has_calls(source_);
    if (linked_) source_ = link(module, name).func;
    if (before_file_ == "source.py") before_lowering_ = source_;
    if (json_.at("steps").empty()) last = source_;
    final_ = program("final.py");
    if (!same_program(last, final_)) throw Bad("final.py", "is not the program of the last step");
  }

  static std::string print_shape(const Buffer& buffer) {
    std::string out;
    for (const Expr& e : buffer->shape) out += print(e) + ",";
    return out;
  }
  /// Is the change of the parameter's layout listed with the step?
  static bool says_so(const Json& step, size_t param) {
    for (const Json& change : step.at("interface")) {
      if (change.at("parameter") == param) return true;
    }
    return false;
  }

  void obligations(const Json& list, const std::string& of) {
    for (const Json& o : list) {
      ++obligations_;
      const std::string where = "certificate.json: " + of;
      if (o.at("verdict") != "proved")
        throw Bad(where, "an obligation is not proved: " + o.at("why").get<std::string>());
      const std::string name = o.at("smtlib"), &formula = text(name);
      // The name is the digest of the formula; the lines in front of it are for people.
      const size_t first = formula.find('\n'), second = formula.find('\n', first + 1);
      if (second == formula.npos || formula.front() != ';') throw Bad(name, "has no head");
      const std::string body = formula.substr(second + 1);
      if (name != "obligations/" + sha256(body).substr(0, 16) + ".smt2") throw Bad(name, "is not named by its digest");
      formulas_[name] = body;
      if (std::string why = not_plain(body); !why.empty()) throw Bad(name, "holds " + why);
      // That an assume can hold is shown by a model, and not by a formula that has none.
      (of.ends_with("_check") && is_assume(o, of == "final_check") ? of_assumes_ : of_others_).insert(name);
    }
  }
  /// Does the obligation say that an assume can hold, and does that assume stand in the program that was checked?
  bool is_assume(const Json& obligation, bool of_final) const {
    if (obligation.at("rule") != "check-assume") return false;
    bool found = false;
    visit_stmt(of_final ? before_lowering_.body : source_.body, [&](const Stmt& s) {
      found |= s.as<Assume>() && one_line(s) == obligation.at("statement");
      return true;
    });
    return found;
  }

  /// What bounds need, of the first program, of the last one that was not lowered, and of what was compiled: that the
  /// steps in between are nothing but lowering is the certificate's word.
  void derive() {
    std::set<std::string> seen;
    auto add = [&](const PrimFunc& func, const std::string& file, const Premises* premises) {
      for (Need& need : needs(func, file, premises)) {
        if (seen.insert(need.script).second) needs_.push_back(std::move(need));
      }
    };
    add(source_, "source.py", linked_ ? &given_ : nullptr);
    if (json_.at("steps").empty()) return;
    add(before_lowering_, before_file_, &given_);
    add(final_, "final.py", &given_);
  }

  int solve() {
    std::vector<std::string> scripts, names;
    size_t assumes = 0;
    for (const auto& [name, script] : formulas_) {
      if (!of_others_.count(name) && of_assumes_.count(name) && ++assumes) continue;
      scripts.push_back(script), names.push_back(name);
    }
    for (const Need& need : needs_) {
      scripts.push_back(need.script);
      names.push_back(need.place + ": " + need.claim);
    }
    const std::vector<std::string> answers = ask(request_.solver, scripts, request_.seconds);
    std::map<std::string, size_t> said;
    for (size_t k = 0; k < answers.size(); ++k) {
      if (answers[k] == "none") {
        std::fprintf(stderr, "error: cannot start '%s'\n", request_.solver.c_str());
        return kBadInput;
      }
      if (answers[k] != "unsat") std::printf("  %s: %s\n", names[k].c_str(), answers[k].c_str());
      ++said[answers[k]];
    }
    std::printf("%s:", request_.solver.c_str());
    for (const auto& [answer, count] : said) std::printf(" %zu %s", count, answer.c_str());
    std::printf("\n");
    // A model of a formula that leaves something open is no model of the obligation; but it is not shown here, either.
    if (assumes > 0) std::printf("%zu assumes: that they can hold is not asked\n", assumes);
    return said["unsat"] == scripts.size() ? kAccepted : kOpen;
  }

  Request request_;
  std::map<std::string, std::string> files_, formulas_;
  std::set<std::string> of_assumes_, of_others_;  // names of formulas, by what they are asked for
  std::vector<Need> needs_;
  Premises given_;  // what the user assumes in the function that was certified
  bool linked_ = false;
  Json json_;
  PrimFunc source_, before_lowering_, final_;
  std::string before_file_;
  size_t obligations_ = 0;
};

int check(int argc, char** argv) {
  Request request;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word == "--solver" && k + 1 < argc) {
      request.solver = argv[++k];
    } else if (word == "--seconds" && k + 1 < argc) {
      request.seconds = std::max(1, std::atoi(argv[++k]));
    } else if (request.folder.empty() && !word.starts_with("-")) {
      request.folder = word;
    } else {
      request.folder.clear();
      break;
    }
  }
  if (request.folder.empty()) {
    std::fprintf(stderr, "usage: hexproof-check DIR [--solver \"cvc5 --lang=smt2\"] [--seconds 20]\n");
    return kUsage;
  }
  std::error_code error;
  if (!fs::is_directory(request.folder, error)) {
    std::fprintf(stderr, "error: '%s' is no folder\n", request.folder.c_str());
    return kBadInput;
  }
  try {
    int code = Checker(request).run();
    const char* accepted = request.solver.empty() ? "accepted, as far as files go" : "accepted";
    std::printf("%s\n", code == kAccepted ? accepted : code == kOpen ? "open: not every formula was shown" : "error");
    return code;
  } catch (const Bad& e) {
    std::fprintf(stderr, "rejected: %s/%s\n", request.folder.c_str(), e.what());
  } catch (const std::exception& e) {  // JSON of another shape, programs that do not read
    std::fprintf(stderr, "rejected: %s/certificate.json: %s\n", request.folder.c_str(), e.what());
  }
  return kRejected;
}

}  // namespace
}  // namespace hexproof::checker

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  return hexproof::checker::check(argc, argv);
}
