// Runs a program on symbolic inputs. Indices and control are numbers as long as they do not depend on the content of a
// buffer; where they do, both ways are run and merged, and an access is a choice over the cells that it may mean.
#pragma once
#include <functional>
#include <memory>
#include <unordered_set>

#include "ir/interpreter/fault.h"
#include "verify/equiv/symbolic/code.h"
#include "verify/equiv/symbolic/shadow.h"
#include "verify/equiv/symbolic/terms/known.h"

namespace hexproof::symbolic {

/// One allocation. `filled` is the condition under which a cell holds a value.
struct Memory {
  DType element;
  uint32_t id = 0;
  std::vector<Term> cells, filled;
  bool constant = false;
  GuardedShadow shadow;
};

struct View {
  Memory* memory = nullptr;
  std::vector<int64_t> shape, strides;
  int64_t offset = 0;
};

/// The program reaches an error on the inputs on which `condition` holds. Conditions of later errors may presume that
/// no earlier one is met.
struct ErrorItem {
  Term condition;
  std::string message;
  Span span;
};

struct ExecutorLimits {
  uint64_t max_cells;  // in all memories
  uint64_t max_steps;  // statements executed
};
/// Thrown when a bound is reached.
struct TooMuch : EarlyExit {
  using EarlyExit::EarlyExit;  // "more than 5 statements"
};

class Executor {
 public:
  /// `facts` hold on all inputs that count. `side` keeps undefs and open evaluations of two programs apart (0 or 1).
  Executor(Terms& terms, const PrimFunc& func, ExecutorLimits limits, uint32_t side, const std::vector<Term>& facts);

  void bind_scalar(const Var& var, const Scalar& value);
  /// An argument's memory, all of it uninitialised; the caller fills it.
  Memory& bind_buffer(const Buffer& buffer, const Var& handle, View layout, int64_t cells);

  /// False: an error is reached on every input. Throws Unsupported, Error, TooManyTerms, TooMuch.
  bool run();
  const std::vector<ErrorItem>& errors() const { return errors_; }
  /// What holds when the program has not reached an error, as far as it was learnt on the way.
  const std::vector<Term>& learnt() const { return learnt_; }

 private:
  // statements.cpp
  void exec(const Action* a);
  void store(const Action* a);
  void loop(const Action* a);
  void block(const Action* a);
  void allocate(const Action* a);
  void assume(const Action* a);
  View layout(const Action* a, const BufferNode& buffer);
  std::unique_ptr<Memory> new_memory(DType type, Wide elements, const std::string& what);
  void retire(std::unique_ptr<Memory> memory);
  void bind(uint32_t slot, bool data, const Code* value);
  void step();

  // fork.cpp
  /// What one way wrote.
  struct Change {
    Memory* memory;
    uint32_t at;
    Term cell, filled;
  };
  enum class Ways : uint8_t { Both, First, Second };
  /// Runs `first` under the condition and `second` under its negation, and merges what they wrote; only one of them
  /// where the condition is known. Which of them came to an end; throws Fault when none did.
  Ways fork(Term condition, const std::function<void()>& first, const std::function<void()>& second);
  /// What `run` wrote under the condition; nothing when it does not come to an end.
  std::optional<std::vector<Change>> way(Term condition, const std::function<void()>& run);
  std::vector<Change> take_back(size_t mark);
  void write(Memory& memory, size_t at, Term cell, Term filled);
  /// An error under this condition (and that of the path); what runs on presumes that it is not met. Throws Fault when
  /// the condition is known to hold.
  template <class Message>
  void error_if(Term condition, const Message& message) {
    if (condition != Terms::kFalse) error_unless_known(condition, [&] { return std::string(message); });
  }
  void error_unless_known(Term condition, const std::function<std::string()>& message);
  void record(Term condition, const std::string& message);

  // expressions.cpp
  Scalar number(const Code* e);  // of what is no data
  Term term(const Code* e);
  std::vector<Scalar> numbers(const Code* e);
  std::vector<Term> terms(const Code* e);
  /// The condition itself, after checking that it depends on no undef.
  Term condition(const Code* e);
  Term checked(Term t, const char* where);
  /// The number that is needed of it; `whole`: in int64, to be beyond which is an error.
  Wide exact(const Code* e, const char* where);
  int64_t whole(const Code* e, const char* where);
  Term binary(Op op, Term a, Term b);
  /// An evaluation of its own where the flags leave the operation open.
  Term evaluated(Term operation) {
    return t_.left_open(operation) ? t_.evaluation(operation, evaluations_++ * 2 + side_) : operation;
  }
  Term cast(DType to, Term a);
  Term permits_undef(const Code* e);
  Term short_circuit(const Code* e);
  Term call(const Code* e, const std::vector<Term>& args);

  // access.cpp
  /// An index: a number, or a term.
  struct Index {
    int64_t value = 0;
    Term term = kNoTerm;
  };
  struct Candidate {
    Term condition;
    std::vector<int64_t> indices;
  };
  std::vector<std::vector<Index>> elements(const std::vector<const Code*>& indices);
  std::vector<Candidate> candidates(const View& view, const BufferNode& buffer, const std::vector<Index>& indices,
                                    bool write);
  std::vector<Candidate> within_memory(const View& view, const BufferNode& buffer, std::vector<Candidate> all,
                                       bool write);
  size_t position(const View& view, const BufferNode& buffer, const std::vector<int64_t>& indices, int lane,
                  bool write) const;
  void touch(View& view, const BufferNode& buffer, const std::vector<int64_t>& indices, size_t at, bool write,
             Term guard);
  Term read(View& view, const BufferNode& buffer, const std::vector<int64_t>& indices, size_t at);
  void write_element(View& view, const BufferNode& buffer, const std::vector<Index>& indices, int lane, Term value);
  std::vector<Term> load(const Code* e);
  Term load_scalar(const Code* e);
  View& view(uint32_t slot, const BufferNode& buffer);

  Terms& t_;
  Program program_;
  ExecutorLimits limits_;
  uint32_t side_, undefs_ = 0, evaluations_ = 0;
  Known known_;
  Term path_ = Terms::kTrue;
  int forks_ = 0;
  bool in_assume_ = false;
  const Action* current_ = nullptr;
  uint64_t steps_ = 0, cells_ = 0;
  uint32_t memories_made_ = 0;

  std::vector<Scalar> scalars_;
  std::vector<Term> values_;
  std::vector<std::vector<Scalar>> scalar_lanes_;
  std::vector<std::vector<Term>> value_lanes_;
  std::vector<View> views_;
  std::vector<Memory*> handles_;
  std::vector<std::unique_ptr<Memory>> owned_, retired_;
  ParallelStack parallel_;
  size_t parallel_depth_ = 0;

  struct Logged {
    Memory* memory;
    uint32_t at;
    Term cell, filled;  // before the write
  };
  std::vector<Logged> log_;
  std::vector<ErrorItem> errors_;
  std::unordered_set<Term> recorded_;
  std::vector<Term> learnt_;
};

}  // namespace hexproof::symbolic
