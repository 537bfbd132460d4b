// The names of opaque values: uninterpreted functions that stand for what nothing is known of. Two of one name are one
// value, so what such a value stands for is the whole of its name: its kind first, in words that no other kind has, and
// a number last, from one counter (or of one sort of id) for each kind. What a program calls it stands in between,
// behind a space, and tells nothing apart.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hexproof {

enum class OpaqueKind : uint8_t {
  Let,              // the value of a variable when it was bound, or a part of that; by its id
  Layout,           // a part of the layout of a buffer, when it was declared; by the id of the buffer
  Size,             // an extent of an allocation, when it was made; by the id of its pointer
  LoopMin,          // the start of a loop, when it started; by the id of its variable
  LoopExtent,       // its extent
  Lane,             // a lane that is not taken apart; counted
  Read,             // what a cell held at some moment, or an undef; counted
  ReadLayout,       // a part of a layout that holds such; counted
  MayHoldAnything,  // does a cell hold what nobody chose? By the id of its buffer
  Then,             // what a variable was bound to before a statement ran; by its id
  Rounded,          // what an operation gave that flags leave open; counted
  SignOfZero        // the sign that it gave a zero; counted
};

/// "read#7", "let of x#12.0": of kind, number and part (of one thing that has several) each. `of`: what the program
/// calls it.
std::string opaque_name(OpaqueKind kind, uint64_t number, std::string_view of = {}, std::optional<size_t> part = {});
/// Is it one? (Names of functions have no '#'.)
bool is_opaque_name(std::string_view name);

}  // namespace hexproof
