"""hexproof.tvm against a stand-in with TVM's interface."""
import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import hexproof as hp
from hexproof import tvm as judging
from hexproof.judge import Pool

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "support"))
import tvm_stand_in as stand_in

TEXT = """
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
        for i in range(8):
            with T.block("B"):
                vi = T.axis.spatial(8, i)
                B[vi] = A[vi] * 2
"""
PYTEST = "/usr/lib/python3/dist-packages/pytest"


class OfOneVersion:
    version = ""

    @classmethod
    def setUpClass(cls):
        cls.pool = Pool(jobs=2, budget=30)
        sys.modules["tvm"] = cls.tvm = stand_in.make(cls.version)

    @classmethod
    def tearDownClass(cls):
        del sys.modules["tvm"]
        cls.pool.close()

    def run_passes(self, *passes, text=TEXT, **options):
        instrument = judging.Validate(pool=self.pool, **options)
        with self.tvm.transform.PassContext(instruments=[instrument]):
            mod = stand_in.IRModule(text)
            for one in passes:
                mod = one(mod)
        return instrument.report()

    def test_verdicts_of_each_pass(self):
        report = self.run_passes(stand_in.replace("tir.Sum", "A[vi] * 2", "A[vi] + A[vi]"),
                                 stand_in.replace("tir.Nothing", "such", "text"),
                                 stand_in.replace("tir.Wrong", "A[vi] + A[vi]", "A[vi] + 2"))
        self.assertEqual([(p["name"], p["verdict"]) for p in report.passes],
                         [("tir.Sum", "proved"), ("tir.Nothing", "unchanged"), ("tir.Wrong", "refuted")])
        self.assertFalse(report)
        self.assertEqual(report.counts, {"refuted": 1, "proved": 1, "unchanged": 1})
        self.assertIn("these cells differ", report.refuted[0]["reason"])
        self.assertIn("tir.Wrong", str(report))
        self.assertEqual(report.passes[0]["functions"][0]["method"], "parametric")

    def test_what_cannot_be_judged_is_counted(self):
        report = self.run_passes(stand_in.replace("relax.Strange", "T.axis.spatial(8, i)", "T.such_a_thing(i)"),
                                 stand_in.Pass("relax.NoText", lambda mod: stand_in.IRModule(None)))
        self.assertEqual([p["verdict"] for p in report.passes], ["unsupported", "unsupported"])
        self.assertIn("such_a_thing", report.passes[0]["reason"])
        self.assertIn("this has no script", report.passes[1]["reason"])

    def test_where_nothing_was_judged_nothing_is_proved(self):
        report = self.run_passes(stand_in.replace("tir.Sum", "A[vi] * 2", "A[vi] + A[vi]"), passes="no.such.pass")
        self.assertFalse(report)
        self.assertEqual((report.verdict, report.to_dict()["exit_code"]), ("undecided", 5))

    def test_reports_are_written_through_what_is_no_file(self):
        report = self.run_passes(stand_in.replace("tir.Sum", "A[vi] * 2", "A[vi] + A[vi]"))
        with tempfile.TemporaryDirectory() as folder:
            pipe, one, other = (os.path.join(folder, name) for name in ("pipe", "one", "other"))
            os.mkfifo(pipe)
            reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
            open(one, "w").close()
            os.link(one, other)
            report.save(json_file=pipe, junit=one)
            self.assertIn(b'"verdict": "proved"', os.read(reader, 1 << 16))
            os.close(reader)
            self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))
            with open(other) as file:
                self.assertIn("<testsuite", file.read())

    def test_functions_that_come_and_go(self):
        both = TEXT + TEXT[TEXT.index("    @T.prim_func"):].replace("main", "other")
        report = self.run_passes(stand_in.Pass("tir.Drop", lambda mod: stand_in.IRModule(TEXT.replace("* 2", "* 3"))), text=both)
        self.assertEqual([(f["before"], f["verdict"]) for f in report.passes[0]["functions"]], [("main", "refuted"), ("other", "unsupported")])
        self.assertEqual(report.verdict, "refuted")

    def test_a_sequence_is_its_parts(self):
        parts = [stand_in.replace("tir.A", "A[vi] * 2", "A[vi] + A[vi]"), stand_in.replace("tir.B", "A[vi] + A[vi]", "2 * A[vi]")]
        report = self.run_passes(stand_in.Sequential(parts))
        self.assertEqual([(p["name"], p["verdict"]) for p in report.passes],
                         [("tir.A", "proved"), ("tir.B", "proved"), ("sequential", "by its parts")])

    def test_what_does_more_than_its_parts_is_judged(self):
        inner = stand_in.replace("tir.A", "A[vi] * 2", "A[vi] + A[vi]")
        more = stand_in.Pass("tir.More", lambda mod: stand_in.IRModule(inner(mod).text.replace("+", "-")))
        report = self.run_passes(more)
        self.assertEqual([(p["name"], p["verdict"]) for p in report.passes], [("tir.A", "proved"), ("tir.More", "refuted")])

    def test_a_pass_that_raises(self):
        def fail(mod):
            raise ValueError("of TVM")

        instrument = judging.Validate(pool=self.pool)
        with self.tvm.transform.PassContext(instruments=[instrument]):
            mod = stand_in.IRModule(TEXT)
            with self.assertRaisesRegex(ValueError, "of TVM"):
                stand_in.Sequential([stand_in.Pass("tir.Fail", fail)])(mod)
            stand_in.replace("tir.A", "A[vi] * 2", "A[vi] + A[vi]")(mod)
        self.assertEqual([(p["name"], p["verdict"]) for p in instrument.report().passes], [("tir.A", "proved")])

    def test_passes_by_name(self):
        report = self.run_passes(stand_in.replace("tir.A", "* 2", "* 3"), stand_in.replace("tir.B", "* 3", "* 4"), passes="*.B")
        self.assertEqual([p["name"] for p in report.passes], ["tir.B"])

    def test_parts_that_are_left_out_judge_nothing(self):
        wrong = stand_in.replace("tir.Wrong", "* 2", "* 3")
        right = stand_in.replace("tir.A", "A[vi] * 2", "A[vi] + A[vi]")
        more = stand_in.replace("tir.B", "A[vi] + A[vi]", "2 * A[vi]")
        for inside, verdict in (([wrong], "refuted"), ([right], "proved"), ([right, more], "proved")):
            report = self.run_passes(stand_in.Sequential(inside), passes="sequential")
            self.assertEqual([(p["name"], p["verdict"]) for p in report.passes], [("sequential", verdict)])
        # Of several parts one is left out: the whole is judged, with the other.
        report = self.run_passes(stand_in.Sequential([right, more]), passes=["sequential", "tir.A"])
        self.assertEqual([(p["name"], p["verdict"]) for p in report.passes], [("tir.A", "proved"), ("sequential", "proved")])
        # One that is left out itself, but whose parts are judged, is a part.
        report = self.run_passes(stand_in.Pass("outer", stand_in.Sequential([right, more])), passes=["outer", "tir.*"])
        self.assertEqual([(p["name"], p["verdict"]) for p in report.passes],
                         [("tir.A", "proved"), ("tir.B", "proved"), ("outer", "by its parts")])

    def test_nothing_of_ours_is_raised_into_tvm(self):
        instrument = judging.Validate(pool=self.pool)
        instrument.judgements.before = instrument.judgements.after = None
        with self.tvm.transform.PassContext(instruments=[instrument]):
            self.assertIn("* 3", stand_in.replace("tir.A", "* 2", "* 3")(stand_in.IRModule(TEXT)).text)

    def test_json_and_junit(self):
        report = self.run_passes(stand_in.replace("tir.A", "A[vi] * 2", "A[vi] + A[vi]"), stand_in.replace("tir.B", "+", "-"),
                                 stand_in.replace("tir.C", "A[vi] - A[vi]", "T.such(\"<&>\")"))
        with tempfile.TemporaryDirectory() as folder:
            report.save(os.path.join(folder, "p.json"), os.path.join(folder, "p.xml"))
            self.assertEqual(sorted(os.listdir(folder)), ["p.json", "p.xml"])
            data = json.loads(pathlib.Path(folder, "p.json").read_text())
            self.assertEqual((data["schema_version"], data["verdict"], data["exit_code"]), (1, "refuted", 10))
            suite = ElementTree.parse(os.path.join(folder, "p.xml")).getroot()
        self.assertEqual([suite.get(k) for k in ("tests", "failures", "errors", "skipped")], ["3", "1", "0", "1"])
        self.assertEqual([[c.tag for c in case] for case in suite], [[], ["failure"], ["skipped"]])
        self.assertIn("these cells differ", suite[1][0].text)

    def test_a_judge_that_dies(self):
        pool = Pool(jobs=1)
        start = pool._start

        def dead():
            process = start()
            process.kill()
            process.wait()
            pool._start = start
            return process

        pool._start = dead
        first, second = pool.submit(TEXT, TEXT + "\n"), pool.submit(TEXT, TEXT + "\n\n")
        self.assertEqual([first.result()["verdict"], second.result()["verdict"]], ["undecided", "proved"])
        pool.close()


