#include "rewrite/schedule/primitives.h"

#include <algorithm>

#include "rewrite/schedule/bound.h"

namespace hexproof {
namespace {

constexpr Primitive kPrimitives[] = {
#define PRIMITIVE(name, parameters, help, rules) {#name, parameters, help, rules, &calls::name},
#include "rewrite/schedule/primitives.def"
#undef PRIMITIVE
};

/// What TVM 0.14 has besides, in groups that have one answer.
struct Elsewhere {
  std::vector<std::string_view> names;
  std::string_view instead;
};

const std::vector<Elsewhere>& elsewhere() {
  static const std::vector<Elsewhere> all{
      {{"annotate_buffer_access"}, "what a block touches is read off its body"},
      {{"unsafe_hide_buffer_access"},
       "what a block touches is read off its body: regions that hide a part of it would be false, and are believed by "
       "nobody"},
      {{"read_at", "write_at"},
       "cache_read and cache_write copy, transform_layout gives the copy its layout, and compute_at its place"},
      {{"get", "get_sref", "get_block_scope"},
       "get_block finds a block by its name, get_loops and get_loop find loops"},
      {{"seed", "fork_seed", "remove_rv"},
       "a schedule is one straight list of primitives; nothing is drawn at random: write the numbers that were "
       "chosen"}};
  return all;
}

/// The parameters one by one, as they are written. Brackets hold none of their commas.
std::vector<std::string_view> one_by_one(std::string_view parameters) {
  std::vector<std::string_view> out;
  while (!parameters.empty()) {
    size_t end = std::min(parameters.find(','), parameters.size());
    out.push_back(parameters.substr(0, end));
    parameters.remove_prefix(std::min(end + 2, parameters.size()));
  }
  return out;
}

}  // namespace

std::vector<std::string> Primitive::parameter_names() const {
  std::vector<std::string> out;
  for (std::string_view part : one_by_one(parameters)) out.emplace_back(part.substr(0, part.find('=')));
  return out;
}

size_t Primitive::required() const {
  std::vector<std::string_view> all = one_by_one(parameters);
  return static_cast<size_t>(std::count_if(all.begin(), all.end(), [](std::string_view part) {
    return part[0] != '*' && part.find('=') == std::string_view::npos;
  }));
}

std::span<const Primitive> primitives() { return kPrimitives; }

const Primitive* find_primitive(std::string_view name) {
  auto it =
      std::find_if(std::begin(kPrimitives), std::end(kPrimitives), [&](const Primitive& p) { return p.name == name; });
  return it == std::end(kPrimitives) ? nullptr : it;
}

std::vector<std::string> primitive_names() {
  std::vector<std::string> out;
  for (const Primitive& p : kPrimitives) out.emplace_back(p.name);
  return out;
}

std::optional<std::string> instead_of_primitive(std::string_view name) {
  for (const Elsewhere& group : elsewhere()) {
    if (std::find(group.names.begin(), group.names.end(), name) != group.names.end()) return std::string(group.instead);
  }
  return std::nullopt;
}

}  // namespace hexproof
