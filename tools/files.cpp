#include "tools/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>

#include "ir/base/codes.h"
#include "ir/base/diagnostic.h"
#include "ir/base/file.h"
#include "tools/python/files_read.h"

namespace hexproof::tools {
namespace {

namespace fs = std::filesystem;

std::string canonical(const std::string& path) {
  std::error_code error;
  fs::path out = fs::weakly_canonical(fs::absolute(behind_links(path), error), error);
  return error ? path : out.string();
}

/// What tells a file from another one: its inode, its path where there is none yet, and that it is a standard one.
std::set<std::string> identities(const std::string& path, bool output) {
  std::set<std::string> out;
  struct stat seen = {};
  bool there = false;
  if (path == "-") {
    out.insert(output ? "stdout" : "stdin");
    there = ::fstat(output ? STDOUT_FILENO : STDIN_FILENO, &seen) == 0;
  } else {
    there = ::stat(path.c_str(), &seen) == 0;
    if (!there) out.insert("path " + canonical(path));
  }
  if (there && !S_ISCHR(seen.st_mode)) {
    out.insert("inode " + std::to_string(seen.st_dev) + ":" + std::to_string(seen.st_ino));
  }
  return out;
}

struct Known {
  Given given;
  bool output;
  std::set<std::string> identities;
};

[[noreturn]] void refuse(const Known& a, const Known& b) {
  std::string words = a.given.option + " (" + a.given.path + ") and " + b.given.option + " (" + b.given.path + ")";
  throw CodedError(Code::SameFile, words + " are one file: " +
                                       (a.output && b.output   ? "the second output would replace the first"
                                        : a.output || b.output ? "the output would replace the input"
                                                               : "it can be read once") +
                                       "; nothing was written");
}

bool inside(const std::string& path, const std::string& folder) {
  return path != "-" && canonical(path).starts_with(canonical(folder) + "/");
}

/// Is it a file in the folder: by its path; an output by another name of such a file, too?
bool stands_in(const Known& one, const std::string& folder) {
  bool found = inside(one.given.path, folder);
  std::error_code error;
  using All = fs::recursive_directory_iterator;
  All at = one.output ? All(folder, fs::directory_options::skip_permission_denied, error) : All();
  for (; !found && !error && at != All(); at.increment(error)) {
    for (const std::string& identity : identities(at->path().string(), false)) {
      found |= one.identities.count(identity) > 0;
    }
  }
  return found;
}

/// What the command was given, for what it names only in the end.
std::vector<Known>& all_known() {
  static std::vector<Known> known;
  return known;
}

/// What was read besides. The thread that ends a run which is out of time takes what is known: Python may still run.
std::vector<std::string> read_besides() {
  static std::mutex lock;
  static std::vector<std::string> known;
  if (::gettid() == ::getpid()) {
    std::vector<std::string> now = python::files_read();
    const std::lock_guard held(lock);
    known = std::move(now);
  }
  const std::lock_guard held(lock);
  return known;
}

}  // namespace

void demand_free(const std::string& path, const std::string& option) {
  const Known one{{option, path}, true, identities(path, true)};
  for (const Known& other : all_known()) {
    if (other.given.option == option) continue;
    for (const std::string& identity : one.identities) {
      if (other.identities.count(identity)) refuse(other, one);
    }
  }
}

void demand_unread(const Given& output) {
  if (output.path.empty()) return;
  const Known one{output, true, identities(output.path, true)};
  for (const std::string& path : read_besides()) {
    const Known input{{"an imported file", path}, false, identities(path, false)};
    if (inside(path, output.path)) refuse(input, one);
    for (const std::string& identity : one.identities) {
      if (input.identities.count(identity)) refuse(input, one);
    }
  }
}

void write_output(const Given& output, const std::string& text) {
  demand_unread(output);
  if (!output.path.empty()) write_file(output.path, text);
}

void demand_writable(const GivenFiles& files) {
  for (const Given& folder : files.made) {
    if (!folder.path.empty()) demand_folder(folder.path);
  }
  for (const Given& folder : files.folders) {
    if (!folder.path.empty()) OutputFolder::demand(folder.path);
  }
  for (const Given& output : files.outputs) {
    // (What goes into a folder that is made waits for it.)
    const bool waits = std::any_of(files.made.begin(), files.made.end(), [&](const Given& folder) {
      std::error_code error;
      return !folder.path.empty() && inside(output.path, folder.path) && !fs::exists(folder.path, error);
    });
    if (!output.path.empty() && !waits) hexproof::demand_writable(output.path);
  }
}

void demand_distinct(const GivenFiles& files) {
  std::vector<Known>& known = all_known();
  known.clear();
  auto add = [&](const std::vector<Given>& list, bool output) {
    for (const Given& given : list) {
      if (given.path.empty()) continue;
      Known one{given, output, identities(given.path, output)};
      for (const Known& other : known) {
        // One file may be read under two names, but standard input only once.
        bool both_inputs = !output && !other.output;
        for (const std::string& identity : one.identities) {
          if (both_inputs && identity != "stdin") continue;
          if (other.identities.count(identity)) refuse(other, one);
        }
      }
      known.push_back(std::move(one));
    }
  };
  add(files.inputs, false);
  add(files.outputs, true);
  add(files.folders, true);
  for (const Given& folder : files.folders) {
    if (folder.path.empty()) continue;
    for (const Known& one : known) {
      if (!stands_in(one, folder.path)) continue;
      throw CodedError(Code::SameFile, one.given.option + " (" + one.given.path + ") lies in the folder that " +
                                           folder.option + " (" + folder.path + ") replaces; nothing was written");
    }
  }
  for (const Given& source : files.sources) {
    for (const Known& one : known) {
      if (!one.output || (!stands_in(one, source.path) && canonical(one.given.path) != canonical(source.path)))
        continue;
      throw CodedError(Code::SameFile, one.given.option + " (" + one.given.path + ") goes into the folder " +
                                           source.option + " (" + source.path +
                                           "), which is an input; nothing was written");
    }
  }
}

}  // namespace hexproof::tools
