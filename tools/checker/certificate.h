// The files of a certificate: what they list of each other, and the programs in them.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "ir/base/folder.h"
#include "ir/base/utf8.h"
#include "ir/function.h"
#include "tools/checker/needs.h"

namespace hexproof::checker {

using Json = nlohmann::ordered_json;

/// The certificate does not check.
class Bad : public std::runtime_error {
 public:
  Bad(const std::string& place, const std::string& why) : std::runtime_error(visible_path(place) + ": " + why) {}
};

/// Every file of the folder, with the digests that `SHA256SUMS` and `certificate.json` say.
class Files {
 public:
  explicit Files(FolderFiles folder);

  const Json& json() const { return json_; }
  /// Functions changed together: who did that is not followed.
  bool has_joint_steps() const { return json_.contains("module") && !json_.at("joint_steps").empty(); }
  const std::map<std::string, std::string>& all() const { return bytes_; }
  const std::string& text(const std::string& name) const;
  /// A module that reads, is well formed, and does not call but where `calls` says so.
  IRModule module(const std::string& name, bool calls) const;
  /// The only function of a file.
  PrimFunc program(const std::string& name) const;

 private:
  std::map<std::string, std::string> bytes_;
  Json json_;
};

/// One rule application: its name, and the programs before and after it.
struct Step {
  std::string rule, file;
  PrimFunc before, after;
  bool changes_layouts;  // of parameters: a caller's memory is another one before and after it
};
/// One function from the source to the end.
struct Chain {
  PrimFunc source, before_lowering, last;  // with what they call put in
  std::string before_file;
  Premises given;                    // what the user assumes in the function
  std::set<const void*> of_callees;  // assumes in `source` that are no user's, and that the callee was shown under
  bool unchanged = false;            // the last program is the first
  std::vector<Step> steps;
  std::vector<Need> linked;  // that what is handed over has the callee's layout, where it is no one expression
  size_t open_assumes = 0;   // assumes in `source` that nothing here shows, and shapes of arguments: believed
  size_t composed_maps = 0;  // index maps of arguments that several steps make: their text is believed
};
/// The function that was certified; or each one of a module. Throws Bad where the files are no chains: each step has a
/// program of its own, the last one is in final.py, and no parameter comes, goes or changes unless the step says so.
std::vector<Chain> chains(const Files& files);

/// The obligations of a certificate, each with a formula of its digest's name.
struct Formulas {
  size_t obligations = 0;
  std::map<std::string, Need> needs;  // by the names of their files; a model shows nothing but an assume
};
Formulas formulas(const Files& files, const std::vector<Chain>& chains);

}  // namespace hexproof::checker
