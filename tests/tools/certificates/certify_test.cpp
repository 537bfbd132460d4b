// The certificate folder of a small kernel, looked at as a stranger would.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ir/base/digest.h"
#include "tests/tools/command_line.h"

namespace hexproof {
namespace certify_test {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const char* kProgram =
    "@T.prim_func\n"
    "def matmul(A: T.Buffer((16, 8), \"float32\"), B: T.Buffer((8, 16), \"float32\"), C: T.Buffer((16, 16), "
    "\"float32\")):\n"
    "    for i, j, k in T.grid(16, 16, 8):\n"
    "        with T.block(\"C\"):\n"
    "            vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
    "            with T.init():\n"
    "                C[vi, vj] = T.float32(0)\n"
    "            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n";
const char* kSchedule =
    "c = sch.get_block(\"C\")\n"
    "sch.transform_layout(c, (\"write\", 0), lambda i, j: [i // 4, j // 8, i % 4, j % 8])\n"
    "i, j, k = sch.get_loops(c)\n"
    "io, ii = sch.split(i, factors=[None, 4])\n"
    "jo, ji = sch.split(j, factors=[None, 8])\n"
    "sch.reorder(io, jo, k, ii, ji)\n";

std::string certified(const std::string& name, const std::string& options) {
  std::string folder = testing::TempDir() + "/" + std::to_string(::getpid()) + "-" + name;
  CommandResult r = hexproof_command("certify " + temporary("matmul.py", kProgram) + " " +
                                     temporary("matmul-schedule.py", kSchedule) + " -o " + folder + " " + options);
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_NE(r.text.find("proved: matmul"), std::string::npos) << r.text;
  return folder;
}

/// A fused multiply-add rounds once, so that random floats show nothing; on small whole numbers it is exact.
TEST(Certify, ARunUnderGrantedFlagsIsOnNumbersOfWhichAllIsExact) {
  const Json json = Json::parse(read_file(certified("contract", "--target host --fp contract") + "/certificate.json"));
  EXPECT_EQ(json["kernel"]["run"]["bit_equal"], true);
  EXPECT_EQ(json["kernel"]["run"]["results"].back(), "C: 256 of 256 elements bit-equal to the interpreter's");
}

TEST(Certify, HostAndHexagonAreBitEqualToTheInterpreter) {
  for (const char* target : {"host", "hexagon"}) {
    std::string folder = certified(target, std::string("--target ") + target);
    std::string summary = read_file(folder + "/summary.txt");
    EXPECT_NE(summary.find("C: 256 of 256 elements bit-equal"), std::string::npos) << summary;
    Json json = Json::parse(read_file(folder + "/certificate.json"));
    EXPECT_EQ(json["verdict"], "proved");
    EXPECT_EQ(json["kernel"]["run"]["bit_equal"], true);
    EXPECT_GT(json["steps"].size(), 3u);
    EXPECT_EQ(json["interface"].size(), 1u);
    for (const auto& [name, digest] : json["files"].items())
      EXPECT_EQ(sha256(read_file(folder + "/" + name)), digest) << name;
    for (const char* part : {"object", "llvm_ir"}) {
      const Json& file = json["kernel"][part];
      EXPECT_EQ(sha256(read_file(folder + "/" + file["file"].get<std::string>())), file["sha256"]);
    }
  }
}

/// A kernel for the host names its processor; "native" is a name of what this machine has, and an audit needs no
/// machine of that kind.
TEST(Certify, NamesTheProcessor) {
  auto cpu_of = [](const std::string& folder) {
    Json json = Json::parse(read_file(folder + "/certificate.json"));
    EXPECT_EQ(json["made"]["cpu"], json["kernel"]["cpu"]);
    const std::string cpu = json["kernel"]["cpu"].get<std::string>();
    EXPECT_NE(read_file(folder + "/summary.txt").find(", for " + cpu + "\n"), std::string::npos);
    return cpu;
  };
  EXPECT_EQ(cpu_of(certified("cpu-default", "--target host")), "x86-64");
  const std::string native = cpu_of(certified("cpu-native", "--target host --cpu native"));
  EXPECT_EQ(native.rfind("x86-64", 0), 0u) << native;
  // What this machine may not have is made all the same, and is not run.
  const std::string far = certified("cpu-far", "--target host --cpu x86-64-v4+avx512vnni --no-run");
  EXPECT_EQ(cpu_of(far), "x86-64-v4+avx512vnni");
  EXPECT_EQ(hexproof_command("audit " + far).code, 0);
  EXPECT_EQ(hexproof_command("certify " + temporary("matmul.py", kProgram) + " --target host --cpu pentium -o " +
                             testing::TempDir() + "/cpu-none")
                .code,
            1);
  CommandResult both = hexproof_command("certify " + temporary("matmul.py", kProgram) + " --cpu native -o " +
                                        testing::TempDir() + "/cpu-both");
  EXPECT_EQ(both.code, 2) << both.text;
  EXPECT_NE(both.text.find("the target host only"), std::string::npos) << both.text;
}

// What is there for the proofs alone is lowered after the last check; padding that is given free may hold anything.
TEST(Certify, AssumesAndUndefsAreLowered) {
  const char* program =
      "@T.prim_func\n"
      "def twice(A: T.Buffer((4, 4), \"int32\"), B: T.Buffer((4, 4), \"int32\"), S: T.Buffer((1,), \"int32\")):\n"
      "    for io, ii in T.grid(4, 4):\n"
      "        T.assume(4 * io + ii < 14 or A[io, ii] == T.undef(dtype=\"int32\"))\n"
      "    with T.block(\"twice\"):\n"
      "        for io, ii in T.grid(4, 4):\n"
      "            if 4 * io + ii < 14:\n"
      "                B[io, ii] = A[io, ii] * 2\n"
      "    with T.block(\"pad\"):\n"
      "        for io, ii in T.grid(4, 4):\n"
      "            if 4 * io + ii >= 14:\n"
      "                B[io, ii] = T.undef(dtype=\"int32\")\n"
      "    S[0] = B[0, 0]\n";
  std::string folder = testing::TempDir() + "/" + std::to_string(::getpid()) + "-lowered";
  CommandResult r = hexproof_command(
      "certify " + temporary("twice.py", program) + " " +
      temporary("twice-schedule.py",
                "sch.remove_branching_through_overcompute(\"twice\")\nsch.reduce_loop_extents(\"pad\")\n") +
      " --target host -o " + folder);
  ASSERT_EQ(r.code, 0) << r.text;
  std::string final_program = read_file(folder + "/final.py");
  for (const char* gone : {"T.assume", "T.undef", "if "}) {
    EXPECT_EQ(final_program.find(gone), std::string::npos) << final_program;
  }
  Json json = Json::parse(read_file(folder + "/certificate.json"));
  EXPECT_EQ(json["kernel"]["run"]["bit_equal"], true);
}

// Random inputs satisfy what the program assumes of them, where that is a matter of single cells.
TEST(Certify, RunsOnInputsThatSatisfyTheAssumes) {
  const std::string program =
      "@T.prim_func\n"
      "def twice(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n"
      "    for i in range(16):\n"
      "        T.assume(ASSUME)\n"
      "    for i in range(16):\n"
      "        B[i] = A[i] * 2\n";
  std::string folder = testing::TempDir() + "/" + std::to_string(::getpid()) + "-assumes";
  auto certify = [&](const std::string& assume) {
    std::string text = program;
    text.replace(text.find("ASSUME"), 6, assume);
    return hexproof_command("certify " + temporary("assumes.py", text) + " --target host -o " + folder);
  };
  CommandResult r = certify("i < 10 or A[i] == 3");
  ASSERT_EQ(r.code, 0) << r.text;
  EXPECT_NE(r.text.find("the program: for i: i < 10 or A[i] == 3"), std::string::npos) << r.text;
  EXPECT_NE(r.text.find("B: 16 of 16 elements bit-equal"), std::string::npos) << r.text;
  CommandResult none = certify("A[i] % 4 == 2");
  EXPECT_EQ(none.code, 13) << none.text;
  EXPECT_NE(none.text.find("no input was found that satisfies this assume"), std::string::npos) << none.text;
}

TEST(Certify, TheBytesDoNotDependOnJobsOrTheCache) {
  std::string cache = testing::TempDir() + "/" + std::to_string(::getpid()) + "-proofs.sqlite";
  std::string one = certified("one", "--target host --no-run --cache off --jobs 1");
  std::string two = certified("two", "--target host --no-run --jobs 2 --cache " + cache);
  std::string warm = certified("warm", "--target host --no-run --jobs 2 --cache " + cache);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(one)) {
    if (!entry.is_regular_file()) continue;
    fs::path name = fs::relative(entry.path(), one);
    for (const std::string& other : {two, warm}) {
      EXPECT_EQ(read_file(entry.path().string()), read_file((other / name).string())) << name;
    }
  }
}

/// Another solver reads the obligations from the folder alone.
TEST(Certify, Cvc5AgreesWithEveryObligation) {
  std::string folder = certified("second-opinion", "--target host --no-run");
  size_t files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder + "/obligations")) {
    ++files;
    FILE* pipe = ::popen(("cvc5 --rlimit=2000000 '" + entry.path().string() + "' 2>&1").c_str(), "r");
    char text[512] = {};
    std::string answer(text, std::fread(text, 1, sizeof text - 1, pipe));
    ::pclose(pipe);
    EXPECT_EQ(answer, "unsat\n") << read_file(entry.path().string());
  }
  EXPECT_GT(files, 5u);
}

}  // namespace certify_test
}  // namespace hexproof
