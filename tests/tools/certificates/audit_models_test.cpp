// Values under which what is given holds, as a certificate stores them.
#include <fmt/format.h>

#include "tests/tools/certificates/audit_fixture.h"

namespace hexproof {
namespace audit_test {

/// The number of a list that holds at stored values, the first of them that of a loop i in [0, 14).
size_t list_with_values(const Json& certificate) {
  const Json& models = certificate["given_models"];
  for (size_t k = 0; k < models.size(); ++k) {
    if (models[k].contains("values") && models[k]["values"][0].get<std::string>().starts_with("i = ")) return k;
  }
  ADD_FAILURE() << models;
  return 0;
}

// Values under which what is given holds are evaluated: others that satisfy it are as good, and nothing else is.
TEST_F(Audit, ValuesUnderWhichWhatIsGivenHolds) {
  for (const char* name : {"host", "applied"}) {
    const Json made = certificate_json(folder_ + "/" + name);
    const size_t k = list_with_values(made);
    const std::string summary = read_file(folder_ + "/" + name + "/summary.txt");
    EXPECT_NE(summary.find(" hold at stored values"), summary.npos) << summary;
    const std::string path = copy(name);
    Json changed = made;
    changed["given_models"][k]["values"][0] = "i = 13";
    write_certificate(path, changed);
    EXPECT_EQ(audit(path).code, 0) << audit(path).text;

    for (const Json& other :
         {Json{{"values", {"i = 14"}}}, Json{{"values", {"i = -1"}}}, Json{{"values", {"j = 3"}}},
          Json{{"values", {"i = 3x"}}}, Json{{"values", {"i = 03"}}}, Json{{"values", Json::array()}},
          Json{{"values", 7}}, Json{{"values", {"i = 3", "i = 3"}}}, Json{{"none", "it was late"}},
          Json{{"none", "it contradicts itself"}, {"contradiction", true}}, Json(nullptr)}) {
      changed = made;
      changed["given_models"][k] = other;
      write_certificate(path, changed);
      CommandResult r = audit(path);
      EXPECT_EQ(r.code, 12) << other << "\n" << r.text;
      EXPECT_NE(r.text.find("/given_models/" + std::to_string(k) + ": "), std::string::npos) << other << "\n" << r.text;
    }
    // The line is the one where the list stands.
    changed = made;
    changed["given_models"][k]["values"][0] = "i = 14";
    write_certificate(path, changed);
    const std::string text = read_file(path + "/certificate.json"), upto = text.substr(0, text.find("\"i = 14\""));
    expect_rejected(path, fmt::format("certificate.json:{}:1: /given_models/{}: the stored values: they do not satisfy",
                                      std::count(upto.begin(), upto.end(), '\n'), k));
    for (Json models : {Json(), Json::array(), Json(7)}) {
      changed["given_models"] = models;
      write_certificate(path, changed);
      expect_rejected(path, "certificate.json:");
    }
    changed = made;
    changed["given_models"].push_back({{"values", Json::array()}});
    write_certificate(path, changed);
    expect_rejected(path, "certificate.json:");
    changed = made;
    changed["source_check"]["obligations"][0].erase("given_model");
    write_certificate(path, changed);
    expect_rejected(path, "certificate.json:");
  }
}

// Other solvers may find no values, which is not compared; what they found is evaluated all the same.
TEST_F(Audit, ValuesOfOtherSolvers) {
  const std::string path = copy();
  Json changed = certificate_json(path);
  const size_t k = list_with_values(changed);
  changed["versions"]["z3"] = "4.13.0";
  changed["given_models"][k] = {{"none", "z3: resource limit"}};
  write_certificate(path, changed);
  CommandResult r = audit(path);
  EXPECT_EQ(r.code, 5) << r.text;
  EXPECT_NE(r.text.find(" 1 have no stored values under which they hold"), std::string::npos) << r.text;
  changed["given_models"][k] = {{"values", {"i = 14"}}};
  write_certificate(path, changed);
  expect_rejected(path, "certificate.json:");
  changed["given_models"][k] = {{"none", "z3"}, {"contradiction", true}};
  write_certificate(path, changed);
  expect_rejected(path, "certificate.json:");
}

// Where what is given contradicts itself, the entry says so, and no other value does for it.
TEST_F(Audit, AContradictionIsSaid) {
  const std::string program = temporary("contradiction.py",
                                        "def main(A: T.Buffer((4,), \"int32\")):\n"
                                        "    for i in range(4):\n"
                                        "        if i > 7:\n"
                                        "            A[i] = 1\n");
  const CommandResult made =
      hexproof_command("certify " + program + " --target host --no-run -o " + folder_ + "/never");
  ASSERT_EQ(made.code, 0) << made.text;
  const Json json = certificate_json(folder_ + "/never");
  size_t k = 0;
  while (k < json["given_models"].size() && !json["given_models"][k].contains("contradiction")) ++k;
  ASSERT_LT(k, json["given_models"].size());
  const std::string path = copy("never");
  EXPECT_EQ(audit(path).code, 0) << audit(path).text;
  for (const Json& other : {Json(false), Json(1), Json("true"), Json()}) {
    Json changed = json;
    changed["given_models"][k]["contradiction"] = other;
    write_certificate(path, changed);
    expect_rejected(path, "certificate.json:");
    changed["versions"]["hexproof"] = "0.0.1";
    write_certificate(path, changed);
    expect_rejected(path, "certificate.json:");
  }
  Json changed = json;
  changed["given_models"][k].erase("contradiction");
  write_certificate(path, changed);
  expect_rejected(path, "certificate.json:");
  changed["versions"]["hexproof"] = "0.0.1";
  write_certificate(path, changed);
  EXPECT_EQ(audit(path).code, 5) << audit(path).text;
}

}  // namespace audit_test
}  // namespace hexproof
