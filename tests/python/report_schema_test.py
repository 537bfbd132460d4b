"""What --json writes, held against docs/report.schema.json: every command, in every verdict that a small input shows."""
import copy
import json
import os
import pathlib
import shlex
import subprocess
import tempfile
import unittest

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEXPROOF = os.path.realpath("/proc/self/exe")

BLOCK = """def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range({end}):
        with T.block("copy"):
            vi = T.axis.spatial(8, i)
            {more}B[vi] = A[vi]{plus}
"""
EXP = """def f(A: T.Buffer((64,), "int32"), F: T.Buffer((1,), "float32")):
    if T.exp(F[0]) == T.float32(-1):
        A[0] = {}
"""
FILES = {
    "good.py": BLOCK.format(end=8, more="", plus=""),
    "wrong.py": BLOCK.format(end=9, more="", plus=""),
    "other.py": BLOCK.format(end=8, more="", plus=" + 1"),
    "warned.py": BLOCK.format(end=8, more="T.reads(A[0])\n            T.writes(B[vi])\n            ", plus=""),
    "broken.py": "def f(\n",
    "two_errors.py": "def f(A: T.Buffer((8,), \"int32\")):\n    A[j] = 1\n    A[k] = 2\n",
    "vacuous.py": "def f(A: T.Buffer((8,), \"int32\"), n: T.int32):\n    T.assume(n < 3)\n    T.assume(n > 5)\n    A[n] = 1\n",
    "open.py": "def f(A: T.Buffer((64,), \"int32\"), F: T.Buffer((1,), \"float32\")):\n"
               "    if T.exp(F[0]) == T.float32(-1):\n        A[64] = 1\n",
    "one.py": EXP.format(1),
    "two.py": EXP.format(2),
    "loops.py": "def f(A: T.Buffer((8,), \"int32\")):\n    while A[0] < 3:\n        A[0] = A[0] + 1\n",
    "one_cell.py": "def f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n    for i in range(8):\n        B[0] = A[i]\n",
    "sum.py": "def main(A: T.Buffer((14,), \"int32\"), B: T.Buffer((1,), \"int32\")):\n    for i in range(14):\n"
              "        with T.block(\"compute\"):\n            vi = T.axis.reduce(14, i)\n            with T.init():\n"
              "                B[0] = 0\n            B[0] = B[0] + A[vi]\n",
    "module.py": "@I.ir_module\nclass Module:\n    @T.prim_func\n    def double(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
                 "        for i in range(8):\n            B[i] = A[i] * 2\n    @T.prim_func\n"
                 "    def main(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
                 "        C = T.alloc_buffer((8,), \"int32\")\n        Module.double(A.data, C.data)\n        Module.double(C.data, B.data)\n",
    "te.py": "from tvm import te\nA = te.placeholder((16,), name=\"A\", dtype=\"int32\")\n"
             "B = te.compute((16,), lambda i: A[i] + 1, name=\"B\")\ns = te.create_schedule(B.op)\ns[B].split(B.op.axis[0], 4)\n",
    "te_wrong.py": "from tvm import te\nA = te.placeholder((16,), name=\"A\", dtype=\"int32\")\n"
                   "B = te.compute((16,), lambda i: A[i + 1] + 1, name=\"B\")\ns = te.create_schedule(B.op)\n",
    "split.py": "i, = sch.get_loops(\"copy\")\nsch.split(i, [None, 4])\n",
    "template.py": "i, = sch.get_loops(\"copy\")\nfactor = 4  # tune: 2, 4\nsch.split(i, [None, factor])\n",
    "none_such.py": "sch.frobnicate(1)\n",
    "pad.py": "sch.transform_layout(\"copy\", (\"write\", 0), lambda i: [i // 3, i % 3], pad_value=0)\n",
    "parallel.py": "sch.parallel(sch.get_loop(\"i\"))\n",
    "of_double.py": "sch.work_on(\"double\")\nsch.split(sch.get_loop(\"i\"), [None, 4])\n",
    "case.py": "# hexproof fuzz case 1\n# input-seed: 1\ndef main(A: T.Buffer((8,), \"int32\")):\n    for i in range(8):\n        A[i] = i\n",
}
#: In this order: some read what others made.
COMMANDS = [
    ("check good.py", "proved"), ("check wrong.py", "refuted"), ("check broken.py", "error"), ("check two_errors.py", "error"),
    ("check vacuous.py", "vacuous"), ("check warned.py", "proved"), ("check open.py", "undecided"), ("check loops.py", "unsupported"),
    ("check none.py", "error"), ("check module.py", "proved"), ("check te.py", "error"),
    ("apply good.py split.py -o o.py", "proved"), ("apply good.py pad.py -o o.py", "proved"), ("apply good.py none_such.py -o o.py", "error"),
    ("apply one_cell.py parallel.py -o o.py", "refuted"), ("apply wrong.py split.py -o o.py", "refuted"),
    ("apply module.py of_double.py -o o.py --certificate of_module", "proved"), ("apply te.py -o o.py", "proved"),
    ("certify good.py split.py --target host --no-run -o made", "proved"), ("certify good.py pad.py --target hexagon -o padded", "proved"),
    ("certify one_cell.py parallel.py --target host -o refused", "refuted"), ("certify te.py --target host -o of_script", "proved"),
    ("equiv good.py good.py", "proved"), ("equiv good.py other.py", "refuted"), ("equiv one.py two.py", "undecided"),
    ("equiv wrong.py good.py", "vacuous"), ("equiv good.py split.py", "error"),
    ("audit made", "proved"), ("audit padded --run", "proved"), ("audit of_module", "proved"), ("audit damaged", "rejected"),
    ("run good.py", "ran"), ("run good.py --target host", "ran"), ("run good.py --assert-static", "ran"), ("run wrong.py", "refuted"),
    ("touched good.py --buffer A", "proved"), ("touched wrong.py --buffer A", "refuted"),
    ("layout --shape 14 --map 'lambda i: [i//4, i%4]'", "proved"), ("layout --shape 14 --map 'lambda i: [i//4]'", "refuted"),
    ("layout --suggest sum.py --block compute --buffer A --map 'lambda i: [i//4, i%4]'", "proved"),
    ("bounds te.py", "proved"), ("bounds te_wrong.py", "refuted"), ("tune good.py template.py -o tuned.py", "proved"),
    ("rules", "listed"), ("explain --all", "listed"), ("python -- -c pass", "ran"), ("fuzz --runs 5 --seed 3", "passed"),
    ("fuzz replay case.py", "passed"), ("obligations good.py split.py --out formulas", "listed"), ("discharge formulas", "listed"),
    ("merge formulas", "proved"), ("report made -o page.html", "listed"),
]


