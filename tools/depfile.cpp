#include "tools/depfile.h"

#include <algorithm>

#include "ir/base/codes.h"
#include "ir/base/diagnostic.h"
#include "ir/base/utf8.h"
#include "tools/python/files_read.h"

namespace hexproof::tools {
namespace {

/// Backslashes in front of one that quotes are quoted, too. A line end cannot be.
std::string in_make(const std::string& path) {
  std::string out;
  size_t backslashes = 0;  // at the end of `out`
  for (char c : path) {
    if (c == '\n' || c == '\r')
      throw CodedError(Code::CannotWrite,
                       "the name of the file '" + visible(path) + "' cannot stand in a rule of make");
    if (c == ' ' || c == '\t' || c == '#' || c == ':') out += std::string(backslashes + 1, '\\');
    out += c;
    if (c == '$') out += '$';
    backslashes = c == '\\' ? backslashes + 1 : 0;
  }
  return out;
}

}  // namespace

CLI::Option* add_depfile(CLI::App& command, std::string& file) {
  return command.add_option("--depfile", file,
                            "write what the output is made of, as a rule of make: also what the schedule imports");
}

std::string depfile_text(const std::string& made, const std::vector<std::string>& given) {
  std::vector<std::string> files;
  for (const std::string& path : given) {
    if (!path.empty() && path != "-") files.push_back(path);
  }
  for (const std::string& path : python::files_read()) {
    if (std::find(files.begin(), files.end(), path) == files.end()) files.push_back(path);
  }
  std::string out = in_make(made) + ":";
  for (const std::string& path : files) out += " \\\n " + in_make(path);
  return out + "\n";
}

}  // namespace hexproof::tools
