// What a command reports as data, in a folder of its own.
#pragma once
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ir/interpreter/interpreter.h"
#include "tests/tools/command_line.h"

namespace hexproof {
namespace counterexample_test {

using Json = nlohmann::json;
namespace fs = std::filesystem;

inline std::string folder(const std::string& name) {
  std::string path = testing::TempDir() + "/" + std::to_string(::getpid()) + "-" + name;
  fs::remove_all(path);
  return path;
}

struct Reported {
  CommandResult result;
  Json json;
};
inline Reported reported(const std::string& arguments) {
  std::string path = folder("counterexample.json");
  CommandResult result = hexproof_command(arguments + " --json " + path);
  return {result, fs::exists(path) ? Json::parse(read_file(path)) : Json()};
}

inline int32_t element(const Tensor& tensor, int64_t at) {
  int32_t out = 0;
  std::memcpy(&out, tensor.data.data() + at * 4, 4);
  return out;
}

}  // namespace counterexample_test
}  // namespace hexproof
