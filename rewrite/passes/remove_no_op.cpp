// RemoveNoOp: stores without effect, then what is left empty.
#include "ir/visit.h"
#include "rewrite/passes/passes.h"

namespace hexproof {
namespace {

/// Later stores to the same memory in statements that follow, or that follow something around: the nearest first.
std::vector<Path> later_stores(const PrimFunc& func, const Path& at) {
  constexpr size_t kMost = 6;
  Var memory = stmt_at(func, at).as<Store>()->buffer->data;
  std::vector<Path> found;
  for (const Path& other :
       find_all(func, [&](const Stmt& s) { return s.as<Store>() && s.as<Store>()->buffer->data == memory; })) {
    if (found.size() < kMost && at < other) found.push_back(other);
  }
  return found;
}

bool remove_one_store(Strategy& s, const Path& at) {
  for (const char* kind : {"dead", "already-there"}) {
    if (s.apply("remove-store", {{"at", at}, {"kind", std::string(kind)}})) return true;
  }
  for (const Path& by : later_stores(s.func(), at)) {
    for (int64_t witness : {0, 1}) {
      if (s.apply("remove-store", {{"at", at}, {"kind", std::string("overwritten")}, {"by", by}, {"witness", witness}}))
        return true;
    }
  }
  return false;
}

bool may_be_empty(const Stmt& s) { return !s.as<Seq>() && !s.as<Store>() && !s.as<Assume>(); }

}  // namespace

int remove_empty(Strategy& s) {
  int count = 0;
  // From the outside in: a whole nest goes at once.
  for (bool again = true; again;) {
    again = false;
    for (const Path& at : s.places(may_be_empty)) {
      again = s.apply("remove-empty", {{"at", at}});
      const For* loop = again ? nullptr : stmt_at(s.func(), at).as<For>();
      if (!again && loop) again = s.apply("remove-empty", {{"at", at}, {"kind", std::string("no-iteration")}});
      if (!again) again = s.apply("remove-empty", {{"at", at}, {"kind", std::string("unused")}});
      if (again) break;
    }
    count += again;
  }
  return count;
}

int remove_no_op(Strategy& s) {
  int count = 0;
  for (bool again = true; again;) {
    again = false;
    for (size_t k = s.all<Store>().size(); k-- > 0;) {
      std::vector<Path> stores = s.all<Store>();
      if (k < stores.size() && remove_one_store(s, stores[k])) again = true, ++count;
    }
    int emptied = remove_empty(s);
    count += emptied;
    again = again && emptied > 0;
  }
  return count;
}

}  // namespace hexproof
