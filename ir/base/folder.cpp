#include "ir/base/folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "ir/base/codes.h"
#include "ir/base/diagnostic.h"
#include "ir/base/digest.h"

namespace hexproof {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLargestFile = uint64_t{1} << 30, kLargestFolder = uint64_t{1} << 32;

[[noreturn]] void cannot_read(const std::string& path, const std::string& why) {
  throw CodedError(Code::CannotRead, "cannot read '" + path + "': " + why);
}

}  // namespace

std::string read_regular_file(const std::string& path) {
  struct Opened {
    int number;
    ~Opened() { number < 0 || ::close(number); }
  } file{::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW)};
  struct stat seen = {};
  if (file.number < 0 && errno == ELOOP) cannot_read(path, "it is a symbolic link");
  if (file.number < 0 || ::fstat(file.number, &seen) != 0) cannot_read(path, std::strerror(errno));
  if (S_ISDIR(seen.st_mode)) cannot_read(path, "it is a folder");
  if (!S_ISREG(seen.st_mode)) cannot_read(path, "it is no regular file");
  if (static_cast<uint64_t>(seen.st_size) > kLargestFile) cannot_read(path, "it is larger than 1 GiB");
  std::string out(static_cast<size_t>(seen.st_size), '\0');
  size_t at = 0;
  for (ssize_t n = 1; n > 0 && at < out.size();) {
    n = ::read(file.number, out.data() + at, out.size() - at);
    if (n < 0 && errno == EINTR)
      n = 1;
    else if (n < 0)
      cannot_read(path, std::strerror(errno));
    else
      at += static_cast<size_t>(n);
  }
  out.resize(at);
  return out;
}

FolderFiles read_folder(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw CodedError(Code::CannotRead, "'" + folder + "' is no folder");
  FolderFiles out;
  uint64_t size = 0;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const fs::file_status kind = it->symlink_status(error);
    if (fs::is_directory(kind) && !fs::is_empty(it->path(), error)) continue;
    const std::string name = it->path().lexically_relative(folder).generic_string();
    if (!fs::is_regular_file(kind)) {
      out.others.push_back(name);
      continue;
    }
    std::string bytes = read_regular_file(it->path().string());
    size += bytes.size();
    if (size > kLargestFolder) cannot_read(folder, "it holds more than 4 GiB");
    out.bytes.emplace(name, std::move(bytes));
  }
  if (error) cannot_read(folder, error.message());
  std::sort(out.others.begin(), out.others.end());
  return out;
}

std::string sums_of(const std::map<std::string, std::string>& files) {
  std::string out;
  for (const auto& [name, bytes] : files) {
    if (name != "SHA256SUMS") out += sha256(bytes) + "  " + name + "\n";
  }
  return out;
}

}  // namespace hexproof
