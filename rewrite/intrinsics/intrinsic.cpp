#include "rewrite/intrinsics/intrinsic.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {

#define GROUP(name) extern const std::vector<Intrinsic> k_##name;
#include "rewrite/intrinsics/intrinsics.def"
#undef GROUP

const std::vector<const Intrinsic*>& all_intrinsics() {
  static const std::vector<const Intrinsic*> rows = [] {
    std::vector<const Intrinsic*> list;
#define GROUP(name) \
  for (const Intrinsic& row : k_##name) list.push_back(&row);
#include "rewrite/intrinsics/intrinsics.def"
#undef GROUP
    std::sort(list.begin(), list.end(), [](const Intrinsic* a, const Intrinsic* b) { return a->name < b->name; });
    return list;
  }();
  return rows;
}

namespace {
struct TriedOut {
  std::mutex mutex;
  std::vector<const Intrinsic*> rows;
};
TriedOut& tried_out() {
  static TriedOut rows;
  return rows;
}
}  // namespace

void try_out(const Intrinsic& row) {
  HEXPROOF_CHECK(!intrinsic_by_name(row.name), "there are two intrinsics '" + row.name + "'");
  std::lock_guard lock(tried_out().mutex);
  tried_out().rows.push_back(&row);
}

const Intrinsic* intrinsic_by_name(const std::string& name) {
  for (const Intrinsic* row : all_intrinsics()) {
    if (row->name == name) return row;
  }
  std::lock_guard lock(tried_out().mutex);
  for (const Intrinsic* row : tried_out().rows) {
    if (row->name == name) return row;
  }
  return nullptr;
}

const PrimFunc& description_of(const Intrinsic& intrinsic) {
  static std::mutex mutex;
  static std::map<const Intrinsic*, PrimFunc> parsed;
  std::lock_guard lock(mutex);
  auto it = parsed.find(&intrinsic);
  if (it == parsed.end()) {
    it = parsed.emplace(&intrinsic, pick_function(parse_module(intrinsic.description, intrinsic.name), "")).first;
  }
  return it->second;
}

const std::string* mark_of(const For& loop) {
  static const std::string no_text;
  auto it = loop.annotations.find(kTensorize);
  if (it == loop.annotations.end()) return nullptr;
  if (const std::string* text = std::get_if<std::string>(&it->second)) return text;
  const Expr& value = std::get<Expr>(it->second);
  return value && value->op == Op::StringImm ? &value->text() : &no_text;
}

size_t count_marks(const Stmt& stmt) {
  size_t count = 0;
  if (!stmt) return count;
  visit_stmt(stmt, [&](const Stmt& s) {
    const For* loop = s.as<For>();
    count += loop && mark_of(*loop);
    return true;
  });
  return count;
}

}  // namespace hexproof
