#include "verify/prove/solvers/cache/cache.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "verify/prove/prover.h"

namespace hexproof {
namespace cache_test {

namespace fs = std::filesystem;

struct CacheTest : testing::Test {
  std::string folder = (fs::temp_directory_path() / ("hexproof-cache-" + std::to_string(getpid()))).string();
  std::string path = folder + "/proofs.sqlite";
  CachedAnswer answer{Verdict::Refuted, "z3", "", {-1, Wide{1} << 63}, 17};

  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }
  /// A cache, damaged from its hundredth byte on.
  void garbage() {
    { Cache(path).store("b", answer); }
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(100) << std::string(9000, 'x');
    fs::remove(path + "-wal");
    fs::remove(path + "-shm");
  }
};

TEST_F(CacheTest, CountsWhatWasAnsweredBefore) {
  { Cache(path).store("a", answer); }
  const Cache::Use before = Cache::use();
  Cache again(path), memory("");
  for (const char* key : {"a", "a", "b", "b", "c"}) again.find(key), memory.find(key);
  again.store("c", answer);
  again.find("c");
  EXPECT_EQ(Cache::use().asked - before.asked, 3u);
  EXPECT_EQ(Cache::use().found - before.found, 1u);
}

TEST_F(CacheTest, RemembersAcrossProcesses) {
  { Cache(path).store("a", answer); }
  Cache again(path);
  EXPECT_EQ(again.find("a"), answer);
  EXPECT_EQ(again.find("b"), std::nullopt);
}

TEST_F(CacheTest, MemoryOnly) {
  Cache cache("");
  cache.store("a", answer);
  EXPECT_EQ(cache.find("a"), answer);
}

TEST_F(CacheTest, ACorruptFileIsBegunAnew) {
  garbage();
  Cache cache(path);
  EXPECT_EQ(cache.find("a"), std::nullopt);
  cache.store("a", answer);
  EXPECT_EQ(Cache(path).find("a"), answer);
}

// Somebody's notes, the database of another program, a pipe: a cache that is told to be there works in memory.
TEST_F(CacheTest, WhatIsNoCacheIsLeftAsItIs) {
  const std::string notes = folder + "/notes.txt", other = folder + "/other.db", link = folder + "/link";
  std::ofstream(notes) << "important";
  std::ofstream(other, std::ios::binary) << std::string("SQLite format 3\0", 16) << std::string(4080, '\0');
  fs::create_symlink("notes.txt", link);
  ASSERT_EQ(mkfifo((folder + "/pipe").c_str(), 0600), 0);
  for (const std::string& there : {notes, other, link, folder + "/pipe", folder}) {
    EXPECT_FALSE(may_keep_cache(there)) << there;
    const fs::file_type before = fs::symlink_status(there).type();
    Cache cache(there);
    EXPECT_EQ(cache.find("a"), std::nullopt);
    cache.store("a", answer);
    EXPECT_EQ(cache.find("a"), answer);
    EXPECT_EQ(fs::symlink_status(there).type(), before) << there;
  }
  EXPECT_EQ(fs::file_size(notes), 9u);
  EXPECT_EQ(fs::file_size(other), 4096u);
  EXPECT_TRUE(may_keep_cache(folder + "/none"));
  // Nor what lies where SQLite would have its log.
  for (const char* beside : {"-wal", "-shm", "-journal"}) {
    const std::string log = folder + "/none" + beside;
    std::ofstream(log) << "diary";
    EXPECT_FALSE(may_keep_cache(folder + "/none")) << beside;
    Cache(folder + "/none").store("a", answer);
    EXPECT_EQ(fs::file_size(log), 5u) << beside;
    fs::remove(log);
  }
  std::ofstream(folder + "/empty");
  { Cache(folder + "/empty").store("a", answer); }
  EXPECT_EQ(Cache(folder + "/empty").find("a"), answer);
}

// By a link a cache is kept where it leads.
TEST_F(CacheTest, ALinkIsFollowed) {
  { Cache(path).store("a", answer); }
  const std::string link = folder + "/link";
  fs::create_symlink("proofs.sqlite", link);
  garbage();
  { Cache(link).store("a", answer); }
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(Cache(path).find("a"), answer);
}

TEST_F(CacheTest, ADamagedRowIsNotBelieved) {
  { Cache(path).store("key-of-a", answer); }
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  size_t at = bytes.find("\nz3\n");
  ASSERT_NE(at, std::string::npos);
  file.clear();
  file.seekp(static_cast<std::streamoff>(at) - 1);
  file << '0';  // Refuted becomes Proved
  file.close();
  EXPECT_EQ(Cache(path).find("key-of-a"), std::nullopt);
}

TEST_F(CacheTest, TheFileMayGoWhileItIsOpen) {
  Cache cache(path);
  cache.store("a", answer);
  fs::remove_all(folder);
  cache.store("b", answer);
  EXPECT_EQ(cache.find("a"), answer);  // from memory
  fs::create_directories(folder);
  cache.store("c", answer);
  EXPECT_EQ(Cache(path).find("c"), answer);
}

TEST_F(CacheTest, AnUnwritablePlaceIsNoError) {
  std::ofstream(folder + "/file") << "x";
  Cache cache(folder + "/file/below/proofs.sqlite");
  cache.store("a", answer);
  EXPECT_EQ(cache.find("a"), answer);
}

TEST_F(CacheTest, AKilledWriterLosesNothingThatOthersWrote) {
  { Cache(path).store("before", answer); }
  pid_t child = fork();
  if (child == 0) {
    Cache mine(path);
    for (int i = 0;; ++i) mine.store("child " + std::to_string(i), CachedAnswer{});
  }
  usleep(100'000);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  Cache after(path);
  EXPECT_EQ(after.find("before"), answer);
  after.store("after", answer);
  EXPECT_EQ(Cache(path).find("after"), answer);
}

TEST_F(CacheTest, SeveralProcessesAtOnce) {
  std::vector<pid_t> children;
  for (int c = 0; c < 4; ++c) {
    pid_t child = fork();
    if (child == 0) {
      Cache mine(path);
      for (int i = 0; i < 50; ++i)
        mine.store(std::to_string(c) + "/" + std::to_string(i), {Verdict::Proved, "z3", "", {}, 1});
      _exit(0);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  Cache after(path);
  int found = 0;
  for (int c = 0; c < 4; ++c) {
    for (int i = 0; i < 50; ++i) found += after.find(std::to_string(c) + "/" + std::to_string(i)).has_value();
  }
  EXPECT_EQ(found, 200);
}

// Past its bound the file loses what was not used for longest, and grows no further.
TEST_F(CacheTest, WhatWasNotUsedForLongestGoes) {
  Cache::bound(int64_t{1} << 20);
  const CachedAnswer large{Verdict::Unknown, "z3", std::string(2000, 'r'), {}, 1};
  {
    Cache cache(path);
    for (int i = 0; i < 60; ++i) cache.store("early " + std::to_string(i), large);
  }
  for (int k = 0; k < 20; ++k) {
    Cache cache(path);
    EXPECT_EQ(cache.find("early 7"), large) << k;  // used in every run
    for (int i = 0; i < 60; ++i) cache.store("run " + std::to_string(k) + "/" + std::to_string(i), large);
  }
  Cache::bound(Cache::kMostBytes);
  Cache after(path);
  EXPECT_EQ(after.find("early 7"), large);
  EXPECT_EQ(after.find("run 19/59"), large);
  EXPECT_EQ(after.find("early 8"), std::nullopt);
  EXPECT_EQ(after.find("run 0/0"), std::nullopt);
  EXPECT_LT(fs::file_size(path), (uintmax_t{1} << 20) * 3 / 2);
}

/// A server that speaks Redis's protocol, as far as the cache asks for it.
class Server {
 public:
  explicit Server(std::string password = "") : password_(std::move(password)) {
    listener_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    EXPECT_EQ(bind(listener_, reinterpret_cast<sockaddr*>(&at), size), 0);
    listen(listener_, 8);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size);
    port_ = ntohs(at.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~Server() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
  }
  std::string url(const std::string& login = "") const {
    return "redis://" + login + "127.0.0.1:" + std::to_string(port_) + "/3";
  }
  std::map<std::string, std::string> entries = {};
  std::vector<std::string> said = {};
  std::string garbage = {};  // is answered to everything when it is set

 private:
  void serve() {
    for (int one; (one = accept(listener_, nullptr, nullptr)) >= 0;) {
      std::string bytes;
      bool trusted = password_.empty();
      char part[4096];
      for (ssize_t n; (n = recv(one, part, sizeof part, 0)) > 0;) {
        bytes.append(part, static_cast<size_t>(n));
        for (std::vector<std::string> words; !(words = command(bytes)).empty();) {
          const std::string out = garbage.empty() ? answer(words, &trusted) : garbage;
          EXPECT_EQ(send(one, out.data(), out.size(), MSG_NOSIGNAL), static_cast<ssize_t>(out.size()));
        }
      }
      close(one);
    }
  }
  /// Takes one command off the front; nothing while it is incomplete.
  static std::vector<std::string> command(std::string& bytes) {
    size_t at = 0;
    auto number = [&](char kind) -> long {
      const size_t end = bytes.find("\r\n", at);
      if (end == bytes.npos || bytes[at] != kind) return -1;
      const long out = std::atol(bytes.c_str() + at + 1);
      at = end + 2;
      return out;
    };
    const long count = number('*');
    std::vector<std::string> out;
    for (long k = 0; k < count; ++k) {
      const long size = number('$');
      if (size < 0 || bytes.size() < at + static_cast<size_t>(size) + 2) return {};
      out.push_back(bytes.substr(at, static_cast<size_t>(size)));
      at += static_cast<size_t>(size) + 2;
    }
    if (count > 0) bytes.erase(0, at);
    return out;
  }
  std::string answer(const std::vector<std::string>& words, bool* trusted) {
    said.push_back(words[0] + (words.size() > 1 ? " " + words[1] : ""));
    if (words[0] == "AUTH") *trusted = words.back() == password_;
    if (!*trusted) return "-NOAUTH Authentication required.\r\n";
    if (words[0] == "SET") entries[words[1]] = words[2];
    if (words[0] != "GETEX") return "+OK\r\n";
    auto found = entries.find(words[1]);
    if (found == entries.end()) return "$-1\r\n";
    return "$" + std::to_string(found->second.size()) + "\r\n" + found->second + "\r\n";
  }

  std::string password_;
  int listener_ = -1, port_ = 0;
  std::thread thread_;
};

TEST(RedisCache, IsSharedByMachines) {
  const CachedAnswer answer{Verdict::Refuted, "z3", "", {-1, Wide{1} << 63}, 17};
  Server server("secret");
  { Cache(server.url(":secret@")).store("a", answer); }
  {
    Cache other(server.url("name:secret@"));
    EXPECT_EQ(other.find("a"), answer);
    EXPECT_EQ(other.find("b"), std::nullopt);
  }
  EXPECT_EQ(Cache(server.url(":wrong@")).find("a"), std::nullopt);
  EXPECT_NE(std::find(server.said.begin(), server.said.end(), "SELECT 3"), server.said.end());
  // What is damaged is not believed.
  server.entries.begin()->second[0] = '0';
  EXPECT_EQ(Cache(server.url(":secret@")).find("a"), std::nullopt);
}

// What can never be one is told at once, and no password with it.
TEST(RedisCache, AnAddressThatIsNone) {
  for (const char* url :
       {"redis://",         "redis://:6379", "redis:///3",        "redis://secret@h", "redis://me:@h",
        "redis://:secret@", "redis://h:",    "redis://h:secret",  "redis://h:0",      "redis://h:65536",
        "redis://h:6379x",  "redis://h:1:2", "redis://h/secret",  "redis://h/-1",     "redis://h/1/2",
        "redis://[::1",     "redis://[]",    "redis://[::1]6379", "redis://::1",      "redis://a b",
        "redis://h?db=1",   "redis://h#1",   "rediss://h",        "https://h/cache",  "REDIS://h"}) {
    try {
      demand_cache(url);
      ADD_FAILURE() << url;
    } catch (const Error& e) {
      EXPECT_EQ(std::string(e.what()).find("secret"), std::string::npos) << e.what();
    }
  }
  for (const char* url : {"redis://h", "redis://127.0.0.1:1", "redis://h.example/3", "redis://h:6379/", "redis://[::1]",
                          "redis://[::1]:6379/3", "redis://:secret@h", "redis://me:se:c/r@et@h:1/3"}) {
    EXPECT_NO_THROW(demand_cache(url)) << url;
  }
  EXPECT_NO_THROW(demand_cache(""));
  EXPECT_NO_THROW(demand_cache(testing::TempDir() + "/no-cache-yet"));
  EXPECT_THROW(demand_cache(testing::TempDir()), Error);
}

TEST(RedisCache, NoFailureIsAnError) {
  const CachedAnswer answer{Verdict::Proved, "z3", "", {}, 1};
  for (const char* url : {"redis://", "redis://127.0.0.1:1", "redis://[::1", "redis://@:/",
                          "redis://no.such.host.invalid", "redis://127.0.0.1:99999999"}) {
    Cache cache(url);
    cache.store("a", answer);
    EXPECT_EQ(cache.find("a"), answer) << url;
    EXPECT_EQ(cache.find("b"), std::nullopt) << url;
  }
  for (const char* garbage : {"$99999999999\r\n", "$5\r\nx", "nonsense\r\n", "-ERR\r\n", "\r\n", "$-7\r\n", "$x\r\n"}) {
    Server server;
    server.garbage = garbage;
    Cache cache(server.url());
    EXPECT_EQ(cache.find("b"), std::nullopt) << garbage;
  }
}

TEST_F(CacheTest, ProverAnswersAlikeWithAndWithout) {
  auto question = [] {
    Var i = Var::fresh("i", kInt32), n = Var::fresh("n", kInt32);
    return std::vector<Obligation>{{.rule = "t",
                                    .why = "",
                                    .where = {},
                                    .given = {gt(n, i32(3)), lt(n, i32(40000))},
                                    .goal = ne(n * n, i32(1234321))},
                                   {.rule = "t",
                                    .why = "",
                                    .where = {},
                                    .given = {gt(n, i32(0)), ge(i, i32(0))},
                                    .goal = ge(floordiv(i, n), i32(0))}};
  };
  auto ask = [&](int jobs) {
    Prover prover({.cache_path = path, .jobs = jobs, .normal_form = false});
    return prover.prove_all(question());
  };
  std::vector<Answer> first = ask(2), second = ask(1);
  for (size_t k = 0; k < first.size(); ++k) {
    EXPECT_FALSE(first[k].cached);
    EXPECT_TRUE(second[k].cached);
    EXPECT_EQ(first[k].verdict, second[k].verdict);
    EXPECT_EQ(first[k].solver, second[k].solver);
    ASSERT_EQ(first[k].model.size(), second[k].model.size());
    for (size_t v = 0; v < first[k].model.size(); ++v) EXPECT_EQ(first[k].model[v].second, second[k].model[v].second);
  }
  EXPECT_EQ(first[0].verdict, Verdict::Refuted);
  EXPECT_EQ(first[1].verdict, Verdict::Proved);
}

}  // namespace cache_test
}  // namespace hexproof
