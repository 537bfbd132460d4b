#include "rewrite/schedule/bound.h"

#include <algorithm>

#include "ir/text/lexer.h"

namespace hexproof::calls {
namespace {

std::string so_many_arguments(size_t n) { return std::to_string(n) + (n == 1 ? " argument" : " arguments"); }

uint8_t flags_of(const Argument& one, const std::map<std::string, uint8_t>& known) {
  if (const Sequence* list = one.value.as<Sequence>()) {
    uint8_t out = 0;
    for (const Value& item : list->items) out = static_cast<uint8_t>(out | flags_of({"", item, one.span}, known));
    return out;
  }
  std::string text;
  if (const std::string* name = one.value.as<std::string>()) text = *name;
  if (const Name* name = one.value.as<Name>()) text = name->path.substr(name->path.rfind('.') + 1);
  if (auto it = known.find(text); it != known.end()) return it->second;
  std::vector<std::string> names;
  for (const auto& [name, flag] : known) names.push_back(name);
  throw Error(one.span, "'" + (text.empty() ? describe(one.value) : text) + "' is no flag here",
              nearest_names(text, names));
}

}  // namespace

Bound::Bound(std::string callee, const std::vector<Argument>& arguments, Span span,
             const std::vector<std::string>& names, size_t required)
    : callee_(std::move(callee)), span_(std::move(span)) {
  const bool star = !names.empty() && names[0][0] == '*';
  size_t next = 0;
  for (const Argument& one : arguments) {
    std::string name = one.keyword;
    if (name.empty() && star) {
      rest_.push_back(one);
      rest_.back().of = "'" + names[0] + "' of " + callee_;
      continue;
    }
    if (name.empty()) {
      if (next == names.size()) throw Error(one.span, callee_ + " takes " + so_many_arguments(names.size()));
      name = names[next++];
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      std::string hint = nearest_name(name, names);
      throw Error(one.span, callee_ + " has no argument '" + name + "'",
                  hint.empty() ? "" : "did you mean '" + hint + "'?");
    }
    const auto [bound, first] = given_.emplace(name, one);
    if (!first) throw Error(one.span, "the argument '" + name + "' is given twice");
    bound->second.of = "'" + name + "' of " + callee_;
  }
  for (size_t k = 0; k < required; ++k) {
    if (!given_.count(names[k])) throw Error(span_, callee_ + " lacks its argument '" + names[k] + "'");
  }
}

const Argument* Bound::find(const std::string& name) const {
  auto it = given_.find(name);
  return it == given_.end() || it->second.value.as<None>() ? nullptr : &it->second;
}

const Argument& Bound::at(const std::string& name) const {
  if (const Argument* one = find(name)) return *one;
  throw Error(span_, callee_ + ": the argument '" + name + "' is None");
}

bool Bound::flag(const std::string& name, bool otherwise) const {
  const Argument* one = find(name);
  return one ? as<bool>(*one, "True or False") : otherwise;
}

std::vector<Argument> Bound::items(const std::string& name, const char* what) const {
  const Argument& one = at(name);
  std::vector<Argument> out;
  for (const Value& item : as<Sequence>(one, what).items) out.push_back({"", item, one.span, one.of});
  return out;
}

std::vector<LoopRef> Bound::loops() const {
  std::vector<LoopRef> loops;
  for (const Argument& one : rest_) {
    const Sequence* list = one.value.as<Sequence>();
    if (!list) {
      loops.push_back(as<LoopRef>(one, "a loop"));
      continue;
    }
    for (const Value& item : list->items) loops.push_back(as<LoopRef>({"", item, one.span, one.of}, "a loop"));
  }
  return loops;
}

BufferChoice Bound::buffer(const std::string& name) const {
  const Argument& one = at(name);
  if (const std::string* text = one.value.as<std::string>()) return {.name = *text};
  if (const int64_t* index = one.value.as<int64_t>()) return {.index = *index};
  const Sequence* pair = one.value.as<Sequence>();
  const std::string* kind = pair && pair->items.size() == 2 ? pair->items[0].as<std::string>() : nullptr;
  const int64_t* index = kind ? pair->items[1].as<int64_t>() : nullptr;
  if (!index || (*kind != "read" && *kind != "write")) {
    throw Error(one.span, named(one) + "a buffer is its name, a position, or (\"read\", k) or (\"write\", k)");
  }
  return {.write = *kind == "write", .index = *index};
}

std::optional<uint8_t> Bound::flags(const std::string& name, const std::map<std::string, uint8_t>& known) const {
  const Argument* one = find(name);
  return one ? std::optional(flags_of(*one, known)) : std::nullopt;
}

void Bound::only(const std::string& name, bool accepted) const {
  const Argument* one = find(name);
  if (!one) return;
  const bool* value = one->value.as<bool>();
  if (!value || *value != accepted) {
    throw Unsupported(one->span,
                      callee_ + ": '" + name + "' other than " + (accepted ? "True" : "False") + " is not supported");
  }
}

void Bound::none(const std::string& name) const {
  if (const Argument* one = find(name)) throw Unsupported(one->span, callee_ + ": '" + name + "' is not supported");
}

}  // namespace hexproof::calls
