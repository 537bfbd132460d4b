// Texts that are compiled in: fuzz/seeds/seeds.cmake makes texts.cpp of files.
#pragma once
#include <vector>

namespace hexproof {

struct SeedText {
  const char* path;
  const char* text;
};
/// fuzz/seeds/steps/*.txt and tests/rewrite/needs/*.txt
const std::vector<SeedText>& step_seed_texts();
/// fuzz/seeds/questions/*.txt
const std::vector<SeedText>& question_texts();
/// tests/found/*/expect and the programs beside them.
const std::vector<SeedText>& found_texts();

}  // namespace hexproof
