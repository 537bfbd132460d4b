#include "fuzz/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fuzz/constructs/constructs.h"
#include "fuzz/steps/steps.h"

namespace hexproof {
namespace {

int column_of(const std::string& step) {
  static const std::map<std::string, int> columns = [] {
    std::map<std::string, int> out;
    for (size_t k = 0; k < step_names().size(); ++k) out.emplace(step_names()[k], static_cast<int>(k));
    return out;
  }();
  auto it = columns.find(step);
  return it == columns.end() ? -1 : it->second;
}

/// . never of its shape, - always refused, + always applied, * both
char sign(const Coverage::Cell& cell) {
  if (cell.fired > 0) return cell.refused > 0 ? '*' : '+';
  return cell.refused > 0 ? '-' : '.';
}

}  // namespace

const std::vector<std::string>& Coverage::rows() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const Construct& c : all_constructs()) out.emplace_back(c.name);
    out.emplace_back("classic");
    out.emplace_back("padded");
    out.emplace_back("seeds");
    return out;
  }();
  return names;
}

int Coverage::row(const std::string& name) {
  auto it = std::find(rows().begin(), rows().end(), name);
  return it == rows().end() ? -1 : static_cast<int>(it - rows().begin());
}

Coverage::Coverage()
    : cells_(rows().size(), std::vector<Cell>(step_names().size())),
      programs_(rows().size()),
      erroneous_(rows().size()) {}

void Coverage::program(const std::vector<int>& rows, bool erroneous) {
  for (int r : rows) ++programs_[static_cast<size_t>(r)], erroneous_[static_cast<size_t>(r)] += erroneous;
}

void Coverage::add(const std::vector<int>& rows, const std::string& step, uint64_t Cell::*count, uint64_t times) {
  int column = column_of(step);
  if (column < 0) return;
  for (int r : rows) cells_[static_cast<size_t>(r)][static_cast<size_t>(column)].*count += times;
}
void Coverage::tried(const std::vector<int>& rows, const std::string& step, uint64_t times) {
  add(rows, step, &Cell::tried, times);
}
void Coverage::fired(const std::vector<int>& rows, const std::string& step) { add(rows, step, &Cell::fired, 1); }
void Coverage::refused(const std::vector<int>& rows, const std::string& step) { add(rows, step, &Cell::refused, 1); }

std::string Coverage::name(const Place& place) {
  return rows()[static_cast<size_t>(place.first)] + " x " + step_names()[static_cast<size_t>(place.second)];
}

void Coverage::add(const Coverage& other) {
  for (size_t r = 0; r < cells_.size(); ++r) {
    programs_[r] += other.programs_[r], erroneous_[r] += other.erroneous_[r];
    for (size_t c = 0; c < cells_[r].size(); ++c) {
      cells_[r][c].tried += other.cells_[r][c].tried;
      cells_[r][c].fired += other.cells_[r][c].fired;
      cells_[r][c].refused += other.cells_[r][c].refused;
    }
  }
}

std::vector<Coverage::Place> Coverage::empty_cells() const {
  std::vector<Place> out;
  for (size_t r = 0; r < rows().size(); ++r) {
    for (size_t c = 0; c < step_names().size(); ++c) {
      if (cells_[r][c].reached() || !unreachable(rows()[r], step_names()[c]).empty()) continue;
      out.emplace_back(static_cast<int>(r), static_cast<int>(c));
    }
  }
  return out;
}

std::string Coverage::text() const {
  const std::vector<std::string>& steps = step_names();
  std::string out = "rules (tried, fired, refused):\n";
  for (size_t c = 0; c < steps.size(); ++c) {
    Cell sum;
    for (const std::vector<Cell>& line : cells_) {
      sum.tried += line[c].tried, sum.fired += line[c].fired, sum.refused += line[c].refused;
    }
    out += fmt::format("  {:2} {:34} {:9} {:9} {:9}\n", c, steps[c], sum.tried, sum.fired, sum.refused);
  }
  out += "constructs x rules (. never of its shape, - refused, + fired, * both):\n";
  std::string tens(50, ' '), ones(50, ' ');
  for (size_t c = 0; c < steps.size(); ++c) {
    tens += c % 10 == 0 ? std::to_string(c / 10) : " ";
    ones += std::to_string(c % 10);
  }
  out +=
      tens + "\n  " + fmt::format("{:28}{:>9} {:>9} ", "construct", "programs", "erroneous") + ones.substr(50) + "\n";
  for (size_t r = 0; r < rows().size(); ++r) {
    out += fmt::format("  {:28}{:9} {:9} ", rows()[r], programs_[r], erroneous_[r]);
    for (const Cell& cell : cells_[r]) out += sign(cell);
    out += "\n";
  }
  return out;
}

nlohmann::ordered_json Coverage::json() const {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (size_t r = 0; r < rows().size(); ++r) {
    nlohmann::ordered_json& line = out[rows()[r]];
    line["programs"] = programs_[r];
    line["erroneous"] = erroneous_[r];
    for (size_t c = 0; c < step_names().size(); ++c) {
      const Cell& cell = cells_[r][c];
      line["rules"][step_names()[c]] = {cell.tried, cell.fired, cell.refused};
    }
  }
  return out;
}

}  // namespace hexproof
