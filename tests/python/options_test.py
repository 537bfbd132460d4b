"""What the command can be told, the package can be told: each option by a table, which must name all of them, with their defaults."""
import contextlib
import inspect
import json
import pathlib
import re
import subprocess
import tempfile
import unittest

import hexproof as hp
from hexproof import command

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = """
def main(A: T.Buffer((4, 64), "float32"), B: T.Buffer((4, 64), "float32")):
    for i, j in T.grid(4, 64):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
"""
TOUCHES = """
def main(A: T.Buffer((14,), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(7):
        B[i * 2] = A[i]
"""

#: What the package has instead of an option, in words: docs/python.md says it.
REPORTS = {"--json": "Report.to_dict()", "--junit": "pytest's --junitxml", "--sarif": "the command", "--annotate": "the command", "--quiet": "session",
           "--help": "help()"}
LIMITS = {"--rlimit": "rlimit", "--jobs": "jobs", "--budget": "budget", "--cache": "cache", "--cache-size": "cache_size"}
SAVED = {"--save": "Report.inputs"}
DIFF, MADE_OF = {"--diff": "difflib"}, {"--depfile": "the command"}
#: command: (the function, {option or positional: parameter}, {option: what there is instead})
TABLE = {
    "check": (hp.check, {"FILE": "program", "--claims": "claims"}, {**SAVED}),
    "equiv": (hp.equiv, {"BEFORE": "before", "AFTER": "after", "--function": "function", "--layout": "layouts", "--pad": "pads",
                         "--logical-only": "logical_only", "--method": "method", "--accept": "accept", "--max-terms": "max_terms"}, {**SAVED, **DIFF}),
    "apply": (hp.apply, {"FILE": "program", "SCHEDULE": "schedule", "--function": "function", "--trust-rules": "trust_rules",
                         "--certificate": "certificate"}, {**SAVED, **DIFF, **MADE_OF, "--output": "Program.script()"}),
    "certify": (hp.certify, {"FILE": "program", "SCHEDULE": "schedule", "--target": "target", "--cpu": "cpu", "--output": "out",
                             "--function": "function", "--seed": "seed", "--no-run": "run", "--trust-rules": "trust_rules"}, {**SAVED, **DIFF, **MADE_OF}),
    "audit": (hp.verify, {"DIR": "certificate", "--run": "run", "--solver": "solver"}, {}),
    "run": (hp.run, {"PROGRAM": "program", "--input": "arrays", "--output": "arrays", "--scalar": "scalars", "--function": "function",
                     "--target": "backend", "--cpu": "cpu", "--assert-static": "assert_static"}, {}),
    "fuzz": (hp.fuzz, {"--" + name.replace("_", "-"): name for name in ("runs", "time", "seed", "padded", "granted", "te", "schedules", "from_seeds", "constructs", "verdicts",
                                                       "inside", "cover", "shard", "corpus", "jobs", "rlimit")}, {"--list-empty": "Report.empty_cells"}),
    "fuzz replay": (hp.replay, {"FILE": "case"}, {}),
    "layout": (hp.layout, {"--shape": "shape", "--map": "index_map"},
               {"--svg": "Layout.svg", **dict.fromkeys(("--suggest", "--block", "--buffer", "--function"), "Schedule.suggest_pad_value")}),
    "touched": (hp.touched, {"FILE": "program", "--buffer": "buffer", "--function": "function"}, {}),
    "bounds": (hp.bounds, {"SCRIPT": "script"}, {"--svg": "the command"}),
    "report": (hp.report, {"DIR": "certificate", "--output": "output"}, {}),
    "tune": (hp.tune, {"FILE": "program", "TEMPLATE": "template", "--output": "output", "--function": "function", "--tries": "tries",
                       "--seconds": "seconds", "--seed": "seed", "--trust-rules": "trust_rules"}, {}),
    "explain": (hp.explain, {"CODE": "code"}, {"--all": "without a code"}),
}
#: Work of machines that share the formulas of a schedule, and what is printed for these pages.
OF_THE_COMMAND_ALONE = {"rules", "obligations", "discharge", "merge", "python", "fuzz merge"}


