// Machine instructions as data: what each means, as a plain program, and what it is called on each target.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/function.h"

namespace hexproof {

/// One row. The description is a TVMScript function over the operands: a nest of loops from 0 with constant extents
/// around one store to the first operand, whose elements it may read. It is the whole meaning of the row: the
/// instruction does, for all operands, what the description does.
struct Intrinsic {
  struct Constant {
    int64_t value;
  };
  /// What one of LLVM's functions takes: an operand, the result of an earlier call by its name, or a constant.
  struct Argument {
    std::string name;
    int64_t from = 0;  // of an operand: the byte at which the part starts that is taken
    std::optional<int64_t> constant = {};
    Argument(const char* operand, int64_t first_byte = 0) : name(operand), from(first_byte) {}
    Argument(Constant number) : constant(number.value) {}
  };
  struct Call {
    std::string llvm;                 // LLVM's name of the function
    std::vector<Argument> arguments;  // in the order in which LLVM takes them
    std::string result = {};          // its name for later calls
  };
  /// What does it on one target: a call, or a few of them. The result of the last one is the first operand, or several
  /// results one after the other are.
  struct Code {
    std::string target;  // "hexagon", "host"
    std::vector<Call> calls;
    std::string needs = {};  // LLVM's name of what a processor must have for it
    /// Where a few calls do it: what they compute together, as their machine's manual has it, as a description. That
    /// this is the row's description for all operands is a lemma, by the name of the function: a test proves it once.
    std::string lemma = {};
    std::vector<std::string> results = {};  // empty: that of the last call
  };
  std::string name;
  std::string description;
  std::vector<Code> code;
};

/// All rows, by name.
const std::vector<const Intrinsic*>& all_intrinsics();
/// One more row that is found by its name, until the end of the process; `all_intrinsics` does not list it. A row is
/// believed: what tries it out is the test of rows.
void try_out(const Intrinsic& row);
/// The row of that name, or null.
const Intrinsic* intrinsic_by_name(const std::string& name);
/// Its description as a program.
const PrimFunc& description_of(const Intrinsic& intrinsic);

/// The annotation of a loop that marks its nest; its value is the name of the row.
inline constexpr const char* kTensorize = "hexproof.tensorize";
/// The row's name, when the loop is marked; an annotation that is no text counts as the empty name.
const std::string* mark_of(const For& loop);
/// How many loops of the statement are marked.
size_t count_marks(const Stmt& stmt);

/// One operand in a nest that is its description: the region that starts at `first` and lies in memory as the formal
/// operand does.
struct NestOperand {
  Buffer formal, buffer;
  std::vector<Expr> first;           // indices where all loops of the nest are at 0
  std::vector<Expr> indices;         // as the nest has them
  std::vector<Expr> formal_indices;  // as the description has them, over the variables of the nest
  int64_t bytes = 0;
};
struct NestMatch {
  std::vector<For> loops;             // outermost first
  std::vector<NestOperand> operands;  // in the order of the description's parameters
};

/// Is the nest of `loop` the description, by its form alone? Loops of the same extents, in the same order, each from 0
/// and serial; around one store (or a block of it, without init and predicate) of the same expression, up to the order
/// of the operands of integer sums and products; each operand one region that the description's strides walk over, by
/// constant steps; the one that is written apart from the others in memory. Else the reason why not.
std::variant<NestMatch, std::string> match_nest(const For& loop, const PrimFunc& description);

}  // namespace hexproof
