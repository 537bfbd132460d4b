// The walk over the program before a step, to the place where the program after it is another one.
#pragma once
#include "tools/checker/names.h"
#include "tools/checker/walk.h"

namespace hexproof::checker {

inline constexpr Wide kMaxCount = Wide{1} << 50;  // products are told up to it

/// Perfectly nested loops and branches without else, and what stands in them.
struct LoopNest {
  std::vector<For> loops;
  std::vector<Expr> guards;
  Stmts body;
  bool of_data = false;  // the loops and branches are
};

class StepWalk : public Walk {
 public:
  StepWalk(const PrimFunc& before, std::string file, const Premises* given, Names names, Place place)
      : Walk(before, std::move(file), given), names_(std::move(names)), place_(std::move(place)) {}
  /// Nothing where the change has no known shape.
  std::optional<std::vector<Need>> follow();
  /// Blocks stand there after the step that are not those before it.
  bool new_blocks() const { return new_blocks_; }

 private:
  void meets(const Stmt& s) override;
  void touch(const Buffer& buffer, const std::vector<Expr>& indices, bool write) override;
  void at_place();

  // The shapes. Each says whether the change has it, and then what is asked at the place.
  using Ask = std::function<void()>;
  Ask branch(const Stmts& b, const Stmts& a);
  Ask nothing(const Stmts& b, const Stmts& a);
  Ask order(const Stmts& b, const Stmts& a);
  /// Two loops that are one in `one`; `merged`: after the step.
  Ask two_loops(const Stmts& two, const Stmts& one, bool merged);
  Ask nest(const Stmts& b, const Stmts& a);
  Ask twins(const Stmts& b, const Stmts& a);
  Ask shape(const Stmts& b, const Stmts& a);

  bool same(const Stmts& b, const Stmts& a) const { return Names(names_).same(b, a); }
  /// No two of them meet where `differ` (of both) holds; accumulations may.
  void cross(const std::function<std::vector<Touch>(int)>& execution, const Differ& differ, bool sums_may,
             const std::string& what);
  /// The loads and stores of the statements, run once; `inside`: what is known and bound before.
  std::vector<Touch> touched(int execution, const Stmts& stmts, const std::function<void()>& inside = {});
  struct Map;
  std::vector<std::string> enter(const std::vector<For>& loops, const std::vector<Expr>& guards,
                                 const std::vector<std::string>& values, std::vector<std::string>* facts = nullptr);

  // Twins: one structure with other expressions and other cells.
  bool twin(const Stmts& b, const Stmts& a);
  bool twin_head(const Stmt& b, const Stmt& a);
  bool twin_expr(const Expr& b, const Expr& a);
  bool twin_exprs(const std::vector<Expr>& b, const std::vector<Expr>& a);
  bool twin_access(const Buffer& buffer, const std::vector<Expr>& at, const Buffer& other,
                   const std::vector<Expr>& other_at);
  void later(const Ask& ask);
  void cells_correspond(const Stmt& alloc, const Buffer& buffer);

  Names names_;
  Place place_;
  Ask ask_;
  bool reached_ = false, failed_ = false, new_blocks_ = false;
  Stmt twin_at_;
  std::vector<std::pair<Expr, bool>> twin_guards_;
  std::map<const StmtNode*, std::vector<Ask>> asks_;
  std::map<Buffer, Buffer> views_, moved_;  // before -> after: at the same addresses; anywhere
  std::map<const std::vector<Expr>*, std::vector<Expr>> lands_;
};

LoopNest peel(Stmts stmts);
/// -1: one is no constant, or all are more than that.
Wide product(const std::vector<Expr>& factors);
std::string lexless(const std::vector<std::string>& a, const std::vector<std::string>& b);
/// The statements with each block as what a machine runs: branches and bindings put in.
Stmts without_blocks(const Stmts& stmts);

}  // namespace hexproof::checker
