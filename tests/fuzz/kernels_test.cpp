// Random programs whose every allocation is in registers, where that can be, and ones with tables of rows: emitted,
// run, and held against the interpreter.
#include <gtest/gtest.h>

#include "backend/hexagon.h"
#include "backend/kernel.h"
#include "fuzz/constructs/constructs.h"
#include "fuzz/programs/program.h"
#include "ir/base/diagnostic.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/kernel/lowering.h"
#include "rewrite/layout/interface.h"
#include "verify/check/check.h"

namespace hexproof {
namespace kernels_test {

PrimFunc all_local(const PrimFunc& func) {
  BufferMap local;
  visit_stmt(func.body, [&](const Stmt& s) {
    const AllocBuffer* alloc = s.as<AllocBuffer>();
    if (!alloc) return true;
    const Buffer& b = alloc->buffer;
    local.emplace(
        b, make_buffer(b->name, b->dtype, b->shape,
                       {.strides = b->strides, .elem_offset = b->elem_offset, .scope = "local", .data = b->data}));
    return true;
  });
  PrimFunc out = func;
  out.body = substitute(func.body, local);
  return out;
}

struct Counts {
  int emitted = 0, refused = 0, other = 0, in_registers = 0, row_tables = 0;
};

void try_programs(Target target, const std::vector<int>& wanted, uint64_t seed, int programs, Counts* counts) {
  Prover prover({.cache_path = "", .rlimit = 1'000'000, .jobs = 1});
  for (int n = 0; n < programs; ++n) {
    std::vector<uint32_t> numbers;
    for (int k = 0; k < 300; ++k) numbers.push_back(static_cast<uint32_t>(next_random(seed)));
    Choices choices(numbers);
    try {
      PrimFunc func = all_local(random_constructed_program(choices, wanted).func);
      if (!func.scalars().empty() || check(func, prover).finding != Finding::Proved) {
        ++counts->other;
        continue;
      }
      std::vector<Tensor> want = random_inputs(func, seed), got = want;
      if (run(func, want).error) continue;
      Derivation derivation(func);
      lower_hints(derivation, prover, "lowering");
      CheckReport report = check(derivation.current(), prover);
      Kernel kernel = emit(derivation, {.target = target, .grants = grants_for(derivation, report, prover)});
      target == Target::Host ? run_host(kernel, got) : (void)run_hexagon(link_hexagon(kernel), got);
      for (size_t b = 0; b < want.size(); ++b) {
        EXPECT_EQ(first_difference(want[b], got[b]), -1) << "buffer " << b << " of\n" << print(func) << kernel.llvm_ir;
      }
      ++counts->emitted;
      counts->row_tables += kernel.grants.row_tables();
      counts->in_registers += print(func).find("\"local\"") != std::string::npos;
    } catch (const Unsupported& e) {
      ++counts->refused;
    } catch (const Refused&) {  // what an assume permits, and nothing writes, has no code
      ++counts->other;
    } catch (const Error&) {
      ++counts->other;
    }
  }
}

TEST(RandomKernels, AllocationsInRegistersMeanTheSame) {
  std::vector<int> wanted;
  for (const char* name : {"local-allocation", "temporary-between-loops", "vectorized-loop", "vector-copy",
                           "vector-with-stride", "vector-slice", "vector-broadcast", "dot-product-nest"}) {
    int row = construct_at(name);
    ASSERT_GE(row, 0) << name;
    wanted.push_back(row);
  }
  for (Target target : {Target::Host, Target::Hexagon}) {
    if (target == Target::Hexagon && !have_qemu()) continue;
    Counts counts;
    uint64_t seed = 4711;
    for (int row : wanted)
      try_programs(target, {row, construct_at("temporary-between-loops")}, seed += 17, 10, &counts);
    std::cout << counts.emitted << " agree (" << counts.in_registers << " with registers), " << counts.refused
              << " unsupported, " << counts.other << " not run\n";
    EXPECT_GT(counts.in_registers, 5);
  }
}

/// With loops that become vector code beside them; the host supports no such parameter.
TEST(RandomKernels, TablesOfRowsMeanTheSame) {
  for (Target target : {Target::Host, Target::Hexagon}) {
    if (target == Target::Hexagon && !have_qemu()) continue;
    Counts counts;
    uint64_t seed = 1789;
    for (const char* other : {"separated-parameter", "vectorized-loop", "vector-copy", "dot-product-nest"}) {
      ASSERT_GE(construct_at(other), 0) << other;
      try_programs(target, {construct_at("separated-parameter"), construct_at(other)}, seed += 17, 15, &counts);
    }
    std::cout << counts.emitted << " agree (" << counts.row_tables << " with tables of rows), " << counts.refused
              << " unsupported, " << counts.other << " not run\n";
    if (target == Target::Host) {
      EXPECT_EQ(counts.row_tables, 0);
      EXPECT_GT(counts.refused, 5);
    } else {
      EXPECT_GT(counts.row_tables, 5);
    }
  }
}

}  // namespace kernels_test
}  // namespace hexproof
