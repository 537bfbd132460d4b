#include "ir/notes/double_buffers.h"

#include <functional>
#include <set>

#include "ir/evaluation.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

class Slots {
 public:
  std::optional<Defect> look_at(const PrimFunc& func) {
    if (func.attrs.count(kDoubleBuffer)) report("of a function", func.span);
    if (func.body) stmt(func.body);
    return defect_;
  }

 private:
  void report(const std::string& what, const Span& span) {
    if (!defect_) defect_ = Defect{"a double buffer " + what, span};
  }

  /// The buffer that the annotation of the block names.
  static std::optional<Buffer> named_buffer(const Block& block) {
    const Expr* value = std::get_if<Expr>(&block.annotations.at(kDoubleBuffer));
    const int64_t* k = value ? as_int(*value) : nullptr;
    if (!k || *k < 0) return {};
    std::vector<Buffer> written;
    auto add = [&](const Buffer& b) {
      for (const Buffer& known : written) {
        if (known == b) return;
      }
      written.push_back(b);
    };
    if (block.writes) {
      for (const BufferRegion& region : *block.writes) add(region.buffer);
    } else {
      visit_stmt(block.body, [&](const Stmt& s) {
        if (const Store* store = s.as<Store>()) add(store->buffer);
        return true;
      });
    }
    return *k < static_cast<int64_t>(written.size()) ? std::optional(written[static_cast<size_t>(*k)]) : std::nullopt;
  }

  void block(const Stmt& s, const Block& b) {
    const std::optional<Buffer> buffer = named_buffer(b);
    if (!buffer) return report("that is no buffer that the block '" + b.name + "' writes", s->span);
    // The loop in which it is allocated: the innermost one around the allocation.
    const Stmt* loop = nullptr;
    bool allocated = false;
    for (size_t k = around_.size(); k-- > 0 && !loop;) {
      const AllocBuffer* here = around_[k].as<AllocBuffer>();
      allocated |= here && here->buffer == *buffer;
      if (allocated && around_[k].as<For>()) loop = &around_[k];
    }
    if (!loop) return report("'" + (*buffer)->name + "' that is not allocated in a loop around it", s->span);
    const For& run = *loop->as<For>();
    if (run.kind != ForKind::Serial) {
      return report("'" + (*buffer)->name + "' in the loop over '" + run.var.name() + "', which is not serial",
                    s->span);
    }
    std::set<Var> read;  // by the block, and by what decides on the way whether and where it runs
    auto note = [&](const Expr& e) {
      if (e->op == Op::Load && !(e->buffer() == *buffer)) read.insert(e->buffer()->data);
    };
    visit_all_exprs(s, note);
    for (const Stmt* on_the_way = loop + 1; on_the_way != around_.data() + around_.size(); ++on_the_way) {
      for (const Expr& top : expressions(*on_the_way)) {
        visit_expr(top, [&](const Expr& e) { return note(e), true; });
      }
    }
    visit_stmt(run.body, [&](const Stmt& inner) {
      for_each_written(inner, [&](const Buffer& other) {
        if (!read.count(other->data)) return;
        report("'" + (*buffer)->name + "' that is filled from '" + other->name + "', which its loop writes", s->span);
      });
      // Which group a wait is for goes by the order in which groups start.
      if (inner.as<AsyncCommit>() || inner.as<AsyncWait>()) {
        report("'" + (*buffer)->name + "' whose loop starts asynchronous copies or waits for them", s->span);
      }
      return true;
    });
    // What the block writes besides has no second slot.
    std::set<Var> written;
    visit_stmt(s, [&](const Stmt& inner) {
      for_each_written(inner, [&](const Buffer& other) {
        if (other->data != (*buffer)->data) written.insert(other->data);
      });
      return true;
    });
    each_touch(run.body, s, [&](const Buffer& other, bool) {
      if (!written.count(other->data)) return;
      report("'" + (*buffer)->name + "' whose block writes '" + other->name + "', too, which its loop touches",
             s->span);
    });
    // The slot belongs to the block: whatever else fills it would come behind, where it came in front.
    each_touch(run.body, s, [&](const Buffer& other, bool write) {
      if (!write || other->data != (*buffer)->data) return;
      report("'" + (*buffer)->name + "' that its loop writes outside of the block '" + b.name + "', too", s->span);
    });
    // One slot for all runs of the block in an iteration: none of them may be read before the last.
    for (const Stmt* on_the_way = loop + 1; on_the_way != around_.data() + around_.size(); ++on_the_way) {
      if (!on_the_way->as<For>()) continue;
      each_touch(*on_the_way, s, [&](const Buffer& other, bool) {
        if (other->data != (*buffer)->data) return;
        report("'" + (*buffer)->name + "' that is filled and read in turns, by the loop over '" +
                   on_the_way->as<For>()->var.name() + "'",
               s->span);
      });
    }
  }

  /// Calls `f` on the buffer of each access in the statement that is not made in `without`, and whether it may change
  /// what is there.
  static void each_touch(const Stmt& stmt, const Stmt& without, const std::function<void(const Buffer&, bool)>& f) {
    if (stmt.get() == without.get()) return;
    for_each_written(stmt, [&](const Buffer& buffer) { f(buffer, true); });
    for (const Expr& top : expressions(stmt)) {
      visit_expr(top, [&](const Expr& e) {
        if (e->op == Op::Load) f(e->buffer(), false);
        return true;
      });
    }
    for (const Stmt& part : children(stmt)) each_touch(part, without, f);
  }

  void stmt(const Stmt& s) {
    if (const Block* b = s.as<Block>(); b && b->annotations.count(kDoubleBuffer)) block(s, *b);
    if (const For* loop = s.as<For>(); loop && loop->annotations.count(kDoubleBuffer)) report("of a loop", s->span);
    around_.push_back(s);
    for (const Stmt& part : children(s)) stmt(part);
    around_.pop_back();
  }

  std::vector<Stmt> around_;
  std::optional<Defect> defect_;
};

}  // namespace

std::optional<Defect> double_buffer_defect(const PrimFunc& func) { return Slots().look_at(func); }

}  // namespace hexproof
