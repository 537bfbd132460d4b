"""What --json, --sarif and --junit write, held against docs/report.schema.json and the schema of SARIF 2.1.0, and read by a
parser of XML: every command, in every verdict that a small input shows."""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/python/support"))
import report_cases  # noqa: E402
import sarif  # noqa: E402


def names_in(schema):
    """All names of keys that the schema gives."""
    if isinstance(schema, dict):
        for key, part in schema.items():
            if key == "properties":
                yield from part
            yield from names_in(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from names_in(part)


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads((ROOT / "docs" / "report.schema.json").read_text())
        cls.validator = jsonschema.Draft202012Validator(cls.schema)
        cls.reports = [(line, report) for line, report, _, _ in report_cases.runs()]

    def test_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(self.schema)

    def test_every_report_is_of_it(self):
        commands = {report["command"] for _, report in self.reports}
        self.assertLessEqual(set(self.schema["properties"]["command"]["enum"]) - {"mutants"}, commands)
        for line, report in self.reports:
            with self.subTest(line):
                self.assertEqual([f"{list(e.absolute_path)}: {e.message}" for e in self.validator.iter_errors(report)], [])

    def test_every_key_of_a_report_has_a_name_there(self):
        known = set(names_in(self.schema))
        for line, report in self.reports:
            with self.subTest(line):
                self.assertLessEqual(set(report), known)
                for check in report.get("functions", []) + report.get("pairs", []):
                    self.assertLessEqual(set(check), known)

    def test_another_report_is_not(self):
        """One thing changed in a report that is, each time."""
        checked, applied, ran, refuted, differ = (
            next(report for line, report in self.reports if line.startswith(start))
            for start in ("check good", "apply good", "run wrong", "check wrong", "equiv good.py other"))
        changes = [
            (checked, lambda r: r.pop("exit_code")), (checked, lambda r: r.update(verdict="fine")),
            (checked, lambda r: r.update(exit_code=10)), (checked, lambda r: r.update(schema_version=2)),
            (checked, lambda r: r["functions"][0].update(finding="yes")), (checked, lambda r: r["functions"][0].pop("obligations")),
            (checked, lambda r: r["functions"][0]["obligations"][0].update(verdict="true")),
            (checked, lambda r: r["functions"][0]["obligations"][0].update(line=0)),
            (checked, lambda r: r.update(error={"code": "E1", "message": "", "text": ""})),
            (ran, lambda r: r.pop("error_met")), (ran, lambda r: r["error_met"].pop("text")), (ran, lambda r: r.pop("code")),
            (refuted, lambda r: r["functions"][0].pop("error_met")), (differ, lambda r: r["pairs"][0].pop("input")),
            (differ, lambda r: r["pairs"][0]["input"]["differences"][0]["after_place"].pop("line")),
            (applied, lambda r: r["steps"][0].update(rule="Two Words")), (applied, lambda r: r["steps"][0].pop("arguments")),
            (applied, lambda r: r["by_validation"].pop("disagrees")),
        ]
        for k, (report, change) in enumerate(changes):
            with self.subTest(k):
                changed = copy.deepcopy(report)
                change(changed)
                self.assertFalse(self.validator.is_valid(changed))


class Sarif(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.logs = [(line, report, log) for line, report, log, _ in report_cases.runs() if log is not None]

    def test_the_schema_is_that_of_the_standard(self):
        jsonschema.Draft4Validator.check_schema(sarif.SCHEMA)
        self.assertEqual(sarif.SCHEMA["$schema"], "http://json-schema.org/draft-04/schema#")
        self.assertIn("(SARIF) Version 2.1.0", sarif.SCHEMA["title"])
        self.assertEqual(sarif.SCHEMA["properties"]["version"]["enum"], ["2.1.0"])
        self.assertEqual(len(sarif.SCHEMA["definitions"]), 52)

    def test_every_log_is_of_it(self):
        self.assertGreater(len(self.logs), 45)
        self.assertLessEqual({"proved", "refuted", "error", "vacuous", "undecided", "unsupported", "rejected", "ran", "passed", "listed"},
                             {report["verdict"] for _, report, _ in self.logs})
        for line, _, log in self.logs:
            with self.subTest(line):
                self.assertEqual(sarif.errors(log), [])

    def test_what_the_standard_says_beyond_it(self):
        for line, report, log in self.logs:
            with self.subTest(line):
                run, = log["runs"]
                rules = run["tool"]["driver"]["rules"]
                self.assertEqual(len({rule["id"] for rule in rules}), len(rules))  # 3.19.23
                self.assertTrue(run["results"])
                for result in run["results"]:
                    self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])  # 3.27.6
                    self.assertTrue(result["kind"] == "fail" or result["level"] == "none")  # 3.27.10
                # What is red by its exit code is red here.
                bad = {result["level"] for result in run["results"]} & {"error"} or {result["kind"] for result in run["results"]} & {"open"}
                self.assertEqual(bool(bad), report["exit_code"] != 0)
                self.assertEqual(run["invocations"][0]["exitCode"], report["exit_code"])

    def test_what_is_refuted_is_at_its_line_with_a_code(self):
        self.assertEqual({line for line, report, _ in self.logs if report["verdict"] == "refuted"}, set(report_cases.WRONG_AT))
        for line, report, log in self.logs:
            if report["verdict"] != "refuted":
                continue
            with self.subTest(line):
                wrong = [result for result in log["runs"][0]["results"] if result["kind"] == "fail"]
                for result in wrong:
                    self.assertRegex(result["ruleId"], "^HX[0-9]{4}$")
                places = [place["physicalLocation"] for result in wrong for place in result.get("locations", [])]
                at = [(place["artifactLocation"]["uri"], place["region"]["startLine"]) for place in places]
                self.assertCountEqual(at or [None], report_cases.WRONG_AT[line])

    def test_names_of_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a b.py", "h\u00e4\U0001f600.py", b"bad\xff.py", "c:d.py", "%41#?.py", "it's [one] {two}|\\.py", "sub/../x.py"):
                pathlib.Path(folder, "sub").mkdir(exist_ok=True)
                path = pathlib.Path(folder) / (name.decode(errors="surrogateescape") if isinstance(name, bytes) else name)
                path.write_text(report_cases.FILES["wrong.py"])
                for given in (name, str(path)):
                    with self.subTest(given):
                        subprocess.run([report_cases.HEXPROOF, "check", given, "--sarif", "results.sarif"], cwd=folder, capture_output=True)
                        log = json.loads(pathlib.Path(folder, "results.sarif").read_text())
                        self.assertEqual(sarif.errors(log), [])
                        uris = {place["physicalLocation"]["artifactLocation"]["uri"] for result in log["runs"][0]["results"]
                                for place in result.get("locations", [])}
                        self.assertEqual(len(uris), 1)

    def test_another_log_is_not(self):
        """One thing changed in a log that is, each time."""
        log = next(log for line, _, log in self.logs if line == "check wrong.py")
        place = "locations", 0, "physicalLocation"
        changes = [
            ((), lambda o: o.pop("runs")), ((), lambda o: o.pop("version")), ((), lambda o: o.update(version="2.0.0")),
            ((), lambda o: o.update(more=1)), (("runs", 0), lambda o: o.pop("tool")), (("runs", 0), lambda o: o.update(columnKind="bytes")),
            (("runs", 0, "tool", "driver"), lambda o: o.pop("name")), (("runs", 0, "tool", "driver", "rules", 0), lambda o: o.pop("id")),
            (("runs", 0, "tool", "driver", "rules"), lambda o: o.append(o[0])),
            (("runs", 0, "invocations", 0), lambda o: o.pop("executionSuccessful")), (("runs", 0, "invocations", 0), lambda o: o.update(exitCode="1")),
            (("runs", 0, "results", 0), lambda o: o.pop("message")), (("runs", 0, "results", 0), lambda o: o.update(kind="refuted")),
            (("runs", 0, "results", 0), lambda o: o.update(level="fatal")), (("runs", 0, "results", 0), lambda o: o.update(ruleIndex=-2)),
            (("runs", 0, "results", 0, *place, "region"), lambda o: o.update(startLine=0)),
            (("runs", 0, "results", 0, *place, "region"), lambda o: o.update(line=1)),
            (("runs", 0, "results", 0, *place, "artifactLocation"), lambda o: o.update(uri="a b.py")),
            (("runs", 0, "results", 0, *place, "artifactLocation"), lambda o: o.update(uri="c:d.py:x")),
            ((), lambda o: o.update({"$schema": "no uri"})),
        ]
        for k, (way, change) in enumerate(changes):
            with self.subTest(k):
                changed = copy.deepcopy(log)
                part = changed
                for key in way:
                    part = part[key]
                change(part)
                self.assertNotEqual(sarif.errors(changed), [])


