// docs/rfc77.md and docs/rfc77-errata.md, from the pairs and what their schedules did.
#pragma once
#include "tests/rfc77/pair_file.h"
#include "tests/rfc77/run_pair.h"

namespace hexproof::rfc77 {

struct Row {
  PairFile pair;
  std::string verdict;
  size_t obligations = 0;
  double milliseconds = 0;
};

/// "proved", "proved, under nsz", "refused", "unchanged"; or what came instead, in capitals.
std::string verdict_of(const PairFile& pair, const Ran& ran);

/// `documented`: the page as it is. A time in it stays as long as it is of the same magnitude, so that the page changes
/// only when something else does.
std::string table_of(const std::vector<Row>& rows, const std::string& documented = "");
/// By the line of the listing.
std::string errata_of(const std::vector<PairFile>& pairs);
/// The table without its last column, which no two runs have in common.
std::string without_times(const std::string& table);

}  // namespace hexproof::rfc77
