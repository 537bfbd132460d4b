#include "fuzz/steps/disturb.h"

#include <cctype>
#include <utility>
#include <vector>

namespace hexproof {
namespace {

using Json = nlohmann::ordered_json;

/// `value` in its place becomes each of `out`.
void disturb(const Json& value, std::vector<Json>* out);

void disturb_number(int64_t number, std::vector<Json>* out) {
  for (int64_t other : {number + 1, number - 1, int64_t{0}, int64_t{127}}) {
    if (other != number) out->push_back(other);
  }
}

void disturb_map(const std::string& text, std::vector<Json>* out) {
  static const std::vector<std::pair<std::string, std::string>> kOperators = {
      {" // ", " % "}, {" % ", " // "}, {" + ", " - "}, {" - ", " + "}, {" * ", " + "}};
  const size_t body = text.find('[');
  auto put = [&](size_t at, size_t length, const std::string& token) {
    out->push_back(text.substr(0, at) + token + text.substr(at + length));
  };
  for (size_t at = body; at < text.size(); ++at) {
    for (const auto& [from, to] : kOperators) {
      if (text.compare(at, from.size(), from) == 0) put(at, from.size(), to);
    }
    auto is_digit = [&](size_t k) { return std::isdigit(static_cast<unsigned char>(text[k])) != 0; };
    if (!is_digit(at) || std::isalnum(static_cast<unsigned char>(text[at - 1]))) continue;
    size_t end = at;
    while (end < text.size() && end - at < 9 && is_digit(end)) ++end;
    const int number = std::stoi(text.substr(at, end - at));
    put(at, end - at, std::to_string(number + 1));
    if (number > 0) put(at, end - at, std::to_string(number - 1));
  }
}

void disturb(const Json& value, std::vector<Json>* out) {
  if (value.is_number_integer()) return disturb_number(value.get<int64_t>(), out);
  if (value.is_string() && value.get<std::string>().starts_with("lambda ")) return disturb_map(value, out);
  if (!value.is_structured()) return;
  for (const auto& [key, part] : value.items()) {
    std::vector<Json> others;
    disturb(part, &others);
    for (Json& other : others) {
      Json whole = value;
      (whole.is_array() ? whole[std::stoul(key)] : whole[key]) = std::move(other);
      out->push_back(std::move(whole));
    }
  }
}

}  // namespace

std::optional<StepRequest> disturbed(const StepRequest& step, uint64_t number) {
  std::vector<Json> all;
  disturb(step.args, &all);
  if (all.empty()) return std::nullopt;
  return StepRequest{step.rule, std::move(all[number % all.size()])};
}

}  // namespace hexproof
