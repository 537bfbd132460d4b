// Expressions of a walk. Values that depend on no buffer's content are numbers (Scalar) and are computed here;
// values that do are cells of the domain.
#pragma once
#include <unordered_map>
#include <variant>

#include "ir/function.h"
#include "ir/interpreter/math.h"
#include "ir/interpreter/observer.h"
#include "ir/interpreter/walk/walk_memory.h"

namespace hexproof {

/// What a domain must offer (walk.h describes it in words).
template <class D>
concept WalkDomain = requires(D& d, const typename D::Cell& c, const Scalar& s, DType t, Op op, const std::string& text,
                              const std::vector<typename D::Cell>& list) {
  { d.constant(s) } -> std::same_as<typename D::Cell>;
  { d.unary(op, c, t) } -> std::same_as<typename D::Cell>;
  { d.binary(op, c, c, t) } -> std::same_as<typename D::Cell>;
  { d.cast(t, c, t) } -> std::same_as<typename D::Cell>;
  { d.select(c, c, c, t) } -> std::same_as<typename D::Cell>;
  { d.call(text, t, list) } -> std::same_as<typename D::Cell>;
  { d.undef(t) } -> std::same_as<typename D::Cell>;
  { d.number(c, t, text) } -> std::same_as<std::optional<Scalar>>;
  { d.assume(c) } -> std::same_as<void>;
};

template <WalkDomain Domain>
class WalkExpr {
 public:
  using Cell = typename Domain::Cell;
  /// A number, or a cell when it depends on the content of a buffer: which one is the same at each evaluation.
  using Value = std::variant<Scalar, Cell>;
  using Memory = WalkMemory<Cell>;
  using View = WalkView<Cell>;

  WalkExpr(Domain& domain, bool check_races) : domain_(domain), check_races_(check_races) {}

 protected:
  Cell lift(Value v) {
    if (Scalar* s = std::get_if<Scalar>(&v)) return domain_.constant(*s);
    return std::move(std::get<Cell>(v));
  }

  /// The number that an index, a bound or a condition needs.
  Scalar number(const Value& v, DType type, const std::string& where) {
    if (const Scalar* s = std::get_if<Scalar>(&v)) return *s;
    std::optional<Scalar> s = domain_.number(std::get<Cell>(v), type, where);
    if (!s)
      throw Unsupported(current_ ? (*current_)->span : Span{}, where + " that depends on the content of a buffer");
    return *s;
  }
  Scalar number(const Expr& e, const std::string& where) { return number(eval(e), e->dtype, where); }
  int64_t index(const Value& v, DType type, const std::string& where) {
    Wide wide = wide_value(number(v, type, where));
    if (!fits_type(kInt64, wide))
      throw Fault{ErrorKind::Overflow, "the number " + to_string(wide) + " in " + where + " is beyond int64"};
    return static_cast<int64_t>(wide);
  }
  int64_t index(const Expr& e, const std::string& where) { return index(eval(e), e->dtype, where); }
  bool truth(const Expr& e) { return number(e, "a condition").truth(); }

  /// Binds a variable while the body runs. Vectors and scalars live apart.
  void bind(const Var& var, Value value) { vars_[var.id()] = std::move(value); }
  void bind_lanes(const Var& var, std::vector<Value> lanes) { vectors_[var.id()] = std::move(lanes); }
  void bind_to(const Var& var, const Expr& value) {
    if (value->dtype.is_scalar())
      bind(var, eval(value));
    else
      bind_lanes(var, eval_lanes(value));
  }

