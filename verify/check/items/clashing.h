// Which assumes contradict each other: no more than it takes, so that a person looks at few lines.
#pragma once
#include <functional>

#include "verify/check/check_item.h"

namespace hexproof {

/// The function without what the assumes of these conditions say; places stay.
PrimFunc without_assumes(const PrimFunc& func, const std::set<const void*>& conditions);

/// The assumes of the function, in program order.
std::vector<Stmt> assumes_of(const PrimFunc& func);

struct Clash {
  std::vector<Place> assumes;  // in program order
  bool least = true;           // each one was left out in turn, and what is left was not seen to clash then

  /// Further lines of a message: "these clash, ...", with a line for each.
  std::string str() const;
};

/// Of `assumes`, which clash, and `always`, which is none of them and stays: those that are left when as many as
/// possible are left out. `clashes`: does the function without some of them still? Bounded: it is asked about 128
/// times.
Clash least_clash(const PrimFunc& func, const std::vector<Stmt>& assumes, const Stmt& always,
                  const std::function<bool(const PrimFunc& less)>& clashes);

/// Assumes that no input satisfies, whatever the sizes: what each says in the first iterations of the loops around it
/// and in the last one, of memory that nothing has written by then, contradicts what the others say. Nothing when that
/// is not proved.
std::optional<Clash> contradiction(const PrimFunc& func, Prover& prover);

}  // namespace hexproof
