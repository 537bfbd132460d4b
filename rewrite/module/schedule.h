// Schedules on modules: TVM's work_on chooses a function, and the next primitives are its.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rewrite/module/changes.h"
#include "rewrite/schedule/schedule.h"

namespace hexproof {

/// Primitives on a module. Those of Schedule apply to the function that was chosen; where that is not the whole story
/// (a buffer that is shared through calls), the ones here do it. Errors are those of Schedule.
class ModuleSchedule {
 public:
  /// Chooses `main`, or the only function.
  ModuleSchedule(ModuleDerivation& module, Prover& prover);

  /// The primitive that runs next, as the user wrote it, and where.
  void at(const std::string& primitive, const Span& span);
  /// TVM's work_on: the function of the next primitives.
  void work_on(const std::string& function);
  /// The schedule of the chosen function; it is another object after each primitive of a module. Error when there are
  /// several functions and none was chosen.
  Schedule& chosen();
  const std::string& function() const { return chosen_; }

  /// The buffer that a choice means: by name also one that the block gets to by calls alone.
  Buffer buffer_of(const BlockRef& block, const BufferChoice& buffer);
  /// In every function that shares the buffer through calls, or in the chosen one alone.
  void transform_layout(const BlockRef& block, const BufferChoice& buffer, const IndexMap& map,
                        const std::optional<PadArg>& pad);
  /// A stage of the chosen function into a function of its own: the statement at the top that a block or loop is in.
  /// `expose`: what the new function is told of its arguments, of what is known of them where the stage stood.
  enum class ArgumentPromise : uint8_t { Nothing, MayBeRead, Values };
  void hoist_stage(const BlockRef& block, const std::string& name, ArgumentPromise told = ArgumentPromise::Nothing);
  void hoist_stage(const LoopRef& loop, const std::string& name, ArgumentPromise told = ArgumentPromise::Nothing);
  /// Neighbouring stages by their positions.
  void hoist_stage(const std::vector<int>& positions, const std::string& name,
                   ArgumentPromise told = ArgumentPromise::Nothing);
  /// What the chosen function is told of its parameter, and may leave in it (ExposeCellsArgs, PermitCellsArgs). `where`
  /// is a condition over the indices and scalars of the function, as text.
  void expose(const std::string& buffer, const std::vector<std::string>& indices, const std::string& where,
              const PadArg& value);
  void permit(const std::string& buffer, const std::vector<std::string>& indices, const std::string& where);
  /// The buffer parameter of that name of the chosen function; Error when there is none.
  Buffer parameter(const std::string& name) const;

 private:
  /// The joint step about `function`, of which the call says what is done.
  void joint(const std::string& function, const std::function<RuleCall()>& call);
  void hoist_at(const Path& path, const std::vector<int>& positions, const std::string& name, ArgumentPromise told);
  [[noreturn]] void fail(const std::string& message, const std::string& hint = "") const;
  struct CellsWhere {
    std::vector<Var> indices;
    Expr where;
  };
  CellsWhere cells(const Buffer& buffer, const std::vector<std::string>& indices, const std::string& where) const;

  ModuleDerivation& module_;
  Prover& prover_;
  std::map<std::string, std::unique_ptr<Schedule>> schedules_;
  std::string chosen_;
  std::string primitive_;
  Span span_;
};

/// Runs the Python of a schedule on a module (rewrite/schedule/reader.h): with work_on, hoist_stage, expose and permit
/// besides the primitives of functions.
void run_schedule(ModuleDerivation& module, Prover& prover, std::shared_ptr<const SourceFile> file);

}  // namespace hexproof
