// Which rules were tried in programs with which constructs.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace hexproof {

/// Rows are the constructs of fuzz/constructs/constructs.h, then "classic", "padded" and "seeds" (the programs of
/// fuzz/programs/program.h, fuzz/programs/padded.h and fuzz/seeds/seeds.h); columns are step_names() of
/// fuzz/steps/steps.h.
class Coverage {
 public:
  struct Cell {
    uint64_t tried = 0;    // asked for
    uint64_t fired = 0;    // applied, by name or by a pass
    uint64_t refused = 0;  // it was of the rule's shape, and a need was not proved
    bool reached() const { return fired + refused > 0; }
  };

  Coverage();
  static const std::vector<std::string>& rows();
  static int row(const std::string& name);

  void program(const std::vector<int>& rows, bool erroneous);
  void tried(const std::vector<int>& rows, const std::string& step, uint64_t times = 1);
  void fired(const std::vector<int>& rows, const std::string& step);
  void refused(const std::vector<int>& rows, const std::string& step);

  const Cell& at(size_t row, size_t column) const { return cells_[row][column]; }
  uint64_t programs(size_t row) const { return programs_[row]; }
  uint64_t erroneous(size_t row) const { return erroneous_[row]; }
  /// Row and column.
  using Place = std::pair<int, int>;
  /// Each cell that can be reached (see `unreachable`), and was not.
  std::vector<Place> empty_cells() const;
  /// "scatter x split"
  static std::string name(const Place& place);
  void add(const Coverage& other);

  /// One line per construct and one sign per rule; the numbers of each rule and each construct.
  std::string text() const;
  nlohmann::ordered_json json() const;
  friend bool operator==(const Coverage& a, const Coverage& b) { return a.json() == b.json(); }

 private:
  void add(const std::vector<int>& rows, const std::string& step, uint64_t Cell::*count, uint64_t times);
  std::vector<std::vector<Cell>> cells_;
  std::vector<uint64_t> programs_, erroneous_;
};

/// Constructs around which the rule finds its shape: a program for the rule has one of them.
std::vector<int> habitat(const std::string& step);
/// Why no program with this construct can get the rule to its needs; empty: one can.
std::string unreachable(const std::string& construct, const std::string& step);

}  // namespace hexproof