def helped(words):
    return subprocess.run([command._command(), *words, "--help"], capture_output=True, text=True, check=True).stdout


def subcommands(text):
    part = text.partition("Subcommands:\n")[2]
    return re.findall(r"^  (\w+)  ", part, re.M)


def told(name):
    """The options and positionals that the help lists."""
    text = helped(name.split())
    options = re.findall(r"^  (?:-\w,)?(--[\w-]+)", text.partition("Options:\n")[2].partition("Subcommands:")[0], re.M)
    positionals = re.findall(r"^  ([A-Z]+) ", text.partition("Positionals:\n")[2].partition("Options:")[0], re.M)
    return options + positionals


class Options(unittest.TestCase):
    def test_each_command_has_its_function(self):
        names = subcommands(helped([]))
        names += [f"fuzz {name}" for name in subcommands(helped(["fuzz"]))]
        self.assertGreater(len(names), 12)
        self.assertEqual(set(names), set(TABLE) | OF_THE_COMMAND_ALONE)

    def test_each_option_has_its_parameter(self):
        session = inspect.signature(hp.session).parameters
        self.assertLessEqual(set(LIMITS.values()), set(session))
        for name, (function, parameters, otherwise) in TABLE.items():
            has = inspect.signature(function).parameters
            self.assertEqual(set(parameters.values()) - set(has), set(), name)
            known = {**REPORTS, **LIMITS, **otherwise, **parameters, "--fp": "read, parse"}
            listed = told(name)
            self.assertEqual([option for option in listed if option not in known], [], f"hexproof {name} has what hexproof.{function.__name__} has not")
            self.assertEqual(set(parameters) - set(listed), set(), name)
            # What takes the place of a parameter is one, and nothing else is left over.
            extra = {"out_of", "name", "scalars", "run", "function"}
            self.assertEqual(set(has) - set(parameters.values()) - extra, set(), name)
        # What a schedule in one's hands is told.
        of_schedule = set(inspect.signature(hp.Schedule.certify).parameters) - {"self"}
        self.assertEqual(set(inspect.signature(hp.certify).parameters) - of_schedule, {"program", "schedule", "function", "name"})

    def test_the_words_for_the_rest_are_in_the_documents(self):
        page = (ROOT / "docs" / "python.md").read_text()
        for option in [*REPORTS, *SAVED, *LIMITS, "--fp", "--list-empty", "--suggest", "--svg"]:
            self.assertTrue(option == "--help" or f"`{option}`" in page, option)
        for name, (function, *_) in TABLE.items():
            self.assertIn(f"`{function.__name__}(", page, name)

    def test_defaults_are_those_of_the_command(self):
        def default(file, field):
            text = (ROOT / file).read_text()
            value = re.search(rf"\b{field} = ([^;,]+)[;,]", text)[1].strip().replace("'", "")
            return {"true": True, "false": False, "{}": ""}.get(value, value)

        def same(function, parameter, file, field):
            mine = inspect.signature(function).parameters[parameter].default
            theirs = default(file, field)
            theirs = type(mine)(float(theirs)) if isinstance(mine, (int, float)) and not isinstance(mine, bool) else theirs
            self.assertEqual(mine, theirs, f"{function.__name__}({parameter}=...)")

        for parameter in ("runs", "seed", "padded", "constructs", "granted", "schedules", "verdicts", "inside", "rlimit", "corpus"):
            same(hp.fuzz, parameter, "fuzz/campaign.h", parameter)
        same(hp.fuzz, "te", "tools/commands/fuzz.cpp", "campaign.te")
        same(hp.fuzz, "time", "fuzz/campaign.h", "seconds")
        for function in (hp.certify, hp.Schedule.certify):
            for parameter, field in (("seed", "seed"), ("run", "run"), ("trust_rules", "trust_rules"), ("cpu", "cpu")):
                same(function, parameter, "include/hexproof/certify.h", field)
        same(hp.apply, "trust_rules", "include/hexproof/schedule.h", "trust_rules")
        same(hp.equiv, "max_terms", "include/hexproof/equiv.h", "max_terms")
        same(hp.run, "assert_static", "include/hexproof/run.h", "assert_static")
        same(hp.run, "cpu", "include/hexproof/run.h", "cpu")
        for parameter, field in (("rlimit", "rlimit"), ("jobs", "jobs"), ("budget", "seconds")):
            same(hp.session, parameter, "include/hexproof/session.h", field)
        same(hp.session, "cache_size", "tools/command.h", "cache_size")
        same(hp.tune, "tries", "tools/commands/tune.cpp", "tries")
        same(hp.tune, "seconds", "tools/commands/tune.cpp", "seconds")


