"""Fifteen ordinary schedules, as TVM's users write them: each is proved, judged again, certified for the host, and bit-equal."""
import pathlib
import unittest

import hexproof as hp

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "schedules"
#: Where the granted flags leave the rounding open, certify compares and demands nothing.
OPEN = {"rfactor_float32"}
#: In each result: what the schedule was written for.
SHOWS = {
    "average_pool": ["T.where(", "T.vectorized"], "batch_matmul": ["T.vectorized(16)", "T.unroll(4)"],
    "blockize_dot4": ["C_update_o", '"tensor_intrin": "dot4_s8s8s32"'], "conv2d_int8": ["T.vectorized", "T.parallel"], "conv2d_nhwc": ["T.parallel", "T.vectorized(16)"],
    "decompose_padding": ["pad_pad"], "depthwise": ["T.unroll(3)", "T.parallel"], "double_buffer": ['"double_buffer_scope": 0'],
    "elementwise": ["T.vectorized(16)"], "layernorm": ["T.parallel"], "layernorm_two_sums": ["squares[vi_init] = T.float32(0.0)"],
    "matmul": ["A_global", "B_global", "C_global"], "max_pool": ["T.vectorized(32)"], "metaschedule": ["T.parallel", "T.vectorized(16)"],
    "rfactor": ["B_rf"], "rfactor_float32": ["B_rf"], "softmax": ["T.parallel"], "transpose": ["A_global", "T.where("],
}


class Ordinary(unittest.TestCase):
    def one(self, name):
        program = hp.read(FOLDER / f"{name}.py")
        schedule = (FOLDER / f"{name}.schedule.py").read_text()
        after = hp.apply(program, schedule, name=f"{name}.schedule.py")
        for text in SHOWS[name]:
            self.assertIn(text, after.script())
        report = hp.equiv(program, after)
        self.assertEqual(report.verdict, "proved", report)
        made = hp.certify(program, schedule, target="host", name=f"{name}.schedule.py")
        self.assertEqual(made.verdict, "proved", made.says)
        if name not in OPEN:
            compared = [line for line in made.summary.splitlines() if "elements bit-equal" in line]
            self.assertTrue(compared)
            for line in compared:
                of = line.split(":")[1].split()
                self.assertEqual(of[0], of[2], line)


def _add(name):
    setattr(Ordinary, f"test_{name}", lambda self: self.one(name))


for _path in sorted(FOLDER.glob("*.schedule.py")):
    _add(_path.name.removesuffix(".schedule.py"))

if __name__ == "__main__":
    unittest.main()
