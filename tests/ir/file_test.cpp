// A certificate's folder replaces nothing of somebody else's, also while it is made; whether a file can be written is
// known before.
#include "ir/base/file.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "ir/base/diagnostic.h"

namespace hexproof {
namespace file_test {

namespace fs = std::filesystem;

TEST(OutputFolder, WhatCameMeanwhileStays) {
  const std::string path = testing::TempDir() + "/" + std::to_string(::getpid()) + "-meanwhile";
  fs::remove_all(path);
  fs::create_directories(path);
  OutputFolder folder(path);
  folder.write("certificate.json", "{}");
  write_file(path + "/notes.txt", "mine\n");
  EXPECT_THROW(folder.commit(), Error);
  EXPECT_EQ(read_file(path + "/notes.txt"), "mine\n");
  fs::remove(path + "/notes.txt");
  folder.commit();
  EXPECT_TRUE(anything_written());
  EXPECT_EQ(read_file(path + "/certificate.json"), "{}");
  fs::remove_all(path);
}

struct WritableTest : testing::Test {
  const std::string in = testing::TempDir() + "/" + std::to_string(::getpid()) + "-writable/";
  const uid_t user = ::geteuid();

  void SetUp() override {
    fs::remove_all(in);
    fs::create_directories(in + "closed");
    write_file(in + "file", "old\n");
    write_file(in + "closed/file", "old\n");
    write_file(in + "fixed", "old\n");
  }
  void TearDown() override {
    EXPECT_EQ(::seteuid(user), 0);
    fs::permissions(in + "closed", fs::perms::owner_all);
    fs::remove_all(in);
  }
  /// Who may not do everything: root may.
  void as_somebody() {
    fs::permissions(in, fs::perms::all);
    fs::permissions(in + "closed", fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_exec);
    fs::permissions(in + "fixed", fs::perms::owner_read | fs::perms::others_read);
    if (user == 0) {
      EXPECT_EQ(::seteuid(65534), 0);
    }
  }
  /// What demand_writable says is what write_file comes to, and it changes nothing.
  void expect(const std::string& path, bool writable) {
    SCOPED_TRACE(path);
    std::string said, met;
    try {
      demand_writable(path);
    } catch (const Error& e) {
      said = e.what();
    }
    EXPECT_EQ(said.empty(), writable) << said;
    try {
      write_file(path, "new\n");
    } catch (const Error& e) {
      met = e.what();
    }
    EXPECT_EQ(said, met);
  }
  std::set<std::string> there() const {
    std::set<std::string> out;
    for (const auto& one : fs::recursive_directory_iterator(in)) out.insert(one.path().string());
    return out;
  }
};

TEST_F(WritableTest, IsKnownBefore) {
  fs::create_symlink("nothing-yet", in + "link");
  fs::create_symlink("none/file", in + "astray");
  fs::create_symlink("circle", in + "circle");
  fs::create_hard_link(in + "file", in + "file-too");
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{AF_UNIX, {}};
  const std::string name = in + "socket";
  ASSERT_LT(name.size(), sizeof address.sun_path);
  name.copy(address.sun_path, name.size());
  ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  for (const char* path : {"file", "file-too", "new", "link", "closed/../newer"}) expect(in + path, true);
  for (const char* path : {"none/file", "file/below", "closed", "closed/", "astray", "circle", "socket", "new/"}) {
    expect(in + path, false);
  }
  for (const char* path : {"/dev/null", "-"}) EXPECT_NO_THROW(demand_writable(path)) << path;
  expect(in + std::string(300, 'x'), false);
  ::close(socket);
}

TEST_F(WritableTest, NothingIsChanged) {
  ASSERT_EQ(::mkfifo((in + "pipe").c_str(), 0600), 0);  // (to open it would wait for a reader)
  const std::set<std::string> before = there();
  for (const char* path : {"file", "pipe", "new", "none/new"}) {
    try {
      demand_writable(in + path);
    } catch (const Error&) {
    }
  }
  demand_folder(in + "a/b/c");
  demand_folder(in + "closed");
  OutputFolder::demand(in + "certificate");
  EXPECT_THROW(OutputFolder::demand(in + "closed"), Error);  // holds a file, and is no certificate
  EXPECT_THROW(OutputFolder::demand(in + "file/c"), Error);
  EXPECT_THROW(demand_folder(in + "file"), Error);
  EXPECT_EQ(there(), before);
  EXPECT_EQ(read_file(in + "file"), "old\n");
}

TEST_F(WritableTest, ModesCount) {
  as_somebody();
  for (const char* path : {"closed/new", "closed/file", "fixed"}) expect(in + path, false);
  expect(in + "new", true);
  EXPECT_THROW(demand_folder(in + "closed/a/b"), Error);
  EXPECT_NO_THROW(demand_folder(in + "a/b"));
}

// Where /proc/self/fd/N leads is no path, if a pipe is open there.
TEST_F(WritableTest, AnOpenPipe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string path = "/proc/self/fd/" + std::to_string(ends[1]);
  demand_writable(path);
  write_file(path, "said\n");
  char got[8] = {};
  EXPECT_EQ(::read(ends[0], got, sizeof got), 5);
  EXPECT_STREQ(got, "said\n");
  for (int end : ends) ::close(end);
}

}  // namespace file_test
}  // namespace hexproof
