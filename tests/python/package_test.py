"""The package `hexproof`: the same verdicts as the command's, in Python."""
import contextlib
import inspect
import io
import unittest

import hexproof as hp
from hexproof import testing

try:
    import numpy as np
except ImportError:
    np = None

COPY = """
def main(A: T.Buffer((4, 64), "float32"), B: T.Buffer((4, 64), "float32")):
    for i, j in T.grid(4, 64):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
"""
SHIFT = """
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i + 1]
"""


class Programs(unittest.TestCase):
    def test_read_and_print(self):
        mod = hp.parse(COPY)
        self.assertEqual(mod.functions, ["main"])
        self.assertEqual(hp.parse(mod.script()).script(), mod.script())
        self.assertIn("<span", mod._repr_html_())

    def test_mistakes_have_their_place(self):
        with self.assertRaises(hp.InputError) as caught:
            hp.parse("def main(:\n", "p.py")
        self.assertEqual((caught.exception.file, caught.exception.line), ("p.py", 1))
        with self.assertRaises(hp.InputError):
            hp.check(3)

    def test_verdicts(self):
        self.assertTrue(hp.check(COPY))
        report = hp.check(SHIFT)
        self.assertFalse(report)
        self.assertEqual(report.to_dict()["verdict"], "refuted")
        self.assertIn("out of bounds", report.counterexample)
        self.assertTrue(hp.equiv(COPY, COPY))
        other = COPY.replace("T.float32(2)", "T.float32(3)")
        self.assertEqual(hp.equiv(COPY, other).verdict, "refuted")

    def test_every_function_of_a_file_counts(self):
        first = COPY.replace("main", "first")
        wrong = SHIFT.replace("main", "wrong")
        found = hp.check(first + wrong)
        self.assertFalse(found)
        self.assertEqual([(r.function, r.verdict) for r in found], [("first", "proved"), ("wrong", "refuted")])
        self.assertEqual((found.verdict, found.worst.function, found.to_dict()["verdict"]), ("refuted", "wrong", "refuted"))
        self.assertIn("out of bounds", found.counterexample)
        self.assertEqual(found.warnings, [])
        self.assertIn("refuted", found._repr_html_())
        self.assertTrue(hp.check(first + wrong, "first"))
        self.assertFalse(hp.check(wrong.replace("wrong", "other") + COPY))
        self.assertTrue(hp.check(first + COPY))
        testing.assert_proved(first + COPY)
        testing.assert_proved(first + wrong, function="first")
        with self.assertRaisesRegex(AssertionError, "wrong is refuted\n(.|\n)*out of bounds"):
            testing.assert_proved(first + wrong)

    def test_every_pair_of_functions_counts(self):
        two = COPY.replace("main", "f") + COPY.replace("main", "g")
        last = COPY.replace("main", "f") + COPY.replace("main", "g").replace("T.float32(2)", "T.float32(3)")
        both = two.replace("T.float32(2)", "T.float32(3)")
        self.assertEqual([bool(hp.equiv(two, after)) for after in (two, last, both)], [True, False, False])
        found = hp.equiv(two, last)
        self.assertEqual(([r.verdict for r in found], found.verdict, found.before), (["proved", "refuted"], "refuted", "g"))
        self.assertTrue(hp.equiv(two, last, function="f"))
        testing.assert_equivalent(two, two)
        with self.assertRaisesRegex(AssertionError, "g and g: refuted"):
            testing.assert_equivalent(two, last)
        self.assertFalse(hp.Reports())

    def test_testing(self):
        testing.assert_proved(COPY)
        testing.assert_equivalent(COPY, COPY)
        with self.assertRaisesRegex(AssertionError, "out of bounds"):
            testing.assert_proved(SHIFT)
        with self.assertRaisesRegex(AssertionError, "refuted"):
            testing.assert_equivalent(COPY, COPY.replace("T.float32(2)", "T.float32(3)"))


