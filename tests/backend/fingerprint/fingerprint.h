// Pairs of programs and what their fingerprints say.
#pragma once
#include <gtest/gtest.h>

#include "backend/field/evaluator.h"
#include "ir/text/text.h"
#include "rewrite/schedule/reader.h"
#include "verify/equiv/equiv.h"

namespace hexproof::fingerprints {

inline PrimFunc parse(const std::string& text) {
  return pick_function(parse_module("from tvm.script import tir as T\n\n@T.prim_func\n" + text), "");
}
inline PrimFunc granting(const std::string& flags, PrimFunc func) {
  func.attrs[kFastMathAttribute] = flags;
  return func;
}
inline IndexMap layout(const std::string& text) {
  return read_index_map(std::make_shared<const SourceFile>(SourceFile{"<layout>", text}));
}

inline Evidence compare(const PrimFunc& before, const PrimFunc& after, const RelationRequest& request = {},
                        uint64_t seed = 1) {
  ProgramPair pair = pair_programs(before, after, request);
  std::optional<Instance> at = instantiate(pair, {});
  EXPECT_TRUE(at.has_value());
  Prover prover;
  auto native = make_native_evaluator();
  return equiv_fingerprint(pair, *at, prover, *native, seed);
}

inline void expect_equal(const PrimFunc& before, const PrimFunc& after, const RelationRequest& request = {}) {
  Evidence found = compare(before, after, request);
  EXPECT_TRUE(found.equal_so_far) << found.says << "\n" << print(before) << print(after);
  EXPECT_EQ(found.finding, Finding::Undecided);
  EXPECT_NE(found.says.find("fingerprint equal"), std::string::npos) << found.says;
  EXPECT_NE(found.says.find("error < 2^-"), std::string::npos) << found.says;
}
/// Not equal, and `says` holds the words.
inline Evidence expect_not_equal(const PrimFunc& before, const PrimFunc& after, const std::string& words,
                                 const RelationRequest& request = {}) {
  Evidence found = compare(before, after, request);
  EXPECT_FALSE(found.equal_so_far) << found.says;
  EXPECT_NE(found.says.find(words), std::string::npos) << found.says << "\n" << print(before) << print(after);
  return found;
}

}  // namespace hexproof::fingerprints
