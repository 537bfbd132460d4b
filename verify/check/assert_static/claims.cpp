// What is said of each statement of a program.
#include "verify/check/assert_static/assert_static.h"

namespace hexproof {

StaticClaims static_claims(const PrimFunc& func) {
  StaticClaims out{.func = func, .places = {}};
  Content content(func);
  walk_with_facts(func, [&](const Stmt& stmt, const Path& path, const Facts& facts) {
    StaticPlace place{
        .facts = facts, .footprint = footprint(stmt, facts, true), .cells = content.at(path), .proved = {}};
    out.places.emplace(path, std::move(place));
    return true;
  });
  return out;
}

namespace {

using Location = std::pair<std::string, std::pair<int, int>>;

Location location_of(const Place& place) { return {place.statement, {place.span.line, place.span.column}}; }

}  // namespace

void add_proved(StaticClaims* claims, const std::vector<std::pair<Obligation, Answer>>& answered) {
  // A place tells of a statement by its text; where several read alike, nobody knows which one it is.
  std::map<Location, std::vector<StaticPlace*>> by_location;
  for (auto& [path, place] : claims->places) {
    by_location[location_of(place_of(claims->func, stmt_at(claims->func, path)))].push_back(&place);
  }
  for (const auto& [obligation, answer] : answered) {
    if (answer.verdict != Verdict::Proved) continue;
    auto it = by_location.find(location_of(obligation.where));
    if (it != by_location.end() && it->second.size() == 1) it->second[0]->proved.push_back(obligation);
  }
}

void add_proved(StaticClaims* claims, const CheckReport& report) {
  std::vector<std::pair<Obligation, Answer>> answered;
  for (const CheckedObligation& o : report.obligations) {
    if (!asks_for_values(o.obligation)) answered.emplace_back(o.obligation, o.answer);
  }
  add_proved(claims, answered);
  claims->block_claims |= report.finding == Finding::Proved;
}

}  // namespace hexproof