  /// A scalar expression.
  Value eval(const Expr& e) {
    switch (e->op) {
      case Op::Var:
        return lookup(vars_, e);
      case Op::IntImm:
        return Scalar{e->dtype, static_cast<uint64_t>(e->int_value())};
      case Op::FloatImm:
        return float_scalar(e->dtype, e->float_value());
      case Op::Undef:
        return domain_.undef(e->dtype);
      case Op::And:
      case Op::Or:
        if (in_assume_) return short_circuit(e);
        return binary(e, eval(e->args[0]), eval(e->args[1]));
      case Op::EQ:
        if (in_assume_ && permits_undef(e)) return bool_scalar(true);
        [[fallthrough]];
      case HEXPROOF_CASES(Arithmetic):
      case Op::NE:
      case HEXPROOF_CASES(Order):
      case Op::BitAnd:
      case Op::BitOr:
      case Op::BitXor:
      case HEXPROOF_CASES(Shift): {
        Value a = eval(e->args[0]), b = eval(e->args[1]);
        return binary(e, std::move(a), std::move(b));
      }
      case Op::Not:
      case Op::BitNot:
        return unary(e->op, eval(e->args[0]), e->dtype);
      case Op::Select: {
        if (in_assume_) return choose(e);
        Value c = eval(e->args[0]), yes = eval(e->args[1]), no = eval(e->args[2]);
        return select(std::move(c), std::move(yes), std::move(no), e->dtype);
      }
      case Op::IfThenElse:
        return choose(e);
      case Op::Cast:
        return cast(e->dtype, eval(e->args[0]), e->args[0]->dtype);
      case Op::Let:
        bind_to(e->args[0]->var(), e->args[1]);
        return eval(e->args[2]);
      case Op::Load:
        return load_lanes(e)[0];
      case Op::Likely:
        return eval(e->args[0]);
      case Op::Call:
        return call(e, 0, scalar_args(e));
      case Op::StringImm:
      case HEXPROOF_CASES(Vector):
      case HEXPROOF_CASES(ProofOnly):
        break;
    }
    throw Unsupported(current_ ? (*current_)->span : Span{}, "a value of the kind " + std::string(info(e->op).name));
  }

  /// A vector (or a scalar as its one lane), the lanes in order.
  std::vector<Value> eval_lanes(const Expr& e) {
    if (e->dtype.is_scalar()) return {eval(e)};
    const size_t lanes = e->dtype.lanes;
    switch (e->op) {
      case Op::Var:
        return lookup(vectors_, e);
      case Op::Undef:
        return each(lanes, [&](size_t) -> Value { return domain_.undef(e->dtype.element()); });
      case HEXPROOF_CASES(Arithmetic):
      case HEXPROOF_CASES(Comparison):
      case Op::And:
      case Op::Or:
      case Op::BitAnd:
      case Op::BitOr:
      case Op::BitXor:
      case HEXPROOF_CASES(Shift): {
        auto a = eval_lanes(e->args[0]), b = eval_lanes(e->args[1]);
        return each(lanes, [&](size_t i) { return binary(e, a[i], b[i]); });
      }
      case Op::Not:
      case Op::BitNot: {
        auto a = eval_lanes(e->args[0]);
        return each(lanes, [&](size_t i) { return unary(e->op, a[i], e->dtype.element()); });
      }
      case Op::Select: {
        auto c = eval_lanes(e->args[0]), yes = eval_lanes(e->args[1]), no = eval_lanes(e->args[2]);
        return each(lanes,
                    [&](size_t i) { return select(c[c.size() == 1 ? 0 : i], yes[i], no[i], e->dtype.element()); });
      }
      case Op::IfThenElse: {
        auto chosen = eval_lanes(e->args[truth(e->args[0]) ? 1 : 2]);
        if (e->data) {
          for (Value& v : chosen) v = lift(std::move(v));
        }
        return chosen;
      }
      case Op::Cast: {
        auto a = eval_lanes(e->args[0]);
        return each(lanes, [&](size_t i) { return cast(e->dtype.element(), a[i], e->args[0]->dtype.element()); });
      }
      case Op::Let:
        bind_to(e->args[0]->var(), e->args[1]);
        return eval_lanes(e->args[2]);
      case Op::Load:
        return load_lanes(e);
      case Op::Ramp: {
        Value base = eval(e->args[0]), stride = eval(e->args[1]);
        return each(lanes, [&](size_t i) { return ramp(e, base, stride, static_cast<int>(i)); });
      }
      case Op::Broadcast:
        return std::vector<Value>(lanes, eval(e->args[0]));
      case Op::Likely:
        return eval_lanes(e->args[0]);
      case Op::Call: {
        if (!acts_on_each_lane(*e)) break;
        std::vector<std::vector<Value>> args;
        for (const Expr& a : e->args) args.push_back(eval_lanes(a));
        return each(lanes, [&](size_t i) {
          std::vector<Cell> lane;
          for (auto& a : args) lane.push_back(lift(a[a.size() == 1 ? 0 : i]));
          return call(e, i, std::move(lane));
        });
      }
      case HEXPROOF_CASES(Constant):
      case HEXPROOF_CASES(ProofOnly):
        break;
    }
    throw Unsupported(current_ ? (*current_)->span : Span{}, "a vector of the kind " + std::string(info(e->op).name));
  }

