// hexproof-check DIR [--solver COMMAND] [--seconds N]: a certificate looked at by a small program that has no rule and
// no solver in it. It reads the programs, follows the chain of files and digests, holds every obligation against its
// formula, and asks a solver of the user's choice for each one. docs/audit.md says what that shows and what it does
// not.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "ir/base/digest.h"
#include "ir/base/file.h"
#include "ir/link.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "tools/checker/accesses.h"
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
    // A function with calls is certified with what it calls put in: its own text is not what was asked of.
    if (!has_calls(source_)) bounds("source_check", source_);
    bounds("final_check", before_lowering_);
    std::printf("%zu files, %zu steps, %zu obligations with %zu formulas: digests, chain and formulas fit\n",
                files_.size(), number, obligations_, formulas_.size());
    return request_.solver.empty() ? kAccepted : solve();
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
    PrimFunc last = source_;
    before_lowering_ = source_;
    for (const Json& step : json_.at("steps")) {
      const std::string file = step.at("program");
      PrimFunc next = program(file);
      if (next.params.size() != last.params.size()) throw Bad(file, "has other parameters than the step before");
      for (size_t k = 0; k < next.params.size(); ++k) {
        const Buffer &a = last.params[k].buffer, &b = next.params[k].buffer;
        bool changed = static_cast<bool>(a) != static_cast<bool>(b);
        if (a && b) changed = !(a->dtype == b->dtype) || (print_shape(a) != print_shape(b) && !says_so(step, k));
        if (changed) throw Bad(file, "changes parameter " + std::to_string(k) + ", and the step does not say so");
      }
      last = std::move(next);
      if (!last.attrs.count("hexproof.lowered")) before_lowering_ = last;
    }
    // Without steps it is the source, whose calls are put in.
    if (json_.at("steps").empty()) last = has_calls(last) ? link(module, name).func : last;
    if (!same_program(last, program("final.py"))) throw Bad("final.py", "is not the program of the last step");
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
      // That an assume can hold is shown by a model, and not by a formula that has none.
      if (o.at("rule") == "check-assume") wants_model_.insert(name);
    }
  }

  /// Every statement that touches a buffer with axes has an obligation on bounds that names it.
  void bounds(const char* check, const PrimFunc& func) {
    std::set<std::string> asked;
    for (const Json& o : json_.at(check).at("obligations")) {
      if (o.at("rule") == "check-bounds") asked.insert(without_numbers(o.at("statement")));
    }
    for (const auto& [statement, count] : statements_with_accesses(func)) {
      if (!asked.count(statement)) {
        throw Bad("certificate.json", std::string(check) + " asks no bounds of: " + statement);
      }
    }
  }

  int solve() {
    std::map<std::string, size_t> said;
    size_t asked = 0;
    for (const auto& [name, script] : formulas_) {
      if (wants_model_.count(name)) continue;
      ++asked;
      const std::string answer = ask(request_.solver, script, request_.seconds);
      ++said[answer];
      if (answer == "none") {
        std::fprintf(stderr, "error: cannot start '%s'\n", request_.solver.c_str());
        return kBadInput;
      }
      if (answer != "unsat") std::printf("  %s: %s\n", name.c_str(), answer.c_str());
    }
    std::printf("%s:", request_.solver.c_str());
    for (const auto& [answer, count] : said) std::printf(" %zu %s", count, answer.c_str());
    std::printf("\n");
    // A model of a formula that leaves something open is no model of the obligation; but it is not shown here, either.
    if (!wants_model_.empty()) std::printf("%zu assumes: that they can hold is not asked\n", wants_model_.size());
    return said["unsat"] == asked ? kAccepted : kOpen;
  }

  Request request_;
  std::map<std::string, std::string> files_, formulas_;
  std::set<std::string> wants_model_;
  Json json_;
  PrimFunc source_, before_lowering_;
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
    std::printf("%s\n", code == kAccepted ? "accepted" : code == kOpen ? "open: not every formula was shown" : "error");
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
