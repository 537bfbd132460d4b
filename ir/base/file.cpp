#include "ir/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <set>

#include "ir/base/codes.h"
#include "ir/base/diagnostic.h"
#include "ir/base/interrupt.h"

namespace hexproof {
namespace fs = std::filesystem;
namespace {

void stage(const std::string& path) { remember_path(hold_interrupts(), path); }

[[noreturn]] void fail(const std::string& what, const std::string& path) {
  throw CodedError(what == "read" ? Code::CannotRead : Code::CannotWrite,
                   "cannot " + what + " '" + path + "': " + std::strerror(errno));
}

std::string temporary_name(const std::string& path) { return path + ".tmp-" + std::to_string(::getpid()); }

/// An open file that is closed in the end; `close` says whether all was written.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  int number() const { return number_; }
  bool close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

/// What becomes of what stands where a file is written to.
struct Place {
  enum class Way : uint8_t {
    Replace,  // nothing, or a regular file: written beside it, then renamed
    Rewrite,  // a file with several names, or with none: written in place
    Through,  // a device, a pipe
  };
  std::string given, path;  // as it is named, and behind its links
  Way way = Way::Replace;
  std::optional<struct stat> old;  // gives its mode and owner

  /// Error where it may not be written.
  explicit Place(const std::string& name) : given(name), path(behind_links(name)) {
    struct stat seen = {};
    errno = 0;
    if (::stat(path.c_str(), &seen) != 0) return;
    old = seen;
    if (!S_ISREG(seen.st_mode)) {
      way = Way::Through;
    } else if (seen.st_nlink != 1) {
      way = Way::Rewrite;
    }
    if (S_ISDIR(seen.st_mode) || S_ISSOCK(seen.st_mode)) {
      errno = S_ISDIR(seen.st_mode) ? EISDIR : ENXIO;
      fail("write", given);
    }
    if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) fail("write", given);
  }
};

/// Into what stands there.
void write_through(const Place& to, std::string_view bytes) {
  const int anew = to.way == Place::Way::Rewrite ? O_TRUNC : 0;
  Descriptor out(::open(to.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | anew));
  if (out.number() < 0 || !write_all(out.number(), bytes) || !out.close()) fail("write", to.given);
}

/// A file beside the path, which becomes it by a new name.
int open_beside(const std::string& temporary, bool as_old) {
  stage(temporary);
  errno = 0;
  return ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, as_old ? 0600 : 0666);
}

/// Can a file be made beside the path? Otherwise `errno` says why.
bool takes_files(const std::string& path) {
  const std::string temporary = temporary_name(path);
  Descriptor out(open_beside(temporary, true));
  const int reason = errno;
  if (out.number() >= 0) ::unlink(temporary.c_str());
  forget_path(temporary);
  errno = reason;
  return out.number() >= 0;
}

/// Beside the path, then renamed.
void replace(const Place& to, std::string_view bytes) {
  const auto& [given, path, way, old] = to;
  std::string temporary = temporary_name(path);
  Descriptor out(open_beside(temporary, old.has_value()));
  bool done = out.number() >= 0;
  // Only who may give a file away can keep its owner; a change of owner takes special bits of the mode away.
  if (done && old && ::fchown(out.number(), old->st_uid, old->st_gid) != 0) errno = 0;
  done = done && (!old || ::fchmod(out.number(), old->st_mode & 07777) == 0) && write_all(out.number(), bytes) &&
         out.close() && ::rename(temporary.c_str(), path.c_str()) == 0;
  int reason = errno;
  if (!done) ::unlink(temporary.c_str());
  forget_path(temporary);
  errno = reason;
  if (!done) fail("write", given);
}

/// Of what stands at the path of a certificate's folder: why it is not replaced; empty: it may be.
std::string why_it_stays(const std::string& path) {
  std::error_code error;
  if ((fs::current_path(error).string() + "/").starts_with(path + "/")) return "holds the current folder";
  if (!fs::exists(fs::symlink_status(path, error)) || (fs::is_directory(path, error) && fs::is_empty(path, error)))
    return {};
  std::set<std::string> listed{"SHA256SUMS"};
  if (fs::symlink_status(path + "/SHA256SUMS", error).type() != fs::file_type::regular)
    return "is no certificate folder";
  std::ifstream sums(path + "/SHA256SUMS");
  for (std::string line; std::getline(sums, line);)
    listed.insert(line.substr(std::min(line.find("  ") + 2, line.size())));
  if (!listed.count("certificate.json")) return "is no certificate folder";
  for (auto at = fs::recursive_directory_iterator(path, error); !error && at != fs::end(at); at.increment(error)) {
    const std::string name = fs::relative(at->path(), path, error).string();
    if (!fs::is_directory(at->symlink_status()) && !listed.count(name))
      return "holds '" + name + "', which no certificate has";
  }
  return error ? "cannot be read: " + error.message() : std::string();
}

/// Without links and "..", whatever of it is there.
std::string without_links(const std::string& path) {
  std::error_code error;
  std::string out = fs::weakly_canonical(fs::absolute(behind_links(path), error), error).string();
  while (out.size() > 1 && out.back() == '/') out.pop_back();
  return error ? path : out;
}

/// The path, or else the folder nearest around it that is there.
fs::path nearest_there(fs::path path) {
  std::error_code error;
  while (path.has_relative_path() && fs::symlink_status(path, error).type() == fs::file_type::not_found)
    path = path.parent_path();
  return path;
}

std::atomic<bool> written = false;

}  // namespace

bool anything_written() { return written; }

