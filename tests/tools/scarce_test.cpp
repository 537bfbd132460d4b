// A machine that has too little of something is no bug of the tool and no fact about the program: the exit code says
// so, and nothing is half-written.
#include <gtest/gtest.h>

#include <set>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace scarce_test {

namespace fs = std::filesystem;

constexpr const char* kDoubled = R"(@T.prim_func
def doubled(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        with T.block("B"):
            vi = T.axis.spatial(64, i)
            B[vi] = A[vi] * T.float32(2)
)";

struct Scarce : testing::Test {
  fs::path folder = fs::path(testing::TempDir()) / ("scarce-" + std::to_string(::getpid()));
  std::string program, schedule, cache;
  void SetUp() override {
    fs::create_directories(folder);
    program = (folder / "p.py").string(), schedule = (folder / "s.py").string(), cache = (folder / "cache.db").string();
    write_file(program, std::string("from tvm.script import tir as T\n\n") + kDoubled);
    write_file(schedule, "sch.split(sch.get_loops(\"B\")[0], [None, 8])\nsch.lower_blocks()\n");
  }
  void TearDown() override { fs::remove_all(folder); }

  /// The command in a shell with that limit: its code is one of those that say what was missing.
  void expect_said(const std::string& limit, const std::string& arguments, const std::set<int>& codes) {
    CommandResult r = run_line("(" + limit + "; XDG_CACHE_HOME=" + folder.string() +
                               " exec '" HEXPROOF_BINARY_DIR "/hexproof' " + arguments + ")");
    EXPECT_TRUE(codes.count(r.code)) << limit << ": " << arguments << ": " << r.code << "\n" << r.text;
    if (r.code != 0) {
      EXPECT_FALSE(r.text.empty()) << limit << ": " << arguments;
    }
  }
  std::string certify(const char* target) const {
    return "certify " + program + " " + schedule + " --cache off --target " + target + " -o " + out();
  }
  std::string out() const { return (folder / "out").string(); }
};

// Everything that a command allocates is missing once: from the memory that it ends well with, downwards.
// 127: the loader of programs had too little. (What is not asked of a thread of its own is done by the one there is.)
TEST_F(Scarce, AddressSpace) {
  auto limit = [](int kilobytes) { return "ulimit -v " + std::to_string(kilobytes); };
  for (const std::string& command : {"check " + program, "equiv " + program + " " + program, certify("hexagon")}) {
    auto code = [&](int kilobytes) {
      const int ended =
          run_line("(" + limit(kilobytes) + "; exec '" HEXPROOF_BINARY_DIR "/hexproof' " + command + ")").code;
      fs::remove_all(out());
      return ended;
    };
    int little = 50'000, enough = 2'000'000;
    while (enough - little > 200) {
      const int between = (little + enough) / 2;
      (code(between) == 0 ? enough : little) = between;
    }
    for (int kilobytes = enough; kilobytes > enough - 45'000; kilobytes -= 1'500) {
      expect_said(limit(kilobytes), command, {0, 5, 127});
      fs::remove_all(out());
    }
  }
}

TEST_F(Scarce, OpenFiles) {
  for (int files = 4; files <= 16; ++files) {
    const std::string limit = "ulimit -n " + std::to_string(files);
    expect_said(limit, "check " + program + " --cache " + cache, {0, 2, 5, 127});
    expect_said(limit, certify("host"), {0, 2, 5, 127});
    expect_said(limit, certify("hexagon"), {0, 2, 5, 127});
    fs::remove_all(out());
  }
}

// As a full disk: files may have no more than so many blocks.
TEST_F(Scarce, RoomForFiles) {
  for (int blocks : {0, 1, 4, 8, 32}) {
    const std::string limit = "ulimit -f " + std::to_string(blocks);
    expect_said(limit, certify("hexagon"), {0, 2, 5});
    EXPECT_FALSE(fs::exists(out()) && !fs::exists(out() + "/certificate.json")) << blocks;
    fs::remove_all(out());
    const std::string text = (folder / "after.py").string();
    expect_said(limit, "apply " + program + " " + schedule + " -o " + text, {0, 2, 5});
    if (blocks == 0) {
      EXPECT_FALSE(fs::exists(text));
    }
    fs::remove(text);
  }
}

// A cache is kept in a cache's file alone.
TEST_F(Scarce, WhatStandsWhereProofsAreKept) {
  const std::string notes = (folder / "notes.txt").string();
  write_file(notes, "important");
  CommandResult r = hexproof_command("check " + program + " --cache " + notes);
  EXPECT_EQ(r.code, 2) << r.text;
  EXPECT_NE(r.text.find("is no cache of hexproof"), r.text.npos) << r.text;
  EXPECT_EQ(read_file(notes), "important");
  EXPECT_EQ(hexproof_command("check " + program + " --cache /dev/null").code, 2);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  CommandResult log = hexproof_command("check " + program + " --cache " + cache + " --json " + cache + "-wal");
  EXPECT_EQ(log.code, 2) << log.text;
}

TEST_F(Scarce, NoFolderForTemporaryFiles) {
  expect_said("export TMPDIR=" + (folder / "none").string(), certify("hexagon"), {2});
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(Scarce, NoSuchProcessor) {
  expect_said("true", certify("host") + " --cpu pentium-9", {1, 2, 13});
  EXPECT_FALSE(fs::exists(out()));
}

}  // namespace scarce_test
}  // namespace hexproof
