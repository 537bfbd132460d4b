// A folder of formulas that `obligations` wrote, and how tests answer and merge them.
#pragma once
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace shards_test {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class Shards : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "/" + std::to_string(::getpid()) + "-shards";
    fs::remove_all(folder_);
    program_ = temporary("shards.py",
                         "def main(A: T.Buffer((14,), \"int32\"), B: T.Buffer((14,), \"int32\")):\n"
                         "    for i in range(14):\n"
                         "        with T.block(\"copy\"):\n"
                         "            vi = T.axis.spatial(14, i)\n"
                         "            B[vi] = A[vi] * 2\n");
    schedule_ = temporary("shards.sch.py",
                          "b = sch.get_block(\"copy\")\ni, = sch.get_loops(b)\nsch.split(i, factors=[None, 4])\n");
    CommandResult r = hexproof_command("obligations " + program_ + " " + schedule_ + " --out " + folder_);
    ASSERT_EQ(r.code, 0) << r.text;
  }
  void TearDown() override { fs::remove_all(folder_); }
  size_t answers() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_ + "/answers"), fs::directory_iterator()));
  }
  size_t formulas() const { return Json::parse(read_file(folder_ + "/index.json"))["formulas"].size(); }
  CommandResult discharge(const std::string& shard) {
    return hexproof_command("discharge --shard " + shard + " " + folder_);
  }
  CommandResult merge() { return hexproof_command("merge " + folder_); }

  std::string folder_, program_, schedule_;
};

}  // namespace shards_test
}  // namespace hexproof
