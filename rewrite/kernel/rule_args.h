// What a rule is told, as a struct of its own, with one list of its fields:
//
//   struct SplitArgs {
//     Path at;
//     int64_t factor = 0;
//     std::string outer, inner;
//     HEXPROOF_RULE_ARGS("split", at, factor, outer, inner)
//   };
//
// From the list come the arguments that a certificate keeps (`args_of`), what is read back from one and from the cases
// of campaigns (`args_from`), and the call itself: `apply(SplitArgs{...})`. A field that may be missing is a
// std::optional.
#pragma once
#include <optional>
#include <string_view>
#include <tuple>

#include "rewrite/kernel/kernel.h"

/// The last line of a rule's arguments: its name, and all fields by theirs.
#define HEXPROOF_RULE_ARGS(name, ...)                       \
  static constexpr const char* kRule = name;                \
  static constexpr std::string_view kFields = #__VA_ARGS__; \
  auto fields() { return std::tie(__VA_ARGS__); }           \
  auto fields() const { return std::tie(__VA_ARGS__); }     \
  /* NOLINTNEXTLINE: a rule is called by its arguments */   \
  operator RuleCall() const { return {kRule, args_of(*this)}; }

namespace hexproof {

/// A buffer, or the name of exactly one parameter or allocation.
using BufferArg = std::variant<Buffer, std::string>;
/// A path, or the name of exactly one block.
using BlockArg = std::variant<Path, std::string>;
/// A path, a loop variable, or the name of exactly one.
using LoopArg = std::variant<Path, Var, std::string>;
/// A number of whatever type fits, or an expression.
using NumberArg = std::variant<int64_t, Expr>;
/// What padding holds: a number, undef, either of them as it is printed, or a function of the index.
using PadArg = std::variant<int64_t, std::string, Expr, IndexMap>;

/// How a field of type T stands among Args; nothing is read from an Arg of another kind.
template <class T>
struct ArgField {
  static Arg write(const T& value) { return value; }
  static std::optional<T> read(const Arg& arg) {
    const T* value = std::get_if<T>(&arg);
    return value ? std::optional<T>(*value) : std::nullopt;
  }
};
/// 0 or 1.
template <>
struct ArgField<bool> {
  static Arg write(bool value) { return int64_t{value}; }
  static std::optional<bool> read(const Arg& arg) {
    const int64_t* value = std::get_if<int64_t>(&arg);
    return value && (*value == 0 || *value == 1) ? std::optional<bool>(*value == 1) : std::nullopt;
  }
};
/// One of several kinds.
template <class... Ts>
struct ArgField<std::variant<Ts...>> {
  using Any = std::variant<Ts...>;
  static Arg write(const Any& value) {
    return std::visit([]<class T>(const T& one) { return ArgField<T>::write(one); }, value);
  }
  static std::optional<Any> read(const Arg& arg) {
    std::optional<Any> out;
    auto attempt = [&]<class T>(const T*) {
      if (std::optional<T> one = out ? std::nullopt : ArgField<T>::read(arg)) out = Any(std::move(*one));
    };
    (attempt(static_cast<const Ts*>(nullptr)), ...);
    return out;
  }
};

/// "at, factor" as its names.
std::vector<std::string> field_names(std::string_view list);
[[noreturn]] void no_such_argument(const std::string& name);
/// NotApplicable when the rule has no such argument as one of these.
void demand_known(const std::string& rule, const std::vector<std::string>& fields, const Args& args);

template <class T>
void write_field(const std::string& name, const T& value, Args* out) {
  out->emplace(name, ArgField<T>::write(value));
}
template <class T>
void write_field(const std::string& name, const std::optional<T>& value, Args* out) {
  if (value) write_field(name, *value, out);
}

template <class T>
void read_field(const std::string& name, const Args& args, T* out) {
  auto it = args.find(name);
  std::optional<T> value = it == args.end() ? std::nullopt : ArgField<T>::read(it->second);
  if (!value) no_such_argument(name);
  *out = std::move(*value);
}
template <class T>
void read_field(const std::string& name, const Args& args, std::optional<T>* out) {
  if (args.count(name)) read_field(name, args, &out->emplace());
}

/// The value of an optional argument that is needed after all; NotApplicable when it is missing.
template <class T>
const T& needed(const std::optional<T>& field, const std::string& name) {
  if (!field) no_such_argument(name);
  return *field;
}

template <class A>
Args args_of(const A& all) {
  Args out;
  const std::vector<std::string> names = field_names(A::kFields);
  size_t k = 0;
  std::apply([&](const auto&... field) { (write_field(names[k++], field, &out), ...); }, all.fields());
  return out;
}

/// NotApplicable when an argument is missing, of another kind, or none of the rule's.
template <class A>
A args_from(const Args& args) {
  A out{};
  const std::vector<std::string> names = field_names(A::kFields);
  demand_known(A::kRule, names, args);
  size_t k = 0;
  std::apply([&](auto&... field) { (read_field(names[k++], args, &field), ...); }, out.fields());
  return out;
}

/// The rule that the function is, under the name that its arguments say.
template <auto kFunction, class A>
Rule rule_with(std::string summary, bool lowering, Rewrite (*)(const PrimFunc&, const A&)) {
  return {.name = A::kRule,
          .summary = std::move(summary),
          .fields = field_names(A::kFields),
          .apply = [](const PrimFunc& before, const Args& args) { return kFunction(before, args_from<A>(args)); },
          .lowering = lowering};
}
template <auto kFunction>
Rule rule(std::string summary, bool lowering = false) {
  return rule_with<kFunction>(std::move(summary), lowering, kFunction);
}

}  // namespace hexproof
