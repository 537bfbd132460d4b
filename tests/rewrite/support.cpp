#include "tests/rewrite/support.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "ir/float_format.h"
#include "ir/visit.h"

namespace hexproof {

PrimFunc parse(const std::string& text) { return pick_function(parse_module(text), ""); }

Path loop_named(const PrimFunc& func, const std::string& name) {
  std::vector<Path> found =
      find_all(func, [&](const Stmt& s) { return s.as<For>() && s.as<For>()->var.name() == name; });
  HEXPROOF_CHECK(!found.empty(), "the test names a loop that is not there: " + name);
  return found[0];
}

Prover& test_prover() {
  static Prover prover;
  return prover;
}

PrimFunc applied(const PrimFunc& func, const std::string& rule, const Args& args) {
  Derivation derivation(func);
  derivation.apply(rule, args, test_prover());
  EXPECT_EQ(ill_formed(derivation.current()), "") << print(derivation.current());
  return derivation.current();
}

PrimFunc proposed(const PrimFunc& func, const std::string& rule, const Args& args) {
  PrimFunc after = rule_by_name(rule).apply(func, args).after;
  EXPECT_EQ(ill_formed(after), "") << print(after);
  return after;
}

std::optional<Refused> refusal(const PrimFunc& func, const std::string& rule, const Args& args) {
  try {
    Derivation derivation(func);
    derivation.apply(rule, args, test_prover());
    ADD_FAILURE() << rule << " was not refused on\n" << print(func) << "but made\n" << print(derivation.current());
    return std::nullopt;
  } catch (const Refused& refused) {
    return refused;
  }
}

bool not_applicable(const PrimFunc& func, const std::string& rule, const Args& args) {
  try {
    rule_by_name(rule).apply(func, args);
    return false;
  } catch (const NotApplicable&) {
    return true;
  }
}

namespace {

int64_t extent_of(const Expr& e, const Sizes& sizes) {
  if (const int64_t* value = as_int(e)) return *value;
  if (e->op == Op::Var) {
    auto it = sizes.find(e->var().name());
    HEXPROOF_CHECK(it != sizes.end(), "the test gives no size for " + e->var().name());
    return it->second;
  }
  HEXPROOF_CHECK(e->args.size() == 2, "a shape that tests do not evaluate: " + print(e));
  int64_t a = extent_of(e->args[0], sizes), b = extent_of(e->args[1], sizes);
  if (e->op == Op::Add) return a + b;
  if (e->op == Op::Sub) return a - b;
  HEXPROOF_CHECK(e->op == Op::Mul, "a shape that tests do not evaluate: " + print(e));
  return a * b;
}

double random_float(std::mt19937_64& rng, bool tame) {
  static constexpr double kEdges[] = {0.0,
                                      -0.0,
                                      1.0,
                                      -1.0,
                                      1e-3,
                                      std::numeric_limits<double>::infinity(),
                                      -std::numeric_limits<double>::infinity(),
                                      std::numeric_limits<double>::quiet_NaN(),
                                      3e4};
  uint64_t pick = rng() % 24;
  if (pick < (tame ? 5 : std::size(kEdges))) return kEdges[pick];
  return static_cast<double>(static_cast<int64_t>(rng() % 2001) - 1000) / 7;
}

void put(DType type, uint8_t* at, std::mt19937_64& rng, bool tame) {
  if (type.is_float()) {
    double value = random_float(rng, tame);
    float narrow = static_cast<float>(value);
    uint16_t half = double_to_half(value);
    if (type.bits == 64) std::memcpy(at, &value, 8);
    if (type.bits == 32) std::memcpy(at, &narrow, 4);
    if (type.bits == 16) std::memcpy(at, &half, 2);
    return;
  }
  Wide edges[] = {0, 1, -1, min_value(type), max_value(type), 2};
  uint64_t pick = rng() % 12;
  Wide value = pick < std::size(edges) ? edges[pick] : Wide(static_cast<int64_t>(rng()));
  if (type.is_bool()) {
    *at = static_cast<uint8_t>(value & 1);
  } else {
    uint64_t bits = static_cast<uint64_t>(value);
    std::memcpy(at, &bits, static_cast<size_t>(type.bytes()));
  }
}

bool is_nan(DType type, const uint8_t* at) {
  if (!type.is_float()) return false;
  if (type.bits == 64) {
    double value;
    std::memcpy(&value, at, 8);
    return std::isnan(value);
  }
  if (type.bits == 32) {
    float value;
    std::memcpy(&value, at, 4);
    return std::isnan(value);
  }
  uint16_t half;
  std::memcpy(&half, at, 2);
  return std::isnan(half_to_double(half));
}

std::string compare(const Buffer& buffer, const Tensor& before, const Tensor& after) {
  size_t size = static_cast<size_t>(before.size()), width = static_cast<size_t>(before.dtype.bytes());
  auto state = [](const Tensor& t, size_t k) { return t.initialised.empty() ? uint8_t{1} : t.initialised[k]; };
  for (size_t k = 0; k < size; ++k) {
    if (state(before, k) == 2) continue;  // undef was stored: any value is right
    const uint8_t *a = before.data.data() + k * width, *b = after.data.data() + k * width;
    bool same = state(before, k) == state(after, k) &&
                (std::memcmp(a, b, width) == 0 || (is_nan(before.dtype, a) && is_nan(before.dtype, b)));
    if (!same) return "cell " + std::to_string(k) + " of '" + buffer->name + "' differs";
  }
  return "";
}

}  // namespace

std::vector<Tensor> random_inputs(const PrimFunc& func, uint64_t seed, const Sizes& sizes) {
  std::mt19937_64 rng(seed);
  std::vector<Tensor> tensors;
  for (const Buffer& buffer : func.buffer_params()) {
    std::vector<int64_t> shape;
    for (const Expr& e : buffer->shape) shape.push_back(extent_of(e, sizes));
    Tensor tensor = make_tensor(buffer->dtype, shape);
    size_t width = static_cast<size_t>(buffer->dtype.bytes());
    for (size_t k = 0; k + width <= tensor.data.size(); k += width)
      put(buffer->dtype, tensor.data.data() + k, rng, seed % 2 == 1);
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

std::string difference(const PrimFunc& before, const PrimFunc& after, const Sizes& sizes, int rounds) {
  auto scalars_of = [&](const PrimFunc& func) {
    std::vector<int64_t> values;
    for (const Param& param : func.params) {
      if (!param.buffer) values.push_back(sizes.at(param.var.name()));
    }
    return values;
  };
  int compared = 0;
  std::string first_error;
  for (int round = 0; round < rounds; ++round) {
    std::vector<Tensor> a = random_inputs(before, static_cast<uint64_t>(round), sizes), b = a;
    RunOptions options{.undef_seed = static_cast<uint64_t>(round), .max_steps = 1'000'000};
    RunResult old_run = run(before, a, scalars_of(before), options);
    HEXPROOF_CHECK(!old_run.out_of_steps, "the test program is too long");
    if (old_run.error) {
      first_error = old_run.error->str();
      continue;
    }
    ++compared;
    RunResult new_run = run(after, b, scalars_of(after), options);
    if (new_run.error) return "round " + std::to_string(round) + ": " + new_run.error->str();
    std::vector<Buffer> buffers = before.buffer_params();
    for (size_t k = 0; k < buffers.size(); ++k) {
      std::string found = compare(buffers[k], a[k], b[k]);
      if (!found.empty()) return "round " + std::to_string(round) + ": " + found;
    }
  }
  EXPECT_GT(compared, 0) << "the first program always meets an error: " << first_error;
  return "";
}

void expect_program(const PrimFunc& func, const std::string& expected) {
  PrimFunc want = parse(expected);
  want.name = func.name;
  EXPECT_EQ(print(func), print(want));
}

void expect_applies(const std::string& before, const std::string& rule, const Args& args, const std::string& expected,
                    const Sizes& sizes) {
  PrimFunc source = parse(before);
  PrimFunc after = applied(source, rule, args);
  if (!expected.empty()) expect_program(after, expected);
  EXPECT_EQ(difference(source, after, sizes), "") << print(after);
}

void expect_refused_rightly(const PrimFunc& before, const std::string& rule, const Args& args, const std::string& why,
                            const Sizes& sizes, int rounds) {
  std::optional<Refused> refused = refusal(before, rule, args);
  if (!refused) return;
  EXPECT_NE(refused->obligation.why.find(why), std::string::npos) << refused->what();
  // That one way of several is false refutes nothing.
  EXPECT_EQ(refused->answer.verdict, refused->obligation.one_way ? Verdict::Unknown : Verdict::Refuted)
      << refused->what();
  PrimFunc after = proposed(before, rule, args);
  EXPECT_NE(difference(before, after, sizes, rounds), "") << "nothing breaks without the side condition:\n"
                                                          << print(after);
}

}  // namespace hexproof
