// The files that a command line names: none of them may be another one, and each output must be one that can be
// written.
#pragma once
#include <string>
#include <vector>

namespace hexproof::tools {

/// A path of the command line, and how the user names it: "--json", "FILE".
struct Given {
  std::string option, path;  // no path: not given
};

struct GivenFiles {
  std::vector<Given> inputs = {};
  std::vector<Given> outputs = {};
  std::vector<Given> folders = {};  // outputs that are replaced as a whole
  std::vector<Given> made = {};     // folders that outputs go into; made where they are missing
  std::vector<Given> sources = {};  // folders that are inputs: no output goes into them
};

/// Error, and nothing was written, when two outputs, or an output and an input, are one file by any names, when an
/// input or output lies in a folder that is replaced, or an output in one that is an input (both by any names of the
/// files in it), or when standard input ("-") would be read twice. Devices are not looked at: what goes to /dev/null
/// twice harms nobody.
void demand_distinct(const GivenFiles& files);
/// Error where it is known before the work that an output, a folder that is replaced or one that is made cannot be
/// written. What is known later only: a disk that is full, a pipe whose reader goes.
void demand_writable(const GivenFiles& files);
/// As demand_distinct, of an output whose name is known only now, against what was given there.
void demand_free(const std::string& path, const std::string& option);
/// Files that schedules and scripts have read besides those of the command line are inputs, too: what they import.
/// Error when an output, a file or a folder that is replaced, is such an input or holds one. (No path: nothing.)
void demand_unread(const Given& output);
/// Writes an output of the command that is none of these. (No path: nothing.)
void write_output(const Given& output, const std::string& text);

}  // namespace hexproof::tools
