#include "rewrite/module/derivation.h"

#include <algorithm>

#include "ir/base/mutant.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/kernel/readback.h"
#include "rewrite/layout/interface.h"

namespace hexproof {
namespace {

/// Of a function that others call: what its callers know is not given.
constexpr const char* kAlone = " under its own contract, whoever calls it";

[[noreturn]] void refuse(const std::string& why, const std::string& entry, const Span& at, Verdict verdict,
                         const std::string& reason) {
  Answer answer;
  answer.verdict = verdict;
  answer.reason = reason;
  throw Refused({"link", why, {entry, "", at}, {}, boolean(false)}, answer);
}

/// Throws Refused for what keeps the linked function from being free of errors.
void demand_checked(const CheckReport& report, const std::string& entry, const Span& at,
                    const std::string& contract = "") {
  if (report.finding == Finding::Proved) return;
  Verdict verdict = report.finding == Finding::Refuted ? Verdict::Refuted : Verdict::Unknown;
  std::string reason = report.counterexample.empty() ? report.reason : report.counterexample;
  for (const CheckedObligation& o : report.obligations) {
    if (o.answer.verdict == Verdict::Proved || o.obligation.kind != ObligationKind::CalleeAssume) continue;
    refuse(o.obligation.why, entry, at, verdict, reason);
  }
  refuse("'" + entry + "', with what it calls, is free of errors" + contract, entry, at, verdict, reason);
}

LinkedProof prove(const IRModule& before, const IRModule& after, const std::string& entry,
                  const std::vector<InterfaceChange>& interface, Prover& prover, const Span& span) {
  Linked was = link(before, entry, prover), is = link(after, entry, prover);
  LinkedProof out{entry, check(is, prover), "same program"};
  demand_checked(out.check, entry, span);
  if (interface.empty() && same_program(was.func, is.func)) return out;
  EquivReport report = equiv(pair_programs(as_program(was), as_program(is), relation_request(interface)), prover);
  if (report.finding != Finding::Proved) {
    std::string reason = report.counterexample ? report.counterexample->table : report.reason;
    refuse("'" + entry + "', with what it calls, computes what it did before", entry, span,
           report.finding == Finding::Refuted ? Verdict::Refuted : Verdict::Unknown, reason);
  }
  out.method = report.method;
  return out;
}

/// Every function that may be entered and calls something in one of the modules.
std::vector<LinkedProof> prove_entries(const IRModule& before, const IRModule& after,
                                       const std::map<std::string, std::vector<InterfaceChange>>& interface,
                                       Prover& prover, const Span& span) {
  std::vector<LinkedProof> out;
  for (const std::string& entry : entries(after)) {
    const PrimFunc *was = find_function(before, entry), *is = find_function(after, entry);
    if (!was || (!has_calls(*was) && !has_calls(*is))) continue;
    auto it = interface.find(entry);
    out.push_back(
        prove(before, after, entry, it == interface.end() ? std::vector<InterfaceChange>{} : it->second, prover, span));
  }
  return out;
}

}  // namespace

ModuleDerivation::ModuleDerivation(IRModule source) : source_(std::move(source)) {
  for (const PrimFunc& func : source_.functions) {
    order_.push_back(func.name);
    chains_[func.name].push_back({{}, Derivation(func)});
  }
}

IRModule ModuleDerivation::current() const {
  IRModule out{source_.name, {}};
  for (const std::string& name : order_) out.functions.push_back(function(name).current());
  return out;
}

Derivation& ModuleDerivation::function(const std::string& name) {
  auto it = chains_.find(name);
  if (it == chains_.end()) throw Error("the module has no function '" + name + "'");
  return it->second.back().derivation;
}

const Derivation& ModuleDerivation::function(const std::string& name) const {
  return const_cast<ModuleDerivation*>(this)->function(name);
}

std::vector<InterfaceChange> ModuleDerivation::interface(const std::string& name) const {
  std::map<size_t, InterfaceChange> composed;
  auto add = [&](const InterfaceChange& change) {
    auto [it, first] = composed.emplace(change.param, change);
    if (first) return;
    it->second.layers.insert(it->second.layers.end(), change.layers.begin(), change.layers.end());
    it->second.written = it->second.written || change.written;
  };
  for (const FunctionChain& chain : chains_.at(name)) {
    for (const InterfaceChange& change : chain.interface) add(change);
    for (const InterfaceChange& change : chain.derivation.interface()) add(change);
  }
  std::vector<InterfaceChange> out;
  for (auto& [param, change] : composed) out.push_back(std::move(change));
  return out;
}

size_t ModuleDerivation::step_count(const std::string& name) const {
  function(name);  // Error when there is none
  size_t out = 0;
  for (const FunctionChain& chain : chains_.at(name)) out += chain.derivation.steps().size();
  return out;
}

void ModuleDerivation::apply(const JointChange& change, Prover& prover, const std::string& primitive,
                             const Span& span) {
  IRModule before = current(), after = before;
  JointStep step{.primitive = primitive, .span = span, .around_calls = change.around_calls, .call = change.call};
  if (!change.function.empty()) step.of = function(change.function).current();
  for (const std::string& name : order_) step.steps_before[name] = step_count(name);
  auto put = [&](const PrimFunc& func) {
    step.functions.push_back(func.name);
    for (PrimFunc& old : after.functions) {
      if (old.name == func.name) return void(old = func);
    }
    after.functions.push_back(func);
  };
  std::map<std::string, std::vector<InterfaceChange>> interface = change.interface;
  for (const auto& [name, derivation] : change.extended) {
    put(derivation.current());
    size_t known = function(name).steps().size();
    for (size_t k = known; k < derivation.steps().size(); ++k) {
      for (const InterfaceChange& one : derivation.steps()[k].interface_changes) interface[name].push_back(one);
    }
  }
  for (const PrimFunc& func : change.replaced) {
    put(func);
    std::string broken = ill_formed(func);
    HEXPROOF_CHECK(broken.empty(), "a joint step made an ill-formed function: " + broken);
  }
  resolve_calls(&after);
  demand_reads_back(primitive, after);
  step.proofs = prove_entries(before, after, interface, prover, span);
  for (const auto& [name, derivation] : change.extended) chains_.at(name).back().derivation = derivation;
  for (const PrimFunc& func : change.replaced) {
    if (std::find(order_.begin(), order_.end(), func.name) == order_.end()) order_.push_back(func.name);
    auto it = change.interface.find(func.name);
    chains_[func.name].push_back(
        {it == change.interface.end() ? std::vector<InterfaceChange>{} : it->second, Derivation(func)});
  }
  joint_.push_back(std::move(step));
}

void ModuleDerivation::demand_each_free_of_errors(Prover& prover) const {
  const IRModule now = current();
  const std::vector<std::string> first = entries(now);
  for (const std::string& name : order_) {
    const std::deque<FunctionChain>& chains = chains_.at(name);
    const bool given = find_function(source_, name) != nullptr;
    // Steps are proved for a function without errors; the program that was given was checked before all.
    for (size_t k = given ? 1 : 0; k < chains.size(); ++k) {
      const Derivation& steps = chains[k].derivation;
      if (!steps.steps().empty()) demand_checked(check(steps.source(), prover), name, steps.source().span, kAlone);
    }
    const bool calls = has_calls(*find_function(now, name));
    if (given && calls && std::find(first.begin(), first.end(), name) != first.end()) continue;  // prove_entries
    if (given && !calls && chains.size() == 1) continue;  // refines what it was by steps of its own
    demand_checked(check(link(now, name, prover), prover), name, chains.back().derivation.source().span, kAlone);
  }
}

std::vector<LinkedProof> ModuleDerivation::prove_linked(Prover& prover) const {
  std::map<std::string, std::vector<InterfaceChange>> all;
  for (const std::string& name : order_) all.emplace(name, interface(name));
  std::vector<LinkedProof> out = prove_entries(source_, current(), all, prover, {});
  if (HEXPROOF_MUTANT("module/functions-of-joint-steps-in-error", true, false)) demand_each_free_of_errors(prover);
  return out;
}

}  // namespace hexproof
