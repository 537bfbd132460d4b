// The text of a program while it is being written, stage by stage. Constructs (fuzz/constructs/constructs.h) write into
// one.
#pragma once
#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "fuzz/choices.h"
#include "ir/function.h"

namespace hexproof {

/// A buffer that the program may read where it stands now: every cell holds a value.
struct Cells {
  std::string name;
  std::string type = "int32";
  std::vector<int64_t> shape = {16};

  int64_t size() const;
};

/// What one value of an int32 expression may be: [0, extent).
struct Counter {
  std::string text;
  int64_t extent = 1;
};

class Sketch {
 public:
  explicit Sketch(Choices& chosen) : choices(chosen) {}

  Choices& choices;
  std::vector<Cells> readable;    // in scope
  std::vector<Counter> counters;  // in scope

  /// A suite: what is written, may be read and counts until it ends stands one level deeper.
  class Suite {
   public:
    explicit Suite(Sketch& sketch);
    Suite(Sketch& sketch, Counter counter);
    ~Suite();
    Suite(const Suite&) = delete;

   private:
    Sketch& sketch_;
    size_t indent_, readable_, counters_, written_;
  };

  template <class... Args>
  void line(fmt::format_string<Args...> form, Args&&... args) {
    write(fmt::format(form, std::forward<Args>(args)...));
  }
  /// A line that opens a suite: `Suite s = open("if {}:", condition)`.
  template <class... Args>
  Suite open(fmt::format_string<Args...> form, Args&&... args) {
    write(fmt::format(form, std::forward<Args>(args)...));
    return Suite(*this);
  }
  void write(const std::string& text);
  /// A name that nothing else has.
  std::string fresh(const std::string& hint) { return hint + std::to_string(names_++); }

  /// `for i in range(extent):`; `name` receives i.
  Suite loop(int64_t extent, std::string* name);
  /// A loop over any range; `counter` says what its variable counts.
  Suite loop_over(const std::string& name, const std::string& range, Counter counter);

  /// A type, mostly int32.
  std::string type();
  /// A buffer with this shape and type that may be read; one that is there, or a new argument.
  Cells shared(std::vector<int64_t> shape, const std::string& type = "int32");
  /// Any buffer that may be read.
  Cells any();
  /// A new argument.
  Cells argument(std::vector<int64_t> shape, const std::string& type = "int32");
  /// A new argument of which nobody filled the cells that `padding` is true of, a condition on i, or on i and j
  /// ("i * 4 + j >= 13"); it is not yet readable.
  Cells unfilled(std::vector<int64_t> shape, const std::string& padding, const std::string& type = "int32");
  /// A new allocation where the program stands, with a value in every cell.
  Cells temporary(std::vector<int64_t> shape, const std::string& type = "int32");
  /// The same, uninitialised, and not yet readable.
  Cells allocation(std::vector<int64_t> shape, const std::string& type = "int32");
  /// It may be read no longer.
  void forget(const Cells& cells);
  /// A parameter as it stands in the function's head ("n: T.int32"); a line with a T.match_buffer or a shape variable;
  /// a line in front of the first stage.
  void parameter(const std::string& text) { parameters_.push_back(text); }
  void declare(const std::string& text) { declarations_.push_back(text); }
  void prelude(const std::string& text) { prelude_.push_back(text); }
  /// A scalar parameter with an assume on its range.
  std::string scalar(int64_t least, int64_t greatest);

  /// An int32 expression in [0, extent).
  std::string index(int64_t extent);
  /// `A[i, 2]`
  std::string cell(const Cells& cells);
  std::string constant(const std::string& type);
  /// Free of errors whatever the buffers hold.
  std::string value(const std::string& type, int depth = 2);
  std::string condition();
  /// A condition over counters alone.
  std::string index_condition();
  /// `A[...] = value`
  void store(const Cells& cells) { line("{} = {}", cell(cells), value(cells.type)); }
  void store(const Cells& cells, const std::string& at) { line("{}[{}] = {}", cells.name, at, value(cells.type)); }

  /// The program; Error when what was written is no TVMScript.
  std::string text() const;
  PrimFunc program() const;
  /// What of memory of the scope "local" and of loops over threads has a meaning together is not modelled. So a program
  /// has one of them, the one that comes first; is it this one?
  enum class OfThreads : uint8_t { Memory, Loops };
  bool may_have(OfThreads what) { return of_threads_.value_or(what) == what ? (of_threads_ = what, true) : false; }
  /// Text of further functions: the program is a module then.
  void function(const std::string& text) { functions_.push_back(text); }

 private:
  friend class Suite;
  std::string leaf(const std::string& type);
  std::string operation(const std::string& type, int depth);
  std::optional<OfThreads> of_threads_;
  std::vector<std::string> attributes_, parameters_, declarations_, prelude_, body_, functions_;
  size_t indent_ = 0;
  int names_ = 0;
};

/// "(4, 4)", "(16,)"
std::string shape_text(const std::vector<int64_t>& shape);

}  // namespace hexproof
