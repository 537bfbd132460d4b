// Runs the built command as a user does.
#pragma once
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "ir/base/digest.h"
#include "ir/base/file.h"

namespace hexproof {

struct CommandResult {
  int code;          // exit code, or 128 + signal
  std::string text;  // standard output and error together
};

/// A line as the shell runs it.
inline CommandResult run_line(const std::string& line) {
  FILE* pipe = ::popen((line + " 2>&1").c_str(), "r");
  CommandResult out{-1, ""};
  char buffer[4096];
  while (size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) out.text.append(buffer, n);
  int status = ::pclose(pipe);
  out.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return out;
}

/// `arguments` is put behind the command as the shell reads it. Proofs are not kept between runs unless the
/// arguments name a cache.
inline CommandResult hexproof_command(const std::string& arguments, const std::string& before = "") {
  return run_line(before + " XDG_CACHE_HOME=" + testing::TempDir() +
                  "/hexproof-cache '" HEXPROOF_BINARY_DIR "/hexproof' " + arguments);
}

/// All that is below a folder, by its name there: of a file its digest, of a link what it names.
inline std::map<std::string, std::string> contents_of(const std::string& folder) {
  namespace fs = std::filesystem;
  std::map<std::string, std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    out[fs::relative(entry.path(), folder).generic_string()] =
        entry.is_symlink()        ? "link to " + fs::read_symlink(entry.path()).string()
        : entry.is_regular_file() ? sha256(read_file(entry.path().string()))
                                  : "no file";
  }
  return out;
}

/// A file with this text in the tests' temporary folder.
inline std::string temporary(const std::string& name, const std::string& text) {
  std::string path = testing::TempDir() + "/" + std::to_string(::getpid()) + "-" + name;
  write_file(path, text);
  return path;
}

}  // namespace hexproof
