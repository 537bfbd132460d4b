"""Every command, in every verdict that a small input shows, with what it reports."""
import functools
import json
import os
import pathlib
import shlex
import subprocess
import tempfile

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
    "two_wrong.py": "def f(A: T.Buffer((8,), \"int32\"), n: T.int32):\n    for i in range(n):\n        A[i] = 1\n    A[n - 9] = 2\n",
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
    ("check two_wrong.py", "refuted"), ("check vacuous.py", "vacuous"), ("check warned.py", "proved"), ("check open.py", "undecided"), ("check loops.py", "unsupported"),
    ("check none.py", "error"), ("check module.py", "proved"), ("check te.py", "error"),
    ("apply good.py split.py -o o.py", "proved"), ("apply good.py pad.py -o o.py", "proved"), ("apply good.py none_such.py -o o.py", "error"),
    ("apply one_cell.py parallel.py -o o.py", "refuted"), ("apply wrong.py split.py -o o.py", "refuted"),
    ("apply module.py of_double.py -o o.py --certificate of_module", "proved"), ("apply te.py -o o.py", "proved"),
    ("certify good.py split.py --target host --no-run -o made", "proved"), ("certify good.py pad.py --target hexagon -o padded", "proved"),
    ("certify one_cell.py parallel.py --target host -o refused", "refuted"), ("certify te.py --target host -o of_script", "proved"),
    ("equiv good.py good.py", "proved"), ("equiv good.py other.py", "refuted"), ("equiv one.py two.py", "undecided"),
    ("equiv good.py wrong.py", "refuted"),
    ("equiv wrong.py good.py", "vacuous"), ("equiv good.py split.py", "error"),
    ("audit made", "proved"), ("audit padded --run", "proved"), ("audit of_module", "proved"), ("audit damaged", "rejected"),
    ("run good.py", "ran"), ("run good.py --target host", "ran"), ("run good.py --assert-static", "ran"), ("run wrong.py", "refuted"),
    ("run wrong.py --target host", "refuted"),
    ("touched good.py --buffer A", "proved"), ("touched wrong.py --buffer A", "refuted"),
    ("layout --shape 14 --map 'lambda i: [i//4, i%4]'", "proved"), ("layout --shape 14 --map 'lambda i: [i//4]'", "refuted"),
    ("layout --shape n --map 'lambda i: [i//4]'", "refuted"),
    ("layout --suggest sum.py --block compute --buffer A --map 'lambda i: [i//4, i%4]'", "proved"),
    ("bounds te.py", "proved"), ("bounds te_wrong.py", "refuted"), ("tune good.py template.py -o tuned.py", "proved"),
    ("rules", "listed"), ("explain --all", "listed"), ("python -- -c pass", "ran"), ("fuzz --runs 5 --seed 3", "passed"),
    ("fuzz replay case.py", "passed"), ("obligations good.py split.py --out formulas", "listed"), ("discharge formulas", "listed"),
    ("merge formulas", "proved"), ("obligations wrong.py split.py --out none", "refuted"), ("report made -o page.html", "listed"),
]
#: Of what is refuted, the places in the files of the user where something is wrong; those of the command line have none.
BOTH = {("wrong.py", 3), ("wrong.py", 5)}
WRONG_AT = {
    "check wrong.py": BOTH, "check two_wrong.py": [("two_wrong.py", 3), ("two_wrong.py", 4), ("two_wrong.py", 4)],
    "apply one_cell.py parallel.py -o o.py": {("parallel.py", 1)}, "apply wrong.py split.py -o o.py": BOTH,
    "certify one_cell.py parallel.py --target host -o refused": {("parallel.py", 1)},
    "equiv good.py other.py": {("other.py", 5)}, "equiv good.py wrong.py": {("wrong.py", 5)},
    "run wrong.py": {("wrong.py", 5)}, "run wrong.py --target host": BOTH,
    "touched wrong.py --buffer A": BOTH, "bounds te_wrong.py": {("te_wrong.py", 3)},
    "obligations wrong.py split.py --out none": BOTH,
    "layout --shape 14 --map 'lambda i: [i//4]'": {None}, "layout --shape n --map 'lambda i: [i//4]'": {None},
}
WITHOUT_RESULTS = {"explain", "python"}


def damage(folder):
    subprocess.run(["cp", "-r", "made", "damaged"], cwd=folder, check=True)
    path = pathlib.Path(folder, "damaged", "final.py")
    path.write_text(path.read_text().replace("A[", "B[", 1))


@functools.cache
def runs():
    """Of each command its line, its report, and what it wrote as SARIF and as JUnit's XML; None of one that writes none."""
    return list(run_all())


def run_all():
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
            more = [] if subcommand in WITHOUT_RESULTS else ["--sarif", "results.sarif", "--junit", "junit.xml"]
            ran = subprocess.run([HEXPROOF, *subcommand.split(), "--json", "report.json", *more, *shlex.split(rest)], cwd=folder,
                                 capture_output=True, text=True)
            path = pathlib.Path(folder, "report.json")
            assert path.exists(), f"{line}: no report\n{ran.stdout}{ran.stderr}"
            report = json.loads(path.read_text())
            assert (report["verdict"], report["exit_code"]) == (verdict, ran.returncode), f"{line}: {report['verdict']}\n{ran.stdout}{ran.stderr}"
            path.unlink()
            results, junit = pathlib.Path(folder, "results.sarif"), pathlib.Path(folder, "junit.xml")
            yield line, report, json.loads(results.read_text()) if more else None, junit.read_bytes() if more else None
            results.unlink(missing_ok=True)
            junit.unlink(missing_ok=True)