  /// Calls `f` with the indices of each element that an access touches, in the order of the lanes.
  template <class F>
  void each_element(const Buffer& buffer, const std::vector<Expr>& indices, F f) {
    std::vector<std::vector<Value>> parts;
    size_t lanes = 1;
    for (const Expr& e : indices) {
      parts.push_back(eval_lanes(e));
      lanes = std::max(lanes, parts.back().size());
    }
    std::vector<std::vector<int64_t>> elements(lanes, std::vector<int64_t>(indices.size()));
    for (size_t k = 0; k < lanes; ++k) {
      for (size_t i = 0; i < indices.size(); ++i) {
        const auto& part = parts[i];
        elements[k][i] = index(part[part.size() == 1 ? 0 : k], indices[i]->dtype.element(), "an index");
      }
    }
    View& view = this->view(buffer);
    for (const auto& element : elements) {
      for (int lane = 0; lane < buffer->dtype.lanes; ++lane) f(view, element, lane);
    }
  }

  std::vector<Value> load_lanes(const Expr& e) {
    std::vector<Value> out;
    const Buffer& buffer = e->buffer();
    each_element(buffer, e->args, [&](View& view, const std::vector<int64_t>& indices, int lane) {
      size_t at = view.position(false, *buffer, indices, lane);
      touch(view, *buffer, indices, at, false);
      if (!view.memory->filled[at]) faults::uninitialised(*buffer, indices);
      out.push_back(view.memory->cells[at]);
      seen(buffer, indices, lane, at, SeenAccess::Kind::Read);
    });
    return out;
  }

  void seen(const Buffer& buffer, const std::vector<int64_t>& indices, int lane, size_t at, SeenAccess::Kind kind) {
    if (observer_) observer_->access({buffer, indices, lane, static_cast<int64_t>(at), kind});
  }

  void touch(View& view, const BufferNode& buffer, const std::vector<int64_t>& indices, size_t at, bool write) {
    if (flights_.any()) {
      auto met = view.memory->flight.touch(static_cast<int64_t>(at), view.memory->size(), write, flights_);
      if (met) faults::in_flight(touched_text(buffer, indices, write), *met);
    }
    if (!check_races_ || parallel_.levels().empty()) return;
    auto conflict = view.memory->shadow.touch(static_cast<int64_t>(at), view.memory->size(), write, parallel_);
    if (conflict) faults::race(buffer, indices, *conflict->loop, write, conflict->earlier_write);
  }

  View& view(const Buffer& buffer) {
    auto it = views_.find(buffer->id);
    if (it == views_.end()) throw Error("the buffer " + buffer->name + " is used where it is not declared");
    return it->second;
  }

  Domain& domain_;
  bool check_races_;
  bool in_assume_ = false;
  RunObserver* observer_ = nullptr;
  const Stmt* current_ = nullptr;  // the statement that runs
  ParallelStack parallel_;
  FlightQueues flights_;
  std::unordered_map<uint32_t, Value> vars_;
  std::unordered_map<uint32_t, std::vector<Value>> vectors_;
  std::unordered_map<uint32_t, View> views_;

 private:
  template <class F>
  static std::vector<Value> each(size_t lanes, F f) {
    std::vector<Value> out;
    out.reserve(lanes);
    for (size_t i = 0; i < lanes; ++i) out.push_back(f(i));
    return out;
  }

  template <class Map>
  const auto& lookup(const Map& map, const Expr& e) {
    auto it = map.find(e->var().id());
    if (it == map.end()) throw Error("the variable " + e->var().name() + " has no value here");
    return it->second;
  }

