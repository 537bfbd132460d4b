#include "ir/notes/async_queues.h"

#include "ir/link/link.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

class Queues {
 public:
  std::optional<Defect> look_at(const PrimFunc& func) {
    if (func.body) stmt(func.body, {});
    return std::move(defect_);
  }

 private:
  struct Around {
    bool group = false, at_once = false;
  };

  void report(const std::string& what, const Stmt& s) {
    if (!defect_) defect_ = Defect{what, s->span};
  }

  void stmt(const Stmt& s, Around around) {
    if (defect_) return;
    const AsyncWait* wait = s.as<AsyncWait>();
    const bool group = s.as<AsyncCommit>() != nullptr, ordered = group || wait;
    const std::string what = group ? "a group of asynchronous copies" : "a wait for asynchronous copies";
    if (ordered && around.group) report(what + " in another group", s);
    if (ordered && around.at_once) report(what + " in a loop whose iterations run at once", s);
    if (wait && is_data(wait->inflight)) report("a wait whose number of groups depends on what memory holds", s);
    if (around.group && (s.as<AllocBuffer>() || s.as<Allocate>())) {
      report("memory that is allocated in a group of asynchronous copies", s);
    }
    if (around.group && function_call(s)) report("a call in a group of asynchronous copies", s);
    if (const AttrStmt* note = s.as<AttrStmt>(); note && is_async_key(note->key)) {
      report("the attribute '" + note->key + "' outside of the scope that it belongs to", s);
    }
    if (const For* loop = s.as<For>()) {
      around.at_once |= loop->kind != ForKind::Serial && loop->kind != ForKind::Unrolled;
    }
    around.group |= group;
    for (const Stmt& part : children(s)) stmt(part, around);
  }

  std::optional<Defect> defect_;
};

}  // namespace

bool is_async_key(std::string_view key) {
  return key == kAsyncCommit || key == kAsyncScope || key == kAsyncWait || key == kAsyncInflight;
}

bool has_groups(const Stmt& stmt) {
  bool found = false;
  visit_stmt(stmt, [&](const Stmt& s) {
    found |= s.as<AsyncCommit>() != nullptr;
    return !found;
  });
  return found;
}

bool uses_queues(const Stmt& stmt) {
  bool found = false;
  visit_stmt(stmt, [&](const Stmt& s) {
    found |= s.as<AsyncCommit>() || s.as<AsyncWait>();
    return !found;
  });
  return found;
}

std::optional<Defect> async_defect(const PrimFunc& func) { return Queues().look_at(func); }

}  // namespace hexproof
