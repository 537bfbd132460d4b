#include "rewrite/report/models.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "ir/base/wide_text.h"
#include "ir/text/text.h"

namespace hexproof {
namespace {

/// "i = ", in front of a value.
std::string named(const Expr& input) { return print(input) + " = "; }

/// What is wrong with the values that are stored of a list; empty: nothing.
std::string wrong_values(const Json& stored, const GivenModel& of) {
  if (!stored.is_array()) return "is no list of values";
  std::vector<Wide> values;
  for (const Json& one : stored) {
    const std::string text = one.is_string() ? one.get<std::string>() : "";
    const size_t k = values.size();
    const std::string name = k < of.inputs.size() ? named(of.inputs[k]) : "";
    const std::optional<Wide> value =
        !name.empty() && text.starts_with(name) ? parse_wide(std::string_view(text).substr(name.size())) : std::nullopt;
    if (!value || name + to_string(*value) != text) return "'" + text + "' is no value of what is given there";
    values.push_back(*value);
  }
  std::string why;
  return holds_at(of, values, &why) ? "" : why;
}

}  // namespace

Json to_json(const GivenModels& models) {
  Json out = Json::array();
  for (const GivenModel& one : models.all()) {
    if (one.none.empty()) {
      Json values = Json::array();
      for (size_t k = 0; k < one.inputs.size(); ++k) values.push_back(named(one.inputs[k]) + to_string(one.values[k]));
      out.push_back({{"values", values}});
    } else {
      out.push_back({{"none", one.none}});
      if (one.contradiction) out.back()["contradiction"] = true;
    }
  }
  return out;
}

std::vector<WrongModel> wrong_models(const Json& stored, const GivenModels& found) {
  const std::vector<GivenModel>& all = found.all();
  if (!stored.is_array()) return {{0, "there are no values under which what is given holds"}};
  std::vector<WrongModel> out;
  for (size_t k = 0; k < all.size(); ++k) {
    const Json one = k < stored.size() ? stored[k] : Json();
    const bool says_none = one.is_object() && one.contains("none") && one.at("none").is_string();
    if (one.is_object() && one.contains("values") && one.size() == 1) {
      const std::string why = wrong_values(one.at("values"), all[k]);
      if (!why.empty()) out.push_back({k, "the stored values: " + why});
    } else if (!says_none || one.size() != 1 + one.count("contradiction")) {
      out.push_back({k, "has no values under which what is given holds, and does not say why"});
    } else if (one.contains("contradiction") && (one.at("contradiction") != true || !all[k].contradiction)) {
      out.push_back({k, "does not say rightly whether what is given contradicts itself"});
    } else if (all[k].none.empty()) {
      out.push_back({k, "says that there are no values, and there are", true});
    } else if (all[k].contradiction && !one.contains("contradiction")) {
      out.push_back({k, "does not say that what is given contradicts itself", true});
    } else if (one.at("none") != all[k].none) {
      out.push_back({k, "says another reason than comes out for having no values", true});
    }
  }
  if (stored.size() > all.size()) out.push_back({all.size(), "belongs to no obligation"});
  return out;
}

std::string models_line(const GivenModels& models) {
  const GivenModels::Count count = models.count();
  std::string out =
      fmt::format("  what is given, in {} ways: {} hold at stored values", models.all().size(), count.held);
  if (count.contradictions) out += fmt::format(", {} where no execution gets", count.contradictions);
  if (count.open) out += fmt::format(", {} without values", count.open);
  return out;
}

}  // namespace hexproof
