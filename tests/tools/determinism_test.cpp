// The same input gives the same bytes: with any number of threads, on every run, from any folder.
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace determinism_test {

namespace fs = std::filesystem;

const char* kProgram =
    "def main(A: T.Buffer((14,), \"int32\"), B: T.Buffer((14,), \"int32\")):\n"
    "    for i in range(14):\n"
    "        with T.block(\"copy\"):\n"
    "            vi = T.axis.spatial(14, i)\n"
    "            B[vi] = A[vi] * 2\n";

/// What a command, run in a folder of its own, writes to `report`.
std::string written(const std::string& arguments, const std::string& folder) {
  const std::string at = testing::TempDir() + "/" + std::to_string(::getpid()) + "-" + folder;
  fs::remove_all(at);
  fs::create_directories(at);
  write_file(at + "/p.py", kProgram);
  write_file(at + "/q.py", std::string(kProgram).replace(std::string(kProgram).find("* 2"), 3, "* 3"));
  write_file(at + "/s.py",
             "b = sch.get_block(\"copy\")\n"
             "sch.transform_layout(b, (\"write\", 0), lambda i: [i // 4, i % 4], pad_value=0)\n"
             "i, = sch.get_loops(b)\nsch.split(i, factors=[None, 4])\n");
  hexproof_command(arguments, "cd '" + at + "' &&");
  std::string out = fs::exists(at + "/report") ? read_file(at + "/report") : "";
  if (fs::exists(at + "/out/certificate.json")) out += read_file(at + "/out/certificate.json");
  fs::remove_all(at);
  return out;
}

TEST(Determinism, ReportsAreTheSameBytes) {
  for (const std::string command :
       {"check p.py", "equiv p.py q.py", "apply p.py s.py -o o.py", "apply p.py s.py --certificate out -o o.py",
        "certify p.py s.py --target host --no-run -o out", "touched p.py --buffer A"}) {
    for (const std::string format : {" --json report", " --sarif report", " --junit report"}) {
      const std::string one = written(command + format + " --cache off --jobs 1", "one");
      EXPECT_FALSE(one.empty()) << command;
      EXPECT_EQ(one, written(command + format + " --cache off --jobs 8", "two")) << command << format;
      if (format != " --json report") continue;
      EXPECT_EQ(one, written(command + format + " --cache proofs --jobs 8", "two")) << command << format;
    }
  }
}

}  // namespace determinism_test
}  // namespace hexproof
