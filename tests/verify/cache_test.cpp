#include "verify/prove/solvers/cache.h"

#include <gtest/gtest.h>
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
  void garbage() {
    std::ofstream(path, std::ios::binary) << std::string(9000, 'x');
    fs::remove(path + "-wal");
    fs::remove(path + "-shm");
  }
};

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

}  // namespace
}  // namespace hexproof
