// Folders that somebody else may have written: nothing but regular files is opened.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace hexproof {

/// The bytes of a file that stands in a folder. An Error names it where it is no regular file (a pipe would hold its
/// reader up, and a link may lead out of the folder), is larger than 1 GiB, or cannot be read.
std::string read_regular_file(const std::string& path);

/// What stands in a folder, by the names below it ("steps/001-split.py").
struct FolderFiles {
  std::map<std::string, std::string> bytes;  // of the regular files
  std::vector<std::string> others;           // links, pipes, devices, folders with nothing in them; in order
};
/// Reads all of it. Error when it is no folder, holds more than 4 GiB, or cannot be read.
FolderFiles read_folder(const std::string& folder);

/// "DIGEST  NAME" per file but SHA256SUMS, as sha256sum writes and checks it there.
std::string sums_of(const std::map<std::string, std::string>& files);

}  // namespace hexproof