std::string read_file(const std::string& path) {
  // To the end; of a pipe, too.
  const auto all_of = [](std::istream& in, const std::string& name) {
    std::string bytes;
    char part[1 << 14];
    while (in.read(part, sizeof part) || in.gcount() > 0) bytes.append(part, static_cast<size_t>(in.gcount()));
    if (in.bad()) fail("read", name);
    return bytes;
  };
  if (path == "-") return all_of(std::cin, "standard input");
  std::error_code error;
  if (fs::is_directory(path, error)) throw CodedError(Code::CannotRead, "cannot read '" + path + "': it is a folder");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) fail("read", path);
  return all_of(in, path);
}

std::string behind_links(const std::string& path) {
  fs::path at = path;
  std::error_code error;
  for (int links = 0; fs::is_symlink(at, error); ++links) {
    if (links == 40)
      throw CodedError(Code::CannotWrite, "cannot write '" + path + "': its symbolic links run in a circle");
    fs::path to = fs::read_symlink(at, error);
    if (error) break;
    if (!to.is_absolute()) to = at.parent_path() / to;
    // (What /proc/self/fd/1 stands for may have no path: the text of the link is none then.)
    if (!fs::exists(fs::symlink_status(to, error)) && fs::exists(fs::status(at, error))) break;
    at = to;
  }
  return at.string();
}

void write_file(const std::string& path, std::string_view bytes, bool executable) {
  if (path == "-") {
    std::fflush(stdout);
    if (!write_all(STDOUT_FILENO, bytes)) fail("write", "standard output");
    written = true;
    return;
  }
  const Place place(path);
  place.way == Place::Way::Replace ? replace(place, bytes) : write_through(place, bytes);
  written = true;
  if (executable && ::chmod(place.path.c_str(), 0755) != 0) fail("write", path);
}

void demand_writable(const std::string& path) {
  if (path == "-") {
    errno = EBADF;
    const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) fail("write", "standard output");
    return;
  }
  const Place place(path);
  if (place.way == Place::Way::Replace && !takes_files(place.path)) fail("write", path);
  if (place.way == Place::Way::Rewrite && Descriptor(::open(place.path.c_str(), O_WRONLY | O_CLOEXEC)).number() < 0)
    fail("write", path);
}

void demand_folder(const std::string& path) {
  if (path == "-") throw CodedError(Code::CannotWrite, "a folder cannot go to standard output");
  if (!takes_files(nearest_there(without_links(path)) / "file"))
    throw CodedError(Code::CannotWrite, "cannot make files in '" + path + "': " + std::strerror(errno));
}

void OutputFolder::demand(const std::string& path) {
  if (path == "-") throw CodedError(Code::CannotWrite, "a folder cannot go to standard output");
  const std::string place = without_links(path);
  if (std::string why = why_it_stays(place); !why.empty()) {
    throw CodedError(Code::CannotWrite, "'" + path + "' " + why + "; it stays as it is");
  }
  demand_folder(fs::path(place).parent_path().string());
}

OutputFolder::OutputFolder(const std::string& path) : path_(without_links(path)) {
  demand(path);
  // (Folders around it that are missing come with it, not before; two threads may make two of one name in them.)
  static std::atomic<int> count = 0;
  const fs::path place = path_;
  staging_ = temporary_name(nearest_there(place.parent_path()) / place.filename()) + "-" + std::to_string(count++);
  std::error_code error;
  stage(staging_);
  fs::remove_all(staging_, error);
  errno = 0;
  if (!fs::create_directories(staging_, error)) {
    forget_path(staging_);
    throw CodedError(Code::CannotWrite, "cannot make the folder '" + path_ + "': " + error.message());
  }
}

OutputFolder::~OutputFolder() {
  std::error_code error;
  fs::remove_all(staging_, error);
  forget_path(staging_);
}

void OutputFolder::write(const std::string& name, std::string_view bytes, bool executable) {
  std::error_code error;
  fs::create_directories(fs::path(staged(name)).parent_path(), error);
  errno = 0;
  std::ofstream out(staged(name), std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out || (executable && ::chmod(staged(name).c_str(), 0755) != 0)) fail("write", path_ + "/" + name);
}

void OutputFolder::commit() {
  std::error_code error;
  // Somebody may have put something there meanwhile.
  if (std::string why = why_it_stays(path_); !why.empty()) {
    throw CodedError(Code::CannotWrite, "'" + path_ + "' " + why + "; it stays as it is");
  }
  fs::create_directories(fs::path(path_).parent_path(), error);
  const bool had = fs::exists(path_, error);
  if (had) fs::permissions(staging_, fs::status(path_, error).permissions(), error);
  const std::string old = path_ + ".old-" + std::to_string(::getpid());
  {
    // An interrupt finds the one or the other under the name.
    const InterruptLock held = hold_interrupts();
    const bool exchanged =
        had && ::renameat2(AT_FDCWD, staging_.c_str(), AT_FDCWD, path_.c_str(), RENAME_EXCHANGE) == 0;
    if (had && !exchanged) {  // a file system that cannot
      remember_path(held, old);
      fs::rename(path_, old, error);
    }
    if (!exchanged && !error) fs::rename(staging_, path_, error);
    std::error_code ignored;
    if (error && had && !exchanged) fs::rename(old, path_, ignored);
    written = written || !error;
  }
  std::error_code ignored;
  if (!error) fs::remove_all(old, ignored);
  forget_path(old);
  if (error) throw CodedError(Code::CannotWrite, "cannot write the folder '" + path_ + "': " + error.message());
}

}  // namespace hexproof