class Of014(OfOneVersion, unittest.TestCase):
    version = "0.14"


class OfToday(OfOneVersion, unittest.TestCase):
    version = "today"


class WithoutTvm(unittest.TestCase):
    def test_the_names_of_schedules_are_still_there(self):
        from hexproof import tvm

        self.assertTrue(callable(tvm.tir.IndexMap.from_func))
        self.assertIs(hp.tvm, tvm)
        with self.assertRaises(AttributeError):
            hp.no_such_name


SUITE = '''
import sys
sys.path.insert(0, {support!r})
import tvm_stand_in as stand_in
tvm = sys.modules["tvm"] = stand_in.make({version!r})
TEXT = {text!r}
schedule = getattr(tvm, "tir", None) or tvm.s_tir


def test_a_pass_in_a_context():
    with tvm.transform.PassContext(opt_level=3):
        stand_in.replace("tir.Good", "A[vi] * 2", "A[vi] + A[vi]")(stand_in.IRModule(TEXT))


def test_a_pass_without_one():
    stand_in.replace("tir.Bad", "* 2", {bad!r})(stand_in.IRModule(TEXT))


def test_primitives():
    sch = schedule.Schedule(stand_in.IRModule(TEXT))
    sch.get_block("B")
    try:
        sch.refuse()
    except ValueError:
        pass
    sch.twice("A[vi] * 2", "A[vi] + A[vi]")
'''


