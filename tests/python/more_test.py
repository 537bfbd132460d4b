"""hexproof.layout, fuzz, verify; progress; Ctrl-C in an ordinary Python."""
import concurrent.futures
import io
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import hexproof as hp
from hexproof import command, progress

COPY = """
def main(A: T.Buffer((4, 64), "float32"), B: T.Buffer((4, 64), "float32")):
    for i, j in T.grid(4, 64):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
"""


class Layouts(unittest.TestCase):
    def test_a_picture_and_its_padding(self):
        for index_map in (lambda i: [i // 4, i % 4], "lambda i: [i // 4, i % 4]", hp.IndexMap.from_func(lambda *idx: [idx[0] // 4, idx[0] % 4])):
            found = hp.layout(index_map, (14,))
            self.assertTrue(found)
            self.assertEqual((found.shape, found.transformed_shape), ("(14,)", "(4, 4)"))
            self.assertIn("lambda", found.padding)
            self.assertIn("..", str(found))
            self.assertTrue(found._repr_html_().startswith("<svg"), found._repr_html_()[:40])
        self.assertEqual(hp.layout(lambda i: [i // 4, i % 4], 14).transformed_shape, "(4, 4)")

    def test_a_part_of_a_large_layout(self):
        found = hp.layout(lambda i: [i // 64, i % 64], 100000)
        self.assertIn("too many cells", str(found))
        self.assertIn("a part of the cells", found.svg)

    def test_symbolic_and_colliding(self):
        found = hp.layout(lambda i, j: [j, i], ("n", 8))
        self.assertEqual((found.transformed_shape, found.padding, found.svg), ("(8, n)", None, ""))
        with self.assertRaisesRegex(hp.RefutedError, "no two logical indices"):
            hp.layout(lambda i: [i // 2], 8)
        for index_map, shape in ((lambda i, j: [i], 8), ("lambda i: [k]", 8), (lambda i: [i], "8 +"), (3, 8)):
            with self.assertRaises(hp.InputError):
                hp.layout(index_map, shape)

    def test_equiv_takes_functions(self):
        after = COPY.replace('A: T.Buffer((4, 64)', 'A: T.Buffer((64, 4)').replace("A[vi, vj]", "A[vj, vi]")
        self.assertTrue(hp.equiv(COPY, after, layouts={"A": lambda i, j: [j, i]}))
        self.assertTrue(hp.equiv(COPY, after, layouts={"A": "lambda i, j: [j, i]"}))


class Campaigns(unittest.TestCase):
    def test_fuzz(self):
        report = hp.fuzz(runs=4, seed=3, jobs=1)
        self.assertEqual((report.verdict, report.runs, report.unsound, report.findings), ("passed", 4, 0, []))
        self.assertFalse(report)  # nothing is proved
        for wrong in ({"runs": 0}, {"shard": "4/4"}, {"shard": "1"}):
            with self.assertRaises(hp.InputError):
                hp.fuzz(**wrong)


class Certificates(unittest.TestCase):
    def test_verify(self):
        sch = hp.Schedule(COPY)
        sch.parallel(sch.get_loop("i"))
        made = sch.certify(target="host")
        report = hp.verify(made, solver="z3")
        self.assertTrue(report, report)
        self.assertGreater(report.steps, 0)
        with tempfile.TemporaryDirectory() as folder:
            made.save(folder + "/c")
            path = pathlib.Path(folder, "c", "final.py")
            path.write_text(path.read_text().replace("2", "3"))
            report = hp.verify(folder + "/c", solver="z3")
        self.assertEqual(report.verdict, "rejected")
        self.assertIn("final.py", [r["file"] for r in report.rejections])
        with self.assertRaises(hp.InputError):
            hp.verify(made, solver="yices")


BYTES = """
def main(A: T.Buffer((8, 128), "uint8"), B: T.Buffer((8, 128), "uint8")):
    C = T.alloc_buffer((8, 128), "uint8", scope="global")
    for i, j in T.grid(8, 128):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] & T.uint8(15)
    for i, j in T.grid(8, 128):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = C[vi, vj] + T.uint8(1)
"""


class Kernels(unittest.TestCase):
    def test_vectorized_blocks_become_vectors(self):
        sch = hp.Schedule(BYTES)
        for block in "CB":
            sch.vectorize(sch.get_loops(block)[-1])
        made = sch.certify(target="hexagon", run=False)
        self.assertTrue(made, made.says)
        loops = made.to_dict()["kernel"]["vectorized_loops"]
        self.assertEqual([loop["code"] for loop in loops], ["vector", "vector"], loops)
        self.assertNotIn("became scalar", made.summary)
        self.assertIn("lowering of vectorized loops", made.summary)
        floats = hp.Schedule(COPY)
        floats.vectorize(floats.get_loop("j"))
        made = floats.certify(target="hexagon", run=False)
        self.assertIn("the vectorized loop 'j' became scalar code: it stores float32 to 'B'", made.summary)

    def test_scopes(self):
        for scope, says in (("nonsense.scope", "the host has not"), ("global.vtcm", "the host has not"), ("local", "")):
            sch = hp.Schedule(BYTES.replace('"global"', f'"{scope}"'))
            if says:
                with self.assertRaisesRegex(hp.UnsupportedError, says):
                    sch.certify(target="host", run=False)
            else:
                self.assertTrue(sch.certify(target="host", run=False))
        large = BYTES.replace("(8, 128)", "(4096, 128)").replace("(8, 128)", "(4096, 128)").replace('"global"', '"global.vtcm"')
        with self.assertRaisesRegex(hp.UnsupportedError, "524288 bytes of VTCM"):
            hp.Schedule(large.replace("T.grid(8,", "T.grid(4096,")).certify(target="hexagon", run=False)


class Progress(unittest.TestCase):
    def test_what_takes_long_is_shown(self):
        out, sys.stderr = sys.stderr, io.StringIO()
        delays = progress.DELAY, progress.PERIOD
        try:
            progress.DELAY, progress.PERIOD = 0.1, 0.05
            hp.session(progress=True)
            with progress.working("checking"):
                time.sleep(0.4)
            time.sleep(0.2)
            shown = sys.stderr.getvalue()
            self.assertEqual(str(hp.Schedule(COPY).get_loops("B")), "[<loop i>, <loop j>]")
        finally:
            sys.stderr = out
            progress.DELAY, progress.PERIOD = delays
            hp.session(progress=False)
        self.assertIn("\rchecking ... 0 s", shown)
        self.assertTrue(shown.endswith("\r\033[K"), repr(shown))

    def test_nothing_is_shown_elsewhere(self):
        ran = subprocess.run([*python(), "-c", "import hexproof.progress as p; print(p.is_shown())"], capture_output=True, text=True)
        self.assertEqual((ran.stdout, ran.stderr), ("False\n", ""))


def python():
    return [sys.executable] if sys.executable else [os.path.realpath("/proc/self/exe"), "python"]


BETWEEN_CALLS = """
import time, hexproof as hp
program = '''{program}'''
hp.session(budget=0.2)
{call}
kept = open({file!r}, "w")
kept.write("work of one's own")
{own}
kept.close()
"""
#: All that starts the time of its proofs.
CALLS = {
    "session": "pass", "check": "hp.check(program)", "equiv": "hp.equiv(program, program)", "layout": "hp.layout(lambda i: [i], 8)",
    "Schedule": "hp.Schedule(program)", "primitives": "sch = hp.Schedule(program); sch.parallel(sch.get_loop('i'))",
    "apply": "hp.apply(program, 'sch.parallel(sch.get_loop(\"i\"))')", "certify": "hp.certify(program, target='host')",
    "an error": "try: hp.check(program, 'no_such')\nexcept hp.InputError: pass",
    "run": "from hexproof import arrays; hp._hexproof.parameters(hp.parse(program)._native, '', hp._limits())",
}


class Budgets(unittest.TestCase):
    def test_between_two_calls_no_time_runs(self):
        """`hexproof python` ends when one call is far past its budget, as the command does: here ten times 0.2 s and 5 s
        more of the clock, or 5.25 s of the processor."""
        with tempfile.TemporaryDirectory() as folder:
            def start(name, call, own):
                text = BETWEEN_CALLS.format(program=COPY, call=call, own=own, file=f"{folder}/{name}")
                return name, subprocess.Popen([*python(), "-c", text], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

            begun = [start(name, call, "time.sleep(8)") for name, call in CALLS.items()]
            begun.append(start("busy", CALLS["check"], "while time.process_time() < 7: pass"))
            for name, child in begun:
                said = child.communicate()[1]
                self.assertEqual((name, child.returncode, said), (name, 0, ""))
                self.assertEqual(pathlib.Path(folder, name).read_text(), "work of one's own")

    def test_a_call_has_its_time(self):
        hp.session(budget=1e-9)
        try:
            self.assertEqual(hp.check(COPY).verdict, "undecided")
            for call in (lambda: hp.Schedule(COPY), lambda: hp.certify(COPY, target="host", run=False), lambda: hp.layout(lambda i: [i // 4, i % 4], 14)):
                with self.assertRaisesRegex(hp.UndecidedError, "time budget"):
                    call()
        finally:
            hp.session()
        self.assertTrue(hp.check(COPY))

    def test_calls_at_the_same_time_and_inside_of_each_other(self):
        hp.session(budget=60)
        try:
            sch = hp.Schedule(COPY)
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                self.assertTrue(all(pool.map(lambda _: bool(hp.check(COPY)), range(8))))
            after = hp.apply(COPY, "import hexproof as hp\nassert hp.check(sch.mod)\nsch.parallel(sch.get_loop('i'))\n")
            self.assertIn("T.parallel", after.script())
            sch.parallel(sch.get_loop("i"))
        finally:
            hp.session()


class Programs(unittest.TestCase):
    """`hexproof python` in the words and with the exit codes of Python."""

    def ran(self, *words, given=""):
        done = subprocess.run([command._command(), "python", *words], input=given, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def test_exit_codes_are_pythons(self):
        for text, code, said in (("", 0, ""), ("import sys; sys.exit(7)", 7, ""), ("import sys; sys.exit('no')", 1, "no\n"),
                                 ("import sys; sys.exit(['no'])", 1, "['no']\n"), ("import sys; sys.exit(-1)", 255, "")):
            self.assertEqual(self.ran("-c", text), (code, "", said))
        self.assertEqual(self.ran("-c", "1/0")[0], 1)
        self.assertEqual(self.ran("-m", "no.such.module")[0], 1)

    def test_a_file_that_is_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            code, out, said = self.ran(f"{folder}/none.py")
            self.assertEqual((code, out), (2, ""))
            self.assertRegex(said, "^hexproof python: can't open file '.*/none.py': No such file or directory\n$")
            # What the program itself does not find is its own affair; and a folder may be a program.
            pathlib.Path(folder, "__main__.py").write_text("open('/no/such/file')\n")
            self.assertEqual(self.ran(folder)[0], 1)

    def test_the_command_in_path_is_no_python(self):
        """Whoever starts the Python that runs asks for `sys.executable`: the processes that judge TVM's passes, too."""
        text = f"import sys\nfrom hexproof.judge import Pool\nprint([sys.executable, Pool(1).submit({COPY!r}, {COPY!r}).result()['verdict']])"
        own = command._command()
        done = subprocess.run([own, "python", "-c", text], capture_output=True, text=True,
                              env={**os.environ, "PATH": os.path.dirname(own) + os.pathsep + os.environ["PATH"]})
        self.assertEqual((done.returncode, done.stdout), (0, "['', 'proved']\n"), done.stderr)

    def test_standard_input_is_a_program(self):
        self.assertEqual(self.ran("-", "a", given="import sys, hexproof\nprint(sys.argv, __name__, '\u00e4')\nsys.exit(3)\n"),
                         (3, "['-', 'a'] __main__ \u00e4\n", ""))
        self.assertIn('File "<stdin>", line 2', self.ran("-", given="\n1/0\n")[2])


INTERRUPTED = """
import signal, sys, hexproof as hp
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in its background
example = {example!r}
program, schedule = hp.read(example + "/conv2d_conv2d.py"), open(example + "/schedule_k1_h1.py").read()
hp.check(program)
print("started", flush=True)
try:
    while True:
        hp.certify(program, schedule, target="host", out={out!r}, run=False)
except KeyboardInterrupt:
    print("interrupted", flush=True)
assert hp.check(program)
try:
    sch = hp.Schedule(program)
    print("again", flush=True)
    while True:
        sch.simplify()
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@unittest.skipUnless(sys.executable, "`hexproof python` ends at an interrupt, as the command does")
class Interrupts(unittest.TestCase):
    def test_ctrl_c_is_a_keyboard_interrupt(self):
        example = str(pathlib.Path(__file__).resolve().parents[2] / "examples" / "conv2d_conv2d")
        with tempfile.TemporaryDirectory() as folder:
            text = INTERRUPTED.format(example=example, out=folder + "/certificate")
            child = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)
            self.addCleanup(child.stdout.close)
            self.addCleanup(child.wait)
            self.addCleanup(child.kill)
            for started in ("started\n", "again\n"):
                self.assertEqual(child.stdout.readline(), started)
                time.sleep(0.7)
                child.send_signal(signal.SIGINT)
                answered, _, _ = select.select([child.stdout], [], [], 60)
                self.assertTrue(answered, f"no KeyboardInterrupt a minute after the signal that followed {started!r}")
                self.assertEqual(child.stdout.readline(), "interrupted\n")
            self.assertEqual(child.wait(), 0)
            left = os.listdir(folder)
            self.assertIn(left, ([], ["certificate"]))  # a whole one, or none
            if left:
                self.assertIn("certificate.json", os.listdir(folder + "/certificate"))


if __name__ == "__main__":
    unittest.main()
