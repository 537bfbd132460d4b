// What tests of layouts share: maps as text, and both programs run under the interface relation.
#pragma once
#include <memory>
#include <string>

#include "rewrite/layout/interface.h"
#include "rewrite/schedule/reader.h"
#include "tests/rewrite/support.h"

namespace hexproof {

/// "lambda i: [i // 4, i % 4]"
inline IndexMap index_map(const std::string& text) {
  return read_index_map(std::make_shared<SourceFile>(SourceFile{"<map>", text}));
}

inline Args layout(const std::string& buffer, const IndexMap& map) { return {{"buffer", buffer}, {"map", map}}; }
inline Args layout(const std::string& buffer, const IndexMap& map, const Arg& pad) {
  return {{"buffer", buffer}, {"map", map}, {"pad_value", pad}};
}
inline Args layout(const std::string& buffer, const std::string& map) { return layout(buffer, index_map(map)); }
inline Args layout(const std::string& buffer, const std::string& map, const Arg& pad) {
  return layout(buffer, index_map(map), pad);
}

/// Runs source and result of the derivation on random inputs: no error in the result where the source has none,
/// and the interface relation at the end, padding included.
void expect_related(const Derivation& derivation, const Sizes& sizes = {}, int rounds = 10);
/// The same after one step.
void expect_related(const PrimFunc& func, const Args& args, const Sizes& sizes = {});

}  // namespace hexproof
