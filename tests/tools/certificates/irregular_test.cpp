// What stands for a file in a folder and is none: no reader waits for it, or follows it.
#include <sys/stat.h>

#include "tests/tools/certificates/certificate_folder.h"

namespace hexproof {
namespace irregular_test {

namespace fs = std::filesystem;

class Irregular : public testing::Test {
 protected:
  void SetUp() override {
    made_ = folder_ + "/made";
    const CommandResult r = hexproof_command(
        "apply " +
        temporary("irregular.py",
                  "def main(A: T.Buffer((4,), \"int32\")):\n    for i in range(4):\n"
                  "        A[i] = 1\n") +
        " " + temporary("irregular.sch.py", "sch.unroll(sch.get_loop(\"i\"))\n") + " --certificate " + made_);
    ASSERT_EQ(r.code, 0) << r.text;
  }
  void TearDown() override { fs::remove_all(folder_); }
  /// A copy in which `make` puts something in the place of the file.
  std::string with(const std::string& name, const std::function<void(const std::string& path)>& make) {
    const std::string copy = changed_copy(made_, folder_ + "/changed"), path = copy + "/" + name;
    fs::remove(path);
    make(path);
    return copy;
  }
  CommandResult report(const std::string& path) {
    return hexproof_command("report " + path + " -o " + folder_ + "/page.html", "timeout 20 env");
  }
  static CommandResult check(const std::string& path) {
    return run_line("timeout 20 '" HEXPROOF_BINARY_DIR "/hexproof-check' " + path);
  }

  std::string folder_ = fresh_folder("irregular"), made_;
};

TEST_F(Irregular, PipesAndLinksAndFolders) {
  const std::string step = certificate_json(made_)["steps"][0]["program"];
  const std::function<void(const std::string&)> kinds[] = {
      [](const std::string& path) { ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0); },
      [](const std::string& path) { fs::create_symlink("/etc/passwd", path); },
      [](const std::string& path) { fs::create_directory(path); },
  };
  for (const auto& make : kinds) {
    for (const std::string& name : {std::string("certificate.json"), std::string("source.py"), step}) {
      const std::string path = with(name, make);
      for (const CommandResult& r : {hexproof_command("audit " + path, "timeout 20 env"), check(path), report(path)}) {
        EXPECT_EQ(r.code, 12) << r.text;
        EXPECT_NE(r.text.find("rejected: " + path + "/" + name + ": is no regular file"), std::string::npos) << r.text;
      }
    }
  }
}

// Nothing is said of a certificate that could not be read, whether for its size or for who may read it.
TEST_F(Irregular, FilesThatCannotBeRead) {
  const std::string path = with("final.py", [](const std::string& file) {
    write_file(file, "");
    fs::resize_file(file, uintmax_t{1} << 41);
  });
  for (const CommandResult& r : {hexproof_command("audit " + path, "timeout 20 env"), check(path)}) {
    EXPECT_EQ(r.code, 2) << r.text;
    EXPECT_NE(r.text.find("cannot read '" + path + "/final.py': it is larger than 1 GiB"), std::string::npos) << r.text;
  }
  for (const CommandResult& r : {hexproof_command("audit " + folder_ + "/none"), check(folder_ + "/none")}) {
    EXPECT_EQ(r.code, 2) << r.text;
    EXPECT_NE(r.text.find("'" + folder_ + "/none' is no folder"), std::string::npos) << r.text;
  }
}

}  // namespace irregular_test
}  // namespace hexproof
