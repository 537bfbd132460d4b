// The table of schedule primitives: what front ends, the documentation and hints know of them, and what runs them.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hexproof {

namespace calls {
struct Value;
struct PrimitiveCall;
}  // namespace calls

struct Primitive {
  std::string_view name;
  std::string_view
      parameters;          // as they are written: "block, loop, index=-1"; "*loops" takes all that come by position
  std::string_view help;   // one line
  std::string_view rules;  // of the kernel that it applies: "split, simplify"; empty: none
  calls::Value (*run)(calls::PrimitiveCall& call);  // rewrite/schedule/primitives/

  /// The names of its parameters; a '*' stays in front.
  std::vector<std::string> parameter_names() const;
  /// How many have no default: they come first.
  size_t required() const;
};

/// All primitives that there are, in the order of the documentation.
std::span<const Primitive> primitives();
const Primitive* find_primitive(std::string_view name);
std::vector<std::string> primitive_names();

/// Of a primitive that TVM has and hexproof has not: what to do instead, or why there is none. Nothing for other names.
std::optional<std::string> instead_of_primitive(std::string_view name);

}  // namespace hexproof
