#include "ir/notes/thread_axes.h"

#include <set>

#include "ir/visit.h"

namespace hexproof {
namespace {

class Kernels {
 public:
  std::optional<Defect> look_at(const Stmt& body) {
    stmt(body, false, false);
    return defect_;
  }

 private:
  void report(const std::string& message, const Span& span) {
    if (!defect_) defect_ = Defect{message, span};
  }

  void memory(const std::string& name, const std::string& scope, const Stmt& s) {
    if (scope.empty() || scope.starts_with("global")) return;
    // Of each iteration here, of all threads of the block there.
    bool around = of_threads_ && !scope.starts_with("local");
    visit_stmt(s, [&](const Stmt& inner) {
      const For* loop = inner.as<For>();
      around |= loop && loop->kind == ForKind::ThreadBinding;
      return !around;
    });
    if (around)
      report("the memory '" + name + "' of scope \"" + scope + "\", which the threads of a loop share", s->span);
  }

  void reduction(const Block& block, const Span& span) {
    for (const IterVar& iter : block.iters) {
      if (iter.kind != IterKind::Reduce) continue;
      for (const Var& v : free_vars(iter.binding)) {
        if (threads_.count(v)) report("a reduction over the threads of '" + v.name() + "'", span);
      }
    }
  }

  /// `apart`: between the start of the kernel and the statement, threads run more than one statement, or one several
  /// times: what follows is no parallel loop that starts when all are done.
  void stmt(const Stmt& s, bool in_kernel, bool apart) {
    if (const AllocBuffer* a = s.as<AllocBuffer>()) memory(a->buffer->name, a->buffer->scope, s);
    if (const Allocate* a = s.as<Allocate>()) memory(a->data.name(), a->scope, s);
    if (const Block* block = s.as<Block>()) reduction(*block, s->span);
    const For* loop = s.as<For>();
    const bool bound = loop && loop->kind == ForKind::ThreadBinding, outside = of_threads_;
    if (bound) {
      if (!in_kernel) tags_.clear();  // a kernel of its own
      of_threads_ = (in_kernel && of_threads_) || !loop->thread_tag.starts_with("blockIdx");
      if (!tags_.insert(loop->thread_tag).second) {
        report("a second loop over the thread axis '" + loop->thread_tag + "' in one kernel: both are one variable",
               s->span);
      }
      if (in_kernel && apart) {
        report("a loop over the thread axis '" + loop->thread_tag +
                   "' behind a serial loop or a sequence of its kernel, where threads would wait for each other",
               s->span);
      }
      threads_.insert(loop->var);
    }
    const Seq* list = s.as<Seq>();
    apart = !bound && (apart || loop || (list && list->stmts.size() > 1));
    for (const Stmt& part : children(s)) stmt(part, in_kernel || bound, in_kernel && apart);
    of_threads_ = outside;
  }

  std::set<std::string> tags_;  // of the kernel
  bool of_threads_ = false;     // the statement stands in a loop over threads of one block
  std::set<Var> threads_;
  std::optional<Defect> defect_;
};

}  // namespace

std::optional<Defect> thread_axes_defect(const PrimFunc& func) {
  return func.body ? Kernels().look_at(func.body) : std::nullopt;
}

}  // namespace hexproof