class JUnit(unittest.TestCase):
    def trouble(self, text):
        """Why a reader of JUnit's XML would stumble; empty where none would. And its cases, each with what stands in it."""
        root = xml.fromstring(text)
        suites = list(root)
        if root.tag != "testsuites" or [suite.tag for suite in suites] != ["testsuite"]:
            return f"{root.tag} of {[suite.tag for suite in suites]}", []
        cases = list(suites[0])
        counted = {"tests": len(cases), "failures": len(root.findall(".//failure")), "errors": len(root.findall(".//error"))}
        for part in (root, suites[0]):
            for name, count in counted.items():
                if part.get(name) != str(count):
                    return f"{part.tag} says {part.get(name)} {name}, and has {count}", cases
        for case in cases:
            if case.tag not in ("testcase", "system-out") or case.tag == "testcase" and not (case.get("name") and case.get("classname")):
                return xml.tostring(case, "unicode"), cases
            if case.get("line") and not int(case.get("line")) > 0:
                return f"line {case.get('line')}", cases
            if len(case) > 1 or any(one.tag not in ("failure", "error", "system-out") or not one.text.strip() for one in case):
                return xml.tostring(case, "unicode"), cases
        return "", cases

    def test_a_parser_reads_every_one(self):
        results = [(line, report, log, text) for line, report, log, text in report_cases.runs() if text is not None]
        self.assertGreater(len(results), 45)
        for line, report, log, text in results:
            with self.subTest(line):
                why, cases = self.trouble(text)
                self.assertEqual(why, "")
                self.assertTrue(cases)
                # What is red by its exit code is red here; and the cases are the results of SARIF.
                self.assertEqual(any(case.find("failure") is not None or case.find("error") is not None for case in cases), report["exit_code"] != 0)
                self.assertEqual(len(cases), len(log["runs"][0]["results"]))

    def test_names_and_texts_are_what_they_were(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a & b.py", "<b>.py", 'it\'s "one".py', "]]>.py", "h\u00e4\U0001f600.py", "new\nline.py", "tab\t.py", "return\r.py"):
                with self.subTest(name):
                    pathlib.Path(folder, name).write_text(report_cases.FILES["wrong.py"])
                    subprocess.run([report_cases.HEXPROOF, "check", name, "--junit", "junit.xml"], cwd=folder, capture_output=True)
                    why, cases = self.trouble(pathlib.Path(folder, "junit.xml").read_bytes())
                    self.assertEqual(why, "")
                    self.assertEqual({case.get("file") for case in cases if case.get("file")}, {name})
            for name in (b"bad\xff.py", "bell\a.py", "nobody\ufffe.py"):  # what no XML holds
                with self.subTest(name):
                    path = pathlib.Path(folder) / (name.decode(errors="surrogateescape") if isinstance(name, bytes) else name)
                    path.write_text(report_cases.FILES["wrong.py"])
                    subprocess.run([report_cases.HEXPROOF, "check", name, "--junit", "junit.xml"], cwd=folder, capture_output=True)
                    why, cases = self.trouble(pathlib.Path(folder, "junit.xml").read_bytes())
                    self.assertEqual(why, "")
                    self.assertTrue(cases)

    def test_what_is_wrong_is_seen(self):
        text = next(text.decode() for line, _, _, text in report_cases.runs() if line == "check wrong.py")
        self.assertEqual(self.trouble(text)[0], "")
        for old, new in [("tests=\"", "tests=\"1"), ("failures=\"", "failures=\"1"), ("<testsuite ", "<suite "), (" name=\"", " title=\"")]:
            with self.subTest(new):
                changed = text.replace(old, new) if old != "<testsuite " else text.replace(old, new).replace("</testsuite>", "</suite>")
                self.assertNotEqual(self.trouble(changed)[0], "")
        with self.assertRaises(xml.ParseError):
            self.trouble(text.replace("</testsuites>", ""))


if __name__ == "__main__":
    unittest.main()
