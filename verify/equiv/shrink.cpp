#include "verify/equiv/table.h"

namespace hexproof {
namespace {

/// Runs, and statements and cells in all of them.
constexpr int64_t kMostRuns = 400, kMostWork = 30'000'000;

/// Tries inputs and keeps those that still show a difference.
class Shrinker {
 public:
  Shrinker(const ProgramPair& pair, Counterexample found) : pair_(pair), best_(std::move(found)) {
    int64_t work = static_cast<int64_t>(best_.steps);
    for (const Tensor& t : best_.input.before) work += 4 * t.size();
    most_ = std::min(kMostRuns, kMostWork / std::max<int64_t>(work, 1));
  }

  Counterexample run() {
    for (size_t b = 0; b < best_.input.before.size(); ++b) clear_blocks(b);
    for (size_t b = 0; b < best_.input.before.size(); ++b) simplify_cells(b);
    return std::move(best_);
  }

 private:
  /// Zero for whole runs of cells, halves first, then quarters and so on.
  void clear_blocks(size_t b) {
    int64_t size = best_.input.before[b].size();
    for (int64_t length = size; length > 0 && runs_ < most_; length /= 2) {
      for (int64_t from = 0; from < size && runs_ < most_; from += length) {
        Tensor tried = best_.input.before[b];
        bool changed = false;
        for (int64_t i = from; i < std::min(size, from + length); ++i)
          changed |= set(tried, i, zero_scalar(tried.dtype.element()));
        if (changed) keep_if_different(b, std::move(tried));
      }
    }
  }

  /// Small values for the cells that matter.
  void simplify_cells(size_t b) {
    for (int64_t i = 0; i < best_.input.before[b].size() && runs_ < most_; ++i) {
      DType type = best_.input.before[b].dtype.element();
      if (element(best_.input.before[b], i) == zero_scalar(type)) continue;
      for (int64_t small : {1, 2, 3, -1}) {
        if (!type.is_float() && !fits_type(type, small)) continue;
        Scalar value = type.is_float() ? float_scalar(type, static_cast<double>(small)) : int_scalar(type, small);
        if (element(best_.input.before[b], i) == value) break;
        Tensor tried = best_.input.before[b];
        set(tried, i, value);
        if (keep_if_different(b, std::move(tried))) break;
      }
    }
  }

  static bool set(Tensor& t, int64_t at, const Scalar& value) {
    bool changed = !(element(t, at) == value);
    set_element(t, at, value);
    return changed;
  }

  bool keep_if_different(size_t b, Tensor tried) {
    ++runs_;
    PairInput input = best_.input;
    input.before[b] = std::move(tried);
    input.after = pack_arguments(pair_, input.instance, input.before, 0);
    for (size_t k = 0; k < input.after.size(); ++k) input.after[k].initialised = best_.input.after[k].initialised;
    std::optional<Counterexample> found = replay(pair_, input);
    if (!found || found->after_error.has_value() != best_.after_error.has_value()) return false;
    best_ = std::move(*found);
    return true;
  }

  const ProgramPair& pair_;
  Counterexample best_;
  int64_t runs_ = 0, most_ = 0;
};

}  // namespace

Counterexample shrink(const ProgramPair& pair, Counterexample found) { return Shrinker(pair, std::move(found)).run(); }

}  // namespace hexproof
