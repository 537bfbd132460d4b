// What a statement reads and writes, under which guard: the five words of loop rules are asked over these.
#pragma once
#include <vector>

#include "verify/facts/facts.h"

namespace hexproof {

/// One load or store inside a statement S: for all values of `loops` (the loops inside S around the access)
/// under `guards`, the cell `indices` of `buffer` is touched, which lies at `address_of` in the memory `buffer->data`.
/// Let and block variables are inlined. What a guard, an index or a layout reads from memory that S itself changes is
/// an opaque value of the loops around it.
///
/// T.assume(P or A[i] == T.undef()) gives A[i] some value where it held none and P is false: it is a write of A[i],
/// which keeps what the cell holds where it holds something.
struct Access {
  Buffer buffer;
  std::vector<Expr> indices;  // scalars; a vector access has its lane as an extra loop
  bool write = false;
  bool fills = false;  // a write that keeps a value which is there: what the cell held before may be seen behind it
  std::vector<LoopRange> loops = {};  // outermost first
  std::vector<Expr> guards = {};      // conditions under which it happens; ones that read memory which S leaves alone
                                      // are kept as they are
  bool exact = true;                  // false: it may or may not happen (a guard or an index is data)
  Stmt stmt = {};                     // the statement that holds it
  std::vector<int> order = {};        // position in program order inside S, to compare two accesses of one iteration
  BufferLayout layout = {};           // of the buffer, as it was declared in this execution; renamed with the indices
  bool anywhere = false;              // it may be any cell of the memory: nothing is known of the place
  bool evaluated = true;              // false: an index is written with an operation that nobody evaluates
};

/// A load or store of a cell of a buffer whose layout mentions nothing that is bound inside of the function, or whose
/// layout is given.
Access access_of(const Buffer& buffer, std::vector<Expr> indices, bool write = false);
Access access_of(const Buffer& buffer, std::vector<Expr> indices, BufferLayout layout, bool write = false);

/// In `Access::order`, the parts of a statement (see children()) are numbered from here on, its operands from 0.
inline constexpr int kOrderParts = 1 << 20;

/// Every access in `stmt`, in program order (operands before the store): what ir/evaluation.h says is evaluated, and
/// the stores. A block's init is under the guard that each reduction variable is at the start of its domain. `facts`
/// are those at `stmt`; the loops and conditions in it are not repeated in the accesses. Memory that is allocated
/// inside `stmt` is nobody else's: its accesses are left out unless `with_local` asks for them.
std::vector<Access> footprint(const Stmt& stmt, const Facts& facts = {}, bool with_local = false);
/// How many loops and operands lie above the place where two accesses of one footprint part: the number of leading
/// entries of `order` that are equal.
size_t common_order(const Access& a, const Access& b);
std::vector<Access> reads_of(const std::vector<Access>& accesses);
std::vector<Access> writes_of(const std::vector<Access>& accesses);
/// The writes behind which nothing is seen of what the cell held before.
std::vector<Access> stores_of(const std::vector<Access>& accesses);
/// One lane of a vector expression, `lane` being an int32 variable; an opaque value of `loops` where the lanes are not
/// computed one by one.
Expr lane_of(const Expr& e, const Var& lane, const std::vector<LoopRange>& loops);
/// Do two buffers share memory? (the same buffer, or views of one data variable)
bool may_alias(const Buffer& a, const Buffer& b);

/// The access with the loops inside it renamed apart: the second copy of a dependence question.
Access rename_apart(const Access& access);
/// And with variables of loops around it, and those that `renaming` names already.
struct RenamedAccess {
  Access access;
  VarMap renaming;  // old -> new for the variables around it
};
RenamedAccess rename_apart(const Access& access, const std::vector<LoopRange>& outer, VarMap renaming = {});

/// A value of which nothing is known; another one at each call.
Expr any_value(DType type);
/// Does `e` depend on what may be another value at another moment of a time in which `changing` memory is stored to?
/// (Of a variable that is bound to data nobody knows.)
bool changes_with(const Expr& e, const std::set<Var>& changing);
/// The access at any moment of such a time, ready to be compared with one at another moment: a formula sees one memory
/// state. A guard that changes is dropped (it may or may not hold), an index that does so is any value, and so are the
/// bounds of a loop; a view whose place does so may be anywhere.
Access at_any_moment(Access access, const std::set<Var>& changing);

/// The same with `map` put in for variables in all that it consists of. The loops inside it are left as they are.
Access substitute(Access access, const VarMap& map);

/// Ranges and guards of the access as formulas, and that what decides them was evaluated without an error.
std::vector<Expr> domain_of(const Access& access);
/// Are the addresses of two accesses to one memory equal exactly where their indices are? One compact layout, elements
/// of one type; the indices are in bounds, as they are in every execution without an error.
bool same_layout(const Access& a, const Access& b);
/// "the two accesses touch one cell": the addresses are equal (the ranges of bytes meet, when the elements differ in
/// size). Between accesses of one compact layout, which the program keeps in bounds in every dimension, that is
/// equality of all indices. `true` where one of them may be anywhere.
Expr same_cell(const Access& a, const Access& b);
/// The same value in that type.
inline Expr as_type(DType type, const Expr& e) { return e->dtype == type ? e : cast(type, e); }
/// Both in one type, to be compared.
inline std::pair<Expr, Expr> alike(const Expr& a, const Expr& b) {
  if (a->dtype == b->dtype) return {a, b};
  return {as_type(kInt64, a), as_type(kInt64, b)};
}
/// The type in which an address is written unless one is asked for: that of its parts where they have one type, else
/// int64.
DType address_type(const BufferLayout& layout, const std::vector<Expr>& indices);
/// The address of a cell in elements of its buffer, from the start of the memory: a mathematical integer, written in
/// `type` and larger than that where it has to be. So nobody casts an address, which wraps: two that are held against
/// each other are written in one type.
Expr flat_address(const BufferLayout& layout, const std::vector<Expr>& indices, DType type);
Expr flat_address(const BufferLayout& layout, const std::vector<Expr>& indices);
/// The same in bytes, in a type that has room for constants whatever the indices are.
Expr byte_address(const BufferLayout& layout, const std::vector<Expr>& indices, int element_bytes, DType type);
inline Expr address_of(const Access& access) { return flat_address(access.layout, access.indices); }

/// disjoint: under `given`, no cell is touched by both. Empty when the buffers cannot alias.
std::vector<Obligation> disjoint(const std::string& rule, const std::string& why, const Place& where,
                                 const std::vector<Expr>& given, const Access& a, const Access& b);
/// covers: under `given`, the cell of `read` is written by one of `writes` in an execution whose inner loops are
/// chosen by inverting its index map (the witness is put in; there is no quantifier in the question). Each
/// element of the result is a set of obligations that suffices on its own.
std::vector<std::vector<Obligation>> covers(const std::string& rule, const std::string& why, const Place& where,
                                            const std::vector<Expr>& given, const std::vector<Access>& writes,
                                            const Access& read);

}  // namespace hexproof
