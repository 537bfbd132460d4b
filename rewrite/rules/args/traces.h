// Why stores leave no trace, as an argument: "same; by 2.0.1#0; unread; permitted; by 1.0#0 else same", one per store,
// in program order; stores without one are Same.
#pragma once
#include "rewrite/kernel/rule_args.h"
#include "rewrite/memory/unobservable_stores.h"

namespace hexproof {

template <>
struct ArgField<std::vector<Trace>> {
  static Arg write(const std::vector<Trace>& traces);
  static std::optional<std::vector<Trace>> read(const Arg& arg);
};

}  // namespace hexproof
