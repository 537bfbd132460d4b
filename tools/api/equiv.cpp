#include "hexproof/equiv.h"

#include <algorithm>
#include <exception>

#include "backend/field/evaluator.h"
#include "ir/interpreter/inputs/random_inputs.h"
#include "rewrite/schedule/reader.h"
#include "tools/api/detail.h"
#include "verify/prove/effort.h"

namespace hexproof::api {
namespace {

/// "A=..." in two parts.
std::pair<std::string, std::string> named(const std::string& option, const std::string& text) {
  size_t sign = text.find('=');
  if (sign == 0 || sign == std::string::npos || sign + 1 == text.size()) {
    throw Error(option + " wants a buffer, '=' and what belongs to it, not '" + text + "'");
  }
  return {text.substr(0, sign), text.substr(sign + 1)};
}

RelationRequest relation(const EquivOptions& o) {
  RelationRequest out;
  auto once = [](bool first, const std::string& option, const std::string& buffer) {
    if (!first) throw Error(option + " is given twice for the buffer '" + buffer + "'");
  };
  for (const std::string& text : o.layouts) {
    auto [buffer, map] = named("--layout", text);
    IndexMap read = read_index_map(std::make_shared<SourceFile>(SourceFile{"--layout " + buffer, map}));
    once(out.layouts.emplace(buffer, std::move(read)).second, "--layout", buffer);
  }
  for (const std::string& text : o.pads) {
    const auto pad = named("--pad", text);
    once(out.pads.insert(pad).second, "--pad", pad.first);
  }
  out.logical_only = o.logical_only;
  return out;
}

/// The functions of a file that may be compared. In a module with calls these are the ones that no other calls, unless
/// the user names one: what is inside is free to change.
std::vector<PrimFunc> comparable(const EquivOptions& o, const Program& program, Prover& prover) {
  std::vector<PrimFunc> out;
  const IRModule& module = program.module();
  std::vector<std::string> names = entries(module);
  for (const PrimFunc& func : module.functions) {
    bool chosen = o.function.empty() ? std::count(names.begin(), names.end(), func.name) > 0 : func.name == o.function;
    if (chosen) out.push_back(as_program(linked(module, func.name, prover)));
  }
  return out;
}

/// The pairs to compare: the only function of each file, or functions of one name.
std::vector<std::pair<PrimFunc, PrimFunc>> function_pairs(const EquivOptions& o, const Program& before,
                                                          const Program& after, Prover& prover) {
  std::vector<std::pair<PrimFunc, PrimFunc>> out;
  std::vector<PrimFunc> first = comparable(o, before, prover), second = comparable(o, after, prover);
  if (o.function.empty() && first.size() == 1 && second.size() == 1) {
    out.emplace_back(first[0], second[0]);
    return out;
  }
  auto of_name = [](const std::vector<PrimFunc>& list, const PrimFunc& f) {
    return std::find_if(list.begin(), list.end(), [&](const PrimFunc& g) { return g.name == f.name; });
  };
  auto missing = [&](const PrimFunc& f, const Program& other) {
    throw Error(f.span, "'" + f.name + "' is not in " + other.path() + " as a function that no other calls",
                "name the function that is to be compared: --function NAME");
  };
  for (const PrimFunc& f : first) {
    auto same = of_name(second, f);
    if (same != second.end()) out.emplace_back(f, *same);
    if (same == second.end() && o.function.empty()) missing(f, after);
  }
  for (const PrimFunc& f : second) {
    if (o.function.empty() && of_name(first, f) == first.end()) missing(f, before);
  }
  if (out.empty()) {
    throw Error(o.function.empty() ? "no function has the same name in both files"
                                   : "no function named '" + o.function + "' in both files");
  }
  return out;
}

/// Weaker evidence that the user takes for an answer.
bool accepted(Accept accept, const EquivReport& report) {
  if (report.finding != Finding::Undecided) return false;
  for (const Evidence& e : report.evidence) {
    if (!e.equal_so_far) continue;
    if (e.method == "fingerprint" && accept != Accept::ProofsOnly) return true;
    if (e.method == "tests" && accept == Accept::Tests) return true;
  }
  return false;
}

Method method_of(EquivMethod method) {
  switch (method) {
    case EquivMethod::Auto:
      return Method::Auto;
    case EquivMethod::Parametric:
      return Method::Parametric;
    case EquivMethod::Symbolic:
      return Method::Symbolic;
    case EquivMethod::Fingerprint:
      return Method::Fingerprint;
    case EquivMethod::Tests:
      return Method::Tests;
  }
  internal_error(__FILE__, __LINE__, "no such method");
}

Compared compared(std::shared_ptr<const EquivReport> report, Accept accept) {
  Compared out;
  out.before = report->pair.before.name;
  out.after = report->pair.after.name;
  out.verdict = report->contradicted.empty() ? verdict_of(report->finding) : Verdict::Rejected;
  out.accepted = accepted(accept, *report);
  out.method = report->method;
  out.reason = report->reason;
  if (report->counterexample) out.counterexample = report->counterexample->table;
  for (const Evidence& e : report->evidence) out.evidence.push_back(e.method + ": " + e.says);
  out.detail = std::move(report);
  return out;
}

}  // namespace

std::vector<Compared> equiv(const Program& before, const Program& after, const EquivOptions& o, Session& session) {
  return translated([&] {
    std::unique_ptr<NativeEvaluator> native = make_native_evaluator();
    hexproof::EquivOptions options{
        .method = method_of(o.method), .max_terms = o.max_terms, .native = native.get(), .satisfy = satisfy_assumes};
    RelationRequest request = coded(Code::Option, [&] { return relation(o); });
    std::vector<Compared> out;
    const auto pairs = coded(o.function.empty() ? Code::Programs : Code::Option,
                             [&] { return function_pairs(o, before, after, session.prover()); });
    const bool plain = request.layouts.empty() && request.pads.empty() && request.logical_only.empty();
    auto judged = [&](const PrimFunc& first, const PrimFunc& second) {
      session.begin();
      ProgramPair pair =
          coded(plain ? Code::Programs : Code::Option, [&] { return pair_programs(first, second, request); });
      auto report = std::make_shared<EquivReport>();
      try {
        *report = hexproof::equiv(pair, session.prover(), options);
      } catch (const OutOfTime& e) {
        *report = {};
        report->pair = pair;
        report->finding = Finding::Undecided;
        report->reason = e.what();
      }
      return compared(std::move(report), o.accept);
    };
    std::exception_ptr failed;
    for (const auto& [first, second] : pairs) {
      try {
        out.push_back(judged(first, second));
      } catch (const Error&) {
        if (!failed) failed = std::current_exception();
        continue;
      } catch (const Unsupported&) {
        if (!failed) failed = std::current_exception();
        continue;
      }
      if (o.on_result) o.on_result(out.back());
    }
    if (failed) std::rethrow_exception(failed);
    return out;
  });
}

}  // namespace hexproof::api
