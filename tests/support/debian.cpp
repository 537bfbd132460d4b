#include "tests/support/debian.h"

#include <cstdlib>
#include <filesystem>

namespace hexproof::testing {

std::optional<std::string> unpacked(const std::string& folder, const std::vector<std::string>& packages) {
  const std::string usr = folder + "/unpacked/usr";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return {};
  std::string list;
  for (const std::string& package : packages) list += " " + package;
  const std::string line = "cd '" + folder + "' && apt-get download -qq" + list +
                           " > /dev/null 2>&1 && for deb in *.deb; do dpkg -x \"$deb\" unpacked || exit 1; done";
  if (std::system(line.c_str()) != 0) return {};
  return usr;
}

}  // namespace hexproof::testing
