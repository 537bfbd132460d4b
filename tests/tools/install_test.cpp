// The public face as a stranger has it: installed below a fresh prefix, found by find_package, without this source
// tree.
#include <gtest/gtest.h>

#include <regex>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace install_test {

namespace fs = std::filesystem;

/// Installed once for all tests; what is built already is copied.
const std::string& prefix() {
  static const std::string path = [] {
    std::string made = testing::TempDir() + "/" + std::to_string(::getpid()) + "-prefix";
    CommandResult installed = run_line("cmake --install '" HEXPROOF_BINARY_DIR "' --prefix '" + made + "'");
    EXPECT_EQ(installed.code, 0) << installed.text;
    return made;
  }();
  return path;
}

TEST(Install, HeadersAreThePublicOnesAndIncludeNoOthers) {
  std::set<std::string> public_ones, installed;
  for (const fs::directory_entry& e : fs::directory_iterator(HEXPROOF_SOURCE_DIR "/include/hexproof"))
    public_ones.insert(e.path().filename().string());
  const std::regex include("#include ([<\"])([^>\"]*)[>\"]");
  for (const fs::directory_entry& e : fs::recursive_directory_iterator(prefix() + "/include")) {
    if (!e.is_regular_file()) continue;
    installed.insert(fs::relative(e.path(), prefix() + "/include/hexproof").string());
    std::string text = read_file(e.path().string());
    for (std::sregex_iterator at(text.begin(), text.end(), include), end; at != end; ++at) {
      bool ours = (*at)[1] == "\"";
      EXPECT_TRUE(!ours || (*at)[2].str().starts_with("hexproof/")) << e.path() << ": " << (*at)[2];
    }
  }
  EXPECT_EQ(installed, public_ones);
  EXPECT_GT(installed.size(), 5u);
}

TEST(Install, ThePackageNamesNoPlaceOfTheMachineThatBuiltIt) {
  size_t files = 0;
  for (const fs::directory_entry& e : fs::recursive_directory_iterator(prefix())) {
    if (e.path().extension() != ".cmake") continue;
    ++files;
    std::string text = read_file(e.path().string());
    for (const char* place : {HEXPROOF_SOURCE_DIR, HEXPROOF_BINARY_DIR, "/usr/lib", "/usr/include"}) {
      EXPECT_EQ(text.find(place), std::string::npos) << e.path() << " names " << place;
    }
    EXPECT_EQ(text.find(prefix()), std::string::npos) << e.path() << " names the prefix";
  }
  EXPECT_GE(files, 4u);
}

TEST(Install, TheExampleBuildsAgainstItAndRuns) {
  std::string build = testing::TempDir() + "/" + std::to_string(::getpid()) + "-embed";
  CommandResult made =
      run_line("cmake -G Ninja -S '" HEXPROOF_SOURCE_DIR "/examples/embed' -B '" + build + "' -DCMAKE_PREFIX_PATH='" +
               prefix() + "' -DCMAKE_CXX_FLAGS='" HEXPROOF_SANITIZE_FLAGS "' && cmake --build '" + build + "'");
  ASSERT_EQ(made.code, 0) << made.text;
  CommandResult ran = run_line("'" + build + "/embed'");
  EXPECT_EQ(ran.code, 0) << ran.text;
  for (const char* said : {"def matmul", "proved: matmul of matmul.py under schedule.py",
                           "C: 256 of 256 elements bit-equal to the interpreter's", "C[0, 0] = 48"}) {
    EXPECT_NE(ran.text.find(said), std::string::npos) << said << "\n" << ran.text;
  }
  // The kernel that the build has certified, and its audit as a test.
  ran = run_line("'" + build + "/use'");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_NE(ran.text.find("b[21] = 63"), std::string::npos) << ran.text;
  ran = run_line("ctest --test-dir '" + build + "' --output-on-failure");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_NE(ran.text.find("scale.audit"), std::string::npos) << ran.text;
}

TEST(Install, AKernelIsBuiltAgainWhenItsScheduleImportsSomethingElse) {
  const std::string source = testing::TempDir() + "/" + std::to_string(::getpid()) + "-kernel",
                    build = source + "/build";
  fs::create_directories(source);
  write_file(source + "/CMakeLists.txt",
             "cmake_minimum_required(VERSION 3.20)\nproject(kernel LANGUAGES C)\nfind_package(hexproof REQUIRED)\n"
             "hexproof_certify(TARGET scale PROGRAM scale.py SCHEDULE scale.schedule.py OPTIONS --no-run)\n");
  write_file(source + "/scale.py", read_file(HEXPROOF_SOURCE_DIR "/examples/embed/scale.py"));
  write_file(source + "/scale.schedule.py", "import helper\n");
  write_file(source + "/helper.py", "factor = 8\n");
  for (const char* generator : {"Ninja", "Unix Makefiles"}) {
    fs::remove_all(build);
    write_file(source + "/helper.py", "factor = 8\n");
    CommandResult made = run_line("cmake -G '" + std::string(generator) + "' -S '" + source + "' -B '" + build +
                                  "' -DCMAKE_PREFIX_PATH='" + prefix() + "' && cmake --build '" + build + "'");
    ASSERT_EQ(made.code, 0) << made.text;
    EXPECT_NE(made.text.find("certifying scale"), std::string::npos) << made.text;
    made = run_line("cmake --build '" + build + "'");
    EXPECT_EQ(made.text.find("certifying scale"), std::string::npos) << made.text;
    ASSERT_EQ(run_line("sleep 1").code, 0);  // (make knows seconds)
    write_file(source + "/helper.py", "import nothing_of_this_name\n");
    made = run_line("cmake --build '" + build + "'");
    EXPECT_NE(made.code, 0) << made.text;
    EXPECT_NE(made.text.find("nothing_of_this_name"), std::string::npos) << made.text;
  }
}

TEST(Install, WhatShellsAndReadersHave) {
  for (const char* file : {"share/man/man1/hexproof.1", "share/bash-completion/completions/hexproof",
                           "share/zsh/vendor-completions/_hexproof", "share/fish/vendor_completions.d/hexproof.fish"}) {
    ASSERT_TRUE(fs::exists(prefix() + "/" + file)) << file;
    EXPECT_NE(read_file(prefix() + "/" + file).find("audit"), std::string::npos) << file;
  }
}

}  // namespace install_test
}  // namespace hexproof