  /// One lane. Index arithmetic needs numbers, and is an error where it overflows; any other operation is the domain's
  /// where an operand is.
  Value binary(const Expr& e, Value a, Value b) {
    const DType type = e->args[0]->dtype.element();
    const Scalar* x = std::get_if<Scalar>(&a);
    const Scalar* y = std::get_if<Scalar>(&b);
    Scalar left, right;
    if (!e->wraps && may_wrap(e->op, type) && !(x && y)) {
      left = number(a, type, "index arithmetic"), right = number(b, type, "index arithmetic");
      x = &left, y = &right;
    }
    bool numbers = x && y;
    if constexpr (requires { Domain::kComputesNumbers; }) numbers &= !type.is_float();
    if (!numbers) return domain_.binary(e->op, lift(std::move(a)), lift(std::move(b)), type);
    ScalarResult r = apply_binary(e->op, *x, *y, e->wraps ? Arith::Data : Arith::Index);
    if (!r) faults::operation(r.error, e->op, *x, *y);
    return r.value;
  }
  Value unary(Op op, Value a, DType type) {
    if (const Scalar* x = std::get_if<Scalar>(&a)) return apply_unary(op, *x);
    return domain_.unary(op, std::get<Cell>(a), type);
  }
  Value cast(DType to, Value a, DType from) {
    const Scalar* x = std::get_if<Scalar>(&a);
    if (!x) return domain_.cast(to, std::get<Cell>(a), from);
    ScalarResult r = apply_cast(to, *x);
    if (!r) faults::cast(r.error, to, *x);
    return r.value;
  }
  Value select(Value c, Value yes, Value no, DType type) {
    const Scalar* x = std::get_if<Scalar>(&c);
    bool data = !x || std::holds_alternative<Cell>(yes) || std::holds_alternative<Cell>(no);
    if (!data) return x->truth() ? yes : no;
    return domain_.select(lift(std::move(c)), lift(std::move(yes)), lift(std::move(no)), type);
  }
  Value ramp(const Expr& e, const Value& base, const Value& stride, int lane) {
    const DType type = e->dtype.element();
    bool numbers = std::holds_alternative<Scalar>(base) && std::holds_alternative<Scalar>(stride);
    if (!e->wraps || numbers) {
      Scalar x = number(base, type, "index arithmetic"), y = number(stride, type, "index arithmetic");
      ScalarResult r = ramp_lane(x, y, lane, e->wraps ? Arith::Data : Arith::Index);
      if (!r) faults::operation(r.error, Op::Ramp, x, y);
      return r.value;
    }
    Cell step = domain_.binary(Op::Mul, lift(stride), domain_.constant(int_scalar(type, lane)), type);
    return domain_.binary(Op::Add, lift(base), step, type);
  }

  /// The operand that the condition chooses; the other one is not evaluated.
  Value choose(const Expr& e) {
    Value chosen = eval(e->args[truth(e->args[0]) ? 1 : 2]);
    if (e->data) return lift(std::move(chosen));
    return chosen;
  }

  /// `and`, `or` in an assume: the right operand only if the left one does not decide.
  Value short_circuit(const Expr& e) {
    Value left = eval(e->args[0]);
    std::optional<Scalar> known = std::holds_alternative<Scalar>(left)
                                      ? std::get<Scalar>(left)
                                      : domain_.number(std::get<Cell>(left), kBool, "a condition");
    if (known && known->truth() == (e->op == Op::Or)) return *known;
    Value right = eval(e->args[1]);
    return known ? right : binary(e, std::move(left), std::move(right));
  }

  /// `A[i] == T.undef()` in an assume allows to read A[i]: an uninitialised cell then holds some value.
  bool permits_undef(const Expr& e) {
    bool left = e->args[0]->op == Op::Undef;
    const Expr& cell = e->args[left ? 1 : 0];
    if (e->args[left ? 0 : 1]->op != Op::Undef || cell->op != Op::Load) return false;
    const Buffer& buffer = cell->buffer();
    each_element(buffer, cell->args, [&](View& view, const std::vector<int64_t>& indices, int lane) {
      size_t at = view.position(false, *buffer, indices, lane);
      touch(view, *buffer, indices, at, true);  // it conflicts as a write does
      if (view.memory->filled[at]) return;
      view.memory->cells[at] = domain_.undef(buffer->dtype.element());
      view.memory->filled[at] = 1;
      seen(buffer, indices, lane, at, SeenAccess::Kind::Permission);
    });
    return true;
  }

  std::vector<Cell> scalar_args(const Expr& e) {
    std::vector<Cell> out;
    for (const Expr& a : e->args) {
      if (!a->dtype.is_scalar() || a->dtype.is_handle()) break;  // not a function of values: refused by `call`
      out.push_back(lift(eval(a)));
    }
    return out;
  }
  Value call(const Expr& e, size_t, std::vector<Cell> args) {
    if (args.size() != e->args.size())
      throw Unsupported(current_ ? (*current_)->span : Span{}, "the call of " + e->text());
    try {
      return domain_.call(e->text(), e->dtype.element(), args);
    } catch (const Unsupported& u) {
      if (u.span || !current_) throw;
      throw Unsupported((*current_)->span, "the call of " + e->text());
    }
  }
};

}  // namespace hexproof
