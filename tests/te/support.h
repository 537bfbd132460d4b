// Scripts of tensor expressions, run as the command runs them.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "hexproof/schedule.h"
#include "rewrite/te/reader.h"

namespace hexproof::te {

inline std::string script_file(const std::string& name) {
  return std::string(HEXPROOF_SOURCE_DIR) + "/tests/te/scripts/" + name + ".py";
}

/// A file that holds the text, as long as this lives.
class ScriptText {
 public:
  explicit ScriptText(const std::string& text) {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("hexproof_te_" + std::to_string(::getpid()) + "_" + std::to_string(count++) + ".py");
    std::ofstream(path_) << text;
  }
  ~ScriptText() { std::filesystem::remove(path_); }
  ScriptText(const ScriptText&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

inline api::Session& session() {
  static api::Session one(api::Limits{.jobs = 2});
  return one;
}

/// The program that the script makes: every step proved, and judged by what knows no rule (check, equivalence with the
/// naive program, runs of both).
inline std::string made_by_file(const std::string& path) {
  try {
    const api::TensorScript script = api::read_tensor_script(path);
    const api::Scheduled done = api::schedule(script.program, script.schedule, {.thorough = true}, session());
    EXPECT_EQ(done.verdict, api::Verdict::Proved) << path << done.disagreement.witness;
    return done.program;
  } catch (const api::Failure& e) {
    ADD_FAILURE() << e.what();
    return "";
  }
}
inline std::string made_by(const std::string& text) { return made_by_file(ScriptText(text).path()); }

/// The naive program of the script.
inline std::string naive(const std::string& text) {
  const ScriptText file(text);
  return api::read_tensor_script(file.path()).program.text();
}

struct Complaint {
  api::Failure::Kind kind = api::Failure::Kind::Internal;
  int line = 0;
  std::string text;
};
/// What the script is refused with.
inline Complaint refused(const std::string& text) {
  const ScriptText file(text);
  try {
    const api::TensorScript script = api::read_tensor_script(file.path());
    api::schedule(script.program, script.schedule, {}, session());
  } catch (const api::Failure& e) {
    return {e.kind, e.line, e.what()};
  }
  ADD_FAILURE() << "it went through:\n" << text;
  return {};
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
#define EXPECT_HAS(text, part) EXPECT_TRUE(has(text, part)) << "no '" << (part) << "' in\n" << (text)

}  // namespace hexproof::te
