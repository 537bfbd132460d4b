#include "fuzz/steps/mutate_text.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "ir/base/diagnostic.h"
#include "ir/text/text.h"

namespace hexproof {
namespace {

struct Word {
  size_t at = 0, length = 0;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_number(const std::string& word) { return std::isdigit(static_cast<unsigned char>(word[0])) != 0; }

/// The words behind the name of the function.
std::vector<Word> words_of(const std::string& text) {
  std::vector<Word> out;
  for (size_t at = text.find('(', text.find("def ")); at < text.size(); ++at) {
    if (!is_word(text[at])) continue;
    size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    out.push_back({at, end - at});
    at = end;
  }
  return out;
}

/// What may stand in its place: others of its kind, where it has one.
std::vector<std::string> kin(const std::string& word) {
  static const std::vector<std::vector<std::string>> kKinds = {{"int8", "int16", "int32", "int64", "uint8"},
                                                               {"float16", "float32", "float64"},
                                                               {"spatial", "reduce"},
                                                               {"range", "T.parallel", "T.unroll"},
                                                               {"min", "max"}};
  for (const std::vector<std::string>& kind : kKinds) {
    if (std::find(kind.begin(), kind.end(), word) != kind.end()) return kind;
  }
  return {};
}

std::vector<std::string> numbers_for(const std::string& word) {
  if (word.size() > 9 || !std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; })) return {};
  const int64_t n = std::stoll(word);
  std::vector<std::string> out;
  for (int64_t other : {n + 1, n - 1, n * 2, int64_t{0}, int64_t{127}}) {
    out.push_back(std::to_string(other));
  }
  return out;
}

}  // namespace

std::optional<PrimFunc> some_text_mutant(const PrimFunc& func, uint64_t number) {
  std::string text = print(func);
  const std::vector<Word> words = words_of(text);
  if (words.empty()) return std::nullopt;
  auto word_at = [&](size_t k) { return text.substr(words[k].at, words[k].length); };
  const Word& chosen = words[number % words.size()];
  const std::string word = text.substr(chosen.at, chosen.length);
  uint64_t rest = number / words.size();
  std::vector<std::string> others = is_number(word) ? numbers_for(word) : kin(word);
  if (others.empty() && !is_number(word)) others = {word_at(rest % words.size())}, rest /= words.size();
  if (others.empty()) return std::nullopt;
  const std::string& other = others[rest % others.size()];
  if (other == word) return std::nullopt;
  text.replace(chosen.at, chosen.length, other);
  try {
    PrimFunc out = pick_function(parse_module(text, "<mutant>"), "");
    out.granted_flags();  // an Error where there are no such ones
    return ill_formed(out).empty() ? std::optional(std::move(out)) : std::nullopt;
  } catch (const Error&) {
  } catch (const Unsupported&) {
  }
  return std::nullopt;
}

}  // namespace hexproof