class Schedules(unittest.TestCase):
    def test_primitives_one_by_one(self):
        sch = hp.Schedule(COPY)
        i, j = sch.get_loops("B")
        jo, ji = sch.split(j, factors=[None, 8])
        sch.vectorize(ji)
        self.assertIn("T.vectorized(8)", sch.mod.script())
        self.assertEqual([s.rule for s in sch.steps][0], "split")
        self.assertIn("+", sch.steps[0].diff())
        self.assertIn("background", sch.steps[0]._repr_html_())
        self.assertEqual(str(inspect.signature(sch.split)), "(loop, factors, preserve_unit_iters=True)")
        sch.transform_layout("B", "A", lambda *idx: [idx[1], idx[0]])

    def test_a_refusal_is_an_exception_and_changes_nothing(self):
        sch = hp.Schedule(COPY)
        before = sch.mod.script()
        with self.assertRaises(hp.InputError) as caught:
            sch.split(sch.get_loop("j"), factors=[2, 8])
        self.assertEqual(caught.exception.file, __file__)
        self.assertGreater(caught.exception.line, 0)
        with self.assertRaisesRegex(hp.InputError, "did you mean 'factors'"):
            sch.split(sch.get_loop("j"), factor=[8])
        with self.assertRaises(AttributeError):
            sch.no_such_primitive
        # TVM's that there are not say why.
        with self.assertRaisesRegex(hp.UnsupportedError, "'unsafe_hide_buffer_access' is not supported\n  hint: .*regions that hide a part of it would be false"):
            sch.unsafe_hide_buffer_access("B", "read", [0])
        with self.assertRaises(hp.UnsupportedError):
            sch.sample_partitioned_tile(sch.get_loop("j"), 2)
        self.assertEqual(sch.mod.script(), before)

    def test_a_wrong_argument_has_a_name(self):
        sch = hp.Schedule(COPY)
        for call, said in ((lambda: sch.split("j", factors=[None, 8]), "'loop' of split: expected a loop, not a string"),
                           (lambda: sch.split(sch.get_loop("j"), [None, "8"]), "'factors' of split: expected an integer or None, not a string"),
                           (lambda: sch.reorder(sch.get_loop("j"), 1), r"'\*ordered_loops' of reorder: expected a loop, not an integer"),
                           (lambda: sch.compute_at(3, sch.get_loop("j")), "'block' of compute_at: expected a block, not an integer"),
                           (lambda: sch.cache_read("B", {"A": 1}, "global"), "'read_buffer_index' of cache_read: a buffer is its name"),
                           (lambda: sch.cache_read("B", 0), "cache_read lacks its argument 'storage_scope'")):
            with self.assertRaisesRegex(hp.InputError, said):
                call()

    def test_exceptions_carry_the_report(self):
        with self.assertRaises(hp.RefutedError) as caught:
            hp.Schedule(SHIFT)
        report = caught.exception.report
        self.assertEqual(report.verdict, "refuted")
        self.assertIn("out of bounds", report.counterexample)
        self.assertEqual([o["line"] for o in report.obligations if o["verdict"] != "proved"], [4])
        with self.assertRaises(hp.RefutedError) as placed:
            hp.Schedule(hp.parse(SHIFT, "shift.py"))
        self.assertEqual((placed.exception.file, placed.exception.line, placed.exception.column), ("shift.py", 4, 9))
        with self.assertRaises(hp.RefutedError) as caught:
            hp.apply(SHIFT, "sch.unroll(sch.get_loop('i'))\n")
        self.assertIn("out of bounds", caught.exception.report.counterexample)
        sums = COPY.replace("B[vi, vj] = A[vi, vj]", "B[0, 0] = A[vi, vj]").replace('"SS"', '"RR"')
        expected = {"verdict": "refuted", "rule": "parallelize", "function": "main"}
        sch = hp.Schedule(sums)
        with self.assertRaises(hp.RefutedError) as caught:
            sch.parallel(sch.get_loop("i"))
        self.assertEqual({k: caught.exception.report[k] for k in expected}, expected)
        self.assertIn("no two iterations", caught.exception.report["why"])
        self.assertTrue(all(isinstance(v, int) for v in caught.exception.report["values"].values()))
        with self.assertRaises(hp.RefutedError) as caught:
            hp.apply(sums, "sch.parallel(sch.get_loop('i'))\n")
        self.assertEqual({k: caught.exception.report[k] for k in expected}, expected)
        with self.assertRaises(hp.InputError) as caught:
            hp.parse("def main(:\n")
        self.assertIsNone(caught.exception.report)

    def test_a_copy_is_to_try_things_on(self):
        sch = hp.Schedule(COPY)
        other = sch.copy()
        other.unroll(other.get_loop("j"))
        self.assertIn("unroll", other.mod.script())
        self.assertNotIn("unroll", sch.mod.script())
        sch.parallel(sch.get_loop("i"))
        self.assertNotIn("parallel", other.mod.script())
        self.assertEqual(len(sch.trace.as_python()), 2)
        self.assertIn("sch.parallel(", str(sch.trace))
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            sch.show()
        self.assertIn("T.parallel", out.getvalue())

    def test_traces_replay(self):
        sch = hp.Schedule(COPY)
        block = sch.get_block("B")
        i, j = sch.get_loops(block)
        factors = sch.sample_perfect_tile(j, n=2, decision=[8, 8])
        jo, ji = sch.split(j, factors=factors)
        sch.reorder(jo, i)
        sch.transform_layout(block, ("read", 0), index_map=lambda n, m: [m, n])
        cached = sch.cache_write(block, 0, "global")
        sch.enter_postproc()
        sch.vectorize(ji)
        lines = sch.trace.as_python()
        self.assertEqual(lines[:3], ['b0 = sch.get_block(name="B")', "l0, l1 = sch.get_loops(block=b0)",
                                     "v0, v1 = sch.sample_perfect_tile(loop=l1, n=2, decision=[8, 8])"])
        self.assertIn("l2, l3 = sch.split(loop=l1, factors=[v0, v1])", lines)
        self.assertIn('sch.transform_layout(block=b0, buffer=("read", 0), index_map=lambda n, m: [m, n])', lines)
        # As a text, and as what it is.
        text = hp.Schedule(COPY)
        exec("\n".join(lines), {"sch": text})
        applied = hp.Schedule(COPY)
        sch.trace.apply_to_schedule(applied)
        for other in (text, applied):
            self.assertEqual(other.mod.script(), sch.mod.script())
        self.assertEqual(applied.trace.as_python(), lines)
        # Before the mark; and with another decision.
        self.assertNotIn("vectorized", self.replayed(sch.trace, remove_postproc=True))
        self.assertNotIn("vectorize", str(sch.trace.simplified(remove_postproc=True)))
        other = self.replayed(sch.trace, remove_postproc=True,
                              decision_provider=lambda inst, inputs, attrs, decision: [16, 4])
        self.assertIn("T.grid(16, 4, 4)", other)
        self.assertEqual(cached.name, "B_global")

    def test_more_is_given_than_is_written(self):
        import functools
        sch = hp.Schedule(COPY)
        i, j = sch.get_loops("B")
        functools.partial(sch.fuse, i)(j)
        self.assertIn("range(256)", sch.mod.script())
        with self.assertRaisesRegex(hp.InputError, "expected a loop, not a string"):
            functools.partial(sch.reorder, "i", "j")("k")

    def replayed(self, trace, **options):
        sch = hp.Schedule(COPY)
        trace.apply_to_schedule(sch, **options)
        return sch.mod.script()

    def test_places_where_progress_is_shown(self):
        hp.session(progress=True)
        try:
            sch = hp.Schedule(COPY)
            with self.assertRaises(hp.InputError) as caught:
                sch.split(sch.get_loop("j"), factors=[2, 8])
            self.assertEqual(caught.exception.file, __file__)
            sch.parallel(sch.get_loop("i"))
            self.assertEqual(sch.steps[-1].primitive, 'sch.parallel(sch.get_loop("i"))')
        finally:
            hp.session(progress=False)

    def test_a_program_with_errors_is_not_scheduled(self):
        with self.assertRaisesRegex(hp.RefutedError, "out of bounds"):
            hp.Schedule(SHIFT)

    def test_a_text_runs_in_this_interpreter(self):
        after = hp.apply(COPY, "import tvm\nfrom tvm import tir\nsch = tir.Schedule(mod)\nsch.unroll(sch.get_loop('i'))\n")
        self.assertIn("T.unroll(4)", after.script())
        with self.assertRaises(hp.InputError) as caught:
            hp.apply(COPY, "\nsch.unroll('i')\n", name="s.py")
        self.assertEqual((caught.exception.file, caught.exception.line), ("s.py", 2))

    def test_certify(self):
        sch = hp.Schedule(COPY)
        sch.parallel(sch.get_loop("i"))
        made = sch.certify(target="host")
        self.assertTrue(made, made.says)
        self.assertIn("sch.parallel(sch.get_loop(\"i\"))", made.files["schedule.py"].decode())
        self.assertIn("bit-equal", made.summary)
        self.assertIsInstance(made.to_dict(), dict)


