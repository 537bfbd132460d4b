// A page with ten thousand obligations opens in a browser in under a second.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/tools/command_line.h"

namespace hexproof {
namespace browser_test {

using Json = nlohmann::json;

TEST(PageInABrowser, TenThousandObligationsOpenInUnderASecond) {
  if (run_line("command -v chromium").code != 0) GTEST_SKIP() << "there is no chromium here";
  Json obligations = Json::array();
  for (int k = 0; k < 10'000; ++k) {
    obligations.push_back({{"rule", "simplify"},
                           {"why", "the new index arithmetic fits its type"},
                           {"function", "main"},
                           {"statement", "B[i] = A[i] + " + std::to_string(k)},
                           {"line", k % 90 + 1},
                           {"column", 5},
                           {"goal", "i * 8 + j < " + std::to_string(k)},
                           {"verdict", "proved"},
                           {"solver", "z3"},
                           {"rlimit", 7 * k}});
  }
  const Json report = {{"verdict", "proved"}, {"functions", {{{"function", "main"}, {"obligations", obligations}}}}};
  const std::string page = temporary("ten-thousand.html", "");
  ASSERT_EQ(hexproof_command("report " + temporary("ten-thousand.json", report.dump()) + " -o " + page).code, 0);
  std::string text = read_file(page);
  EXPECT_LT(text.size(), 5'000'000u);
  // The page says when it has drawn itself, in milliseconds from the start of its navigation.
  const std::string kEnd = "</body>";
  const size_t end = text.rfind(kEnd);
  ASSERT_NE(end, text.npos);
  text.insert(end,
              "<script>addEventListener('load', () => requestAnimationFrame(() => setTimeout(() => { document.title = "
              "'drawn after ' + Math.ceil(performance.now()); })));</script>");
  write_file(page, text);
  // A machine that is busy with other work says little: the best of three.
  int best = 1'000'000;
  for (int k = 0; k < 3; ++k) {
    const CommandResult r = run_line("timeout 100 chromium --headless --no-sandbox --disable-gpu --user-data-dir='" +
                                     testing::TempDir() + "/" + std::to_string(::getpid()) +
                                     "-browser' --virtual-time-budget=5000 --dump-dom 'file://" + page + "'");
    std::smatch drawn;
    if (std::regex_search(r.text, drawn, std::regex("<title>drawn after (\\d+)</title>"))) {
      best = std::min(best, std::stoi(drawn[1]));
    }
    EXPECT_NE(r.text.find("B[i] = A[i] + 0"), std::string::npos) << r.text.substr(0, 2000);
  }
  std::printf("drawn after %d ms\n", best);
  EXPECT_LT(best, 1000);
}

}  // namespace browser_test
}  // namespace hexproof