def damage(folder):
    subprocess.run(["cp", "-r", "made", "damaged"], cwd=folder, check=True)
    path = pathlib.Path(folder, "damaged", "final.py")
    path.write_text(path.read_text().replace("A[", "B[", 1))


def reports():
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            pathlib.Path(folder, name).write_text(text)
        for line, verdict in COMMANDS:
            if line == "audit damaged":
                damage(folder)
            subcommand, _, rest = line.partition(" ")
            if subcommand == "python":
                rest = rest.removeprefix("-- ")
            if rest.startswith("replay "):
                subcommand, rest = "fuzz replay", rest.removeprefix("replay ")
            ran = subprocess.run([HEXPROOF, *subcommand.split(), "--json", "report.json", *shlex.split(rest)], cwd=folder,
                                 capture_output=True, text=True)
            path = pathlib.Path(folder, "report.json")
            assert path.exists(), f"{line}: no report\n{ran.stdout}{ran.stderr}"
            report = json.loads(path.read_text())
            assert (report["verdict"], report["exit_code"]) == (verdict, ran.returncode), f"{line}: {report['verdict']}\n{ran.stdout}{ran.stderr}"
            path.unlink()
            yield line, report


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
        cls.reports = list(reports())

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
        checked, applied = (next(report for line, report in self.reports if line.startswith(start)) for start in ("check good", "apply good"))
        changes = [
            (checked, lambda r: r.pop("exit_code")), (checked, lambda r: r.update(verdict="fine")),
            (checked, lambda r: r.update(exit_code=10)), (checked, lambda r: r.update(schema_version=2)),
            (checked, lambda r: r["functions"][0].update(finding="yes")), (checked, lambda r: r["functions"][0].pop("obligations")),
            (checked, lambda r: r["functions"][0]["obligations"][0].update(verdict="true")),
            (checked, lambda r: r["functions"][0]["obligations"][0].update(line=0)),
            (checked, lambda r: r.update(error={"code": "E1", "message": "", "text": ""})),
            (applied, lambda r: r["steps"][0].update(rule="Two Words")), (applied, lambda r: r["steps"][0].pop("arguments")),
            (applied, lambda r: r["by_validation"].pop("disagrees")),
        ]
        for k, (report, change) in enumerate(changes):
            with self.subTest(k):
                changed = copy.deepcopy(report)
                change(changed)
                self.assertFalse(self.validator.is_valid(changed))


if __name__ == "__main__":
    unittest.main()
