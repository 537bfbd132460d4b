// How the layout of a buffer changes: where each cell goes, and what the cells hold that nothing goes to.
#pragma once
#include <vector>

#include "ir/buffer.h"
#include "ir/layout/index_map.h"

namespace hexproof {

/// The cells of a transformed buffer that no logical index maps to, and what they hold.
struct Padding {
  enum class Kind : uint8_t {
    Absent,      // the map is onto: there are none
    Unreadable,  // no pad value: they may be neither read nor relied on
    Undefined,   // T.undef(): anything
    Value,       // `value`
  };
  Kind kind = Kind::Absent;
  std::vector<Var> indices = {};  // of the new box
  Expr predicate = {};            // over `indices`: no logical index maps here; missing when Absent or not known
  Expr value = {};                // over `indices` and the cells of `after` that are no padding; Value only

  /// May a program look at it? (What is Absent is looked at by none.)
  static bool readable(Kind kind) { return kind == Kind::Undefined || kind == Kind::Value; }
  /// Is `value` another one in other cells?
  bool varies() const;
};

/// One change of layout: after[map(i)] holds what before[i] held, for every i in the logical box. Of several after each
/// other, the padding of one is content like any other to the next.
struct LayoutChange {
  Buffer before, after;
  IndexMap map;
  Padding padding = {};
};

}  // namespace hexproof
