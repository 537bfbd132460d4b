// The corpus of program pairs below tests/equiv/pairs.
//
// A file holds a function `before`, and functions whose names start with right, wrong or vacuous: each of them is
// compared with `before`. Comments may hold lines of these forms; those above the first function are for all
// functions of the file, those right above another one for it alone (and replace the former for the same name):
//
//   # layout: A = lambda i: [i // 4, i % 4]     how the cells of an argument correspond
//   # pad: A = 0                                 what its padding holds (a number, or undef)
//   # logical-only: A                            its padding is not observed
//   # fp: reassoc nsz                            granted to both programs
//   # one-way: why                               the programs exchanged are no right pair
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "ir/base/diagnostic.h"
#include "ir/base/file.h"
#include "ir/text/text.h"
#include "rewrite/schedule/reader.h"
#include "verify/equiv/pair.h"

namespace hexproof::corpus {

enum class Kind : uint8_t { Right, Wrong, Vacuous };

/// One comparison of the corpus.
struct Entry {
  std::string name;  // "layouts/pack/wrong_2"
  Kind kind = Kind::Right;
  PrimFunc before, after;
  RelationRequest relation;
  bool one_way = false;
};

inline std::string trimmed(const std::string& text) {
  size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/// The lines of comments of a file: under "" those of all functions, under a function's name its own.
inline std::map<std::string, std::vector<std::string>> comments_of(const std::string& text) {
  std::map<std::string, std::vector<std::string>> out;
  std::vector<std::string> pending;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) {
      pending.push_back(trimmed(line.substr(1)));
    } else if (line.starts_with("def ")) {
      std::string name = line.substr(4, line.find('(') - 4);
      auto& place = out[name == "before" ? "" : name];
      place.insert(place.end(), pending.begin(), pending.end());
      pending.clear();
    }
  }
  return out;
}

/// The relation that comments state, and the flags that they grant.
inline void read_comments(const std::vector<std::string>& comments, const std::string& path, Entry& entry,
                          std::string& flags) {
  RelationRequest& relation = entry.relation;
  for (const std::string& comment : comments) {
    size_t colon = comment.find(':');
    std::string key = comment.substr(0, std::min(colon, comment.size()));
    std::string rest = colon == std::string::npos ? "" : trimmed(comment.substr(colon + 1));
    size_t equal = rest.find('=');
    std::string name = trimmed(rest.substr(0, std::min(equal, rest.size())));
    std::string value = equal == std::string::npos ? "" : trimmed(rest.substr(equal + 1));
    if (key == "layout") {
      relation.layouts[name] = read_index_map(std::make_shared<const SourceFile>(SourceFile{path, value}));
    } else if (key == "pad") {
      relation.pads[name] = value;
    } else if (key == "logical-only") {
      relation.logical_only.push_back(rest);
    } else if (key == "fp") {
      flags = rest;
    } else if (key == "one-way") {
      entry.one_way = true;
    }
  }
}

inline std::vector<Entry> read_entries(const std::filesystem::path& root, const std::filesystem::path& file) {
  auto source = std::make_shared<const SourceFile>(SourceFile{file.string(), read_file(file.string())});
  IRModule module = parse_module(source);
  auto comments = comments_of(source->text);
  std::vector<Entry> out;
  for (const PrimFunc& after : module.functions) {
    if (after.name == "before") continue;
    Entry entry;
    auto is = [&](const char* prefix) { return after.name.rfind(prefix, 0) == 0; };
    if (!is("right") && !is("wrong") && !is("vacuous")) throw Error(after.span, "right, wrong or vacuous?");
    entry.kind = is("right") ? Kind::Right : is("wrong") ? Kind::Wrong : Kind::Vacuous;
    std::filesystem::path place = std::filesystem::relative(file, root);
    entry.name = place.replace_extension("").string() + "/" + after.name;
    entry.before = pick_function(module, "before");
    entry.after = after;
    std::string flags;
    read_comments(comments[""], file.string(), entry, flags);
    read_comments(comments[after.name], file.string(), entry, flags);
    if (!flags.empty()) entry.before.attrs[kFastMathAttribute] = entry.after.attrs[kFastMathAttribute] = flags;
    out.push_back(std::move(entry));
  }
  return out;
}

inline std::vector<std::filesystem::path> corpus_files(const std::filesystem::path& root) {
  std::vector<std::filesystem::path> out;
  for (const auto& file : std::filesystem::recursive_directory_iterator(root)) {
    if (file.path().extension() == ".py") out.push_back(file.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// All entries, in the order of their names. A file that cannot be read is an Error.
inline const std::vector<Entry>& all_entries() {
  static const std::vector<Entry> entries = [] {
    std::filesystem::path root = std::filesystem::path(HEXPROOF_SOURCE_DIR) / "tests" / "equiv" / "pairs";
    std::vector<Entry> out;
    for (const auto& file : corpus_files(root)) {
      for (Entry& entry : read_entries(root, file)) out.push_back(std::move(entry));
    }
    return out;
  }();
  return entries;
}

/// The name as GoogleTest allows it in a parameter.
inline std::string test_name(const std::string& name) {
  std::string out = name;
  for (char& c : out) {
    if (!isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return out;
}

}  // namespace hexproof::corpus