@unittest.skipUnless(os.path.exists(PYTEST), "there is no pytest")
class Plugin(unittest.TestCase):
    def run_suite(self, bad, *options, version="0.14"):
        with tempfile.TemporaryDirectory() as folder:
            text = SUITE.format(support=str(HERE / "support"), version=version, text=TEXT, bad=bad)
            pathlib.Path(folder, "test_it.py").write_text(text)
            python = [sys.executable] if sys.executable else [os.path.realpath("/proc/self/exe"), "python"]
            ran = subprocess.run([*python, "-m", "pytest", "-p", "hexproof.tvm", "-p", "no:cacheprovider", "--hexproof-json", "r.json",
                                  "--hexproof-jobs", "1", *options, "test_it.py"], capture_output=True, text=True, cwd=folder)
            self.assertIn("3 passed", ran.stdout, ran.stderr)
            return ran, json.loads(pathlib.Path(folder, "r.json").read_text())

    def test_a_suite(self):
        for version in ("0.14", "today"):
            ran, report = self.run_suite("* 3", version=version)
            self.assertEqual(ran.returncode, 1)
            self.assertEqual([(p["name"], p["kind"], p["verdict"], p["where"].split("::")[1]) for p in report["passes"]],
                             [("tir.Good", "pass", "proved", "test_a_pass_in_a_context"),
                              ("tir.Bad", "pass", "refuted", "test_a_pass_without_one"),
                              ("sch.twice", "primitive", "proved", "test_primitives")])
            self.assertIn("refuted: tir.Bad in test_it.py::test_a_pass_without_one", ran.stdout)

    def test_exit_codes(self):
        self.assertEqual(self.run_suite("* 3", "--hexproof-report-only")[0].returncode, 0)
        self.assertEqual(self.run_suite("* (1 + 1)")[0].returncode, 0)


if __name__ == "__main__":
    unittest.main()
