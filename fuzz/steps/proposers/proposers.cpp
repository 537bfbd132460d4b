#include "fuzz/steps/proposers/proposers.h"

#include "fuzz/steps/proposers/tables.h"

namespace hexproof {

const std::vector<Proposer>& proposers() {
  static const std::vector<Proposer> list = [] {
    std::vector<Proposer> all;
    for (const auto& table : {loop_proposers(), block_proposers(), buffer_proposers(), statement_proposers()}) {
      all.insert(all.end(), table.begin(), table.end());
    }
    return all;
  }();
  return list;
}

}  // namespace hexproof
