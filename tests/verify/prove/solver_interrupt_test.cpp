// A solver in this process leaves an interrupt to whoever handles interrupts here.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "verify/prove/solvers/smt/door.h"

namespace hexproof {
namespace solver_interrupt_test {

std::atomic<bool> handled{false};

TEST(SolverInterrupt, IsNotTakenByZ3) {
  struct sigaction ours = {}, before = {};
  ours.sa_handler = [](int) { handled = true; };
  sigaction(SIGINT, &ours, &before);
  // Two factors of a prime: the work of seconds.
  Script script;
  script.text =
      "(declare-const a (_ BitVec 64))(declare-const b (_ BitVec 64))"
      "(assert (= (bvmul a b) #x0fffffffffffffc5))(assert (bvult #x0000000000000001 a))"
      "(assert (bvult a #x0000000080000000))(assert (bvult b #x0000000080000000))";
  std::atomic<bool> sent{false};
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    kill(getpid(), SIGINT);
    sent = true;
  });
  while (!sent) ask_z3(script, Z3Tactic::BitVectors, 2'000'000);
  user.join();
  for (int k = 0; k < 1000 && !handled; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  sigaction(SIGINT, &before, nullptr);
  EXPECT_TRUE(handled);
}

}  // namespace solver_interrupt_test
}  // namespace hexproof
