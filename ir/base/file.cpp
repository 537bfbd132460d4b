#include "ir/base/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "ir/base/diagnostic.h"
#include "ir/base/interrupt.h"

namespace hexproof {
namespace fs = std::filesystem;
namespace {

void stage(const std::string& path) { remember_path(hold_interrupts(), path); }

[[noreturn]] void fail(const std::string& what, const std::string& path) {
  throw Error("cannot " + what + " '" + path + "': " + std::strerror(errno));
}

std::string temporary_name(const std::string& path) { return path + ".tmp-" + std::to_string(::getpid()); }

}  // namespace

std::string read_file(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw Error("cannot read '" + path + "': it is a folder");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) fail("read", path);
  std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.bad()) fail("read", path);
  return bytes;
}

void write_file(const std::string& path, std::string_view bytes, bool executable) {
  std::string temporary = temporary_name(path);
  stage(temporary);
  errno = 0;
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  bool failed =
      !out || (executable && ::chmod(temporary.c_str(), 0755) != 0) || ::rename(temporary.c_str(), path.c_str()) != 0;
  int reason = errno;
  if (failed) ::unlink(temporary.c_str());
  forget_path(temporary);
  errno = reason;
  if (failed) fail("write", path);
}

OutputFolder::OutputFolder(std::string path) : path_(std::move(path)) {
  while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
  std::error_code error;
  if (fs::exists(path_, error)) {
    bool ours =
        fs::is_directory(path_, error) && (fs::is_empty(path_, error) || fs::exists(path_ + "/certificate.json"));
    if (!ours) throw Error("'" + path_ + "' exists and is no certificate folder; it stays as it is");
  }
  staging_ = temporary_name(path_);
  stage(staging_);
  fs::remove_all(staging_, error);
  errno = 0;
  if (!fs::create_directories(staging_, error)) {
    forget_path(staging_);
    throw Error("cannot make the folder '" + path_ + "': " + error.message());
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
  std::string old = path_ + ".old-" + std::to_string(::getpid());
  bool had = fs::exists(path_, error);
  if (had) fs::rename(path_, old, error);
  fs::rename(staging_, path_, error);
  if (error) {
    std::error_code ignored;
    if (had) fs::rename(old, path_, ignored);
    throw Error("cannot write the folder '" + path_ + "': " + error.message());
  }
  fs::remove_all(old, error);
}

}  // namespace hexproof
