// What is read from outside, never more of it than it may be.
#pragma once
#include <string>

namespace hexproof {

/// A file, a pipe, or standard input for "-". An Error names it when it cannot be read; a folder cannot.
class InputFile {
 public:
  explicit InputFile(std::string path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// The next bytes, as many as there are, and at most so many.
  std::string read(size_t most);

 private:
  [[noreturn]] void fail() const;

  std::string path_;
  int file_;
};

/// All of it; an Error where that is more than 16 MB, which no text of a person's is.
std::string read_bounded(const std::string& path);

}  // namespace hexproof
