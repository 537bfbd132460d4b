#include <algorithm>

#include "ir/base/zeroed_bytes.h"
#include "ir/interpreter/bytecode/bytecode.h"
#include "ir/interpreter/concrete.h"
#include "ir/interpreter/paths.h"
#include "ir/interpreter/walk/walk.h"

namespace hexproof {
namespace {

using ConcreteWalk = Walk<ConcreteDomain>;

/// The memories of a run: an argument whose layout is that of its tensor is used in place.
struct Memories {
  std::vector<fast::MemoryState> states;
  std::vector<ZeroedBytes> data, filled;
};

Memories make_memories(const fast::Bytecode& program, std::vector<Tensor>& tensors, const Arguments& arguments) {
  const size_t n = program.memories.size();
  Memories out{std::vector<fast::MemoryState>(n), std::vector<ZeroedBytes>(n), std::vector<ZeroedBytes>(n)};
  for (size_t k = 0; k < n; ++k) {
    const fast::MemoryInfo& info = program.memories[k];
    const size_t width = static_cast<size_t>(info.type.bytes());
    fast::MemoryState& state = out.states[k];
    const size_t size = static_cast<size_t>(info.size);
    out.filled[k] = ZeroedBytes(size + 1);  // never empty, so that its address is one
    state.size = info.size;
    if (info.argument < 0) {
      out.data[k] = ZeroedBytes(size * width + 8);
      for (size_t i = 0; i < info.constant.size(); ++i) store_scalar(info.constant[i], &out.data[k][i * width]);
    } else {
      Tensor& tensor = tensors[static_cast<size_t>(info.argument)];
      const BoundBuffer& bound = arguments.buffers[static_cast<size_t>(info.argument)];
      if (bound.compact) {
        if (tensor.initialised.empty())
          std::fill_n(out.filled[k].get(), size, 1);
        else
          std::copy(tensor.initialised.begin(), tensor.initialised.end(), out.filled[k].get());
      } else {
        out.data[k] = ZeroedBytes(size * width + 8);
        size_t i = 0;
        for (int64_t at : element_positions(bound)) {
          std::memcpy(&out.data[k][static_cast<size_t>(at) * width], &tensor.data[i * width], width);
          out.filled[k][static_cast<size_t>(at)] = tensor.initialised.empty() ? 1 : tensor.initialised[i];
          ++i;
        }
      }
      if (bound.compact) state.data = tensor.data.data();
    }
    if (!state.data) state.data = out.data[k].get();
    state.filled = out.filled[k].get();
  }
  return out;
}

void read_back(const fast::Bytecode& program, const Memories& memories, std::vector<Tensor>& tensors,
               const Arguments& arguments) {
  for (size_t k = 0; k < program.memories.size(); ++k) {
    const int argument = program.memories[k].argument;
    if (argument < 0) continue;
    Tensor& tensor = tensors[static_cast<size_t>(argument)];
    const BoundBuffer& bound = arguments.buffers[static_cast<size_t>(argument)];
    const size_t width = static_cast<size_t>(tensor.dtype.bytes());
    std::vector<uint8_t> states;
    if (bound.compact) {
      states.assign(memories.filled[k].get(), memories.filled[k].get() + program.memories[k].size);
    } else {
      size_t i = 0;
      for (int64_t at : element_positions(bound)) {
        std::memcpy(&tensor.data[i++ * width], memories.states[k].data + static_cast<size_t>(at) * width, width);
        states.push_back(memories.filled[k][static_cast<size_t>(at)]);
      }
    }
    const bool plain = std::all_of(states.begin(), states.end(), [](uint8_t s) { return s == 1; });
    tensor.initialised = plain ? std::vector<uint8_t>{} : std::move(states);
  }
}

/// Runs the statement that met an error once more, by the walk, with the variables and memory as they stand: it
/// words the error.
class Replay {
 public:
  Replay(const fast::Bytecode& program, const std::vector<fast::Register>& registers, const Memories& memories)
      : program_(program),
        registers_(registers),
        memories_(memories),
        domain_(0),
        walk_(domain_, {.check_races = false}) {}

