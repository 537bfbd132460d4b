// The door in Python: what starts, calls and the ordinary schedules cost (tests/bench/python_costs.py, in an ordinary
// Python with the package).
#include <cstdio>
#include <cstdlib>
#include <string>

int main() {
  std::fflush(stdout);
  const std::string build = HEXPROOF_BINARY_DIR, source = HEXPROOF_SOURCE_DIR;
  const std::string command = "PYTHONPATH='" + build + "/python' /usr/bin/python3.11 '" + source +
                              "/tests/bench/python_costs.py' '" + build + "' '" + source + "'";
  return std::system(command.c_str()) == 0 ? 0 : 1;
}
