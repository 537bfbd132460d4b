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

/// A folder of that name with the programs and the schedule, and nothing else.
std::string fresh(const std::string& folder) {
  std::string at = testing::TempDir() + "/" + std::to_string(::getpid()) + "-" + folder;
  fs::remove_all(at);
  fs::create_directories(at);
  write_file(at + "/p.py", kProgram);
  write_file(at + "/q.py", std::string(kProgram).replace(std::string(kProgram).find("* 2"), 3, "* 3"));
  write_file(at + "/s.py",
             "b = sch.get_block(\"copy\")\n"
             "sch.transform_layout(b, (\"write\", 0), lambda i: [i // 4, i % 4], pad_value=0)\n"
             "i, = sch.get_loops(b)\nsch.split(i, factors=[None, 4])\n");
  return at;
}

/// What a command, run in a folder of its own, writes to `report`.
std::string written(const std::string& arguments, const std::string& folder) {
  const std::string at = fresh(folder);
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

// Every file of a certificate, with a run of the object or without one; its page; and what is said when it is judged.
TEST(Determinism, CertificatesAreTheSameBytes) {
  const std::string conv2d = HEXPROOF_SOURCE_DIR "/examples/conv2d_conv2d/";
  const std::string lines[] = {
      "certify '" + conv2d + "conv2d_conv2d.py' '" + conv2d + "schedule_k1_h1.py' --target hexagon --no-run",
      "certify p.py s.py --target host", "certify p.py s.py --target hexagon"};
  for (const std::string& line : lines) {
    SCOPED_TRACE(line);
    std::map<std::string, std::string> made[2];
    for (const int jobs : {1, 8}) {
      const std::string at = fresh("jobs-" + std::to_string(jobs)), options = " --jobs " + std::to_string(jobs);
      auto run = [&](const std::string& command) {
        const CommandResult r = hexproof_command(command + options, "cd '" + at + "' &&");
        EXPECT_EQ(r.code, 0) << r.text;
      };
      run(line + " --cache off -o out");
      run("report out -o page.html");
      EXPECT_LT(fs::file_size(at + "/page.html"), 5'000'000u);
      if (&line != &lines[0]) run("audit out --json audit.json --sarif audit.sarif --junit audit.xml");
      made[jobs == 8] = contents_of(at);
      fs::remove_all(at);
    }
    EXPECT_EQ(made[0].count("out/SHA256SUMS"), 1u);
    EXPECT_EQ(made[0].count("out/summary.txt"), 1u);
    EXPECT_EQ(made[0], made[1]);
  }
}

}  // namespace determinism_test
}  // namespace hexproof
