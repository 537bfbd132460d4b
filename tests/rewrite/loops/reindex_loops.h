// Schedules and arguments for the tests of reindex-loops.
#pragma once
#include "ir/visit.h"
#include "rewrite/schedule/reader.h"
#include "tests/rewrite/conditions.h"
#include "tests/rewrite/layouts/layouts.h"
#include "tests/support/put.h"

namespace hexproof::reindexing {

inline Derivation scheduled(const std::string& program, const std::string& schedule) {
  Derivation derivation(parse(program));
  run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  return derivation;
}
/// The schedule leads to `expected`, which behaves as the program does.
inline void expect_sequential(const std::string& program, const std::string& schedule, const std::string& expected,
                              const Sizes& sizes = {}) {
  Derivation d = scheduled(program, schedule);
  PrimFunc shown = d.current();
  std::erase_if(shown.attrs, [](const auto& attr) { return attr.first.starts_with("hexproof.padding"); });
  if (!expected.empty()) expect_program(shown, expected);
  expect_related(d, sizes);
}
template <class Exception>
std::string failure(const std::string& program, const std::string& schedule) {
  Derivation derivation(parse(program));
  try {
    run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  } catch (const Exception& e) {
    EXPECT_EQ(print(derivation.current()), print(derivation.source()));
    return e.what();
  }
  ADD_FAILURE() << "nothing failed\n" << print(derivation.current());
  return "";
}
/// The buffer in the whole nest, all its loops replaced unless `replaced` says which.
inline Args nest_of(const PrimFunc& func, const std::string& loop, int64_t count, const std::string& buffer,
                    int64_t access = 0, Path replaced = {}) {
  if (replaced.empty()) {
    for (int k = 0; k < count; ++k) replaced.push_back(k);
  }
  for (const Param& p : func.params) {
    if (p.buffer && p.buffer->name == buffer) {
      return {{"at", loop_named(func, loop)}, {"count", count},   {"replaced", replaced},
              {"buffer", p.buffer},           {"access", access}, {"image", int64_t{1}}};
    }
  }
  throw InternalError("the test names a buffer that is not there");
}

inline std::string rfc_output(int n) {
  return put(R"(
def func(A: T.Buffer((N,), "int32")):
    with T.block("compute"):
        for i in range(N):
            A[i] = i
)",
             "N", std::to_string(n));
}

}  // namespace hexproof::reindexing
