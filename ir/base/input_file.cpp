#include "ir/base/input_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "ir/base/codes.h"

namespace hexproof {

InputFile::InputFile(std::string path)
    : path_(std::move(path)),
      file_(path_ == "-" ? STDIN_FILENO : ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY)) {
  if (file_ < 0) fail();
}

InputFile::~InputFile() {
  if (file_ != STDIN_FILENO) ::close(file_);
}

void InputFile::fail() const {
  const std::string why = errno == EISDIR ? "it is a folder" : std::strerror(errno);
  throw CodedError(Code::CannotRead,
                   "cannot read " + (path_ == "-" ? "standard input" : "'" + path_ + "'") + ": " + why);
}

std::string InputFile::read(size_t most) {
  std::string out;
  while (out.size() < most) {
    constexpr size_t kPart = 1 << 16;
    const size_t have = out.size(), part = std::min(kPart, most - have);
    out.resize(have + part);
    const ssize_t got = ::read(file_, out.data() + have, part);
    out.resize(have + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) break;
    if (got < 0 && errno != EINTR) fail();
  }
  return out;
}

std::string read_bounded(const std::string& path) {
  constexpr size_t kLimit = 16u << 20;
  std::string text = InputFile(path).read(kLimit + 1);
  if (text.size() > kLimit)
    throw CodedError(Code::CannotRead, (path == "-" ? "standard input" : "'" + path + "'") + " is larger than 16 MB");
  return text;
}

}  // namespace hexproof