  RunError explain(const fast::Outcome& outcome) {
    const fast::Site& site = program_.sites.at(static_cast<size_t>(outcome.site));
    std::vector<const fast::Scope*> scopes;
    for (const fast::Scope* s = site.scope.get(); s; s = s->parent.get()) scopes.push_back(s);
    RunError error{};
    for (auto s = scopes.rbegin(); s != scopes.rend(); ++s) bind(**s, error);
    if (outcome.kind == fast::Outcome::Race) {
      try {
        faults::race(*site.buffer, walk_.indices(site.indices), *outcome.conflict->loop, site.write,
                     outcome.conflict->earlier_write);
      } catch (const Fault& fault) {
        error.kind = fault.kind, error.message = fault.message;
      }
      error.statement = one_line(site.stmt), error.span = site.stmt->span, error.stmt = site.stmt;
      return error;
    }
    if (outcome.kind == fast::Outcome::InFlight) {
      try {
        faults::in_flight(
            site.gone.empty() ? touched_text(*site.buffer, walk_.indices(site.indices), site.write) : site.gone,
            *outcome.met);
      } catch (const Fault& fault) {
        error.kind = fault.kind, error.message = fault.message;
      }
      if (site.stmt) error.statement = one_line(site.stmt), error.span = site.stmt->span, error.stmt = site.stmt;
      return error;
    }
    RunResult result = walk_.run(site.stmt);
    HEXPROOF_CHECK(result.error,
                   "the bytecode met an error in a statement where the walk meets none: " + one_line(site.stmt));
    return *result.error;
  }

 private:
  Scalar value(const fast::Value& v) const {
    if (v.kind == fast::Value::Constant) return {v.type, v.constant.bits};
    if (v.kind == fast::Value::InRegister) return fast::to_scalar(registers_[static_cast<size_t>(v.reg)], v.type);
    Wide sum = v.offset;
    for (auto [reg, factor] : v.terms) sum += Wide{registers_[static_cast<size_t>(reg)].i} * factor;
    return int_scalar(v.type, sum);
  }

  ConcreteWalk::Memory& memory(uint16_t index) {
    auto [it, fresh] = copies_.try_emplace(index);
    if (fresh) {
      const fast::MemoryInfo& info = program_.memories[index];
      const fast::MemoryState& state = memories_.states[index];
      it->second = std::make_unique<ConcreteWalk::Memory>(info.type, info.size);
      for (int64_t i = 0; i < info.size; ++i) {
        if (!state.filled[i]) continue;
        it->second->cells[static_cast<size_t>(i)] = {load_scalar(info.type, state.data + i * info.type.bytes())};
        it->second->filled[static_cast<size_t>(i)] = 1;
      }
      it->second->constant = info.read_only;
    }
    return *it->second;
  }

  void bind(const fast::Scope& s, RunError& error) {
    if (s.buffer) {
      walk_.bind_view(s.buffer, {&memory(s.view.memory), s.view.shape, s.view.strides, s.view.offset});
    } else if (s.value.type.is_handle()) {
      walk_.bind_handle(s.var, memory(s.view.memory));
    } else if (s.loop) {
      error.loops.emplace_back(s.var.name(), value(s.value).i());
      walk_.bind_loop(s.var, value(s.value).i());
    } else {
      walk_.bind_value(s.var, value(s.value));
    }
  }

  const fast::Bytecode& program_;
  const std::vector<fast::Register>& registers_;
  const Memories& memories_;
  ConcreteDomain domain_;
  ConcreteWalk walk_;
  std::map<uint16_t, std::unique_ptr<ConcreteWalk::Memory>> copies_;
};

}  // namespace

std::optional<RunResult> run_by_bytecode(const PrimFunc& func, std::vector<Tensor>& buffers, const Arguments& arguments,
                                         const RunOptions& options) {
  for (const Tensor& t : buffers) {
    if (std::any_of(t.initialised.begin(), t.initialised.end(), [](uint8_t s) { return s > 1; })) return std::nullopt;
  }
  std::optional<fast::Bytecode> program = fast::compile(func, arguments, options);
  if (!program) return std::nullopt;
  Memories memories = make_memories(*program, buffers, arguments);
  std::vector<fast::Register> registers = program->registers;
  fast::Outcome outcome = fast::execute(*program, registers, memories.states, options);
  RunResult result;
  result.steps = outcome.steps;
  result.out_of_steps = outcome.kind == fast::Outcome::OutOfSteps;
  if (outcome.site >= 0) result.error = Replay(*program, registers, memories).explain(outcome);
  read_back(*program, memories, buffers, arguments);
  return result;
}

}  // namespace hexproof
