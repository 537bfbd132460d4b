#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "ir/base/diagnostic.h"
#include "ir/base/file.h"
#include "ir/interpreter/interpreter.h"

namespace hexproof {
namespace npy_test {

const DType kTypes[] = {kBool,   kInt8,   kInt16,  kInt32,   kInt64,   kUInt8,
                        kUInt16, kUInt32, kUInt64, kFloat16, kFloat32, kFloat64};

class Npy : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("hexproof_npy_" + std::to_string(std::random_device{}()));
    std::filesystem::create_directories(folder_);
    path_ = (folder_ / "x.npy").string();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// A file of format 1.0 with this header and data.
  void write(const std::string& header, const std::string& data, char major = 1) {
    std::string out = "\x93NUMPY";
    out += major;
    out += '\0';
    for (int k = 0; k < (major == 1 ? 2 : 4); ++k) out += static_cast<char>(header.size() >> (8 * k) & 0xff);
    write_file(path_, out + header + data);
  }
  std::string error() {
    try {
      read_npy(path_);
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  }

  std::filesystem::path folder_;
  std::string path_;
};

TEST_F(Npy, EveryDtypeAndShapeRoundTrips) {
  std::mt19937 random(1);
  for (DType type : kTypes) {
    for (std::vector<int64_t> shape : {std::vector<int64_t>{}, {0}, {5}, {2, 3}, {1, 2, 3, 4}, {3, 0, 2}}) {
      Tensor t = make_tensor(type, shape);
      for (uint8_t& b : t.data) b = static_cast<uint8_t>(type.is_bool() ? random() % 2 : random());
      write_npy(path_, t);
      Tensor back = read_npy(path_);
      EXPECT_EQ(back.dtype, type);
      EXPECT_EQ(back.shape, shape);
      EXPECT_EQ(back.data, t.data);
      size_t newline = read_file(path_).find('\n');
      EXPECT_EQ((newline + 1) % 64, 0u);  // the data is aligned
    }
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);  // no temporary file stays
}

TEST_F(Npy, NumpyReadsAndWritesTheSame) {
  Tensor t = make_tensor(kInt16, {2, 3});
  for (size_t i = 0; i < t.data.size(); ++i) t.data[i] = static_cast<uint8_t>(i * 3);
  write_npy(path_, t);
  std::string out = (folder_ / "y.npy").string();
  std::string script = "import numpy as np; a = np.load('" + path_ +
                       "'); assert a.shape == (2, 3) and a.dtype == np.int16; np.save('" + out + "', a.astype('>i4'))";
  // (Debian's, for which ./dev installs numpy: another may stand first in the path.)
  ASSERT_EQ(std::system(("/usr/bin/python3 -c \"" + script + "\"").c_str()), 0);
  Tensor back = read_npy(out);
  EXPECT_EQ(back.dtype, kInt32);
  EXPECT_EQ(back.data[4], 6);  // element 1 is 0x0906
  EXPECT_EQ(back.data[5], 9);
}

TEST_F(Npy, BigEndianAndFormatTwo) {
  write("{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }\n", std::string("\x01\x02\x03\x04", 4), 2);
  Tensor t = read_npy(path_);
  EXPECT_EQ(t.dtype, kInt16);
  EXPECT_EQ(t.data, (std::vector<uint8_t>{2, 1, 4, 3}));
}

TEST_F(Npy, WhatIsRefusedNamesThePath) {
  auto refused = [&](const std::string& why) {
    std::string message = error();
    EXPECT_NE(message.find(path_), std::string::npos) << message;
    EXPECT_NE(message.find(why), std::string::npos) << message;
  };
  write("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }\n", std::string(16, 'x'));
  refused("Fortran");
  write("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n", std::string(15, 'x'));
  refused("16 bytes");
  write("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n", std::string(17, 'x'));
  refused("16 bytes");
  write("{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }\n", std::string(16, 'x'));
  refused("'<c8'");
  write("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }\n", "");
  refused("'|O'");
  write("{'descr': '<f4', 'shape': (2,), }\n", std::string(8, 'x'));
  refused("missing");
  write("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }\n", "");
  refused("too large");
  write("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4), }\n", "");
  refused("too large");
  write_file(path_, "\x93NUMPY");
  refused("does not start");
  write_file(path_, "");
  refused("does not start");
  std::filesystem::remove(path_);
  refused("");
}

TEST_F(Npy, GarbageIsAnErrorNeverACrash) {
  std::mt19937 random(7);
  write("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n", std::string(16, 'x'));
  const std::string good = read_file(path_);
  int read = 0;
  for (int k = 0; k < 600; ++k) {
    std::string bytes = good;
    if (k % 4 == 0) {
      bytes = "\x93NUMPY\x01";
      bytes += '\0';
      for (size_t i = random() % 100; i > 0; --i) bytes += static_cast<char>(random());
    } else {
      for (size_t i = 1 + random() % 4; i > 0; --i) bytes[random() % bytes.size()] = static_cast<char>(random());
      if (k % 4 == 1) bytes.resize(random() % bytes.size());
    }
    write_file(path_, bytes);
    try {
      Tensor t = read_npy(path_);
      EXPECT_EQ(t.data.size(), static_cast<size_t>(t.size() * t.dtype.bytes()));
      ++read;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(path_), std::string::npos);
    }
  }
  EXPECT_GT(read, 5);  // a changed datum is still a good file
}

}  // namespace npy_test
}  // namespace hexproof