class WhatTheyDo(unittest.TestCase):
    def test_regions_that_are_false_are_warnings(self):
        program = """
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        with T.block("B"):
            v = T.axis.spatial(16, i)
            T.reads(A[0])
            T.writes(B[v])
            B[v] = A[v]
"""
        found = hp.check(program)
        self.assertEqual(found.verdict, "proved")
        self.assertEqual(found.warnings, ["<text>:4:9: warning: it is false that T.reads of block B covers an access of A"])
        strict = hp.check(program, claims="error")
        self.assertEqual((strict.verdict, strict.warnings), ("refuted", []))
        self.assertIn("the claim is false", strict.counterexample)
        right = hp.check(program.replace("A[0]", "A[v]"))
        self.assertEqual((right.verdict, right.warnings), ("proved", []))
        # What goes wrong besides is not passed over, and neither are claims of instances.
        outside = hp.check(program.replace("= A[v]", "= A[v + 1]"))
        self.assertIn("out of bounds", outside.counterexample)
        shared = hp.check(program.replace("T.writes(B[v])", "T.writes(B[0])").replace("B[v] = A[v]", "B[0] = A[v]"))
        self.assertEqual(shared.verdict, "refuted")
        # A sum without an init reads what it adds to.
        added = program.replace("A[0]", "A[v]").replace("B[v] = A[v]", "B[v] = B[v] + A[v]")
        self.assertEqual(len(hp.check(added).warnings), 1)
        with self.assertRaisesRegex(hp.InputError, "a false claim is one of"):
            hp.check(program, claims="all")
        # A schedule may rely on them, and asks for true ones.
        with self.assertRaisesRegex(hp.RefutedError, "the claim is false"):
            hp.Schedule(program)

    def test_equiv_is_told_as_the_command_is(self):
        self.assertEqual(hp.equiv(COPY, COPY, method="symbolic").method, "symbolic")
        other = COPY.replace("T.float32(2)", "T.float32(3)")
        self.assertEqual(hp.equiv(COPY, other, method="tests").verdict, "refuted")
        tested = hp.equiv(COPY, COPY.replace("A[vi, vj] * T.float32(2)", "T.float32(2) * A[vi, vj]"), method="tests", accept="tests")
        self.assertTrue(tested.accepted)
        self.assertFalse(tested)
        for wrong, said in (({"method": "guess"}, 'a method is one of "auto"'), ({"accept": "all"}, "what is accepted is one of"),
                            ({"logical_only": "Z"}, "'Z'")):
            with self.assertRaisesRegex(hp.InputError, said):
                hp.equiv(COPY, COPY, **wrong)
        padded = hp.apply("def main(A: T.Buffer((14,), 'int32'), B: T.Buffer((14,), 'int32')):\n    for i in range(14):\n        B[i] = A[i]\n",
                          "sch.transform_layout('root', 'B', lambda i: [i // 4, i % 4], pad_value=0)\n")
        before = "def main(A: T.Buffer((14,), 'int32'), B: T.Buffer((14,), 'int32')):\n    for i in range(14):\n        B[i] = A[i]\n"
        layouts = {"B": lambda i: [i // 4, i % 4]}
        self.assertTrue(hp.equiv(before, padded, layouts=layouts, logical_only=["B"]))
        self.assertTrue(hp.equiv(before, padded, layouts=layouts, pads={"B": 0}))
        self.assertFalse(hp.equiv(before, padded, layouts=layouts, pads={"B": 1}))

    def test_a_kernel_for_a_processor(self):
        sch = hp.Schedule(COPY)
        sch.vectorize(sch.split(sch.get_loop("j"), [None, 8])[1])
        plain, wide = sch.certify(target="host"), sch.certify(target="host", cpu="x86-64-v3", run=False, seed=7)
        self.assertTrue(plain and wide)
        self.assertEqual((plain.to_dict()["made"]["cpu"], wide.to_dict()["made"]["cpu"]), ("x86-64", "x86-64-v3"))
        self.assertNotEqual(plain.files["kernel.o"], wide.files["kernel.o"])
        self.assertEqual(hp.certify(COPY, target="host", cpu="x86-64-v3", run=False).to_dict()["made"]["cpu"], "x86-64-v3")
        with self.assertRaisesRegex(hp.InputError, "x86-64-v4"):
            sch.certify(target="host", cpu="z80")
        with self.assertRaisesRegex(hp.InputError, "the target host only"):
            sch.certify(target="hexagon", cpu="x86-64-v3")
        with self.assertRaisesRegex(hp.InputError, "the target host only"):
            hp.run(COPY, *self.arrays(), cpu="x86-64-v3")

    def test_physical_axes_of_arguments_are_their_interface(self):
        sch = hp.Schedule(COPY)
        sch.transform_layout("B", "B", lambda i, j: [i, hp.IndexMap.AXIS_SEPARATOR, j])
        with self.assertRaisesRegex(hp.UnsupportedError, "'B' has 2 physical axes .*the host supports one"):
            sch.certify(target="host", run=False)
        # Hexagon takes a table of rows.
        made = sch.certify(target="hexagon", run=False)
        self.assertTrue(made)
        self.assertEqual(made.to_dict()["kernel"]["row_tables"], [{"argument": "B", "table": ["4"], "row": ["64"]}])
        self.assertIn(b"(float* restrict arg0_A, float* const* restrict arg1_B, ", made.files["kernel.h"])
        self.assertIn(b"the argument 'B' is a table of rows", made.files["summary.txt"])
        with tempfile.TemporaryDirectory() as folder:
            sch.certify(target="hexagon", run=False, out=pathlib.Path(folder, "kept"))
            self.assertTrue(hp.verify(pathlib.Path(folder, "kept")))
        three = hp.Schedule(COPY)
        three.transform_layout("B", "B", lambda i, j: [i, hp.IndexMap.AXIS_SEPARATOR, j // 8, hp.IndexMap.AXIS_SEPARATOR, j % 8])
        with self.assertRaisesRegex(hp.UnsupportedError, "'B' has 3 physical axes .*Hexagon supports two"):
            three.certify(target="hexagon", run=False)
        with tempfile.TemporaryDirectory() as folder:
            kept = pathlib.Path(folder, "kept")
            hp.apply(COPY, "sch.transform_layout('B', 'B', lambda i, j: [i, IndexMap.AXIS_SEPARATOR, j])\n", certificate=kept)
            self.assertIn("[i, AXIS_SEPARATOR, j]", (kept / "summary.txt").read_text())
            self.assertIn("[i, AXIS_SEPARATOR, j]", json.loads((kept / "certificate.json").read_text())["interface"][0]["map"])
        # Of what is flat again, there is a kernel.
        sch.set_axis_separator("B", "B", [])
        self.assertTrue(sch.certify(target="host"))

    def arrays(self):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("there is no numpy")
        return np.ones((4, 64), np.float32), np.zeros((4, 64), np.float32)

    def test_runs(self):
        a, b = self.arrays()
        hp.run(COPY, a, b, backend="host", cpu="x86-64")
        self.assertTrue((b == 2).all())
        b[:] = 0
        hp.run(COPY, a, b, assert_static=True)
        self.assertTrue((b == 2).all())
        # The final program of a certificate.
        sch = hp.Schedule(COPY)
        sch.transform_layout("B", "B", lambda i, j: [j, i])
        c = b.T.copy() * 0
        hp.run(sch.certify(target="host", run=False), a, c)
        self.assertTrue((c == 2).all())

    def test_apply(self):
        self.assertIn("T.unroll", hp.apply(COPY, "sch.unroll(sch.get_loop('i'))\n", trust_rules=True).script())
        with tempfile.TemporaryDirectory() as folder:
            kept = pathlib.Path(folder, "kept")
            hp.apply(COPY, "sch.unroll(sch.get_loop('i'))\n", certificate=kept)
            self.assertTrue(hp.verify(kept, solver="z3"))
            self.assertIn("T.unroll", (kept / "final.py").read_text())
            with self.assertRaises(hp.InputError):
                hp.apply(COPY, "", certificate=folder)  # something else stands there
            for kernel in (lambda: hp.apply(COPY, "what is no schedule", certificate=folder),
                           lambda: hp.certify(COPY, "what is no schedule", out=folder)):
                with self.assertRaisesRegex(hp.InputError, "is no certificate folder|holds"):  # which is known before the work
                    kernel()

    def test_by_the_command(self):
        found = hp.touched(TOUCHES, "B")
        self.assertEqual((found.verdict, found.writes["exact"]), ("proved", True))
        self.assertEqual([side["extent"] for side in found.box], ["13"])
        with self.assertRaisesRegex(hp.InputError, "Z"):
            hp.touched(TOUCHES, "Z")
        self.assertIn("HX0101", hp.explain("HX0101"))
        self.assertIn("## HX0101", hp.explain())
        with self.assertRaises(hp.InputError):
            hp.explain("HX9999")
        made = hp.Schedule(COPY).certify(target="host", run=False)
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page.html")
            hp.report(made, page)
            self.assertIn("<html", page.read_text())
        script = ("A = te.placeholder((16,), name='A', dtype='int32')\nB = te.compute((16,), lambda i: A[i] + 1, name='B')\n"
                  "s = te.create_schedule(B.op)\n")
        self.assertEqual(hp.bounds(script).verdict, "proved")
        with self.assertRaises(hp.InputError):
            hp.bounds("no script")
        with self.assertRaises(hp.InputError):
            hp.replay("/no/such/case.py")

    def test_limits_are_those_that_the_command_takes(self):
        nan, inf = float("nan"), float("inf")
        for name, values in {"rlimit": (0, -1, 2 ** 64, 1.5, "1"), "jobs": (-1, 1025, 0.5), "budget": (-1, nan, inf, "1"), "cache_size": (0, 2 ** 20 + 1)}.items():
            for value in values:
                with self.assertRaisesRegex(hp.InputError, f"^{name} is a number of "):
                    hp.session(**{name: value})
                if name != "cache_size":
                    with self.assertRaisesRegex(hp.InputError, f"^{name} is a number of "):
                        hp.tvm.Validate(**{name: value})
        with contextlib.suppress(ImportError):
            import numpy as np
            hp.session(rlimit=np.int64(100_000), jobs=np.int32(1), budget=np.float32(30))
        hp.session(rlimit=2 ** 64 - 1, jobs=2, budget=0)
        self.assertTrue(hp.check(COPY))
        hp.session()

    def test_what_the_command_says_has_the_names_of_here(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, 'a "b".py')
            path.write_text("# A comment.\n" + TOUCHES)
            for program, name, line in ((hp.read(path), str(path), 3), (hp.parse(TOUCHES, "mine.py"), "mine.py", 2), (TOUCHES, "<text>", 2)):
                with self.assertRaises(hp.InputError) as caught:
                    hp.touched(program, "Z")
                self.assertEqual((caught.exception.file, caught.exception.line, caught.exception.column), (name, line, 5))
                self.assertTrue(str(caught.exception).startswith(f"{name}:{line}:5: error:"), str(caught.exception))
                self.assertEqual(hp.touched(program, "B").to_dict()["inputs"]["FILE"], name)
        with self.assertRaises(hp.InputError) as caught:
            hp.bounds("A = te.placeholder((4,), name='A'\n")
        self.assertEqual(caught.exception.file, "<text>")


if __name__ == "__main__":
    unittest.main()
