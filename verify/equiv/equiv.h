// Do two programs compute the same? Asked of any two programs, knowing nothing of how one became the other: this
// shares nothing with the rules but the language and its meaning.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verify/equiv/pair.h"
#include "verify/equiv/writer.h"

namespace hexproof {

/// What one method found.
struct Evidence {
  std::string method;                    // "parametric", "symbolic", "fingerprint", "tests"
  Finding finding = Finding::Undecided;  // Refuted only together with `input`
  /// One sentence for the user: what was shown; or which construct was in the way, where, and the nearest form that is
  /// supported; or "fingerprint equal, error < 2^-84".
  std::string says;
  bool equal_so_far = false;            // Undecided, but what was looked at was equal (weaker evidence)
  std::optional<PairInput> input = {};  // Refuted: an input that should show it; replayed before it is reported
  std::vector<std::string> notes = {};  // inputs that were excluded because `before` is erroneous on them, ...
  double milliseconds = 0;
  size_t inputs = 0;  // tests: on which the results agree
};

/// A cell of an argument on which the programs differ, after a run.
struct Difference {
  size_t buffer = 0;                               // position among the buffer pairs
  std::vector<int64_t> before_index, after_index;  // before_index is empty for padding
  std::string before_value, after_value;           // "" where the cell is uninitialised
  LastWriter before_writer, after_writer;          // what wrote it last
};

/// A refutation that the interpreter has met.
struct Counterexample {
  PairInput input;
  std::optional<RunError> after_error;  // `after` reaches it, and `before` none
  std::vector<Difference> differences;  // all of them
  std::string table;                    // for people; `describe` fills it
  uint64_t steps = 0;                   // of the runs that show it
};

enum class Method : uint8_t { Auto, Parametric, Symbolic, Fingerprint, Tests };

/// Native evaluation at full size; verify/ declares what it needs and the command connects it with backend/.
class NativeEvaluator;

/// Changes cells of inputs so that what a program assumes of them holds, as far as it can.
using SatisfyAssumes = std::function<void(const PrimFunc&, std::vector<Tensor>&, const std::vector<int64_t>&)>;

/// How much work a comparison may be. It is counted in terms, statements and resource units, never in time.
enum class EquivEffort : uint8_t {
  Full,
  /// What a second opinion may cost: no solver that is a process of its own, symbolic runs of small sizes only.
  Bounded,
};

struct EquivOptions {
  Method method = Method::Auto;
  uint64_t max_terms = 20'000'000;  // memory bound of the symbolic method
  uint64_t seed = 1;
  NativeEvaluator* native = nullptr;  // missing: no fingerprints
  EquivEffort effort = EquivEffort::Full;
  SatisfyAssumes satisfy = {};  // missing: inputs are random, whatever the programs assume
  bool free_of_errors = false;  // both programs are proved so: nothing asks again
};

struct EquivReport {
  ProgramPair pair;
  Finding finding = Finding::Undecided;
  std::string method;              // what settled it
  std::vector<Evidence> evidence;  // in the order of the tries
  std::optional<Counterexample> counterexample;
  std::string reason;  // Undecided, Vacuous, Unsupported
  /// Refuted: the method that had called the pair proved. The counterexample was replayed, so that method is wrong.
  std::string contradicted;
};

EquivReport equiv(const ProgramPair& pair, Prover& prover, const EquivOptions& options = {});

// The methods. None throws on a program that it cannot handle: it says so in `says` (Finding::Unsupported where it is a
// construct of the program, Undecided where it is a limit).

/// Matches stores of `after` with stores of `before` by the region they write, for all sizes.
/// `free_of_errors`: both programs are known to be; otherwise they are checked.
Evidence equiv_parametric(const ProgramPair& pair, Prover& prover, bool free_of_errors = false);
/// Both programs on symbolic inputs at concrete sizes, cell by cell.
Evidence equiv_symbolic(const ProgramPair& pair, const Instance& instance, Prover& prover, uint64_t max_terms,
                        EquivEffort effort = EquivEffort::Full);
/// Both programs over the field of 2^61 - 1 at concrete sizes, natively.
Evidence equiv_fingerprint(const ProgramPair& pair, const Instance& instance, Prover& prover, NativeEvaluator& native,
                           uint64_t seed);
/// Edge-heavy random inputs in the interpreter; about `max_work` statements and cells, when it is not 0.
Evidence equiv_tests(const ProgramPair& pair, const Instance& instance, uint64_t seed, uint64_t max_work = 0);

/// Which inputs tests look at: those of the numbers first ... first + count - 1 of a list that begins with random ones,
/// goes on with inputs of one value in every cell, and ends with random ones, edge-heavy every other time.
struct TestInputs {
  static constexpr int kAll = 32;
  int first = 0, count = kAll;
  uint64_t seed = 1;
  uint64_t max_work = 0;        // statements and cells; 0: no bound
  SatisfyAssumes satisfy = {};  // may be missing
};
Evidence equiv_tests(const ProgramPair& pair, const Instance& instance, const TestInputs& inputs);
struct FilledCells;
/// One of them; `filled` are the cells of the instance (filled_cells), `state` is that of the stream of random numbers.
PairInput test_input(const ProgramPair& pair, const Instance& instance, const FilledCells& filled, int number,
                     const SatisfyAssumes& satisfy, uint64_t& state);

/// How a cell counts that `before` leaves computed from an undef.
enum class UndefCells : uint8_t {
  HoldAnything,  // no difference
  AsSampled,     // a difference when no run of `before` gives the value: for who knows that no other choice helps
};

/// Runs both programs on the input in the interpreter. Nothing when `before` reaches an error or no difference is seen.
/// Where programs choose undef values, several runs are made, and a difference counts only if `after` has it in one and
/// `before` in none. Under granted flags only inputs count on which the flags leave no choice.
std::optional<Counterexample> replay(const ProgramPair& pair, const PairInput& input,
                                     UndefCells undefs = UndefCells::HoldAnything);
/// The same with no run longer than so many statements (zero: than any that `replay` makes). Else than when all runs
/// were made, ended and were `compared`, that no difference was seen means nothing.
std::optional<Counterexample> replay_within(const ProgramPair& pair, const PairInput& input, uint64_t max_steps,
                                            bool* compared);
/// Fills in the statements that wrote the cells, and the table.
void describe(const ProgramPair& pair, Counterexample& found);
/// A counterexample with smaller numbers: cells set to 0, 1, small values as long as it still shows a difference.
Counterexample shrink(const ProgramPair& pair, Counterexample found);
/// Does the interpreter, in runs no longer than so many statements, see a difference that refutes the pair?
bool refutes(const ProgramPair& pair, const Evidence& refutation, uint64_t max_steps);
/// What a refutation found: replayed, made smaller and described; nothing when the interpreter sees no difference, or
/// when what it sees is no refutation of the pair, for the reason `why_not`.
std::optional<Counterexample> confirmed(const ProgramPair& pair, const Evidence& refutation,
                                        std::string* why_not = nullptr);

}  // namespace hexproof
