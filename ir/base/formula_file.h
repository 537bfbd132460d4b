// Formulas as files, by their digests.
#pragma once
#include <map>
#include <optional>
#include <string>

namespace hexproof {

/// "obligations/<start of the digest>.smt2"
std::string formula_file(const std::string& digest);

/// Formulas by their names, which hold the start of a digest alone.
class FormulaNames {
 public:
  /// The name of the formula with this digest; nothing where it has been added before. Error where it is the name of
  /// another one.
  std::optional<std::string> add(const std::string& digest);

 private:
  std::map<std::string, std::string> digests_;
};

}  // namespace hexproof
