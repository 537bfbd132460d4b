// A certificate's folder replaces nothing of somebody else's, also while it is made.
#include "ir/base/file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

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

}  // namespace file_test
}  // namespace hexproof