@unittest.skipIf(np is None, "there is no numpy")
class Arrays(unittest.TestCase):
    def test_run(self):
        a = np.arange(256, dtype=np.float32).reshape(4, 64)
        for backend in ("interpreter", "host"):
            b = np.zeros((4, 64), np.float32)
            hp.run(COPY, a, b, backend=backend)
            self.assertTrue((b == 2 * a).all(), backend)

    def test_an_error_in_the_run(self):
        with self.assertRaisesRegex(hp.RefutedError, "out of bounds"):
            hp.run(SHIFT, np.zeros(8, np.int32), np.zeros(8, np.int32))

    def test_a_counterexample_has_its_arrays(self):
        report = hp.equiv(COPY, COPY.replace("T.float32(2)", "T.float32(3)"))
        self.assertEqual(set(report.inputs), {"A", "B"})
        before, after = report.inputs["B"].copy(), report.inputs["B"].copy()
        hp.run(COPY, report.inputs["A"].copy(), before)
        hp.run(COPY.replace("T.float32(2)", "T.float32(3)"), report.inputs["A"].copy(), after)
        first = report.differences[0]
        self.assertEqual(first["buffer"], "B")
        at = tuple(first["index"])
        self.assertNotEqual(before[at].tobytes(), after[at].tobytes())
        gather = """
def main(I: T.Buffer((4,), "int32"), A: T.Buffer((8,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[I[i]]
"""
        report = hp.check(gather)
        self.assertTrue((report.inputs["I"] >= 8).any() or (report.inputs["I"] < 0).any())
        asked = [o for o in report.obligations if o["verdict"] != "proved"]
        self.assertTrue(asked and all(o["line"] == 4 for o in asked), asked)
        self.assertIn("obligations", str(report.obligations))
        scalar = hp.check("def main(A: T.Buffer((8,), 'int32'), n: T.int32):\n    A[n] = 1\n")
        self.assertFalse(0 <= scalar.scalars["n"] < 8)

    def test_arrays_that_do_not_fit(self):
        good = np.zeros((4, 64), np.float32)
        for bad, said in ((good.astype(np.float64), r"holds float32, not float64: x.astype"),
                          (good.astype(">f4"), "bytes of another machine"),
                          (np.zeros((64, 4), np.float32), "has the shape"),
                          (np.zeros((64, 4), np.float32).T, "not in C order"),
                          ([1.0], "takes a numpy array, not list")):
            with self.assertRaisesRegex(hp.InputError, said):
                hp.run(COPY, good, bad)
        with self.assertRaisesRegex(hp.InputError, "2 arrays are needed"):
            hp.run(COPY, good)


if __name__ == "__main__":
    unittest.main()
