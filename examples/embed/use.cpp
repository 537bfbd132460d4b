// A program that calls the kernel which its build has certified.
#include <cstdio>

#include "kernel.h"

int main() {
  alignas(128) static int32_t a[64], b[64];
  for (int i = 0; i < 64; ++i) a[i] = i;
  scale_kernel(a, b, nullptr);  // its workspace is empty
  std::printf("b[21] = %d\n", b[21]);
  return b[21] == 63 ? 0 : 1;
}
