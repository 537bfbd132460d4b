// A program that embeds hexproof: it reads a matrix product, schedules it, certifies it for this machine, and runs it.
#include <hexproof/certify.h>
#include <hexproof/read.h>
#include <hexproof/run.h>
#include <hexproof/schedule.h>

#include <cstdio>
#include <cstring>

namespace hx = hexproof::api;

namespace {

const char* const kProgram = R"(
@T.prim_func
def matmul(A: T.Buffer((16, 8), "float32"), B: T.Buffer((8, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    for i, j, k in T.grid(16, 16, 8):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)";

const char* const kSchedule = R"(
c = sch.get_block("C")
sch.transform_layout(c, ("write", 0), lambda i, j: [i // 4, j // 8, i % 4, j % 8])
i, j, k = sch.get_loops(c)
io, ii = sch.split(i, factors=[None, 4])
sch.reorder(io, j, k, ii)
)";

hx::Tensor filled(const std::vector<int64_t>& shape, float value) {
  hx::Tensor out = hx::make_tensor("float32", shape);
  for (size_t at = 0; at < out.data.size(); at += sizeof value) std::memcpy(&out.data[at], &value, sizeof value);
  return out;
}

int certify_and_run() {
  hx::Session session;
  const hx::Program program = hx::read_text(kProgram, "matmul.py");

  const hx::Scheduled scheduled = hx::schedule(program, {"schedule.py", kSchedule}, {}, session);
  if (scheduled.verdict != hx::Verdict::Proved) {
    std::printf("not transformed: %s\n", hx::to_text(scheduled.verdict));
    return 1;
  }
  std::printf("%s\n", scheduled.program.c_str());

  const hx::Certificate certificate =
      hx::certify(program, {"schedule.py", kSchedule}, {.target = hx::Target::Host}, session);
  for (const std::string& line : certificate.says) std::printf("%s\n", line.c_str());
  if (certificate.verdict != hx::Verdict::Proved) return 1;
  std::printf("%s\n", certificate.summary().c_str());

  // In the layouts of the program: `run` packs what the schedule packed.
  std::vector<hx::Tensor> tensors = {filled({16, 8}, 2), filled({8, 16}, 3)};
  hx::run(certificate, tensors);
  float first = 0;
  std::memcpy(&first, tensors[2].data.data(), sizeof first);
  std::printf("C[0, 0] = %g\n", first);
  return first == 48 ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return certify_and_run();
  } catch (const hx::Failure& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}
