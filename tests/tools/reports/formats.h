// JUnit, SARIF, annotations and JSON of one run of the command, for tests.
#pragma once
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "tests/tools/command_line.h"

namespace hexproof::report_formats {

using Json = nlohmann::json;

inline std::string path_of(const std::string& name) {
  std::string path = testing::TempDir() + "/" + std::to_string(::getpid()) + "-" + name;
  std::filesystem::remove(path);
  return path;
}

// What SARIF 2.1.0 demands of the parts that are written (its schema, sections 3.13 to 3.30), as far as it goes.
inline void expect_sarif(const Json& log) {
  ASSERT_TRUE(log.is_object());
  EXPECT_EQ(log.at("version"), "2.1.0");
  ASSERT_TRUE(log.at("runs").is_array());
  for (const auto& [key, value] : log.items())
    EXPECT_TRUE((std::set<std::string>{"$schema", "version", "runs"}.count(key)));
  for (const Json& run : log.at("runs")) {
    const Json& driver = run.at("tool").at("driver");
    EXPECT_FALSE(driver.at("name").get<std::string>().empty());
    const std::string id = run.at("automationDetails").at("id");
    EXPECT_TRUE(id.starts_with("hexproof/") && id.ends_with("/")) << id;
    std::set<std::string> ids;
    for (const Json& rule : driver.at("rules")) {
      EXPECT_TRUE(ids.insert(rule.at("id")).second) << rule;  // uniqueItems
      EXPECT_TRUE(rule.at("shortDescription").at("text").is_string());
    }
    for (const Json& invocation : run.at("invocations")) EXPECT_TRUE(invocation.at("executionSuccessful").is_boolean());
    EXPECT_TRUE((std::set<std::string>{"utf16CodeUnits", "unicodeCodePoints"}.count(run.at("columnKind"))));
    ASSERT_TRUE(run.at("results").is_array());
    for (const Json& result : run.at("results")) {
      EXPECT_TRUE(result.at("message").at("text").is_string());
      const std::string kind = result.at("kind"), level = result.at("level");
      EXPECT_TRUE(
          (std::set<std::string>{"pass", "open", "fail", "notApplicable", "review", "informational"}.count(kind)));
      EXPECT_TRUE((std::set<std::string>{"none", "note", "warning", "error"}.count(level)));
      EXPECT_TRUE(kind == "fail" || level == "none") << result;  // 3.27.10
      const size_t index = result.at("ruleIndex");
      ASSERT_LT(index, driver.at("rules").size());
      EXPECT_EQ(driver.at("rules")[index].at("id"), result.at("ruleId"));
      if (!result.contains("locations")) continue;
      for (const Json& location : result.at("locations")) {
        const Json& place = location.at("physicalLocation");
        const std::string uri = place.at("artifactLocation").at("uri");
        EXPECT_TRUE(std::regex_match(uri, std::regex("(file://)?[A-Za-z0-9/._~%-]+"))) << uri;
        if (!place.contains("region")) continue;
        EXPECT_GE(place.at("region").at("startLine"), 1);
        if (place.at("region").contains("startColumn")) {
          EXPECT_GE(place.at("region").at("startColumn"), 1);
        }
      }
    }
  }
}

struct Formats {
  CommandResult result;  // with the annotations
  Json sarif, report;
  std::string junit;
};

inline Formats formats(const std::string& arguments) {
  std::string sarif = path_of("x.sarif"), junit = path_of("x.xml"), json = path_of("x.json");
  Formats out{hexproof_command(arguments + " --sarif " + sarif + " --junit " + junit + " --json " + json +
                               " --annotate github"),
              {},
              {},
              {}};
  out.sarif = Json::parse(read_file(sarif));
  out.report = Json::parse(read_file(json));
  out.junit = read_file(junit);
  expect_sarif(out.sarif);
  return out;
}

inline size_t count(const std::string& text, const std::string& part) {
  size_t out = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++out;
  return out;
}

inline size_t of_kind(const Json& sarif, const std::string& kind) {
  size_t out = 0;
  for (const Json& result : sarif["runs"][0]["results"]) out += result["kind"] == kind;
  return out;
}

}  // namespace hexproof::report_formats
