// Files: read whole, written to a temporary name and renamed, so that nothing half-written is left, and nothing else
// that stands there is harmed.
#pragma once
#include <string>
#include <string_view>

namespace hexproof {

/// The bytes of a file, or of standard input for "-"; an Error names the path when it cannot be read (a folder is no
/// file).
std::string read_file(const std::string& path);

/// The path behind its symbolic links, also where nothing stands there yet. Error when they run in a circle.
std::string behind_links(const std::string& path);

/// Writes `bytes`; an Error names the path. "-" is standard output. A symbolic link is followed. A regular file is
/// replaced as a whole: written beside it, with its mode, and renamed; one that has other names (hard links) is written
/// in place, so that they stay one file. What is no regular file (a device, a pipe) is written to. `executable` sets
/// the mode 755.
void write_file(const std::string& path, std::string_view bytes, bool executable = false);

/// An Error, as write_file would end with it, where it is known before that nothing can be written there: the folder is
/// missing or takes no file (one is made and deleted: modes say nothing of a file system that is read-only), the file
/// may not be changed, or a folder or a socket stands there. Nothing that stands there is opened but a regular file.
void demand_writable(const std::string& path);
/// The same of files in a folder, which is made with those around it where it is missing.
void demand_folder(const std::string& path);

/// Was a file written, or a folder put in place, by this process?
bool anything_written();

/// A certificate's folder, which appears under its name only when it is complete: it is built beside `path` (or beside
/// the outermost folder around it that is missing), `commit` puts it in place (an older folder of that name goes; the
/// new one has its mode), and without `commit` it is deleted.
/// Symbolic links are followed.
class OutputFolder {
 public:
  /// Error when `path` exists and is neither empty nor a certificate (a folder whose files are all listed in its
  /// SHA256SUMS), or cannot be made.
  explicit OutputFolder(const std::string& path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  /// Error, as that of the constructor, and nothing is made.
  static void demand(const std::string& path);
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Writes a file; missing folders on the way are made.
  void write(const std::string& name, std::string_view bytes, bool executable = false);
  /// Where a file of this name stands before commit.
  std::string staged(const std::string& name) const { return staging_ + "/" + name; }
  void commit();

 private:
  std::string path_, staging_;  // without links and ".."
};

}  // namespace hexproof
