// hexproof run: one program, three machines, one result.
#include <gtest/gtest.h>

#include "ir/interpreter/interpreter.h"
#include "tests/tools/command_line.h"

namespace hexproof {
namespace run_test {

std::string in_folder(const std::string& name) {
  return testing::TempDir() + "/" + std::to_string(::getpid()) + "-" + name;
}

TEST(Run, InterpreterHostAndHexagonWriteTheSameTensor) {
  std::string program = temporary("saxpy.py",
                                  "def saxpy(x: T.Buffer((16,), \"float32\"), y: T.Buffer((16,), \"float32\"),\n"
                                  "          out: T.Buffer((16,), \"float32\")):\n"
                                  "    for i in range(16):\n"
                                  "        out[i] = T.float32(1.5) * x[i] + y[i]\n");
  Tensor x = make_tensor(kFloat32, {16}), y = x;
  for (int i = 0; i < 16; ++i) {
    reinterpret_cast<float*>(x.data.data())[i] = 0.1f * static_cast<float>(i);
    reinterpret_cast<float*>(y.data.data())[i] = 1.0f / static_cast<float>(i + 3);
  }
  write_npy(in_folder("x.npy"), x);
  write_npy(in_folder("y.npy"), y);
  int k = 0;
  for (const char* target : {"interp", "host", "hexagon", "host --cpu x86-64", "host --cpu native"}) {
    std::string out = in_folder(std::to_string(k++) + ".npy");
    CommandResult r = hexproof_command("run " + program + " --target " + target + " --input " + in_folder("x.npy") +
                                       " --input " + in_folder("y.npy") + " --output " + out);
    ASSERT_EQ(r.code, 0) << r.text;
    Tensor got = read_npy(out);
    EXPECT_EQ(got.shape, x.shape);
    for (int i = 0; i < 16; ++i) {
      float want = 1.5f * reinterpret_cast<float*>(x.data.data())[i] + reinterpret_cast<float*>(y.data.data())[i];
      EXPECT_EQ(reinterpret_cast<float*>(got.data.data())[i], want) << target << " " << i;
    }
  }
}

TEST(Run, AnErrorIsRefutedAndNothingIsWritten) {
  std::string program = temporary("past.py",
                                  "def past(x: T.Buffer((4,), \"int32\"), out: T.Buffer((4,), \"int32\")):\n"
                                  "    for i in range(4):\n"
                                  "        out[i] = x[i + 1]\n");
  for (const char* target : {"interp", "host"}) {
    CommandResult r = hexproof_command("run " + program + " --target " + target + " --output " + in_folder("none.npy"));
    EXPECT_EQ(r.code, 10) << r.text;
    EXPECT_NE(r.text.find("index 4 of axis 0 of buffer 'x' (size 4)"), std::string::npos) << r.text;
    EXPECT_FALSE(std::filesystem::exists(in_folder("none.npy")));
  }
}

TEST(Run, TensorsMustFit) {
  std::string program = temporary("fit.py", "def fit(x: T.Buffer((4,), \"int32\")):\n    x[0] = 1\n");
  write_npy(in_folder("five.npy"), make_tensor(kInt32, {5}));
  write_npy(in_folder("float.npy"), make_tensor(kFloat32, {4}));
  for (const char* file : {"five.npy", "float.npy", "missing.npy"}) {
    EXPECT_EQ(hexproof_command("run " + program + " --input " + in_folder(file)).code, 2) << file;
  }
}

// Lowering takes assumes away, and no run of the final program by itself is refuted for it.
TEST(Run, ACertificateRunsNativelyWhereItsProgramAssumes) {
  const std::string program = temporary("assumes.py",
                                        "def assumes(I: T.Buffer((4,), \"int32\"), out: T.Buffer((8,), \"int32\")):\n"
                                        "    for i in range(4):\n"
                                        "        T.assume(I[i] >= 0 and I[i] < 8)\n"
                                        "    for i in range(4):\n"
                                        "        out[I[i]] = i\n");
  const std::string folder = in_folder("certificate");
  CommandResult r = hexproof_command("certify " + program + " --target host -o " + folder);
  ASSERT_EQ(r.code, 0) << r.text;
  Tensor good = make_tensor(kInt32, {4}), bad = good;
  reinterpret_cast<int32_t*>(good.data.data())[2] = 7;
  reinterpret_cast<int32_t*>(bad.data.data())[2] = 8;
  write_npy(in_folder("good.npy"), good);
  write_npy(in_folder("bad.npy"), bad);
  for (const char* target : {"interp", "host", "host --cpu x86-64"}) {
    const std::string run =
        "run " + folder + " --target " + target + " --output " + in_folder("placed.npy") + " --input ";
    r = hexproof_command(run + in_folder("good.npy"));
    EXPECT_EQ(r.code, 0) << r.text;
    EXPECT_EQ(reinterpret_cast<int32_t*>(read_npy(in_folder("placed.npy")).data.data())[7], 2);
    r = hexproof_command(run + in_folder("bad.npy"));
    EXPECT_EQ(r.code, 10) << r.text;
    EXPECT_NE(r.text.find("index 8 of axis 0 of buffer 'out'"), r.text.npos) << r.text;
  }
}

TEST(Run, AssertsEverythingStaticOnTheWay) {
  std::string program = temporary("window.py",
                                  "def window(x: T.Buffer((16,), \"int32\"), out: T.Buffer((16,), \"int32\")):\n"
                                  "    t = T.alloc_buffer((16,), \"int32\")\n"
                                  "    for i in range(16):\n"
                                  "        t[i] = x[i] * 3\n"
                                  "    for i in range(16):\n"
                                  "        if i > 0:\n"
                                  "            out[i] = t[i] - t[i - 1]\n");
  CommandResult r = hexproof_command("run " + program + " --assert-static");
  EXPECT_EQ(r.code, 0) << r.text;
  EXPECT_NE(r.text.find("asserted: "), r.text.npos) << r.text;
  EXPECT_NE(r.text.find("none false"), r.text.npos) << r.text;
  EXPECT_EQ(hexproof_command("run " + program + " --assert-static --target host").code, 2);
}

}  // namespace run_test
}  // namespace hexproof
